package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/term"
)

// WriteDiagnostics writes each diagnostic as "path:line:col: CODE message", a
// hint below it, and a last line with their number. The first line of each is
// never wrapped, so that editors and other programs can read it. An empty list
// writes nothing.
func WriteDiagnostics(w *term.Stream, l diag.List) error {
	if len(l) == 0 {
		return w.Err()
	}
	p := newPage(w)
	for _, d := range l {
		p.diagnostic(d)
	}
	p.summary(l)
	return w.Err()
}

func (p *page) diagnostic(d diag.Diagnostic) {
	tone := term.Bad
	if d.IsNote() {
		tone = term.Warn
	}
	var place strings.Builder
	if d.File != "" {
		place.WriteString(p.style.EscapeLine(d.File) + ":")
	}
	if !d.Pos.IsZero() {
		place.WriteString(d.Pos.String() + ":")
	}
	line := p.style.Strong(place.String())
	if line != "" {
		line += " "
	}
	p.raw(line + p.style.Paint(tone, d.Code.String()) + " " + p.style.EscapeLine(d.Message) + "\n")
	if d.Hint != "" {
		p.prose(4, term.Dim, "hint: "+d.Hint)
	}
}

// summary counts errors and notes, and the files they have places in.
func (p *page) summary(l diag.List) {
	errors, notes := 0, 0
	files := map[string]bool{}
	for _, d := range l {
		if !d.Pos.IsZero() {
			files[d.File] = true
		}
		if d.IsNote() {
			notes++
		} else {
			errors++
		}
	}
	var parts []string
	if errors > 0 {
		parts = append(parts, count(errors, "error"))
	}
	if notes > 0 {
		parts = append(parts, count(notes, "note"))
	}
	text := strings.Join(parts, " and ")
	if len(files) > 0 {
		text += " in " + count(len(files), "file")
	}
	tone := term.Bad
	if errors == 0 {
		tone = term.Warn
	}
	p.prose(0, tone, text)
}
