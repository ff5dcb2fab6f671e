package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/term"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

// TestCornersEndAsMeant: the worlds below show what they are for.
func TestCornersEndAsMeant(t *testing.T) {
	want := map[string]string{
		"touches-many": "waiting_confirmation USER_CONFIRMATION_REQUIRED", "declined-and-asked-again": "waiting_confirmation USER_CONFIRMATION_REQUIRED",
		"revoked-while-asked": "claimed_complete FINISH_CLAIMED", "cancelled-at-once": "cancelled CANCELLED_WITH_NO_ACTIVE_TOOL",
		"no-room-for-answers": "failed OUTPUT_BUDGET_EXCEEDED", "answer-over-budget": "failed OUTPUT_BUDGET_EXCEEDED",
		"proof-cannot-be-asked": "failed COMPLETION_UNVERIFIED", "declared-failure": "failed DESK_SHUT",
		"reads-back-closed": "failed TOOL_POSTCONDITION_FAILED", "lost-and-differs": "failed TOOL_POSTCONDITION_FAILED",
		"never-arrives": "failed TOOL_UNKNOWN", "crashed-before": "failed TOOL_FAILED", "crashed-unseen": "failed TOOL_FAILED",
		"late-and-in-doubt": "failed TOOL_UNKNOWN",
	}
	for name, end := range want {
		r := named(name).run(t).Result
		if got := r.Status.String() + " " + r.Reason.String(); got != end {
			t.Errorf("%s: got %s, want %s", name, got, end)
		}
	}
}

// TestThingsAreToldInOrder: in both forms, whatever became of the call.
func TestThingsAreToldInOrder(t *testing.T) {
	for name, want := range map[string]struct{ run, explain string }{
		"approved":       {"asked c1|2s|answered after 500ms", "✓ budget|looked at|asked|looked at|✓ confirm|attempt 1|✓ verify|so"},
		"nobody-answers": {"a person has to approve|asked c1|no answer so far", "✓ budget|looked at|· confirm|asked|so"},
		"declined":       {"asked c1|declined by bob|a person declined", "✓ budget|looked at|asked|answer|✗ confirm|not asked|so"},
		"postponed":      {"a person has to approve|asked c1|postponed by bob", "✓ budget|looked at|· confirm|asked|answer|so"},
		"revoked-while-asked": {
			"asked c1|eve revoked|approved by bob|the grant tickets was revoked",
			"✓ authorize|✓ budget|looked at|asked|meanwhile|answer|✗ authorize|so",
		},
		"nobody-knows": {
			"attempt 1: no answer in 2s, told to stop at 2.3s, outcome unknown|looked up",
			"attempt 1|signal       No answer had come in 2s|attempt 1    It said nothing|✗ execute|look-up|so|handoff",
		},
		"told-to-stop": {"bob cancelled|told to stop|attempt 1: failed", "attempt 1|meanwhile|signal|attempt 1|✗ execute|so"},
		"stops-in-time": {
			"attempt 1: no answer in 2s, told to stop at 2s, and did, so nothing happened|attempt 2 follows|attempt 3: no answer",
			"attempt 1|signal|attempt 1    It stopped, and said so before its effect|retry|attempt 3    It stopped|✗ execute|so",
		},
		"third-attempt": {"attempt 1|attempt 2 follows|attempt 2|attempt 3 follows|attempt 3", "attempt 1|retry|attempt 2|retry|attempt 3|✓ verify|so"},
		"lost-and-differs": {
			"told to stop|looked up|the answer that it holds|the postcondition is false",
			"attempt 1|signal|attempt 1|look-up|✗ verify|so|handoff",
		},
		"late":       {"outcome unknown|looked up|late answer", "look-up|✓ verify|so|late"},
		"proven":     {"", "✓ verify|✓ proof|so"},
		"in-circles": {"", "so           The model is told|so           The run ends|handoff"},
		"not-unique": {"before occurs 2 times", "✓ budget|✗ execute|so"},
	} {
		c := named(name).run(t)
		inOrder(t, name, runText(t, c, 100, false, Detail{}), want.run)
		inOrder(t, name+" --explain", runText(t, c, 100, false, Detail{Explain: true}), want.explain)
	}
}

// inOrder looks for parts, "|" between them, one behind the other.
func inOrder(t *testing.T, name, text, parts string) {
	t.Helper()
	rest := text
	for part := range strings.SplitSeq(parts, "|") {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("%s: got\n%s\nwant %q behind the rest of %q", name, text, part, parts)
			return
		}
		rest = after
	}
}

// TestWordsFitWhatIsKnown: what is said of each, and what must not be.
func TestWordsFitWhatIsKnown(t *testing.T) {
	for name, want := range map[string]struct{ says, never string }{
		"reads-back-closed": {
			`The reason: the postcondition is false: world.tickets[args.service].state == "open".|what it promises is not true of the world|is not what was promised`,
			"nobody could ask",
		},
		"reads-back-other": {
			"The reason: the postcondition cannot be worked out|nobody could ask whether it did|Nobody could ask whether the tool did what it promises",
			"is not what was promised|what it promises is not true",
		},
		"malformed":      {"unknown field malformed|Its effect is there all the same.", "is not what was promised"},
		"crashed":        {"The reason: the tool broke: it crashes after its effect.|That it happened is known.", "whether the tool did anything"},
		"crashed-before": {"That it did nothing is known.|A tool broke", "whether the tool did anything"},
		"crashed-unseen": {"whether the tool did anything before it failed", "is known."},
		"nobody-knows":   {"the look-up could not tell", "keeps no receipt|It may still come"},
		"no-look-up":     {"the tool keeps no receipt that could be looked up", "the look-up could not|It may still come"},
		"never-arrives": {
			"when it was looked up it was not there. It may still come.|it was not there when it was looked up, and may still come|no further attempt is made",
			"could not tell|keeps no receipt",
		},
		"no-room-for-answers": {"The budget allows 0 bytes of answers, so no tool was called", "answered with more than"},
		"answer-over-budget":  {"The tools have answered with 36 bytes in all, and the budget is 10.|What came back is not passed on|answer not passed on", ""},
		"cancelled-between":   {"cancelled between two calls", "before any call"},
		"cancelled-at-once":   {"cancelled before any call", "between two calls"},
		"proof-cannot-be-asked": {
			"✗ proof The verifier of task.completion could not be answered|So nothing is proven|The reason: the index is out of range",
			"Proves what that expression asks",
		},
		"unproven":      {"✗ proof The verifier of task.completion does not hold.|is not proven", "Proves what that expression asks"},
		"proven":        {"✓ proof The verifier of task.completion holds. Proves what that expression asks", "So nothing is proven"},
		"no-repository": {"claimed_complete", "repository unchanged"},
		"touches-many":  {"and 18 more; the JSON result lists the first 20|x and 29 more", "in the JSON result"},
		"touches-blank": {`touches "" " " the queue`, ""},
		"declined-and-asked-again": {
			`before bob declined the same at step 1 ("Not on a Friday.")|1m2s after the start; bob declined the same at step 1`,
			"is good for",
		},
		"one-call-of-a-tool": {"This is tool call 1 of 64, and 1 of 1 of this tool.", "the same right will be missing"},
		"requirements":       {"what the call is about can be named and the requirements low-severity and known-service hold", ""},
		"late-and-in-doubt":  {`approved c1 by bob ("looks right") evidence an answer came at 6s: succeeded`, ""},
		"too-dear":           {"reserves 1 of the cost budget, of which 3 of 3 were left", ""},
	} {
		c := named(name).run(t)
		table := written(t, 120, false, func(s *term.Stream) error { return WriteTable(s, []Group{{Cases: []Case{*c}}}, showOne) })
		text := flat(runText(t, c, 100, false, Detail{})) + "\n" + flat(runText(t, c, 100, false, Detail{Explain: true})) + "\n" + flat(table)
		for part := range strings.SplitSeq(want.says, "|") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: got\n%s\nwant %q in it", name, text, part)
			}
		}
		for part := range strings.SplitSeq(want.never, "|") {
			if part != "" && strings.Contains(text, part) {
				t.Errorf("%s: got\n%s\nwant no %q in it", name, text, part)
			}
		}
	}
}

// TestNothingIsSaidTwice: no sentence ends twice, no code says its message again, and
// the one setting that ends a run is named twice at most.
func TestNothingIsSaidTwice(t *testing.T) {
	double := regexp.MustCompile(`[^.]\.\.( |$)|[.!?]\)?"\)?\.\.`)
	for _, w := range worlds() {
		c := w.run(t)
		for _, d := range []Detail{{}, {Explain: true}} {
			text := flat(runText(t, c, 100, false, d))
			if at := double.FindStringIndex(text); at != nil {
				t.Errorf("%s: a sentence ends twice: %q", w.id, text[max(0, at[0]-40):min(len(text), at[1]+10)])
			}
			if got := strings.Count(text, "a refusal ends the run") + strings.Count(text, "onRejection is stop"); got > 2 {
				t.Errorf("%s: got it %d times that a refusal ends the run, want 2 at most\n%s", w.id, got, text)
			}
			if got := strings.Count(text, "tool call 0 of"); got != 0 {
				t.Errorf("%s: counts a tool call 0\n%s", w.id, text)
			}
		}
	}
	for name, once := range map[string]string{
		"declared-refusal": "The queue is full.", "requirements": "The severity is more than a program may ask for.",
		"cannot-look": "what the call would touch cannot be found out",
	} {
		for _, d := range []Detail{{}, {Explain: true}} {
			if text := flat(runText(t, named(name).run(t), 100, false, d)); strings.Count(text, once) != 1 {
				t.Errorf("%s, %+v: got it %d times, want %q once\n%s", name, d, strings.Count(text, once), once, text)
			}
		}
	}
}

// TestMisfitsShowNoArgument: of arguments that do not fit their contract none stands
// in the row.
func TestMisfitsShowNoArgument(t *testing.T) {
	for _, call := range []string{
		`{"type":"find_service","kind":"fast"}`, `{"type":"search","query":"sum","mode":"x"}`, `{"type":"create_ticket","severity":2,"note":"slow"}`,
		`{"type":"call","tool":"shell","arguments":{"command":"cat .env"}}`,
	} {
		s := Steps(desk{}.world("misfit", nil, call, finishSum).run(t).Result)
		if got := newPage(look(nil, 80, false)).stepRow(&s[0]); got.subject != "" || !s[0].misfit() {
			t.Errorf("%s: got the subject %q of %+v, want none", call, got.subject, got)
		}
	}
}

// TestLongConditionsAreCut: a condition takes a few lines of the header, the whole of
// it stands in the scenario.
func TestLongConditionsAreCut(t *testing.T) {
	text := runText(t, named("long-condition").run(t), 80, false, Detail{})
	head, _, _ := strings.Cut(text, "\n  1  ")
	if got := strings.Count(head, "another tenant"); got > 3 || !strings.Contains(head, "when principal.tenant") {
		t.Errorf("got the condition %d times in\n%s", got, head)
	}
}

// TestRowsOfOthersStandApart: under --explain a blank line stands before each step.
func TestRowsOfOthersStandApart(t *testing.T) {
	step := regexp.MustCompile(`^  \d  `)
	for _, name := range []string{"redefined", "revoked", "cancelled-between", "cancelled-at-once", "paused-and-resumed", "stale"} {
		for _, d := range []Detail{{Explain: true}, {Verbose: true}} {
			lines := strings.Split(runText(t, named(name).run(t), 100, false, d), "\n")
			for i, line := range lines {
				if starts := step.MatchString(line) || strings.Contains(line, " steps"); starts && i > 0 && lines[i-1] != "" && !strings.HasPrefix(lines[i-1], "  budget") && !strings.HasPrefix(line, "  budget") && !strings.HasPrefix(line, "         ") {
					t.Errorf("%s: got %q right below %q", name, line, lines[i-1])
				}
			}
		}
	}
}

// TestRetryWordsFitEveryCode: of a code that will refuse again nothing is said that is
// true of rights alone.
func TestRetryWordsFitEveryCode(t *testing.T) {
	for _, codes := range [][]*diag.Code{action.Codes(), tools.Codes(), repotools.Codes(), policy.Codes(), model.Codes(), machine.Codes(), fixture.Codes()} {
		for _, c := range codes {
			got := againText(c)
			if strings.Contains(got, "right") || c.Class == diag.Wait && !strings.Contains(got, "the run would wait for a person") ||
				c.Class == diag.Rejection && strings.HasPrefix(got, "none") {
				t.Errorf("%s: got %q", c, got)
			}
		}
	}
}

// TestAnswerOfACallThatWaits: nobody answers for a person, and the run does not end.
func TestAnswerOfACallThatWaits(t *testing.T) {
	c := named("nobody-answers").run(t)
	a := runner.Ask(c.Scenario.Config, []byte(openTicket))
	text := flat(written(t, 100, false, func(s *term.Stream) error { return WriteAnswer(s, "desk", a) }))
	if !strings.Contains(text, "the run would wait for a person") || strings.Contains(text, "the run ends here") {
		t.Errorf("got %s", text)
	}
}

// TestTrueTotalOfWhatIsTouched stands in the document.
func TestTrueTotalOfWhatIsTouched(t *testing.T) {
	got := Document(named("touches-many").run(t)).Confirmations[0]
	if len(got.Touches) != 20 || got.More != manyTouched-20 {
		t.Errorf("got %d texts and %d more, want %d in all", len(got.Touches), got.More, manyTouched)
	}
}

// TestWhyOfAFailure: a step holds what is wrong with its answer, whether it came or was
// looked up.
func TestWhyOfAFailure(t *testing.T) {
	for name, code := range map[string]*diag.Code{
		"reads-back-closed": fixture.ToolPostconditionFailed, "lost-and-differs": fixture.ToolPostconditionFailed,
		"malformed": fixture.ToolOutputInvalid, "crashed": machine.ToolFailed,
	} {
		s := Steps(named(name).run(t).Result)[0]
		if s.Code != code || s.Outcome != event.CallFailed || s.Why == "" {
			t.Errorf("%s: got %v %v %q, want %v and why", name, s.Outcome, s.Code, s.Why, code)
		}
	}
	if s := Steps(named("late").run(t).Result)[0]; s.Code != nil || s.Why != "" || s.Outcome != event.CallSucceeded {
		t.Errorf("what a look-up has found: got %v %v %q", s.Outcome, s.Code, s.Why)
	}
}

// TestUnseenIsNotQuoted: why nobody can see what a call would touch may quote an
// argument, so it is not shown where one is sensitive.
func TestUnseenIsNotQuoted(t *testing.T) {
	s := Step{private: []string{"pin"}, Decision: &event.Decision{Effect: event.Allow}}
	s.Events = []event.Event{{Name: event.CallInspected, About: &event.Facts{Fault: "no such member: " + pin}}}
	for _, line := range newPage(look(nil, 80, false)).history(&s) {
		if strings.Contains(line.text, pin) {
			t.Errorf("got %q", line.text)
		}
	}
}

// TestEvidenceIsOfItsAct: what came late belongs to the act that it names.
func TestEvidenceIsOfItsAct(t *testing.T) {
	r := named("late-and-in-doubt").run(t).Result
	if got := evidenceOf(r, "create_ticket/checkout"); got.approval != "c1" || len(got.late) != 1 || got.late[0].At != 6*time.Second {
		t.Errorf("got %+v", got)
	}
	for _, act := range []string{"", "create_ticket/search"} {
		if got := evidenceOf(r, act); got.approval != "" || got.late != nil {
			t.Errorf("%q: got %+v, want nothing", act, got)
		}
	}
}

// TestSentence: a text has one end.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a.", "a.": "a.", "a?": "a?", "a!": "a!", `"a."`: `"a.".`} {
		if got := sentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestUpper: any text can begin a sentence.
func TestUpper(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "A", "éa": "Éa", "A_B": "A_B", "\xffa": "\xffa", "日": "日"} {
		if got := upper(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestEveryEndOfAPromise: each way to know or not to know has words of its own.
func TestEveryEndOfAPromise(t *testing.T) {
	var seen []string
	for _, p := range []promise{broken, unasked, doubted} {
		e := postcondition(p, nil)
		if slices.Contains(seen, e.long) || slices.Contains(seen, e.unproven) {
			t.Errorf("%d: the words of another: %+v", p, e)
		}
		seen = append(seen, e.long, e.unproven)
	}
	if got := promiseOf(fixture.ToolPostconditionFailed, ""); got != doubted {
		t.Errorf("no reason: got %d, want %d", got, doubted)
	}
}
