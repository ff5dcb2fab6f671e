package report

import (
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/term"
)

// history tells in short lines, in the order in which it happened, what came of a
// step: why it was refused, who was asked and said what, which attempts were made,
// what was looked up. A call that answers at once has none.
type history struct {
	*page
	step  *Step
	asked *event.Confirmation // the latest question
	ended bool                // the step is over; what others do then stands in rows of its own
	// What the last line is about, if what comes next belongs to it.
	fresh   bool // the latest question
	overdue bool // an attempt that gave no answer in its time, and was told to stop

	attempt attempt
	unseen  string        // why what the call would touch could not be looked at, once it was said
	since   time.Duration // when the look-up under way began
	lines   []line
}

// line is a line of a history.
type line struct {
	tone term.Tone
	text string
}

// attempt is the attempt under way.
type attempt struct {
	number   int
	started  time.Duration
	deadline time.Duration
	ending   bool // the run is being cancelled
}

// begin notes that an attempt was sent.
func (a *attempt) begin(e *event.Event, d *event.Dispatch) {
	a.number, a.started, a.deadline = d.Attempt, e.At, d.Deadline
}

// overdue reports whether a signal came because the attempt's time was over. One
// that comes with the end of the run has another reason.
func (a *attempt) overdue(e *event.Event) bool {
	return a.number > 0 && !a.ending && e.At >= a.deadline
}

func (p *page) history(s *Step) []line {
	h := history{page: p, step: s}
	for i := range s.Events {
		e := &s.Events[i]
		h.ended = h.ended || e.Name == event.StepEnded || e.Name == event.RunStopped
		h.tell(e)
	}
	if how := s.open(); how == waits || how == unanswered {
		h.unanswered(how)
	}
	return h.lines
}

// unanswered says that nobody has answered the question.
func (h *history) unanswered(how string) {
	text := "no answer"
	if how == waits {
		text += " so far"
	}
	if h.fresh {
		h.join(text)
	} else if h.asked != nil {
		h.say(h.asked.ID + ": " + text)
	}
}

// say adds a line.
func (h *history) say(text string) { h.add(term.Dim, text) }

func (h *history) add(tone term.Tone, text string) {
	h.lines = append(h.lines, line{tone, text})
	h.fresh, h.overdue = false, false
}

// join goes on with the last line.
func (h *history) join(text string) {
	h.lines[len(h.lines)-1].text += ", " + text
	h.fresh, h.overdue = false, false
}

func (h *history) tell(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Proposal:
		if e.Name == event.ProposalDecided {
			h.refusal(a.Decision.Refusal)
		}
	case *event.Words:
		h.failure(e, a)
	case *event.Refusal: // of a tool of the repository, which answers at once
		h.refusal(a)
	case *event.Confirmation:
		h.asked = a
		h.say("asked " + a.ID + ": " + h.clip(e.Tool, subjectMost))
		h.fresh = true
	case *event.Answer, *event.Order, *event.Change:
		if !h.ended {
			h.others(e)
		}
	case *event.Completion:
		h.completed(e, a)
	case *event.Receipt:
		h.receipt(e, a)
	case *event.Facts:
		h.facts(e, a)
	case *event.Dispatch:
		h.dispatch(e, a)
	}
	h.attempt.ending = h.attempt.ending || e.To == event.Cancelling
}

// refusal tells a refusal that is the step's own; others were overtaken by what
// followed.
func (h *history) refusal(r *event.Refusal) {
	if r == nil || r != h.step.Refusal {
		return
	}
	h.add(term.Normal, r.Message)
	if rule := ruleText(h.step.Decision); rule != "" {
		h.say(rule)
	}
	if r.Hint != "" {
		h.say("hint: " + r.Hint)
	}
}

// failure tells why the model gave no output.
func (h *history) failure(e *event.Event, w *event.Words) {
	if e.Name != event.ModelFailed || w.Message == "" {
		return
	}
	h.add(term.Normal, w.Message)
	if w.Where != "" {
		h.say("at " + w.Where)
	}
}

// others tells what others did while the step went on.
func (h *history) others(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Answer:
		h.answered(e, a)
	case *event.Order:
		h.say(h.order(a) + at(e.At) + h.because(a.Reason))
	case *event.Change:
		h.say(h.places(a.Paths) + " changed meanwhile, by someone else")
	}
}

// answered tells what a person said. An answer that counts for nothing says so.
func (h *history) answered(e *event.Event, a *event.Answer) {
	said := string(a.Verdict) + h.by(a.By)
	when := at(e.At)
	own := h.asked != nil && h.asked.ID == a.Request
	if own {
		when = after(e.At - h.asked.Asked)
	}
	because := h.because(a.Reason)
	switch {
	case e.Code != nil:
		h.say(h.clip(a.Request, subjectMost) + " " + said + when + because + ": worth nothing, " + e.Code.Name)
	case own && h.fresh:
		h.join(said + when + because)
	default:
		h.say(h.clip(a.Request, subjectMost) + " " + said + when + because)
	}
}

func (h *history) dispatch(e *event.Event, d *event.Dispatch) {
	switch e.Name {
	case event.ToolStarted:
		h.attempt.begin(e, d)
	case event.RetryScheduled:
		h.say("attempt " + number(d.Attempt) + " follows after " + span(d.Deadline-e.At))
	}
}

// completed tells how an attempt ended, and what is wrong with its answer.
func (h *history) completed(e *event.Event, c *event.Completion) {
	if e.Name == event.ToolLate {
		h.late(e, c)
		return
	}
	h.answer(e, c)
	if c.Why != "" {
		h.add(term.Normal, h.clip(c.Why, whyMost))
	}
	h.refusal(c.Refusal)
}

// late tells of an answer that came when nobody waited for it any more.
func (h *history) late(e *event.Event, c *event.Completion) {
	text := "late answer"
	if len(h.step.Attempts) > 1 {
		text += " to attempt " + number(c.Attempt)
	}
	h.say(text + at(e.At) + ": " + e.Outcome.String() + " (evidence only)")
}

// answer tells how an attempt ended, if that is not simply an answer at once.
func (h *history) answer(e *event.Event, c *event.Completion) {
	which := "attempt " + number(c.Attempt) + ": "
	many := c.Attempt > 1 || len(h.step.Attempts) > 1
	verb := "answered"
	switch {
	case e.Code == machine.ToolTimeout && h.overdue:
		h.join(unheard(e.Outcome))
		return
	case e.Outcome == event.CallRejected:
		verb = "refused"
	case e.Outcome != event.CallSucceeded:
		h.say(which + brokeOff(e.Outcome, e.Code, c))
		return
	}
	if c.Took == 0 && !many {
		return
	}
	if !many {
		which = ""
	}
	h.say(which + verb + took(c.Took))
}

// unheard says what is known of an attempt that was told to stop because its time
// was over.
func unheard(o event.Outcome) string {
	if o == event.CallFailed {
		return "and did, so nothing happened"
	}
	return "outcome unknown"
}

// brokeOff says how an attempt ended that did not succeed.
func brokeOff(o event.Outcome, code *diag.Code, c *event.Completion) string {
	text := o.String() + took(c.Took)
	switch {
	case code == machine.ToolTimeout && o == event.CallUnknown:
		return "no answer in " + span(c.Took) + ", outcome unknown"
	case code == machine.ToolTimeout:
		return "no answer in " + span(c.Took) + ", failed"
	case o == event.CallUnknown:
		text = "outcome unknown" + took(c.Took)
	}
	if code != nil {
		text += ", " + code.Name
	}
	switch c.Effect {
	case event.EffectUnverified:
		text += ", its effect unverified"
	case event.EffectUnknown:
		if o != event.CallUnknown {
			text += ", its effect unknown"
		}
	}
	return text
}

// receipt tells of signals, look-ups, and answers that were given again.
func (h *history) receipt(e *event.Event, r *event.Receipt) {
	switch e.Name {
	case event.ToolSignalled:
		h.signalled(e)
	case event.LookupStarted:
		h.since = e.At
	case event.ReceiptChecked:
		h.say("looked up " + h.clip(r.Act, quoteMost) + after(e.At-h.since) + ": " + r.Answer)
	case event.ResultValidated:
		if e.Code != nil {
			h.say("the answer that it holds: failed, " + e.Code.Name)
		}
		if r.Why != "" {
			h.add(term.Normal, h.clip(r.Why, whyMost))
		}
	case event.ReceiptReturned:
		h.say("receipt of " + r.Answer + " returned, nothing was done again")
	}
}

// signalled tells that the tool was told to stop. Where that was because its time
// was over, that is said first: it comes before.
func (h *history) signalled(e *event.Event) {
	if !h.attempt.overdue(e) {
		h.say("told to stop" + at(e.At))
		return
	}
	h.say("attempt " + number(h.attempt.number) + ": no answer in " + span(e.At-h.attempt.started) + ", told to stop" + at(e.At))
	h.overdue = true
}

// facts tells what the scenario's own questions came to, where that decides
// something.
func (h *history) facts(e *event.Event, f *event.Facts) {
	switch {
	case e.Name == event.CallInspected && f.Fault != "":
		if text := h.step.unseen(f); text != h.unseen && !h.step.says(text) {
			h.unseen = text
			h.say(h.clip(text, whyMost))
		}
	case e.Name == event.CompletionChecked:
		h.say("the verifier of task.completion " + h.found(f))
	case e.Name == event.HandoffChecked && (f.Holds || f.Fault != ""):
		h.say("the condition of task.handoff " + h.found(f))
	}
}

// found says what a question came to.
func (p *page) found(f *event.Facts) string {
	switch {
	case f.Fault != "":
		return "could not be answered: " + p.clip(f.Fault, whyMost)
	case f.Holds:
		return "holds"
	default:
		return "does not hold"
	}
}

// unseen is why what the call would touch could not be looked at. The words may
// quote an argument, so there are others where some may not be shown.
func (s *Step) unseen(f *event.Facts) string {
	if len(s.private) > 0 {
		return "what the call would touch cannot be looked at"
	}
	return f.Fault
}

// says reports whether the step's refusal says the same.
func (s *Step) says(text string) bool { return s.Refusal != nil && sameWords(s.Refusal.Message, text) }
