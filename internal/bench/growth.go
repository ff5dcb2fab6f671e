package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/textdiff"
	"harness/internal/vrepo"
)

// growth measures hostile inputs at n and 4n. What grows like n log n takes a
// little over 4 times as long; what grows like n squared takes 16 times.
func growth(t *table) {
	// A heap that is not let grow: fresh pages would be timed, not the work.
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, in := range hostile() {
		small := timed(in.make(in.n))
		large := timed(in.make(4 * in.n))
		t.atMost("T12", fmt.Sprintf("time(4n)/time(n), %s, n = %d", in.what, in.n), large/small, 6)
	}
}

// input makes the work for one size.
type input struct {
	what string
	n    int
	make func(n int) func()
}

func hostile() []input {
	return []input{
		{"YAML brackets nested", 2_500, func(n int) func() {
			return parseYAML("repo: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n")
		}},
		{"YAML keys in one mapping", 10_000, func(n int) func() { return parseYAML(keys(n, "k%d: 1\n")) }},
		{"YAML aliases of aliases", 10, func(n int) func() { return parseYAML(aliases(n)) }},
		{"YAML of one letter, bytes", 2_500_000, func(n int) func() { return parseYAML(strings.Repeat("a", n)) }},
		{"YAML unknown keys", 10_000, func(n int) func() { return parseYAML(keys(n, "unknown_%d: x\n")) }},
		{"JSON keys in one object", 10_000, func(n int) func() {
			return parseJSON("{" + strings.TrimSuffix(keys(n, `"k%d":1,`), ",") + "}")
		}},
		{"JSON number of many digits", 200_000, func(n int) func() { return parseJSON("1." + strings.Repeat("3", n)) }},
		{"JSON brackets nested", 200_000, func(n int) func() { return parseJSON(strings.Repeat("[", n)) }},
		{"search in a file of many lines", 250_000, func(n int) func() {
			f := snapshotOf(strings.Repeat("eeee eee\n", n))
			return func() {
				f.Search(vrepo.SearchRequest{Query: "eeee eeee", Limit: 8, ClipRunes: 200, Readable: func(string) bool { return true }})
			}
		}},
		{"lines of a file", 1_000_000, func(n int) func() {
			text := strings.Repeat("line\n", n)
			return func() { fileOf(text).Lines() }
		}},
		{"overlapping target in a file of one letter", 250_000, func(n int) func() {
			f := fileOf(strings.Repeat("a", n))
			needle := strings.Repeat("a", 999) + "b"
			return func() { f.Find(needle, 9) }
		}},
		{"hint for a target that is not there, lines", 12_000, func(n int) func() {
			f := fileOf(strings.Repeat("some line of code\n", n))
			before := strings.Repeat("some line of code\n", 40) + "X"
			return func() { f.Explain(before, "", nil) }
		}},
		{"diff of rewritten lines", 25_000, func(n int) func() {
			want, got := keys(n, "want %d\n"), keys(n, "got %d\n")
			return func() { textdiff.Unified(want, got, 3) }
		}},
	}
}

func parseYAML(text string) func() {
	data := []byte(text)
	return func() { scenarios.Parse("hostile.yaml", data) }
}

func parseJSON(text string) func() {
	data := []byte(text)
	return func() { strictjson.Parse(data) }
}

func keys(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// aliases is the bomb in which every level names the one before it ten times.
func aliases(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

func snapshotOf(text string) *vrepo.Snapshot {
	s, _ := vrepo.New([]vrepo.Entry{{Path: "f.ts", Content: text}})
	return s
}
