package vrepo

import (
	"fmt"
	"slices"
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
	// work to a few milliseconds.
	foldBudget = 1 << 20
	lineCost   = 16
	wideCost   = 4
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
		return []string{"the file is empty"}
	}
	x := &explanation{content: c, before: before, after: after, shown: shown}
	explained := x.otherEndings()
	if !explained {
		x.fold()
		explained = x.nearMatch()
	}
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
	folded        foldedFile
	target        string // before, folded
	unfolded      int    // bytes unfolded so far
	hints         []string
}

// foldedFile is the folded text of the lines that may be talked about.
type foldedFile struct {
	text  string
	lines []foldedLine
}

// foldedLine is a line of the file and where its folded form starts.
type foldedLine struct {
	at       int // in the folded text
	end      int
	from, to int // in the file, without the line ending
	number   int
}

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
		m := x.Find(variant, 1)
		if m.Count == 0 || !x.shown(m.Offsets[0], m.Offsets[0]+len(variant)) {
			continue
		}
		times := "once"
		if m.More {
			times = "more than once"
		}
		x.hint("would match %s with %s line endings, at line %d: the file has %s there where `before` has %s",
			times, kind.name, x.LineAt(m.Offsets[0]), kind.name, strings.ToUpper(endingsOf(x.before).String()))
		return true
	}
	return false
}

// alreadyApplied tells that after stands in the file, once.
func (x *explanation) alreadyApplied() {
	if strings.TrimSpace(x.after) == "" || x.after == x.before {
		return
	}
	m := x.Find(x.after, 1)
	if m.Count == 1 && !m.More && x.shown(m.Offsets[0], m.Offsets[0]+len(x.after)) {
		x.hint("the file already has the text of `after`, at line %d: the edit seems applied", x.LineAt(m.Offsets[0]))
	}
}

// fold folds before, and the lines of the file of which at least an end was
// shown, as far as the budget goes; of the last one, maybe only its head. A NUL
// parts lines that are not neighbours.
func (x *explanation) fold() {
	if strings.IndexByte(x.before, 0) >= 0 {
		return
	}
	var target []byte
	for line := range strings.SplitAfterSeq(x.before, "\n") {
		target, _, _ = foldLine(target, cutEnding(line), -1)
		target = append(target, '\n')
	}
	x.target = strings.Trim(string(target), "\n")
	budget, number, last := foldBudget, 0, 0
	var text []byte
	for from := 0; from < len(x.text) && number < lineBudget && budget > 0; {
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
			text, _, _ = foldLine(text, line, -1)
			x.folded.lines = append(x.folded.lines, foldedLine{at, len(text), from, from + len(line), number})
			text = append(text, '\n')
			last = number
		}
		from = end
	}
	x.folded.text = string(text)
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
	if x.target == "" {
		return false
	}
	p := newPattern(x.target)
	best, bestFrom, bestTo := difference{}, -1, -1
	at := p.index(x.folded.text, 0)
	for tried := 0; at >= 0 && tried < maxNear && x.unfolded < foldBudget; tried++ {
		from, to := x.region(at)
		if d, ok := compare(x.before, x.text[from:to]); ok && x.shown(from, to) {
			if bestFrom < 0 || d.count() < best.count() {
				best, bestFrom, bestTo = d, from, to
			}
		}
		at = p.index(x.folded.text, at+1)
	}
	if bestFrom < 0 {
		return false
	}
	place := bestFrom + best.at
	text := fmt.Sprintf("would match at line %d but for %s: the file has %s at %d:%d where `before` has %s",
		x.LineAt(bestFrom), best.kinds(), best.inFile, x.LineAt(place), x.ColumnAt(place), best.inBefore)
	if exact := "; the file's text is " + quoteText(x.text[bestFrom:bestTo]); !longer(text+exact, maxHint) {
		text += exact
	}
	x.hint("%s", text)
	return true
}

// region is the part of the file that folds to the target at offset at of the
// folded text, with the whitespace around it that before has around itself.
func (x *explanation) region(at int) (from, to int) {
	from, _ = x.unfold(at)
	_, to = x.unfold(at + len(x.target) - 1)
	to = max(from, to)
	lead := gapEnd(x.before, 0)
	if lead > 0 {
		from = extendBack(x.text, from, x.before[:lead])
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
		to = extendOn(x.text, to, x.before[tail:])
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
	_, from, to = foldLine(nil, x.text[l.from:l.to], at-l.at)
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

// quoteText writes text as a JSON string does, with what does not show escaped.
func quoteText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || !hidden(r) && !isOddSpace(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
