package vrepo

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// rewriting is a way in which escapes are doubled, or get lost, between a file
// and a request. At the start of rest it finds the text that was rewritten, of
// size bytes, and what that was before; size is 0 where nothing was.
type rewriting struct {
	find   func(rest string) (size int, was string)
	advice string
}

// rewritings are those that are tried, in this order.
func rewritings() []rewriting {
	const twice = "`before` is escaped twice, escape it once"
	return []rewriting{
		{jsonEscape, twice},
		{breakEscape, twice},
		{entity, "`before` is escaped, write the character itself"},
		{breakCharacter, "the file spells it as an escape, so escape it twice"},
		{markupCharacter, "the file has it escaped"},
	}
}

// otherEscapes tries before with escapes taken off or put on.
func (x *explanation) otherEscapes() bool {
	for _, r := range rewritings() {
		text, has, was := r.undo(x.before)
		if text == x.before {
			continue
		}
		at, more, ok := x.unique(text)
		if !ok && x.lineEndings().crlf > 0 && strings.IndexByte(text, '\n') >= 0 {
			at, more, ok = x.unique(strings.ReplaceAll(unifyEndings(text), "\n", "\r\n"))
		}
		if ok {
			x.hint("would match %s if %s is %s, at line %d: %s", times(more), codeWords(has), codeWords(was), x.LineAt(at), r.advice)
			return true
		}
	}
	return false
}

// undo rewrites a text back; has and was are the first thing rewritten.
func (r rewriting) undo(text string) (out, has, was string) {
	var b strings.Builder
	for i := 0; i < len(text); {
		size, old := r.find(text[i:])
		if size == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		if has == "" {
			has, was = text[i:i+size], old
		}
		b.WriteString(old)
		i += size
	}
	return b.String(), has, was
}

// codeWords names a short text: "a line break", "`<`".
func codeWords(s string) string {
	switch s {
	case "\n":
		return "a line break"
	case "\t":
		return "a tab"
	case "\r":
		return "a carriage return"
	}
	if r, _ := utf8.DecodeRuneInString(s); hidden(r) || isOddSpace(r) {
		return runeName(r)
	}
	return "`" + s + "`"
}

// jsonEscape reads an escape of a JSON string.
func jsonEscape(rest string) (size int, was string) {
	if len(rest) < 2 || rest[0] != '\\' {
		return 0, ""
	}
	switch rest[1] {
	case '"', '\\', '/':
		return 2, rest[1:2]
	case 'u':
		return unicodeEscape(rest)
	}
	return breakEscape(rest)
}

// breakEscape reads the escape of a line break or tab.
func breakEscape(rest string) (size int, was string) {
	if len(rest) < 2 || rest[0] != '\\' {
		return 0, ""
	}
	switch rest[1] {
	case 'n':
		return 2, "\n"
	case 'r':
		return 2, "\r"
	case 't':
		return 2, "\t"
	}
	return 0, ""
}

// unicodeEscape reads an escape by code point, or by the two halves of one.
func unicodeEscape(rest string) (size int, was string) {
	const one, two = 6, 12
	unit := func(at int) rune {
		if len(rest) < at+one || rest[at:at+2] != `\u` {
			return -1
		}
		n, err := strconv.ParseUint(rest[at+2:at+one], 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	r := unit(0)
	if pair := utf16.DecodeRune(r, unit(one)); pair != utf8.RuneError {
		return two, string(pair)
	}
	if r <= 0 || utf16.IsSurrogate(r) {
		return 0, ""
	}
	return one, string(r)
}

// entity reads a character of markup in its escaped form.
func entity(rest string) (size int, was string) {
	if rest[0] != '&' {
		return 0, ""
	}
	for _, e := range []struct{ name, was string }{
		{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", `"`},
		{"&apos;", "'"}, {"&#39;", "'"}, {"&#34;", `"`}, {"&#x27;", "'"}, {"&nbsp;", "\u00A0"},
	} {
		if strings.HasPrefix(rest, e.name) {
			return len(e.name), e.was
		}
	}
	return 0, ""
}

// breakCharacter reads a line break or tab that was an escape.
func breakCharacter(rest string) (size int, was string) {
	switch rest[0] {
	case '\n':
		return 1, `\n`
	case '\r':
		return 1, `\r`
	case '\t':
		return 1, `\t`
	}
	return 0, ""
}

// markupCharacter reads a character that was an entity.
func markupCharacter(rest string) (size int, was string) {
	switch rest[0] {
	case '<':
		return 1, "&lt;"
	case '>':
		return 1, "&gt;"
	case '&':
		return 1, "&amp;"
	}
	return 0, ""
}
