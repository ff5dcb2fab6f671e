package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EscapeLine makes text safe and visible on one line of a terminal. Everything
// that moves the cursor, reorders, hides or cannot be seen is written as
// <U+202E>, and every byte that is not UTF-8 as <0xE9>: controls (line breaks
// and tabs too), DEL, C1, bidirectional and zero-width characters, other format
// characters and blank fillers, line and paragraph separators, tag characters,
// and variation selectors that do not follow a symbol. Text without any comes
// back as it is, and escaping twice changes nothing more. Time is linear.
func EscapeLine(text string) string { return escaper{}.apply(text) }

// EscapeText is [EscapeLine] for text of several lines: "\n" and "\t" stay. A
// carriage return is escaped wherever it stands, so CRLF can be seen.
func EscapeText(text string) string { return escaper{lines: true}.apply(text) }

// escaper says what may stay as it is, apart from visible characters.
type escaper struct {
	lines bool // "\n" and "\t" stay
	ascii bool // nothing outside ASCII stays
}

func (e escaper) apply(text string) string {
	var out []byte
	copied := 0        // text[:copied] is in out
	before := rune(-1) // the character before, if it was kept
	for i := 0; i < len(text); {
		if printable(text[i]) {
			before = rune(text[i])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		if e.keeps(before, r, size, text[end:]) {
			before, i = r, end
			continue
		}
		out = append(out, text[copied:i]...)
		if r == utf8.RuneError && size == 1 {
			out = fmt.Appendf(out, "<0x%02X>", text[i])
		} else {
			out = fmt.Appendf(out, "<U+%04X>", r)
		}
		before, copied, i = -1, end, end
	}
	if copied == 0 {
		return text
	}
	return string(append(out, text[copied:]...))
}

// keeps reports whether r, decoded from size bytes and no printable ASCII, stays
// as it is between the kept character before it and the text after it.
func (e escaper) keeps(before, r rune, size int, after string) bool {
	switch {
	case r == '\n' || r == '\t':
		return e.lines
	case e.ascii, r < 0xA0, r == utf8.RuneError && size == 1:
		return false
	case r == 0xFE0E || r == 0xFE0F:
		return presents(before, after)
	}
	return !invisible(r)
}

// presents reports whether a selector of text or emoji presentation has work to
// do after before: on a symbol, or on a key of a telephone with its frame to
// follow. Anywhere else it is an invisible difference.
func presents(before rune, after string) bool {
	switch {
	case before < 0x80:
		key := before == '#' || before == '*' || '0' <= before && before <= '9'
		return key && strings.HasPrefix(after, "\u20E3")
	case before == 0xFE0E || before == 0xFE0F:
		return false
	}
	return unicode.IsSymbol(before) || unicode.IsPunct(before)
}

// invisible reports whether a character outside ASCII and C1 leaves no mark of
// its own, or orders the text around it. Of the format characters only those
// that enclose a number are drawn.
func invisible(r rune) bool {
	if 0x3400 <= r && r <= 0xD7A3 {
		return false // Han, Hangul and their neighbours: most text that is not Latin
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r)
}
