package vrepo

import (
	"strings"

	"harness/internal/textdiff"
)

// lineHunk is the hunk of an edit within one line that has a line end, as most
// edits are, if it has at most limit bytes: then nothing of it is cut. It looks no
// farther than that to either side.
func (e Edit) lineHunk(limit int) (string, bool) {
	if strings.IndexByte(e.Before, '\n') >= 0 || strings.IndexByte(e.After, '\n') >= 0 || e.Before == e.After {
		return "", false
	}
	prefix, _, suffix := e.Pieces()
	head, tail := prefix[max(0, len(prefix)-limit):], suffix[:min(len(suffix), limit)]
	start := strings.LastIndexByte(head, '\n') + 1
	end := strings.IndexByte(tail, '\n') + 1
	above, before := contextAbove(head, start)
	below, after := contextBelow(tail, end)
	// A line that is seen in part, or has no end, is for the general way.
	cutAbove := above == 0 && len(head) < len(prefix)
	cutBelow := after < contextLines && below < len(suffix)
	if end == 0 || cutAbove || cutBelow {
		return "", false
	}
	line := e.Line() - before
	lines := textdiff.Range(line, before+1+after)
	var b strings.Builder
	b.Grow(len("@@ - + @@\n") + 2*len(lines) + 2*(start-above) + 2*below + len(head) - start + len(e.Before) + len(e.After) + 16)
	b.WriteString("@@ -" + lines + " +" + lines + " @@\n")
	writeContext(&b, head[above:start])
	lead, trail := head[start:], tail[:end]
	writeParts(&b, "-", lead, e.Before, trail)
	writeParts(&b, "+", lead, e.After, trail)
	writeContext(&b, tail[end:below])
	return b.String(), b.Len() <= limit
}

// contextAbove goes back over at most contextLines lines that end at end: where
// they begin, and how many they are.
func contextAbove(text string, end int) (start, count int) {
	for start = end; count < contextLines && start > 0; count++ {
		start = strings.LastIndexByte(text[:start-1], '\n') + 1
	}
	return start, count
}

// contextBelow goes over at most contextLines whole lines that begin at start:
// where they end, and how many they are.
func contextBelow(text string, start int) (end, count int) {
	for end = start; count < contextLines; count++ {
		n := strings.IndexByte(text[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
	}
	return end, count
}

// writeContext writes whole lines as context.
func writeContext(b *strings.Builder, lines string) {
	for line := range strings.Lines(lines) {
		b.WriteByte(' ')
		b.WriteString(line)
	}
}

func writeParts(b *strings.Builder, parts ...string) {
	for _, part := range parts {
		b.WriteString(part)
	}
}
