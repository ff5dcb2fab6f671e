package suite

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"harness/internal/report"
	"harness/internal/scenarios"
)

// Run with -update to write goldens anew. Commit a changed golden only if you
// know why it changed.
var update = flag.Bool("update", false, "write the goldens of the shipped scenarios that differ")

const shippedFolder = "../../scenarios"

// shippedList loads the shipped scenarios.
func shippedList(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	sources, found := Find([]string{shippedFolder}, nil)
	list, more := Load(sources)
	if found = append(found, more...); found.Failed() {
		t.Fatal(found)
	}
	if len(list) == 0 {
		t.Fatal("no shipped scenarios")
	}
	return list
}

// shipped runs the shipped scenarios.
func shipped(t *testing.T) []report.Case {
	t.Helper()
	return Run(shippedList(t), 2)
}

func TestShippedScenariosPass(t *testing.T) {
	for _, c := range shipped(t) {
		if c.Scenario.Expect == nil {
			t.Errorf("%s expects nothing", c.Scenario.ID)
		}
		if c.Verdict != report.Pass {
			t.Errorf("%s: %s %+v", c.Scenario.ID, c.Verdict, c.Findings)
		}
	}
}

func TestGoldens(t *testing.T) {
	list := shippedList(t)
	cases, whole := (&Test{Workers: 2, Goldens: true}).Run(list)
	if !whole {
		t.Fatal("it was cut short")
	}
	if *update {
		for _, how := range []Update{UpdateNew, UpdateFailing} {
			wrote, err := WriteGoldens(how, cases)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range wrote {
				t.Logf("wrote %s (+%d -%d)", w.Path, w.Added, w.Removed)
			}
		}
	}
	stale := false
	for i := range cases {
		c := &cases[i]
		if _, err := os.Stat(GoldenPath(c.Scenario.File, c.Scenario.Case)); err != nil {
			t.Error(err)
			stale = true
		}
		for _, f := range c.Findings {
			t.Errorf("%s: %s %s %s\n%s", c.Scenario.ID, f.Clause, f.Where, f.Message, f.Diff)
			stale = true
		}
	}
	if stale {
		t.Error("go test ./internal/suite -run TestGoldens -update writes goldens anew")
	}
	left, err := UnreferencedGoldens(shippedFolder, GoldensOf(list))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		t.Errorf("%s belongs to no scenario: remove it", name)
	}
}

func TestGolden(t *testing.T) {
	c := ran(t, scenario("a/b", answers(
		"{type: search, query: alpha}", readA, "{type: read, path: secret.txt}", editA)))
	const want = `harness golden v1
step  action  resource    decision  gate       code               rule          outcome    edit
1     search  -           allow     -          -                  task.read[0]  succeeded  -
2     read    a.txt       allow     -          -                  task.read[0]  succeeded  -
3     read    secret.txt  deny      authorize  PATH_NOT_READABLE  -             -          -
4     -       -           -         -          MODEL_FAILED       -             -          -
end   failed MODEL_FAILED steps=4 toolCalls=2 rejections=1 edits=0
`
	if got := string(Golden(c.Result)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGoldenOfAnEdit(t *testing.T) {
	c := ran(t, scenario("a/b", answers(readA, editA, finish)))
	got := string(Golden(c.Result))
	if hash := c.Result.Edits[0].Change().ResultHash(); !strings.Contains(got, "task.edit[0]  succeeded  "+hash+"\n") {
		t.Errorf("got\n%s\nwant the hash %s", got, hash)
	}
	if !strings.HasSuffix(got, "end   needs_review EDITS_PROPOSED steps=3 toolCalls=2 rejections=0 edits=1\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestGoldenIsPrintable: what comes from outside cannot break a golden's lines or
// hide in them.
func TestGoldenIsPrintable(t *testing.T) {
	for path, want := range map[string]string{
		"a b":                 `"a b"`,
		"-":                   `"-"`,
		`"`:                   `"\""`,
		`a"b`:                 `"a\"b"`,
		"a\u202eb":            `"a\u202eb"`,
		"a\u200bb":            `"a\u200bb"`,
		"a\u2066b":            `"a\u2066b"`,
		"a\u00a0b":            `"a\u00a0b"`,
		"\ufeff":              `"\ufeff"`,
		"a\u3164b":            "a<U+3164>b",
		"a\U000e0041":         `"a\U000e0041"`,
		"src/caf\u00e9/漢字.ts": "src/café/漢字.ts",
	} {
		if got := goldenCell(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
	c := ran(t, scenario("a/b", answers(`{type: read, path: "a\u202e\u200bb"}`, `{type: read, path: "a\nb\x1b[31m"}`, `{type: "re\nad"}`, finish)))
	golden := Golden(c.Result)
	if !utf8.Valid(golden) {
		t.Error("the golden is no UTF-8")
	}
	for _, r := range string(golden) {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("the golden holds %U", r)
		}
	}
	if got, want := strings.Count(string(golden), "\n"), 2+4+1; got != want {
		t.Errorf("got %d lines, want %d:\n%s", got, want, golden)
	}
}

// TestGoldenLeavesOutWords: rewording and measuring anew break no golden.
func TestGoldenLeavesOutWords(t *testing.T) {
	c := ran(t, scenario("a/b", answers("{type: read, path: secret.txt}", "{type: shell}", finish)))
	golden := string(Golden(c.Result))
	for i := range c.Result.Events {
		if p := c.Result.Events[i].Proposal(); p != nil && p.Decision.Refusal != nil {
			if strings.Contains(golden, p.Decision.Refusal.Message) {
				t.Errorf("the golden holds %q", p.Decision.Refusal.Message)
			}
		}
	}
	if strings.Contains(golden, "yaml:") {
		t.Errorf("the golden holds places:\n%s", golden)
	}
}

func TestGoldenPath(t *testing.T) {
	for _, c := range []struct{ file, id, want string }{
		{"dir/sum.yaml", "", "dir/sum.golden"},
		{"dir/sum.yml", "", "dir/sum.golden"},
		{"dir/basics.yaml", "read-outside-grant", "dir/basics/read-outside-grant.golden"},
		{"sum", "", "sum.golden"},
	} {
		if got := GoldenPath(c.file, c.id); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.file, c.id, got, c.want)
		}
	}
}

func TestGoldenFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CI", "")
	text := scenario("a/many", answers(readA, finish)+"cases:\n  - {id: one}\n  - {id: two}\n")
	if err := os.WriteFile("m.yaml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	sources, _ := Find([]string{"m.yaml"}, nil)
	list, found := Load(sources)
	if found.Failed() {
		t.Fatal(found)
	}
	tested := func() []report.Case {
		t.Helper()
		cases, whole := (&Test{Goldens: true}).Run(list)
		if !whole || len(cases) != 2 {
			t.Fatalf("got %d cases, whole %v", len(cases), whole)
		}
		return cases
	}
	verdicts := func(what string, cases []report.Case, want ...report.Verdict) {
		t.Helper()
		for i := range cases {
			if cases[i].Verdict != want[i] {
				t.Errorf("%s: got %s for %s, want %s", what, cases[i].Verdict, cases[i].Scenario.ID, want[i])
			}
		}
	}
	cases := tested()
	verdicts("without goldens", cases, report.Error, report.Error)
	t.Setenv("CI", "true")
	if _, err := WriteGoldens(UpdateFailing, cases); err != ErrUpdateInCI {
		t.Errorf("got %v, want %v", err, ErrUpdateInCI)
	}
	verdicts("after CI refused", tested(), report.Error, report.Error)
	t.Setenv("CI", "")
	if wrote, err := WriteGoldens(UpdateNew, cases); err != nil || len(wrote) != 2 || !wrote[0].New || wrote[0].Added < 3 {
		t.Fatalf("got %v, %v, want two written", wrote, err)
	}
	verdicts("those that were written", cases, report.Pass, report.Pass)
	verdicts("after they are written", tested(), report.Pass, report.Pass)
	if err := os.WriteFile("m/two.golden", []byte("harness golden v1\nold\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases = tested()
	verdicts("after one changed", cases, report.Pass, report.Fail)
	if f := cases[1].Findings; len(f) != 1 || f[0].Clause != "golden" || !strings.Contains(f[0].Diff, "+step") || !strings.Contains(f[0].Diff, "-old") {
		t.Errorf("got %+v", f)
	}
	if wrote, err := WriteGoldens(UpdateNew, cases); err != nil || len(wrote) != 0 {
		t.Errorf("got %v, %v, want nothing: none is missing", wrote, err)
	}
	if wrote, err := WriteGoldens(UpdateFailing, cases); err != nil || len(wrote) != 1 || wrote[0].Removed != 1 || wrote[0].New {
		t.Errorf("got %v, %v, want the one that differs", wrote, err)
	}
	verdicts("after it is written", tested(), report.Pass, report.Pass)
	if err := os.WriteFile("m/three.golden", []byte(goldenHeader), 0o644); err != nil {
		t.Fatal(err)
	}
	// What only has the name is somebody else's, and what is hidden is not looked at.
	for _, name := range []string{"other.golden", ".hidden/four.golden"} {
		text := "my own\n"
		if name != "other.golden" {
			text = goldenHeader
		}
		if err := WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	left, err := UnreferencedGoldens(".", GoldensOf(list))
	if want := filepath.Join("m", "three.golden"); err != nil || len(left) != 1 || left[0] != want {
		t.Errorf("got %v, %v, want %s", left, err, want)
	}
}

// TestExpectBlock: the block of a run loads again and passes, in place of what
// its scenario expected.
func TestExpectBlock(t *testing.T) {
	cases := shipped(t)
	own := carriers(t, cases)
	for i := range cases {
		c := &cases[i]
		block := ExpectBlock(c.Result)
		carrier := own[c.Scenario.ID]
		if carrier == nil && reachesOutside(c.Result) {
			continue // reported above
		}
		if carrier == nil {
			carrier = loaded(t, scenario("a/b", answers(finish)+string(block)))[0]
		}
		if err := passesWith(c.Scenario, carrier.Expect); err != "" {
			t.Errorf("%s: %s\n%s", c.Scenario.ID, err, block)
		}
	}
	for name, text := range map[string]string{
		"edit":         answers(readA, editA, finish),
		"odd texts":    answers(`{type: read, path: "a\u202e \"\\\n\x85\ufeff\U0001F600'"}`, `{type: "true"}`, `{type: read, path: "yes"}`, finish),
		"model failed": answers("{type: read, path: '${last.path}'}"),
		"exhausted":    answers(readA),
		"odd edit":     answers(readA, strings.Replace(editA, "after: BETA", `after: "\u2028\t\x7f\r\n# 'x': [\"y\"] \ufffd"`, 1), finish),
	} {
		c := ran(t, scenario("a/b", text))
		block := ExpectBlock(c.Result)
		if err := passesWith(c.Scenario, loaded(t, scenario("a/b", answers(finish)+string(block)))[0].Expect); err != "" {
			t.Errorf("%s: %s\n%s", name, err, block)
		}
	}
}

// carriers are scenarios that expect what the blocks of runs say which have tools of
// their own: further cases of the same files, by the ids of the runs.
func carriers(t *testing.T, cases []report.Case) map[string]*scenarios.Scenario {
	t.Helper()
	texts, ids := map[string]*strings.Builder{}, map[string][]string{}
	for i := range cases {
		s := cases[i].Scenario
		if s.Case == "" || !reachesOutside(cases[i].Result) {
			continue
		}
		if texts[s.File] == nil {
			data, err := os.ReadFile(s.File)
			if err != nil {
				t.Fatal(err)
			}
			texts[s.File] = &strings.Builder{}
			texts[s.File].Write(data)
		}
		block := strings.ReplaceAll(string(ExpectBlock(cases[i].Result)), "\n", "\n    ")
		fmt.Fprintf(texts[s.File], "\n  - id: carrier-%d\n    title: Expects\n    model: {script: [{type: finish, summary: Done.}]}\n    %s", i, block)
		ids[s.File] = append(ids[s.File], s.ID)
	}
	found := map[string]*scenarios.Scenario{}
	for file, text := range texts {
		list, faults := scenarios.Parse("s.yaml", []byte(text.String()))
		if faults.Failed() {
			t.Errorf("%s: %s", file, faults)
			continue
		}
		for i, id := range ids[file] {
			found[id] = list[len(list)-len(ids[file])+i]
		}
	}
	return found
}

// passesWith judges a scenario's run by another expectation.
func passesWith(s *scenarios.Scenario, expect *scenarios.Expect) string {
	c := *s
	c.Expect = expect
	again := Run([]*scenarios.Scenario{&c}, 1)[0]
	for _, f := range again.Findings {
		if f.Clause != "unused" && f.Clause != "human" && !strings.HasPrefix(f.Clause, "holds") {
			return f.Clause + ": want " + f.Want + ", got " + f.Got + " " + f.Message
		}
	}
	return ""
}
