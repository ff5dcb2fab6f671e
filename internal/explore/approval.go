package explore

import (
	"slices"
	"time"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// asks looks at a question that is put to a person.
func (s *step) asks(e *event.Event) {
	if s.facts != nil && s.facts.Fault != "" {
		s.breaks(approving, "a person is asked about %s, and what it would touch cannot be looked at", e.Tool)
	}
}

// answers notes when an approval was accepted.
func (s *step) answers(e *event.Event) {
	if a, _ := e.About.(*event.Answer); a != nil && e.Code == nil && a.Verdict == event.Approved {
		s.note().approvals = append(s.note().approvals, approval{a.Request, e.At})
	}
}

// approved asks whether a call that needs a person has an approval of its own.
func (s *step) approved(e *event.Event, bound *tools.Call, byRule bool) {
	c := bound.Tool.Contract()
	if c.Confirmation == "" && !byRule || s.call.act != "" && slices.Contains(s.acts, s.call.act) {
		return // a further attempt of what was approved
	}
	id := s.decided.Decision.Confirmation
	if id == "" {
		s.breaks(approving, "%s starts without an approval", c.Name)
		return
	}
	after := s.walk.State()
	asked := after.Standing.Asked(id)
	if asked == nil {
		s.breaks(approving, "%s starts with an approval of %s, which nobody was asked", c.Name, strictjson.Quote(id))
		return
	}
	answer := s.answerTo(asked)
	if answer == nil || answer.Verdict != event.Approved {
		s.breaks(approving, "%s starts, and nobody has approved %s", c.Name, id)
		return
	}
	perRun := asked.PerRun && c.Confirmation == tools.PerRun && !byRule
	if words := s.differs(answer, asked, bound, perRun); words != "" {
		s.breaks(approving, "%s starts, and the approval %s is for another %s", c.Name, id, words)
	}
	s.inTime(e, asked, perRun)
	if slices.Contains(s.watch.outside.used, id) && !perRun {
		s.breaks(approving, "%s starts with the approval %s, which was used before", c.Name, id)
	}
	s.note().used = append(s.note().used, id)
}

// answerTo is the answer to a question that was accepted last.
func (s *step) answerTo(asked *policy.Asked) *event.Answer {
	for i := s.at; i >= 0; i-- {
		e := &s.events[i]
		if a, _ := e.About.(*event.Answer); a != nil && e.Name == event.ConfirmationAnswered && e.Code == nil && a.Request == asked.ID {
			return a
		}
	}
	return asked.Answer
}

// differs names the part in which an approval is for something else than the call; ""
// if it is for the call.
func (s *step) differs(a *event.Answer, asked *policy.Asked, bound *tools.Call, perRun bool) string {
	c, have := bound.Tool.Contract(), &a.Binding
	want := event.Binding{Tool: c.Name, Version: c.Version, Resource: bound.Resource, Definition: c.Definition}
	if id := s.cfg.Machine.Identity; id != nil {
		want.Run, want.Session, want.Policy = id.Run, id.Session, id.Policy
	}
	if p := bound.Principal; p != nil {
		want.Principal, want.Tenant = p.ID, p.Tenant
	}
	switch {
	case have.Run != want.Run:
		return "run"
	case have.Session != want.Session:
		return "session"
	case have.Principal != want.Principal:
		return "principal"
	case have.Tenant != want.Tenant:
		return "tenant"
	case have.Tool != want.Tool || have.Version != want.Version || have.Definition != want.Definition:
		return "tool, version or definition"
	case have.Resource != want.Resource:
		return "resource"
	case have.Policy != want.Policy:
		return "set of rules"
	case perRun:
		return ""
	case have.Arguments != strictjson.DigestOf(bound.Args):
		return "set of arguments"
	case c.Inspects && (s.facts == nil || s.facts.Fault != "" || s.facts.Operands != have.Operands):
		return "state of what it touches"
	default:
		return ""
	}
}

// inTime asks whether an approval came in time, and whether the call still does.
func (s *step) inTime(e *event.Event, asked *policy.Asked, perRun bool) {
	came := time.Duration(-1)
	for _, a := range s.watch.outside.approvals {
		if a.id == asked.ID {
			came = a.at
		}
	}
	if came > asked.Expires || !perRun && e.At > asked.Expires {
		s.breaks(approving, "%s starts at %s with the approval %s, which was good until %s", e.Tool, e.At, asked.ID, asked.Expires)
	}
}
