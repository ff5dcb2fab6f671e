package term

import "strings"

// stretch is a part of a text: its bytes from start up to end.
type stretch struct{ start, end int }

// Wrap breaks text into lines of at most the given columns, at spaces where it
// can and inside a word where it must, but never inside a grapheme cluster: a
// cluster wider than columns stands alone. Spaces at the end of a line are
// dropped, others stay, and a line break in the text is kept. There is always
// at least one line.
func Wrap(text string, columns int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, part := range wrapAt(paragraph, columns) {
			lines = append(lines, paragraph[part.start:part.end])
		}
	}
	return lines
}

// wrapAt gives the lines of one paragraph, at least one.
func wrapAt(text string, columns int) []stretch {
	if len(text) <= columns && plain(text) {
		return []stretch{{0, len(strings.TrimRight(text, " "))}}
	}
	l := lineBreaker{columns: max(columns, 1)}
	offset := 0
	for cluster := range clusters(text) {
		next := offset + len(cluster)
		if cluster == " " {
			l.space(offset, next)
		} else {
			l.word(offset, clusterWidth(cluster))
		}
		offset = next
	}
	end := max(l.start, len(strings.TrimRight(text, " ")))
	return append(l.lines, stretch{l.start, end})
}

// lineBreaker breaks one paragraph, fed with its clusters in order.
type lineBreaker struct {
	columns int
	lines   []stretch
	start   int // where the current line begins
	width   int // of the current line so far, spaces at its end included

	// The last run of spaces in the current line, the place to break at.
	spaces     stretch
	widthAfter int // of the line up to the end of that run
}

// space takes a space at start; a run of spaces never starts a line by itself.
func (l *lineBreaker) space(start, end int) {
	if l.spaces.end != start {
		l.spaces.start = start
	}
	l.spaces.end = end
	l.width++
	l.widthAfter = l.width
}

// word takes a cluster of a word at offset, breaking before it as needed.
func (l *lineBreaker) word(offset, width int) {
	for l.width > 0 && l.width+width > l.columns {
		if l.spaces.end > l.start {
			if l.spaces.start > l.start {
				l.lines = append(l.lines, stretch{l.start, l.spaces.start})
			}
			l.start = l.spaces.end
			l.width -= l.widthAfter
			continue
		}
		l.lines = append(l.lines, stretch{l.start, offset})
		l.start, l.width = offset, 0
	}
	l.width += width
}
