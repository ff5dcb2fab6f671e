package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
)

// needsPerson reports whether a step's command needs a person at some point.
func (s *Step) needsPerson() bool {
	if s.contract != nil && s.contract.Confirmation != "" {
		return true
	}
	return s.approval() != "" || s.question() != nil || s.Decision != nil && s.Decision.Gate == diag.Confirm
}

// approval is the id of the approval that a dispatch of the step used up, or would;
// "" if none was needed.
func (s *Step) approval() string {
	for i := range s.Attempts {
		if d, ok := s.Attempts[i].Started.About.(*event.Dispatch); ok && d.Confirmation != "" {
			return d.Confirmation
		}
	}
	if s.Decision == nil {
		return ""
	}
	return s.Decision.Confirmation
}

// count adds what a step has used to what was used before.
func (n *narrator) count(s *Step) {
	n.calls += len(s.Attempts)
	for i := range s.Attempts {
		a := &s.Attempts[i]
		if p := a.Started.Proposal(); p != nil {
			n.spend(p.Decision.Grants)
		}
		d, ok := a.Started.About.(*event.Dispatch)
		if !ok {
			continue
		}
		n.sent = append(n.sent, a.Started.Tool)
		n.cost += d.Cost
		if a.Ended != nil {
			if c, ok := a.Ended.About.(*event.Completion); ok {
				n.cost += c.Cost - c.Reserved
			}
		}
	}
}

// spend counts a call of grants.
func (n *narrator) spend(places []int) {
	for _, at := range places {
		for len(n.used) <= at && at < len(n.grants()) {
			n.used = append(n.used, 0)
		}
		if at >= 0 && at < len(n.used) {
			n.used[at]++
		}
	}
}

func (n *narrator) grants() []policy.Grant { return n.result.Config.Machine.Grants.All() }

// grant is the place of the grant that a decision rests on, -1 if it rests on a
// rule.
func (n *narrator) grant(d *event.Decision) int {
	for i := range n.grants() {
		if g := &n.grants()[i]; g.ID == d.Rule && g.Where == d.Where {
			return i
		}
	}
	return -1
}

// grantText names a grant and what limits it.
func (n *narrator) grantText(at int, d *event.Decision) string {
	g := &n.grants()[at]
	text := "Grant " + g.ID + " (" + g.Pattern + ") allows it"
	if d.Where != "" {
		text += ", at " + d.Where
	}
	bounds := n.limits(g, n.usedOf(at)+1)
	if len(bounds) == 0 {
		return text + ". Within this run nothing limits it."
	}
	return text + ". Its limits: " + strings.Join(bounds, "; ") + "."
}

func (n *narrator) usedOf(grant int) int {
	if grant < len(n.used) {
		return n.used[grant]
	}
	return 0
}

// identified says how a call was compared with the principal, if it was.
func (n *narrator) identified(s *Step) string {
	if s.contract == nil {
		return ""
	}
	var own []string
	n.checks(diag.Authorize, s, func(c *policy.Check) {
		switch c.ID {
		case s.Tool + ".identity":
			own = append(own, "no argument names somebody else")
		case s.Tool + ".tenant":
			own = append(own, "no argument names another tenant")
		case s.Tool + ".permission":
			own = append(own, "they have the permission "+s.contract.Permission)
		}
	})
	if len(own) == 0 {
		return ""
	}
	who := "nobody"
	if id := n.result.Config.Machine.Identity; id != nil && id.Principal != nil && id.Principal.ID != "" {
		who = n.whom(id.Principal.ID, id.Principal.Tenant)
	}
	return " The run acts for " + who + ", which no argument changes: " + series(own) + "."
}

// questions says what a gate has asked: in words of a tool that lies outside, else
// by the codes that it could have refused with.
func (n *narrator) questions(gate diag.Gate, s *Step) string {
	if !s.outside {
		return noneOf(n.codes(gate, s))
	}
	var parts, required, codes []string
	n.checks(gate, s, func(c *policy.Check) {
		question, own := strings.CutPrefix(c.ID, s.Tool+".")
		switch {
		case c.ID == "act.conflict":
			parts = append(parts, "the run has not made this action with other arguments")
		case own && gate == diag.Semantic && question == "resource":
			parts = append(parts, "what the call is about can be named")
		case own && gate == diag.Semantic:
			required = append(required, question)
		case own && gate == diag.Verify && question == "size":
			parts = append(parts, "the answer has an allowed size")
		case own && gate == diag.Verify && question == "output":
			parts = append(parts, "it fits its schema")
		case own && gate == diag.Verify && question == "postcondition":
			parts = append(parts, "what the tool ensures holds: "+n.clip(s.ensures, 2*quoteMost))
		default:
			codes = append(codes, c.Code.Name)
		}
	})
	if len(required) > 0 {
		parts = append(parts, requirements(required))
	}
	if len(codes) > 0 || len(parts) == 0 {
		parts = append(parts, noneOf(codes))
	}
	return series(parts)
}

// requirements names the requirements of a tool's own, a few of them.
func requirements(ids []string) string {
	if more := len(ids) - listMost; more > 0 {
		ids = append(ids[:listMost:listMost], number(more)+" more")
	}
	if len(ids) == 1 {
		return "the requirement " + ids[0] + " holds"
	}
	return "the requirements " + series(ids) + " hold"
}

// spent says which tool calls of the budget these are, and what they reserve.
func (n *narrator) spent(s *Step) string {
	made := len(s.Attempts)
	if made == 0 && s.Receipt != "" {
		return "No tool call is made, so none is spent."
	}
	text := "This is tool call "
	switch {
	case made == 0:
		text = "This would be tool call "
	case made > 1:
		text = "These are tool calls "
	}
	text += share(n.calls, made, n.result.Config.Machine.Budgets.ToolCalls)
	if most := n.most(s); most >= 0 {
		before := 0
		for _, tool := range n.sent {
			if tool == s.Tool {
				before++
			}
		}
		text += ", and " + share(before, made, most) + " of this tool"
	}
	return text + "." + n.reserved(s)
}

// share is which of so many calls those of a step are: "2 of 64", "1 to 3 of 64".
func share(before, made, most int) string {
	text := number(before + 1)
	if made > 1 {
		text += " to " + number(before+made)
	}
	return text + " of " + number(most)
}

// most is how often a tool may be called in the run, by its contract or by the
// budget; -1 if nothing but the calls of all tools bounds it.
func (n *narrator) most(s *Step) int {
	most := -1
	if !s.outside {
		return most
	}
	if s.contract.Calls > 0 {
		most = s.contract.Calls
	}
	per := n.result.Config.Machine.Budgets.PerTool
	for i := range per {
		if per[i].Tool == s.Tool && (most < 0 || per[i].Calls < most) {
			most = per[i].Calls
		}
	}
	return most
}

// reserved says what each attempt of a step takes of the cost budget, and what there
// was of it.
func (n *narrator) reserved(s *Step) string {
	if s.contract == nil || s.contract.Cost == 0 {
		return ""
	}
	text, are := " It reserves ", "were"
	switch made := len(s.Attempts); {
	case made == 0:
		text, are = " It would reserve ", "are"
	case made > 1:
		text = " Each reserves "
	}
	all := n.result.Config.Machine.Budgets.Cost
	return text + number(s.contract.Cost) + " of the cost budget, of which " + number(all-n.cost) + " of " + number(all) + " " + are + " left."
}

// confirmed says who has approved, and what the approval is worth.
func (n *narrator) confirmed(s *Step) proof {
	id := s.approval()
	if id == "" {
		if s.Receipt != "" {
			return proof{first: "Nobody is asked: the action was done before.", again: "Nobody is asked: the action was done before."}
		}
		return proof{first: "Proves that no person has to be asked. So nobody has looked."}
	}
	said, perRun := "approval "+id+" was given", false
	if asked := n.result.Standing.Asked(id); asked != nil {
		perRun = asked.PerRun
		if a := asked.Answer; a != nil {
			said = "approved" + n.by(a.By) + n.because(a.Reason) + " as " + id
		}
	}
	text := upper(said) + ". It is bound to this run, its principal, the tool with its version and definition, the arguments, what the call would touch, and the rules. The dispatch uses it up."
	if perRun {
		text = upper(said) + ". It is bound to this run, its principal, the tool with its version and definition, the resource, and the rules. It stands for every such call until the run ends."
	}
	return proof{
		first: text + " Proves that a person has approved exactly this. Does not prove that they were right.",
		again: text,
	}
}
