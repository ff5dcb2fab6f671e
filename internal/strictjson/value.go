// Package strictjson reads JSON that comes from outside, and writes JSON in one
// canonical form (RFC 8785).
//
// Goals: every text has one meaning or is refused; every value has one encoding,
// so equal values have equal bytes and equal digests; work and memory are
// bounded by the input's size.
//
// Non-goals: repair, coercion, decoding into Go structs, streaming.
//
// A caller must:
//
//  1. treat values, and the slices they give out, as immutable;
//  2. give only valid UTF-8 to [OfString] and as member names, and only distinct
//     names to [OfObject]; [Parse] guarantees both for what it returns.
package strictjson

import (
	"math"
	"strconv"
)

// Kind is the type of a JSON value. The zero value is unset and no JSON type.
type Kind uint8

// The kinds.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// String is the kind's name in JSON's own words, "unset" for the zero value.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	default:
		return "unset"
	}
}

// Value is one immutable JSON value. The zero Value is unset: it stands for "not
// there", which is not null.
type Value struct {
	kind Kind
	// text is a string's content, a number's canonical form, or "true" or "false".
	// Keeping numbers as canonical text makes "equal value" mean "equal bytes".
	text string
	// kids holds what an array or object contains; nil when it is empty.
	kids *children
}

type children struct {
	items   []Value
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

const (
	trueText  = "true"
	falseText = "false"
)

// Kind is the value's type.
func (v Value) Kind() Kind { return v.kind }

// IsZero reports whether the value is unset.
func (v Value) IsZero() bool { return v.kind == 0 }

// Str is a string's content, "" for every other kind.
func (v Value) Str() string {
	if v.kind != String {
		return ""
	}
	return v.text
}

// Bool is true for the boolean true alone.
func (v Value) Bool() bool { return v.kind == Bool && v.text == trueText }

// Int is a number's value if the number is an integer that an int64 holds.
func (v Value) Int() (int64, bool) {
	if v.kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Float is a number's value as the nearest float64; false for other kinds.
// Only an integer made by [OfInt] beyond ±2^53 can differ from its float64.
func (v Value) Float() (float64, bool) {
	if v.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Items is an array's elements, nil for every other kind. The caller must not
// modify the slice.
func (v Value) Items() []Value {
	if v.kids == nil {
		return nil
	}
	return v.kids.items
}

// Members is an object's members in the order written, nil for every other
// kind. The caller must not modify the slice.
func (v Value) Members() []Member {
	if v.kids == nil {
		return nil
	}
	return v.kids.members
}

// Get is the value of an object's member; false if there is none, or if the
// value is no object. It takes time in proportion to the number of members.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.Members() {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// MarshalJSON is the canonical encoding, so that a value inside a Go struct is
// written as what it holds.
func (v Value) MarshalJSON() ([]byte, error) { return AppendCanonical(nil, v), nil }

// OfNull is null.
func OfNull() Value { return Value{kind: Null} }

// OfBool is true or false.
func OfBool(b bool) Value {
	if b {
		return Value{kind: Bool, text: trueText}
	}
	return Value{kind: Bool, text: falseText}
}

// OfInt is the number n, digit for digit. Beyond ±2^53 not every integer has a
// canonical form; one that has none is still encoded exactly, so that nothing
// changes silently, and is then refused by [Parse].
func OfInt(n int64) Value { return Value{kind: Number, text: strconv.FormatInt(n, 10)} }

// OfFloat is the number f; false for NaN and the infinities, which JSON lacks.
func OfFloat(f float64) (Value, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, false
	}
	var buf [maxNumberLen]byte
	return Value{kind: Number, text: string(appendNumber(buf[:0], f))}, true
}

// OfString is the string s, which must be valid UTF-8.
func OfString(s string) Value { return Value{kind: String, text: s} }

// OfArray is an array. It keeps the slice, which must not change afterwards.
func OfArray(items ...Value) Value {
	if len(items) == 0 {
		return Value{kind: Array}
	}
	return Value{kind: Array, kids: &children{items: items}}
}

// OfObject is an object of members with distinct names. It keeps the slice,
// which must not change afterwards.
func OfObject(members ...Member) Value {
	if len(members) == 0 {
		return Value{kind: Object}
	}
	return Value{kind: Object, kids: &children{members: members}}
}
