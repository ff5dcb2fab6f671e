package vrepo

import (
	"math"
	"slices"
	"strings"

	"harness/internal/textdiff"
)

// contextLines is how many unchanged lines stand around a change in a patch.
const contextLines = 3

// noNewline follows a last line that no line feed ends, as git writes it.
const noNewline = "\n\\ No newline at end of file\n"

// Patch is the edit as `git apply` takes it, with the raw bytes of its lines.
// Applied to Base it gives exactly the result. It is empty if the edit changes
// nothing.
func (e Edit) Patch() string {
	h := e.hunk(e.edges(), len(e.Base.text), math.MaxInt)
	if len(h.runs) == 0 {
		return ""
	}
	from, to := quoteName("a/"+e.Path), quoteName("b/"+e.Path)
	var b strings.Builder
	b.WriteString("diff --git " + from + " " + to + "\n")
	b.WriteString("--- " + endName(from) + "\n+++ " + endName(to) + "\n")
	h.write(&b, b.Len()+h.size())
	return b.String()
}

// quoteName is a name as git prints it: plain if it can be, else in double
// quotes with C escapes, and octal for the bytes of other scripts.
func quoteName(name string) string {
	const short = "\a\b\t\n\v\f\r\"\\"
	const letters = "abtnvfr\"\\"
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if k := strings.IndexByte(short, c); k >= 0 {
			b.WriteByte('\\')
			b.WriteByte(letters[k])
		} else if c < ' ' || c >= 0x7F {
			b.WriteByte('\\')
			b.WriteByte('0' + c>>6)
			b.WriteByte('0' + c>>3&7)
			b.WriteByte('0' + c&7)
		} else {
			b.WriteByte(c)
		}
	}
	if b.Len() == len(name) {
		return name
	}
	return `"` + b.String() + `"`
}

// endName marks the end of a name with a space in it, as git does.
func endName(name string) string {
	if strings.IndexByte(name, ' ') >= 0 {
		return name + "\t"
	}
	return name
}

// hunk is runs of changed lines with unchanged ones around and between them.
type hunk struct {
	start int // the first line, from 1, the same on both sides
	runs  []run
}

// hunk compares the touched lines and adds context from the file, looking at no
// more than reach bytes on either side. Of a very long change it holds what fills
// room, in code points. It has no runs if no line changes. The lines of the runs
// are the hunk's own.
func (e Edit) hunk(around edges, reach, room int) hunk {
	runs := e.runs(around, room)
	if len(runs) == 0 || len(runs) == 1 && runs[0].kind == textdiff.Equal {
		return hunk{}
	}
	start := e.Line()
	var above, below []string // context that the touched lines themselves give
	if first := runs[0]; first.kind == textdiff.Equal {
		above = first.lines[max(0, len(first.lines)-contextLines):]
		start += first.count() - len(above)
		runs = runs[1:]
	}
	if last := runs[len(runs)-1]; last.kind == textdiff.Equal {
		below = last.lines[:min(len(last.lines), contextLines)]
		runs = runs[:len(runs)-1]
	}
	further := linesBefore(around.above, contextLines-len(above), reach)
	start -= len(further)
	above = slices.Concat(further, above)
	below = slices.Concat(below, linesAfter(around.below, contextLines-len(below), reach))
	return hunk{start, slices.Concat(equalRun(above), runs, equalRun(below))}
}

func equalRun(lines []string) []run {
	if len(lines) == 0 {
		return nil
	}
	return []run{{kind: textdiff.Equal, lines: lines}}
}

func signOf(kind textdiff.Kind) byte {
	switch kind {
	case textdiff.Delete:
		return '-'
	case textdiff.Insert:
		return '+'
	}
	return ' '
}

// linesBefore are the last n lines of text, which ends where a line starts.
// A line that starts more than reach bytes before the end is left out.
func linesBefore(text string, n, reach int) []string {
	var lines []string
	low := max(0, len(text)-reach)
	end := len(text)
	for range n {
		if end == 0 {
			break
		}
		start := strings.LastIndexByte(text[low:end-1], '\n') + 1 + low
		if start == low && low > 0 && text[low-1] != '\n' {
			break // the line starts further up
		}
		lines = append(lines, text[start:end])
		end = start
		if end <= low {
			break
		}
	}
	slices.Reverse(lines)
	return lines
}

// linesAfter are the first n lines of text. A line that ends more than reach
// bytes after the start is left out.
func linesAfter(text string, n, reach int) []string {
	near := text[:min(len(text), reach)]
	if len(near) < len(text) {
		near = near[:lineStart(near, len(near))]
	}
	return appendLines(nil, near, n)
}

// appendLines appends the first n lines of text.
func appendLines(lines []string, text string, n int) []string {
	for at := 0; n > 0 && at < len(text); n-- {
		end := lineEnd(text, at)
		lines = append(lines, text[at:end])
		at = end
	}
	return lines
}

// header is the line that gives both ranges.
func (h *hunk) header() string {
	oldCount, newCount := 0, 0
	for _, r := range h.runs {
		if r.kind != textdiff.Insert {
			oldCount += r.count()
		}
		if r.kind != textdiff.Delete {
			newCount += r.count()
		}
	}
	return "@@ -" + textdiff.Range(h.start, oldCount) + " +" + textdiff.Range(h.start, newCount) + " @@\n"
}

// hunkFrame bounds the bytes of a hunk that are not of its lines: the header
// and a note for each side's missing final newline.
const hunkFrame = 3 * len(noNewline)

// size bounds the bytes that write writes.
func (h *hunk) size() int {
	n := hunkFrame
	for _, r := range h.runs {
		for _, line := range r.lines {
			n += 1 + len(line)
		}
	}
	return n
}

// write writes the hunk, or more than the first most bytes of it.
func (h *hunk) write(b *strings.Builder, most int) {
	b.Grow(min(most, h.size()))
	b.WriteString(h.header())
	for _, r := range h.runs {
		sign := signOf(r.kind)
		for _, line := range r.lines {
			if b.Len() > most {
				return
			}
			b.WriteByte(sign)
			b.WriteString(line)
			if line[len(line)-1] != '\n' {
				b.WriteString(noNewline)
			}
		}
	}
}
