package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/tools/fixture"
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
		d, ok := s.Attempts[i].Started.About.(*event.Dispatch)
		if !ok {
			continue
		}
		for _, at := range d.Grants {
			for len(n.used) <= at && at < len(n.grants()) {
				n.used = append(n.used, 0)
			}
			if at >= 0 && at < len(n.used) {
				n.used[at]++
			}
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
	bounds := limits(g, n.usedOf(at)+1)
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
	var own []string
	for _, code := range n.codes(diag.Authorize, s) {
		switch code {
		case fixture.PrincipalMismatch.Name, fixture.TenantMismatch.Name, fixture.PermissionMissing.Name:
			own = append(own, code)
		}
	}
	if len(own) == 0 {
		return ""
	}
	who := "nobody"
	if id := n.result.Config.Machine.Identity; id != nil && id.Principal != nil && id.Principal.ID != "" {
		who = n.whom(id.Principal.ID, id.Principal.Tenant)
	}
	return " The run acts for " + who + ", which no argument changes: " + noneOf(own) + "."
}

// spent says which tool calls of the budget these are, and what they reserve.
func (n *narrator) spent(s *Step) string {
	all := number(n.result.Config.Machine.Budgets.ToolCalls)
	text := "This is tool call " + number(n.calls+1) + " of " + all + "."
	switch made := len(s.Attempts); {
	case made == 0 && s.Receipt == "":
		text = "This would be tool call " + number(n.calls+1) + " of " + all + "."
	case made == 0:
		text = "No tool call is made, so none is spent."
	case made > 1:
		text = "These are tool calls " + number(n.calls+1) + " to " + number(n.calls+made) + " of " + all + "."
	}
	if s.contract != nil && s.contract.Cost > 0 && len(s.Attempts) > 0 {
		which := " It"
		if len(s.Attempts) > 1 {
			which = " Each"
		}
		text += which + " reserves " + number(s.contract.Cost) + " of the cost budget, which is " + number(n.result.Config.Machine.Budgets.Cost) + "."
	}
	return text
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
