package vrepo

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestQuoteText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `""`},
		{"plain é 漢", `"plain é 漢"`},
		{"\ta \"b\" \\n\r\n", `"\ta \"b\" \\n\r\n"`},
		{"a\u00A0\u3000\u200B\uFEFF\u202E\x00", `"a\u00a0\u3000\u200b\ufeff\u202e\u0000"`},
		{"\U000E0041", `"\udb40\udc41"`},
		{"\u0301e\u0301", `"\u0301e` + "\u0301" + `"`},
	} {
		if got := quoteText(c.text); got != c.want {
			t.Errorf("quoteText(%+q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestQuoteAround(t *testing.T) {
	long := strings.Repeat("a", 30) + "X" + strings.Repeat("b", 60)
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"short", 3, `"short"`},
		{long, 0, `"` + long[:40] + `…"`},
		{long, 30, `"…` + long[20:60] + `…"`},
		{long, len(long), `"…` + strings.Repeat("b", 10) + `"`},
		{strings.Repeat("\u00A0", 90), 100, `"…` + strings.Repeat(`\u00a0`, 6) + `…"`},
	} {
		if got := quoteAround(c.text, c.at, quoteContext); got != c.want {
			t.Errorf("quoteAround(%q, %d)\ngot  %s\nwant %s", c.text, c.at, got, c.want)
		}
	}
}

func TestSpellApart(t *testing.T) {
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"caf\u00e9.txt", "cafe\u0301.txt", `"caf\u00e9.txt"`, `"cafe\u0301.txt"`},
		{"ä/\u212B", "ä/\u00C5", `"ä/\u212b"`, `"ä/\u00c5"`},
		{"SRC/a", "src/A", `"SRC/a"`, `"src/A"`},
		{"é", "é", `"é"`, `"é"`},
	} {
		if a, b := spellApart(c.a, c.b); a != c.wantA || b != c.wantB {
			t.Errorf("spellApart(%+q, %+q) = %s, %s, want %s, %s", c.a, c.b, a, b, c.wantA, c.wantB)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune{'a', 'e', 'é', '\u0301', '\u00A0', '漢', '\U0001F680'}))
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		spelledA, spelledB := spellApart(a, b)
		if (spelledA == spelledB) != (a == b) || !utf8.ValidString(spelledA) || !utf8.ValidString(spelledB) {
			t.Fatalf("spellApart(%+q, %+q) = %s, %s", a, b, spelledA, spelledB)
		}
	})
}

func TestLatinLookalikes(t *testing.T) {
	if n, want := utf8.RuneCountInString(otherLetters), len(otherLatin); n != want || len(otherLetters) != 2*n {
		t.Errorf("%d letters of %d bytes look like %d Latin ones", n, len(otherLetters), want)
	}
	if n, want := utf8.RuneCountInString(cherokeeLetters), len(cherokeeLatin); n != want || len(cherokeeLetters) != 3*n {
		t.Errorf("%d Cherokee letters of %d bytes look like %d Latin ones", n, len(cherokeeLetters), want)
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		plain, ok := latinLookalike(r)
		if ok && (plain <= ' ' || plain >= 0x7F || r < utf8.RuneSelf) {
			t.Fatalf("%U looks like %q", r, plain)
		}
	}
	for r, want := range map[rune]byte{'а': 'a', 'ѵ': 'v', 'Α': 'A', 'ν': 'v', 'Ν': 'N', 'յ': 'j', 'Ᏼ': 'B', '～': '~', '！': '!', '𝐀': 'A', '𝐳': 'z', '𝚣': 'z', '𝟎': '0', '𝟿': '9', '。': '.'} {
		if got, ok := latinLookalike(r); !ok || got != want {
			t.Errorf("%c %U looks like %q, want %q", r, r, got, want)
		}
	}
}
