package report

import (
	"fmt"
	"strings"

	"harness/internal/coverage"
	"harness/internal/term"
)

// The most points of a kind, and scenarios, that a text lists; documents have them
// all.
const (
	coverageFew  = 10
	coverageMany = 2000
)

// WriteCoverage writes what a suite never shows of its boundary, with where it comes
// from, and the count of each kind; with all, more of it, the points that are
// excused with their reasons, and what each scenario adds.
func WriteCoverage(w *term.Stream, r *coverage.Report, all bool) error {
	newPage(w).coverage(r, all)
	return w.Err()
}

// coverage writes a coverage.
func (p *page) coverage(r *coverage.Report, all bool) {
	if all {
		p.contributions(r)
		p.points("excused", r, func(c *coverage.Point) bool { return c.Seen == 0 && c.Excuse != "" }, coverageMany)
	}
	most := coverageFew
	if all {
		most = coverageMany
	}
	p.points("never seen", r, (*coverage.Point).Missing, most)
	p.coverageCount(r)
}

// points writes the points of one sort below a title, so many of each kind. They are
// named as excuses name them.
func (p *page) points(title string, r *coverage.Report, of func(*coverage.Point) bool, most int) {
	any := false
	for _, kind := range coverage.Kinds() {
		n := 0
		for i := range r.Points {
			one := &r.Points[i]
			if one.Kind != kind || !of(one) {
				continue
			}
			if !any {
				p.prose(0, term.Strong, title)
				any = true
			}
			if n++; n <= most {
				p.point(one)
			}
		}
		if n > most {
			p.prose(rowIndent, term.Dim, "and "+count(n-most, "more "+string(kind)))
		}
	}
	if any {
		p.blank()
	}
}

// point writes a point on a line, or what does not fit below it.
func (p *page) point(one *coverage.Point) {
	parts := []term.Cell{term.Accent.Cell(one.ID)}
	for _, words := range []string{one.Where, one.About, one.Near} {
		if words != "" {
			parts = append(parts, term.Dim.Cell(words))
		}
	}
	for i, line := range p.flow(parts, p.dot(), p.width-3*rowIndent) {
		t := term.Table{Indent: rowIndent}
		if i > 0 {
			t.Indent = 3 * rowIndent
		}
		t.Row(line)
		p.print(&t)
	}
	if one.Excuse != "" {
		p.prose(3*rowIndent, term.Normal, one.Excuse)
	}
}

// contributions writes how much each scenario shows, and shows alone.
func (p *page) contributions(r *coverage.Report) {
	if len(r.Scenarios) == 0 {
		return
	}
	t := term.Table{Right: []int{0, 1}}
	t.Head("shows", "alone", "scenario")
	for i := range r.Scenarios {
		if i == coverageMany {
			break
		}
		s := &r.Scenarios[i]
		t.Row(term.Text(number(s.Seen)), term.Text(number(len(s.Unique))), term.Text(s.ID))
	}
	p.print(&t)
	if more := len(r.Scenarios) - coverageMany; more > 0 {
		p.prose(rowIndent, term.Dim, "and "+count(more, "more scenario"))
	}
	p.blank()
}

// coverageCount writes the last lines: seen of needed, for each kind and in all.
func (p *page) coverageCount(r *coverage.Report) {
	parts := []term.Cell{term.Strong.Cell("COVER")}
	for _, k := range r.Kinds {
		tone := term.Normal
		if k.Missing() > 0 {
			tone = term.Warn
		}
		parts = append(parts, tone.Cell(fmt.Sprintf("%ss %d/%d", k.Kind, k.Seen, k.Total-k.Excused)))
	}
	parts = append(parts, term.Strong.Cell(p.style.Arrow()+" "+percentText(r.All.Percent())))
	p.line(parts, strings.Repeat(" ", gap))
	alone := 0
	for i := range r.Scenarios {
		if len(r.Scenarios[i].Unique) > 0 {
			alone++
		}
	}
	p.prose(0, term.Dim, fmt.Sprintf("%s of %s seen, %s excused. %s of %s what no other does.",
		number(r.All.Seen), count(r.All.Total, "point"), number(r.All.Excused),
		number(alone), countOf(len(r.Scenarios), "scenario shows", "scenarios show")))
}

func percentText(percent float64) string { return fmt.Sprintf("%.1f %%", percent) }
