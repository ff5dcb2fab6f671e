package vrepo

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Bounds of [File.Explain].
const (
	maxHints = 3
	maxHint  = 200 // code points of a hint
	// foldBudget is how many bytes of the file are folded. Bytes beyond ASCII
	// and lines cost more than one. lineBudget is how many lines are passed on
	// the way, and maxNear how many near matches are compared. They keep the
	// work to some ten milliseconds, whatever the text.
	foldBudget = 1 << 20
	lineCost   = 16
	wideCost   = 8
	lineBudget = 1 << 18
	maxNear    = 16
)

// Explain says why before, which has no match, may have none: what a match
// differs in, whether after stands there already, which lines come closest. It
// gives at most three hints of at most 200 code points, the likeliest first, and
// none if it has nothing to say. The work is linear and bounded.
//
// A hint quotes or describes only text in ranges for which shown(from, to) is
// true, offsets in bytes; nil means that everything was shown.
func (c *content) Explain(before, after string, shown func(from, to int) bool) []string {
	if shown == nil {
		shown = func(int, int) bool { return true }
	}
	if before == "" {
		return nil
	}
	if c.text == "" {
		return []string{"the file is empty: it holds no text to replace, so it cannot be edited"}
	}
	x := &explanation{content: c, before: before, after: after, shown: shown}
	explained := x.otherEndings() || x.otherEscapes() || x.otherForm()
	x.alreadyApplied()
	if !explained {
		x.closest()
	}
	return x.hints
}

// explanation is a search for hints under way.
type explanation struct {
	*content
	before, after string
	shown         func(from, to int) bool
	folding       folding // of what follows
	folded        foldedFile
	ours          foldedBefore
	unfolded      int // bytes unfolded so far
	hints         []string
}

// foldedFile is the folded text of the lines that may be talked about.
type foldedFile struct {
	text  string
	lines []foldedLine
	whole bool // all lines were looked at
}

// foldedLine is a line of the file and where its folded form starts.
type foldedLine struct {
	at       int // in the folded text
	end      int
	from, to int // in the file, without the line ending
	number   int
}

// foldedBefore is before, folded line by line, without the blank lines at its
// ends.
type foldedBefore struct {
	text  string
	lines []beforeLine
	// startsLine says that before has a line break before its first line, and
	// endsLine that it has one behind its last.
	startsLine, endsLine bool
}

// beforeLine is a line of before without its line ending.
type beforeLine struct{ raw, folded string }

func (x *explanation) hint(format string, args ...any) {
	if len(x.hints) == maxHints {
		return
	}
	text := fmt.Sprintf(format, args...)
	if longer(text, maxHint) {
		text = cutRunes(text, maxHint-1) + cutMark
	}
	x.hints = append(x.hints, text)
}

// unique finds the place of a text that may be talked about; more says that it
// stands at others too.
func (x *explanation) unique(text string) (at int, more, ok bool) {
	m := x.Find(text, 1)
	if m.Count == 0 || !x.shown(m.Offsets[0], m.Offsets[0]+len(text)) {
		return 0, false, false
	}
	return m.Offsets[0], m.More, true
}

func times(more bool) string {
	if more {
		return "more than once"
	}
	return "once"
}

// otherEndings tries before with each kind of line ending.
func (x *explanation) otherEndings() bool {
	unified := unifyEndings(x.before)
	if strings.IndexByte(unified, '\n') < 0 {
		return false
	}
	for _, kind := range []struct{ name, ending string }{{"CRLF", "\r\n"}, {"LF", "\n"}, {"CR", "\r"}} {
		variant := strings.ReplaceAll(unified, "\n", kind.ending)
		if variant == x.before {
			continue
		}
		if at, more, ok := x.unique(variant); ok {
			x.hint("would match %s with %s line endings, at line %d: the file has %s there where `before` has %s",
				times(more), kind.name, x.LineAt(at), kind.name, strings.ToUpper(endingsOf(x.before).String()))
			return true
		}
	}
	return false
}

// alreadyApplied tells that after stands in the file, once.
func (x *explanation) alreadyApplied() {
	if strings.TrimSpace(x.after) == "" || x.after == x.before {
		return
	}
	if at, more, ok := x.unique(x.after); ok && !more {
		x.hint("the file already has the text of `after`, at line %d: the edit seems applied", x.LineAt(at))
	}
}

// otherForm looks for text that differs from before in what folding leaves out;
// in letters of other scripts only where there are some.
func (x *explanation) otherForm() bool {
	if strings.IndexByte(x.before, 0) >= 0 {
		return false
	}
	x.fold(plainFolding)
	if x.nearMatch() {
		return true
	}
	if !hasLatinLookalike(x.before) && !x.showsLatinLookalike() {
		return false
	}
	x.fold(scriptFolding)
	return x.nearMatch()
}

// showsLatinLookalike looks through the lines that were folded.
func (x *explanation) showsLatinLookalike() bool {
	return slices.ContainsFunc(x.folded.lines, func(l foldedLine) bool {
		return hasLatinLookalike(x.text[l.from:l.to])
	})
}

// fold folds before and the file.
func (x *explanation) fold(f folding) {
	x.folding = f
	x.ours = x.foldBefore()
	x.folded = x.foldFile()
}

func (x *explanation) foldBefore() foldedBefore {
	raw := strings.Split(unifyEndings(x.before), "\n")
	lines := make([]beforeLine, len(raw))
	for i, line := range raw {
		folded, _, _ := x.folding.foldLine(nil, line, -1)
		lines[i] = beforeLine{line, string(folded)}
	}
	first, last := 0, len(lines)
	for first < last && lines[first].folded == "" {
		first++
	}
	for last > first && lines[last-1].folded == "" {
		last--
	}
	ours := foldedBefore{lines: lines[first:last], startsLine: first > 0, endsLine: last < len(lines)}
	var text strings.Builder
	for i, line := range ours.lines {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(line.folded)
	}
	ours.text = text.String()
	return ours
}

// foldFile folds the lines of the file of which at least an end was shown, as
// far as the budget goes; of the last one, maybe only its head. A NUL parts
// lines that are not neighbours.
func (x *explanation) foldFile() foldedFile {
	budget, number, last := foldBudget, 0, 0
	var file foldedFile
	var text []byte
	from := 0
	for from < len(x.text) && number < lineBudget && budget > 0 {
		end := lineEnd(x.text, from)
		number++
		if x.shown(from, from+1) || x.shown(end-1, end) {
			line := cutEnding(x.text[from:end])
			if cost := foldCost(line); cost > budget {
				line = cutBytes(line, budget/wideCost)
			}
			budget -= foldCost(line)
			if number != last+1 {
				text = append(text, "\x00\n"...)
			}
			at := len(text)
			text, _, _ = x.folding.foldLine(text, line, -1)
			file.lines = append(file.lines, foldedLine{at, len(text), from, from + len(line), number})
			text = append(text, '\n')
			last = number
		}
		from = end
	}
	file.text, file.whole = string(text), from == len(x.text)
	return file
}

func foldCost(line string) int {
	cost := lineCost + len(line)
	if !isASCII(line) {
		cost += (wideCost - 1) * len(line)
	}
	return cost
}

// nearMatch looks for text that is before but for what folding leaves out, and
// names the difference. Of several it takes the one that differs in least.
func (x *explanation) nearMatch() bool {
	if x.ours.text == "" {
		return false
	}
	p := newPattern(x.ours.text)
	best, bestFrom, bestTo := difference{}, -1, -1
	at := p.index(x.folded.text, 0)
	for tried := 0; at >= 0 && tried < maxNear && x.unfolded < foldBudget; tried++ {
		from, to := x.region(at)
		if x.shown(from, to) {
			if d, ok := compare(x.before, x.text[from:to]); ok && (bestFrom < 0 || d.count() < best.count()) {
				best, bestFrom, bestTo = d, from, to
			}
		}
		at = p.index(x.folded.text, at+1)
	}
	if bestFrom < 0 {
		return false
	}
	place := bestFrom + best.at
	words := func(kinds string) string {
		return fmt.Sprintf("would match at line %d but for %s: the file has %s at %d:%d where `before` has %s",
			x.LineAt(bestFrom), kinds, best.inFile, x.LineAt(place), x.ColumnAt(place), best.inBefore)
	}
	text := words(best.kinds())
	if longer(text, maxHint) {
		text = words(best.top.String() + " and more")
	}
	if exact := "; the file's text is " + quoteText(cutRunes(x.text[bestFrom:bestTo], maxHint)); !longer(text+exact, maxHint) {
		text += exact
	}
	x.hint("%s", text)
	return true
}

// region is the part of the file that folds to before at offset at of the folded
// text, with as much of the whitespace around it as was shown, if before has some
// around itself.
func (x *explanation) region(at int) (from, to int) {
	from, _ = x.unfold(at)
	_, to = x.unfold(at + len(x.ours.text) - 1)
	to = max(from, to)
	if lead := gapEnd(x.before, 0); lead > 0 {
		low, high := extendBack(x.text, from, x.before[:lead]), from
		from = low + sort.Search(high-low, func(n int) bool { return x.shown(low+n, high) })
		for from < high && startsInside(x.text, from) {
			from++
		}
	}
	tail := len(x.before)
	for end := 0; end < len(x.before); {
		kind, next := nextAtom(x.before, end)
		if kind == textAtom {
			tail = next
		}
		end = next
	}
	if tail < len(x.before) {
		low, high := to, extendOn(x.text, to, x.before[tail:])
		to = high - sort.Search(high-low, func(n int) bool { return x.shown(low, high-n) })
		for to > low && startsInside(x.text, to) {
			to--
		}
	}
	return from, to
}

// unfold is the atom in the file that wrote the byte at offset at of the folded
// text.
func (x *explanation) unfold(at int) (from, to int) {
	lines := x.folded.lines
	i, exact := slices.BinarySearchFunc(lines, at, func(l foldedLine, at int) int { return l.at - at })
	if !exact {
		i--
	}
	l := lines[i]
	x.unfolded += at - l.at
	_, from, to = x.folding.foldLine(nil, x.text[l.from:l.to], at-l.at)
	if from < 0 {
		return l.to, l.to // the line ending
	}
	return l.from + from, l.from + to
}

// extendBack moves from to the front over whitespace, past as many line endings
// as the run has.
func extendBack(text string, from int, run string) int {
	breaks := strings.Count(unifyEndings(run), "\n")
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if r == '\n' && from > 1 && text[from-2] == '\r' {
			size = 2
		}
		kind, _ := nextAtom(text, from-size)
		if kind == textAtom || kind == breakAtom && breaks == 0 {
			break
		}
		if kind == breakAtom {
			breaks--
		}
		from -= size
	}
	return from
}

// extendOn is extendBack toward the end.
func extendOn(text string, to int, run string) int {
	breaks := strings.Count(unifyEndings(run), "\n")
	for to < len(text) {
		kind, end := nextAtom(text, to)
		if kind == textAtom || kind == breakAtom && breaks == 0 {
			break
		}
		if kind == breakAtom {
			breaks--
		}
		to = end
	}
	return to
}
