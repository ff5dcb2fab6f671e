package vrepo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// differenceKind is a way in which two texts of one folded form differ.
type differenceKind uint8

// The kinds, the most telling first: a hint shows the place of one difference.
const (
	lookalikes differenceKind = iota
	invisibles
	unicodeForm
	letterCase
	tabsAndSpaces
	trailingSpace
	lineBreaks
	lineEndings
	differenceKinds int = iota
)

func (k differenceKind) String() string {
	switch k {
	case lookalikes:
		return "look-alike characters"
	case invisibles:
		return "invisible characters"
	case unicodeForm:
		return "Unicode form"
	case letterCase:
		return "letter case"
	case tabsAndSpaces:
		return "tabs and spaces"
	case trailingSpace:
		return "trailing whitespace"
	case lineBreaks:
		return "line breaks at its ends"
	case lineEndings:
		return "line endings"
	}
	return "unset"
}

// difference is how a region of a file differs from a text.
type difference struct {
	found [differenceKinds]bool
	top   differenceKind // the most telling kind; its first place follows
	at    int            // in the region
	// inFile and inBefore describe both sides in words.
	inFile, inBefore string
}

func (d *difference) count() int {
	n := 0
	for _, found := range d.found {
		if found {
			n++
		}
	}
	return n
}

func (d *difference) kinds() string {
	var names []string
	for k, found := range d.found {
		if found {
			names = append(names, differenceKind(k).String())
		}
	}
	return strings.Join(names, ", ")
}

// add notes a difference, with its place and words for both sides. It asks for
// those only if they are to be shown.
func (d *difference) add(kind differenceKind, place func() (at int, inFile, inBefore string)) {
	if d.count() == 0 || kind < d.top {
		d.top = kind
		d.at, d.inFile, d.inBefore = place()
	}
	d.found[kind] = true
}

// compare walks two texts side by side and names what differs. It is false if
// they differ in more than what folding leaves out, or not at all.
func compare(before, region string) (d difference, ok bool) {
	i, j := 0, 0
	for i < len(before) || j < len(region) {
		endI, endJ := gapEnd(before, i), gapEnd(region, j)
		if endI > i || endJ > j {
			d.addGap(before[i:endI], region[j:endJ], j, endI == len(before))
			i, j = endI, endJ
			continue
		}
		if i == len(before) || j == len(region) {
			return d, false
		}
		_, endI = nextAtom(before, i)
		_, endJ = nextAtom(region, j)
		if !d.addAtom(before[i:endI], region[j:endJ], j) {
			return d, false
		}
		i, j = endI, endJ
	}
	return d, d.count() > 0
}

// gapEnd is where the whitespace, line endings and invisible characters at i
// end.
func gapEnd(s string, i int) int {
	for i < len(s) {
		kind, end := nextAtom(s, i)
		if kind == textAtom {
			break
		}
		i = end
	}
	return i
}

// addAtom notes how two characters differ; it is false if they are two
// different ones.
func (d *difference) addAtom(before, region string, at int) bool {
	if before == region {
		return true
	}
	if !scriptFolding.sameFolded(before, region) {
		return false
	}
	kind := letterCase
	switch {
	case len(before) == 1 && len(region) == 1:
	case norm.NFC.String(before) == norm.NFC.String(region):
		kind = unicodeForm
	case hasLookalike(before) || hasLookalike(region) || !plainFolding.sameFolded(before, region):
		kind = lookalikes
	}
	d.add(kind, func() (int, string, string) {
		if kind == letterCase {
			return at, quoteText(region), quoteText(before)
		}
		return at, spelled(region), spelled(before)
	})
	return true
}

func (f folding) sameFolded(a, b string) bool {
	var x, y [2 * maxSegment]byte
	return string(f.appendFolded(x[:0], a)) == string(f.appendFolded(y[:0], b))
}

func hasLookalike(atom string) bool {
	r, _ := utf8.DecodeRuneInString(atom)
	_, ok := lookalike(r)
	return ok
}

// spelled shows a character and its code points.
func spelled(atom string) string {
	const most = 2 // code points named
	var points []string
	for _, r := range atom {
		if r < utf8.RuneSelf && len(atom) == 1 {
			return quoteText(atom)
		}
		if len(points) == most {
			points = append(points, "and more")
			break
		}
		points = append(points, runeName(r))
	}
	return quoteText(cutRunes(atom, most)) + " " + strings.Join(points, " ")
}

// addGap notes how the whitespace between two characters differs. The last gap
// is followed by no character.
func (d *difference) addGap(before, region string, at int, last bool) {
	if before == region {
		return
	}
	oddBefore, _ := oddRunes(before)
	oddRegion, place := oddRunes(region)
	if oddBefore != oddRegion {
		kind := invisibles
		if strings.ContainsFunc(oddBefore+oddRegion, isOddSpace) {
			kind = lookalikes
		}
		if oddBefore == "" {
			r, _ := utf8.DecodeRuneInString(oddRegion)
			d.add(kind, func() (int, string, string) { return at + place, runeName(r), gapWords(before) })
		} else {
			d.addWords(kind, before, region, at)
		}
	}
	before, region = plainGap(before), plainGap(region)
	if before != region {
		d.addLines(before, region, at, last)
	}
}

// addWords notes that two gaps differ. What they start with in common is left
// out if the words for both would be the same.
func (d *difference) addWords(kind differenceKind, before, region string, at int) {
	d.add(kind, func() (int, string, string) {
		inFile, inBefore := gapWords(region), gapWords(before)
		if inFile == inBefore {
			same := commonAtoms(before, region)
			at, inFile, inBefore = at+same, gapWords(region[same:]), gapWords(before[same:])
		}
		return at, inFile, inBefore
	})
}

// commonAtoms is the size of the whitespace that two gaps start with in common.
func commonAtoms(a, b string) int {
	same := commonPrefix(a, b)
	at := 0
	for at < same {
		_, end := nextAtom(a, at)
		if _, other := nextAtom(b, at); end != other || end > same {
			break
		}
		at = end
	}
	return at
}

// addLines notes how two gaps without odd characters differ, line by line.
func (d *difference) addLines(before, region string, at int, last bool) {
	ours, theirs := strings.Split(unifyEndings(before), "\n"), strings.Split(unifyEndings(region), "\n")
	if len(ours) != len(theirs) {
		d.addWords(lineBreaks, before, region, at)
		return
	}
	if endingsOf(before) != endingsOf(region) {
		d.addWords(lineEndings, before, region, at)
	}
	for k := range ours {
		if ours[k] == theirs[k] {
			continue
		}
		kind := trailingSpace
		if k == len(ours)-1 && !(last && k == 0) {
			kind = tabsAndSpaces
		}
		d.addWords(kind, ours[k], theirs[k], at+afterBreaks(region, k))
	}
}

// afterBreaks is the offset behind the first n line endings of s.
func afterBreaks(s string, n int) int {
	at := 0
	for n > 0 && at < len(s) {
		kind, end := nextAtom(s, at)
		if kind == breakAtom {
			n--
		}
		at = end
	}
	return at
}

// isOddSpace reports whether r is whitespace other than what keyboards give.
func isOddSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r':
		return false
	}
	return unicode.IsSpace(r) || r == '\u2028' || r == '\u2029'
}

// oddRunes are the characters of a gap that are no ordinary whitespace, and the
// offset of the first.
func oddRunes(gap string) (odd string, first int) {
	var b strings.Builder
	for i, r := range gap {
		if r < utf8.RuneSelf && !isOddSpace(r) {
			continue
		}
		if b.Len() == 0 {
			first = i
		}
		b.WriteRune(r)
	}
	return b.String(), first
}

// plainGap is a gap with every odd space as a space and no invisible
// characters.
func plainGap(gap string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case isOddSpace(r):
			return ' '
		case r >= utf8.RuneSelf:
			return -1
		}
		return r
	}, gap)
}

// gapWords describes whitespace: "4 spaces", "1 tab and 2 spaces", "nothing".
func gapWords(gap string) string {
	const most = 2 // runs named
	type spaces struct {
		kind atomKind
		one  string
		n    int
	}
	var runs []spaces
	for i := 0; i < len(gap) && len(runs) <= most; {
		kind, end := nextAtom(gap, i)
		one := gap[i:end]
		n := 0
		for i < len(gap) {
			if _, end = nextAtom(gap, i); gap[i:end] != one {
				break
			}
			n++
			i = end
		}
		runs = append(runs, spaces{kind, one, n})
	}
	if len(runs) == 0 {
		return "nothing"
	}
	var words []string
	for i, r := range runs {
		if i == most {
			words = append(words, "more")
			break
		}
		words = append(words, atomWords(r.kind, r.one, r.n, len(runs) == 1))
	}
	return strings.Join(words, " and ")
}

// atomWords names n equal whitespace characters; an unusual one by its code
// point, and in full by its name too.
func atomWords(kind atomKind, one string, n int, full bool) string {
	name := ""
	switch {
	case one == " ":
		name = "space"
	case one == "\t":
		name = "tab"
	case kind == breakAtom:
		name = strings.ToUpper(endingsOf(one).String())
	default:
		r, _ := utf8.DecodeRuneInString(one)
		if name = fmt.Sprintf("U+%04X", r); full {
			name = runeName(r)
		}
		if n == 1 {
			return name
		}
		return fmt.Sprintf("%d times %s", n, name)
	}
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
