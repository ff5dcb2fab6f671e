package scenarios

import (
	"fmt"
	"strings"
	"testing"
)

// hostile is a file of some size made to be slow.
type hostile struct {
	name string
	n    int
	text func(n int) string
	want string // the first fault; "" if the file is valid
}

// lines repeats a line with its number in it.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func hostiles() []hostile {
	inRepo := func(files string) string { return with("    a.txt: hello\n", "    a.txt: hello\n"+files) }
	return []hostile{
		{"one letter", 2_500_000, func(n int) string { return strings.Repeat("a", n) }, "1:1 WRONG_TYPE"},
		{"brackets", 10_000, func(n int) string { return "a: " + strings.Repeat("[", n) }, "1:104 YAML_TOO_LARGE"},
		{"braces", 10_000, func(n int) string { return "a: " + strings.Repeat("{b: ", n) }, "1:404 YAML_TOO_LARGE"},
		{"dashes", 10_000, func(n int) string { return strings.Repeat("- ", n) }, "1:201 YAML_TOO_LARGE"},
		{"question marks", 10_000, func(n int) string { return strings.Repeat("? ", n) }, "1:201 YAML_TOO_LARGE"},
		{"closed brackets", 10_000, func(n int) string { return "a: [" + strings.Repeat("[],", n) + "]" }, "1:1 MISSING_KEY"},
		{"unknown keys", 10_000, func(n int) string { return plain + lines(n, "k%d: 1\n") }, "14:1 UNKNOWN_KEY"},
		{"one key over and over", 10_000, func(n int) string { return plain + lines(n, "title: t%d\n") }, "15:1 DUPLICATE_YAML_KEY"},
		{"comments", 10_000, func(n int) string { return plain + lines(n, "# %d\n\n") }, ""},
		{"faults on one line", 10_000, func(n int) string { return plain + "tags: [" + strings.Repeat("é\x01", n) }, "14:9 YAML_UNSUPPORTED_TEXT"},
		{"files", 10_000, func(n int) string { return inRepo(lines(n, "    f%d: x\n")) }, ""},
		{"files in one deep folder", 2_000, func(n int) string { return inRepo(lines(n, "    "+strings.Repeat("d/", 50)+"f%d: x\n")) }, ""},
		{"files in a chain of folders", 500, func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString("    " + strings.Repeat("d/", i%100) + fmt.Sprintf("f%d: x\n", i))
			}
			return inRepo(b.String())
		}, ""},
		{"paths that cannot be", 10_000, func(n int) string { return inRepo(lines(n, "    ../f%d: x\n")) }, "7:5 INVALID_VALUE"},
		{"paths that are not there", 10_000, func(n int) string { return with("[a.txt]", "["+lines(n, "f%d, ")+"a.txt]") }, "9:10 BAD_REFERENCE"},
		{"globs over files", 1_000, func(n int) string {
			text := inRepo(lines(n, "    f%d: x\n"))
			return strings.Replace(text, "[a.txt]", "["+lines(n, "'**/g%d', ")+"a.txt]", 1)
		}, "1009:10 BAD_REFERENCE"},
		{"answers", 10_000, func(n int) string { return plain + lines(n, "    - {type: read, path: f%d}\n") }, ""},
		{"references", 10_000, func(n int) string {
			return plain + lines(n, "    - {type: read, path: '${read[\"f%d\"].path}'}\n")
		}, "14:26 BAD_REFERENCE"},
		{"changes", 1_000, func(n int) string { return plain + "changes:\n" + lines(n, "  - {afterStep: 1, files: {f%d: x}}\n") }, ""},
		{"cases", 2_000, func(n int) string { return plain + "cases:\n" + lines(n, "  - {id: c%d}\n") }, ""},
		{"cases that need something", 2_000, func(n int) string {
			return with("    - {type: finish, summary: done}\n", "    12\n") + "cases:\n" + lines(n, "  - {id: c%d, x: 1}\n")
		}, "13:5 WRONG_TYPE"},
		{"cases of many files", 500, func(n int) string {
			return inRepo(lines(n, "    f%d: x\n")) + "cases:\n" + lines(n, "  - {id: c%d, repo: {files: {new: x}}}\n")
		}, ""},
		{"long tags in cases", 1_000, func(n int) string {
			return plain + "tags: [" + lines(n, "t%d, ") + "x]\ncases:\n" + lines(n, "  - {id: c%d}\n")
		}, ""},
	}
}

func TestHostileFiles(t *testing.T) {
	for _, h := range hostiles() {
		t.Run(h.name, func(t *testing.T) {
			list, found := Parse("s.yaml", []byte(h.text(h.n)))
			got := ""
			if len(found) > 0 {
				got = places(found)[0]
			}
			if got != h.want || (list == nil) != (h.want != "") {
				t.Errorf("got %q and %d scenarios, want %q", got, len(list), h.want)
			}
			if len(found) > maxFaults+1 {
				t.Errorf("got %d faults, want at most %d", len(found), maxFaults+1)
			}
		})
	}
}

// TestTooMuchWork: what would grow with the product of two sizes is refused.
func TestTooMuchWork(t *testing.T) {
	for name, text := range map[string]string{
		"globs": strings.Replace(with("    a.txt: hello\n", "    a.txt: hello\n"+lines(3_000, "    f%d: x\n")),
			"[a.txt]", "["+strings.Repeat("'**/f2999', ", 3_000)+"a.txt]", 1),
		"cases": with("    a.txt: hello\n", "    a.txt: hello\n"+lines(3_000, "    f%d: x\n")) +
			"cases:\n" + lines(3_000, "  - {id: c%d, repo: {files: {new: x}}}\n"),
		"changes": with("    a.txt: hello\n", "    a.txt: hello\n"+lines(3_000, "    f%d: x\n")) +
			"changes:\n" + lines(3_000, "  - {afterStep: 1, files: {f%d: y}}\n"),
	} {
		t.Run(name, func(t *testing.T) {
			_, found := Parse("s.yaml", []byte(text))
			for _, d := range found {
				if d.Code == YAMLTooLarge {
					return
				}
			}
			t.Errorf("got %d diagnostics, want one of %s", len(found), YAMLTooLarge)
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostiles() {
		for _, n := range []int{h.n, 4 * h.n} {
			data := []byte(h.text(n))
			b.Run(fmt.Sprintf("%s/%d", h.name, n), func(b *testing.B) {
				for b.Loop() {
					Parse("s.yaml", data)
				}
			})
		}
	}
}
