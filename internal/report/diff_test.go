package report

import (
	"bytes"
	"strings"
	"testing"

	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/term"
	"harness/internal/vrepo"
)

// edited is the accepted edit that replaces before by after in a file.
func edited(t testing.TB, path, content, before, after string) *runner.Edit {
	t.Helper()
	snapshot, faults := vrepo.New([]vrepo.Entry{{Path: path, Content: content}})
	if faults != nil {
		t.Fatal(faults)
	}
	f, _ := snapshot.File(path)
	e := &event.Edit{Path: path, BaseHash: f.Hash(), Offset: strings.Index(content, before), Before: before, After: after, Base: f}
	if e.Offset < 0 {
		t.Fatalf("%q does not stand in %q", before, content)
	}
	return &runner.Edit{Edit: e}
}

func diffText(t testing.TB, e *runner.Edit, ascii bool) string {
	var b bytes.Buffer
	p := newPage(look(&b, 80, ascii))
	p.diff(e)
	return b.String()
}

// TestDiff shows what a reader must see: rows of public reports about diffs that
// hid the change, or invented one.
func TestDiff(t *testing.T) {
	const hidden = "  LOOK CLOSELY  "
	tests := []struct {
		name                         string
		path, content, before, after string
		want                         []string // lines, or their beginnings
		not                          []string // texts
	}{
		{
			"a lone carriage return is data", "p.txt", "10%\r20%\nend\n", "end", "END",
			[]string{"   10%<U+000D>20%", "  -end", "  +END"}, []string{hidden},
		},
		{
			"only a line ending changes", "a.txt", "a\r\nb", "a\r\nb", "a\nb",
			[]string{"  -a<U+000D>", "  +a", "  note  only line endings change"}, []string{hidden},
		},
		{
			"two spaces at the end of a line", "a.md", "L1\nL2\n", "L1", "L1  ",
			[]string{"  -L1", "  +L1··", "  (· is a space at the end of a line)"}, nil,
		},
		{
			"spaces before a carriage return", "a.md", "L1\r\nL2\r\n", "L1", "L1  ",
			[]string{"  +L1··<U+000D>"}, []string{hidden},
		},
		{
			"a text with the marks in it", "a.md", "a · b → c\n", "a", "x \ty ",
			[]string{"  +x <U+0009>y  · b → c"}, []string{"is a tab"},
		},
		{
			"a tab in a changed line", "go.go", "if x {\n\ty := 1\n}\n", "y := 1", "y := 2",
			[]string{"   if x {", "  -→   y := 1", "  +→   y := 2", "  (→ is a tab)"}, nil,
		},
		{
			"a tab in a line that stays", "go.go", "if x {\n\ty := 1\n}\n", "if x", "if z",
			[]string{"       y := 1"}, []string{"→"},
		},
		{
			"no newline at the end of both sides", "a", "a\nb", "b", "c",
			[]string{"  -b", `  \ No newline at end of file`, "  +c", `  \ No newline at end of file`}, nil,
		},
		{
			"a file that has its newline", "a", "a\nb\n", "b", "c",
			[]string{"  -b", "  +c"}, []string{"No newline"},
		},
		{
			"one line of a file with CRLF", "a", "a\r\nb\r\nc\r\n", "b", "B",
			[]string{"   a<U+000D>", "  -b<U+000D>", "  +B<U+000D>", "   c<U+000D>"}, nil,
		},
		{
			"a name with a space", "sp ace.txt", "a\n", "a", "b",
			[]string{"  --- a/sp ace.txt", "  +++ b/sp ace.txt"}, []string{"\t"},
		},
		{
			"a name in another script", "café.txt", "a\n", "a", "b",
			[]string{"  --- a/café.txt"}, []string{`\303`},
		},
		{
			"a name that reorders", "a\u202etxt.exe", "a\n", "a", "b",
			[]string{"  --- a/a<U+202E>txt.exe"}, []string{"\u202e"},
		},
		{
			"bidi and zero-width characters", "a", "x\n", "x", "a\u202eb\u2066c\u200bd\ufeffe",
			[]string{"  +a<U+202E>b<U+2066>c<U+200B>d<U+FEFF>e", hidden}, []string{"\u202e", "\u200b"},
		},
		{
			"a byte order mark that stays", "a", "\ufeffhello\n", "hello", "hello2",
			[]string{"  -<U+FEFF>hello", "  +<U+FEFF>hello2"}, []string{hidden},
		},
		{
			"lines that look like headers", "a", "-- a\n++ b\n", "-- a\n++ b", "--- x\n+++ y\n@@ -1 +1 @@",
			[]string{"  --- a/a", "  --- a", "  -++ b", "  +--- x", "  ++++ y", "  +@@ -1 +1 @@"}, nil,
		},
		{
			"an emptied file", "a", "a\n", "a\n", "",
			[]string{"  @@ -1 +0,0 @@", "  -a", "  note  the file becomes empty"}, nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := diffText(t, edited(t, test.path, test.content, test.before, test.after), false)
			rest := got
			for _, line := range test.want {
				at := strings.Index("\n"+rest, "\n"+line)
				if at < 0 {
					t.Fatalf("got\n%s\nwant next the line %q", got, line)
				}
				rest = rest[at+len(line):]
				rest = rest[strings.IndexByte(rest, '\n')+1:]
			}
			for _, text := range test.not {
				if strings.Contains(got, text) {
					t.Errorf("got\n%s\nwant nowhere %q", got, text)
				}
			}
		})
	}
}

func TestDiffInASCII(t *testing.T) {
	got := diffText(t, edited(t, "é.txt", "\tx\n", "x", "ü "), true)
	for _, want := range []string{"--- a/<U+00E9>.txt", "+<U+0009><U+00FC><U+0020>"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
}

// TestDiffOfALongLine: the change is in sight wherever it stands, and what is
// cut is counted.
func TestDiffOfALongLine(t *testing.T) {
	content := strings.Repeat("é,", 300_000) + "needle" + strings.Repeat(",x", 300_000) + "\n"
	got := diffText(t, edited(t, "min.js", content, "needle", "thread"), false)
	for _, want := range []string{"  -[599,940 characters]…", "needle,x", "thread,x", "…[599,666 characters]"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%.2000s\nwant %q in it", got, want)
		}
	}
	if len(got) > 8000 {
		t.Errorf("got %d bytes, want few", len(got))
	}
}

func TestDiffOfManyLines(t *testing.T) {
	content := strings.Repeat("a line\n", 500)
	got := diffText(t, edited(t, "a", content, content, strings.Repeat("another\n", 500)), false)
	if want := "801 more lines not shown"; !strings.Contains(got, want) {
		t.Errorf("got\n%.400s\nwant %q in it", got[max(0, len(got)-400):], want)
	}
	if lines := strings.Count(got, "\n"); lines > diffLines+6 {
		t.Errorf("got %d lines, want about %d", lines, diffLines)
	}
}

func BenchmarkWriteRun(b *testing.B) {
	c := sum().run(b)
	for b.Loop() {
		var out bytes.Buffer
		if err := WriteRun(term.NewStream(&out, term.Options{Color: term.Never}), c, Detail{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	c := sum().run(b)
	for b.Loop() {
		var out bytes.Buffer
		if err := EncodeJSON(&out, Document(c)); err != nil {
			b.Fatal(err)
		}
	}
}
