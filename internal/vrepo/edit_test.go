package vrepo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// editOf replaces the only occurrence of before.
func editOf(t testing.TB, text, before, after string) Edit {
	t.Helper()
	f := fileOf(text)
	m := f.Find(before, 1)
	if m.Count != 1 || m.More {
		t.Fatalf("%q is not once in %q", before, text)
	}
	return Edit{Path: "a.txt", Base: f, Offset: m.Offsets[0], Before: before, After: after}
}

// editCases are edits with their result and hunk, by the rows of public reports
// they stand for.
var editCases = []struct {
	name, text, before, after string
	result, hunk              string
}{
	{"E02 CRLF stays", "a\r\nb\r\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n", "@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n c\r\n"},
	{"E04 lone CR stays", "10%\r20%\nend\n", "end", "END", "10%\r20%\nEND\n", "@@ -1,2 +1,2 @@\n 10%\r20%\n-end\n+END\n"},
	{"E05 only the line ending", "a\r\nb", "a\r\nb", "a\nb", "a\nb", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n\\ No newline at end of file\n"},
	{"E07 no newline at the end", `{"k":1}`, "1", "2", `{"k":2}`, "@@ -1 +1 @@\n-{\"k\":1}\n\\ No newline at end of file\n+{\"k\":2}\n\\ No newline at end of file\n"},
	{"E08 blank lines stay", "x\n\n\n", "x", "y", "y\n\n\n", "@@ -1,3 +1,3 @@\n-x\n+y\n \n \n"},
	{"E10 append to the last line", "a\nb", "b", "b\nX", "a\nb\nX", "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+X\n\\ No newline at end of file\n"},
	{"E11 no false marker", "a\nb\n", "b", "c", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
	{"E12 byte order mark stays", "\uFEFFhello\n", "hello", "hello2", "\uFEFFhello2\n", "@@ -1 +1 @@\n-\uFEFFhello\n+\uFEFFhello2\n"},
	{"E16 quotes", "it’s\n", "it’s", "it's", "it's\n", "@@ -1 +1 @@\n-it’s\n+it's\n"},
	{"E24 tabs stay", "all:\n\tcc a.c\nv=1\n", "v=1", "v=2", "all:\n\tcc a.c\nv=2\n", "@@ -1,3 +1,3 @@\n all:\n \tcc a.c\n-v=1\n+v=2\n"},
	{"E26 trailing spaces", "L1\nL2\n", "L1", "L1  ", "L1  \nL2\n", "@@ -1,2 +1,2 @@\n-L1\n+L1  \n L2\n"},
	{"E27 whitespace only", "x \n", "x \n", "x\n", "x\n", "@@ -1 +1 @@\n-x \n+x\n"},
	{"E40 markers are data", "Title\n=======\n", "Title", "<<<<<<< a\n>>>>>>> b", "<<<<<<< a\n>>>>>>> b\n=======\n", "@@ -1,2 +1,3 @@\n-Title\n+<<<<<<< a\n+>>>>>>> b\n =======\n"},
	{"E42 dollar ampersand", `log("done");`, "done", "$& ok", `log("$& ok");`, "@@ -1 +1 @@\n-log(\"done\");\n\\ No newline at end of file\n+log(\"$& ok\");\n\\ No newline at end of file\n"},
	{"E43 dollars and verbs", "P\n", "P", `$$100 $1 ${x} \1 %s {{.}}`, "$$100 $1 ${x} \\1 %s {{.}}\n", "@@ -1 +1 @@\n-P\n+$$100 $1 ${x} \\1 %s {{.}}\n"},
	{"E45 backslash n", "x\n", "x", `if c == '\n' {`, "if c == '\\n' {\n", "@@ -1 +1 @@\n-x\n+if c == '\\n' {\n"},
	{"E74 deletion", "a\nb\nc\n", "b\n", "", "a\nc\n", "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
	{"E85 marker on both sides", "a\nb", "b", "c", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
	{"E86 newline added", "a\nb", "b", "b\n", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
	{"E86 newline removed", "a\nb\n", "b\n", "b", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
	{"E86 marker on a context line", "a\nb", "a", "A", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
	{"E94 one line of many CRLF", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n", "5", "V", "1\r\n2\r\n3\r\n4\r\nV\r\n6\r\n7\r\n8\r\n9\r\n", "@@ -2,7 +2,7 @@\n 2\r\n 3\r\n 4\r\n-5\r\n+V\r\n 6\r\n 7\r\n 8\r\n"},
	{"emptied", "a\n", "a\n", "", "", "@@ -1 +0,0 @@\n-a\n"},
	{"emptied without newline", "a", "a", "", "", "@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n"},
	{"lines joined", "a\nb\n", "\nb", "b", "ab\n", "@@ -1,2 +1 @@\n-a\n-b\n+ab\n"},
	{"line split", "ab\n", "ab", "a\nb", "a\nb\n", "@@ -1 +1,2 @@\n-ab\n+a\n+b\n"},
	{"kept lines inside", "a\nb\nc\nd\n", "a\nb\nc\nd\n", "A\nb\nc\nD\n", "A\nb\nc\nD\n", "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n"},
	{"kept lines at both ends", "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\ny\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\ny\n6\n7\n8\n9\n", "@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-x\n+y\n 6\n 7\n 8\n"},
	{"some kept, some context", "1\n2\n3\n4\nx\n5\n6\n7\n8\n", "4\nx\n5", "4\ny\n5", "1\n2\n3\n4\ny\n5\n6\n7\n8\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-x\n+y\n 5\n 6\n 7\n"},
	{"insertion", "a\nb\n", "a\n", "a\nnew\n", "a\nnew\nb\n", "@@ -1,2 +1,3 @@\n a\n+new\n b\n"},
}

func TestEdit(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			e := editOf(t, c.text, c.before, c.after)
			if got := e.Result(); got != c.result {
				t.Errorf("result: got %q, want %q", got, c.result)
			}
			got, clipped := e.Hunk(1000)
			if got != c.hunk || clipped {
				t.Errorf("hunk: got clipped %v\n%q\nwant\n%q", clipped, got, c.hunk)
			}
			want := "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n" + c.hunk
			if got := e.Patch(); got != want {
				t.Errorf("patch: got\n%q\nwant\n%q", got, want)
			}
			if got := gitApply(t, []Edit{e})[0]; got != c.result {
				t.Errorf("git apply: got %q, want %q", got, c.result)
			}
			added, removed := e.Stat()
			if wantAdded, wantRemoved := strings.Count(c.hunk, "\n+"), strings.Count(c.hunk, "\n-"); added != wantAdded || removed != wantRemoved {
				t.Errorf("stat: got +%d -%d, want +%d -%d", added, removed, wantAdded, wantRemoved)
			}
		})
	}
}

func TestEditWithoutChange(t *testing.T) {
	e := editOf(t, "a\nb\n", "b", "b")
	hunk, clipped := e.Hunk(100)
	if added, removed := e.Stat(); hunk != "" || clipped || e.Patch() != "" || added != 0 || removed != 0 || e.Notes() != nil {
		t.Errorf("got hunk %q, patch %q, +%d -%d, notes %q", hunk, e.Patch(), added, removed, e.Notes())
	}
}

func TestEditHolds(t *testing.T) {
	f := fileOf("abc")
	for _, c := range []struct {
		e    Edit
		want bool
	}{
		{Edit{Base: f, Offset: 1, Before: "b"}, true},
		{Edit{Base: f, Offset: 3, Before: ""}, true},
		{Edit{Base: f, Offset: 2, Before: "b"}, false},
		{Edit{Base: f, Offset: 2, Before: "cd"}, false},
		{Edit{Base: f, Offset: 4, Before: ""}, false},
		{Edit{Base: f, Offset: -1, Before: ""}, false},
		{Edit{Before: "b"}, false},
	} {
		if got := c.e.Holds(); got != c.want {
			t.Errorf("%+v: got %v, want %v", c.e, got, c.want)
		}
	}
}

// anyEdit draws a text and a replacement of some bytes of it, between code
// points.
func anyEdit() *rapid.Generator[Edit] {
	return rapid.Custom(func(t *rapid.T) Edit {
		text := textOf(40).Draw(t, "text") + textOf(6).Draw(t, "rest")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		for from > 0 && !utf8.RuneStart(append([]byte(text), 0)[from]) {
			from--
		}
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		return Edit{Path: "a.txt", Base: fileOf(text), Offset: from, Before: text[from:to], After: textOf(20).Draw(t, "after")}
	})
}

func TestSpliceKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyEdit().Draw(t, "edit")
		if !e.Holds() {
			t.Fatalf("the edit does not hold")
		}
		base, result := e.Base.Text(), e.Result()
		want := base[:e.Offset] + e.After + base[e.Offset+len(e.Before):]
		if result != want {
			t.Fatalf("got %q, want %q", result, want)
		}
		sum := sha256.Sum256([]byte(result))
		if got := e.ResultHash(); got != hex.EncodeToString(sum[:]) {
			t.Fatalf("the hash is not that of the result")
		}
		prefix, after, suffix := e.Pieces()
		if prefix+after+suffix != result || prefix != base[:len(prefix)] || suffix != base[len(base)-len(suffix):] {
			t.Fatalf("pieces %q, %q, %q", prefix, after, suffix)
		}
	})
}

// Of a hunk that was not clipped, the old side stands in the base and the new
// side in the result, at the lines its header says; a clipped one keeps to its
// limit.
func TestHunkIsTheChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyEdit().Draw(t, "edit")
		limit := rapid.IntRange(0, 120).Draw(t, "limit")
		short, clipped := e.Hunk(limit)
		if utf8.RuneCountInString(short) > limit {
			t.Fatalf("got %d code points, limit %d", utf8.RuneCountInString(short), limit)
		}
		whole, wholeClipped := e.Hunk(1 << 20)
		if wholeClipped {
			t.Fatalf("clipped without need: %q", whole)
		}
		if !clipped && short != whole {
			t.Fatalf("got %q unclipped, want %q", short, whole)
		}
		patch := e.Patch()
		if (whole == "") != (e.Result() == e.Base.Text()) {
			t.Fatalf("got hunk %q for %q to %q", whole, e.Base.Text(), e.Result())
		}
		if whole != "" && !strings.HasSuffix(patch, "+++ b/a.txt\n"+whole) {
			t.Fatalf("the hunk %q is not that of the patch %q", whole, patch)
		}
	})
}

func TestHunkClips(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	many := strings.Repeat("a line of the file\n", 100)
	for _, c := range []struct {
		name  string
		e     Edit
		limit int
		parts []string
	}{
		{"E101 one long line", editOf(t, long+"NEEDLE"+long, "NEEDLE", "THREAD"), 400, []string{"@@ -1 +1 @@\n-…xxx", "xNEEDLEx", "xTHREADx", "…\n"}},
		{"long line between others", editOf(t, "above\n"+long[:3000]+"NEEDLE"+long[:3000]+"\nbelow\n", "NEEDLE", "THREAD"), 400, []string{" above\n", "xNEEDLEx", "+…x", " below\n"}},
		{"long context", editOf(t, long[:3000]+"\nNEEDLE\n"+long[:3000]+"\n", "NEEDLE", "THREAD"), 400, []string{"@@ -1,3 +1,3 @@\n xxx", "x…\n-NEEDLE\n+THREAD\n xxx", "x…\n"}},
		{"context goes first", editOf(t, "first context\nsecond context\nthird context\nNEEDLE\nfourth\nfifth\nsixth\n", "NEEDLE", "THREAD"), 70, []string{"\n-NEEDLE\n+THREAD\n"}},
		{"changed lines go last", editOf(t, "NEEDLE\n", "NEEDLE", many), 100, []string{"@@ -1 +1,101 @@\n-NEEDLE\n+a line of the file\n", "…\n"}},
		{"no room", editOf(t, "NEEDLE\n", "NEEDLE", "x"), 1, nil},
		{"no room at all", editOf(t, "NEEDLE\n", "NEEDLE", "x"), 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, clipped := c.e.Hunk(c.limit)
			if !clipped || utf8.RuneCountInString(got) > c.limit || !utf8.ValidString(got) {
				t.Errorf("got clipped %v, %d code points, limit %d", clipped, utf8.RuneCountInString(got), c.limit)
			}
			for _, part := range c.parts {
				if !strings.Contains(got, part) {
					t.Errorf("got %q, want it to have %q", got, part)
				}
			}
		})
	}
}

// E19: whatever the limit, the cut is between code points.
func TestHunkCutsBetweenCodePoints(t *testing.T) {
	e := editOf(t, strings.Repeat("\U0001F680", 6000)+"NEEDLE"+strings.Repeat("漢", 9000), "NEEDLE", strings.Repeat("é\U0001F680", 200))
	for limit := range 600 {
		if got, _ := e.Hunk(limit); !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit {
			t.Fatalf("limit %d: got %d code points, valid %v", limit, utf8.RuneCountInString(got), utf8.ValidString(got))
		}
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		name, text, before, after string
		want                      []string
	}{
		{"plain", "a\nb\n", "b", "c", nil},
		{"E05 only line endings", "a\r\nb", "a\r\nb", "a\nb", []string{"only line endings change", "line endings change: crlf before, lf after"}},
		{"E05 the line feed stays", "a\r\nb\r\n", "a\r", "a", []string{"only line endings change", "line endings change: crlf before, mixed after"}},
		{"LF into CRLF", "a\r\nb\r\n", "b", "b\nc", []string{"line endings change: crlf before, mixed after"}},
		{"CRLF into CRLF", "a\r\nb\r\n", "b", "b\r\nc", nil},
		{"CRLF into LF", "a\nb\n", "b", "b\r\nc", []string{"line endings change: lf before, mixed after"}},
		{"last CRLF joined", "a\r\nb", "a\r\nb", "ab", []string{"only whitespace changes"}},
		{"first line feed", "a", "a", "a\nb", nil},
		{"carriage return added", "a\n", "a", "a\rb", []string{"line endings change: lf before, mixed after", "the new text has characters that do not show: U+000D (carriage return)"}},
		{"E86 newline added", "a\nb", "b", "b\n", []string{"only whitespace changes", "a newline is added at the end of the file"}},
		{"E86 newline removed", "a\nb\n", "b\n", "c", []string{"the newline at the end of the file is removed"}},
		{"newline seen across pieces", "a\nb", "b", "", []string{"a newline is added at the end of the file"}},
		{"emptied", "a\n", "a\n", "", []string{"the file becomes empty"}},
		{"E26 trailing spaces", "L1\nL2\n", "L1", "L1  ", []string{"only whitespace changes"}},
		{"E27 whitespace only", "x \n", "x \n", "x\n", []string{"only whitespace changes"}},
		{"indentation", "\tx\n", "\tx", "    x", []string{"only whitespace changes"}},
		{"no-break space", "a b\n", "a b", "a\u00A0b", []string{"only whitespace changes", "the new text has characters that look like a space: U+00A0 (no-break space)"}},
		{"spaces of other widths", "a\n", "a", "x\u3000y\u202Fz\u2009\u3000\u205F\u1680\u2002", []string{"the new text has characters that look like a space: U+3000 (ideographic space), U+202F (narrow no-break space), U+2009, U+205F, U+1680 and 1 more"}},
		{"spaces and what does not show", "a\n", "a", "x\u00A0\u200By", []string{"the new text has characters that do not show: U+200B (zero-width space)", "the new text has characters that look like a space: U+00A0 (no-break space)"}},
		{"Cyrillic in a Latin word", "a\n", "a", "p\u0430yment = p\u0430y", []string{"the new text has letters of other scripts that look like Latin ones: U+0430 (Cyrillic)"}},
		{"Greek in a Latin word", "a\n", "a", "\u0391lpha\u03BF", []string{"the new text has letters of other scripts that look like Latin ones: U+0391 (Greek), U+03BF (Greek)"}},
		{"words of another script", "a\n", "a", "привет мир, x = Δx + 2αx, \u00B5s \u03BCs, naïve kırmızı", nil},
		{"byte order mark removed", "\uFEFFa\n", "\uFEFFa", "b", []string{"the byte order mark is removed"}},
		{"byte order mark added", "a\n", "a", "\uFEFFb", []string{"a byte order mark is added", "the new text has characters that do not show: U+FEFF (byte order mark)"}},
		{"E48 control", "a\n", "a", "a\x1b[2Kb", []string{"the new text has characters that do not show: U+001B (escape)"}},
		{"E48 C1 and DEL", "a\n", "a", "a\u009bb\x7f", []string{"the new text has characters that do not show: U+009B, U+007F"}},
		{"E96 bidi and zero width", "a\n", "a", "x\u202Ey\u2066z\u200Bu\uFEFF", []string{"the new text has characters that do not show: U+202E (bidi control), U+2066 (bidi control), U+200B (zero-width space), U+FEFF (byte order mark)"}},
		{"each named once, five at most", "a\n", "a", "\x01\x01\x02\x03\x04\x05\x06\x07", []string{"the new text has characters that do not show: U+0001, U+0002, U+0003, U+0004, U+0005 and 2 more"}},
		{"filler and tag", "a\n", "a", "\u3164\U000E0041", []string{"the new text has characters that do not show: U+3164, U+E0041"}},
		{"emoji is no surprise", "a\n", "a", "\u2764\uFE0F", nil},
		{"tab and umlaut", "a\n", "a", "\tä漢", nil},
		{"CRLF shows", "a\r\nb\r\n", "a\r\n", "c\r\n", nil},
		{"CR before a line feed that stays", "a\r\nb\r\n", "a\r", "c\r", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := editOf(t, c.text, c.before, c.after).Notes(); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// The notes on line endings agree with the result, whatever the edit.
func TestNotesAgreeWithTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyEdit().Draw(t, "edit")
		result := fileOf(e.Result())
		notes := strings.Join(e.Notes(), "\n")
		if e.Result() == e.Base.Text() {
			return
		}
		if result.Size() == 0 {
			if notes != "the file becomes empty" {
				t.Fatalf("emptied: got %q", notes)
			}
			return
		}
		before, after := e.Base.EOL(), result.EOL()
		said := strings.Contains(notes, "line endings change: "+before+" before, "+after+" after")
		if want := before != after && after != "none" && !(before == "none" && after == "lf"); said != want {
			t.Fatalf("%q to %q: got %q", e.Base.Text(), result.Text(), notes)
		}
		had, has := strings.HasSuffix(e.Base.Text(), "\n"), strings.HasSuffix(result.Text(), "\n")
		if strings.Contains(notes, "the newline at the end of the file is removed") != (had && !has) {
			t.Fatalf("%q to %q: got %q", e.Base.Text(), result.Text(), notes)
		}
		if strings.Contains(notes, "only line endings") && unifyEndings(e.Base.Text()) != unifyEndings(result.Text()) {
			t.Fatalf("%q to %q: got %q", e.Base.Text(), result.Text(), notes)
		}
		if e.Base.BOM() != result.BOM() != strings.Contains(notes, "byte order mark is") {
			t.Fatalf("%q to %q: got %q", e.Base.Text(), result.Text(), notes)
		}
	})
}

func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb\r\n", 3, 1, "B", 100)
	f.Add("a\nb", 2, 1, "", 7)
	f.Add("", 0, 0, "new\n", 40)
	f.Add("\xff\n\x00\r", 1, 2, "\u202E\xfe", 3)
	f.Add(strings.Repeat("long ", 99), 200, 5, "x", 60)
	f.Fuzz(func(t *testing.T, text string, offset, size int, after string, limit int) {
		if offset < 0 || size < 0 || offset > len(text) || size > len(text)-offset {
			return
		}
		e := Edit{Path: "a.txt", Base: fileOf(text), Offset: offset, Before: text[offset : offset+size], After: after}
		hunk, clipped := e.Hunk(limit)
		if n := utf8.RuneCountInString(hunk); n > max(limit, 0) {
			t.Fatalf("got %d code points, limit %d", n, limit)
		}
		result, patch := e.Result(), e.Patch()
		if (patch == "") != (result == text) {
			t.Fatalf("%q to %q: got patch %q", text, result, patch)
		}
		if !clipped && hunk != "" && !strings.HasSuffix(patch, "+++ b/a.txt\n"+hunk) {
			t.Fatalf("the hunk %q is not that of the patch %q", hunk, patch)
		}
		if patch != "" {
			if got := applyHunk(t, text, patch[strings.Index(patch, "@@"):]); got != result {
				t.Fatalf("%q: the patch %q gives %q, want %q", text, patch, got, result)
			}
		}
		if notes := e.Notes(); len(notes) > 8 {
			t.Fatalf("got %d notes", len(notes))
		}
	})
}

// applyHunk applies a hunk line by line, checking every old line.
func applyHunk(t *testing.T, text, hunk string) string {
	t.Helper()
	var start int
	if _, err := fmt.Sscanf(hunk, "@@ -%d", &start); err != nil {
		t.Fatal(err)
	}
	base := strings.SplitAfter(text, "\n")
	at := max(start-1, 0)
	result := strings.Join(base[:at], "")
	rows := strings.SplitAfter(hunk, "\n")[1:]
	for i, row := range rows {
		if row == "" || row[0] == '\\' {
			continue
		}
		line := row[1:]
		if i+1 < len(rows) && strings.HasPrefix(rows[i+1], "\\ No newline") {
			line = strings.TrimSuffix(line, "\n")
		}
		if row[0] != '+' {
			if base[at] != line {
				t.Fatalf("line %d is %q, the hunk has %q", at+1, base[at], line)
			}
			at++
		}
		if row[0] != '-' {
			result += line
		}
	}
	return result + strings.Join(base[at:], "")
}
