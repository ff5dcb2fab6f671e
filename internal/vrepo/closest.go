package vrepo

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of the search for the closest line.
const (
	maxCompared = 160 // bytes of before that are compared
	maxLine     = 400 // bytes of a line that are compared
	maxRefined  = 6   // lines compared exactly
	quoted      = 60  // code points of a line that a hint quotes
)

// closest names the lines that resemble before most: first by whole lines that
// agree, then by the likeness of its longest line.
func (x *explanation) closest() {
	if x.target == "" || len(x.folded.lines) == 0 {
		return
	}
	if !x.closestBlock() {
		x.closestLine()
	}
}

// closestBlock lets each line of the file that equals a line of before, once
// folded, vote for the place where before would then start. Lines that before
// has twice do not vote, so each line of the file has one vote.
func (x *explanation) closestBlock() bool {
	ours := strings.Split(x.target, "\n")
	if len(ours) < 2 {
		return false
	}
	place := make(map[string]int, len(ours))
	for j, line := range ours {
		if _, twice := place[line]; twice {
			place[line] = -1
		} else {
			place[line] = j
		}
	}
	const letter, most = 4, 32 // a line of few characters weighs little
	votes := map[int]int{}
	start, weight := 0, letter-1
	for _, l := range x.folded.lines {
		folded := x.folded.text[l.at:l.end]
		j, ok := place[folded]
		if !ok || j < 0 || folded == "" || !x.lineShown(l) {
			continue
		}
		at := l.number - j
		votes[at] += min(len(folded), most)
		if votes[at] > weight || votes[at] == weight && at < start {
			start, weight = at, votes[at]
		}
	}
	if weight < letter {
		return false
	}
	return x.firstDeviation(start, ours)
}

// firstDeviation names the first line in which the file, from line start on,
// differs from before.
func (x *explanation) firstDeviation(start int, ours []string) bool {
	raw := x.beforeLines()
	for j, our := range ours {
		i, ok := slices.BinarySearchFunc(x.folded.lines, start+j, func(l foldedLine, n int) int {
			return cmp.Compare(l.number, n)
		})
		if !ok || j >= len(raw) {
			continue
		}
		l := x.folded.lines[i]
		if x.folded.text[l.at:l.end] == our || !x.lineShown(l) {
			continue
		}
		theirs, mine := quotePair(x.text[l.from:l.to], raw[j])
		x.hint("closest is the text from line %d, but line %d of the file is %s where `before` has %s", max(start, 1), l.number, theirs, mine)
		return true
	}
	return false
}

// lineShown reports whether a whole line was shown; of an empty one, its ending.
func (x *explanation) lineShown(l foldedLine) bool {
	return x.shown(l.from, max(l.to, min(l.from+1, len(x.text))))
}

// beforeLines are the lines of before that its folded form keeps.
func (x *explanation) beforeLines() []string {
	return strings.Split(strings.TrimSpace(unifyEndings(x.before)), "\n")
}

// closestLine compares the longest line of before with every line by the pairs
// of neighbouring bytes they share, and the likeliest few by edit distance.
func (x *explanation) closestLine() {
	our, rawLine := "", ""
	raw := x.beforeLines()
	for j, line := range strings.Split(x.target, "\n") {
		if len(line) > len(our) && j < len(raw) {
			our, rawLine = line, raw[j]
		}
	}
	our = cutBytes(our, maxCompared)
	const short = 3
	if len(our) < short {
		return
	}
	want := signatureOf(our)
	type candidate struct{ line, score int }
	var best []candidate // by score, then by line
	for i, l := range x.folded.lines {
		if l.at == l.end {
			continue
		}
		score := want.common(signatureOf(x.folded.text[l.at:min(l.end, l.at+maxLine)]))
		if score*2 < want.size() || len(best) == maxRefined && score <= best[len(best)-1].score || !x.lineShown(l) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, score, func(c candidate, score int) int {
			if c.score >= score {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, candidate{i, score})
		best = best[:min(len(best), maxRefined)]
	}
	nearest, distance := -1, len(our)*2/5+1
	for _, c := range best {
		l := x.folded.lines[c.line]
		d := distanceWithin(our, x.folded.text[l.at:min(l.end, l.at+maxLine)])
		if d < distance || d == distance && nearest >= 0 && c.line < nearest {
			nearest, distance = c.line, d
		}
	}
	if nearest < 0 {
		return
	}
	l := x.folded.lines[nearest]
	theirs, mine := quotePair(x.text[l.from:l.to], rawLine)
	x.hint("closest is line %d of the file: %s where `before` has %s", l.number, theirs, mine)
}

// quotePair quotes two lines, each cut to what a hint has room for. Where they
// start alike for long, the start is left out.
func quotePair(a, b string) (string, string) {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && same < len(a) && !utf8.RuneStart(a[same]) {
		same--
	}
	if same > quoted/2 && (longer(a, quoted) || longer(b, quoted)) {
		keep := len(cutRunesBefore(a[:same], quoted/4))
		a, b = cutMark+a[same-keep:], cutMark+b[same-keep:]
	}
	return quoteText(ellipsis(a)), quoteText(ellipsis(b))
}

func ellipsis(s string) string {
	if longer(s, quoted) {
		return cutRunes(s, quoted-1) + cutMark
	}
	return s
}

// signature is the set of the pairs of neighbouring bytes of a text, hashed.
type signature [4]uint64

func signatureOf(s string) signature {
	var sig signature
	for i := 0; i+1 < len(s); i++ {
		h := (uint32(s[i])*31 + uint32(s[i+1])) * 2654435761 >> 24
		sig[h>>6] |= 1 << (h & 63)
	}
	return sig
}

func (s signature) size() int { return s.common(s) }

func (s signature) common(t signature) int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// distanceWithin is the least number of byte edits that turn needle into some
// part of text.
func distanceWithin(needle, text string) int {
	row := make([]int, len(needle)+1) // distances of the heads of needle to parts ending here
	for i := range row {
		row[i] = i
	}
	best := row[len(needle)]
	for j := range len(text) {
		diagonal := row[0]
		for i := 1; i <= len(needle); i++ {
			cost := diagonal
			if needle[i-1] != text[j] {
				cost++
			}
			diagonal = row[i]
			row[i] = min(cost, row[i]+1, row[i-1]+1)
		}
		best = min(best, row[len(needle)])
	}
	return best
}
