package textdiff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxUnified is how many lines of hunks [Unified] prints before it cuts.
const MaxUnified = 200

// Unified shows how got differs from want, as a unified diff with the given
// number of unchanged lines around each change; it is empty if the two are
// equal. It is for people and is no patch.
//
// In changed lines, and only there, what the eye misses is made visible: tab is
// →, a trailing space is ·, carriage return is ␍, other invisible characters
// are <U+XXXX> and bytes that are not UTF-8 are <0xXX>. At most [MaxUnified]
// lines are printed; a last line says how many were cut.
func Unified(want, got string, context int) string {
	if want == got {
		return ""
	}
	ops, exact := Lines(Split(want), Split(got))
	out := view{b: &strings.Builder{}}
	out.b.WriteString("--- want\n+++ got\n")
	for _, h := range group(ops, max(context, 0)) {
		out.hunk(h)
	}
	if out.cut > 0 {
		fmt.Fprintf(out.b, "… %d more lines are not shown (-%d +%d)\n", out.cut, out.cutDeletes, out.cutInserts)
	}
	if !exact {
		out.b.WriteString("… too many changes for the smallest diff: some lines shown as changed may only have moved\n")
	}
	return out.b.String()
}

// hunk is a group of neighbouring changes with the lines around them. Starts
// count lines from 1.
type hunk struct {
	ops            []Op
	aStart, bStart int
}

// group cuts ops into hunks: a run of equal lines longer than both contexts
// parts two hunks.
func group(ops []Op, context int) []hunk {
	var hunks []hunk
	a, b := 1, 1
	var lead []string
	open := false
	for i, op := range ops {
		n := len(op.Lines)
		if op.Kind != Equal {
			if !open {
				hunks = append(hunks, hunk{aStart: a - len(lead), bStart: b - len(lead)})
				open = true
				hunks[len(hunks)-1].add(Op{Equal, lead})
			}
			hunks[len(hunks)-1].add(op)
			if op.Kind == Delete {
				a += n
			} else {
				b += n
			}
			continue
		}
		last := i == len(ops)-1
		if open && (last || n > 2*context) {
			hunks[len(hunks)-1].add(Op{Equal, op.Lines[:min(n, context)]})
			open = false
		} else if open {
			hunks[len(hunks)-1].add(op)
		}
		lead = op.Lines[n-min(n, context):]
		a, b = a+n, b+n
	}
	return hunks
}

func (h *hunk) add(op Op) {
	if len(op.Lines) > 0 {
		h.ops = append(h.ops, op)
	}
}

// header is the line that gives both ranges. As in any unified diff, a count
// of 1 is left out and an empty range starts at the line before it.
func (h *hunk) header() string {
	aCount, bCount := 0, 0
	for _, op := range h.ops {
		if op.Kind != Insert {
			aCount += len(op.Lines)
		}
		if op.Kind != Delete {
			bCount += len(op.Lines)
		}
	}
	return "@@ -" + Range(h.aStart, aCount) + " +" + Range(h.bStart, bCount) + " @@\n"
}

// Range is how a hunk's header names lines: a count of 1 is left out, and an empty
// range starts a line earlier.
func Range(start, count int) string {
	switch count {
	case 0:
		return strconv.Itoa(start-1) + ",0"
	case 1:
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(count)
}

// view prints hunks up to the limit and counts what it leaves out.
type view struct {
	b                           *strings.Builder
	shown                       int
	cut, cutDeletes, cutInserts int
}

func (v *view) hunk(h hunk) {
	if v.shown < MaxUnified {
		v.b.WriteString(h.header())
	}
	for _, op := range h.ops {
		fits := min(len(op.Lines), MaxUnified-v.shown)
		for _, text := range op.Lines[:fits] {
			v.line(op.Kind, text)
		}
		v.shown += fits
		rest := len(op.Lines) - fits
		v.cut += rest
		switch op.Kind {
		case Delete:
			v.cutDeletes += rest
		case Insert:
			v.cutInserts += rest
		}
	}
}

func (v *view) line(kind Kind, text string) {
	body, ended := strings.CutSuffix(text, "\n")
	switch kind {
	case Equal:
		v.b.WriteByte(' ')
		v.b.WriteString(body)
	case Delete:
		v.b.WriteByte('-')
		visible(v.b, body)
	case Insert:
		v.b.WriteByte('+')
		visible(v.b, body)
	}
	v.b.WriteByte('\n')
	if !ended {
		v.b.WriteString("\\ no newline at the end\n")
	}
}

// visible writes a line with its invisible characters replaced by visible ones.
func visible(b *strings.Builder, body string) {
	ink := len(strings.TrimRight(body, " \r"))
	for i, r := range body {
		switch {
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(body[i:]); size == 1 {
				fmt.Fprintf(b, "<0x%02X>", body[i])
				continue
			}
			b.WriteRune(r)
		case r == '\r':
			b.WriteRune('␍')
		case r == '\t':
			b.WriteRune('→')
		case r == ' ' && i >= ink:
			b.WriteRune('·')
		case r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r)):
			fmt.Fprintf(b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
}
