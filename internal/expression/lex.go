package expression

import (
	"errors"
	"strings"
	"unicode/utf8"

	"harness/internal/strictjson"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota // of the source
	tokenWord
	tokenNumber
	tokenText
	tokenSign // an operator or a bracket
)

// token is one piece of the source.
type token struct {
	kind  tokenKind
	at    int              // byte of the source
	text  string           // as it is written
	value strictjson.Value // of a number or text
}

// lexer cuts a source into tokens.
type lexer struct {
	source string
	at     int
}

func (l *lexer) fault(at int, message, hint string) *Fault {
	return faultAt(l.source, at, message, hint)
}

// next is the token that follows.
func (l *lexer) next() (token, *Fault) {
	for l.at < len(l.source) && isSpace(l.source[l.at]) {
		l.at++
	}
	if l.at == len(l.source) {
		return token{at: l.at}, nil
	}
	switch c := l.source[l.at]; {
	case isLetter(c):
		return l.readWord(), nil
	case isDigit(c):
		return l.readNumber()
	case c == '"' || c == '\'':
		return l.readString(c)
	default:
		return l.readSign()
	}
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

// isIdentifier reports whether a member of that name can be written a.name.
func isIdentifier(name string) bool {
	if name == "" || !isLetter(name[0]) || isKeyword(name) {
		return false
	}
	return wordEnd(name) == len(name)
}

// wordEnd is the length of the word at the start of s.
func wordEnd(s string) int {
	i := 0
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
		i++
	}
	return i
}

// isKeyword reports whether a word can be no name at all.
func isKeyword(name string) bool {
	switch name {
	case "true", "false", "null", "in":
		return true
	default:
		return false
	}
}

// isReserved reports whether CEL keeps a word for itself: a member may have it as
// its name, a variable may not.
func isReserved(name string) bool {
	switch name {
	case "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return true
	default:
		return false
	}
}

func (l *lexer) readWord() token {
	start := l.at
	l.at += wordEnd(l.source[start:])
	return token{kind: tokenWord, at: start, text: l.source[start:l.at]}
}

// number reads a number as JSON writes it, which is one of the ways of CEL.
func (l *lexer) readNumber() (token, *Fault) {
	start := l.at
	l.digits()
	if rest := l.source[l.at:]; len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		l.at++
		l.digits()
	}
	l.exponent()
	literal := l.source[start:l.at]
	if wordEnd(l.source[l.at:]) > 0 {
		return token{}, l.fault(start, "this is no number", "numbers are decimal, without a letter after them: 10, 2.5, 1e3")
	}
	v, err := strictjson.Parse([]byte(literal))
	if err == nil {
		return token{kind: tokenNumber, at: start, text: literal, value: v}, nil
	}
	var inexact *strictjson.Error
	if errors.As(err, &inexact) && inexact.Code == strictjson.JSONNumberInexact {
		return token{}, l.fault(start, inexact.Message, "write at most 15 significant digits")
	}
	return token{}, l.fault(start, "this is no number", "a number has no zeros in front: 7, not 07")
}

func (l *lexer) digits() {
	for l.at < len(l.source) && isDigit(l.source[l.at]) {
		l.at++
	}
}

// exponent reads "e12" or "E-3", or nothing.
func (l *lexer) exponent() {
	rest := l.source[l.at:]
	if rest == "" || rest[0] != 'e' && rest[0] != 'E' {
		return
	}
	n := 1
	if len(rest) > n && (rest[n] == '+' || rest[n] == '-') {
		n++
	}
	if len(rest) > n && isDigit(rest[n]) {
		l.at += n
		l.digits()
	}
}

// string reads a string that starts with quote.
func (l *lexer) readString(quote byte) (token, *Fault) {
	start := l.at
	l.at++
	var b strings.Builder
	for l.at < len(l.source) {
		switch c := l.source[l.at]; c {
		case quote:
			l.at++
			if b.Len() == 0 && l.at < len(l.source) && l.source[l.at] == quote && l.at == start+2 {
				return token{}, l.fault(start, "a string with three quotes on each side", "write one quote on each side")
			}
			return token{kind: tokenText, at: start, text: l.source[start:l.at], value: strictjson.OfString(b.String())}, nil
		case '\n', '\r':
			return token{}, l.fault(start, "this string does not end on its line", `close it, or write the line end as \n`)
		case '\\':
			r, fault := l.escape()
			if fault != nil {
				return token{}, fault
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	return token{}, l.fault(start, "this string does not end", "close it with "+string(quote))
}

// escape reads one escape, which starts with the backslash at l.at.
func (l *lexer) escape() (rune, *Fault) {
	start := l.at
	l.at += len(`\n`)
	if l.at > len(l.source) {
		l.at = len(l.source)
		return 0, l.fault(start, "nothing follows the backslash", "")
	}
	switch c := l.source[start+1]; c {
	case '\\', '"', '\'':
		return rune(c), nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return l.hex(start, 4)
	case 'U':
		return l.hex(start, 8)
	default:
		return 0, l.fault(start, "this escape is not known", `the escapes are \\ \" \' \n \r \t \uXXXX \UXXXXXXXX`)
	}
}

// hex reads the digits of an escape that starts at start.
func (l *lexer) hex(start, digits int) (rune, *Fault) {
	var r rune
	for range digits {
		d := hexDigit(l.source, l.at)
		if d < 0 || r > utf8.MaxRune {
			return 0, l.fault(start, "this escape names no character", `\u takes four hexadecimal digits and \U eight, up to \U0010FFFF`)
		}
		r = r<<4 | d
		l.at++
	}
	if !utf8.ValidRune(r) {
		return 0, l.fault(start, "this escape names no character", `a character beyond \uFFFF is written \UXXXXXXXX, never as two surrogates`)
	}
	return r, nil
}

// hexDigit is the value of the hexadecimal digit at s[i], -1 if there is none.
func hexDigit(s string, i int) rune {
	if i >= len(s) {
		return -1
	}
	switch c := s[i]; {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	default:
		return -1
	}
}

// sign reads an operator or a bracket.
func (l *lexer) readSign() (token, *Fault) {
	start, rest := l.at, l.source[l.at:]
	size := 0
	if len(rest) > 1 {
		switch rest[:2] {
		case "&&", "||", "==", "!=", "<=", ">=":
			size = 2
		case "//":
			return token{}, l.fault(start, "expressions have no comments", "put the comment beside the expression")
		}
	}
	if size == 0 && strings.IndexByte("()[]{}.,:?!-+*/%<>", rest[0]) >= 0 {
		size = 1
	}
	if size == 0 {
		_, size = utf8.DecodeRuneInString(rest)
		return token{}, l.fault(start, "the character "+strictjson.Quote(rest[:size])+" has no meaning here", hintForSign(rest[:size]))
	}
	l.at += size
	return token{kind: tokenSign, at: start, text: rest[:size]}, nil
}

// hintForSign explains the signs that people bring from other languages.
func hintForSign(s string) string {
	switch s {
	case "=":
		return "compare with =="
	case "&":
		return `"and" is written &&`
	case "|":
		return `"or" is written ||`
	case "“", "”", "‘", "’", "`":
		return `write strings in "…" or '…'`
	case "\u00a0":
		return "write an ordinary space"
	case "$":
		return "name a variable without $"
	default:
		return ""
	}
}
