package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/term"
	"harness/internal/tools/repotools"
)

func TestDocumentGolden(t *testing.T) {
	cases := []Case{*named("sum").run(t), *named("told-and-goes-on").run(t), *named("wrong-end").run(t), *named("no-such-reference").run(t)}
	golden(t, "results.json", encoded(t, Documents(cases)))
	for _, name := range []string{"secret-waits", "nobody-knows", "third-attempt"} {
		golden(t, "result/"+name+".json", encoded(t, Document(named(name).run(t))))
	}
	var trace bytes.Buffer
	if err := WriteJSONL(&trace, cases); err != nil {
		t.Fatal(err)
	}
	golden(t, "trace.jsonl", trace.String())
	cfg := named("told-and-goes-on").run(t).Scenario.Config
	golden(t, "answer.json", encoded(t, AnswerDocument("told-and-goes-on", runner.Ask(cfg, []byte(`{"type":"read","path":".env"}`)))))
	golden(t, "diagnostics.json", encoded(t, DiagnosticsDocument(diagnostics())))
	golden(t, "codes.json", encoded(t, CodesDocument([]CodePage{{Code: repotools.PathNotReadable, Scenario: "boundaries/basics/read-outside-grant"}, {Code: repotools.BadHash}})))
	golden(t, "list.json", encoded(t, ListDocument([]*scenarios.Scenario{cases[0].Scenario})))
}

// TestSummaryAddsUp: every verdict is counted once.
func TestSummaryAddsUp(t *testing.T) {
	c := sum().run(t)
	var cases []Case
	for _, v := range []Verdict{Pass, Fail, Error, Pass, Error} {
		c := *c
		c.Verdict = v
		cases = append(cases, c)
	}
	got, want := Documents(cases).Summary, Summary{Cases: 5, Passed: 2, Failed: 1, Errors: 2}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestPatchAndPreview: the document has what a reviewer applies, byte for byte.
func TestPatchAndPreview(t *testing.T) {
	e := edited(t, "a", "\ufeffa <&>\r\nb", "b", "c  ")
	d := editDocument(e)
	if d.Preview == nil || *d.Preview != "\ufeffa <&>\r\nc  " {
		t.Errorf("preview: got %q", value(d.Preview))
	}
	if d.Patch == nil || *d.Patch != e.Change().Patch() {
		t.Errorf("patch: got %q, want %q", value(d.Patch), e.Change().Patch())
	}
	if text := encoded(t, d); !strings.Contains(text, "a <&>") {
		t.Errorf("got %s, want < & > as they are", text)
	}
}

// TestBytesThatAreNoText stand in the Base64 twins of their fields.
func TestBytesThatAreNoText(t *testing.T) {
	d := editDocument(edited(t, "a", "caf\xe9\nx\n", "x", "y"))
	if d.Patch != nil || d.Preview != nil {
		t.Errorf("got patch %q and preview %q, want neither", value(d.Patch), value(d.Preview))
	}
	got, err := base64.StdEncoding.DecodeString(d.PreviewBase64)
	if want := "caf\xe9\ny\n"; err != nil || string(got) != want {
		t.Errorf("previewBase64: got %q, %v, want %q", got, err, want)
	}
	got, err = base64.StdEncoding.DecodeString(d.PatchBase64)
	if err != nil || !strings.Contains(string(got), " caf\xe9\n-x\n+y\n") {
		t.Errorf("patchBase64: got %q, %v", got, err)
	}
}

// TestEmptyPreview: an emptied file has an empty preview, not none.
func TestEmptyPreview(t *testing.T) {
	d := editDocument(edited(t, "a", "x", "x", ""))
	if d.Preview == nil || *d.Preview != "" {
		t.Errorf("got %v, want an empty text", d.Preview)
	}
}

func value(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

func TestTraceLines(t *testing.T) {
	a, b := named("sum").run(t), named("stale").run(t)
	var out bytes.Buffer
	if err := WriteJSONL(&out, []Case{*a, *b}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if got, want := len(lines), len(a.Result.Events)+len(b.Result.Events); got != want {
		t.Fatalf("got %d lines, want %d", got, want)
	}
	for i, text := range lines {
		var line struct {
			Run string `json:"run"`
			Seq int    `json:"seq"`
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		run, seq := a.Scenario.ID, i+1
		if i >= len(a.Result.Events) {
			run, seq = b.Scenario.ID, i+1-len(a.Result.Events)
		}
		if line.Run != run || line.Seq != seq {
			t.Errorf("line %d: got %s %d, want %s %d", i, line.Run, line.Seq, run, seq)
		}
	}
}

// full is a writer with no room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestWriteErrorsAreReported: a lost output is never a success.
func TestWriteErrorsAreReported(t *testing.T) {
	c := sum().run(t)
	out := func() *term.Stream { return term.NewStream(full{}, term.Options{}) }
	for name, err := range map[string]error{
		"run":         WriteRun(out(), c, Detail{Explain: true, Verbose: true}),
		"table":       WriteTable(out(), []Group{{Cases: []Case{*c}}}, showOne),
		"answer":      WriteAnswer(out(), "x", runner.Ask(c.Scenario.Config, []byte(readSum))),
		"diagnostics": WriteDiagnostics(out(), diag.List{{Code: repotools.BadHash}}),
		"list":        WriteList(out(), []*scenarios.Scenario{c.Scenario}),
		"spans":       WriteSpans(out(), c),
		"tools":       WriteTools(out(), c.Result.Config.Machine.Registry),
		"code":        WriteCode(out(), CodePage{Code: repotools.BadHash}),
		"codes":       WriteCodes(out(), []CodePage{{Code: repotools.BadHash}}),
		"json":        EncodeJSON(full{}, Document(c)),
		"jsonl":       WriteJSONL(full{}, []Case{*c}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: got %v, want %v", name, err, errFull)
		}
	}
}

// TestDecisionsOfTheDocument: each step is there once, whatever became of it.
func TestDecisionsOfTheDocument(t *testing.T) {
	d := Document(named("told-and-goes-on").run(t))
	want := []struct {
		tool, observation string
		effect            event.Effect
		code              string
		edit              bool
	}{
		{"read", "o1", event.Deny, "PATH_NOT_READABLE", false},
		{"read", "o2", event.Allow, "", false},
		{"propose_edit", "o3", event.Allow, "", true},
		{"propose_edit", "o4", event.Deny, "EDIT_EXISTS", false},
		{"finish", "", event.Allow, "", false},
	}
	if len(d.Decisions) != len(want) {
		t.Fatalf("got %d decisions, want %d", len(d.Decisions), len(want))
	}
	for i, w := range want {
		got := d.Decisions[i]
		if got.Step != i+1 || got.Tool != w.tool || got.Observation != w.observation || got.Decision.Effect != w.effect ||
			got.Decision.Code != w.code || (got.Edit != "") != w.edit {
			t.Errorf("step %d: got %+v, want %+v", i+1, got, w)
		}
	}
}
