package strictjson

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"harness/internal/diag"
)

// The codes of this package.
var (
	BadJSON = &diag.Code{
		Name: "BAD_JSON", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "The text is not exactly one JSON value as RFC 8259 defines it. Nothing was repaired or guessed, and nothing was done.",
		Do:    "Send one complete JSON value and nothing else: no code fence, comment, trailing comma, single quotes or second value. The message names the byte where reading stopped.",
	}
	DuplicateKey = &diag.Code{
		Name: "DUPLICATE_KEY", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "One object gives the same name twice. Readers disagree about which value counts, so neither does.",
		Do:    "Give each name once. Names are compared after escapes are read, so \"a\" and \"\\u0061\" are the same name.",
	}
	JSONTooDeep = &diag.Code{
		Name: "JSON_TOO_DEEP", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "Arrays and objects are nested more than 64 deep.",
		Do:    "Send a flatter value.",
	}
	JSONTooLarge = &diag.Code{
		Name: "JSON_TOO_LARGE", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "The text is longer than 1 MiB. It was not read.",
		Do:    "Send less at once; for an edit, a smaller piece of the file.",
	}
	JSONNumberInexact = &diag.Code{
		Name: "JSON_NUMBER_INEXACT", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "A number would change its value when read: a 64-bit float in its shortest form cannot say it.",
		Do:    "Write fewer digits (15 significant digits are always safe), or send the digits as a string where the contract allows one.",
	}
	JSONInvalidText = &diag.Code{
		Name: "JSON_INVALID_TEXT", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "The text is not valid Unicode: bytes that are no UTF-8, or half of a surrogate pair in an escape. Reading it would put other characters in its place.",
		Do:    "Encode the text as UTF-8, and write a character beyond U+FFFF as itself or as both halves of its surrogate pair.",
	}
)

// Codes lists the codes that this package raises.
func Codes() []*diag.Code {
	return []*diag.Code{BadJSON, DuplicateKey, JSONTooDeep, JSONTooLarge, JSONNumberInexact, JSONInvalidText}
}

// Error says why a text was refused.
type Error struct {
	Code *diag.Code
	// Offset is the byte, counted from 0, where the fault was found; the text's
	// length if the text stops too early.
	Offset  int
	Message string // what was expected and what arrived
	Hint    string // what to do instead; may be empty
}

// Error is the code and the message.
func (e *Error) Error() string { return e.Code.String() + " " + e.Message }

// Pos is the fault's line and column in data, the text that was parsed.
func (e *Error) Pos(data []byte) diag.Pos {
	return diag.At(string(data[:min(e.Offset, len(data))]), e.Offset)
}

const maxQuoted = 40

// Quote shows s in a message: in double quotes, at most 40 code points of it,
// with control, bidi, zero-width and all other characters escaped that do not
// show as themselves. A cut is marked by "…" after the closing quote.
func Quote(s string) string {
	cut, n := len(s), 0
	for i := range s {
		if n == maxQuoted {
			cut = i
			break
		}
		n++
	}
	if cut < len(s) {
		return strconv.Quote(s[:cut]) + "…"
	}
	return strconv.Quote(s)
}

// place is what the parser is inside of, for "unexpected end of input".
type place struct {
	what  string // "an object"; "" outside of everything
	start int
}

func (p place) String() string {
	if p.what == "" {
		return ""
	}
	return fmt.Sprintf(" inside %s that starts at byte %d", p.what, p.start)
}

// refuse is the fault that in is not followed by want at p.at.
func (p *parser) refuse(in place, want, hint string) *Error {
	if p.at >= len(p.text) {
		return p.truncated(in, want)
	}
	got := p.token()
	if hint == "" {
		hint = hintFor(got)
	}
	return &Error{
		Code: BadJSON, Offset: p.at, Hint: hint,
		Message: fmt.Sprintf("expected %s at byte %d, got %s", want, p.at, Quote(got)),
	}
}

// truncated is the fault that the text ends inside in.
func (p *parser) truncated(in place, want string) *Error {
	message := "unexpected end of input" + in.String()
	if want != "" {
		message += ": expected " + want
	}
	return &Error{
		Code: BadJSON, Offset: len(p.text), Message: message,
		Hint: "send the complete value; a text that was cut is never completed for you",
	}
}

// token is what stands at p.at, for a message: a word, or one code point.
func (p *parser) token() string {
	if word := p.word(); word != "" {
		return word
	}
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	return p.text[p.at : p.at+size]
}

// hintFor explains the mistakes that models and people make most.
func hintFor(got string) string {
	switch got {
	case "'", "‘", "’", "“", "”":
		return `write strings and names in double quotes (")`
	case "/", "#":
		return "JSON has no comments"
	case "`":
		return "send the JSON alone, without a code fence around it"
	case "+", ".":
		return "a number starts with a digit or a minus sign"
	default:
		return ""
	}
}

func (p *parser) badStart(in place) *Error {
	hint := ""
	switch {
	case p.word() == "":
	case in.what == "":
		hint = "send the JSON alone, without words around it"
	default:
		hint = "strings are in double quotes; the only bare words are true, false and null"
	}
	return p.refuse(in, "a value", hint)
}

// inexact is the fault of the number that ends at p.at.
func (p *parser) inexact(start int, form string, why exactness) *Error {
	e := &Error{
		Code: JSONNumberInexact, Offset: start,
		Hint: "write at most 15 significant digits, or a string where one is allowed",
	}
	literal := Quote(p.text[start:p.at])
	switch why {
	case tooPrecise:
		e.Message = fmt.Sprintf("the number %s has more than %d significant digits and would be rounded", literal, maxDigits)
	case tooLarge:
		e.Message = fmt.Sprintf("the number %s is beyond the range of a 64-bit float", literal)
		e.Hint = "the largest number is about 1.8e308"
	default:
		e.Message = fmt.Sprintf("the number %s would become %s", literal, form)
	}
	return e
}

func duplicate(name string, first, second int) *Error {
	return &Error{
		Code: DuplicateKey, Offset: second,
		Message: fmt.Sprintf("the name %s at byte %d was already given at byte %d of the same object", Quote(name), second, first),
		Hint:    "give each name once",
	}
}

func tooLong(size int) *Error {
	return &Error{
		Code: JSONTooLarge, Offset: maxSize,
		Message: fmt.Sprintf("the text has %d bytes; at most %d are read", size, maxSize),
		Hint:    "send less at once",
	}
}

func tooDeep(at int) *Error {
	return &Error{
		Code: JSONTooDeep, Offset: at,
		Message: fmt.Sprintf("the array or object at byte %d is nested more than %d deep", at, maxDepth),
		Hint:    "send a flatter value",
	}
}

// badUTF8 is the fault of a text that is not valid UTF-8.
func badUTF8(text string) *Error {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return &Error{
		Code: JSONInvalidText, Offset: at,
		Message: fmt.Sprintf("byte %d (0x%02X) is not valid UTF-8", at, text[at]),
		Hint:    "encode the text as UTF-8",
	}
}

func loneSurrogate(at int, unit rune) *Error {
	return &Error{
		Code: JSONInvalidText, Offset: at,
		Message: fmt.Sprintf(`the escape \u%04x at byte %d is half of a surrogate pair without its other half`, unit, at),
		Hint:    "write the character itself, or both halves one after the other",
	}
}
