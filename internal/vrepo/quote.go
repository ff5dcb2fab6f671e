package vrepo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoted is how many code points, as written, a hint quotes of a text.
const quoted = 40

// quoteText writes text as a JSON string does, with what does not show escaped.
func quoteText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		b.WriteString(quotedRune(r, i == 0))
	}
	b.WriteByte('"')
	return b.String()
}

// quotedRune is a character as quoteText writes it. A mark that would combine
// with the quote before it is escaped.
func quotedRune(r rune, first bool) string {
	switch {
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == ' ' || !hidden(r) && !isOddSpace(r) && !(first && unicode.Is(unicode.M, r)):
		return string(r)
	}
	return escapedRune(r)
}

// escapedRune is a character as the escape of a JSON string.
func escapedRune(r rune) string {
	if r > 0xFFFF {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// quoteHead quotes a text, or as much of its start as has room in a hint.
func quoteHead(text string) string { return quoteAround(text, 0, 0) }

// quoteContext is how much of a text is quoted before the place that matters.
const quoteContext = quoted / 4

// quoteAround quotes a text, or the part around an offset that has room in a
// hint, with … where text is left out. What stands before the offset takes up to
// context code points, and no more if little follows: so two parts of texts that
// differ from there on differ at the same place.
func quoteAround(text string, at, context int) string {
	if end, _ := on(text, 0, quoted); end == len(text) {
		return quoteText(text)
	}
	from, before := back(text, at, context)
	to, _ := on(text, at, quoted-before)
	quote := quoteText(text[from:to])
	if from > 0 {
		quote = `"` + cutMark + quote[1:]
	}
	if to < len(text) {
		quote = quote[:len(quote)-1] + cutMark + `"`
	}
	return quote
}

// back is the start of the text before an offset that is written in at most
// room code points, and how many it takes.
func back(text string, at, room int) (from, used int) {
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		n := utf8.RuneCountInString(quotedRune(r, false))
		if used+n > room {
			break
		}
		at, used = at-size, used+n
	}
	return at, used
}

// on is back toward the end.
func on(text string, at, room int) (to, used int) {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		n := utf8.RuneCountInString(quotedRune(r, false))
		if used+n > room {
			break
		}
		at, used = at+size, used+n
	}
	return at, used
}

// spellApart quotes two texts so that they can be told apart even where they
// look the same: what lies between their equal ends is escaped unless it is
// ASCII.
func spellApart(a, b string) (string, string) {
	head := commonPrefix(a, b)
	for head > 0 && (startsInside(a, head) || startsInside(b, head)) {
		head--
	}
	tail := commonSuffix(a[head:], b[head:])
	for tail > 0 && (startsInside(a, len(a)-tail) || startsInside(b, len(b)-tail)) {
		tail--
	}
	return spellMiddle(a, head, tail), spellMiddle(b, head, tail)
}

// startsInside reports whether an offset is inside a code point.
func startsInside(text string, at int) bool {
	return at < len(text) && !utf8.RuneStart(text[at])
}

func spellMiddle(text string, head, tail int) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		if r >= utf8.RuneSelf && i >= head && i < len(text)-tail {
			b.WriteString(escapedRune(r))
		} else {
			b.WriteString(quotedRune(r, i == 0))
		}
	}
	b.WriteByte('"')
	return b.String()
}
