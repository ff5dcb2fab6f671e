package explore_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
)

// A walk that says what a scenario's script says comes to the events of its run,
// whatever else was tried at every step before.
func TestWalkIsTheRun(t *testing.T) {
	names, _ := filepath.Glob("../../scenarios/*/*.yaml")
	walked, returned := 0, 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := scenarios.Parse(name, data)
		for _, s := range list {
			want := runner.Run(s.Config)
			if len(s.Config.Human) > 0 || want.Failure().Message != "" {
				continue // a walk's persons and its model are somebody else's
			}
			walked++
			got, n := walk(s.Config)
			returned += n
			if a, b := lines(t, got), lines(t, want.Events); a != b {
				t.Errorf("%s: got\n%s\nwant\n%s", s.ID, a, b)
			}
		}
	}
	if walked < 100 || returned < walked {
		t.Errorf("%d scenarios were walked through, and returned in %d times", walked, returned)
	}
}

// walk goes through a scenario's script, and counts the places it returned to.
func walk(cfg *runner.Config) ([]event.Event, int) {
	w := runner.NewWalk(cfg, nil, func(int) int { return 0 })
	w.Start(cfg.World)
	events, player, returned := copied(w.Events()), cfg.Script.Play(), 0
	for w.State().Phase == machine.Asking {
		if p := w.Point(); p != nil {
			w.Say([]byte(`{"type":"read","path":"no/such/file"}`))
			w.Return(p)
			returned++
		}
		raw, failure := player.Next(model.Request{Past: w.State()})
		if failure != nil {
			break
		}
		from := len(w.Events())
		w.Say(raw)
		events = append(events, copied(w.Events()[from:])...)
	}
	return events, returned
}

func copied(events []event.Event) []event.Event { return append([]event.Event(nil), events...) }

func lines(t *testing.T, events []event.Event) string {
	t.Helper()
	var text []byte
	for i := range events {
		line, err := json.Marshal(events[i].Line())
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	return string(text)
}
