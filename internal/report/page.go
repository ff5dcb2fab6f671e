package report

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/term"
)

// widest is how many columns prose takes at most, however wide the terminal.
const widest = 100

// page lays text out on a stream. Text given to it is escaped; only glyphs of
// its style and spaces are added.
type page struct {
	s     *term.Stream
	style term.Style
	width int // of prose, in columns
}

func newPage(s *term.Stream) *page {
	return &page{s: s, style: s.Style(), width: min(s.Width(), widest)}
}

// raw writes what is laid out, escaped and painted already. The stream keeps
// the first error.
func (p *page) raw(text string) { _, _ = io.WriteString(p.s, text) }

func (p *page) blank() { p.raw("\n") }

// prose writes text wrapped to the page, each line indented. Line breaks in the
// text are kept.
func (p *page) prose(indent int, tone term.Tone, text string) {
	margin := strings.Repeat(" ", indent)
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, line := range term.Wrap(p.style.EscapeLine(paragraph), max(p.width-indent, 1)) {
			p.raw(strings.TrimRight(margin+p.style.Paint(tone, line), " ") + "\n")
		}
	}
}

// print writes a table in the width of prose.
func (p *page) print(t *term.Table) { p.raw(t.Render(p.style, p.width)) }

// pairs is a table of labels and texts, the texts wrapped below themselves. On a
// page too narrow for two columns each text stands below its label.
type pairs struct {
	indent int
	rows   []pair
}

type pair struct {
	tone  term.Tone
	label string
	text  term.Cell
}

func (l *pairs) add(tone term.Tone, label string, text term.Cell) {
	l.rows = append(l.rows, pair{tone, label, text})
}

// narrow is the width below which labels stand above their texts.
const narrow = 32

func (p *page) pairs(l *pairs) {
	longest := 0
	for _, row := range l.rows {
		longest = max(longest, term.Width(p.style.EscapeLine(row.label)))
	}
	if p.width-l.indent-longest-2 >= narrow || longest <= 8 {
		t := term.Table{Indent: l.indent}
		for _, row := range l.rows {
			t.Row(row.tone.Cell(row.label), row.text)
		}
		p.print(&t)
		return
	}
	for _, row := range l.rows {
		if row.label != "" {
			p.prose(l.indent, row.tone, row.label)
		}
		t := term.Table{Indent: l.indent + 2}
		t.Row(row.text)
		p.print(&t)
	}
}

// ours is text of this program in the page's style: in ASCII its few other
// characters are spelled out. It is not for text from outside, which is escaped.
func (p *page) ours(text string) string {
	if !p.style.ASCII() {
		return text
	}
	return strings.NewReplacer("…", "...", "·", "-", "−", "-", "–", "-", "→", "->", "×", "x", "≤", "<=", "≥", ">=").Replace(text)
}

// join puts a dot between parts.
func (p *page) join(parts ...string) string { return strings.Join(parts, " "+p.style.Dot()+" ") }

// digest is a hash short enough to be read.
func (p *page) digest(hash string) string {
	const shown = 8
	if len(hash) <= shown {
		return hash
	}
	return hash[:shown] + p.style.Ellipsis()
}

// quoted is foreign text in quotes on one line, clipped.
func (p *page) quoted(text string, columns int) string {
	return `"` + p.clip(text, columns-2) + `"`
}

// clip is foreign text on one line, escaped and cut to columns. The cost does
// not grow with what is cut off.
func (p *page) clip(text string, columns int) string {
	head := text
	// A column takes at most 64 bytes in any text that a person would read.
	if end := 64 * max(columns, 1); len(head) > end {
		for back := 0; back < utf8.UTFMax && !utf8.RuneStart(text[end]); back++ {
			end--
		}
		head = text[:end] + p.style.Ellipsis()
	}
	return term.Clip(p.style.EscapeLine(head), columns, p.style.Ellipsis())
}

// number is a count with commas between thousands.
func number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// count is a number of things: "1 edit", "2 edits".
func count(n int, one string) string { return countOf(n, one, one+"s") }

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}
