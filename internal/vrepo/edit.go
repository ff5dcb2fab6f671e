package vrepo

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"harness/internal/textdiff"
)

// Edit replaces one run of bytes of a file. It changes nothing by itself.
type Edit struct {
	Path   string
	Base   *File
	Offset int // in Base, in bytes
	Before string
	After  string
}

// Holds reports whether Before stands at Offset in Base. The other methods ask
// for it.
func (e Edit) Holds() bool {
	return e.Base != nil && e.Offset >= 0 && e.Offset <= len(e.Base.text) &&
		strings.HasPrefix(e.Base.text[e.Offset:], e.Before)
}

// Pieces are the three parts of the result, without a copy.
func (e Edit) Pieces() (prefix, after, suffix string) {
	return e.Base.text[:e.Offset], e.After, e.Base.text[e.Offset+len(e.Before):]
}

// Result is the file's content after the edit, a new string.
func (e Edit) Result() string {
	prefix, after, suffix := e.Pieces()
	return prefix + after + suffix
}

// ResultHash is the SHA-256 of the result in lowercase hex, made without it.
func (e Edit) ResultHash() string {
	prefix, after, suffix := e.Pieces()
	h := sha256.New()
	h.Write(bytesOf(prefix))
	h.Write(bytesOf(after))
	h.Write(bytesOf(suffix))
	return hex.EncodeToString(h.Sum(nil))
}

// Line is the line of the first replaced byte in Base, from 1.
func (e Edit) Line() int { return e.Base.LineAt(e.Offset) }

// Stat counts the lines of the patch that are added and removed.
func (e Edit) Stat() (added, removed int) {
	for _, r := range e.runs(e.edges(), 0) {
		switch r.kind {
		case textdiff.Insert:
			added += r.count()
		case textdiff.Delete:
			removed += r.count()
		}
	}
	return added, removed
}

// edges are what surrounds the replaced text.
type edges struct {
	// lead is the part of the first touched line before the replaced text, and
	// trail the part of the last one behind it, up to and with its line feed.
	lead, trail string
	// above and below are the whole lines before and after those.
	above, below string
}

func (e Edit) edges() edges {
	prefix, _, suffix := e.Pieces()
	start, end := lineStart(prefix, len(prefix)), lineEnd(suffix, 0)
	return edges{prefix[start:], suffix[:end], prefix[:start], suffix[end:]}
}
