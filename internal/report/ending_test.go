package report

import (
	"bytes"
	"strings"
	"testing"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

func ended(status event.Status, reason *diag.Code) *runner.Result {
	return &runner.Result{
		Status: status, Reason: reason, RepoUnchanged: true,
		Config: &runner.Config{Machine: &machine.Config{Budgets: policy.Budgets{Steps: 3, ToolCalls: 2, Repeats: 2, Rejections: 1}}},
	}
}

// TestEveryStopReasonHasWords: no reason falls back on words that would fit any.
func TestEveryStopReasonHasWords(t *testing.T) {
	general := endingOf(ended(event.Failed, nil))
	seen := map[string]string{}
	for _, codes := range [][]*diag.Code{action.Codes(), strictjson.Codes(), tools.Codes(), repotools.Codes(), policy.Codes(), model.Codes(), machine.Codes(), fixture.Codes()} {
		for _, c := range codes {
			if c.Class != diag.Stop {
				continue
			}
			got := endingOf(ended(event.Failed, c))
			if got.unproven == general.unproven || got.short == c.Means {
				t.Errorf("%s has no words of its own: %+v", c, got)
			}
			if other := seen[got.long]; other != "" {
				t.Errorf("%s and %s end with the same words: %s", c, other, got.long)
			}
			seen[got.long] = c.Name
		}
	}
}

func TestEveryStatusHasWords(t *testing.T) {
	for _, s := range event.Statuses() {
		got := endingOf(ended(s, nil))
		if got.short == "" || got.long == "" || got.unproven == "" {
			t.Errorf("%s: got %+v, want words", s, got)
		}
		if s.Terminal() == (got.short == "not ended") {
			t.Errorf("%s: got %q", s, got.short)
		}
	}
}

// TestHonestWords: what each end must say, and what it must not.
func TestHonestWords(t *testing.T) {
	for name, want := range map[string]string{
		"sum":               "1 edit waits for a person",
		"nothing-done":      "the model says that it is done",
		"outside-grant":     "was refused and not carried out",
		"out-of-steps":      "did not finish in the 2 steps it had",
		"no-steps":          "the model was not asked",
		"tiny-context":      "The model was not asked: it would have been given",
		"in-circles":        "The same action got the same answer 3 times",
		"refused-too-often": "2 actions were refused; the budget is 1",
		"cites-nothing":     "The final answer was refused",
		"exhausted":         "asked once more than its script has answers",
		"stale":             "STALE",
		"hidden":            "LOOK CLOSELY",
		"wrong-end":         "FAIL  2 expectations were not met.",
	} {
		text := runText(t, named(name).run(t), 100, false, Detail{})
		flat := strings.Join(strings.Fields(text), " ")
		if !strings.Contains(flat, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%s: got\n%s\nwant %q in it", name, text, want)
		}
		if !strings.Contains(flat, "Not proven: ") {
			t.Errorf("%s: nothing is said of what is not proven\n%s", name, text)
		}
		if !strings.Contains(flat, "repository unchanged") {
			t.Errorf("%s: nothing is said of the repository\n%s", name, text)
		}
	}
}

// TestAChangedRepositoryIsLoud: the sentence of a good end is not printed over it.
func TestAChangedRepositoryIsLoud(t *testing.T) {
	c := sum().run(t)
	c.Result.RepoUnchanged = false
	text := runText(t, c, 80, false, Detail{})
	if !strings.Contains(text, "THE RUN CHANGED THE REPOSITORY") || strings.Contains(text, "repository unchanged") {
		t.Errorf("got\n%s", text)
	}
}

// TestOnlyAPassIsOK: no marker is green unless the case ended as it should.
func TestOnlyAPassIsOK(t *testing.T) {
	tests := []struct {
		world   string
		verdict Verdict
		expect  bool
		want    string
	}{
		{"sum", Pass, true, "ok  The run ended as its scenario says."},
		{"sum", Pass, false, "ok  The run ended well. Its scenario expects nothing."},
		{"outside-grant", Pass, true, "ok  The run ended as its scenario says."},
		{"outside-grant", Fail, false, "FAIL  Its scenario expects nothing, and this went wrong all the same:"},
		{"sum", Fail, true, "FAIL  0 expectations were not met."},
		{"sum", Error, true, "ERROR  The run could not show whether it passes."},
		{"sum", Error, false, "ERROR  The run could not show whether it passes."},
	}
	for _, test := range tests {
		c := named(test.world).run(t)
		c.Verdict = test.verdict
		if !test.expect {
			c.Scenario.Expect = nil
		}
		if text := runText(t, c, 80, false, Detail{}); !strings.Contains(text, "  "+test.want+"\n") {
			t.Errorf("%s, %q, expect %v: got\n%s\nwant %q in it", test.world, test.verdict, test.expect, text, test.want)
		}
		mark, _, _ := strings.Cut(test.want, " ")
		table := written(t, 80, false, func(s *term.Stream) error { return WriteTable(s, []Group{{Cases: []Case{*c}}}, showOne) })
		if !strings.Contains(table, "\n  "+mark+"  ") || c.OK() != (mark == "ok") {
			t.Errorf("%s, %q: got\n%s\nwant %s in it", test.world, test.verdict, table, mark)
		}
	}
}

// TestSteps: a step for each asking, with everything that belongs to it.
func TestSteps(t *testing.T) {
	c := named("told-and-goes-on").run(t)
	steps := Steps(c.Result)
	if got, want := len(steps), c.Result.Steps; got != want {
		t.Fatalf("got %d steps, want %d", got, want)
	}
	events := 0
	for i, s := range steps {
		if s.Step != i+1 || s.Context == 0 || s.Decision == nil {
			t.Errorf("step %d: got %+v", i+1, s)
		}
		events += len(s.Events)
		for _, e := range s.Events {
			if int(e.Step) != s.Step {
				t.Errorf("step %d holds an event of step %d", s.Step, e.Step)
			}
		}
	}
	// Only the events before the first step belong to none.
	if got, want := events, len(c.Result.Events)-2; got != want {
		t.Errorf("got %d events in steps, want %d", got, want)
	}
	if s := Steps(named("not-unique").run(t).Result)[1]; s.Outcome != event.CallRejected || s.Refusal == nil || s.Refusal.Code != repotools.TargetNotUnique {
		t.Errorf("a tool's own refusal: got %+v", s)
	}
	if got := Steps(named("tiny-context").run(t).Result); len(got) != 0 {
		t.Errorf("an asking that was prevented is no step: got %+v", got)
	}
}

// TestDifferencesAreReadable: a difference is a block, and its marks can be seen.
func TestDifferencesAreReadable(t *testing.T) {
	c := sum().run(t)
	c.Verdict = Fail
	c.Findings = []Finding{{Clause: "edits[0].preview", Where: "s.yaml:3:1", Diff: "--- want\n+++ got\n@@ -1,2 +1,2 @@\n a\n-b\u200b\n+c \n"}}
	text := runText(t, c, 80, false, Detail{})
	const want = "    edits[0].preview  s.yaml:3:1\n      (-want +got)\n      @@ -1,2 +1,2 @@\n       a\n      -b<U+200B>\n      +c·\n"
	if !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant in it\n%s", text, want)
	}
}

// TestChangesOfOthers: the run is not said to have kept what others changed.
func TestChangesOfOthers(t *testing.T) {
	if text := runText(t, named("stale").run(t), 100, false, Detail{}); !strings.Contains(text, "repository unchanged by the run") {
		t.Errorf("got\n%s", text)
	}
}

// TestNothingIsCutForPrograms: without a terminal or a width rows are whole.
func TestNothingIsCutForPrograms(t *testing.T) {
	c := named("in-circles").run(t)
	c.Scenario.Title = strings.Repeat("long ", 40) + "end"
	var table, list bytes.Buffer
	o := term.Options{Color: term.Never}
	if err := WriteTable(term.NewStream(&table, o), []Group{{Cases: []Case{*c}}}, showOne); err != nil {
		t.Fatal(err)
	}
	if err := WriteList(term.NewStream(&list, o), []*scenarios.Scenario{c.Scenario}); err != nil {
		t.Fatal(err)
	}
	if words := endingOf(c.Result).short; !strings.Contains(table.String(), c.Result.Reason.Name+"  "+words+"\n") {
		t.Errorf("got\n%s\nwant %q whole", table.String(), words)
	}
	if !strings.Contains(list.String(), c.Scenario.ID+"  "+c.Scenario.Title+"\n") {
		t.Errorf("got\n%s\nwant one line", list.String())
	}
}

// TestAHeadingStandsOnce: groups of one heading go on in it, and a heading too
// long for its line is continued below it, indented.
func TestAHeadingStandsOnce(t *testing.T) {
	groups := []Group{{Title: "Long " + strings.Repeat("title ", 20)}, {Title: "Other"}, {Title: "Other"}}
	for i, name := range []string{"sum", "stale", "hidden"} {
		groups[i].Cases = []Case{*named(name).run(t)}
		groups[i].Cases[0].Scenario.ID = "folder/" + name
	}
	text := written(t, 80, false, func(s *term.Stream) error { return WriteTable(s, groups, showOne) })
	if got := strings.Count(text, "folder   Other\n"); got != 1 {
		t.Errorf("got the heading %d times, want once\n%s", got, text)
	}
	if !strings.Contains(text, "\nfolder\n  Long title title ") {
		t.Errorf("got\n%s\nwant the long title below its folder", text)
	}
}
