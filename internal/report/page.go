package report

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/term"
)

// The bounds of a page in columns: prose wider than widest is hard to read, and
// a terminal narrower than least has to break lines itself.
const (
	widest = 100
	least  = 40
)

// page lays text out on a stream. Text given to it is escaped; only glyphs of
// its style and spaces are added.
type page struct {
	s     *term.Stream
	style term.Style
	width int // of prose, in columns
}

func newPage(s *term.Stream) *page {
	return &page{s: s, style: s.Style(), width: max(least, min(s.Width(), widest))}
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

// boundless is a width that no line reaches.
const boundless = 1 << 30

// wide is the page for one record a line: where no terminal is, other programs
// read the lines, and none is cut or wrapped.
func (p *page) wide() *page {
	if !p.s.Unread() {
		return p
	}
	w := *p
	w.width = boundless
	return &w
}

// print writes a table in the width of prose.
func (p *page) print(t *term.Table) { p.raw(t.Render(p.style, p.width)) }

// pairs is a table of labels and texts, the texts wrapped below themselves. On a
// page too narrow for two columns each text stands below its label.
type pairs struct {
	indent int
	rows   []pair
}

// pair is a label and the parts of its text. Parts stand side by side with a dot
// between, and are kept whole where they can be.
type pair struct {
	tone  term.Tone
	label string
	parts []term.Cell
}

func (l *pairs) add(tone term.Tone, label string, parts ...term.Cell) {
	l.rows = append(l.rows, pair{tone, label, parts})
}

// addTexts is add for parts without a tone.
func (l *pairs) addTexts(tone term.Tone, label string, parts ...string) {
	cells := make([]term.Cell, len(parts))
	for i, part := range parts {
		cells[i] = term.Text(part)
	}
	l.add(tone, label, cells...)
}

// narrow is the width of texts below which labels stand above them, unless the
// labels are short.
const (
	narrow     = 40
	shortLabel = 8
)

func (p *page) pairs(l *pairs) {
	longest := 0
	for _, row := range l.rows {
		longest = max(longest, term.Width(p.style.EscapeLine(row.label)))
	}
	room := p.width - l.indent - longest - gap
	if room < narrow && longest > shortLabel {
		p.stack(l)
		return
	}
	t := term.Table{Indent: l.indent}
	for _, row := range l.rows {
		label := row.tone.Cell(row.label)
		for _, line := range p.flow(row.parts, p.dot(), room) {
			t.Row(label, line)
			label = nil
		}
	}
	p.print(&t)
}

// stack writes pairs with each text below its label.
func (p *page) stack(l *pairs) {
	for _, row := range l.rows {
		if row.label != "" {
			p.prose(l.indent, row.tone, row.label)
		}
		t := term.Table{Indent: l.indent + 2}
		for _, line := range p.flow(row.parts, p.dot(), p.width-l.indent-2) {
			t.Row(line)
		}
		p.print(&t)
	}
}

// flow puts parts on lines of at most room columns, with between standing between
// the parts of a line. A part that is wider has lines of its own.
func (p *page) flow(parts []term.Cell, between string, room int) []term.Cell {
	var lines []term.Cell
	at := 0 // columns of the last line
	for i, part := range parts {
		size := 0
		for _, span := range part {
			size += term.Width(p.style.EscapeLine(span.Text))
		}
		if i == 0 || at+term.Width(between)+size > room {
			lines = append(lines, part)
			at = size
			continue
		}
		last := len(lines) - 1
		lines[last] = append(lines[last].Add(term.Dim, between), part...)
		at += term.Width(between) + size
	}
	return lines
}

// line writes parts on one line if they fit, with between standing between them.
func (p *page) line(parts []term.Cell, between string) {
	t := term.Table{}
	for _, line := range p.flow(parts, between, p.width) {
		t.Row(line)
	}
	p.print(&t)
}

// dot stands between the parts of a line.
func (p *page) dot() string { return " " + p.style.Dot() + " " }

// ours is text of this program in the page's style: in ASCII its few other
// characters are spelled out. It is not for text from outside, which is escaped.
func (p *page) ours(text string) string {
	if !p.style.ASCII() {
		return text
	}
	return strings.NewReplacer("…", "...", "·", "-", "−", "-", "–", "-", "→", "->", "×", "x", "≤", "<=", "≥", ">=").Replace(text)
}

// join puts a dot between parts.
func (p *page) join(parts ...string) string { return strings.Join(parts, p.dot()) }

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
