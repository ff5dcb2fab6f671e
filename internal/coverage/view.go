package coverage

import (
	"slices"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
)

// view looks at one run.
type view struct {
	collector *Collector
	scenario  *scenarios.Scenario
	run       int
	cfg       *machine.Config
	table     *table
	seen      event.Change // the repository as it is
}

func (v *view) see(p *point) { v.collector.see(v.run, p) }

func (v *view) code(c *diag.Code) { v.see(v.collector.codes[c]) }

func (v *view) passed(checks []check) {
	for i := range checks {
		v.see(checks[i].passed)
	}
}

func (v *view) lane(tool string) *lane { return v.table.lane(v.scenario, tool) }

// event takes what one event shows.
func (v *view) event(e *event.Event) {
	v.code(e.Code)
	switch e.Name {
	case event.RunStarted, event.FilesChanged:
		if c := e.Change(); c != nil {
			v.seen = *c
		}
	case event.ProposalDecided:
		v.decided(e.Proposal())
		v.needs(e.Proposal())
	case event.ConfirmationChecked:
		if e.Code != nil {
			v.worthless(e)
		}
	case event.ToolStarted:
		v.started(e)
	case event.ToolCompleted:
		v.completed(e)
	case event.ResultValidated:
		v.verified(e)
	case event.StateTransitioned:
		v.see(v.collector.arrows[arrow{e.From, e.To}])
	}
}

// decided takes a decision on a proposal.
func (v *view) decided(p *event.Proposal) {
	d := &p.Decision
	v.code(d.Code)
	v.ruled(d)
	tool := ""
	if p.Action != nil {
		tool = p.Action.Tool
		if d.Effect == event.Deny {
			v.see(v.table.tools[tool].refused)
		}
	}
	l := v.lane(tool)
	asked := len(l.before)
	if d.Effect != event.Allow {
		if asked = slices.IndexFunc(l.before, func(c check) bool { return c.ID == d.Check }); asked < 0 {
			return
		}
		if d.Code != policy.CheckFailed { // else it could not answer
			v.see(l.before[asked].refused)
		}
	}
	v.before(d, l.before[:asked])
}

// before takes the checks that were asked about a proposal before the one that
// refused it.
func (v *view) before(d *event.Decision, checks []check) {
	approved := d.Confirmation != ""
	for i := range checks {
		c := &checks[i]
		switch {
		case c.aboutGrants() && !v.restsOnGrant(d):
		case c.Gate == diag.Confirm && (d.Gate != diag.Confirm && !approved || !c.looks(approved)):
		default:
			v.see(c.passed)
		}
	}
}

// worthless takes an answer of a person that counts for nothing. The table was asked
// about the whole command; the record has the gate and the code.
func (v *view) worthless(e *event.Event) {
	l := v.lane(e.Tool)
	refusing := at(l.before, e.Code)
	if refusing < 0 {
		return
	}
	v.see(l.before[refusing].refused)
	for i := range l.before[:refusing] {
		if c := &l.before[i]; !c.aboutGrants() && c.looks(true) {
			v.see(c.passed)
		}
	}
}

// restsOnGrant reports whether what was decided rests on a grant.
func (v *view) restsOnGrant(d *event.Decision) bool {
	for _, g := range v.cfg.Grants.All() {
		if g.ID == d.Rule && g.Where == d.Where {
			return true
		}
	}
	return false
}

// rule finds the point of a rule or a grant.
func (v *view) rule(where string) *point {
	return v.collector.rules[place{fileID(v.scenario), where}]
}

// ruled takes what the rules said to a proposal. A grant that allows it is seen where
// it is used up.
func (v *view) ruled(d *event.Decision) {
	v.tried(d.Tried, d.More)
	if d.Effect != event.Allow || len(d.Grants) == 0 {
		v.see(v.rule(d.Where))
	}
}

// tried notes the rules that were asked, and how many are not listed.
func (v *view) tried(list []event.RuleTried, more int) {
	for i := range list {
		if p := v.rule(list[i].Where); p != nil {
			p.rule.tried = true
			p.rule.matched = p.rule.matched || list[i].Matched
		}
	}
	if more > 0 {
		v.unsure()
	}
}

// unsure notes that rules were asked which no record lists.
func (v *view) unsure() {
	for _, r := range v.cfg.Rules.All() {
		v.rule(r.Where).rule.unsure = true
	}
	for _, g := range v.cfg.Grants.All() {
		v.rule(g.Where).rule.unsure = true
	}
}

// started takes the dispatch of a call.
func (v *view) started(e *event.Event) {
	v.see(v.table.tools[e.Tool].called)
	v.scoped(e.Proposal())
	used := e.Proposal().Decision.Grants
	grants := v.cfg.Grants.All()
	for _, at := range used {
		if at < len(grants) {
			v.see(v.rule(grants[at].Where))
		}
	}
	if len(used) == 0 {
		return
	}
	l := v.lane(e.Tool)
	for i := range l.before {
		if l.before[i].aboutGrants() {
			v.see(l.before[i].passed)
		}
	}
}

// completed takes the answer of a call. A tool's checks are asked before it works.
func (v *view) completed(e *event.Event) {
	l := v.lane(e.Tool)
	switch {
	case e.Outcome == event.CallRejected:
		v.see(v.table.tools[e.Tool].refused)
		asked := len(l.work)
		if i := at(l.work, e.Code); i >= 0 {
			v.see(l.work[i].refused)
			asked = i
		}
		v.passed(l.work[:asked])
	case e.Outcome == event.CallSucceeded:
		v.passed(l.work) // tool.result.validated says whether its promise holds
	case e.Outcome == event.CallFailed && e.Code != machine.ToolFailed: // else the tool broke, maybe at a check
		v.passed(l.work)
		v.failed(l, e.Code)
	}
}

// verified takes what a receipt that was looked up is worth.
func (v *view) verified(e *event.Event) {
	l := v.lane(e.Tool)
	if e.Code == nil {
		v.passed(l.after)
		return
	}
	v.failed(l, e.Code)
}

// failed takes an answer that is not what was promised, if the code says so.
func (v *view) failed(l *lane, code *diag.Code) {
	if i := at(l.after, code); i >= 0 {
		v.see(l.after[i].refused)
		v.passed(l.after[:i])
	}
}
