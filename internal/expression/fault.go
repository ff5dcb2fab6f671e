package expression

import (
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Fault says why a source is no expression.
type Fault struct {
	Offset  int    // where, in code points of the source, from 0
	Message string // what was found and what was expected
	Hint    string // what to write instead; may be empty
}

// faultAt is a fault at a byte of the source.
func faultAt(source string, at int, message, hint string) *Fault {
	return &Fault{Offset: utf8.RuneCountInString(source[:at]), Message: message, Hint: hint}
}

// listed is the first names of a list, for a hint.
func listed(names []string) string {
	const most = 12
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == most {
			return b.String() + "…"
		}
		b.WriteString(shown(name))
	}
	return b.String()
}

// shown is a name as it stands in an expression, or quoted if it cannot.
func shown(name string) string {
	if isIdentifier(name) && len(name) <= maxShown {
		return name
	}
	return strictjson.Quote(name)
}

// maxShown is the longest name that is shown as it is.
const maxShown = 64

// suggest is a hint for a name that is none of names, and what those are.
func suggest(name string, names []string, list string) string {
	hint := ""
	if near := diag.Nearest(name, names); near != "" {
		hint = "did you mean " + shown(near) + "? "
	}
	return strings.TrimSpace(hint + list)
}
