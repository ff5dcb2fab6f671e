package vrepo

import (
	"slices"
	"strconv"
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
	h := e.hunk(e.edges(), len(e.Base.text))
	if len(h.rows) == 0 {
		return ""
	}
	from, to := quoteName("a/"+e.Path), quoteName("b/"+e.Path)
	var b strings.Builder
	b.WriteString("diff --git " + from + " " + to + "\n")
	b.WriteString("--- " + endName(from) + "\n+++ " + endName(to) + "\n")
	h.write(&b)
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

// row is a line of a hunk: its sign and its text, line ending included.
type row struct {
	sign byte
	text string
}

// hunk is a run of changed lines with unchanged ones around it.
type hunk struct {
	start int // the first line, from 1, the same on both sides
	rows  []row
}

// hunk compares the touched lines and adds context from the file, looking at no
// more than reach bytes on either side. It has no rows if no line changes.
func (e Edit) hunk(around edges, reach int) hunk {
	ops := e.ops(around)
	if len(ops) == 0 || len(ops) == 1 && ops[0].Kind == textdiff.Equal {
		return hunk{}
	}
	h := hunk{start: e.Line()}
	above, below := 0, 0 // context that the touched lines themselves give
	if first := &ops[0]; first.Kind == textdiff.Equal {
		above = min(len(first.Lines), contextLines)
		h.start += len(first.Lines) - above
		first.Lines = first.Lines[len(first.Lines)-above:]
	}
	if last := &ops[len(ops)-1]; last.Kind == textdiff.Equal {
		below = min(len(last.Lines), contextLines)
		last.Lines = last.Lines[:below]
	}
	for _, line := range linesBefore(around.above, contextLines-above, reach) {
		h.rows = append(h.rows, row{' ', line})
		h.start--
	}
	for _, op := range ops {
		for _, line := range op.Lines {
			h.rows = append(h.rows, row{signOf(op.Kind), line})
		}
	}
	for _, line := range linesAfter(around.below, contextLines-below, reach) {
		h.rows = append(h.rows, row{' ', line})
	}
	return h
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
	var lines []string
	high := min(len(text), reach)
	for at := 0; n > 0 && at < high; n-- {
		end := lineEnd(text[:high], at)
		if end == high && high < len(text) && text[high-1] != '\n' {
			break
		}
		lines = append(lines, text[at:end])
		at = end
	}
	return lines
}

// header is the line that gives both ranges.
func (h *hunk) header() string {
	oldCount, newCount := 0, 0
	for _, r := range h.rows {
		if r.sign != '+' {
			oldCount++
		}
		if r.sign != '-' {
			newCount++
		}
	}
	return "@@ -" + lineRange(h.start, oldCount) + " +" + lineRange(h.start, newCount) + " @@\n"
}

// lineRange leaves a count of 1 out; an empty range starts a line earlier.
func lineRange(start, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(start-1) + ",0"
	case 1:
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(count)
}

func (h *hunk) write(b *strings.Builder) {
	b.WriteString(h.header())
	for _, r := range h.rows {
		r.write(b)
	}
}

func (r row) write(b *strings.Builder) {
	b.WriteByte(r.sign)
	body, ended := strings.CutSuffix(r.text, "\n")
	b.WriteString(body)
	if ended {
		b.WriteByte('\n')
	} else {
		b.WriteString(noNewline)
	}
}
