package diag

import "testing"

func TestOrderIsThePlaceInGates(t *testing.T) {
	for i, g := range Gates() {
		if got := g.Order(); got != i {
			t.Errorf("%s: got %d, want %d", g, got, i)
		}
	}
	if got := Gate("none").Order(); got != -1 {
		t.Errorf("no gate: got %d, want -1", got)
	}
}
