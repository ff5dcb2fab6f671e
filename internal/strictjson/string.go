package strictjson

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf16"
)

// string reads the string that starts with the quote at p.at. Without escapes
// the result is a part of the text.
func (p *parser) string() (string, *Error) {
	start := p.at
	p.at++
	p.plain()
	if p.peek() == '"' {
		p.at++
		return p.text[start+1 : p.at-1], nil
	}
	return p.escaped(start)
}

// plain steps over bytes that stand for themselves in a string.
func (p *parser) plain() { p.at = plainEnd(p.text, p.at) }

// plainEnd is the index, from i on, of the first byte of s that cannot stand for
// itself in a JSON string: a quote, a backslash or a control character; len(s) if
// there is none.
func plainEnd(s string, i int) int {
	// Eight bytes at a time. Each term has the top bit set in the bytes it looks
	// for; a borrow can set wrong bits only above a right one, so the lowest bit
	// set is the first hit.
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		x := load8(s, i)
		quote, backslash := x^('"'*ones), x^('\\'*ones)
		hits := (x-0x20*ones)&^x | (quote-ones)&^quote | (backslash-ones)&^backslash
		if hits &= tops; hits != 0 {
			return i + bits.TrailingZeros64(hits)/8
		}
	}
	for i < len(s) && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// load8 is s[i:i+8] as a little-endian number; compiled to one load.
func load8(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escaped reads on from the first byte that is not plain.
func (p *parser) escaped(start int) (string, *Error) {
	in := place{"a string", start}
	var b strings.Builder
	// A first guess: the string is at least as long as its text up to the next
	// quote, which is either its end or an escaped quote inside it.
	if quote := strings.IndexByte(p.text[p.at:], '"'); quote > 0 {
		b.Grow(p.at + quote - start)
	}
	b.WriteString(p.text[start+1 : p.at])
	for {
		if p.at == len(p.text) {
			return "", p.truncated(in, "")
		}
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return b.String(), nil
		case '\\':
			r, err := p.escape(in)
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		default:
			return "", p.control(in, c)
		}
		from := p.at
		p.plain()
		b.WriteString(p.text[from:p.at])
	}
}

// control refuses the raw control character c.
func (p *parser) control(in place, c byte) *Error {
	escape := appendEscape(nil, c)
	return &Error{
		Code: BadJSON, Offset: p.at,
		Message: fmt.Sprintf("raw control character U+%04X at byte %d%s", c, p.at, in),
		Hint:    fmt.Sprintf("write it as %s", escape),
	}
}

// escape reads one escape, which starts with the backslash at p.at.
func (p *parser) escape(in place) (rune, *Error) {
	start := p.at
	p.at++
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return p.unicode(in, start)
	default:
		p.at--
		return 0, p.refuse(in, `one of " \ / b f n r t u after the backslash`, "")
	}
}

// unicode reads the four digits of an escape that starts at start, and the other
// half of its surrogate pair.
func (p *parser) unicode(in place, start int) (rune, *Error) {
	high, err := p.hex4(in)
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	rest := p.text[p.at:]
	if rest == "" || rest == `\` {
		return 0, p.truncated(in, "")
	}
	if !strings.HasPrefix(rest, `\u`) {
		return 0, loneSurrogate(start, high)
	}
	p.at += len(`\u`)
	low, err := p.hex4(in)
	if err != nil {
		return 0, err
	}
	const replacement = '\uFFFD' // what DecodeRune gives for no pair; no pair means it
	r := utf16.DecodeRune(high, low)
	if r == replacement {
		return 0, loneSurrogate(start, high)
	}
	return r, nil
}

// hex4 reads four hexadecimal digits.
func (p *parser) hex4(in place) (rune, *Error) {
	var r rune
	for range 4 {
		digit, ok := hexDigit(p.peek())
		if !ok {
			return 0, p.refuse(in, `four hexadecimal digits after \u`, "")
		}
		r = r<<4 | digit
		p.at++
	}
	return r, nil
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case isDigit(c):
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	default:
		return 0, false
	}
}
