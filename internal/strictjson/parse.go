package strictjson

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of what is read.
const (
	maxSize  = 1 << 20 // bytes
	maxDepth = 64      // arrays and objects inside one another
)

// Parse reads exactly one JSON value, white space around it allowed. On a fault
// the value is unset and the error is the first fault met; size, a byte order
// mark and invalid UTF-8 are looked for before anything else.
//
// It refuses all that RFC 8259 refuses, and: a byte order mark, invalid UTF-8,
// lone surrogates, a name given twice in one object, a number whose value would
// change in canonical form, nesting deeper than 64, more than 1 MiB.
//
// The value's strings share one copy of data.
func Parse(data []byte) (Value, *Error) {
	if len(data) > maxSize {
		return Value{}, tooLong(len(data))
	}
	p := parser{text: string(data)}
	if !utf8.ValidString(p.text) {
		return Value{}, badUTF8(p.text)
	}
	if strings.HasPrefix(p.text, "\uFEFF") {
		return Value{}, &Error{Code: BadJSON, Message: "the text starts with a byte order mark", Hint: "leave out its first three bytes (EF BB BF)"}
	}
	p.space()
	v, err := p.value(place{})
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.at < len(p.text) {
		return Value{}, p.refuse(place{}, "nothing more after the value", "send exactly one JSON value and nothing after it")
	}
	return v, nil
}

// MemberOffsets finds where the member of data's outermost object stands: the
// byte offsets of its name and of its value, from 0. It is for the place of a
// fault found later, so data must have passed [Parse]; false if data is no object
// or has no such member.
func MemberOffsets(data []byte, name string) (nameAt, valueAt int, ok bool) {
	p := parser{text: string(data)}
	p.space()
	if p.peek() != '{' {
		return 0, 0, false
	}
	for in := (place{}); ; {
		p.at++ // past { or ,
		p.space()
		nameAt = p.at
		got, err := p.name(in)
		if err != nil {
			return 0, 0, false
		}
		if got == name {
			return nameAt, p.at, true
		}
		if _, err := p.value(in); err != nil {
			return 0, 0, false
		}
		p.space()
		if p.peek() != ',' {
			return 0, 0, false
		}
	}
}

// parser reads text, which is valid UTF-8, from at.
type parser struct {
	text  string
	at    int
	depth int
}

// openMember is a member of an object that is still being read.
type openMember struct {
	Member
	at int // byte offset of the name
}

// peek is the next byte, 0 at the end of the text.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\n', '\r', '\t':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value(in place) (Value, *Error) {
	switch c := p.peek(); {
	case c == '"':
		s, err := p.string()
		if err != nil {
			return Value{}, err
		}
		return Value{kind: String, text: s}, nil
	case c == '{' || c == '[':
		return p.nested(c)
	case c == '-' || isDigit(c):
		return p.number(in)
	default:
		return p.literal(in)
	}
}

func (p *parser) nested(opening byte) (v Value, err *Error) {
	if p.depth == maxDepth {
		return Value{}, tooDeep(p.at)
	}
	p.depth++
	if opening == '{' {
		v, err = p.object()
	} else {
		v, err = p.array()
	}
	p.depth--
	return v, err
}

func (p *parser) array() (Value, *Error) {
	in := place{"an array", p.at}
	var few [4]Value // in the frame: only slices of exact size are allocated
	open := few[:0]
	p.at++
	p.space()
	if p.peek() == ']' {
		p.at++
		return OfArray(), nil
	}
	for {
		v, err := p.value(in)
		if err != nil {
			return Value{}, err
		}
		open = append(open, v)
		p.space()
		switch p.peek() {
		case ',':
			if err := p.comma(in, ']'); err != nil {
				return Value{}, err
			}
		case ']':
			p.at++
			return OfArray(slices.Clone(open)...), nil
		default:
			return Value{}, p.refuse(in, `"," or "]"`, "")
		}
	}
}

func (p *parser) object() (Value, *Error) {
	in := place{"an object", p.at}
	var few [8]openMember
	open := few[:0]
	var seen map[string]int
	p.at++
	p.space()
	if p.peek() == '}' {
		p.at++
		return OfObject(), nil
	}
	for {
		at := p.at
		name, err := p.name(in)
		if err != nil {
			return Value{}, err
		}
		if len(open) == fewMembers { // many, perhaps: make room for all at once
			more := p.membersAhead()
			open, seen = slices.Grow(open, more), make(map[string]int, fewMembers+more)
		}
		first, found := 0, false
		if first, found, seen = given(open, seen, name); found {
			return Value{}, duplicate(name, first, at)
		}
		v, err := p.value(in)
		if err != nil {
			return Value{}, err
		}
		open = append(open, openMember{Member{name, v}, at})
		p.space()
		switch p.peek() {
		case ',':
			if err := p.comma(in, '}'); err != nil {
				return Value{}, err
			}
		case '}':
			p.at++
			return OfObject(closed(open)...), nil
		default:
			return Value{}, p.refuse(in, `"," or "}"`, "")
		}
	}
}

// closed is a finished object's members, in a slice of exact size.
func closed(open []openMember) []Member {
	members := make([]Member, len(open))
	for i := range open {
		members[i] = open[i].Member
	}
	return members
}

// fewMembers is up to where names are compared one by one.
const fewMembers = 16

// membersAhead counts the members that follow in the object at hand, one more or
// less. It is a guess for the room to make: faults are found later.
func (p *parser) membersAhead() int {
	count, depth := 1, 0
	for i := p.at; i < len(p.text); i++ {
		switch p.text[i] {
		case '"':
			for i++; i < len(p.text) && p.text[i] != '"'; i++ {
				if p.text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return count
			}
			depth--
		case ',':
			if depth == 0 {
				count++
			}
		}
	}
	return count
}

// given says whether one of the open members has the name, and where. Beyond a
// few members it keeps their names in seen, so that many members take linear
// time; the map to pass next time is returned.
func given(open []openMember, seen map[string]int, name string) (int, bool, map[string]int) {
	if len(open) < fewMembers {
		for i := range open {
			if open[i].Name == name {
				return open[i].at, true, nil
			}
		}
		return 0, false, nil
	}
	if len(seen) == 0 {
		for i := range open {
			seen[open[i].Name] = open[i].at
		}
	} else {
		last := &open[len(open)-1]
		seen[last.Name] = last.at
	}
	at, found := seen[name]
	return at, found, seen
}

// comma steps over a comma to the next element or member.
func (p *parser) comma(in place, closing byte) *Error {
	p.at++
	p.space()
	if p.peek() != closing {
		return nil
	}
	want := "another value"
	if closing == '}' {
		want = "another name in double quotes"
	}
	return p.refuse(in, want, "leave out the comma before it")
}

// name reads a member's name, the colon, and the space up to the value.
func (p *parser) name(in place) (string, *Error) {
	if p.peek() != '"' {
		hint := ""
		if p.word() != "" {
			hint = "write names in double quotes"
		}
		return "", p.refuse(in, "a name in double quotes", hint)
	}
	name, err := p.string()
	if err != nil {
		return "", err
	}
	p.space()
	if p.peek() != ':' {
		return "", p.refuse(in, `":" after the name`, "")
	}
	p.at++
	p.space()
	return name, nil
}

// word is the run of letters, digits and underscores at p.at, "" if there is none.
func (p *parser) word() string {
	end := p.at
	for end < len(p.text) && isWord(p.text[end]) {
		end++
	}
	return p.text[p.at:end]
}

func (p *parser) literal(in place) (Value, *Error) {
	word := p.word()
	var v Value
	switch word {
	case "":
		return Value{}, p.badStart(in)
	case "null":
		v = OfNull()
	case trueText:
		v = OfBool(true)
	case falseText:
		v = OfBool(false)
	default:
		if end := p.at + len(word); end == len(p.text) && isCutLiteral(word) {
			return Value{}, p.truncated(place{"a word", p.at}, "")
		}
		return Value{}, p.badStart(in)
	}
	p.at += len(word)
	return v, nil
}

func isCutLiteral(word string) bool {
	return strings.HasPrefix("null", word) || strings.HasPrefix(trueText, word) || strings.HasPrefix(falseText, word)
}

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits steps over a run of digits, at least one.
func (p *parser) digits(in place) *Error {
	if !isDigit(p.peek()) {
		return p.refuse(in, "a digit", "")
	}
	for isDigit(p.peek()) {
		p.at++
	}
	return nil
}

func (p *parser) number(outer place) (Value, *Error) {
	// An integer of so few digits is its own canonical form; -0 is not.
	const safeDigits = 15
	start := p.at
	in := place{"a number", start}
	if p.peek() == '-' {
		p.at++
	}
	first := p.at
	if err := p.digits(in); err != nil {
		return Value{}, err
	}
	c0 := p.text[first]
	if c0 == '0' && p.at-first > 1 {
		p.at = first
		return Value{}, p.refuse(in, "a number without leading zeros", "")
	}
	if c := p.peek(); c != '.' && c != 'e' && c != 'E' && p.at-first <= safeDigits && (c0 != '0' || first == start) {
		return Value{kind: Number, text: p.text[start:p.at]}, nil
	}
	if err := p.fraction(in); err != nil {
		return Value{}, err
	}
	form, why := canonicalNumber(p.text[start:p.at])
	if why != exact && outer.what != "" && p.at == len(p.text) {
		return Value{}, p.truncated(outer, "") // more digits may have followed
	}
	if why != exact {
		return Value{}, p.inexact(start, form, why)
	}
	return Value{kind: Number, text: form}, nil
}

// fraction steps over what may follow a number's integer part.
func (p *parser) fraction(in place) *Error {
	if p.peek() == '.' {
		p.at++
		if err := p.digits(in); err != nil {
			return err
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		return p.digits(in)
	}
	return nil
}
