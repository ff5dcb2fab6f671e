package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shippedFiles gives the shipped scenario files.
func shippedFiles(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../scenarios/*/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no shipped scenarios: %v", err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// FuzzParse: whatever the bytes, there are scenarios or faults, never both and
// never neither; every diagnostic has a code, a place and words; and the same
// bytes give the same answer.
func FuzzParse(f *testing.F) {
	for _, data := range shippedFiles(f) {
		f.Add(data)
	}
	for _, seed := range []string{
		plain, family, "", "a", "- a\n", "a: *a\n", "&a [*a]\n", "<<: x\n", "? [a]\n: b\n", "%YAML 1.2\n---\n",
		"\ufeffa: 1\r\n", "a: \"\\x00\"\n", "cases: [{}, {id: a}]\n", "repo: {files: {a: null, A: x}}\n", "# c\n  # d\na: # e\n- b\n",
		"expect: {edits: [{}], decisions: [{}], never: ['']}\n", "model: {script: [{raw: x, repeat: forever}, '${o1.x[0]}']}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, found := Parse("s.yaml", data)
		if (list == nil) != found.Failed() {
			t.Fatalf("%d scenarios, and %v", len(list), found)
		}
		for _, d := range found {
			if d.Code == nil || d.Pos.Line < 1 || d.Pos.Col < 1 || d.Message == "" || d.File != "s.yaml" {
				t.Fatalf("diagnostic without code, place or words: %+v", d)
			}
			if lines := strings.Count(string(data), "\n") + 1; d.Pos.Line > lines {
				t.Fatalf("line %d of %d: %v", d.Pos.Line, lines, d)
			}
		}
		for _, s := range list {
			if s.Config == nil || s.ID == "" {
				t.Fatalf("scenario that cannot run: %+v", s)
			}
		}
		again, foundAgain := Parse("s.yaml", slices.Clone(data))
		if len(again) != len(list) || !slices.Equal(found, foundAgain) {
			t.Fatal("the same bytes gave another answer")
		}
	})
}
