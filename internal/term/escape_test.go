package term_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"harness/internal/term"
)

func TestEscapeLine(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"plain":               {"src/sum.ts", "src/sum.ts"},
		"empty":               {"", ""},
		"Chinese":             {"世界，你好", "世界，你好"},
		"combining":           {"e\u0301", "e\u0301"},
		"line break":          {"a\nb", "a<U+000A>b"},
		"tab":                 {"a\tb", "a<U+0009>b"},
		"lone CR":             {"safe\rrm", "safe<U+000D>rm"},
		"CSI":                 {"\x1b[31mred", "<U+001B>[31mred"},
		"OSC":                 {"\x1b]0;title\x07", "<U+001B>]0;title<U+0007>"},
		"NUL and DEL":         {"\x00\x7f", "<U+0000><U+007F>"},
		"C1 CSI":              {"\u009b31m", "<U+009B>31m"},
		"next line":           {"a\u0085b", "a<U+0085>b"},
		"separators":          {"a\u2028b\u2029", "a<U+2028>b<U+2029>"},
		"bidi overrides":      {"\u202a\u202b\u202c\u202d\u202e", "<U+202A><U+202B><U+202C><U+202D><U+202E>"},
		"bidi isolates":       {"\u2066\u2067\u2068\u2069", "<U+2066><U+2067><U+2068><U+2069>"},
		"bidi marks":          {"\u200e\u200f\u061c", "<U+200E><U+200F><U+061C>"},
		"zero width":          {"\u200b\u200c\u200d\u2060\ufeff", "<U+200B><U+200C><U+200D><U+2060><U+FEFF>"},
		"soft hyphen":         {"pass\u00adword", "pass<U+00AD>word"},
		"fillers":             {"\u115f\u1160\u3164\uffa0", "<U+115F><U+1160><U+3164><U+FFA0>"},
		"tag characters":      {"hi\U000e0041\U000e007f", "hi<U+E0041><U+E007F>"},
		"supplement":          {"x\U000e0100", "x<U+E0100>"},
		"emoji selector":      {"⚠\ufe0f", "⚠\ufe0f"},
		"keycap":              {"1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		"selector after word": {"pass\ufe0fword", "pass<U+FE0F>word"},
		"two selectors":       {"⚠\ufe0f\ufe0f", "⚠\ufe0f<U+FE0F>"},
		"selector first":      {"\ufe0f", "<U+FE0F>"},
		"selector after gap":  {"⚠\u200b\ufe0f", "⚠<U+200B><U+FE0F>"},
		"Latin-1 byte":        {"caf\xe9", "caf<0xE9>"},
		"surrogate":           {"\xed\xa0\x80", "<0xED><0xA0><0x80>"},
		"overlong":            {"\xc0\x80", "<0xC0><0x80>"},
		"cut character":       {"世\xe7\x95", "世<0xE7><0x95>"},
		"real U+FFFD":         {"\ufffd", "\ufffd"},
		"Arabic number sign":  {"\u0600", "\u0600"},
		"looks escaped":       {"<U+202E>", "<U+202E>"},
	}
	for name, test := range tests {
		if got := term.EscapeLine(test.text); got != test.want {
			t.Errorf("%s: got %q; want %q", name, got, test.want)
		}
	}
}

func TestEscapeText(t *testing.T) {
	got := term.EscapeText("a\tb\r\n\x1b[2Jc\n")
	if want := "a\tb<U+000D>\n<U+001B>[2Jc\n"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestEscapeInASCII(t *testing.T) {
	s := term.NewStyle(false, true)
	text := "héllo\t世界 😀\xff\n"
	want := "h<U+00E9>llo<U+0009><U+4E16><U+754C> <U+1F600><0xFF><U+000A>"
	if got := s.EscapeLine(text); got != want {
		t.Errorf("line: got %q; want %q", got, want)
	}
	want = "h<U+00E9>llo\t<U+4E16><U+754C> <U+1F600><0xFF>\n"
	if got := s.EscapeText(text); got != want {
		t.Errorf("text: got %q; want %q", got, want)
	}
	if got := term.NewStyle(true, false).EscapeLine("é\t"); got != "é<U+0009>" {
		t.Errorf("Unicode: got %q; want %q", got, "é<U+0009>")
	}
}

func TestEscapeCleanTextIsNotCopied(t *testing.T) {
	text := strings.Repeat("clean: 世界 é ⚠\ufe0f ", 100)
	if got := testing.AllocsPerRun(10, func() { term.EscapeLine(text) }); got != 0 {
		t.Errorf("%v allocations; want 0", got)
	}
}

func TestEscapeEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := string(r)
		want := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
			unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if got := term.EscapeLine(text) != text; got != want {
			t.Errorf("%U: escaped is %v; want %v", r, got, want)
		}
		if refused(r) && !want {
			t.Errorf("%U must be escaped", r)
		}
	}
}

// refused are characters that must never reach a terminal, written out one by
// one so that the test does not share the tables of the code.
func refused(r rune) bool {
	switch {
	case r < 0x20, r == 0x7F, 0x80 <= r && r <= 0x9F, r == 0xAD,
		r == 0x61C, r == 0x180E, 0x200B <= r && r <= 0x200F,
		0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F, r == 0xFEFF,
		0xFE00 <= r && r <= 0xFE0D, 0xFFF0 <= r && r <= 0xFFFB,
		0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
	return false
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "\x1b[31m", "a\r\nb\tc", "\u202e\u2066", "\xff\xfe", "⚠\ufe0f\ufe0f",
		"1\ufe0f\u20e3", "\U000e0041", "e\u0301", "\xed\xa0\x80", "a\u0085b\u2028",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line, lines := term.EscapeLine(text), term.EscapeText(text)
		ascii := term.NewStyle(false, true).EscapeLine(text)
		for name, got := range map[string]string{
			"line": line, "text": strings.NewReplacer("\n", "", "\t", "").Replace(lines), "ascii": ascii,
		} {
			if !utf8.ValidString(got) {
				t.Errorf("%s: %q is not UTF-8", name, got)
			}
			if i := strings.IndexFunc(got, refused); i >= 0 {
				t.Errorf("%s: %q at %d is not safe", name, got, i)
			}
		}
		if i := strings.IndexFunc(ascii, func(r rune) bool { return r > 0x7E }); i >= 0 {
			t.Errorf("ascii: %q at %d is not ASCII", ascii, i)
		}
		if got := term.EscapeLine(line); got != line {
			t.Errorf("line twice: got %q; want %q", got, line)
		}
		if got := term.EscapeText(lines); got != lines {
			t.Errorf("text twice: got %q; want %q", got, lines)
		}
		if got := term.EscapeLine(lines); got != line {
			t.Errorf("text, then line: got %q; want %q", got, line)
		}
	})
}
