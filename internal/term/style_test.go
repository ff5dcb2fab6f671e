package term_test

import (
	"testing"

	"harness/internal/term"
)

func TestPaint(t *testing.T) {
	on, off := term.NewStyle(true, false), term.NewStyle(false, false)
	tests := map[string]struct {
		paint func(term.Style, string) string
		text  string
		want  string
	}{
		"good":          {term.Style.Good, "x", "\x1b[32mx\x1b[0m"},
		"bad":           {term.Style.Bad, "x", "\x1b[1;31mx\x1b[22;0m"},
		"warn":          {term.Style.Warn, "x", "\x1b[33mx\x1b[0m"},
		"dim":           {term.Style.Dim, "x", "\x1b[2mx\x1b[22m"},
		"strong":        {term.Style.Strong, "x", "\x1b[1mx\x1b[22m"},
		"added":         {term.Style.Added, "+x", "\x1b[32m+x\x1b[0m"},
		"removed":       {term.Style.Removed, "-x", "\x1b[31m-x\x1b[0m"},
		"accent":        {term.Style.Accent, "x", "\x1b[36mx\x1b[0m"},
		"empty":         {term.Style.Good, "", ""},
		"line by line":  {term.Style.Good, "a\n\nb\n", "\x1b[32ma\x1b[0m\n\n\x1b[32mb\x1b[0m\n"},
		"not a format":  {term.Style.Good, "100%d", "\x1b[32m100%d\x1b[0m"},
		"break only":    {term.Style.Good, "\n", "\n"},
		"no final line": {term.Style.Accent, "a\nb", "\x1b[36ma\x1b[0m\n\x1b[36mb\x1b[0m"},
	}
	for name, test := range tests {
		if got := test.paint(on, test.text); got != test.want {
			t.Errorf("%s: got %q; want %q", name, got, test.want)
		}
		if got := test.paint(off, test.text); got != test.text {
			t.Errorf("%s without colour: got %q; want %q", name, got, test.text)
		}
	}
	if got := on.Paint(term.Normal, "x"); got != "x" {
		t.Errorf("normal: got %q; want %q", got, "x")
	}
}

// The colour library reads the environment when it is loaded and whenever a
// colour is made; a stream's style must not depend on it.
func TestPaintIgnoresEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	if got, want := term.NewStyle(true, false).Good("x"), "\x1b[32mx\x1b[0m"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestGlyphs(t *testing.T) {
	tests := map[string]struct {
		glyph          func(term.Style) string
		unicode, ascii string
	}{
		"ellipsis": {term.Style.Ellipsis, "…", "..."},
		"minus":    {term.Style.Minus, "−", "-"},
		"dot":      {term.Style.Dot, "·", "-"},
		"arrow":    {term.Style.Arrow, "→", "->"},
		"tick":     {term.Style.Tick, "✓", "ok"},
		"cross":    {term.Style.Cross, "✗", "x"},
	}
	unicode, ascii := term.NewStyle(false, false), term.NewStyle(false, true)
	for name, test := range tests {
		if got := test.glyph(unicode); got != test.unicode || term.Width(got) != 1 {
			t.Errorf("%s: got %q, %d columns; want %q, 1", name, got, term.Width(got), test.unicode)
		}
		if got := test.glyph(ascii); got != test.ascii {
			t.Errorf("%s in ASCII: got %q; want %q", name, got, test.ascii)
		}
	}
}
