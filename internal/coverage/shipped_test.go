package coverage

import (
	"os"
	"path/filepath"
	"testing"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/textdiff"
)

// shipped loads and runs the shipped suite.
func shipped(t testing.TB) ([]*scenarios.Scenario, []*runner.Result) {
	t.Helper()
	files, err := filepath.Glob("../../scenarios/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	var all []*scenarios.Scenario
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, found := scenarios.ParseWith(file, data, nil, func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(filepath.Dir(file), filepath.FromSlash(name)))
		})
		if found.Failed() {
			t.Fatal(found)
		}
		all = append(all, list...)
	}
	results := make([]*runner.Result, len(all))
	for i, s := range all {
		results[i] = runner.Run(s.Config)
	}
	return all, results
}

// The shipped suite's numbers add up, and depend on nothing but the suite.
func TestShipped(t *testing.T) {
	list, results := shipped(t)
	forward, backward := New(scenarios.RunCodes()), New(scenarios.RunCodes())
	for i := range list {
		forward.Add(list[i], results[i])
		back := len(list) - 1 - i
		backward.Add(list[back], results[back])
	}
	r := forward.Report()
	sums(t, r)
	if diff := textdiff.Unified(text(r), text(backward.Report()), 1); diff != "" {
		t.Errorf("the points depend on the order of the scenarios (-forward +backward)\n%s", diff)
	}
	for _, k := range r.Kinds {
		if k.Seen == 0 || k.Seen > k.Total {
			t.Errorf("%s: got %d of %d", k.Kind, k.Seen, k.Total)
		}
	}
	counted(t, r, results)
}

// counted compares codes, arrows and refusals with what the events say by
// themselves.
func counted(t *testing.T, r *Report, results []*runner.Result) {
	t.Helper()
	want := map[string]bool{}
	refusedBy := map[string]bool{}
	for _, result := range results {
		for i := range result.Events {
			e := &result.Events[i]
			if e.Code != nil {
				want["code "+e.Code.Name] = true
			}
			if e.Name == event.StateTransitioned {
				want["transition "+e.From.String()+" -> "+e.To.String()] = true
			}
			if p := e.Proposal(); p != nil && p.Decision.Code != nil {
				want["code "+p.Decision.Code.Name] = true
				refusedBy["check "+p.Decision.Check+" refused"] = true
			}
		}
		if result.Reason != nil {
			want["code "+result.Reason.Name] = true
		}
	}
	for _, p := range r.Points {
		if (p.Kind == Code || p.Kind == Transition) && want[p.ID] != (p.Seen > 0) {
			t.Errorf("%s: the events show it: %v, the report: %+v", p.ID, want[p.ID], p)
		}
		if p.Kind == Check && refusedBy[p.ID] && p.Seen == 0 {
			t.Errorf("%s: a decision names the check, and it is never seen", p.ID)
		}
	}
}

// Which check refused at the execute or verify gate is told by its code, so no two
// of a tool may share one.
func TestCodesTellChecksApart(t *testing.T) {
	list, _ := shipped(t)
	for _, s := range list {
		v := view{scenario: s, table: New(nil).table(s)}
		for _, name := range s.Config.Machine.Registry.Names() {
			l := v.lane(name)
			for _, checks := range [][]check{l.work, l.after} {
				for _, c := range checks {
					if at(checks, c.Code) < 0 {
						t.Errorf("%s: two checks of %s have the code %s", s.ID, name, c.Code)
					}
				}
			}
			for _, c := range l.before {
				if c.Gate == diag.Confirm && at(l.before, c.Code) < 0 {
					t.Errorf("%s: two checks of an approval have the code %s", s.ID, c.Code)
				}
			}
		}
	}
}

func BenchmarkShipped(b *testing.B) {
	list, results := shipped(b)
	b.ReportAllocs()
	for b.Loop() {
		c := New(scenarios.RunCodes())
		for i := range list {
			c.Add(list[i], results[i])
		}
		if c.Report().All.Seen == 0 {
			b.Fatal("nothing is seen")
		}
	}
}
