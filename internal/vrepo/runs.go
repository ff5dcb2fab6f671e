package vrepo

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"harness/internal/textdiff"
)

// run is a number of neighbouring lines that are kept, taken out or put in.
type run struct {
	kind  textdiff.Kind
	lines []string
	more  int // further lines that are only counted
}

func (r *run) count() int { return len(r.lines) + r.more }

// Bounds of the line comparison inside an edit. Edits of up to some sixty lines
// are compared exactly in some tens of microseconds, longer ones may replace
// lines that could stay, and of very long ones only the equal lines at both ends
// are told apart.
const (
	opsWork  = 64 * 64
	opsLines = 512
)

// runs are the changes of the touched lines. Of a very long edit each holds the
// changed lines that fill room, in code points, and of the equal lines at its
// ends those next to a change; the rest is counted.
func (e Edit) runs(around edges, room int) []run {
	before, after := around.blocks(e.Before), around.blocks(e.After)
	if before.count()+after.count() > opsLines {
		return longRuns(before, after, room)
	}
	ops, _ := textdiff.LinesWithin(opsWork, before.lines(), after.lines())
	runs := make([]run, len(ops))
	for i, op := range ops {
		runs[i] = run{kind: op.Kind, lines: op.Lines}
	}
	return runs
}

// longRuns replaces all lines between the equal ones at both ends.
func longRuns(before, after blocks, room int) []run {
	runs := make([]run, 0, 4)
	if head := takeEqualHead(&before, &after); len(head) > 0 {
		lines := head.last(contextLines)
		runs = append(runs, run{textdiff.Equal, lines, head.count() - len(lines)})
	}
	tail := takeEqualTail(&before, &after)
	add := func(kind textdiff.Kind, b blocks, lines []string) {
		if len(b) > 0 {
			runs = append(runs, run{kind, lines, b.count() - len(lines)})
		}
	}
	add(textdiff.Delete, before, before.filling(room))
	add(textdiff.Insert, after, after.filling(room))
	add(textdiff.Equal, tail, tail.first(contextLines))
	return runs
}

// blocks is a text in pieces of whole lines, none of them empty, so that a long
// text need not be copied to put other lines at its ends. Only the last line may
// have no line feed.
type blocks []string

// blocks are the lines of lead, text and trail put together.
func (a edges) blocks(text string) blocks {
	first := strings.IndexByte(text, '\n') + 1
	if first == 0 {
		return blocks(nil).with(a.lead + text + a.trail)
	}
	last := strings.LastIndexByte(text, '\n') + 1
	return make(blocks, 0, 3).with(a.lead + text[:first]).with(text[first:last]).with(text[last:] + a.trail)
}

func (b blocks) with(piece string) blocks {
	if piece == "" {
		return b
	}
	return append(b, piece)
}

func (b blocks) count() int {
	n := 0
	for _, piece := range b {
		n += countLines(piece)
	}
	return n
}

func (b blocks) lines() []string { return b.filling(math.MaxInt) }

// filling are the first lines that take at least so many code points, or all.
func (b blocks) filling(room int) []string {
	var lines []string
	for _, piece := range b {
		if room <= 0 {
			break
		}
		head := cutRunes(piece, room)
		if len(head) < len(piece) {
			head = piece[:lineEnd(piece, len(head))]
		}
		room -= utf8.RuneCountInString(head)
		lines = append(lines, textdiff.Split(head)...)
	}
	return lines
}

// first are the first lines, at most that many.
func (b blocks) first(most int) []string {
	var lines []string
	for _, piece := range b {
		lines = appendLines(lines, piece, most-len(lines))
	}
	return lines
}

// last are the last lines, at most that many.
func (b blocks) last(most int) []string {
	var lines []string
	for _, piece := range slices.Backward(b) {
		lines = append(linesBefore(piece, most-len(lines), len(piece)), lines...)
	}
	return lines
}

// takeEqualHead takes away the lines that both texts start with, and returns
// them.
func takeEqualHead(a, b *blocks) blocks {
	var taken blocks
	for len(*a) > 0 && len(*b) > 0 {
		x, y := (*a)[0], (*b)[0]
		n := equalHead(x, y)
		if n == 0 {
			break
		}
		taken = append(taken, x[:n])
		*a, *b = blocks(nil).with(x[n:]).and((*a)[1:]), blocks(nil).with(y[n:]).and((*b)[1:])
	}
	return taken
}

// takeEqualTail takes away the lines that both texts end with, and returns them.
func takeEqualTail(a, b *blocks) blocks {
	var taken blocks
	for len(*a) > 0 && len(*b) > 0 {
		restA, x := (*a)[:len(*a)-1], (*a)[len(*a)-1]
		restB, y := (*b)[:len(*b)-1], (*b)[len(*b)-1]
		n := equalTail(x, y)
		if n == 0 {
			break
		}
		taken = append(taken, x[len(x)-n:])
		*a, *b = slices.Clip(restA).with(x[:len(x)-n]), slices.Clip(restB).with(y[:len(y)-n])
	}
	slices.Reverse(taken)
	return taken
}

func (b blocks) and(rest blocks) blocks { return append(b, rest...) }

// countLines is how many lines a text has; a final line feed starts none.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// equalHead is the size of the whole lines that two texts start with in common.
func equalHead(a, b string) int {
	n := commonPrefix(a, b)
	if n == len(a) && n == len(b) {
		return n
	}
	return lineStart(a, n)
}

// equalTail is the size of the whole lines that two texts, which start with a
// line, end with in common.
func equalTail(a, b string) int {
	n := commonSuffix(a, b)
	if startsLine(a, len(a)-n) && startsLine(b, len(b)-n) {
		return n
	}
	if at := strings.IndexByte(a[len(a)-n:], '\n'); at >= 0 {
		return n - at - 1
	}
	return 0
}

func startsLine(text string, at int) bool { return at == 0 || text[at-1] == '\n' }
