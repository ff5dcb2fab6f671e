package term

import (
	"strings"

	"github.com/fatih/color"
)

// Tone is the meaning that a colour carries. The zero value is [Normal], text
// without any; a meaning must also stand in the words, for those who see no
// colour.
type Tone uint8

// The tones.
const (
	Normal Tone = iota
	// Good is for what passed or was allowed.
	Good
	// Bad is for what failed or was denied.
	Bad
	// Warn is for what needs attention.
	Warn
	// Dim is for what matters less.
	Dim
	// Strong is for what matters more.
	Strong
	// Added is for a line that a change adds.
	Added
	// Removed is for a line that a change removes.
	Removed
	// Accent is for a name, a place or a command.
	Accent
)

// attributes gives the tone's terminal attributes; none for [Normal]. They are
// the eight basic colours, which follow the user's own palette.
func (t Tone) attributes() []color.Attribute {
	switch t {
	case Good, Added:
		return []color.Attribute{color.FgGreen}
	case Bad:
		return []color.Attribute{color.Bold, color.FgRed}
	case Removed:
		return []color.Attribute{color.FgRed}
	case Warn:
		return []color.Attribute{color.FgYellow}
	case Dim:
		return []color.Attribute{color.Faint}
	case Strong:
		return []color.Attribute{color.Bold}
	case Accent:
		return []color.Attribute{color.FgCyan}
	}
	return nil
}

// Style says how text looks on one stream. It is a small value, to be copied
// freely; the zero value has no colour and its glyphs are Unicode.
type Style struct {
	color bool
	ascii bool
}

// NewStyle makes a style with colour on or off, and 7-bit or Unicode glyphs.
func NewStyle(color, ascii bool) Style { return Style{color: color, ascii: ascii} }

// Color reports whether the style uses colour.
func (s Style) Color() bool { return s.color }

// ASCII reports whether the style keeps to 7-bit characters.
func (s Style) ASCII() bool { return s.ascii }

// Paint gives text the tone's colour, each line by itself, so that a pager or a
// cut never lets it run on. Without colour, and for [Normal], it is the text.
func (s Style) Paint(t Tone, text string) string {
	attributes := t.attributes()
	if !s.color || text == "" || attributes == nil {
		return text
	}
	pen := color.New(attributes...)
	// The library's own idea of colour was made from the standard output and
	// the environment; the stream's decides.
	pen.EnableColor()
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		if body != "" {
			b.WriteString(pen.Sprint(body))
		}
		b.WriteString(line[len(body):])
	}
	return b.String()
}

// Good paints text with the tone of its name, as do the methods that follow.
func (s Style) Good(text string) string    { return s.Paint(Good, text) }
func (s Style) Bad(text string) string     { return s.Paint(Bad, text) }
func (s Style) Warn(text string) string    { return s.Paint(Warn, text) }
func (s Style) Dim(text string) string     { return s.Paint(Dim, text) }
func (s Style) Strong(text string) string  { return s.Paint(Strong, text) }
func (s Style) Added(text string) string   { return s.Paint(Added, text) }
func (s Style) Removed(text string) string { return s.Paint(Removed, text) }
func (s Style) Accent(text string) string  { return s.Paint(Accent, text) }

// Ellipsis marks a cut: "…" or "...".
func (s Style) Ellipsis() string { return s.glyph("…", "...") }

// Minus stands before a count of removed lines: "−" or "-".
func (s Style) Minus() string { return s.glyph("−", "-") }

// Dot stands between items of a line: "·" or "-".
func (s Style) Dot() string { return s.glyph("·", "-") }

// Arrow leads from one thing to the next: "→" or "->".
func (s Style) Arrow() string { return s.glyph("→", "->") }

// Tick marks what holds: "✓" or "ok".
func (s Style) Tick() string { return s.glyph("✓", "ok") }

// Cross marks what does not hold: "✗" or "x".
func (s Style) Cross() string { return s.glyph("✗", "x") }

func (s Style) glyph(unicode, ascii string) string {
	if s.ascii {
		return ascii
	}
	return unicode
}

// EscapeLine is [EscapeLine] under this style: in ASCII, every character
// outside ASCII is escaped too.
func (s Style) EscapeLine(text string) string { return escaper{ascii: s.ascii}.apply(text) }

// EscapeText is [EscapeText] under this style: in ASCII, every character
// outside ASCII is escaped too.
func (s Style) EscapeText(text string) string {
	return escaper{lines: true, ascii: s.ascii}.apply(text)
}
