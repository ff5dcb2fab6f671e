package report

import (
	"strings"
	"unicode/utf8"

	"harness/internal/runner"
	"harness/internal/term"
)

// The bounds of a diff on the page; the JSON result always has it whole.
const (
	diffLines = 200 // lines of a hunk
	diffLine  = 400 // code points of one line
	diffLead  = 60  // code points kept before a change in a line that is cut
	tabStop   = 4
)

// diff writes an edit's patch for reading: what the patch does, byte for byte,
// with everything that the eye would miss made visible.
func (p *page) diff(e *runner.Edit) {
	body := hunkOf(e.Change().Patch())
	for _, side := range []string{"--- a/", "+++ b/"} {
		p.raw("  " + p.style.Strong(side+p.style.EscapeLine(e.Path)) + "\n")
	}
	p.hunks(body, 2)
	for _, note := range e.Change().Notes() {
		p.notes("note", term.Warn, note)
	}
	if hides(e.After) {
		p.notes("LOOK CLOSELY", term.Bad, "This edit puts in characters that cannot be seen, or that change the order of what is seen. They are written as <U+XXXX>.")
	}
}

// hunks writes the lines of hunks, and what their marks stand for.
func (p *page) hunks(body []string, indent int) {
	v := diffView{page: p, marks: p.marks(body), indent: indent}
	cutAt := cutPoints(body)
	for i, line := range body[:min(len(body), diffLines)] {
		v.line(line, cutAt[i])
	}
	if more := len(body) - diffLines; more > 0 {
		p.prose(indent, term.Warn, p.style.Ellipsis()+" "+count(more, "more line")+" not shown; the JSON result has them")
	}
	v.legend()
}

// notes writes a labelled remark about an edit.
func (p *page) notes(label string, tone term.Tone, text string) {
	l := pairs{indent: 2}
	l.add(tone, label, term.Text(text))
	p.pairs(&l)
}

// hides reports whether a text has characters, line endings apart, that a
// reader does not see.
func hides(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return term.EscapeText(text) != text
}

// hunkOf is the hunk of a patch, line by line without line feeds, its range
// first. The patch's headers go before.
func hunkOf(patch string) []string {
	at := strings.Index("\n"+patch, "\n@@ ")
	if at < 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(patch[at:], "\n"), "\n")
}

// diffMarks are the marks for what is seen badly: they stand for a tab and for a
// space at the end of a line.
type diffMarks struct {
	tab, space string
	plain      bool // the marks are escapes, which explain themselves
}

// marks chooses glyphs that do not stand in the text itself, else escapes.
func (p *page) marks(body []string) diffMarks {
	arrow, dot := p.style.Arrow(), p.style.Dot()
	for _, line := range body {
		if p.style.ASCII() || strings.Contains(line, arrow) || strings.Contains(line, dot) {
			return diffMarks{tab: "<U+0009>", space: "<U+0020>", plain: true}
		}
	}
	return diffMarks{tab: arrow, space: dot}
}

// diffView prints the lines of one hunk.
type diffView struct {
	*page
	marks         diffMarks
	indent        int
	tabs, spaces  bool // a mark was used
	columnOnLine  int
	lineOnDisplay strings.Builder
}

// line prints one line of a patch, cut to a stretch that begins at code point
// from if it is long.
func (v *diffView) line(line string, from int) {
	sign, body := line[:min(1, len(line))], line[min(1, len(line)):]
	body, before, after := window(body, from)
	v.columnOnLine = 0
	v.lineOnDisplay.Reset()
	if before > 0 {
		v.put("[" + number(before) + " characters]" + v.style.Ellipsis())
	}
	changed := sign == "-" || sign == "+"
	switch sign {
	case "@", "\\":
		v.put(v.style.EscapeLine(body))
	default:
		v.body(body, changed && after == 0)
	}
	if after > 0 {
		v.put(v.style.Ellipsis() + "[" + number(after) + " characters]")
	}
	text := v.lineOnDisplay.String()
	if !changed {
		text = strings.TrimRight(text, " ")
	}
	v.raw(strings.TrimRight(strings.Repeat(" ", v.indent)+v.style.Paint(signTone(sign), sign+text), " ") + "\n")
}

func signTone(sign string) term.Tone {
	switch sign {
	case "-":
		return term.Removed
	case "+":
		return term.Added
	case "@":
		return term.Accent
	case "\\":
		return term.Dim
	}
	return term.Normal
}

// body puts the text of a line: tabs up to the next stop, and in changed lines
// tabs and the spaces at the end as marks. A carriage return before the line's
// end does not hide the spaces in front of it.
func (v *diffView) body(body string, changed bool) {
	ink := len(strings.TrimRight(body, " \r"))
	for i := 0; i < len(body); {
		end := i + 1
		switch {
		case body[i] == '\t':
			v.tab(changed)
		case body[i] == ' ' && i >= ink && changed:
			v.put(v.marks.space)
			v.spaces = true
		default:
			for end < len(body) && body[end] != '\t' && (end < ink || body[end] != ' ') {
				end++
			}
			v.put(v.style.EscapeLine(body[i:end]))
		}
		i = end
	}
}

// tab puts a tab: as a mark in a changed line, as spaces elsewhere.
func (v *diffView) tab(changed bool) {
	stop := v.columnOnLine/tabStop*tabStop + tabStop
	if changed {
		v.put(v.marks.tab)
		v.tabs = true
	}
	if !changed || !v.marks.plain {
		v.put(strings.Repeat(" ", max(0, stop-v.columnOnLine)))
	}
}

func (v *diffView) put(text string) {
	v.lineOnDisplay.WriteString(text)
	v.columnOnLine += term.Width(text)
}

// legend explains the marks that were used.
func (v *diffView) legend() {
	var used []string
	if v.tabs {
		used = append(used, v.marks.tab+" is a tab")
	}
	if v.spaces {
		used = append(used, v.marks.space+" is a space at the end of a line")
	}
	if len(used) > 0 && !v.marks.plain {
		v.prose(v.indent, term.Dim, "("+strings.Join(used, ", ")+")")
	}
}

// cutPoints gives, for each line of a hunk, the code point from which it is
// shown if it is too long. In the first line removed and the first put in, that
// is shortly before they differ, so that the change is in sight.
func cutPoints(body []string) []int {
	points := make([]int, len(body))
	minus, plus := -1, -1
	for i, line := range body {
		switch {
		case strings.HasPrefix(line, "-"):
			minus = i
		case strings.HasPrefix(line, "+"):
			plus = i
		}
		if minus >= 0 && plus >= 0 {
			break
		}
	}
	if minus < 0 || plus < 0 {
		return points
	}
	same := sharedRunes(body[minus][1:], body[plus][1:])
	points[minus], points[plus] = max(0, same-diffLead), max(0, same-diffLead)
	return points
}

// sharedRunes is how many code points two texts have in common at the start.
func sharedRunes(a, b string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		r, size := utf8.DecodeRuneInString(a)
		other, otherSize := utf8.DecodeRuneInString(b)
		if r != other || size != otherSize || a[:size] != b[:size] {
			break
		}
		a, b = a[size:], b[size:]
		n++
	}
	return n
}

// window is the part of a line that is shown, and how many code points stand
// before and after it. A line of ordinary length is shown whole.
func window(body string, from int) (part string, before, after int) {
	if len(body) <= diffLine {
		return body, 0, 0
	}
	total := utf8.RuneCountInString(body)
	if total <= diffLine {
		return body, 0, 0
	}
	before = min(from, total-1)
	start := runeOffset(body, before)
	end := start + runeOffset(body[start:], diffLine)
	return body[start:end], before, total - before - utf8.RuneCountInString(body[start:end])
}

// runeOffset is the byte offset of the nth code point, or the length.
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
