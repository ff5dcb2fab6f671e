package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/term"
	"harness/internal/tools"
)

// happened tells what happened between the decision and its end, in order.
func (n *narrator) happened(l *pairs, s *Step) {
	t := telling{narrator: n, rows: l, step: s, history: history{page: n.page, step: s}, attempts: s.Attempts}
	for i := range s.Events {
		t.tell(&s.Events[i])
	}
	t.flush("answer")
}

// telling tells the events of one step.
type telling struct {
	*narrator
	rows     *pairs
	step     *Step
	history  history   // puts what persons said into words
	attempts []Attempt // those not yet told
	seen     *event.Facts
}

func (t *telling) say(label, text string) { t.rows.addTexts(term.Dim, label, text) }

// flush writes what a person said as a row.
func (t *telling) flush(label string) {
	for _, line := range t.history.lines {
		t.say(label, line+".")
	}
	t.history.lines, t.history.fresh = nil, false
}

func (t *telling) tell(e *event.Event) {
	h := &t.history
	h.ended = h.ended || e.Name == event.StepEnded || e.Name == event.RunStopped
	switch e.Name {
	case event.ConfirmationChecked:
		t.worthless(e)
		return
	case event.ConfirmationAnswered, event.ConfirmationRequested:
		t.flush("answer")
		t.talked(e)
		return
	}
	t.flush("answer")
	switch e.Name {
	case event.ToolStarted:
		if len(t.attempts) > 0 {
			t.dispatched(t.rows, t.step, &t.attempts[0])
			t.attempts = t.attempts[1:]
		}
	case event.PersonOrdered, event.WorldChanged, event.FilesChanged:
		h.tell(e)
		t.flush("meanwhile")
	default:
		t.lookedAt(e)
	}
}

// talked tells what was asked and answered. An approval that was used is told by
// its gate, and an answer that counts for nothing with the reason.
func (t *telling) talked(e *event.Event) {
	h := &t.history
	h.tell(e)
	switch a := e.About.(type) {
	case *event.Answer:
		if t.step.allowed() && e.Code == nil && a.Request == t.step.approval() {
			h.lines = nil
		}
	case *event.Confirmation:
		h.lines = []string{a.ID + ": a person was shown the command, its effect and what is at stake"}
		if a.Expires != machine.Forever {
			h.lines[0] += "; an answer counts until " + span(a.Expires)
		}
		t.flush("asked")
	}
}

// worthless tells why an answer counted for nothing.
func (t *telling) worthless(e *event.Event) {
	r, ok := e.About.(*event.Refusal)
	if !ok || r.Code == nil {
		return
	}
	said := ""
	if n := len(t.history.lines); n > 0 {
		said, _, _ = strings.Cut(t.history.lines[n-1], ": worth nothing")
		said += ": "
	}
	t.history.lines = nil
	t.rows.add(term.Bad, t.style.Cross()+" answer", term.Text(said).Add(term.Strong, r.Code.Name).Add(term.Normal, ": "+r.Message+"."))
	t.rows.add(term.Dim, "  means", term.Text(t.ours(r.Code.Means)))
	t.say("  so", "The answer was recorded, and the run went on waiting.")
}

// dispatched tells of one attempt: what the dispatch used up, and what came back.
func (n *narrator) dispatched(l *pairs, s *Step, a *Attempt) {
	d, ok := a.Started.About.(*event.Dispatch)
	if !ok {
		return // a tool of the repository: it answers at once, and the gates say it all
	}
	text := "Sent"
	if d.Writes {
		text += " as action " + n.clip(d.Act, quoteMost)
	}
	text += at(a.Started.At)
	if d.Deadline != policy.DefaultBudgets().Deadline {
		text += ", to be answered by " + span(d.Deadline)
	}
	text += "."
	if used := n.usedUp(d); used != "" {
		text += " The same event " + used + "."
	}
	l.addTexts(term.Dim, "attempt "+number(a.Number), text+" "+n.cameBack(s, a))
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
	for _, at := range d.Grants {
		if at >= 0 && at < len(n.grants()) && len(parts) < listMost {
			parts = append(parts, "counts as a call of grant "+n.grants()[at].ID)
		}
	}
	if d.Cost > 0 {
		parts = append(parts, "reserves "+number(d.Cost))
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// cameBack tells how an attempt ended, and what that is worth.
func (n *narrator) cameBack(s *Step, a *Attempt) string {
	if a.Ended == nil {
		return "It had not ended when the record does."
	}
	c, ok := a.Ended.About.(*event.Completion)
	if !ok {
		return "The call " + a.Ended.Outcome.String() + "."
	}
	text := "It answered" + took(c.Took) + "."
	switch a.Ended.Outcome {
	case event.CallRejected:
		text = "The tool refused" + took(c.Took) + "."
	case event.CallFailed, event.CallUnknown:
		text = "It ended so: " + brokeOff(a.Ended.Outcome, a.Ended.Code, c) + "."
	}
	if a.Ended.Outcome == event.CallUnknown {
		text += " Nobody can say whether it happened, and until that is known nothing else is done."
	}
	if a.Late != nil {
		text += " An answer came later" + at(a.Late.At) + ": " + a.Late.Outcome.String() + ". It is evidence, and changes nothing."
	}
	return text
}

// lookedAt tells of signals, look-ups, further attempts, and questions of the
// scenario's own.
func (t *telling) lookedAt(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Receipt:
		switch e.Name {
		case event.ToolSignalled:
			t.say("signal", "The tool was told to stop"+at(e.At)+". That asks; whether it had an effect is looked at afterwards.")
		case event.ReceiptChecked:
			t.say("look-up", "The receipt of "+t.clip(a.Act, quoteMost)+" was looked up"+at(e.At)+", by the action id: "+a.Answer+". "+foundOut(a.Answer, t.step))
		case event.ReceiptReturned:
			t.say("receipt", "This action was done before, and "+a.Answer+" was its answer. It is not done again.")
		}
	case *event.Dispatch:
		if e.Name == event.RetryScheduled {
			t.say("retry", "The contract allows "+attempts(t.step)+". The next follows after "+span(a.Deadline-e.At)+", under the same action id, and every gate is asked again.")
		}
	case *event.Facts:
		t.questioned(e, a)
	}
}

// attempts is how many attempts a step's contract allows.
func attempts(s *Step) string {
	if s.contract == nil {
		return "another attempt"
	}
	return count(s.contract.Retry.Attempts, "attempt") + " in all"
}

// foundOut says what follows from a look-up.
func foundOut(answer string, s *Step) string {
	switch {
	case answer == "happened" && s.Outcome != event.CallSucceeded:
		return "So the effect exists, and is not made a second time."
	case answer == "happened":
		return "So nothing is done a second time; the answer that the receipt holds counts."
	case answer != "did not happen":
		return "So nothing more is tried: it could be done twice."
	case s.contract != nil && s.contract.SideEffect == tools.IdempotentWrite:
		return "The same action may be sent again, since a second one under its id has no further effect."
	default:
		return "It may still be on its way, and a second one would be done twice: nothing more is tried."
	}
}

// questioned tells what the scenario's own questions came to.
func (t *telling) questioned(e *event.Event, f *event.Facts) {
	switch e.Name {
	case event.CallInspected:
		t.say("looked at", t.inspected(f))
		t.seen = f
	case event.CompletionChecked:
		tone, mark := term.Good, t.style.Tick()
		if !f.Holds || f.Fault != "" {
			tone, mark = term.Bad, t.style.Cross()
		}
		t.rows.add(tone, mark+" proof", term.Text("The verifier of task.completion "+t.answer(f)+
			". Proves what that expression asks of the world and the observations. Does not prove anything that it does not ask."))
	case event.HandoffChecked:
		text := "The condition of task.handoff " + t.answer(f) + "."
		if f.Holds || f.Fault != "" {
			text += " From here on a person has to decide."
		}
		t.say("handoff", text)
	}
}

// inspected tells what a call would touch, and whether that has changed since it
// was looked at last.
func (t *telling) inspected(f *event.Facts) string {
	switch {
	case f.Fault != "":
		return "What the call would touch could not be looked at: " + t.clip(f.Fault, 2*quoteMost) + "."
	case t.seen != nil && t.seen.Fault == "" && t.seen.Operands == f.Operands:
		return "What the call would touch was looked at again, and is as it was."
	case t.seen != nil:
		return "What the call would touch was looked at again, and has changed."
	case len(f.Touches) > 0:
		return "What the call would touch was looked at, and not touched: " + t.places(f.Touches) + "."
	default:
		return "What the call would touch was looked at, and not touched."
	}
}

// failed tells a failure of the call that stayed one.
func (n *narrator) failed(l *pairs, s *Step) {
	if s.Refusal != nil || s.Code == nil {
		return
	}
	gate := s.Code.Gate
	if gate == "" {
		gate = diag.Execute
	}
	l.add(term.Bad, n.style.Cross()+" "+string(gate), term.Strong.Cell(s.Code.Name).Add(term.Normal, ": "+n.ours(s.Code.Means)))
	l.add(term.Dim, "  do", term.Text(n.ours(s.Code.Do)))
}
