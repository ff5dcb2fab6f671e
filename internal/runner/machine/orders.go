package machine

import (
	"harness/internal/event"
	"harness/internal/policy"
)

// orderFits reports whether an order means anything now.
func (m *Machine) orderFits(o *event.Order) bool {
	switch o.Kind {
	case event.CancelRun:
		return m.state.Status != event.Cancelling
	case event.CancelCall:
		return m.state.Phase == Calling && m.turn.outside != nil && m.turn.outside.signal == notSignalled
	case event.PauseRun:
		return m.state.Status == event.Running || m.state.Status == event.WaitingConfirmation
	case event.ResumeRun:
		return m.state.Phase == Paused || m.state.pausing
	case event.Revoke:
		return o.Place >= 0 && o.Place < len(m.cfg.Grants.All())
	default:
		return o.Kind == event.Redefine
	}
}

// ordered takes what a person told the run: it is recorded with who said it and
// why, and goes through the same states as everything else.
func (m *Machine) ordered(o *event.Order) {
	m.record(&event.Event{Name: event.PersonOrdered, Step: m.step(), About: o})
	m.next = m.waiting()
	switch o.Kind {
	case event.CancelRun:
		m.cancel()
	case event.CancelCall:
		m.signal(m.turn, callStopped)
		m.next = Effect{Kind: Signal, Call: &m.turn.call, Deadline: m.turn.outside.deadline}
	case event.PauseRun:
		if m.state.Phase == Between { // else once the step is over
			m.pause()
		}
	case event.ResumeRun:
		if m.state.Phase == Paused { // else it was only going to
			m.transition(event.Running)
			m.next = m.waiting()
		}
	}
}

func (m *Machine) pause() {
	m.transition(event.Paused)
	m.next = Effect{Kind: WaitPaused}
}

// yield goes on between two steps, or pauses there if somebody has ordered it.
func (m *Machine) yield(step int) {
	if m.state.pausing {
		m.pause()
		return
	}
	m.next = Effect{Kind: Yield, Step: step}
}

// cancel begins the end of the run. Where a tool is working it is told to stop, and
// the run ends once the effect is known; where nothing is, it ends at once.
func (m *Machine) cancel() {
	phase := m.state.Phase
	m.transition(event.Cancelling)
	switch {
	case phase == Calling && m.turn.outside != nil:
		m.turn.outside.ending = CancelRequested
		m.signal(m.turn, runStopped)
		m.next = Effect{Kind: Signal, Call: &m.turn.call, Deadline: m.turn.outside.deadline}
	case phase == Calling, phase == Looking:
		// What is under way goes on to its end; nothing follows it.
		if m.turn.outside != nil && m.turn.outside.ending == nil {
			m.turn.outside.ending = CancelRequested
		}
		m.next = Effect{Kind: Wait}
	case phase == Waiting:
		m.stop(event.Cancelled, CancelRequested)
	case m.turn != nil && m.turn.outside != nil && m.doubtful(m.turn): // between two attempts
		m.turn.outside.ending = CancelRequested
		m.doubt(m.turn)
	default:
		m.stop(event.Cancelled, CancelledIdle)
	}
}

// afterStep goes on between two steps, or asks first whether a person has to take
// over.
func (m *Machine) afterStep(step int) {
	if m.cfg.AsksHandoff {
		m.record(&event.Event{Name: event.HandoffStarted, Step: int32(step)})
		m.next = Effect{Kind: Evaluate, Step: step, Question: PersonNeeded}
		return
	}
	m.yield(step)
}

// evaluated takes the answer to the question that the run waits with. One that
// cannot be answered is answered as a careful person would: the goal is not
// reached, and somebody has to look.
func (m *Machine) evaluated(f *event.Facts) {
	if m.state.Phase == Ending {
		m.record(&event.Event{Name: event.CompletionChecked, Step: m.step(), About: f})
		if m.state.Verified == Holds {
			m.finished()
			return
		}
		m.stop(event.Failed, CompletionUnverified)
		return
	}
	m.record(&event.Event{Name: event.HandoffChecked, Step: m.step(), About: f})
	switch {
	case f.Fault != "":
		m.stop(event.Failed, policy.CheckFailed)
	case f.Holds:
		m.stop(event.Failed, HandoffRequested)
	default:
		m.yield(int(m.step()))
	}
}
