package tools

import (
	"slices"

	"harness/internal/event"
)

// Reads remembers which byte ranges of which versions of which files the run was
// shown. It belongs to the run, not to the model's context: trimming the context
// forgets nothing here.
type Reads struct {
	versions []version
}

// version is one file as it was at one hash.
type version struct {
	path, hash string
	shown      []span // sorted, disjoint, not touching
}

// span is a half-open range of byte offsets.
type span struct{ from, to int }

// Add records a read.
func (r *Reads) Add(read event.Read) {
	v := r.find(read.Path, read.Hash)
	if v == nil {
		r.versions = append(r.versions, version{path: read.Path, hash: read.Hash})
		v = &r.versions[len(r.versions)-1]
	}
	v.show(span{read.From, read.To})
}

// Has reports whether a read returned this hash for this path.
func (r *Reads) Has(path, hash string) bool { return r.find(path, hash) != nil }

// Shown reports whether the bytes from..to of that version were all shown.
func (r *Reads) Shown(path, hash string, from, to int) bool {
	v := r.find(path, hash)
	if v == nil {
		return false
	}
	return slices.ContainsFunc(v.shown, func(s span) bool { return s.from <= from && to <= s.to })
}

// find looks from the end: the version asked about is most often the last read.
func (r *Reads) find(path, hash string) *version {
	for i := len(r.versions) - 1; i >= 0; i-- {
		if v := &r.versions[i]; v.path == path && v.hash == hash {
			return v
		}
	}
	return nil
}

// show adds a range and joins what it touches.
func (v *version) show(s span) {
	i, _ := slices.BinarySearchFunc(v.shown, s, func(a, b span) int { return a.to - b.from })
	j := i
	for j < len(v.shown) && v.shown[j].from <= s.to {
		s.from, s.to = min(s.from, v.shown[j].from), max(s.to, v.shown[j].to)
		j++
	}
	v.shown = slices.Replace(v.shown, i, j, s)
}
