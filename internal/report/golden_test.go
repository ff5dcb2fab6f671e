package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/term"
	"harness/internal/textdiff"
	"harness/internal/tools"
	"harness/internal/tools/repotools"
)

// Read a changed golden before you commit it: it is what users see.
var update = flag.Bool("update", false, "rewrite the golden files and the schemas")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -run %s -update writes it)", err, t.Name())
	}
	if diff := textdiff.Unified(string(want), got, 3); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// written is what a rendering writes.
func written(t testing.TB, width int, ascii bool, render func(*term.Stream) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := render(look(&b, width, ascii)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRunGolden(t *testing.T) {
	for _, w := range worlds() {
		_, name := cutLast(w.id)
		t.Run(name, func(t *testing.T) {
			golden(t, "run/"+name+".txt", runText(t, w.run(t), 80, false, Detail{}))
		})
	}
}

func TestRunDetailGolden(t *testing.T) {
	for _, name := range []string{"sum", "told-and-goes-on", "hidden", "bad-json", "unknown-field", "exhausted", "cites-nothing",
		"approved", "worthless-then-real", "per-run", "expired", "postponed", "answer-lost", "third-attempt", "nobody-knows", "goes-on", "reads-back-other", "unproven", "handed-over", "secret"} {
		t.Run(name, func(t *testing.T) {
			c := named(name).run(t)
			golden(t, "explain/"+name+".txt", runText(t, c, 80, false, Detail{Explain: true}))
			golden(t, "verbose/"+name+".txt", runText(t, c, 80, false, Detail{Verbose: true}))
			golden(t, "ascii/"+name+".txt", runText(t, c, 80, true, Detail{Explain: true, Verbose: true}))
			golden(t, "narrow/"+name+".txt", runText(t, c, 40, false, Detail{Explain: true}))
		})
	}
}

// TestExplainGolden: the narrations in which the order of things matters most.
func TestExplainGolden(t *testing.T) {
	for _, name := range []string{
		"nobody-answers", "declined-and-asked-again", "revoked-while-asked", "cancelled-while-asked", "cannot-look", "requirements", "declared-refusal",
		"one-call-of-a-tool", "no-room-for-answers", "answer-over-budget", "redefined", "in-circles", "proof-cannot-be-asked", "never-available",
		"never-arrives", "lost-and-differs", "late-and-in-doubt", "crashed", "call-cancelled", "late", "not-unique", "refused-too-often",
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "explain/"+name+".txt", runText(t, named(name).run(t), 80, false, Detail{Explain: true}))
		})
	}
}

func TestRunColorGolden(t *testing.T) {
	var b bytes.Buffer
	out := term.NewStream(&b, term.Options{Color: term.Always, Width: 80})
	if err := WriteRun(out, named("hidden").run(t), Detail{Explain: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "color.txt", b.String())
}

// allGroups is every world, in two groups.
func allGroups(t testing.TB) []Group {
	groups := []Group{{Title: "The first demo, and what is refused"}, {}}
	for i, w := range worlds() {
		g := &groups[min(i/12, 1)]
		if i == 0 {
			w.id = "boundaries/first/sum"
		}
		g.Cases = append(g.Cases, *w.run(t))
	}
	return groups
}

func TestTableGolden(t *testing.T) {
	groups := allGroups(t)
	for name, width := range map[string]int{"table-40.txt": 40, "table-80.txt": 80, "table-130.txt": 130} {
		golden(t, name, written(t, width, false, func(s *term.Stream) error { return WriteTable(s, groups, showOne) }))
	}
	good := groups[:1]
	golden(t, "table-good.txt", written(t, 80, true, func(s *term.Stream) error { return WriteTable(s, good, showOne) }))
}

func TestAnswerGolden(t *testing.T) {
	cfg := named("told-and-goes-on").run(t).Scenario.Config
	for name, call := range map[string]string{
		"outside":   `{"type":"read","path":".env"}`,
		"denied":    `{"type":"read","path":"secret/a.txt"}`,
		"allowed":   `{"type":"read","path":"src/sum.ts"}`,
		"search":    `{"type":"search","query":"sum"}`,
		"by-tool":   `{"type":"read","path":"src/sum.ts","startLine":9}`,
		"many":      `{"type":"propose_edit","path":"README.md","baseHash":"x","before":"","after":"n"}`,
		"no-action": "Sure! I will \x1b[2J read it.",
		"finish":    `{"type":"finish","summary":"done"}`,
		"cites":     `{"type":"finish","summary":"done","citations":["o1"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := runner.Ask(cfg, []byte(call))
			render := func(s *term.Stream) error { return WriteAnswer(s, "told-and-goes-on", a) }
			golden(t, "answer/"+name+".txt", written(t, 80, false, render))
			golden(t, "answer/"+name+"-40.txt", written(t, 40, true, render))
		})
	}
}

func TestSpansGolden(t *testing.T) {
	for _, name := range []string{"sum", "cites-nothing", "worthless-then-real", "answer-lost", "third-attempt", "late", "unproven"} {
		c := named(name).run(t)
		render := func(s *term.Stream) error { return WriteSpans(s, c) }
		golden(t, "spans/"+name+".txt", written(t, 80, false, render))
		golden(t, "spans/"+name+"-40.txt", written(t, 40, true, render))
	}
}

func TestToolsGolden(t *testing.T) {
	registry := named("approved").run(t).Result.Config.Machine.Registry
	render := func(s *term.Stream) error { return WriteTools(s, registry) }
	golden(t, "tools.txt", written(t, 80, false, render))
	golden(t, "tools-40.txt", written(t, 40, true, render))
	golden(t, "tools.json", encoded(t, ToolsDocument(registry)))
}

func diagnostics() diag.List {
	return diag.List{
		{File: "a/sum.yaml", Pos: diag.Pos{Line: 3, Col: 5}, Code: repotools.InvalidPath, Message: "the key titel is unknown", Hint: "did you mean title?"},
		{File: "a/sum.yaml", Pos: diag.Pos{Line: 13, Col: 5}, Code: machine.UnexpectedInput, Message: "a note"},
		{File: "b\x1b[31m\xff.yaml", Code: repotools.BadCursor, Message: "two\nlines and a hint that is so long that it has to be wrapped on a page of eighty columns", Hint: "no"},
		{Code: repotools.BadCursor, Message: "a flag"},
	}
}

func TestDiagnosticsGolden(t *testing.T) {
	golden(t, "diagnostics.txt", written(t, 80, false, func(s *term.Stream) error { return WriteDiagnostics(s, diagnostics()) }))
	if got := written(t, 80, false, func(s *term.Stream) error { return WriteDiagnostics(s, nil) }); got != "" {
		t.Errorf("no diagnostics: got %q, want nothing", got)
	}
}

func TestListGolden(t *testing.T) {
	var list []*scenarios.Scenario
	for i, w := range worlds() {
		s := w.run(t).Scenario
		s.Tags = [][]string{nil, {"seed"}, {"seed", "edit"}}[i%3]
		list = append(list, s)
	}
	golden(t, "list.txt", written(t, 80, false, func(s *term.Stream) error { return WriteList(s, list) }))
	golden(t, "list-none.txt", written(t, 80, false, func(s *term.Stream) error { return WriteList(s, nil) }))
}

func codePages() []CodePage {
	var pages []CodePage
	for _, codes := range [][]*diag.Code{action.Codes(), tools.Codes(), repotools.Codes(), policy.Codes(), model.Codes(), machine.Codes()} {
		for _, c := range codes {
			pages = append(pages, CodePage{Code: c})
		}
	}
	return pages
}

func TestCodesGolden(t *testing.T) {
	golden(t, "codes.txt", written(t, 80, false, func(s *term.Stream) error { return WriteCodes(s, codePages()) }))
	golden(t, "codes-40.txt", written(t, 40, true, func(s *term.Stream) error { return WriteCodes(s, codePages()) }))
	for _, page := range []CodePage{
		{Code: repotools.PathNotReadable, Scenario: "boundaries/basics/read-outside-grant"},
		{Code: machine.MaxStepsReached, Scenario: "workflow/sum"},
		{Code: model.Failed},
	} {
		golden(t, "code/"+page.Code.Name+".txt", written(t, 80, false, func(s *term.Stream) error { return WriteCode(s, page) }))
	}
}
