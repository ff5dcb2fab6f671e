package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"harness/internal/report"
	"harness/internal/scenarios"
)

// scenario is a small file; more is put at its end.
func scenario(id, more string) string {
	return `apiVersion: harness/v1
kind: Scenario
id: ` + id + `
repo: {files: {a.txt: "alpha\nbeta\n", secret.txt: hush}}
task: {goal: look, read: [a.txt], edit: [a.txt], onRejection: observe, budget: {steps: 4}}
` + more
}

// answers is a model that says these things.
func answers(items ...string) string {
	return "model:\n  script:\n    - " + strings.Join(items, "\n    - ") + "\n"
}

const (
	readA  = "{type: read, path: a.txt}"
	editA  = `{type: propose_edit, path: a.txt, baseHash: "${last.baseHash}", before: beta, after: BETA}`
	finish = "{type: finish, summary: done}"
)

func loaded(t *testing.T, text string) []*scenarios.Scenario {
	t.Helper()
	list, found := Load([]Source{{Name: "dir/s.yaml", Data: []byte(text)}})
	if found.Failed() {
		t.Fatalf("%v\n%s", found, text)
	}
	return list
}

func ran(t *testing.T, text string) report.Case {
	t.Helper()
	return Run(loaded(t, text), 1)[0]
}

const cases = "cases:\n  - {id: one}\n  - {id: two,\n     title: Two}\n  - {id: three}\n"

func TestLoadSelects(t *testing.T) {
	many := scenario("a/many", answers(finish)+cases)
	single := scenario("a/single", answers(finish))
	for _, c := range []struct {
		name    string
		sources []Source
		want    []string
		found   []string
	}{
		{"whole files, in order", []Source{{Name: "s.yaml", Data: []byte(single)}, {Name: "m.yaml", Data: []byte(many)}},
			[]string{"a/single", "a/many/one", "a/many/two", "a/many/three"}, nil},
		{"a case", []Source{{Name: "m.yaml", Data: []byte(many), Case: "two"}}, []string{"a/many/two"}, nil},
		{"a case by its whole id", []Source{{Name: "m.yaml", Data: []byte(many), Case: "a/many/two"}}, []string{"a/many/two"}, nil},
		{"a file by its id", []Source{{Name: "s.yaml", Data: []byte(single), Case: "single"}}, []string{"a/single"}, nil},
		{"a case and its file, each once", []Source{{Name: "m.yaml", Data: []byte(many), Case: "two"}, {Name: "m.yaml", Data: []byte(many)}},
			[]string{"a/many/two", "a/many/one", "a/many/three"}, nil},
		{"the line where a case starts", []Source{{Name: "m.yaml", Data: []byte(many), Line: 11}}, []string{"a/many/two"}, nil},
		{"a line within a case", []Source{{Name: "m.yaml", Data: []byte(many), Line: 12}}, []string{"a/many/two"}, nil},
		{"a line above the cases", []Source{{Name: "m.yaml", Data: []byte(many), Line: 3}}, []string{"a/many/one", "a/many/two", "a/many/three"}, nil},
		{"a line of a file without cases", []Source{{Name: "s.yaml", Data: []byte(single), Line: 3}}, []string{"a/single"}, nil},
		{"no such case", []Source{{Name: "m.yaml", Data: []byte(many), Case: "tow"}}, nil, []string{"m.yaml SCENARIO_NOT_FOUND"}},
		{"no such line", []Source{{Name: "m.yaml", Data: []byte(many), Line: 99}}, nil, []string{"m.yaml SCENARIO_NOT_FOUND"}},
		{"an id in two files", []Source{{Name: "s.yaml", Data: []byte(single)}, {Name: "t.yaml", Data: []byte(single)}}, nil, []string{"t.yaml DUPLICATE_ID"}},
		{"a fault in one of two", []Source{{Name: "s.yaml", Data: []byte(single)}, {Name: "t.yaml", Data: []byte("x: 1")}}, nil, []string{
			"t.yaml MISSING_KEY", "t.yaml MISSING_KEY", "t.yaml MISSING_KEY", "t.yaml MISSING_KEY", "t.yaml MISSING_KEY", "t.yaml MISSING_KEY", "t.yaml UNKNOWN_KEY"}},
		{"a note beside scenarios", []Source{{Name: "s.yaml", Data: []byte("\ufeff" + single)}}, []string{"a/single"}, []string{"s.yaml BOM_DROPPED"}},
		{"nothing", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 2, 7} {
				list, found := LoadWith(workers, c.sources)
				var got []string
				for _, s := range list {
					got = append(got, s.ID)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
				if got := codes(found); !slices.Equal(got, c.found) {
					t.Errorf("got %q, want %q", got, c.found)
				}
			}
		})
	}
}

func TestLoadNamesBothPlacesOfAnID(t *testing.T) {
	text := []byte(scenario("a/b", answers(finish)))
	_, found := Load([]Source{{Name: "x/s.yaml", Data: text}, {Name: "y/s.yaml", Data: text}})
	if got, want := found.Error(), "y/s.yaml:3:5: DUPLICATE_ID the id a/b stands at x/s.yaml:3:5 too"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWorkersDoNotMatter: any number of workers gives the same cases.
func TestWorkersDoNotMatter(t *testing.T) {
	var sources []Source
	for i := range 40 {
		more := answers(readA, editA, finish)
		if i%3 == 0 {
			more = answers("{type: read, path: secret.txt}", finish) + "expect: {status: rejected}\n"
		}
		sources = append(sources, Source{Name: fmt.Sprintf("%d.yaml", i), Data: []byte(scenario(fmt.Sprintf("a/n%d", i), more))})
	}
	var want string
	for _, workers := range []int{0, 1, 2, 3, 16, 100} {
		list, found := LoadWith(workers, sources)
		if found.Failed() {
			t.Fatal(found)
		}
		var got strings.Builder
		for _, c := range Run(list, workers) {
			fmt.Fprintf(&got, "%s %s %v\n%s", c.Scenario.ID, c.Verdict, c.Findings, Golden(c.Result))
		}
		if want == "" {
			want = got.String()
		}
		if got.String() != want {
			t.Fatalf("%d workers give other cases", workers)
		}
	}
}

func TestJudge(t *testing.T) {
	edited := answers(readA, editA, finish)
	for _, c := range []struct {
		name    string
		text    string
		verdict report.Verdict
		want    []string // clause, place, want, got
	}{
		{"everything holds", edited + `expect:
  status: needs_review
  stopReason: EDITS_PROPOSED
  steps: 3
  toolCalls: 2
  rejections: 0
  repoUnchanged: true
  edits: [{path: a.txt, line: 2, before: beta, after: BETA, preview: "alpha\nBETA\n", stale: false}]
  decisions:
    - {step: 1, decision: allow, tool: read, resource: a.txt}
    - {step: 3, decision: allow, tool: finish}
  never: [hush]
`, report.Pass, nil},
		{"nothing is expected", edited, report.Pass, nil},
		{"nothing is expected, and no good end", answers("{type: read, path: secret.txt}"), report.Fail, []string{
			"script||an answer for every asking|SCRIPT_EXHAUSTED", "status|||"}},
		{"nothing is expected, and answers are left over", answers(finish, readA), report.Fail, []string{
			"unused|s.yaml:9:7|every answer of the script asked for|1 left over"}},
		{"nothing is expected, and the model fails", answers("{type: read, path: '${last.path}'}", finish), report.Error, []string{
			"model|s.yaml:8:7||MODEL_FAILED"}},
		{"nothing holds", edited + "expect: {status: failed, stopReason: FINISH_CLAIMED, steps: 1, toolCalls: 1, rejections: 1}\n", report.Fail, []string{
			"status|s.yaml:11:18|failed|needs_review", "stopReason|s.yaml:11:38|FINISH_CLAIMED|EDITS_PROPOSED",
			"steps|s.yaml:11:61|1|3", "toolCalls|s.yaml:11:75|1|2", "rejections|s.yaml:11:90|1|0"}},
		{"a change never made", edited + "changes: [{afterStep: 1, files: {new.txt: x}}, {afterStep: 9, files: {new.txt: y}}]\nexpect: {status: needs_review}\n", report.Fail, []string{
			"changes|s.yaml:11:48|every change made|1 never made"}},
		{"an edit too few", edited + "expect: {edits: []}\n", report.Fail, []string{"edits|s.yaml:11:17|none|1 edit: a.txt"}},
		{"an edit too many", answers(finish) + "expect: {edits: [{path: a.txt}]}\n", report.Fail, []string{"edits|s.yaml:9:17|1 edit|none"}},
		{"another edit", edited + "expect: {edits: [{path: b.txt, line: 1, before: x, after: x, preview: x, stale: true, resultHash: '" + strings.Repeat("0", 64) + "'}]}\n", report.Fail, []string{
			"edits[0].path|s.yaml:11:25|b.txt|a.txt", "edits[0].line|s.yaml:11:38|1|2", "edits[0].before|s.yaml:11:49|x|beta", "edits[0].after|s.yaml:11:59|x|BETA",
			"edits[0].resultHash|s.yaml:11:99|" + strings.Repeat("0", 64) + "|69726aa4696684f51191101c90b115e8cf6e01d6339e158d01b69ca692562fbf",
			"edits[0].stale|s.yaml:11:81|true|false", "edits[0].preview|s.yaml:11:71||"}},
		{"a stale edit", answers(readA, editA, finish) + "changes: [{afterStep: 2, files: {a.txt: other}}]\nexpect: {edits: [{path: a.txt, stale: true}]}\n", report.Pass, nil},
		{"another decision", answers("{type: read, path: secret.txt}", finish) + "expect: {decisions: [{step: 1, decision: allow, gate: guard, code: STALE_BASE, tool: search, resource: b.txt}, {step: 9, decision: deny}]}\n", report.Fail, []string{
			"decisions[0].decision|s.yaml:10:42|allow|deny", "decisions[0].gate|s.yaml:10:55|guard|authorize", "decisions[0].code|s.yaml:10:68|STALE_BASE|PATH_NOT_READABLE",
			"decisions[0].tool|s.yaml:10:86|search|read", "decisions[0].resource|s.yaml:10:104|b.txt|secret.txt", "decisions[1].step|s.yaml:10:119|9|none"}},
		{"a tool's own refusal", answers(readA, strings.Replace(editA, "before: beta", "before: gamma", 1), finish) +
			"expect: {decisions: [{step: 2, decision: allow, gate: execute, code: TARGET_NOT_FOUND}]}\n", report.Pass, nil},
		{"what may not be said", answers("{type: search, query: alpha}", finish) + `expect: {never: [hush, alpha, "alpha\n", nowhere]}` + "\n", report.Fail, []string{
			"never[1]|s.yaml:10:24|in no output|in observation o1"}},
		{"what may not be said, over lines", answers(readA, finish) + `expect: {never: ["alpha\nbeta"]}` + "\n", report.Fail, []string{
			"never[0]|s.yaml:10:18|in no output|in observation o1"}},
		{"what may not be said, over pages", answers("{type: read, path: a.txt}", "{type: read, path: a.txt, cursor: '${last.cursor}'}", finish) +
			`limits: {content: 8}` + "\n" + `expect: {never: ["alpha\nbeta"]}` + "\n", report.Fail, []string{
			"never[0]|s.yaml:12:18|in no output|in the pages of a.txt"}},
		{"what a patch may not hold", edited + "expect: {never: ['+BETA']}\n", report.Fail, []string{
			"never[0]|s.yaml:11:18|in no output|in observation o2"}},
		{"what the model said does not count", answers("{type: finish, summary: hush}") + "expect: {never: [hush]}\n", report.Pass, nil},
		{"answers left over", answers(finish, readA, "{type: read, path: x, repeat: 3}", "{type: read, path: x, repeat: forever}") + "expect: {status: claimed_complete}\n", report.Fail, []string{
			"unused|s.yaml:9:7|every answer of the script asked for|2 left over"}},
		{"answers left over on purpose", strings.Replace(answers(finish, readA), "model:", "model:\n  allowUnused: true", 1) + "expect: {status: claimed_complete}\n", report.Pass, nil},
		{"no answer left", answers(readA) + "expect: {status: failed}\n", report.Fail, []string{"script||an answer for every asking|SCRIPT_EXHAUSTED"}},
		{"no answer left, as expected", answers(readA) + "expect: {stopReason: SCRIPT_EXHAUSTED}\n", report.Pass, nil},
		{"no answer left, instead of another end", answers(readA) + "expect: {stopReason: FINISH_CLAIMED}\n", report.Fail, []string{"stopReason|s.yaml:9:22|FINISH_CLAIMED|SCRIPT_EXHAUSTED"}},
		{"a reference to what is not there", answers("{type: read, path: '${last.path}'}", finish) + "expect: {status: failed, steps: 7}\n", report.Error, []string{
			"model|s.yaml:8:7||MODEL_FAILED"}},
		{"a reference to what is not there, as expected", answers("{type: read, path: '${last.path}'}") + "expect: {stopReason: MODEL_FAILED}\n", report.Pass, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ran(t, scenario("a/b", c.text))
			var findings []string
			for _, f := range got.Findings {
				findings = append(findings, strings.Join([]string{f.Clause, f.Where, f.Want, f.Got}, "|"))
			}
			if got.Verdict != c.verdict || !slices.Equal(findings, c.want) {
				t.Errorf("got %s\n  %s\nwant %s\n  %s", got.Verdict, strings.Join(findings, "\n  "), c.verdict, strings.Join(c.want, "\n  "))
			}
		})
	}
}

func TestPreviewIsShownAsADifference(t *testing.T) {
	c := ran(t, scenario("a/b", answers(readA, editA, finish)+"expect: {edits: [{path: a.txt, preview: \"alpha\\nbeta\\n\"}]}\n"))
	const want = "--- want\n+++ got\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+BETA\n"
	if len(c.Findings) != 1 || c.Findings[0].Diff != want {
		t.Errorf("got %+v, want %q", c.Findings, want)
	}
}

func TestAnEventMayNotNameIt(t *testing.T) {
	c := ran(t, scenario("a/b", answers("{type: read, path: secret.txt}", finish)+"expect: {never: [secret.txt]}\n"))
	if len(c.Findings) != 1 || !strings.HasPrefix(c.Findings[0].Got, "in event ") {
		t.Errorf("got %+v, want one about an event", c.Findings)
	}
}

// TestARefusalByTheToolIsNoDenial: who takes it for one is told.
func TestARefusalByTheToolIsNoDenial(t *testing.T) {
	c := ran(t, scenario("a/b", answers(readA, strings.Replace(editA, "before: beta", "before: gamma", 1), finish)+
		"expect: {decisions: [{step: 2, decision: deny, gate: execute, code: TARGET_NOT_FOUND}]}\n"))
	const want = "the gates allowed the call; its tool refused: decision is allow, with gate execute and the code"
	if len(c.Findings) != 1 || c.Findings[0].Message != want {
		t.Errorf("got %+v, want %q", c.Findings, want)
	}
}
