package vrepo

import "unicode/utf8"

// Slice is a part of a file that may be shown.
type Slice struct {
	From, To int // bytes
	// StartLine and EndLine are the lines of the first and the last byte of
	// the part; EndLine is StartLine-1 if the part is empty.
	StartLine, EndLine int
	TotalLines         int
	// Truncated says that more of what was asked for follows at To.
	Truncated bool
}

// Slice is the part from startLine to endLine, both from 1 and included, cut
// after maxRunes code points. An endLine of 0, or beyond the file, means its
// end. It is false if the file has no startLine or endLine stands before it; an
// empty file has an empty line 1.
func (c *content) Slice(startLine, endLine, maxRunes int) (Slice, bool) {
	startLine = max(startLine, 1)
	if startLine > max(c.Lines(), 1) {
		return Slice{}, false
	}
	return c.slice(c.startOf(startLine), startLine, endLine, maxRunes)
}

// SliceAt is the part from a byte offset, as an earlier part's To, to endLine.
// It is false if the offset is outside the file or inside a code point, or if
// endLine stands before it.
func (c *content) SliceAt(offset, endLine, maxRunes int) (Slice, bool) {
	if c.text == "" && offset == 0 {
		return c.slice(0, 1, endLine, maxRunes)
	}
	if offset < 0 || offset >= len(c.text) || !utf8.RuneStart(c.text[offset]) {
		return Slice{}, false
	}
	return c.slice(offset, c.LineAt(offset), endLine, maxRunes)
}

func (c *content) slice(from, startLine, endLine, maxRunes int) (Slice, bool) {
	s := Slice{From: from, StartLine: startLine, TotalLines: c.Lines()}
	end := len(c.text)
	if endLine > 0 {
		if endLine < startLine {
			return Slice{}, false
		}
		if endLine < s.TotalLines {
			end = c.startOf(endLine + 1)
		}
	}
	s.To = from + len(cutRunes(c.text[from:end], maxRunes))
	s.Truncated = s.To < end
	s.EndLine = startLine - 1
	if s.To > from {
		s.EndLine = c.LineAt(s.To - 1)
	}
	return s, true
}

// cutRunes is the longest head of s with at most n code points.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s // no more code points than bytes
	}
	count := 0
	for i := range s {
		if count >= n {
			return s[:i]
		}
		count++
	}
	return s
}

// cutRunesBefore is the longest tail of s with at most n code points.
func cutRunesBefore(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s)
	for ; at > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}
