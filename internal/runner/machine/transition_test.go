package machine

import (
	"testing"

	"harness/internal/event"
	"harness/internal/policy"
)

// What the state diagram does not show is refused, recorded, and changes nothing.
func TestIllegalTransition(t *testing.T) {
	for _, from := range event.Statuses() {
		for _, to := range event.Statuses() {
			m := New(&Config{Rules: policy.NewRules()})
			m.state.Status = from
			moved := m.transition(to)
			last := m.events[len(m.events)-1]
			if want := from.CanBecome(to); moved != want {
				t.Errorf("%s to %s: moved %v, want %v", from, to, moved, want)
			}
			if !moved && (m.state.Status != from || last.Name != event.TransitionRefused || last.Code.Name != "ILLEGAL_TRANSITION") {
				t.Errorf("%s to %s: the state is %s after %s %s", from, to, m.state.Status, last.Name, last.Code)
			}
			if from.Terminal() && moved {
				t.Errorf("%s is terminal and became %s", from, to)
			}
		}
	}
}
