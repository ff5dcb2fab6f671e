package explore

import (
	"slices"
	"strings"
	"unicode"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// starts looks at a call that starts.
func (s *step) starts(e *event.Event) {
	p := e.Proposal()
	if p == nil || s.at == 0 || s.events[s.at-1].Name != event.ProposalDecided || s.events[s.at-1].Step != e.Step ||
		s.decided != p || p.Decision.Effect != event.Allow || p.Action == nil {
		s.breaks(decision, "%s starts, and the event before it is no decision that allows it", e.Tool)
		return
	}
	tool, ok := s.cfg.Machine.Registry.Lookup(p.Action.Tool, p.Action.Version)
	if !ok {
		s.breaks(arguments, "there is no tool %s %s", p.Action.Tool, p.Action.Version)
		return
	}
	d, _ := e.About.(*event.Dispatch)
	s.started++
	s.call = call{tool: tool, args: p.Action.Args}
	if d != nil {
		s.call.act = d.Act
	}
	if s.fit(); s.broken.ID != "" {
		return
	}
	bound := &tools.Call{Tool: tool, Args: p.Action.Args, Principal: s.principal()}
	tool.Bind(bound)
	person := s.permitted(e, bound)
	s.affords(e, d)
	if d != nil {
		s.once(d)
	}
	s.approved(e, bound, person)
	if d != nil {
		s.acts = append(s.acts, d.Act)
		s.note().calls = append(s.note().calls, dispatched{e.Tool, d.Act, e.At})
	}
}

// fit asks whether the arguments of the call are what the contract takes.
func (s *step) fit() {
	input := s.call.tool.Contract().Input
	if fault := input.Unknown(s.call.args); fault != nil {
		s.breaks(arguments, "%s starts, though %s", s.call.tool.Contract().Name, fault.Message)
		return
	}
	if fault := input.Violation(s.call.args); fault != nil {
		s.breaks(arguments, "%s starts, though %s", s.call.tool.Contract().Name, fault.Message)
		return
	}
	if s.call.act != "" {
		return
	}
	path, given := s.call.args.Get("path")
	if given {
		if fault := vrepo.CheckPath(path.Str()); fault != nil {
			s.breaks(arguments, "the path %s %s", strictjson.Quote(path.Str()), fault.Reason)
		}
	}
	if cursor, given := s.call.args.Get("cursor"); given && !isCursor(s.call.tool.Contract().Name, cursor.Str()) {
		s.breaks(arguments, "%s takes %s for a cursor", s.call.tool.Contract().Name, strictjson.Quote(cursor.Str()))
	}
}

// isCursor reports whether a text has the form of a cursor: a line and a path for
// search, an offset and the beginning of a hash for read.
func isCursor(tool, text string) bool {
	between := "@"
	if tool == "search" {
		between = ":"
	}
	number, rest, found := strings.Cut(text, between)
	if !found || number == "" || len(number) > 1 && number[0] == '0' || strings.Trim(number, "0123456789") != "" {
		return false
	}
	if tool == "search" {
		return number != "0" && vrepo.CheckPath(rest) == nil
	}
	return len(rest) == 12 && strings.Trim(rest, "0123456789abcdef") == ""
}

// permitted asks whether rules or grants allow the call. It says whether a rule demands
// a person.
func (s *step) permitted(e *event.Event, bound *tools.Call) (person bool) {
	c := bound.Tool.Contract()
	if c.Permission != "" && (bound.Principal == nil || !slices.Contains(bound.Principal.Permissions, c.Permission)) {
		s.breaks(rights, "%s starts, and the principal has no permission %s", c.Name, strictjson.Quote(c.Permission))
	}
	if slices.Contains(s.watch.outside.redefined, c.Name) {
		s.breaks(rights, "%s starts, and its definition has changed since the run began", c.Name)
	}
	if c.Scoped {
		ruling := s.cfg.Machine.Rules.Scope(c.Capability)
		if ruling.Effect == event.Deny {
			s.breaks(rights, "%s starts, and no rule allows %s at all", c.Name, c.Capability)
		}
		return ruling.Effect == event.Confirm
	}
	if e.Resource != bound.Resource || s.call.act != "" && !isResource(bound.Resource) {
		s.breaks(rights, "%s starts on %s, which is no name of what it is about", c.Name, strictjson.Quote(e.Resource))
	}
	var consumed []int
	person = s.need(e, bound, tools.Need{Capability: c.Capability, Resource: bound.Resource}, &consumed)
	for _, need := range bound.Needs {
		if s.need(e, bound, need, &consumed) {
			person = true
		}
	}
	for _, grant := range consumed {
		s.note().rest(grant)
	}
	return person
}

// isResource reports whether a name has segments, and none that leads elsewhere.
func isResource(name string) bool {
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// need asks whether one capability is allowed on one resource: by the rules, or where
// they are silent by the first grant that holds. It says whether a rule demands a
// person.
func (s *step) need(e *event.Event, bound *tools.Call, n tools.Need, consumed *[]int) (person bool) {
	rules := s.cfg.Machine.Rules
	if rules.Allows(n.Capability, n.Resource) {
		return false
	}
	ruling := rules.Decide(n.Capability, n.Resource, bound)
	switch {
	case ruling.Effect != event.Deny:
		return ruling.Effect == event.Confirm
	case ruling.Rule != nil:
		s.breaks(rights, "%s starts, and a rule denies %s on %s", e.Tool, n.Capability, strictjson.Quote(n.Resource))
		return false
	}
	grants := s.cfg.Machine.Grants.All()
	for i := range grants {
		g := &grants[i]
		holds, err := g.When.Holds(bound)
		switch {
		case !covers(g, n.Capability, n.Resource), err != nil || !holds, slices.Contains(s.watch.outside.revoked, i):
		case g.Until > 0 && int(e.Step) > g.Until:
		case g.Tenant != "" && (bound.Principal == nil || bound.Principal.Tenant != g.Tenant):
		case g.Calls >= 0 && s.watch.outside.resting(i) >= g.Calls:
		default:
			if !slices.Contains(*consumed, i) {
				*consumed = append(*consumed, i)
			}
			return false
		}
	}
	s.breaks(rights, "%s starts, and no rule and no grant that holds allows %s on %s", e.Tool, n.Capability, strictjson.Quote(n.Resource))
	return false
}

// affords asks whether there was budget for the call.
func (s *step) affords(e *event.Event, d *event.Dispatch) {
	b, c := &s.cfg.Machine.Budgets, s.call.tool.Contract()
	if s.watch.toolCalls++; s.watch.toolCalls > b.ToolCalls {
		s.breaks(budget, "call %d of a tool starts, and at most %d may", s.watch.toolCalls, b.ToolCalls)
	}
	if e.At >= b.Deadline {
		s.breaks(budget, "%s starts at %s, and the deadline is %s", c.Name, e.At, b.Deadline)
	}
	if d == nil {
		return
	}
	before, recent := 0, 0
	for _, earlier := range s.watch.outside.calls {
		if earlier.tool == c.Name {
			before++
			if e.At-earlier.at < c.Rate.Per {
				recent++
			}
		}
	}
	most := -1
	if c.Calls > 0 {
		most = c.Calls
	}
	for _, of := range b.PerTool {
		if of.Tool == c.Name && (most < 0 || of.Calls < most) {
			most = of.Calls
		}
	}
	own := s.note()
	own.cost += d.Cost
	switch {
	case most >= 0 && before >= most:
		s.breaks(budget, "%s starts for the %d. time, and is good for %d calls", c.Name, before+1, most)
	case c.Rate.Calls > 0 && recent >= c.Rate.Calls:
		s.breaks(budget, "%s starts %d times within %s, and may %d times", c.Name, recent+1, c.Rate.Per, c.Rate.Calls)
	case d.Cost > 0 && own.cost > b.Cost:
		s.breaks(budget, "%s brings the cost to %d, and the budget is %d", c.Name, own.cost, b.Cost)
	case own.output >= b.Output:
		s.breaks(budget, "%s starts after %d bytes of answers, and the budget is %d", c.Name, own.output, b.Output)
	}
}

// once asks whether an act has one set of arguments.
func (s *step) once(d *event.Dispatch) {
	act := s.was.Standing.Act(d.Act)
	if act != nil && act.Effect != event.EffectNone && act.Arguments != strictjson.DigestOf(s.call.args) {
		s.breaks(effects, "%s was called with other arguments before", d.Act)
	}
}

// completes looks at how a call ended.
func (s *step) completes(e *event.Event) {
	c, outside := e.About.(*event.Completion)
	if e.Outcome == event.CallRejected {
		s.watch.rejections++
		s.refused = true
	}
	if !outside {
		if e.Outcome != event.CallSucceeded && e.Outcome != event.CallRejected {
			s.breaks(answering, "%s of the repository ends as %s %s", e.Tool, e.Outcome, e.Code)
		}
		return
	}
	// A refusal with another attempt behind it is none that the model hears of.
	if e.Outcome == event.CallRejected && e.Code != nil && e.Code.Class != diag.Rejection {
		s.refused = false
	}
	own := s.note()
	own.cost += c.Cost - c.Reserved
	own.output += c.Bytes
	if e.Outcome == event.CallSucceeded && c.Bytes > s.cfg.Machine.Limits.Answer {
		s.breaks(answering, "%s answers with %d bytes, and at most %d are taken", e.Tool, c.Bytes, s.cfg.Machine.Limits.Answer)
	}
}

// returns looks at a receipt that is returned in place of a call.
func (s *step) returns(e *event.Event) {
	s.returned = true
	r, _ := e.About.(*event.Receipt)
	if r == nil || s.decided == nil || s.decided.Action == nil {
		return
	}
	if act := s.was.Standing.Act(r.Act); act == nil || act.Arguments != strictjson.DigestOf(s.decided.Action.Args) {
		s.breaks(effects, "the receipt of %s is returned for other arguments", r.Act)
	}
}

// doubts asks whether an effect that nobody can vouch for ends the run, and brings a
// person.
func (s *step) doubts(after *machine.State, goesOn bool) {
	for i := range after.Standing.Acts {
		switch a := &after.Standing.Acts[i]; {
		case a.Effect != event.EffectUnknown && !a.Doubtful:
		case goesOn:
			s.breaks(effects, "nobody knows whether %s has an effect, and the run goes on", a.ID)
		case after.Phase == machine.Over && (after.Status != event.Failed || after.Handoff == nil):
			s.breaks(effects, "nobody knows whether %s has an effect, and the run is %s", a.ID, after.Status)
		}
	}
}

// effects asks whether every effect outside was made by a call, and once.
func (s *step) effects() {
	w := s.walk.World()
	if w == nil {
		return
	}
	list := w.Receipts()
	for i := range list {
		r := &list[i]
		if !slices.ContainsFunc(s.watch.outside.calls, func(d dispatched) bool { return d.act == r.Act && d.tool == r.Tool }) {
			s.breaks(effects, "%s has an effect, and was never called", r.Act)
		}
		for j := range list[:i] {
			if list[j].Act == r.Act && list[j].Tool == r.Tool {
				s.breaks(effects, "%s has two effects", r.Act)
			}
		}
	}
}
