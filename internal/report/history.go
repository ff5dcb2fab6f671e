package report

import (
	"strconv"
	"strings"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner/machine"
)

// history tells in short lines what happened in a step between the proposal and
// its end: who was asked and said what, which attempts were made, what was looked
// up. A call that answers at once has none.
type history struct {
	*page
	step  *Step
	asked *event.Confirmation // the latest question
	fresh bool                // it is what the last line is about
	ended bool                // the step is over; what others do then stands in rows of its own
	since time.Duration       // when the look-up under way began
	lines []string
}

func (p *page) history(s *Step) []string {
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
		h.lines[len(h.lines)-1] += ", " + text
	} else if h.asked != nil {
		h.say(h.asked.ID + ": " + text)
	}
}

// say adds a line.
func (h *history) say(text string) {
	h.lines = append(h.lines, text)
	h.fresh = false
}

func (h *history) tell(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Confirmation:
		h.asked = a
		h.say("asked " + a.ID + ": " + h.clip(e.Tool, subjectMost))
		h.fresh = true
	case *event.Answer, *event.Order, *event.Change:
		if !h.ended {
			h.others(e)
		}
	case *event.Completion:
		h.attempt(e, a)
	case *event.Receipt:
		h.receipt(e, a)
	case *event.Facts:
		h.facts(e, a)
	case *event.Dispatch:
		if e.Name == event.RetryScheduled {
			h.say("attempt " + number(a.Attempt) + " follows after " + span(a.Deadline-e.At))
		}
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
		h.lines[len(h.lines)-1] += ", " + said + when + because
		h.fresh = false
	default:
		h.say(h.clip(a.Request, subjectMost) + " " + said + when + because)
	}
}

// by names a person; one who gave no name is nobody in particular.
func (p *page) by(name string) string {
	if name == "" {
		return ""
	}
	return " by " + p.clip(name, subjectMost)
}

// because is what a person gave as a reason, in quotes and parentheses.
func (p *page) because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + p.inQuotes(reason) + ")"
}

// inQuotes is what a person gave as a reason, "" for none.
func (p *page) inQuotes(reason string) string {
	if reason == "" {
		return ""
	}
	return p.quoted(reason, 2*quoteMost)
}

// attempt tells how an attempt ended, if that is not simply an answer at once.
func (h *history) attempt(e *event.Event, c *event.Completion) {
	which := "attempt " + number(c.Attempt) + ": "
	if e.Name == event.ToolLate {
		late := "late answer"
		if len(h.step.Attempts) > 1 {
			late += " to attempt " + number(c.Attempt)
		}
		h.say(late + at(e.At) + ": " + e.Outcome.String() + " (evidence only)")
		return
	}
	many := c.Attempt > 1 || len(h.step.Attempts) > 1
	switch e.Outcome {
	case event.CallSucceeded, event.CallRejected:
		if c.Took == 0 && !many {
			return
		}
		verb := "answered"
		if e.Outcome == event.CallRejected {
			verb = "refused"
		}
		if !many {
			which = ""
		}
		h.say(which + verb + took(c.Took))
	default:
		h.say(which + brokeOff(e.Outcome, e.Code, c))
	}
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
		h.say("told to stop" + at(e.At))
	case event.LookupStarted:
		h.since = e.At
	case event.ReceiptChecked:
		h.say("looked up " + h.clip(r.Act, quoteMost) + after(e.At-h.since) + ": " + r.Answer)
	case event.ReceiptReturned:
		h.say("receipt of " + r.Answer + " returned, nothing was done again")
	}
}

// facts tells what the scenario's own questions came to, where that decides
// something.
func (h *history) facts(e *event.Event, f *event.Facts) {
	switch {
	case e.Name == event.CallInspected && f.Fault != "":
		h.say("what the call would touch is not known: " + h.clip(f.Fault, 2*quoteMost))
	case e.Name == event.CompletionChecked:
		h.say("the verifier of task.completion: " + h.answer(f))
	case e.Name == event.HandoffChecked && (f.Holds || f.Fault != ""):
		h.say("the condition of task.handoff: " + h.answer(f))
	}
}

func (p *page) answer(f *event.Facts) string {
	switch {
	case f.Fault != "":
		return "could not be answered, " + p.clip(f.Fault, 2*quoteMost)
	case f.Holds:
		return "holds"
	default:
		return "does not hold"
	}
}

// order says who ordered what.
func (p *page) order(o *event.Order) string {
	who := p.clip(o.By, subjectMost)
	if who == "" {
		who = "somebody"
	}
	what := p.clip(o.What, subjectMost)
	switch o.Kind {
	case event.CancelRun:
		return who + " cancelled the run"
	case event.CancelCall:
		return who + " cancelled the call"
	case event.PauseRun:
		return who + " paused the run"
	case event.ResumeRun:
		return who + " resumed the run"
	case event.Revoke:
		return who + " revoked the grant " + what
	case event.Redefine:
		return who + " redefined " + what
	default:
		return who + " ordered something else"
	}
}

// places lists paths, or counts them if they are many.
func (p *page) places(paths []string) string {
	text := strings.Join(paths, ", ")
	if len(paths) == 0 {
		return "nothing"
	}
	if len(paths) > 2 {
		return p.clip(paths[0], subjectMost) + " and " + countOf(len(paths)-1, "other entry", "other entries")
	}
	return p.clip(text, quoteMost)
}

// took is how long something took, in words.
func took(d time.Duration) string {
	if d <= 0 {
		return " at once"
	}
	return " after " + span(d)
}

// after is a time that passed, "" for none.
func after(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " after " + span(d)
}

// at is a virtual time, "" for the start.
func at(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " at " + span(d)
}

// span is a duration without what is zero at its end: "1h", not "1h0m0s".
func span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// until is a time by which something has to be done.
func until(d time.Duration) string {
	if d == machine.Forever {
		return "no end"
	}
	return span(d)
}

// open reports whether a step's question waits for its answer, was put off, or
// was overtaken by the end of the run; "" if the step does not stand at one.
func (s *Step) open() string {
	if s.Decision == nil || s.Decision.Effect != event.Confirm {
		return ""
	}
	for i := range s.Events {
		a, ok := s.Events[i].About.(*event.Answer)
		if ok && s.Events[i].Code == nil && a.Verdict == event.Postponed {
			return postponed
		}
	}
	if s.event(event.RunStopped) != nil {
		return unanswered
	}
	return waits
}

// How a command stands that a person has to approve and nobody has.
const (
	waits      = "WAITS"
	postponed  = "POSTPONED"
	unanswered = "UNANSWERED"
)

// question is the one that a step asked last, nil if it asked none.
func (s *Step) question() *event.Confirmation {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if c, ok := s.Events[i].About.(*event.Confirmation); ok {
			return c
		}
	}
	return nil
}

// ordinal is "2nd" for 2.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
