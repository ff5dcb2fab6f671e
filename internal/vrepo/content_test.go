package vrepo

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Encoding
		firstBad   int
	}{
		{"empty", "", UTF8, -1},
		{"ASCII", "a\n", UTF8, -1},
		{"E12 byte order mark", "\xEF\xBB\xBFhello\n", UTF8, -1},
		{"replacement character", "a\uFFFDb", UTF8, -1},
		{"E14 Latin-1", "x = 1;\n// caf\xE9\n", NotUTF8, 13},
		{"E15 Shift-JIS", "\x83\x65\x83\x58\x83\x67\x0A", NotUTF8, 0},
		{"surrogate", "a\xED\xA0\x80", NotUTF8, 1},
		{"overlong", "ab\xC0\x80", NotUTF8, 2},
		{"cut short", "ab\xE2\x82", NotUTF8, 2},
		{"after a replacement character", "\uFFFD\xFF", NotUTF8, 3},
		{"E17 UTF-16, little end first", "\xFF\xFEH\x00i\x00", UTF16LE, 0},
		{"E17 UTF-16, big end first", "\xFE\xFF\x00H\x00i", UTF16BE, 0},
		{"UTF-32", "\xFF\xFE\x00\x00H\x00\x00\x00", Binary, 2},
		{"E49 NUL", "a\x00b\n", Binary, 1},
		{"E49 NUL far behind", strings.Repeat("x", 10000) + "\x00", Binary, 10000},
		{"E49 NUL behind invalid bytes", "\xFF\x00", Binary, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fileOf(c.text)
			if got, bad := f.Encoding(), f.FirstBad(); got != c.want || bad != c.firstBad {
				t.Errorf("got %v at %d, want %v at %d", got, bad, c.want, c.firstBad)
			}
			if bad := fileOf(c.text).FirstBad(); bad != c.firstBad {
				t.Errorf("FirstBad asked first: got %d, want %d", bad, c.firstBad)
			}
		})
	}
}

func TestEncodingNames(t *testing.T) {
	want := []string{"unset", "utf-8", "not-utf-8", "binary", "utf-16le", "utf-16be", "unset"}
	for i, w := range want {
		if got := Encoding(i).String(); got != w {
			t.Errorf("Encoding(%d) = %q, want %q", i, got, w)
		}
	}
}

func TestEndingsAndLines(t *testing.T) {
	for _, c := range []struct {
		text, eol string
		lines     int
		bom       bool
	}{
		{"", "none", 0, false},
		{"a", "none", 1, false},
		{"a\n", "lf", 1, false},
		{"a\nb", "lf", 2, false},
		{"\n", "lf", 1, false},
		{"\n\n", "lf", 2, false},
		{"a\r\nb\r\n", "crlf", 2, false},
		{"a\rb", "cr", 1, false},
		{"10%\r20%\nend\n", "mixed", 2, false},
		{"a\r\nb\n", "mixed", 2, false},
		{"a\r\r\n", "mixed", 1, false},
		{"a\n\r", "mixed", 2, false},
		{"\uFEFFa", "none", 1, true},
		{"a\uFEFF", "none", 1, false},
	} {
		f := fileOf(c.text)
		if f.EOL() != c.eol || f.Lines() != c.lines || f.BOM() != c.bom {
			t.Errorf("%q: got %s, %d lines, BOM %v, want %s, %d, %v", c.text, f.EOL(), f.Lines(), f.BOM(), c.eol, c.lines, c.bom)
		}
	}
}

func TestHashIsOfRawBytes(t *testing.T) {
	for _, text := range []string{"", "a", "\xEF\xBB\xBFa\r\n", "a\x00\xff"} {
		sum := sha256.Sum256([]byte(text))
		if got, want := fileOf(text).Hash(), hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestCachesAreSafeForConcurrentUse(t *testing.T) {
	f := fileOf(strings.Repeat("é\r\n", 1000) + "x")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if f.Hash() == "" || f.Lines() != 1001 || f.EOL() != "crlf" || f.Encoding() != UTF8 || f.LineAt(f.Size()) != 1001 {
				t.Error("a cache gave another answer")
			}
		})
	}
	all.Wait()
}

// textOf draws texts with all kinds of line endings and widths.
func textOf(maxParts int) *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{"a", "b", "aa", "ab", "\n", "\n", "\r\n", "\r", " ", "\t", "é", "漢", "\U0001F680", "\uFEFF", "longer words "})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, maxParts).Draw(t, "parts"), "")
	})
}

// bigText is a text of several index blocks, with lines across their borders.
func bigText() string {
	var b strings.Builder
	for i := 0; b.Len() < 3*blockSize+100; i++ {
		b.WriteString(strings.Repeat("é", i%97))
		if i%5 > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestPositionsEqualCounting(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string, offset int) {
		f := fileOf(text)
		head := text[:offset]
		line := strings.Count(head, "\n") + 1
		column := utf8.RuneCountInString(head[strings.LastIndexByte(head, '\n')+1:]) + 1
		if f.LineAt(offset) != line || f.ColumnAt(offset) != column {
			t.Fatalf("offset %d of %d: got %d:%d, want %d:%d", offset, len(text), f.LineAt(offset), f.ColumnAt(offset), line, column)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := textOf(40).Draw(t, "text")
		check(t, text, rapid.IntRange(0, len(text)).Draw(t, "offset"))
	})
	big := bigText()
	for _, offset := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 2 * blockSize, 3 * blockSize, len(big) - 1, len(big)} {
		check(t, big, offset)
	}
	for _, text := range []string{"", "a\nb"} {
		f := fileOf(text)
		if f.LineAt(-5) != 1 || f.ColumnAt(-5) != 1 || f.LineAt(99) != f.LineAt(len(text)) {
			t.Errorf("%q: an offset outside is not the nearest end", text)
		}
	}
}

func TestStartOfEqualsSplitting(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "\n\n", bigText(), strings.Repeat("\n", blockSize+3), strings.Repeat("x", blockSize-1) + "\n" + "y\n"} {
		f := fileOf(text)
		at := 0
		for line := 1; line <= f.Lines(); line++ {
			if line > 100 && line%23 > 0 && line < f.Lines()-100 {
				at = lineEnd(text, at)
				continue // a sample is enough
			}
			if got := f.startOf(line); got != at {
				t.Fatalf("%d bytes: line %d starts at %d, want %d", len(text), line, got, at)
			}
			at = lineEnd(text, at)
		}
		if at != len(text) {
			t.Fatalf("%d bytes: %d lines end at %d", len(text), f.Lines(), at)
		}
	}
}

func TestSlice(t *testing.T) {
	const text = "one\ntwo\r\nthree\n\nfive"
	for _, c := range []struct {
		name            string
		text            string
		start, end, max int
		content         string
		lines           [3]int // StartLine, EndLine, TotalLines
		truncated       bool
		ok              bool
	}{
		{"whole", text, 1, 0, 1000, text, [3]int{1, 5, 5}, false, true},
		{"unset start", text, 0, 0, 1000, text, [3]int{1, 5, 5}, false, true},
		{"E01 real CRLF", text, 2, 2, 1000, "two\r\n", [3]int{2, 2, 5}, false, true},
		{"middle", text, 2, 3, 1000, "two\r\nthree\n", [3]int{2, 3, 5}, false, true},
		{"empty line", text, 4, 4, 1000, "\n", [3]int{4, 4, 5}, false, true},
		{"E55 from 3", text, 3, 0, 1000, "three\n\nfive", [3]int{3, 5, 5}, false, true},
		{"end beyond", text, 5, 99, 1000, "five", [3]int{5, 5, 5}, false, true},
		{"start beyond", text, 6, 0, 1000, "", [3]int{}, false, false},
		{"end before start", text, 3, 2, 1000, "", [3]int{}, false, false},
		{"cut", text, 1, 0, 5, "one\nt", [3]int{1, 2, 5}, true, true},
		{"cut at a line end", text, 1, 0, 4, "one\n", [3]int{1, 1, 5}, true, true},
		{"exact fit", text, 1, 1, 4, "one\n", [3]int{1, 1, 5}, false, true},
		{"E55 one long line", strings.Repeat("x", 3000), 1, 0, 2000, strings.Repeat("x", 2000), [3]int{1, 1, 1}, true, true},
		{"code points", "ééé\n", 1, 0, 2, "éé", [3]int{1, 1, 1}, true, true},
		{"E19 never inside a code point", "a\U0001F680b", 1, 0, 2, "a\U0001F680", [3]int{1, 1, 1}, true, true},
		{"no room", text, 2, 0, 0, "", [3]int{2, 1, 5}, true, true},
		{"negative room", text, 2, 0, -1, "", [3]int{2, 1, 5}, true, true},
		{"empty file", "", 1, 0, 1000, "", [3]int{1, 0, 0}, false, true},
		{"empty file, unset start", "", 0, 7, 1000, "", [3]int{1, 0, 0}, false, true},
		{"empty file, line 2", "", 2, 0, 1000, "", [3]int{}, false, false},
		{"E23 real tab", "\tx := 1\n", 1, 1, 1000, "\tx := 1\n", [3]int{1, 1, 1}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fileOf(c.text)
			s, ok := f.Slice(c.start, c.end, c.max)
			got := f.Text()[s.From:s.To]
			lines := [3]int{s.StartLine, s.EndLine, s.TotalLines}
			if ok != c.ok || got != c.content || lines != c.lines || s.Truncated != c.truncated {
				t.Errorf("got %v %q %v truncated %v, want %v %q %v %v", ok, got, lines, s.Truncated, c.ok, c.content, c.lines, c.truncated)
			}
		})
	}
}

func TestSliceAt(t *testing.T) {
	f := fileOf("aé\nb\n")
	for _, c := range []struct {
		offset, end int
		want        string
		start       int
		ok          bool
	}{
		{0, 0, "aé\nb\n", 1, true},
		{1, 0, "é\nb\n", 1, true},
		{1, 1, "é\n", 1, true},
		{2, 0, "", 0, false}, // inside é
		{4, 0, "b\n", 2, true},
		{4, 1, "", 0, false},
		{6, 0, "", 0, false},
		{-1, 0, "", 0, false},
		{99, 0, "", 0, false},
	} {
		s, ok := f.SliceAt(c.offset, c.end, 100)
		if got := f.Text()[s.From:s.To]; ok != c.ok || got != c.want || s.StartLine != c.start {
			t.Errorf("SliceAt(%d, %d): got %v %q line %d, want %v %q %d", c.offset, c.end, ok, got, s.StartLine, c.ok, c.want, c.start)
		}
	}
	if s, ok := fileOf("").SliceAt(0, 0, 5); !ok || s.Truncated || s.To != 0 {
		t.Errorf("empty file: got %+v, %v", s, ok)
	}
}

// The parts read with a cursor, put together, are the lines asked for; each is
// as long as it may be, and says truly whether more follows.
func TestSlicesMakeTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fileOf(textOf(60).Draw(t, "text"))
		start := rapid.IntRange(1, max(f.Lines(), 1)).Draw(t, "start")
		end := rapid.OneOf(rapid.Just(0), rapid.IntRange(start, start+20)).Draw(t, "end")
		most := rapid.IntRange(1, 10).Draw(t, "max")
		lines := strings.SplitAfter(f.Text(), "\n")
		last := len(lines)
		if end > 0 {
			last = min(end, last)
		}
		want := strings.Join(lines[start-1:last], "")

		s, ok := f.Slice(start, end, most)
		var got strings.Builder
		for {
			part := f.Text()[s.From:s.To]
			if !ok || utf8.RuneCountInString(part) > most || !utf8.ValidString(part) {
				t.Fatalf("got %v %q", ok, part)
			}
			if part != "" && (s.StartLine != f.LineAt(s.From) || s.EndLine != f.LineAt(s.To-1)) {
				t.Fatalf("%q: got lines %d-%d", part, s.StartLine, s.EndLine)
			}
			got.WriteString(part)
			if !s.Truncated {
				break
			}
			if part == "" {
				t.Fatalf("a cursor that makes no progress")
			}
			s, ok = f.SliceAt(s.To, end, most)
		}
		if got.String() != want {
			t.Fatalf("got %q, want %q", got.String(), want)
		}
	})
}
