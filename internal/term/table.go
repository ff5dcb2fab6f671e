package term

import (
	"io"
	"strings"
)

const (
	gutter    = 2  // spaces between two columns of a table
	leastCell = 8  // width that every column keeps when a table has to shrink
	leastLast = 20 // width that the last column keeps while others can shrink
)

// Span is a piece of text in one tone.
type Span struct {
	Tone Tone
	Text string
}

// Cell is what stands in one column of one row: spans side by side.
type Cell []Span

// Text is a cell without a tone.
func Text(text string) Cell { return Cell{{Text: text}} }

// Cell is a cell in this tone.
func (t Tone) Cell(text string) Cell { return Cell{{t, text}} }

// Add is the cell with one more span behind the others. Nothing is put between.
func (c Cell) Add(t Tone, text string) Cell {
	return append(c[:len(c):len(c)], Span{t, text})
}

// escaped is the cell as it may be printed, and its text without tones.
func (c Cell) escaped(style Style) (Cell, string) {
	safe := make(Cell, len(c))
	var text strings.Builder
	for i, span := range c {
		safe[i] = Span{span.Tone, style.EscapeLine(span.Text)}
		text.WriteString(safe[i].Text)
	}
	return safe, text.String()
}

// paint is the part of the cell's text that the stretch covers, in its tones.
func (c Cell) paint(style Style, part stretch) string {
	var b strings.Builder
	offset := 0
	for _, span := range c {
		start := max(part.start-offset, 0)
		end := min(part.end-offset, len(span.Text))
		if start < end {
			b.WriteString(style.Paint(span.Tone, span.Text[start:end]))
		}
		offset += len(span.Text)
	}
	return b.String()
}

// Overflow says what happens to text of the last column that is too long. The
// zero value is [WrapLast].
type Overflow uint8

// The ways.
const (
	// WrapLast goes on in the next line, below the column's beginning.
	WrapLast Overflow = iota
	// ClipLast cuts, with an ellipsis.
	ClipLast
	// KeepLast lets the line be longer than the table is wide.
	KeepLast
)

// Table prints rows in columns, two spaces apart, each column as wide as its
// widest cell. Where that is wider than the stream, the last column gives way as
// Overflow says; if it would be narrower than 20, the widest of the others are
// clipped, down to 8. Where columns of 8 do not fit, lines are longer than the
// stream is wide. Cells are escaped as single lines, and measured without their
// tones.
type Table struct {
	Indent   int      // spaces before every line
	Right    []int    // the columns, from 0, whose text is set to the right
	Overflow Overflow // of the last column

	rows [][]Cell
}

// Row adds a row. Rows may have different numbers of cells; what a row lacks is
// empty.
func (t *Table) Row(cells ...Cell) { t.rows = append(t.rows, cells) }

// Head adds a row of column titles.
func (t *Table) Head(titles ...string) {
	cells := make([]Cell, len(titles))
	for i, title := range titles {
		cells[i] = Strong.Cell(title)
	}
	t.Row(cells...)
}

// Print writes the table in the stream's style and width.
func (t *Table) Print(s *Stream) error {
	_, err := io.WriteString(s, t.Render(s.Style(), s.Width()))
	return err
}

// Render is the table as lines of at most width columns, each ended by "\n" and
// none by a space.
func (t *Table) Render(style Style, width int) string {
	rows, texts := t.escaped(style)
	l := layout{style: style, table: t}
	l.measure(texts, width)
	for i, row := range rows {
		l.row(row, texts[i])
	}
	return l.b.String()
}

// escaped gives every cell as it may be printed, and its bare text without
// spaces at the end.
func (t *Table) escaped(style Style) ([][]Cell, [][]string) {
	rows := make([][]Cell, len(t.rows))
	texts := make([][]string, len(t.rows))
	for i, row := range t.rows {
		rows[i] = make([]Cell, len(row))
		texts[i] = make([]string, len(row))
		for j, cell := range row {
			var text string
			rows[i][j], text = cell.escaped(style)
			texts[i][j] = strings.TrimRight(text, " ")
		}
	}
	return rows, texts
}

// right reports whether the column's text is set to the right.
func (t *Table) right(column int) bool {
	for _, c := range t.Right {
		if c == column {
			return true
		}
	}
	return false
}

// layout is a table being printed.
type layout struct {
	style  Style
	table  *Table
	widths []int // of each column
	b      strings.Builder
}

// measure sets the widths of the columns for lines of the given width.
func (l *layout) measure(texts [][]string, width int) {
	for _, row := range texts {
		for j, text := range row {
			if j == len(l.widths) {
				l.widths = append(l.widths, 0)
			}
			l.widths[j] = max(l.widths[j], Width(text))
		}
	}
	last := len(l.widths) - 1
	if last < 0 {
		return
	}
	room := width - l.table.Indent - gutter*last
	shrink(l.widths[:last], room-min(l.widths[last], leastLast))
	for _, w := range l.widths[:last] {
		room -= w
	}
	if l.table.Overflow != KeepLast {
		l.widths[last] = min(l.widths[last], max(room, leastCell))
	}
}

// shrink narrows the widest columns until all fit in room, none to less than
// leastCell.
func shrink(widths []int, room int) {
	total := 0
	for i, w := range widths {
		widths[i] = min(w, max(room, leastCell))
		total += widths[i]
	}
	for ; total > room && len(widths) > 0; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= leastCell {
			return
		}
		widths[widest]--
	}
}

// row prints one row, in as many lines as its last column needs.
func (l *layout) row(cells []Cell, texts []string) {
	at := 0 // what the line takes so far
	place := slot{start: l.table.Indent}
	for j, cell := range cells {
		place.width, place.right = l.widths[j], l.table.right(j)
		parts, ending := l.parts(texts[j], j)
		for i, part := range parts {
			if i > 0 {
				l.b.WriteByte('\n')
				at = 0
			}
			at = l.put(place, at, cell, texts[j], part, ending)
		}
		place.start += place.width + gutter
	}
	l.b.WriteByte('\n')
}

// parts is what is printed of a text in column j: one part for each line, and
// what follows a part that was cut.
func (l *layout) parts(text string, j int) (parts []stretch, ending string) {
	if j == len(l.widths)-1 {
		switch l.table.Overflow {
		case WrapLast:
			return wrapAt(text, l.widths[j]), ""
		case KeepLast:
			return []stretch{{0, len(text)}}, ""
		}
	}
	end, cut := clipAt(text, l.widths[j], l.style.Ellipsis())
	if cut {
		ending = clipEllipsis(l.widths[j], l.style.Ellipsis())
	}
	return []stretch{{0, end}}, ending
}

// slot is the place of a cell in its line.
type slot struct {
	start, width int // in columns
	right        bool
}

// put prints part of a cell, and the ending, into its slot on a line that takes
// at columns so far; the result is what the line takes then. Spaces are printed
// only before something, so that no line ends in them.
func (l *layout) put(s slot, at int, cell Cell, text string, part stretch, ending string) int {
	size := Width(text[part.start:part.end]) + Width(ending)
	if size == 0 {
		return at
	}
	start := s.start
	if s.right {
		start += s.width - size
	}
	l.b.WriteString(strings.Repeat(" ", max(0, start-at)))
	l.b.WriteString(cell.paint(l.style, part))
	l.b.WriteString(ending)
	return start + size
}
