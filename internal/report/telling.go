package report

import (
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/term"
	"harness/internal/tools"
)

// happened tells what came of a step, in the order in which it happened.
func (n *narrator) happened(l *pairs, s *Step) {
	t := telling{narrator: n, rows: l, step: s, history: history{page: n.page, step: s}}
	for i := range s.Events {
		t.tell(i)
	}
	t.conclude()
	if s.stopCode() != nil && s.event(event.HandoffCreated) != nil {
		t.say("handoff", "A person has to go on from here; what they need for it stands below.")
	}
}

// telling tells the events of one step.
type telling struct {
	*narrator
	rows      *pairs
	step      *Step
	history   history // puts what persons said into words
	seen      *event.Facts
	opened    bool // the gates that the first decision passed are told
	approved  bool // so is confirm
	overdue   bool // the attempt under way gave no answer in its time
	completed int  // attempts that have ended
	concluded bool // what the step left behind is told
	ordered   bool // somebody ordered something after that
}

func (t *telling) say(label, text string) { t.rows.addTexts(term.Dim, label, text) }

// flush writes what a person said as a row.
func (t *telling) flush(label string) {
	for _, line := range t.history.lines {
		t.say(label, sentence(line.text))
	}
	t.history.lines, t.history.fresh, t.history.overdue = nil, false, false
}

func (t *telling) tell(i int) {
	e, h := &t.step.Events[i], &t.history
	h.ended = h.ended || e.Name == event.StepEnded || e.Name == event.RunStopped
	switch e.Name {
	case event.ConfirmationChecked:
		t.worthless(e)
		return
	case event.ConfirmationAnswered, event.ConfirmationRequested:
		t.flush("answer")
		t.talked(i)
		return
	}
	t.flush("answer")
	switch e.Name {
	case event.InspectionStarted:
		t.opening(diag.Confirm.Order())
	case event.ProposalDecided:
		t.decided(e)
	case event.ToolStarted, event.ToolSignalled, event.ToolCompleted, event.ToolLate:
		t.attempted(i)
	case event.ResultValidated:
		t.validated(e)
	case event.PersonOrdered, event.WorldChanged, event.FilesChanged:
		t.ordered = t.ordered || h.ended && e.Name == event.PersonOrdered
		h.tell(e)
		t.flush("meanwhile")
	case event.StepEnded, event.RunStopped:
		t.ends(e)
	default:
		t.lookedAt(i)
	}
	h.attempt.ending = h.attempt.ending || e.To == event.Cancelling
}

// ends tells what the step left behind, and that the run ends with it. What somebody
// orders between two steps stands in a row of its own.
func (t *telling) ends(e *event.Event) {
	if t.concluded && e.Name == event.RunStopped && !t.ordered && e.Code != nil {
		t.say("so", "The run ends: "+e.Code.Name+".")
	}
	t.conclude()
}

// conclude tells what the step left behind, once.
func (t *telling) conclude() {
	t.flush("answer")
	if !t.concluded {
		t.answered(t.rows, t.step)
	}
	t.concluded = true
}

// opening tells the gates that the action got through before anybody was asked, or
// anything done. They are asked again with every later decision.
func (t *telling) opening(to int) {
	if !t.opened {
		t.gates(t.rows, t.step, t.step.decidedFirst(), t.asking(t.step, 0, to))
	}
	t.opened = true
}

// decided tells how far a decision has brought the action.
func (t *telling) decided(e *event.Event) {
	p := e.Proposal()
	if p == nil {
		return
	}
	d, s := &p.Decision, t.step
	switch {
	case d.Effect == event.Deny:
		t.opening(min(d.Gate.Order(), diag.Confirm.Order()))
	case s.Tool == tools.FinishName: // it is verified at once
		t.opening(len(diag.Gates()))
	default:
		t.opening(diag.Confirm.Order())
	}
	switch {
	case d.Effect == event.Allow && !t.approved && s.Tool != tools.FinishName:
		t.approved = true
		t.gates(t.rows, s, d, t.asking(s, diag.Confirm.Order(), diag.Execute.Order()))
	case d.Refusal != nil && d.Refusal == s.Refusal:
		t.refusal(t.rows, s, d.Refusal, d)
	}
}

// talked tells what was asked and answered. An approval that is used is told by its
// gate, and an answer that counts for nothing with the reason.
func (t *telling) talked(i int) {
	h, e := &t.history, &t.step.Events[i]
	h.tell(e)
	switch a := e.About.(type) {
	case *event.Answer:
		if e.Code == nil && a.Verdict == event.Approved && t.step.allowedAfter(i) {
			h.lines = nil
		}
	case *event.Confirmation:
		text := a.ID + ": a person was shown the command, its effect and what is at stake"
		if a.Expires != machine.Forever {
			text += "; an answer counts until " + until(a.Expires)
		}
		if before := t.declined(t.result, a); before != "" {
			text += "; " + before
		}
		h.lines = []line{{term.Dim, text}}
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
		said, _, _ = strings.Cut(t.history.lines[n-1].text, ": worth nothing")
		said += ": "
	}
	t.history.lines = nil
	t.rows.add(term.Bad, t.style.Cross()+" answer", term.Text(said).Add(term.Strong, r.Code.Name).Add(term.Normal, ": "+sentence(r.Message)))
	if !sameWords(r.Code.Means, r.Message) {
		t.rows.add(term.Dim, "  means", term.Text(t.ours(r.Code.Means)))
	}
	t.say("  so", "The answer was recorded, and the run went on waiting.")
}

// lookedAt tells of look-ups, further attempts, and questions of the scenario's own.
func (t *telling) lookedAt(i int) {
	e := &t.step.Events[i]
	switch a := e.About.(type) {
	case *event.Receipt:
		switch e.Name {
		case event.ReceiptChecked:
			t.say("look-up", "The receipt of "+t.clip(a.Act, quoteMost)+" was looked up"+at(e.At)+", by the action id: "+a.Answer+". "+t.foundOut(i, a.Answer))
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

// foundOut says what follows from a look-up, the event at a place.
func (t *telling) foundOut(i int, answer string) string {
	s := t.step
	switch {
	case answer == there && s.Outcome != event.CallSucceeded:
		return "So the effect exists, and is not made a second time."
	case answer == there:
		return "So nothing is done a second time; the answer that the receipt holds counts."
	case answer != notThere:
		return "So nothing more is tried: it could be done twice."
	case t.again(i):
		return "The same action may be sent again, since a second one under its id has no further effect."
	case t.nothing(i):
		return "So nothing has happened."
	case s.contract != nil && s.contract.SideEffect == tools.IdempotentWrite:
		return "It may still come, and no further attempt is made."
	default:
		return "It may still be on its way, and a second one would be done twice: nothing more is tried."
	}
}

// again reports whether another attempt of the step is planned or made after the event
// at a place.
func (t *telling) again(i int) bool {
	return slices.ContainsFunc(t.step.Events[i+1:], func(e event.Event) bool {
		return e.Name == event.RetryScheduled || e.Name == event.ToolStarted
	})
}

// nothing reports whether the act of the look-up at a place is known to have no
// effect.
func (t *telling) nothing(i int) bool {
	r, ok := t.step.Events[i].About.(*event.Receipt)
	if !ok || t.result.Standing == nil {
		return false
	}
	act := t.result.Standing.Act(r.Act)
	return act != nil && act.Effect == event.EffectNone
}

// questioned tells what the scenario's own questions came to.
func (t *telling) questioned(e *event.Event, f *event.Facts) {
	switch e.Name {
	case event.CallInspected:
		t.say("looked at", t.inspected(f))
		t.seen = f
	case event.CompletionChecked:
		t.proven(f)
	case event.HandoffChecked:
		text := sentence("The condition of task.handoff " + t.found(f))
		if f.Holds || f.Fault != "" {
			text += " From here on a person has to decide."
		}
		t.say("handoff", text)
	}
}

// proven tells what the verifier of the task came to, and what that is worth.
func (t *telling) proven(f *event.Facts) {
	tone, mark, worth := term.Good, t.style.Tick(), "Proves what that expression asks of the world and the observations. Does not prove anything that it does not ask."
	switch {
	case f.Fault != "":
		tone, mark, worth = term.Bad, t.style.Cross(), "So nothing is proven, neither that the goal is reached nor that it is not."
	case !f.Holds:
		tone, mark, worth = term.Bad, t.style.Cross(), "So what the model says is not proven. Does not prove that nothing was done."
	}
	t.rows.add(tone, mark+" proof", term.Text(sentence("The verifier of task.completion "+t.found(f))+" "+worth))
}

// inspected tells what a call would touch, and whether that has changed since it
// was looked at last.
func (t *telling) inspected(f *event.Facts) string {
	switch {
	case f.Fault != "":
		if text := t.step.unseen(f); text != t.history.unseen && !t.step.says(text) {
			t.history.unseen = text
			return sentence(upper(t.clip(text, whyMost)))
		}
		return "What the call would touch could not be looked at."
	case t.seen != nil && t.seen.Fault == "" && t.seen.Operands == f.Operands:
		return "What the call would touch was looked at again, and is as it was."
	case t.seen != nil:
		return "What the call would touch was looked at again, and has changed."
	case len(f.Touches) > 0:
		return "What the call would touch was looked at, and not touched: " + t.touched(f) + "."
	default:
		return "What the call would touch was looked at, and not touched."
	}
}

// touched names what a call would touch, or the first and how many more.
func (t *telling) touched(f *event.Facts) string {
	if len(f.Touches)+f.More > 2 {
		return t.clip(t.visible(f.Touches[0]), subjectMost) + " and " + number(len(f.Touches)+f.More-1) + " more"
	}
	parts := make([]string, len(f.Touches))
	for i, text := range f.Touches {
		parts[i] = t.clip(t.visible(text), quoteMost)
	}
	return series(parts)
}
