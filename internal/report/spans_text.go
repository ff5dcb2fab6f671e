package report

import (
	"harness/internal/term"
)

// WriteSpans writes a run's spans as a tree, with their times and what they say.
func WriteSpans(w *term.Stream, c *Case) error {
	p := newPage(w)
	p.title(c)
	d := Trace(c.Result)
	l := pairs{indent: 2}
	l.addTexts(term.Dim, "trace", d.TraceID)
	l.addTexts(term.Dim, "run", runID(c.Result), "attempt "+number(attemptOf(c.Result)))
	p.blank()
	p.pairs(&l)
	p.blank()
	p.tree(d.Spans)
	return w.Err()
}

// tree writes spans with their times and what they say: beside their names, or
// below them on a page too narrow for that.
func (p *page) tree(spans []SpanDocument) {
	t := term.Table{Indent: 2}
	for i := range spans {
		s := &spans[i]
		branch, time := p.branch(i, len(spans)), s.Start
		if s.End != s.Start {
			time += " " + p.style.Arrow() + " " + s.End
		}
		facts := p.spanFacts(&s.Attributes)
		if p.width >= tableLeast {
			t.Row(term.Dim.Cell(branch).Add(term.Strong, s.Name), term.Text(time), term.Text(p.join(facts...)))
			continue
		}
		p.prose(2, term.Strong, branch+s.Name)
		l := pairs{indent: 6}
		l.addTexts(term.Dim, "", append([]string{time}, facts...)...)
		p.stack(&l)
	}
	p.print(&t)
}

// branch is what stands before the name of a span in the tree.
func (p *page) branch(i, all int) string {
	switch {
	case i == 0:
		return ""
	case p.style.ASCII() && i == all-1:
		return "`- "
	case p.style.ASCII():
		return "|- "
	case i == all-1:
		return "└─ "
	default:
		return "├─ "
	}
}

// spanFacts is what a span says, without its digests.
func (p *page) spanFacts(a *SpanAttributes) []string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	counted := func(n int, one string) {
		if n > 0 {
			add(count(n, one))
		}
	}
	add(a.Outcome)
	add(a.Code)
	if a.Effect != "" {
		add("effect " + string(a.Effect))
	}
	if a.Late != "" {
		add("late: " + a.Late)
	}
	if a.Attempt > 1 {
		add("attempt " + number(a.Attempt))
	}
	counted(a.Steps, "step")
	counted(a.ToolCalls, "tool call")
	counted(a.Rejections, "refusal")
	counted(a.Worthless, "worthless answer")
	if a.Context > 0 {
		add(count(a.Context, "code point") + " given")
	}
	counted(a.Size, "byte")
	if a.Cost > 0 {
		add("cost " + number(a.Cost))
	}
	return parts
}
