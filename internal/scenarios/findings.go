package scenarios

import (
	"fmt"

	"harness/internal/diag"
)

// maxFaults is how many faults of one file are listed.
const maxFaults = 100

// maxKept is how many are kept to choose the first ones from.
const maxKept = 10 * maxFaults

// findings collects what is wrong with a file, each fault once.
type findings struct {
	file  string
	list  diag.List
	seen  map[diag.Diagnostic]bool
	notes diag.List
	more  int // faults beyond maxKept
}

// add reports a fault or, if its code is one, a note.
func (f *findings) add(pos diag.Pos, code *diag.Code, message, hint string) {
	d := diag.Diagnostic{File: f.file, Pos: pos, Code: code, Message: message, Hint: hint}
	if f.seen[d] {
		return
	}
	if f.seen == nil {
		f.seen = map[diag.Diagnostic]bool{}
	}
	switch {
	case d.IsNote() && len(f.notes) < maxFaults:
		f.seen[d] = true
		f.notes = append(f.notes, d)
	case d.IsNote():
	case f.full():
		f.more++
	default:
		f.seen[d] = true
		f.list = append(f.list, d)
	}
}

// full reports whether further faults are only counted, so that nobody needs to
// find words for them: see skip.
func (f *findings) full() bool { return len(f.list) >= maxKept }

// skip counts a fault that nobody described.
func (f *findings) skip() { f.more++ }

// failed reports whether there is any fault.
func (f *findings) failed() bool { return len(f.list) > 0 }

// sorted is everything found, in the order of the file. Faults beyond maxFaults
// are counted in a last one, at the place of the first that is left out.
func (f *findings) sorted() diag.List {
	list := f.list
	list.Sort()
	if len(list) > maxFaults {
		rest := diag.Diagnostic{
			File: f.file, Pos: list[maxFaults].Pos, Code: MoreFaults,
			Message: fmt.Sprintf("%d more faults are not listed", len(list)-maxFaults+f.more),
		}
		list = append(list[:maxFaults:maxFaults], rest)
	}
	list = append(list[:len(list):len(list)], f.notes...)
	list.Sort()
	return list
}
