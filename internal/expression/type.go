package expression

import (
	"slices"
	"unicode/utf8"
)

// Kind is the sort of a type. The zero value is [Dyn].
type Kind uint8

// The kinds.
const (
	Dyn    Kind = iota // known at run time only
	Null               // null alone
	Bool               //
	Number             // a JSON number
	String             //
	List               // of Elem
	Map                // from text to Elem
	Object             // with Fields, and no others
)

// Type is what is known of a value before it is there. Types are shared and never
// changed. A nil *Type stands for Dyn.
type Type struct {
	Kind   Kind
	Elem   *Type   // of List and Map; nil stands for Dyn
	Fields []Field // of Object
}

// Field is one member of an object.
type Field struct {
	Name     string
	Type     *Type
	Optional bool // it may be missing
}

// Of is the type of a kind without parts.
func Of(k Kind) *Type { return &Type{Kind: k} }

// ListOf is a list of elements of one type.
func ListOf(elem *Type) *Type { return &Type{Kind: List, Elem: elem} }

// MapOf is a mapping from text to values of one type.
func MapOf(elem *Type) *Type { return &Type{Kind: Map, Elem: elem} }

// kind is the type's kind; a type that was not given is Dyn.
func (t *Type) kind() Kind {
	if t == nil {
		return Dyn
	}
	return t.Kind
}

// elem is the type of what a list or map holds.
func (t *Type) elem() *Type {
	if t == nil {
		return nil
	}
	return t.Elem
}

// field finds a member of an object.
func (t *Type) field(name string) (Field, bool) {
	i := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return t.Fields[i], true
}

// The limits of a type's text. A type may be large, and may even hold itself.
const (
	typeTextSize  = 120 // bytes, about
	typeTextDepth = 5
)

// String shows the type: "number", "list(string)", "{id: string, note?: string}".
// What is long or deep is cut, with "…" in its place.
func (t *Type) String() string {
	text := t.append(nil, typeTextDepth)
	if len(text) <= typeTextSize {
		return string(text)
	}
	cut := typeTextSize
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + "…"
}

func (t *Type) append(dst []byte, depth int) []byte {
	if depth == 0 || len(dst) > typeTextSize {
		return append(dst, "…"...)
	}
	switch t.kind() {
	case Null:
		return append(dst, "null"...)
	case Bool:
		return append(dst, "bool"...)
	case Number:
		return append(dst, "number"...)
	case String:
		return append(dst, "string"...)
	case List:
		return append(t.Elem.append(append(dst, "list("...), depth-1), ')')
	case Map:
		return append(t.Elem.append(append(dst, "map(string, "...), depth-1), ')')
	case Object:
		return t.appendFields(append(dst, '{'), depth-1)
	default:
		return append(dst, "dyn"...)
	}
}

// appendFields appends an object's members and its closing brace.
func (t *Type) appendFields(dst []byte, depth int) []byte {
	for i, f := range t.Fields {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if len(dst) > typeTextSize {
			return dst
		}
		dst = append(dst, shown(f.Name)...)
		if f.Optional {
			dst = append(dst, '?')
		}
		dst = f.Type.append(append(dst, ": "...), depth)
	}
	return append(dst, '}')
}
