package term_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"

	"harness/internal/term"
)

func TestWidth(t *testing.T) {
	tests := map[string]struct {
		text string
		want int
	}{
		"empty":            {"", 0},
		"ASCII":            {"src/sum.ts", 10},
		"Latin-1":          {"café", 4},
		"combining":        {"cafe\u0301", 4},
		"stacked":          {"a\u0300\u0301\u0302", 1},
		"Chinese":          {"世界", 4},
		"fullwidth":        {"Ａ，", 4},
		"halfwidth kana":   {"ｱ", 1},
		"ambiguous":        {"…→×±αж", 6},
		"Hangul":           {"한글", 4},
		"Hangul jamo":      {"\u1112\u1161\u11ab", 2},
		"emoji":            {"😀", 2},
		"emoji, skin":      {"👍🏽", 2},
		"emoji, joined":    {"👩\u200d👩\u200d👧", 2},
		"flag":             {"🇨🇳", 2},
		"half a flag":      {"🇨", 1},
		"two flags":        {"🇨🇳🇫🇷", 4},
		"mixed with ASCII": {"ab世c界de\u0301fg", 11},
		"prepended":        {"\u0600ab", 3},
		"emoji selector":   {"⚠\ufe0f", 2},
		"keycap":           {"1\ufe0f\u20e3", 2},
		"Devanagari":       {"नि", 2},
		"tab":              {"\t", 8},
		"controls":         {"\x00\x1b\x7f\u0085", 0},
		"zero width":       {"\u200b\u2060\ufeff\u00ad", 0},
		"bytes":            {"\xff\xfe", 2},
		"bytes in text":    {"a\xe9世\xe7\x95", 6},
		"accent on a byte": {"\xff\u0301", 1},
	}
	for name, test := range tests {
		if got := term.Width(test.text); got != test.want {
			t.Errorf("%s: Width(%q) = %d; want %d", name, test.text, got, test.want)
		}
	}
}

func TestClip(t *testing.T) {
	tests := []struct {
		text     string
		columns  int
		ellipsis string
		want     string
	}{
		{"abcdef", 6, "…", "abcdef"},
		{"abcdef", 5, "…", "abcd…"},
		{"abcdef", 5, "...", "ab..."},
		{"abcdef", 1, "…", "…"},
		{"abcdef", 0, "…", ""},
		{"abcdef", -1, "…", ""},
		{"", 0, "…", ""},
		{"", -1, "…", ""},
		{"abcdef", 2, "...", ".."},
		{"abcdef", 3, "", "abc"},
		{"世界和平", 8, "…", "世界和平"},
		{"世界和平", 7, "…", "世界和…"},
		{"世界和平", 6, "…", "世界…"},
		{"世界和平", 2, "…", "…"},
		{"e\u0301e\u0301e\u0301", 2, "…", "e\u0301…"},
		{"e\u0301", 1, "…", "e\u0301"},
		{"👩\u200d👩\u200d👧x!", 3, "…", "👩\u200d👩\u200d👧…"},
		{"🇨🇳🇫🇷", 3, "…", "🇨🇳…"},
		{"a\tb", 8, "…", "a…"},
		{"a\xff\xfe\xfd", 3, "…", "a\xff…"},
	}
	for _, test := range tests {
		got := term.Clip(test.text, test.columns, test.ellipsis)
		if got != test.want {
			t.Errorf("Clip(%q, %d, %q) = %q; want %q",
				test.text, test.columns, test.ellipsis, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := map[string]struct {
		text    string
		columns int
		want    []string
	}{
		"empty":             {"", 10, []string{""}},
		"fits":              {"one two", 7, []string{"one two"}},
		"at a space":        {"one two three", 8, []string{"one two", "three"}},
		"long word":         {"abcdefgh", 3, []string{"abc", "def", "gh"}},
		"long word inside":  {"a bcdefgh i", 4, []string{"a", "bcde", "fgh", "i"}},
		"two spaces stay":   {"CODE  why it", 10, []string{"CODE  why", "it"}},
		"two spaces break":  {"CODE  why", 6, []string{"CODE", "why"}},
		"line breaks stay":  {"a\n\nb c", 2, []string{"a", "", "b", "c"}},
		"indent stays":      {"  ab cd", 4, []string{"  ab", "cd"}},
		"indent too long":   {"      ab", 4, []string{"ab"}},
		"spaces at the end": {"ab   ", 3, []string{"ab"}},
		"spaces alone":      {"     ", 3, []string{""}},
		"wide":              {"世界和平", 5, []string{"世界", "和平"}},
		"wide in one":       {"世a", 1, []string{"世", "a"}},
		"no columns":        {"ab", 0, []string{"a", "b"}},
		"clusters stay":     {"e\u0301e\u0301 e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		"combining space":   {"a \u0301b", 2, []string{"a \u0301", "b"}},
	}
	for name, test := range tests {
		got := term.Wrap(test.text, test.columns)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: Wrap(%q, %d) = %q; want %q", name, test.text, test.columns, got, test.want)
		}
	}
}

// anyText draws text of every kind that is hard to measure.
func anyText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "bc", " ", "  ", "-", "世", "界", "e\u0301", "\u0301", "👩\u200d👩", "🇨", "🇳", "👍🏽",
		"⚠\ufe0f", "\ufe0f", "\u1112\u1161", "\u1161", "नि", "\xff", "\xe7\x95", "\t", "…", "\u200b",
	})
	return rapid.Map(rapid.SliceOfN(piece, 0, 24), func(parts []string) string {
		return strings.Join(parts, "")
	})
}

func TestClipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		columns := rapid.IntRange(-1, 30).Draw(t, "columns")
		ellipsis := rapid.SampledFrom([]string{"", "…", "..."}).Draw(t, "ellipsis")
		got := term.Clip(text, columns, ellipsis)
		if width := term.Width(got); width > max(columns, 0) {
			t.Fatalf("%q is %d columns; want at most %d", got, width, columns)
		}
		if got == text {
			return
		}
		if term.Width(text) <= columns {
			t.Fatalf("%q was cut to %q; it fits", text, got)
		}
		head, ok := strings.CutSuffix(got, ellipsis)
		if !ok && columns >= term.Width(ellipsis) {
			t.Fatalf("%q does not end in %q", got, ellipsis)
		}
		if ok && !clusterEnds(text)[len(head)] {
			t.Fatalf("%q was cut inside a cluster to %q", text, got)
		}
	})
}

// clusterEnds gives the byte offsets at which valid text may be cut, and around
// bytes that are not UTF-8.
func clusterEnds(text string) map[int]bool {
	ends := map[int]bool{0: true}
	offset := 0
	for len(text) > offset {
		rest := text[offset:]
		valid := 0
		for valid < len(rest) {
			r, size := utf8.DecodeRuneInString(rest[valid:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			valid += size
		}
		for g := graphemes.FromString(rest[:valid]); g.Next(); {
			offset += len(g.Value())
			ends[offset] = true
		}
		if valid < len(rest) {
			offset++
			ends[offset] = true
		}
	}
	return ends
}

func TestWidthAddsUpAcrossASpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyText().Draw(t, "a"), anyText().Draw(t, "b")
		if whole, parts := term.Width(a+" "+b), term.Width(a)+1+term.Width(b); whole != parts &&
			!strings.HasPrefix(b, "\u0301") && !strings.HasPrefix(b, "\ufe0f") {
			t.Fatalf("%q is %d columns; its parts are %d", a+" "+b, whole, parts)
		}
	})
}

func TestWrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		columns := rapid.IntRange(8, 30).Draw(t, "columns")
		lines := term.Wrap(text, columns)
		for _, line := range lines {
			if width := term.Width(line); width > columns {
				t.Fatalf("%q is %d columns; want at most %d", line, width, columns)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := squeeze(strings.Join(lines, "")); got != squeeze(text) {
			t.Fatalf("Wrap(%q) lost text: %q", text, lines)
		}
	})
}

func FuzzMeasure(f *testing.F) {
	for _, seed := range []string{"", "plain", "世界", "e\u0301\u0301", "🇨🇳🇫", "\xff\xe7\x95", "a\tb", "1\ufe0f\u20e3"} {
		f.Add(seed, 5)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = min(max(columns, -2), 200)
		clipped := term.Clip(text, columns, "…")
		if got := term.Width(clipped); got > max(columns, 0) {
			t.Errorf("Clip(%q, %d) = %q is %d columns", text, columns, clipped, got)
		}
		if len(strings.Join(term.Wrap(text, columns), "")) > len(text) {
			t.Errorf("Wrap(%q, %d) adds text", text, columns)
		}
		if got := term.Width(text); got < 0 || got > 8*len(text) {
			t.Errorf("Width(%q) = %d", text, got)
		}
	})
}

// Hostile text must cost what its length does, and no more: these finish at
// once in linear time and would take minutes in quadratic time.
func TestLongText(t *testing.T) {
	const size = 1 << 17
	for name, unit := range map[string]string{
		"ASCII": "a", "spaces": " ", "marks": "\u0301", "bytes": "\x80", "leads": "\xe7",
		"flags": "🇨", "joined": "👩\u200d", "mixed": "a\xff世 ", "breaks": "\n",
	} {
		text := strings.Repeat(unit, size/len(unit))
		if got := term.Width(term.Clip(text, 40, "…")); got > 40 {
			t.Errorf("%s: clipped to %d columns; want at most 40", name, got)
		}
		if got := len(strings.Join(term.Wrap(text, 40), "")); got > len(text) {
			t.Errorf("%s: wrapped to %d bytes; want at most %d", name, got, len(text))
		}
		if got := len(term.EscapeText(text)); got < len(text) {
			t.Errorf("%s: escaped to %d bytes; want at least %d", name, got, len(text))
		}
	}
}
