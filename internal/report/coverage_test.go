package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"harness/internal/coverage"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/term"
)

// someCoverage is what a small suite shows, with an excuse.
func someCoverage(t testing.TB) *coverage.Report {
	t.Helper()
	const file = `apiVersion: harness/v1
kind: Scenario
id: a/rather-long-name-of-a-suite/rules
repo: {files: {a.txt: "alpha\n", b.txt: "beta\n"}}
task: {goal: look, budget: {steps: 4}, read: [a.txt, "**", b.txt]}
rules: [{effect: deny, capability: repo:read, resource: b.txt}]
cases:
  - id: reads
    model: {script: [{type: read, path: a.txt}, {type: finish, summary: done}]}
  - id: is-refused
    model: {script: [{type: read, path: b.txt}]}
  - id: is-refused-again
    model: {script: [{type: read, path: b.txt}]}
`
	list, found := scenarios.Parse("dir/rules.yaml", []byte(file))
	if found.Failed() {
		t.Fatal(found)
	}
	c := coverage.New(scenarios.RunCodes()[:3])
	for _, s := range list {
		c.Add(s, runner.Run(s.Config))
	}
	r := c.Report()
	if left := r.ExcuseAll([]scenarios.Excuse{{ID: "transition cancelling -> failed", Reason: "The machine stops a paused run only after it was told to go on, so nothing goes along this arrow."}}); left != nil {
		t.Fatal(left)
	}
	return r
}

// madeCoverage is a report by hand, so that no new check changes how it looks.
func madeCoverage(t testing.TB) *coverage.Report {
	t.Helper()
	r := &coverage.Report{
		Points: []coverage.Point{
			{ID: "check grant.expiry refused", Kind: coverage.Check, About: "authorize gate, GRANT_EXPIRED"},
			{ID: "check grant.expiry passed", Kind: coverage.Check, About: "authorize gate, GRANT_EXPIRED", Seen: 3},
			{ID: "code UNEXPECTED_INPUT", Kind: coverage.Code, About: "note"},
			{ID: "tool read called", Kind: coverage.Tool, Seen: 1},
			{ID: "tool policy/reports run_script called", Kind: coverage.Tool, Where: "reports.yaml"},
			{ID: "rule policy/grants/deny-when rules[0]", Kind: coverage.Rule, Where: "grants.yaml:394:60", About: "allow notify:send queue/*", Near: "never tried"},
			{ID: "transition cancelling -> failed", Kind: coverage.Transition},
			{ID: "transition created -> running", Kind: coverage.Transition, Seen: 3},
		},
		Scenarios: []coverage.Contribution{
			{ID: "policy/grants/deny-when", Seen: 3, Unique: []string{"tool read called"}}, {ID: "policy/grants/allow-when", Seen: 2}, {ID: "workflow/sum", Seen: 2},
		},
	}
	for i := range 20 {
		r.Points = append(r.Points, coverage.Point{ID: "rule policy/many rules[" + number(i) + "]", Kind: coverage.Rule, Where: "many.yaml:7:" + number(i+1)})
	}
	unneeded := r.ExcuseAll([]scenarios.Excuse{
		{ID: "code UNEXPECTED_INPUT", Reason: "Only a driver that is at fault gives it."},
		{ID: "transition cancelling -> failed", Reason: "The machine stops a paused run only after it was told to go on, so nothing goes along this arrow."},
	})
	if unneeded != nil {
		t.Fatal(unneeded)
	}
	return r
}

func TestCoverageGolden(t *testing.T) {
	r := madeCoverage(t)
	for name, width := range map[string]int{"80": 80, "40": 40, "130": 130} {
		golden(t, "coverage/few-"+name+".txt", written(t, width, width == 40, func(s *term.Stream) error { return WriteCoverage(s, r, false) }))
	}
	golden(t, "coverage/all.txt", written(t, 80, false, func(s *term.Stream) error { return WriteCoverage(s, r, true) }))
	golden(t, "coverage/document.json", encoded(t, CoverageDocument(r)))
}

// Text and document count the same, and name every point that is missing: the text
// as far as it says.
func TestCoverageCountsAgree(t *testing.T) {
	r := someCoverage(t)
	d := CoverageDocument(r)
	if len(d.NeverSeen) != d.Missing || len(d.Excuses) != d.Excused || d.Points != d.Seen+d.Missing+d.Excused {
		t.Errorf("got %+v with %d never seen and %d excuses", d.CoverageCount, len(d.NeverSeen), len(d.Excuses))
	}
	sum := CoverageCount{Percent: d.Percent}
	for _, k := range d.Kinds {
		sum.Points, sum.Seen, sum.Excused, sum.Missing = sum.Points+k.Points, sum.Seen+k.Seen, sum.Excused+k.Excused, sum.Missing+k.Missing
	}
	if sum != d.CoverageCount {
		t.Errorf("the kinds are %+v in all, the whole is %+v", sum, d.CoverageCount)
	}
	few := written(t, 200, false, func(s *term.Stream) error { return WriteCoverage(s, r, false) })
	for _, k := range d.Kinds {
		if want := fmt.Sprintf("and %d more %ss", k.Missing-coverageFew, k.Kind); (k.Missing > coverageFew+1) != strings.Contains(few, want) {
			t.Errorf("%s: got %q with %d missing, want it to say %q if there are more", k.Kind, few, k.Missing, want)
		}
	}
	all := written(t, 200, false, func(s *term.Stream) error { return WriteCoverage(s, r, true) })
	for _, p := range d.NeverSeen {
		if !strings.Contains(all, "  "+p.ID) {
			t.Errorf("%s is not named", p.ID)
		}
	}
}

// Whatever a suite is made of, no terminal obeys what is said about it.
func TestCoverageIsTame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string { return hostileText().Draw(t, name) }
		r := &coverage.Report{
			Points: []coverage.Point{
				{ID: text("id"), Kind: coverage.Rule, Where: text("where"), About: text("about"), Near: text("near")},
				{ID: text("other"), Kind: coverage.Tool, Excuse: text("excuse")},
			},
			Kinds:     []coverage.KindCount{{Kind: coverage.Rule, Count: coverage.Count{Total: 2}}},
			Scenarios: []coverage.Contribution{{ID: text("scenario"), Unique: []string{text("point")}}},
		}
		for _, painted := range []bool{false, true} {
			o := term.Options{Color: term.Never, Width: rapid.IntRange(1, 120).Draw(t, "width")}
			if painted {
				o.Color = term.Always
			}
			var b bytes.Buffer
			if err := WriteCoverage(term.NewStream(&b, o), r, true); err != nil {
				t.Fatal(err)
			}
			if fault := tame(b.String(), painted); fault != "" {
				t.Fatalf("%s in %q", fault, b.String())
			}
		}
		if _, err := json.Marshal(CoverageDocument(r)); err != nil {
			t.Fatal(err)
		}
	})
}

// The arrows of the diagram are counted whatever the suite.
func TestCoverageOfNothing(t *testing.T) {
	arrows := 0
	for _, from := range event.Statuses() {
		for _, to := range event.Statuses() {
			if from.CanBecome(to) {
				arrows++
			}
		}
	}
	d := CoverageDocument(coverage.New(nil).Report())
	if d.Missing != arrows || d.Percent != 0 || len(d.Scenarios) != 0 {
		t.Errorf("got %+v, want %d arrows missing", d.CoverageCount, arrows)
	}
}
