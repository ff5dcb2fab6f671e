package vrepo

import (
	"strings"
	"unicode/utf8"

	"harness/internal/textdiff"
)

// cutMark stands where a preview leaves text out.
const cutMark = "…"

// maxReach bounds the bytes that a preview looks at on either side of an edit.
const maxReach = 16 << 10

// Hunk is the edit as one unified hunk of at most maxRunes code points, for
// reading; it is empty if the edit changes nothing. Where it does not fit,
// clipped is true and it is no patch: long lines are cut around the change, then
// context goes, then changed lines, and … stands where text is left out. Its
// cost does not depend on the file's size once the file's lines are known, as
// after [File.LineAt].
func (e Edit) Hunk(maxRunes int) (text string, clipped bool) {
	const plenty = 1 << 40 // keeps products in range
	maxRunes = min(max(maxRunes, 0), plenty)
	if text, ok := e.lineHunk(maxRunes); ok {
		return text, false
	}
	around, clipped := e.nearEdges(maxRunes / 8)
	h := e.hunk(around, maxReach, maxRunes)
	if len(h.runs) == 0 {
		return "", false
	}
	if h.shrink(maxRunes) {
		clipped = true
	}
	var b strings.Builder
	h.write(&b, maxRunes*utf8.UTFMax)
	text = b.String()
	if longer(text, maxRunes) {
		return cutLines(text, maxRunes), true
	}
	return text, clipped
}

// nearEdges is edges for a preview. It looks only so far; a line whose end it
// does not see has no context beyond. A lead or a trail of more than twice most
// code points is cut down to most, lest it push the change out of sight.
func (e Edit) nearEdges(most int) (around edges, cut bool) {
	prefix, _, suffix := e.Pieces()
	near := cutBytesBefore(prefix, maxReach)
	start := lineStart(near, len(near))
	around.lead, around.above = near[start:], prefix[:len(prefix)-len(near)+start]
	if start == 0 && len(near) < len(prefix) {
		around.above = ""
		around.lead, cut = cutMark+cutRunesBefore(near, most), true
	} else if longer(around.lead, 2*most) {
		around.lead, cut = cutMark+cutRunesBefore(around.lead, most), true
	}
	near = cutBytes(suffix, maxReach)
	end := lineEnd(near, 0)
	around.trail, around.below = near[:end], suffix[end:]
	if end == len(near) && len(near) < len(suffix) && !strings.HasSuffix(near, "\n") {
		around.below = ""
		around.trail, cut = cutRunes(near, most)+cutMark+"\n", true
	} else if longer(around.trail, 2*most) {
		around.trail, cut = cutRunes(around.trail, most)+cutMark+"\n", true
	}
	return around, cut
}

// shrink cuts long lines and drops context until the hunk fits, or until only
// changed lines are left. It reports whether it did anything.
func (h *hunk) shrink(maxRunes int) bool {
	if h.size() <= maxRunes {
		return false // no more code points than bytes
	}
	cut := false
	total := hunkFrame
	// Beyond this, changed lines alone are too many: context is below maxRunes.
	enough := 2 * (maxRunes + hunkFrame)
	for _, r := range h.runs {
		most := maxRunes * 2 / 5
		if r.kind == textdiff.Equal {
			most = maxRunes / 8
		}
		for i, line := range r.lines {
			if total > enough {
				break
			}
			if longer(line, most) {
				r.lines[i], cut = cutRunes(line, most)+cutMark+"\n", true
			}
			total += 1 + utf8.RuneCountInString(r.lines[i])
		}
	}
	for total > maxRunes {
		line, ok := h.dropContext()
		if !ok {
			break
		}
		total -= 1 + utf8.RuneCountInString(line)
		cut = true
	}
	return cut
}

// dropContext takes the outermost line of the longer end of context away. It is
// false if there is none.
func (h *hunk) dropContext() (line string, ok bool) {
	first, last := &h.runs[0], &h.runs[len(h.runs)-1]
	above, below := 0, 0
	if first.kind == textdiff.Equal {
		above = len(first.lines)
	}
	if last.kind == textdiff.Equal {
		below = len(last.lines)
	}
	switch {
	case above == 0 && below == 0:
		return "", false
	case below >= above:
		line, last.lines = last.lines[below-1], last.lines[:below-1]
	default:
		line, first.lines = first.lines[0], first.lines[1:]
		h.start++
	}
	return line, true
}

// cutLines is the longest run of whole first lines that leaves room for a last
// line that marks the cut.
func cutLines(text string, maxRunes int) string {
	const mark = cutMark + "\n"
	room := maxRunes - utf8.RuneCountInString(mark)
	if room < 0 {
		return ""
	}
	head := cutRunes(text, room)
	return head[:lineStart(head, len(head))] + mark
}

// longer reports whether s has more than n code points.
func longer(s string, n int) bool {
	return len(s) > n && (len(s) > n*utf8.UTFMax || utf8.RuneCountInString(s) > n)
}

// cutBytes is the longest head of s of at most n bytes that ends between code
// points.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// cutBytesBefore is the longest tail of s of at most n bytes that starts
// between code points.
func cutBytesBefore(s string, n int) string {
	at := len(s) - n
	if at <= 0 {
		return s
	}
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}
