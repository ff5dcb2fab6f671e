package vrepo

import (
	"crypto/sha256"
	"io"
)

// Digest names what the snapshot holds: SHA-256 over a line for each file, in
// path order, of its hash, "x" if it is executable, and its path. Hashes are kept,
// so asking again costs little.
func (s *Snapshot) Digest() [32]byte {
	h := sha256.New()
	for _, f := range s.files {
		mode := " - "
		if f.Executable() {
			mode = " x "
		}
		// Paths hold no line feed, so the lines cannot be mistaken.
		_, _ = io.WriteString(h, f.Hash()+mode+f.Path()+"\n") // a hash takes everything
	}
	return [32]byte(h.Sum(nil))
}
