package machine

import (
	"harness/internal/event"
	"harness/internal/tools"
)

// doubt works on an effect that nobody can vouch for: its receipt is looked up, by
// the action id, before anything else happens. Where that cannot be done the run
// stops.
func (m *Machine) doubt(t *turn) {
	if t.outside.tool.Contract().Lookup {
		m.lookUp(t)
		return
	}
	m.giveUp(t)
}

func (m *Machine) lookUp(t *turn) {
	e := t.event(event.LookupStarted)
	e.About = &event.Receipt{Act: t.call.Act, Attempt: t.outside.attempt}
	m.record(&e)
	m.next = Effect{Kind: LookUp, Step: int(t.step), Call: &t.call}
}

// giveUp ends a run whose last effect stays in doubt, or is not what was promised.
func (m *Machine) giveUp(t *turn) {
	if reason := t.outside.broken; reason != nil {
		m.stop(event.Failed, reason)
		return
	}
	m.stop(event.Failed, ToolUnknown)
}

// lookedUp takes what a look-up found.
func (m *Machine) lookedUp(found *tools.Found) {
	t := m.turn
	answer := answerUnclear
	switch found.Answer {
	case tools.Happened:
		answer = answerHappened
	case tools.NotHappened:
		answer = answerNotHappened
	}
	e := t.event(event.ReceiptChecked)
	e.About = &event.Receipt{Act: t.call.Act, Answer: answer, Attempt: t.outside.attempt, Bytes: len(found.Outcome.JSON)}
	m.record(&e)
	switch {
	case t.outside.broken != nil:
		m.stop(event.Failed, t.outside.broken)
	case answer == answerHappened:
		m.happened(t, checked(found.Outcome))
	case answer == answerNotHappened:
		m.notHappened(t)
	default:
		m.giveUp(t)
	}
}

// happened goes on as if the answer of the call had arrived.
func (m *Machine) happened(t *turn, o tools.Outcome) {
	switch {
	case o.Status != event.CallSucceeded: // the receipt is of an effect that does not hold
		e := t.event(event.ResultValidated)
		e.Code, e.About = o.Code, &event.Receipt{Act: t.call.Act, Why: o.Why}
		m.record(&e)
		m.stop(event.Failed, o.Code)
	case m.state.Status == event.Cancelling:
		m.told(t, o)
		m.stop(event.Cancelled, t.outside.ending)
	default:
		m.deliver(t, o)
	}
}

// notHappened goes on from an effect that does not exist now. Unless the attempt has
// answered, it may still come: only where the same action id can have no second
// effect is another attempt safe then.
func (m *Machine) notHappened(t *turn) {
	waited := t.outside.wake > 0 && m.now >= t.outside.wake
	switch {
	case !m.doubtful(t) && m.state.Status == event.Cancelling:
		m.stop(event.Cancelled, t.outside.ending)
	case t.outside.tool.Contract().SideEffect != tools.IdempotentWrite, m.state.Status == event.Cancelling:
		m.giveUp(t)
	case waited:
		t.outside.wake = 0
		m.again(t)
	case m.retry(t):
	default:
		m.giveUp(t)
	}
}
