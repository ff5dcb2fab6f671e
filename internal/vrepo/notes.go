package vrepo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNamed bounds the characters that a note names one by one.
const maxNamed = 5

// Notes says in words what a reader of the patch may not see: changed line
// endings, a final newline, an emptied file, characters that do not show or look
// like others. Each note is short, and there are at most eight.
func (e Edit) Notes() []string {
	if e.Before == e.After {
		return nil
	}
	if plain(e.Before) && plain(e.After) { // nothing hidden, no line ending
		if sameButSpace(e.Before, e.After) {
			return []string{onlyWhitespace}
		}
		return nil
	}
	var notes []string
	add := func(note string) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	prefix, _, suffix := e.Pieces()
	if len(prefix)+len(e.After)+len(suffix) == 0 {
		return []string{"the file becomes empty"}
	}
	add(e.whitespaceNote())
	add(e.endingsNote())
	add(e.finalNewlineNote())
	add(e.markNote())
	add(e.hiddenNote())
	add(e.spaceNote())
	add(e.scriptNote())
	return notes
}

// touched are the old and the new text with one byte of the file on either
// side, so that a line ending of two bytes is seen whole.
func (e Edit) touched() (before, after string) {
	prefix, _, suffix := e.Pieces()
	left, right := prefix[max(0, len(prefix)-1):], suffix[:min(1, len(suffix))]
	return left + e.Before + right, left + e.After + right
}

// whitespaceNote tells a change of whitespace alone, or of line endings alone.
func (e Edit) whitespaceNote() string {
	before, after := e.touched()
	switch {
	case unifyEndings(before) == unifyEndings(after):
		return "only line endings change"
	case sameButSpace(e.Before, e.After):
		return onlyWhitespace
	}
	return ""
}

const onlyWhitespace = "only whitespace changes"

// plain reports whether a text is not empty and all of it shows: one line of
// printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7E {
			return false
		}
	}
	return s != ""
}

// unifyEndings writes every line ending as a line feed.
func unifyEndings(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// sameButSpace compares two texts without their whitespace.
func sameButSpace(a, b string) bool {
	for {
		a, b = strings.TrimLeftFunc(a, unicode.IsSpace), strings.TrimLeftFunc(b, unicode.IsSpace)
		if a == "" || b == "" {
			return a == b
		}
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y || a[:n] != b[:m] {
			return false
		}
		a, b = a[n:], b[m:]
	}
}

// endingsNote tells a change of the kinds of line endings in the file. What the
// touched text had and has is exchanged in the counts of the whole file.
func (e Edit) endingsNote() string {
	before, after := e.touched()
	gone, come, file := endingsOf(before), endingsOf(after), e.Base.lineEndings()
	result := endings{
		lf:   file.lf - gone.lf + come.lf,
		crlf: file.crlf - gone.crlf + come.crlf,
		cr:   file.cr - gone.cr + come.cr,
	}
	switch {
	case file.String() == result.String(), result == endings{}:
		return ""
	case file == endings{} && result.String() == "lf":
		return "" // the first line feed of a file is nothing to wonder at
	}
	return fmt.Sprintf("line endings change: %s before, %s after", file, result)
}

func (e Edit) finalNewlineNote() string {
	prefix, after, suffix := e.Pieces()
	had := strings.HasSuffix(e.Base.text, "\n")
	has := false
	for _, piece := range []string{suffix, after, prefix} {
		if piece != "" {
			has = strings.HasSuffix(piece, "\n")
			break
		}
	}
	switch {
	case had && !has:
		return "the newline at the end of the file is removed"
	case has && !had && e.Base.text != "":
		return "a newline is added at the end of the file"
	}
	return ""
}

// markNote tells a change of the byte order mark. Only the file's first bytes
// are put together.
func (e Edit) markNote() string {
	prefix, after, suffix := e.Pieces()
	const size = len(byteOrderMark)
	head := cutAt(prefix, size) + cutAt(after, size) + cutAt(suffix, size)
	switch has := strings.HasPrefix(head, byteOrderMark); {
	case e.Base.BOM() && !has:
		return "the byte order mark is removed"
	case has && !e.Base.BOM():
		return "a byte order mark is added"
	}
	return ""
}

func cutAt(s string, n int) string { return s[:min(n, len(s))] }

// hiddenNote names the characters in the new text that do not show, or that
// change how their neighbours show: control, bidi and zero-width characters.
func (e Edit) hiddenNote() string {
	text := e.After
	if _, _, suffix := e.Pieces(); strings.HasPrefix(suffix, "\n") {
		text += "\n"
	}
	var found runeSet
	for i, r := range text {
		if hidden(r) && !(r == '\r' && strings.HasPrefix(text[i:], "\r\n")) {
			found.add(r)
		}
	}
	return found.note("the new text has characters that do not show: ")
}

// spaceNote names the characters in the new text that look like a space and are
// none.
func (e Edit) spaceNote() string {
	if isASCII(e.After) {
		return ""
	}
	var found runeSet
	for _, r := range e.After {
		if isOddSpace(r) && !hidden(r) {
			found.add(r)
		}
	}
	return found.note("the new text has characters that look like a space: ")
}

// scriptNote names the letters of other scripts that look like Latin ones and
// stand in a word with such. A word with one Latin letter may be a unit or a
// formula.
func (e Edit) scriptNote() string {
	if isASCII(e.After) {
		return ""
	}
	const fewLatin = 2
	var found runeSet
	for word := range strings.FieldsFuncSeq(e.After, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		latin := 0
		for _, r := range word {
			if r < utf8.RuneSelf {
				latin++
			}
		}
		if latin < fewLatin {
			continue
		}
		for _, r := range word {
			if _, ok := latinLookalike(r); ok && scriptName(r) != "" {
				found.add(r)
			}
		}
	}
	return found.note("the new text has letters of other scripts that look like Latin ones: ")
}

// runeSet is different characters in the order of their first appearance.
type runeSet struct {
	seen  map[rune]bool
	first []rune // the first maxNamed
}

func (s *runeSet) add(r rune) {
	if s.seen[r] {
		return
	}
	if s.seen == nil {
		s.seen = map[rune]bool{}
	}
	s.seen[r] = true
	if len(s.first) < maxNamed {
		s.first = append(s.first, r)
	}
}

// note names the characters behind the words that introduce them; it is empty
// if there are none.
func (s *runeSet) note(words string) string {
	if len(s.first) == 0 {
		return ""
	}
	names := make([]string, len(s.first))
	for i, r := range s.first {
		names[i] = runeName(r)
	}
	note := words + strings.Join(names, ", ")
	if more := len(s.seen) - len(s.first); more > 0 {
		note += fmt.Sprintf(" and %d more", more)
	}
	return note
}

// hidden reports whether a character is control, format (bidi and zero-width
// among them) or a line separator. Tab and line feed are ordinary text.
func hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7F
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || blank(r)
}

// blank reports whether a character that counts as a letter or mark is drawn as
// nothing: fillers, the grapheme joiner, variation selectors.
func blank(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return 0xFE00 <= r && r <= 0xFE0E || 0xE0100 <= r && r <= 0xE01EF
}

// runeName is U+XXXX, with a name for the characters people meet.
func runeName(r rune) string {
	code := fmt.Sprintf("U+%04X", r)
	if name := commonName(r); name != "" {
		return code + " (" + name + ")"
	}
	return code
}

func commonName(r rune) string {
	switch r {
	case 0x0000:
		return "NUL"
	case 0x000D:
		return "carriage return"
	case 0x001B:
		return "escape"
	case 0x00A0:
		return "no-break space"
	case 0x00AD:
		return "soft hyphen"
	case 0x200B:
		return "zero-width space"
	case 0x200C:
		return "zero-width non-joiner"
	case 0x200D:
		return "zero-width joiner"
	case 0x200E, 0x200F, 0x061C, 0x2066, 0x2067, 0x2068, 0x2069, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E:
		return "bidi control"
	case 0x2018, 0x2019, 0x201C, 0x201D:
		return "curly quote"
	case 0x2028:
		return "line separator"
	case 0x202F:
		return "narrow no-break space"
	case 0x2060:
		return "word joiner"
	case 0x3000:
		return "ideographic space"
	case 0xFEFF:
		return "byte order mark"
	}
	return scriptName(r)
}
