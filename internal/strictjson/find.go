package strictjson

import (
	"bytes"
)

// Step is one step of a path into a value: a member's name, or, where Name is
// empty, the index of an element.
type Step struct {
	Name  string
	Index int
}

// Find is the part of a canonical encoding that a path leads to; false if there
// is none. The encoding must be canonical: nothing is checked and nothing built.
func Find(canonical []byte, path ...Step) ([]byte, bool) {
	for _, step := range path {
		var ok bool
		if canonical, ok = step.in(canonical); !ok {
			return nil, false
		}
	}
	return canonical, len(canonical) > 0
}

// in finds the step's value in an encoded array or object.
func (s Step) in(v []byte) ([]byte, bool) {
	opening := byte('{')
	if s.Name == "" {
		opening = '['
	}
	if len(v) < 2 || v[0] != opening {
		return nil, false
	}
	for i, n := 1, 0; i < len(v) && v[i] != '}' && v[i] != ']'; n++ {
		if v[i] == ',' {
			i++
		}
		found := n == s.Index
		if s.Name != "" {
			end := i + valueEnd(v[i:])
			found = s.named(v[i:end])
			i = end + len(":")
		}
		end := i + valueEnd(v[i:])
		if found {
			return v[i:end], true
		}
		i = end
	}
	return nil, false
}

// named compares an encoded name.
func (s Step) named(encoded []byte) bool {
	if plainASCII(s.Name) {
		return string(encoded[1:len(encoded)-1]) == s.Name
	}
	return bytes.Equal(encoded, AppendString(nil, s.Name))
}

// valueEnd is the length of the encoded value at the start of v.
func valueEnd(v []byte) int {
	depth := 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			i += stringEnd(v[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 { // behind a number or a literal
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(v)
}

// stringEnd is the length of the encoded string at the start of v.
func stringEnd(v []byte) int {
	for i := 1; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(v)
}
