package report

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/term"
)

// attempted tells of the dispatch of an attempt, of what came of it, and of what
// arrived when nobody waited for it any more. What came back stands in the row of the
// dispatch, unless something else happened before.
func (t *telling) attempted(i int) {
	e := &t.step.Events[i]
	switch a := e.About.(type) {
	case *event.Dispatch:
		t.history.attempt.begin(e, a)
		text := t.dispatched(e, a)
		if i+1 < len(t.step.Events) {
			if next, ok := t.step.Events[i+1].About.(*event.Completion); ok && t.step.Events[i+1].Name == event.ToolCompleted {
				text += " " + t.cameBack(&t.step.Events[i+1], next)
			}
		}
		if t.ongoing(i) {
			text += " It had not ended when the record does."
		}
		t.say("attempt "+number(a.Attempt), text)
	case *event.Receipt:
		t.signalled(e)
	case *event.Completion:
		if e.Name == event.ToolLate {
			t.say("late", "An answer to attempt "+number(a.Attempt)+" came"+at(e.At)+": "+e.Outcome.String()+". It is evidence, and changes nothing.")
			return
		}
		if i == 0 || t.step.Events[i-1].Name != event.ToolStarted {
			t.say("attempt "+number(a.Attempt), t.cameBack(e, a))
		}
		t.ended(e)
	default: // a tool of the repository: it answers at once, and the gates say it all
		if e.Name == event.ToolCompleted {
			t.ended(e)
		}
	}
}

// ongoing reports whether nothing in the step's record ends the attempt that was
// started at a place.
func (t *telling) ongoing(i int) bool {
	for _, e := range t.step.Events[i+1:] {
		if e.Name == event.ToolCompleted {
			return false
		}
	}
	return true
}

// dispatched tells of one attempt: what the dispatch used up.
func (n *narrator) dispatched(e *event.Event, d *event.Dispatch) string {
	text := "Sent"
	if d.Writes {
		text += " as action " + n.clip(d.Act, quoteMost)
	}
	text += at(e.At)
	if d.Deadline != policy.DefaultBudgets().Deadline {
		text += ", to be answered by " + span(d.Deadline)
	}
	text += "."
	if used := n.usedUp(d); used != "" {
		text += " The same event " + used + "."
	}
	return text
}

// usedUp lists what a dispatch consumes.
func (n *narrator) usedUp(d *event.Dispatch) string {
	var parts []string
	if d.Confirmation != "" {
		parts = append(parts, "uses up approval "+d.Confirmation)
		if asked := n.result.Standing.Asked(d.Confirmation); asked != nil && asked.PerRun {
			parts[0] = "rests on approval " + d.Confirmation
		}
	}
	if d.Proposal == nil {
		return series(parts)
	}
	for _, at := range d.Decision.Grants {
		if at >= 0 && at < len(n.grants()) && len(parts) < listMost {
			parts = append(parts, "counts as a call of grant "+n.grants()[at].ID)
		}
	}
	if d.Cost > 0 {
		parts = append(parts, "reserves "+number(d.Cost))
	}
	return series(parts)
}

// cameBack tells how an attempt ended, and what that is worth.
func (t *telling) cameBack(e *event.Event, c *event.Completion) string {
	text := "It ended so: " + brokeOff(e.Outcome, e.Code, c) + "."
	switch {
	case !t.overdue || e.Code != machine.ToolTimeout:
	case e.Outcome == event.CallFailed:
		text = "It stopped, and said so before its effect: nothing happened."
	default:
		text = "It said nothing: outcome unknown."
	}
	t.overdue = false
	switch e.Outcome {
	case event.CallRejected:
		return "The tool refused" + took(c.Took) + "."
	case event.CallFailed:
		return text
	case event.CallUnknown:
		return text + " Nobody can say whether it happened, and until that is known nothing else is done."
	default:
		return "It answered" + took(c.Took) + "."
	}
}

// signalled tells that the tool was told to stop, and why where that is not plain
// from what stands before.
func (t *telling) signalled(e *event.Event) {
	text := "The tool was told to stop" + at(e.At)
	if a := &t.history.attempt; a.overdue(e) {
		text = "No answer had come in " + span(e.At-a.started) + ", so the tool was told to stop" + at(e.At)
		t.overdue = true
	}
	t.say("signal", text+". That asks; whether it had an effect is looked at afterwards.")
}

// ended tells what the end of an attempt means for the step: that the answer was
// verified, that the tool refused, or that the call failed for good.
func (t *telling) ended(e *event.Event) {
	t.completed++
	s, r := t.step, e.Refusal()
	last := t.completed >= len(s.Attempts)
	switch {
	case r != nil && r == s.Refusal:
		t.refusal(t.rows, s, r, nil)
	case e.Outcome == event.CallSucceeded && !s.outside:
		t.verified()
	case last && s.Refusal == nil && e.Code != nil && e.Code == s.Code:
		t.failed(e.Code, whyOf(e))
	}
}

// validated tells that an answer was verified: one that arrived, or that a look-up
// found.
func (t *telling) validated(e *event.Event) {
	if e.Code != nil {
		t.failed(e.Code, whyOf(e))
		return
	}
	t.verified()
}

func (t *telling) verified() {
	s := t.step
	t.gates(t.rows, s, s.decidedFirst(), t.asking(s, diag.Execute.Order(), len(diag.Gates())))
}

// failed tells a failure of the call that stayed one.
func (t *telling) failed(code *diag.Code, why string) {
	gate := code.Gate
	if gate == "" {
		gate = diag.Execute
	}
	label, means := t.style.Cross()+" "+string(gate), t.ours(promiseOf(code, why).means(code))
	if why == "" || sameWords(why, means) {
		t.rows.add(term.Bad, label, term.Strong.Cell(code.Name).Add(term.Normal, ": "+sentence(means)))
	} else {
		t.rows.add(term.Bad, label, term.Strong.Cell(code.Name).Add(term.Normal, ": "+sentence(t.clip(why, whyMost))))
		t.rows.add(term.Dim, "  means", term.Text(means))
	}
	t.rows.add(term.Dim, "  do", term.Text(t.ours(code.Do)))
}
