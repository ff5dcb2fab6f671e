package vrepo

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Bounds of the search for the closest line.
const (
	maxCompared = 160 // bytes of a line of before that are compared inexactly
	maxLine     = 400 // bytes of a line of the file that are
	maxRefined  = 6   // lines compared exactly
)

// closest names what differs at the place that resembles before most: first by
// whole lines that agree, then by the likeness of its longest line.
func (x *explanation) closest() {
	if x.ours.text == "" || len(x.folded.lines) == 0 {
		return
	}
	same := x.sameLines()
	if x.otherOrder(same) {
		return
	}
	if start, ok := x.closestBlock(same); ok && x.differsFrom(start) {
		return
	}
	x.closestLine()
}

// sameLines gives, for each folded line of the file, the first line of before
// that it equals, or -1; also -1 for a blank line and one that may not be talked
// about.
func (x *explanation) sameLines() []int {
	first := make(map[string]int, len(x.ours.lines))
	for j, line := range x.ours.lines {
		if _, known := first[line.folded]; !known {
			first[line.folded] = j
		}
	}
	same := make([]int, len(x.folded.lines))
	for i, l := range x.folded.lines {
		same[i] = -1
		folded := x.folded.text[l.at:l.end]
		if j, ok := first[folded]; ok && folded != "" && x.lineShown(l) {
			same[i] = j
		}
	}
	return same
}

// closestBlock lets each line of the file that equals a line of before vote for
// the line at which before would then start.
func (x *explanation) closestBlock(same []int) (start int, ok bool) {
	if len(x.ours.lines) < 2 {
		return 0, false
	}
	const letter, most = 4, 32     // a line of few characters weighs little
	shift := len(x.ours.lines) - 1 // the lowest start is this far above line 1
	votes := make([]int, shift+x.folded.lines[len(x.folded.lines)-1].number+1)
	weight := letter - 1
	for i, l := range x.folded.lines {
		if same[i] < 0 {
			continue
		}
		at := l.number - same[i]
		votes[shift+at] += min(l.end-l.at, most)
		if v := votes[shift+at]; v > weight || v == weight && at < start {
			start, weight = at, v
		}
	}
	return start, weight >= letter
}

// differsFrom says what the first difference is between before and the lines of
// the file from start on. It is false if it sees none.
func (x *explanation) differsFrom(start int) bool {
	hidden, total := 0, x.Lines()
	for j, our := range x.ours.lines {
		number := start + j
		if number < 1 {
			x.hint("closest is the text from line 1 of the file, but `before` starts above it, with %s", quoteHead(our.raw))
			return true
		}
		if number > total {
			x.hint("closest is the text from line %d, but `before` goes on beyond the file's end, line %d, with %s",
				start, total, quoteHead(our.raw))
			return true
		}
		l, ok := x.line(number)
		switch {
		case !ok && x.beyondBudget(number) || ok && x.cut(l):
			return false
		case !ok || !x.lineShown(l):
			hidden = cmp.Or(hidden, number)
		case !x.fits(j, l):
			p := x.pair(j, l)
			x.hint("closest is the text from line %d, but line %d of the file is %s where `before` has %s", max(start, 1), number, p.theirs, p.ours)
			return true
		}
	}
	if hidden > 0 {
		x.hint("what was shown of lines %d to %d fits, but not all was: read the rest from startLine %d",
			start, min(start+len(x.ours.lines)-1, total), hidden)
	}
	return hidden > 0
}

// beyondBudget reports whether a line stands behind all that were folded.
func (x *explanation) beyondBudget(number int) bool {
	return number > x.folded.lines[len(x.folded.lines)-1].number && !x.folded.whole
}

// cut reports whether only the head of a line was folded.
func (x *explanation) cut(l foldedLine) bool {
	rest := x.text[l.to:]
	return rest != "" && !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "\r\n")
}

// line is the folded form of a line of the file.
func (x *explanation) line(number int) (foldedLine, bool) {
	i, ok := slices.BinarySearchFunc(x.folded.lines, number, func(l foldedLine, n int) int {
		return cmp.Compare(l.number, n)
	})
	if !ok {
		return foldedLine{}, false
	}
	return x.folded.lines[i], true
}

// lineShown reports whether a whole line was shown; of an empty one, its ending.
func (x *explanation) lineShown(l foldedLine) bool {
	return x.shown(l.from, max(l.to, min(l.from+1, len(x.text))))
}

// wholeStart reports whether line j of before starts where a line starts, and
// wholeEnd whether it ends where one ends.
func (x *explanation) wholeStart(j int) bool { return j > 0 || x.ours.startsLine }

func (x *explanation) wholeEnd(j int) bool {
	return j < len(x.ours.lines)-1 || x.ours.endsLine
}

// fits reports whether line j of before and a line of the file agree, folded.
func (x *explanation) fits(j int, l foldedLine) bool {
	our, their := x.ours.lines[j].folded, x.folded.text[l.at:l.end]
	switch {
	case x.wholeStart(j) && x.wholeEnd(j):
		return our == their
	case x.wholeStart(j):
		return strings.HasPrefix(their, our)
	case x.wholeEnd(j):
		return strings.HasSuffix(their, our)
	}
	return strings.Contains(their, our)
}

// otherOrder tells that all lines of before stand in the file, but in another
// order. Blank lines do not count.
func (x *explanation) otherOrder(same []int) bool {
	id := make(map[string]int, len(x.ours.lines)) // the first line of before that equals it
	var order []int                               // lines of before by their ids
	need := make([]int, len(x.ours.lines))        // how often a line is still to be found
	for j, our := range x.ours.lines {
		if our.folded == "" {
			continue
		}
		if _, known := id[our.folded]; !known {
			id[our.folded] = j
		}
		order = append(order, id[our.folded])
		need[id[our.folded]]++
	}
	first := make([]int, len(x.ours.lines)) // where a line stands first, 0 for nowhere
	next, last := 0, 0                      // how many were found one behind the other, and where the last of them stands
	for i, l := range x.folded.lines {
		j := same[i]
		if j < 0 {
			continue
		}
		first[j] = cmp.Or(first[j], l.number)
		need[j]--
		if next < len(order) && order[next] == j {
			next, last = next+1, l.number
		}
	}
	if next == len(order) || slices.Max(need) > 0 {
		return false
	}
	x.hint("all lines of `before` stand in the file, but in another order: %s is line %d, and %s line %d",
		quoteHead(x.ours.lines[order[next-1]].raw), last, quoteHead(x.ours.lines[order[next]].raw), first[order[next]])
	return true
}

// closestLine compares the longest line of before with every line by the pairs
// of neighbouring bytes they share, and the likeliest few by edit distance.
func (x *explanation) closestLine() {
	j := 0
	for i, line := range x.ours.lines {
		if len(line.folded) > len(x.ours.lines[j].folded) {
			j = i
		}
	}
	our := cutBytes(x.ours.lines[j].folded, maxCompared)
	const short = 3
	if len(our) < short {
		return
	}
	best, distance := likeness{}, len(our)*2/5+1
	for _, l := range x.likeliest(our) {
		if found := likenessOf(our, x.head(l)); found.distance < distance {
			best, distance = found, found.distance
			best.line = l
		}
	}
	if best.line.number == 0 {
		return
	}
	whole, their := x.ours.lines[j].folded, x.folded.text[best.line.at+best.from:best.line.end]
	switch same := commonPrefix(whole, their); {
	case same == len(whole):
		x.differsFrom(best.line.number - j) // it is another line that differs
	case same < len(their) || !x.cut(best.line):
		p := x.pairFrom(j, best.line, best.from)
		x.hint("closest is line %d of the file: %s where `before` has %s", best.line.number, p.theirs, p.ours)
	}
}

// head is the part of a line of the file that is compared.
func (x *explanation) head(l foldedLine) string {
	return x.folded.text[l.at:min(l.end, l.at+maxLine)]
}

// likeliest are the lines that share most pairs of bytes with a text, those that
// come first in the file before others.
func (x *explanation) likeliest(our string) []foldedLine {
	type candidate struct {
		line  foldedLine
		score int
	}
	want := signatureOf(our)
	least := (want.size() + 1) / 2
	var best []candidate // by score, then by line
	for _, l := range x.folded.lines {
		if l.at == l.end {
			continue
		}
		score := want.common(signatureOf(x.head(l)))
		if score < least || len(best) == maxRefined && score <= best[len(best)-1].score || !x.lineShown(l) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, score, func(c candidate, score int) int {
			if c.score >= score {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, candidate{l, score})
		best = best[:min(len(best), maxRefined)]
	}
	lines := make([]foldedLine, len(best))
	for i, c := range best {
		lines[i] = c.line
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i].number < lines[j].number })
	return lines
}

// pair is a line of the file and one of before, each as quoted around a place
// where they differ.
type pair struct{ theirs, ours string }

// pair quotes a line of the file and line j of before around the first place
// where they differ. A first line may start inside the line of the file.
func (x *explanation) pair(j int, l foldedLine) pair {
	if x.wholeStart(j) {
		return x.pairFrom(j, l, 0)
	}
	our := cutBytes(x.ours.lines[j].folded, maxCompared)
	tail := max(l.at, l.end-maxLine)
	found := likenessOf(our, x.folded.text[tail:l.end])
	if found.distance > len(our)/2 {
		return x.pairFrom(j, l, 0)
	}
	return x.pairFrom(j, l, tail-l.at+found.from)
}

// pairFrom is pair where line j of before would start at an offset of the folded
// line.
func (x *explanation) pairFrom(j int, l foldedLine, at int) pair {
	our, their := x.ours.lines[j].raw, x.text[l.from:l.to]
	start := 0
	if at > 0 {
		_, start, _ = x.folding.foldLine(nil, their, at)
	}
	i, k := x.folding.firstDifference(our, their[start:])
	p := pair{quoteAround(their, start+k, quoteContext), quoteAround(our, i, quoteContext)}
	if p.theirs == p.ours {
		p = pair{quoteAround(their, start+k, 0), quoteAround(our, i, 0)}
	}
	if strings.HasPrefix(p.theirs, `"`+cutMark) {
		p.theirs += fmt.Sprintf(" at column %d", x.ColumnAt(l.from+start+k))
	}
	return p
}

// firstDifference is where two lines begin to differ in more than folding leaves
// out.
func (f folding) firstDifference(a, b string) (i, j int) {
	i, j = gapEnd(a, 0), gapEnd(b, 0)
	if breaksIn(a[:i]) != breaksIn(b[:j]) {
		return 0, 0
	}
	for i < len(a) && j < len(b) {
		_, endI := nextAtom(a, i)
		_, endJ := nextAtom(b, j)
		if !f.sameFolded(a[i:endI], b[j:endJ]) {
			return i, j
		}
		i, j = gapEnd(a, endI), gapEnd(b, endJ)
		ours, theirs := a[endI:i], b[endJ:j]
		if breaksIn(ours) != breaksIn(theirs) || hasSpace(ours) != hasSpace(theirs) && i < len(a) && j < len(b) {
			return endI, endJ
		}
	}
	return i, j
}

func breaksIn(gap string) int { return strings.Count(unifyEndings(gap), "\n") }

// hasSpace reports whether a gap is more than characters that show nothing.
func hasSpace(gap string) bool {
	for i := 0; i < len(gap); {
		kind, end := nextAtom(gap, i)
		if kind != nothingAtom {
			return true
		}
		i = end
	}
	return false
}
