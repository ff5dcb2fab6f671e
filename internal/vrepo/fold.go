package vrepo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A folded text leaves out what people and models overlook: the kind and
// amount of whitespace, line endings, letter case, Unicode form, look-alike
// quotes and dashes, zero-width characters. Two texts with equal folded forms
// look the same or nearly so. Folding serves hints only; no match rests on it.

// folding is how far folding goes. Letters of other scripts are a step of their
// own: their look-alikes depend on letter case, so that folding them hides some
// pairs that differ in letter case alone.
type folding uint8

const (
	plainFolding  folding = iota + 1
	scriptFolding         // a letter of another script is the Latin one it looks like
)

// atomKind is what an atom is for folding.
type atomKind uint8

const (
	textAtom    atomKind = iota + 1 // a character with its combining marks
	spaceAtom                       // one whitespace character inside a line
	breakAtom                       // a line ending: LF, CRLF or CR
	nothingAtom                     // a character that shows nothing
)

// nextAtom is the kind and the end of the atom at offset i of s.
func nextAtom(s string, i int) (kind atomKind, end int) {
	c := s[i]
	if c < utf8.RuneSelf {
		switch {
		case c == '\n':
			return breakAtom, i + 1
		case c == '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				return breakAtom, i + 2
			}
			return breakAtom, i + 1
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			return spaceAtom, i + 1
		}
		return textAtom, segmentEnd(s, i, 1)
	}
	if 0xC3 <= c && c <= 0xD7 { // U+00C0 to U+05FF has neither spaces nor format characters
		return textAtom, segmentEnd(s, i, 2)
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case isIdeograph(r):
		return textAtom, i + size
	case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
		return spaceAtom, i + size
	case unicode.Is(unicode.Cf, r):
		return nothingAtom, i + size
	}
	return textAtom, segmentEnd(s, i, size)
}

// isIdeograph is true for characters that fold to themselves and are frequent
// enough to be worth a short cut.
func isIdeograph(r rune) bool { return 0x3400 <= r && r <= 0x9FFF }

// maxSegment bounds an atom in bytes: text may pile up marks without end.
const maxSegment = 64

// segmentEnd is the end of the character of that size at i with the marks that
// combine with it.
func segmentEnd(s string, i, size int) int {
	next := i + size
	if next >= len(s) {
		return len(s)
	}
	// No character before U+0300 combines, nor do U+0380 to U+047F and the
	// ideographs from U+4000 on.
	if c := s[next]; c < 0xCC || 0xCE <= c && c <= 0xD1 || 0xE4 <= c && c <= 0xE9 {
		return next
	}
	head := cutBytes(s[i:], maxSegment)
	if n := norm.NFC.NextBoundaryInString(head, true); n > 0 {
		return i + n
	}
	return next
}

// appendFolded appends the folded form of a text atom.
func (f folding) appendFolded(dst []byte, atom string) []byte {
	if len(atom) == 1 {
		c := atom[0]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return append(dst, c)
	}
	r, size := utf8.DecodeRuneInString(atom)
	start := len(dst)
	if size < len(atom) {
		return f.lowerFrom(norm.NFD.AppendString(dst, atom), start)
	}
	if plain, ok := lookalike(r); ok {
		return append(dst, plain)
	}
	if isIdeograph(r) {
		return append(dst, atom...)
	}
	if parts := norm.NFD.PropertiesString(atom).Decomposition(); parts != nil {
		return f.lowerFrom(append(dst, parts...), start)
	}
	return f.lowerFrom(append(dst, atom...), start)
}

// lowerFrom maps the letters of dst from start on to lowercase.
func (f folding) lowerFrom(dst []byte, start int) []byte {
	for i := start; i < len(dst); {
		r, size := utf8.DecodeRune(dst[i:])
		if f == scriptFolding && size > 1 {
			if plain, ok := latinLookalike(r); ok {
				dst = append(append(dst[:i], plain), dst[i+size:]...)
				r, size = rune(plain), 1
			}
		}
		lower := unicode.ToLower(r)
		if utf8.RuneLen(lower) != size {
			return append(dst[:i], strings.ToLower(string(dst[i:]))...)
		}
		if lower != r {
			utf8.EncodeRune(dst[i:], lower)
		}
		i += size
	}
	return dst
}

// foldLine appends the folded form of a line without its ending: no whitespace
// at its ends and single spaces inside. It stops once it has written more than
// limit bytes, unless limit is negative, and returns where in the line the atom
// that went beyond stands; from is -1 if none did.
func (f folding) foldLine(dst []byte, line string, limit int) (out []byte, from, to int) {
	base := len(dst)
	space, started := false, false
	for i := 0; i < len(line); {
		kind, end := nextAtom(line, i)
		switch kind {
		case spaceAtom:
			space = true
		case breakAtom: // a carriage return inside the line
			dst = append(dst, '\n')
			space, started = false, false
		case textAtom:
			if space && started {
				dst = append(dst, ' ')
			}
			space, started = false, true
			dst = f.appendFolded(dst, line[i:end])
		}
		if limit >= 0 && len(dst)-base > limit {
			return dst, i, end
		}
		i = end
	}
	return dst, -1, -1
}

// cutEnding is a line without its line ending.
func cutEnding(line string) string {
	if body, ok := strings.CutSuffix(line, "\n"); ok {
		return strings.TrimSuffix(body, "\r")
	}
	return line
}
