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
	seen := map[int]int{}
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
			for i, form := range bothSides {
				sides := form.FindStringSubmatch(hint)
				if sides == nil {
					continue
				}
				seen[i]++
				if sides[1] == sides[2] {
					t.Fatalf("%q, before %q: got %s", text, before, hint)
				}
			}
		}
	})
	for i, form := range bothSides {
		if seen[i] == 0 {
			t.Errorf("no hint was of the form %s", form)
		}
	}
}
