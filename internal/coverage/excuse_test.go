package coverage

import (
	"testing"

	"harness/internal/scenarios"
)

// reported is a report with one point that is seen, and two that are not.
func reported() *Report {
	r := &Report{
		Points: []Point{
			{ID: "code A", Kind: Code, Seen: 1}, {ID: "code B", Kind: Code}, {ID: "transition created -> running", Kind: Transition},
		},
		Scenarios: []Contribution{{ID: "a/one", Seen: 1, Unique: []string{"code A"}}},
	}
	r.count()
	return r
}

func TestExcuseAll(t *testing.T) {
	r := reported()
	unneeded := r.ExcuseAll([]scenarios.Excuse{
		{ID: "code B", Reason: "no run gives it"}, {ID: "code A", Reason: "old"}, {ID: "code C", Reason: "misspelt"},
	})
	if len(unneeded) != 2 || unneeded[0].ID != "code A" || !unneeded[0].Seen || unneeded[1].ID != "code C" || unneeded[1].Seen {
		t.Errorf("got %+v unneeded", unneeded)
	}
	if got, want := r.All, (Count{Total: 3, Seen: 1, Excused: 1}); got != want || r.Kinds[1].Count != (Count{Total: 2, Seen: 1, Excused: 1}) {
		t.Errorf("got the counts %+v and %+v, want %+v", got, r.Kinds[1], want)
	}
	if missing := r.Missing(); len(missing) != 1 || missing[0].ID != "transition created -> running" || r.Points[1].Excuse != "no run gives it" {
		t.Errorf("got %+v missing of %+v", missing, r.Points)
	}
	sums(t, r)
}
