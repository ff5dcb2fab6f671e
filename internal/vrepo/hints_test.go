package vrepo

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bothSides are the forms in which a hint sets the file against before.
var bothSides = []*regexp.Regexp{
	regexp.MustCompile("the file has (.+) at \\d+:\\d+ where `before` has (.+?)(?:; the file's text is .*)?$"),
	regexp.MustCompile("(?s)(?:of the file is|of the file:) (\".*\")(?: at column \\d+)? where `before` has (\".*\")$"),
	regexp.MustCompile("the file has (.+) there where `before` has (.+)$"),
	regexp.MustCompile("if (.+) is (.+), at line"),
}

// A hint that shows the same text on both sides says nothing, and one that was
// cut may have lost the side that matters.
func TestHintsShowADifference(t *testing.T) {
	atoms := rapid.SampledFrom([]string{
		"a", "b", "a", "b", "A", " ", " ", "\t", "\n", "\n", "\r\n", "\r", "\u00A0", "\u3000", "\u200B", "\uFEFF", "é", "e\u0301", "\u0301",
		"а", "Α", "x", "’", "'", "“", "\"", "–", "\\", "\\n", "&lt;", "<", "漢", "\U0001F680", "{", "}\n", "foo bar()\n", "alpha beta gamma\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	})
	rapid.Check(t, func(t *rapid.T) {
		part := func(most int) string { return strings.Join(rapid.SliceOfN(atoms, 0, most).Draw(t, "part"), "") }
		shared := part(12)
		text := part(6) + shared + part(6) + strings.Repeat(part(3), rapid.IntRange(0, 30).Draw(t, "times")) + part(3)
		before := shared
		if rapid.Bool().Draw(t, "repeated") {
			before = strings.Repeat(part(3), rapid.IntRange(0, 30).Draw(t, "times"))
		}
		at := rapid.IntRange(0, len(before)).Draw(t, "at")
		before = strings.ToValidUTF8(before[:at]+part(2)+before[at:], "")
		if fileOf(text).Find(before, 1).Count > 0 {
			return
		}
		for _, hint := range fileOf(text).Explain(before, part(3), nil) {
			if strings.HasSuffix(hint, cutMark) {
				t.Fatalf("%q, before %q: the hint is cut: %s", text, before, hint)
			}
			checkSides(t, hint)
		}
	})
}

// checkSides fails if a hint has the same words for the file and for before. It
// tells which form the hint has, -1 for another.
func checkSides(t interface{ Errorf(string, ...any) }, hint string) (form int) {
	for i, form := range bothSides {
		if sides := form.FindStringSubmatch(hint); sides != nil {
			if sides[1] == sides[2] {
				t.Errorf("the sides do not differ: %s", hint)
			}
			return i
		}
	}
	return -1
}
