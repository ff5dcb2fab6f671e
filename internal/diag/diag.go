// Package diag holds coded diagnostics with positions, and the vocabulary that
// codes share: classes, gates and kinds of retry.
//
// A diagnostic is for a person: it names a place, a stable code, what was
// found, and a hint. A code is for programs and searches: its name never
// changes and its text is defined once, next to the thing that raises it; every
// package that defines codes lists them in a function named Codes.
package diag

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Pos is a place in a text: line and column from 1, columns in code points.
// The zero value means the place is unknown.
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

// IsZero reports whether the place is unknown.
func (p Pos) IsZero() bool { return p.Line == 0 }

// String is "line:col", or "" for an unknown place.
func (p Pos) String() string {
	if p.IsZero() {
		return ""
	}
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// At gives the place of byte offset in text. An offset beyond the text's end
// gives the place just after it.
func At(text string, offset int) Pos {
	offset = max(0, min(offset, len(text)))
	head := text[:offset]
	line := strings.Count(head, "\n") + 1
	col := 1
	for range head[strings.LastIndexByte(head, '\n')+1:] {
		col++
	}
	return Pos{Line: line, Col: col}
}

// Diagnostic is one finding about an input.
type Diagnostic struct {
	File    string // as the user gave it
	Pos     Pos
	Code    *Code
	Message string // what was found and what was expected
	Hint    string // optional: what to write instead
}

// Error is "file:line:col: CODE message", without the hint.
func (d Diagnostic) Error() string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.File)
		b.WriteByte(':')
	}
	if !d.Pos.IsZero() {
		b.WriteString(d.Pos.String())
		b.WriteByte(':')
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(d.Code.String())
	b.WriteByte(' ')
	b.WriteString(d.Message)
	return b.String()
}

// IsNote reports whether the diagnostic only informs.
func (d Diagnostic) IsNote() bool { return d.Code != nil && d.Code.Class == Note }

// List is several diagnostics; as an error it is all of them, a line each.
type List []Diagnostic

// Error joins the diagnostics, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort orders by file, place, then code and message, so that output does not
// depend on the order of discovery.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := &l[i], &l[j]
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Code.String(), b.Code.String()),
			cmp.Compare(a.Message, b.Message),
		) < 0
	})
}

// Failed reports whether any diagnostic is more than a note.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return !d.IsNote() })
}

// Err is the list as an error, nil if nothing in it is more than a note.
func (l List) Err() error {
	if !l.Failed() {
		return nil
	}
	return l
}

// Nearest returns the candidate closest to name, for "did you mean"; "" if none
// is close. Work is bounded: names and candidates over 64 bytes are passed over.
func Nearest(name string, candidates []string) string {
	const longest = 64
	if name == "" || len(name) > longest {
		return ""
	}
	name = strings.ToLower(name)
	best, bestDistance := "", 2*(len(name)/3+2)
	for _, c := range candidates {
		if len(c) > longest {
			continue
		}
		lower := strings.ToLower(c)
		d := 2 * distance(name, lower)
		if sameLetters(name, lower) { // swapped keys are the likelier slip
			d--
		}
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

func sameLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// distance is the optimal string alignment distance in bytes: an adjacent swap
// counts as one edit.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
