package expression

import (
	"os"
	"strings"
	"testing"

	"harness/internal/strictjson"
)

// The page's examples are true of the values it shows, by their types and
// without.
func TestExamplesOfThePageAreTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	typed, given := examples(t, string(page))
	untyped := make([]Variable, len(typed))
	for i, v := range typed {
		untyped[i].Name = v.Name
	}
	lines := blocks(string(page), "text")
	if len(lines) < 20 {
		t.Fatalf("got %d examples, want at least 20", len(lines))
	}
	for _, line := range lines {
		for _, variables := range [][]Variable{typed, untyped} {
			p, fault := Compile(line, variables, Of(Bool))
			if fault != nil {
				t.Errorf("%s: at %d: %s", line, fault.Offset, fault.Message)
				continue
			}
			got, err := p.Eval(given...)
			if err != nil || !got.Bool() {
				t.Errorf("%s: got %v (%v), want true", line, got, err)
			}
		}
	}
}

// The page's table of faults says what is said.
func TestFaultsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| written | fault |\n|---|---|\n")
	variables, _ := examples(t, string(page))
	rows := 0
	for line := range strings.Lines(table) {
		source, said, ok := strings.Cut(strings.Trim(line, "| \n"), " | ")
		if !ok {
			break
		}
		rows++
		source = strings.Trim(source, "`")
		_, fault := Compile(source, variables, nil)
		if fault == nil {
			t.Errorf("%s: compiled, want %q", source, said)
			continue
		}
		if got := fault.Message + "; " + fault.Hint; !strings.HasPrefix(got, said) {
			t.Errorf("%s: got %q, want %q", source, got, said)
		}
	}
	if rows < 5 {
		t.Errorf("got %d rows, want at least 5", rows)
	}
}

// examples is what the page's examples are about, by its types.
func examples(t *testing.T, page string) ([]Variable, []strictjson.Value) {
	t.Helper()
	var typed []Variable
	var values []strictjson.Value
	for _, m := range parsed(t, strings.Join(blocks(page, "json"), "\n")).Members() {
		typed = append(typed, Variable{Name: m.Name, Type: typeOf(m.Value)})
		values = append(values, m.Value)
	}
	return typed, values
}

// blocks is the lines of a page's fenced blocks of a language.
func blocks(page, language string) []string {
	var lines []string
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "```"+language:
			inside = true
		case line == "```":
			inside = false
		case inside:
			lines = append(lines, line)
		}
	}
	return lines
}

// typeOf is what a schema would say of a value: result may also hold an error,
// a null may be anything, and labels are a map.
func typeOf(v strictjson.Value) *Type {
	switch v.Kind() {
	case strictjson.Object:
		if _, ok := v.Get("team"); ok {
			return MapOf(Of(String))
		}
		t := &Type{Kind: Object}
		for _, m := range v.Members() {
			t.Fields = append(t.Fields, Field{Name: m.Name, Type: typeOf(m.Value)})
		}
		if _, ok := v.Get("status"); ok {
			t.Fields = append(t.Fields, Field{Name: "error", Optional: true})
		}
		return t
	case strictjson.Array:
		return ListOf(typeOf(v.Items()[0]))
	case strictjson.Null:
		return nil
	default:
		return literalType(v)
	}
}
