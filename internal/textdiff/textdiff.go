// Package textdiff compares two texts line by line.
//
// A line is compared as raw bytes, its ending included, so texts that are not
// valid UTF-8 and texts that differ only in a line ending are told apart.
//
// Goals: the same answer on every machine, work bounded by the size of the
// input, an answer that is marked when it is not the smallest one.
// Non-goals: changes inside a line, three-way merges, patches (see vrepo).
//
// Callers must not modify the slices an [Op] holds: they share the input.
package textdiff

import "strings"

// Kind says what an [Op] does.
type Kind uint8

// The kinds. The zero value is unset and invalid.
const (
	Equal Kind = iota + 1
	Delete
	Insert
)

// String is "equal", "delete" or "insert".
func (k Kind) String() string {
	switch k {
	case Equal:
		return "equal"
	case Delete:
		return "delete"
	case Insert:
		return "insert"
	}
	return "unset"
}

// Op is a run of lines: kept, taken out of the first text, or put in from the
// second. A run is never empty, and where lines are replaced the Delete stands
// before its Insert.
type Op struct {
	Kind  Kind
	Lines []string
}

// Work bounds the exact comparison: the number of lines on one side times the
// number on the other, both counted after trimming. It keeps [Lines] to some
// tens of milliseconds whatever the texts.
const Work = 1 << 22

// maxWork keeps the numbers of distinct lines, at most its square root, among
// those that a rune can carry.
const maxWork = 1 << 32

// Lines returns the operations that turn a into b. With exact true there is no
// shorter answer; with exact false the texts were too large for the smallest
// answer and the operations are right but may say too much. Equal texts give
// one Equal, two empty ones nothing.
func Lines(a, b []string) (ops []Op, exact bool) {
	return LinesWithin(Work, a, b)
}

// LinesWithin is [Lines] with the caller's own bound in place of [Work]. With a
// bound of 0 only the equal lines at both ends are told apart.
func LinesWithin(work int, a, b []string) (ops []Op, exact bool) {
	head := commonPrefix(a, b)
	tail := commonSuffix(a[head:], b[head:])
	middle := comparison{
		a:      a[head : len(a)-tail],
		b:      b[head : len(b)-tail],
		budget: min(work, maxWork),
	}
	matches, exact := middle.run()
	return assemble(a, b, head, tail, matches), exact
}

// Split cuts text after every line feed; each line keeps its ending. The last
// line has none if the text does not end in a line feed. An empty text has no
// lines.
func Split(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for len(text) > 0 {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		lines = append(lines, text[:end])
		text = text[end:]
	}
	return lines
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// match is a run of n lines that stands in both texts, at a and at b.
type match struct{ a, b, n int }

// assemble turns the matches of the middle, in ascending order, and the lengths
// of the common ends into operations over the whole of a and b.
func assemble(a, b []string, head, tail int, middle []match) []Op {
	var ops []Op
	add := func(kind Kind, lines []string) {
		if len(lines) > 0 {
			ops = append(ops, Op{kind, lines})
		}
	}
	atA, atB, equalFrom := 0, 0, 0
	keep := func(m match) {
		if m.a > atA || m.b > atB {
			add(Equal, a[equalFrom:atA])
			add(Delete, a[atA:m.a])
			add(Insert, b[atB:m.b])
			equalFrom = m.a
		}
		atA, atB = m.a+m.n, m.b+m.n
	}
	keep(match{0, 0, head})
	for _, m := range middle {
		keep(match{m.a + head, m.b + head, m.n})
	}
	keep(match{len(a) - tail, len(b) - tail, tail})
	add(Equal, a[equalFrom:])
	return ops
}
