package repotools

import (
	"fmt"
	"strconv"

	"harness/internal/tools"
	"harness/internal/vrepo"
)

// wayTo finds the reads that show the bytes from..to of a file, which none has
// shown whole.
type wayTo struct {
	view     *tools.View
	file     *vrepo.File
	from, to int
}

// maxReads is how many reads are tried out on the way.
const maxReads = 20

// words says which read shows the text, or with which the way there starts.
func (w *wayTo) words() string {
	cut := w.shownEnd()
	startLine := w.file.LineAt(max(w.from, cut))
	endLine := w.file.LineAt(w.to - 1)
	part, _ := w.file.Slice(startLine, endLine, w.view.Limits.Content)
	reads := w.reads(part)
	if reads == 1 {
		return fmt.Sprintf("read startLine %d, endLine %d", startLine, endLine)
	}
	first := fmt.Sprintf("read startLine %d", startLine)
	if cut > 0 && w.file.Text()[cut-1] != '\n' {
		// A read was cut here, inside a line, and has returned the cursor.
		first = fmt.Sprintf("read with cursor %q", readCursor(w.file, cut))
		part, _ = w.file.SliceAt(cut, 0, w.view.Limits.Content)
		if reads = w.reads(part); reads == 1 {
			return first
		}
	}
	count := strconv.Itoa(reads)
	if reads > maxReads {
		count = "more than " + strconv.Itoa(maxReads)
	}
	return fmt.Sprintf("%s, and then with the cursor that each read returns: %s reads reach the text", first, count)
}

// shownEnd is where the range ends that was shown from the text's start on, or
// else from the start of its line on; 0 if neither was shown.
func (w *wayTo) shownEnd() int {
	line, _ := w.file.Slice(w.file.LineAt(w.from), 0, 1)
	for _, start := range []int{w.from, line.From} {
		low, high := start, w.to // shown up to low, but not up to high
		for low+1 < high {
			if middle := (low + high) / 2; w.shown(start, middle) {
				low = middle
			} else {
				high = middle
			}
		}
		if low > start {
			return low
		}
	}
	return 0
}

func (w *wayTo) shown(from, to int) bool {
	return w.view.Reads.Shown(w.file.Path(), w.file.Hash(), from, to)
}

// reads is how many reads show the text, if the first shows the part and each
// goes on where the one before it was cut; at most one more than maxReads.
func (w *wayTo) reads(part vrepo.Slice) int {
	for n := 1; n <= maxReads; n++ {
		shown, _ := fitted(w.file, part, w.view.Limits.Observation)
		if shown.To >= w.to {
			return n
		}
		next, ok := w.file.SliceAt(shown.To, 0, w.view.Limits.Content)
		if !ok || shown.To == part.From {
			break // the limits leave room for nothing
		}
		part = next
	}
	return maxReads + 1
}
