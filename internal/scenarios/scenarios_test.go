package scenarios

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/tools"
)

func TestParseGivesEverything(t *testing.T) {
	list, found := Parse("x/sum.yaml", shippedFiles(t)["../../scenarios/workflow/sum.yaml"])
	if len(list) != 1 || len(found) > 0 {
		t.Fatalf("got %d scenarios, %v", len(list), found)
	}
	s := list[0]
	if s.ID != "workflow/sum" || s.Case != "" || s.File != "x/sum.yaml" || s.Title != "Repair sum: search, read, propose, finish" {
		t.Errorf("got %+v", s)
	}
	if s.Goal != "Make sum return the sum of its arguments." || !slices.Equal(s.Read, []string{"README.md", "src/sum.ts"}) || !slices.Equal(s.Edit, []string{"src/sum.ts"}) {
		t.Errorf("got goal %q, read %q, edit %q", s.Goal, s.Read, s.Edit)
	}
	if s.Expect == nil || s.Expect.Status.Value != "needs_review" || len(s.Expect.Edits.Items) != 1 {
		t.Errorf("got %+v", s.Expect)
	}
	cfg := s.Config
	if cfg.ID != s.ID || cfg.Title != s.Title || len(cfg.Snapshot.Files()) != 3 || len(cfg.Changes) != 0 {
		t.Errorf("got %+v", cfg)
	}
	m := cfg.Machine
	want := policy.DefaultBudgets()
	want.Steps, want.ContextChars = 6, 4000
	if got := m.Budgets; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if m.Limits != tools.DefaultLimits() || m.OnRejection != machine.StopRun || !m.EditShownOnly {
		t.Errorf("got %+v", m)
	}
	for _, want := range []string{"search", "read", "propose_edit", "finish"} {
		if !slices.Contains(m.ActionTypes, want) {
			t.Errorf("%s is not among %v", want, m.ActionTypes)
		}
	}
	var rules []string
	for _, r := range m.Rules.All() {
		rules = append(rules, r.ID+" "+r.Capability)
	}
	if want := []string{
		"task.read[0] repo:read", "task.read[0] repo:search", "task.read[1] repo:read", "task.read[1] repo:search", "task.edit[0] repo:propose",
	}; !slices.Equal(rules, want) {
		t.Errorf("got %v, want %v", rules, want)
	}
}

func TestPreviewFromBase64(t *testing.T) {
	list, found := Parse("s.yaml", []byte(plain+"expect: {edits: [{path: a.txt, previewBase64: aGVsbG8=}]}\n"))
	if len(list) != 1 {
		t.Fatal(found)
	}
	if got := list[0].Expect.Edits.Items[0].Preview; got.Value != "hello" || got.Pos != (diag.Pos{Line: 14, Col: 47}) {
		t.Errorf("got %+v", got)
	}
}

// TestTheFolderDoesNotMatter: the same bytes under another folder give the same
// trace, byte for byte.
func TestTheFolderDoesNotMatter(t *testing.T) {
	for name, data := range shippedFiles(t) {
		base := ownName(name)
		var want []byte
		for _, file := range []string{base, "a/" + base, "/long/way/to/" + base, `C:\x\` + base} {
			got := traces(t, file, data)
			if want == nil {
				want = got
			}
			if string(got) != string(want) {
				t.Errorf("%s: the trace under %s is another one", name, file)
			}
			if len(got) == 0 {
				t.Errorf("%s: no trace", name)
			}
		}
	}
}

func traces(t *testing.T, file string, data []byte) []byte {
	t.Helper()
	list, found := Parse(file, data)
	if found.Failed() {
		t.Fatal(found)
	}
	var trace []byte
	for _, s := range list {
		r := runner.Run(s.Config)
		for i := range r.Events {
			line, err := json.Marshal(r.Events[i].Line())
			if err != nil {
				t.Fatal(err)
			}
			trace = append(append(trace, line...), '\n')
		}
		trace = append(trace, r.UnusedAt...)
	}
	return trace
}

func TestCodesAreComplete(t *testing.T) {
	names := map[string]bool{}
	for _, c := range append(Codes(), RunCodes()...) {
		if names[c.Name] {
			t.Errorf("%s is listed twice", c.Name)
		}
		names[c.Name] = true
	}
	for _, c := range Codes() {
		if c.Class != diag.Input && c.Class != diag.Note || c.Gate != "" || c.Means == "" || c.Do == "" {
			t.Errorf("%s: %+v", c.Name, c)
		}
		if strings.ToUpper(c.Name) != c.Name {
			t.Errorf("%s is not upper case", c.Name)
		}
	}
}
