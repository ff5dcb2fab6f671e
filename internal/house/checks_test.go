package house_test

import (
	"go/ast"
	"go/parser"
	"strings"
	"testing"
)

// snippet type-checks a package of one file, given without its package clause.
func snippet(t *testing.T, text string) *checked {
	t.Helper()
	imports, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(fset, "snippet.go", "package snippet\n"+text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	c, err := check(&pkg{path: "snippet", files: []source{{"snippet.go", tree}}}, []*ast.File{tree}, imports)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *checked) tree() *ast.File { return c.files[0].tree }

func TestMapOrderIsFound(t *testing.T) {
	tests := map[string]struct {
		text string
		want int
	}{
		"range":              {"func f(m map[string]int) { for k := range m { println(k) } }", 1},
		"range over value":   {"func f(m map[string]int) { for _, v := range m { println(v) } }", 1},
		"named type":         {"type M map[string]int; func f(m M) { for k := range m { println(k) } }", 1},
		"type parameter":     {"func f[M ~map[string]int](m M) { for k := range m { println(k) } }", 1},
		"longer constraint":  {"func f[M interface{ ~map[int]int }](m M) { for k := range m { println(k) } }", 1},
		"map of maps":        {"func f(m []map[int]int) { for _, n := range m { for k := range n { println(k) } } }", 1},
		"keys":               {"import \"maps\"; func f(m map[int]int) { for k := range maps.Keys(m) { println(k) } }", 1},
		"collected":          {"import (\"maps\"; \"slices\"); func f(m map[int]int) []int { return slices.Collect(maps.Keys(m)) }", 1},
		"instantiated":       {"import \"maps\"; func f(m map[int]int) { maps.Keys[map[int]int](m) }", 1},
		"reflection":         {"import \"reflect\"; func f(v reflect.Value) { v.MapRange() }", 1},
		"concurrent map":     {"import \"sync\"; func f(m *sync.Map) { m.Range(func(k, v any) bool { return true }) }", 1},
		"comment elsewhere":  {"// order: far away\n\n\nfunc f(m map[int]int) {\n for k := range m { println(k) } }", 1},
		"comment of nothing": {"func f(m map[int]int) {\n// order:\nfor k := range m { println(k) } }", 1},
		"other comment":      {"func f(m map[int]int) {\n// any order\nfor k := range m { println(k) } }", 1},

		"explained before": {"func f(m map[int]int) {\n// order: a sum\nfor k := range m { println(k) } }", 0},
		"explained behind": {"func f(m map[int]int) {\nfor k := range m { // order: a sum\nprintln(k) } }", 0},
		"sorted":           {"import (\"maps\"; \"slices\"); func f(m map[int]int) []int { return slices.Sorted(maps.Keys(m)) }", 0},
		"sorted by":        {"import (\"maps\"; \"slices\"); func f(m map[int]int, c func(a, b int) int) []int { return slices.SortedFunc(maps.Values(m), c) }", 0},
		"only counted":     {"func f(m map[int]int) { for range m { println() } }", 0},
		"slice":            {"func f(s []int) { for k := range s { println(k) } }", 0},
		"slice parameter":  {"func f[S ~[]int](s S) { for k := range s { println(k) } }", 0},
		"number":           {"func f() { for k := range 3 { println(k) } }", 0},
	}
	for name, test := range tests {
		c := snippet(t, test.text)
		if got := c.mapOrders(c.tree()); len(got) != test.want {
			t.Errorf("%s: found %q; want %d", name, got, test.want)
		}
	}
}

func TestConcurrencyIsFound(t *testing.T) {
	tests := map[string]struct {
		text string
		want int
	}{
		"go":         {"func f() { go f() }", 1},
		"select":     {"func f() { select {} }", 1},
		"channel":    {"type c chan int", 1},
		"send":       {"func f(c chan int) { c <- 1 }", 2},
		"receive":    {"func f(c <-chan int) { <-c }", 2},
		"sequential": {"func f() { defer f() }", 0},
	}
	for name, test := range tests {
		c := snippet(t, test.text)
		if got := concurrency(c.tree()); len(got) != test.want {
			t.Errorf("%s: found %q; want %d", name, got, test.want)
		}
	}
}

func TestBannedUsesAreFound(t *testing.T) {
	tests := map[string]struct {
		text string
		want string // of the finding; "" for none
	}{
		"import":           {"import _ \"os\"", "must not import os:"},
		"import below":     {"import _ \"os/exec\"", "must not import os/exec:"},
		"clock":            {"import \"time\"; var f = time.Now", "must not use Now:"},
		"renamed":          {"import . \"time\"; func f() { Sleep(0) }", "must not use Sleep:"},
		"type":             {"import \"time\"; type d = time.Duration", ""},
		"method of a name": {"import \"time\"; func f(t time.Time) time.Time { return t.Local() }", ""},
		"own name":         {"func Now() {}; func f() { Now() }", ""},
		"similar import":   {"import _ \"io\"", ""},
	}
	for name, test := range tests {
		got := strings.Join(snippet(t, test.text).bannedUses(), "\n")
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: found %q; want %q", name, got, test.want)
		}
	}
}

func TestCodesAreFound(t *testing.T) {
	text := `import "harness/internal/diag"
var A, B = &diag.Code{Name: "A" + "_A", Means: "m"}, &diag.Code{Name: "B"}
var other = 1
func Codes() []*diag.Code { return []*diag.Code{A, A} }`
	c := snippet(t, text)
	codes := c.codesOf(t)
	if len(codes) != 2 || codes[0].fields["Name"] != "A_A" || codes[0].fields["Means"] != "m" || codes[1].name != "B" {
		t.Errorf("found %v; want A and B with their fields", codes)
	}
	if got := c.listed(); got["A"] != 2 || got["B"] != 0 {
		t.Errorf("listed %v; want A twice and B never", got)
	}
}
