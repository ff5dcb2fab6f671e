// Package vrepo is an immutable snapshot of a repository's files in memory:
// paths, search, reading by line, exact matching, splicing and patches.
//
// Contents are raw bytes. Nothing here decodes, normalises and re-encodes them:
// an edit is a splice, and text that was not replaced stays byte for byte.
//
// Callers must:
//  1. give [New] contents that no one changes afterwards;
//  2. not modify the slices that methods return;
//  3. ask [File.Encoding] before showing a file as text: methods that count
//     code points take an invalid byte for one;
//  4. build an [Edit] only where its Before stands at its Offset ([Edit.Holds]).
//
// Snapshots and files are safe for concurrent use. What is costly to know of a
// content (hash, encoding, line index) is worked out when first asked for, and
// once; a later snapshot keeps it for files that stay the same.
//
// Goals: exact bytes, work linear in the size of the input, the same answer
// every time. Non-goals: a real directory, permissions to read or edit (see
// policy), fuzzy matching, escaping for terminals (see term).
package vrepo

import (
	"slices"
	"sort"
	"strings"
)

// Entry is a file to put into a snapshot. Content is raw bytes.
type Entry struct {
	Path       string
	Content    string
	Executable bool
}

// EntryFault is a reason why entries make no snapshot.
type EntryFault struct {
	// Index is the entry's place in the slice given; in [Snapshot.With] the
	// removed paths follow the changed entries.
	Index int
	// Other is the place of a second entry that the fault involves, else -1.
	Other int
	Path  string
	// Reason completes the sentence "PATH …", as in "is named twice".
	Reason string
	// Hint says what to write instead; it may be empty.
	Hint string
}

// Snapshot is a set of files at one moment.
type Snapshot struct {
	files []*File // in bytewise order of their paths
}

// File is one file of a snapshot.
type File struct {
	path       string
	executable bool
	*content
}

// New makes a snapshot of entries. With faults, all of them are returned, in
// the order of the entries, and the snapshot is nil.
func New(entries []Entry) (*Snapshot, []EntryFault) {
	return (&Snapshot{}).With(entries, nil)
}

// With makes a new snapshot in which the removed paths are gone and the changed
// entries are added or put in place of what was there. Files that stay the same
// keep what is known of them, and so does a changed entry with equal content.
// With faults the snapshot is nil, and s is as it was.
func (s *Snapshot) With(changed []Entry, removed []string) (*Snapshot, []EntryFault) {
	gone := make(map[string]bool, len(changed)+len(removed))
	for _, e := range changed {
		gone[e.Path] = true
	}
	faults := s.removalFaults(removed, len(changed), gone)
	next := &Snapshot{files: make([]*File, 0, len(s.files)+len(changed))}
	for _, f := range s.files {
		if !gone[f.path] {
			next.files = append(next.files, f)
		}
	}
	faults = append(faults, entryFaults(changed, next.files)...)
	if len(faults) > 0 {
		sort.SliceStable(faults, func(i, j int) bool { return faults[i].Index < faults[j].Index })
		return nil, faults
	}
	for _, e := range changed {
		next.files = append(next.files, s.replacement(e))
	}
	slices.SortFunc(next.files, func(a, b *File) int { return strings.Compare(a.path, b.path) })
	return next, nil
}

// replacement is the file for an entry, with the known content if it is equal.
func (s *Snapshot) replacement(e Entry) *File {
	f := &File{path: e.Path, executable: e.Executable}
	if old, ok := s.File(e.Path); ok && old.text == e.Content {
		f.content = old.content
	} else {
		f.content = &content{text: e.Content}
	}
	return f
}

// File returns the file at path, which must be spelled exactly.
func (s *Snapshot) File(path string) (*File, bool) {
	i, ok := s.place(path)
	if !ok {
		return nil, false
	}
	return s.files[i], true
}

// Twin returns the file whose path is not path but the same to a file system
// that folds letter case and Unicode forms. There is at most one. A caller that
// tells of it must know that the reader may see it.
func (s *Snapshot) Twin(path string) (*File, bool) {
	folded := foldPath(path)
	for _, f := range s.files {
		if foldsTo(f.path, folded) && f.path != path {
			return f, true
		}
	}
	return nil, false
}

// place is where path stands, or would stand, among the files.
func (s *Snapshot) place(path string) (int, bool) {
	return slices.BinarySearchFunc(s.files, path, func(f *File, path string) int {
		return strings.Compare(f.path, path)
	})
}

// Files are all files in bytewise order of their paths. Do not modify the slice.
func (s *Snapshot) Files() []*File { return s.files }

// Path is the file's canonical path.
func (f *File) Path() string { return f.path }

// Executable reports whether the file is marked executable.
func (f *File) Executable() bool { return f.executable }
