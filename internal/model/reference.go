package model

import (
	"strconv"
	"strings"

	"harness/internal/strictjson"
)

// A reference is a whole string "${NAME}" in a script. NAME is a root followed
// by a path of ".field" and "[index]":
//
//	last                  the latest observation
//	o3, o3.2              the observation with that id
//	read["src/sum.ts"]    the latest successful read of that path
//
// "$${" at the start of a string stands for a literal "${"; anywhere else the
// characters mean themselves.

// Reference is a parsed reference.
type Reference struct {
	Name string // as written, without ${ and }
	root string // "last", an observation id, or "read"
	path string // of a read
	rest []strictjson.Step
}

// ParseReference reads a string that may be a reference. whole is false if it is
// none; fault says what is wrong with one that is malformed.
func ParseReference(text string) (ref Reference, whole bool, fault string) {
	if !strings.HasPrefix(text, "${") || !strings.HasSuffix(text, "}") {
		return Reference{}, false, ""
	}
	ref.Name = text[2 : len(text)-1]
	rest := ref.Name
	switch {
	case strings.HasPrefix(rest, `read["`):
		end := strings.Index(rest, `"]`)
		if end < 0 {
			return ref, true, `read[" is not closed with "]`
		}
		ref.root, ref.path, rest = "read", rest[len(`read["`):end], rest[end+2:]
	default:
		ref.root, rest = splitRoot(rest)
		if ref.root == "" {
			return ref, true, `the name must begin with last, read["PATH"] or an observation id such as o1`
		}
	}
	ref.rest, fault = parseSegments(rest)
	if fault == "" && len(ref.rest) == 0 {
		fault = "a field must follow, such as .baseHash"
	}
	return ref, true, fault
}

// splitRoot takes "last" or an observation id from the front.
func splitRoot(s string) (root, rest string) {
	if rest, ok := strings.CutPrefix(s, "last"); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
		return "last", rest
	}
	if !strings.HasPrefix(s, "o") {
		return "", s
	}
	n := 1 + digitsAt(s[1:])
	if n == 1 {
		return "", s
	}
	if n < len(s) && s[n] == '.' {
		if more := digitsAt(s[n+1:]); more > 0 {
			n += 1 + more
		}
	}
	return s[:n], s[n:]
}

func digitsAt(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func parseSegments(s string) ([]strictjson.Step, string) {
	var segments []strictjson.Step
	for s != "" {
		switch s[0] {
		case '.':
			n := 1
			for n < len(s) && s[n] != '.' && s[n] != '[' {
				n++
			}
			if n == 1 {
				return nil, "a field name is missing after ."
			}
			segments = append(segments, strictjson.Step{Name: s[1:n]})
			s = s[n:]
		case '[':
			n := 1 + digitsAt(s[1:])
			if n == 1 || n > 7 || n == len(s) || s[n] != ']' {
				return nil, "an index must be a number in brackets, such as [0]"
			}
			index, _ := strconv.Atoi(s[1:n])
			segments = append(segments, strictjson.Step{Index: index})
			s = s[n+1:]
		default:
			return nil, "expected . or [ at " + strconv.Quote(s)
		}
	}
	return segments, ""
}

// Field is the reference's field path with indexes as "[]", as contracts name
// output fields: "matches[].path".
func (r Reference) Field() string {
	var b strings.Builder
	for _, s := range r.rest {
		switch {
		case s.Name == "":
			b.WriteString("[]")
		case b.Len() > 0:
			b.WriteString("." + s.Name)
		default:
			b.WriteString(s.Name)
		}
	}
	return b.String()
}

// ReadPath is the path of a read["PATH"] reference.
func (r Reference) ReadPath() (string, bool) { return r.path, r.root == "read" }

// find looks the reference up; the value is canonical JSON.
func (r Reference) find(past Past) ([]byte, bool) {
	switch r.root {
	case "last":
		return strictjson.Find(past.Last(), r.rest...)
	case "read":
		return strictjson.Find(past.LastRead(r.path), r.rest...)
	default:
		return strictjson.Find(past.ByID(r.root), r.rest...)
	}
}

// split cuts the canonical encoding of v, whose members are sorted, at its
// references: text goes to the last part, and a reference begins a new one.
func split(parts []part, v strictjson.Value) []part {
	last := func() *part { return &parts[len(parts)-1] }
	add := func(text string) { last().text = append(last().text, text...) }
	switch v.Kind() {
	case strictjson.String:
		if ref, whole, fault := ParseReference(v.Str()); whole && fault == "" {
			last().ref = ref
			return append(parts, part{})
		}
		last().text = strictjson.AppendString(last().text, unescape(v.Str()))
	case strictjson.Array:
		add("[")
		for i, item := range v.Items() {
			if i > 0 {
				add(",")
			}
			parts = split(parts, item)
		}
		add("]")
	case strictjson.Object:
		add("{")
		for i, m := range v.Members() {
			if i > 0 {
				add(",")
			}
			last().text = append(strictjson.AppendString(last().text, m.Name), ':')
			parts = split(parts, m.Value)
		}
		add("}")
	default:
		last().text = strictjson.AppendCanonical(last().text, v)
	}
	return parts
}

// unescape gives what a string stands for that is no reference.
func unescape(text string) string {
	if strings.HasPrefix(text, "$${") {
		return text[1:]
	}
	return text
}
