package tools

import (
	"encoding/binary"
	"slices"
	"strings"

	"harness/internal/event"
)

// Reads remembers which byte ranges of which versions of which files the run was
// shown. It belongs to the run, not to the model's context: trimming the context
// forgets nothing here. A copy keeps what it holds when the original grows.
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
	shown := span{read.From, read.To}
	i := r.find(read.Path, read.Hash)
	if i < 0 {
		r.versions = append(r.versions, version{read.Path, read.Hash, []span{shown}})
		return
	}
	r.versions = slices.Clone(r.versions) // others may hold the list as it was
	v := &r.versions[i]
	v.shown = v.with(shown)
}

// Clone is the same, to be added to by itself.
func (r *Reads) Clone() Reads { return Reads{versions: slices.Clip(r.versions)} }

// Append appends what is remembered, in an encoding in which equal bytes mean equal
// memories of what was shown, in whatever order it was read.
func (r *Reads) Append(dst []byte) []byte {
	order := make([]int, len(r.versions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return strings.Compare(r.versions[a].path+"\x00"+r.versions[a].hash, r.versions[b].path+"\x00"+r.versions[b].hash)
	})
	for _, i := range order {
		v := &r.versions[i]
		dst = append(append(append(append(dst, v.path...), 0), v.hash...), 0)
		for _, s := range v.shown {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(s.from)), uint64(s.to))
		}
		dst = append(dst, 0xff)
	}
	return dst
}

// Has reports whether a read returned this hash for this path.
func (r *Reads) Has(path, hash string) bool { return r.find(path, hash) >= 0 }

// Shown reports whether the bytes from..to of that version were all shown.
func (r *Reads) Shown(path, hash string, from, to int) bool {
	i := r.find(path, hash)
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(r.versions[i].shown, func(s span) bool { return s.from <= from && to <= s.to })
}

// find is the place of a version, -1 if it was not read. It looks from the end:
// the version asked about is most often the last read.
func (r *Reads) find(path, hash string) int {
	for i := len(r.versions) - 1; i >= 0; i-- {
		if v := &r.versions[i]; v.path == path && v.hash == hash {
			return i
		}
	}
	return -1
}

// with is the ranges and one more, joined with what it touches.
func (v *version) with(s span) []span {
	i, _ := slices.BinarySearchFunc(v.shown, s, func(a, b span) int { return a.to - b.from })
	j := i
	for j < len(v.shown) && v.shown[j].from <= s.to {
		s.from, s.to = min(s.from, v.shown[j].from), max(s.to, v.shown[j].to)
		j++
	}
	return slices.Concat(v.shown[:i], []span{s}, v.shown[j:])
}
