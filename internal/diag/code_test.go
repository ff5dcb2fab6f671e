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

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"taks", []string{"tags", "task"}, "task"},
		{"Read", []string{"search", "read"}, "read"},
		{"titel", []string{"title"}, "title"},
		{"shell", []string{"search", "read", "finish"}, ""},
		{"", []string{"a"}, ""},
	} {
		if got := Nearest(c.name, c.candidates); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}
