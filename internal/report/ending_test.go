package report

import (
	"strings"
	"testing"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
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
	for _, codes := range [][]*diag.Code{action.Codes(), strictjson.Codes(), tools.Codes(), repotools.Codes(), policy.Codes(), model.Codes(), machine.Codes()} {
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
		{"sum", Pass, true, "ok"},
		{"sum", Pass, false, "ok"},
		{"outside-grant", Pass, true, "ok"},
		{"outside-grant", Pass, false, "FAIL"}, // nobody said that this was meant
		{"sum", Fail, true, "FAIL"},
		{"sum", Error, true, "ERROR"},
		{"sum", "", true, "unset"},
	}
	for _, test := range tests {
		c := named(test.world).run(t)
		c.Verdict = test.verdict
		if !test.expect {
			c.Scenario.Expect = nil
		}
		if got := rowMark(c); got != test.want {
			t.Errorf("%s, %q, expect %v: got %s, want %s", test.world, test.verdict, test.expect, got, test.want)
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
