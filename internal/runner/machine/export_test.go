package machine

import "harness/internal/event"

// Fold is what recorded events add up to.
func Fold(events []event.Event) *State {
	s := &State{Status: event.Created}
	for i := range events {
		s.apply(&events[i])
	}
	return s
}
