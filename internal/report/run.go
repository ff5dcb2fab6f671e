package report

import (
	"slices"
	"strconv"

	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/term"
)

// Detail says how much of a run is shown. The zero value shows each step on a
// line, and the end in full.
type Detail struct {
	// Explain narrates each step for a learner.
	Explain bool
	// Verbose adds what the model said and was told, word for word.
	Verbose bool
}

// WriteRun writes one run in full: what it was given, a line for each step, its
// end in words, the edits it leaves, what its scenario expected, and what is not
// proven.
func WriteRun(w *term.Stream, c *Case, d Detail) error {
	newPage(w).run(c, d)
	return w.Err()
}

func (p *page) run(c *Case, d Detail) {
	p.title(c)
	p.given(c, d)
	p.blank()
	p.steps(c, d)
	p.end(c.Result)
	p.aftermath(c.Result)
	p.edits(c.Result)
	p.claim(c.Result)
	p.findings(c)
	p.unproven(c.Result)
}

func (p *page) title(c *Case) {
	parts := []term.Cell{term.Strong.Cell(c.Scenario.ID)}
	if c.Scenario.Title != "" {
		parts = append(parts, term.Text(c.Scenario.Title))
	}
	p.line(parts, "   ")
}

// steps writes a row for each step, with what was refused below it, and what
// happened outside between them.
func (p *page) steps(c *Case, d Detail) {
	steps, others := Steps(c.Result), between(c.Result)
	n := narrator{page: p, result: c.Result, detail: d}
	rows := make([]row, len(steps))
	for i := range steps {
		rows[i] = p.stepRow(&steps[i])
	}
	widths := p.fit(rows)
	p.others(others[0], widths)
	long := d.Explain || d.Verbose
	if long && len(others[0]) > 0 {
		p.blank()
	}
	for i := range steps {
		p.row(rows[i], widths)
		n.below(&steps[i], rowIndent+widths.mark+gap)
		p.others(others[steps[i].Step], widths)
		if long && len(others[steps[i].Step]) > 0 {
			p.blank()
		}
	}
	if len(steps) == 0 {
		p.prose(rowIndent, term.Dim, "No step was taken.")
	}
	if !long || len(steps) == 0 {
		p.blank()
	}
}

// below writes what stands below a step's row.
func (n *narrator) below(s *Step, indent int) {
	if n.detail.Explain {
		n.explain(s, indent)
	} else {
		n.reasons(s, indent)
	}
	if n.detail.Verbose {
		n.payloads(s, indent)
	}
	if n.detail.Explain || n.detail.Verbose {
		n.blank()
	}
}

// others writes what others did between two steps.
func (p *page) others(list []*event.Event, widths columns) {
	for _, e := range list {
		r := p.betweenRow(e)
		p.row(r, widths)
		if r.below != "" {
			p.prose(rowIndent+widths.mark+gap, term.Dim, r.below)
		}
	}
}

// end writes how the run ended, in words.
func (p *page) end(r *runner.Result) {
	words := endingOf(r)
	l := pairs{indent: 2}
	tone := statusTone(r.Status)
	if r.Status.Good() {
		l.add(tone, r.Status.String(), p.facts(words.short, r)...)
		p.pairs(&l)
		return
	}
	first := r.Reason.String()
	if first == "" {
		first = words.short
	}
	l.add(tone, r.Status.String(), p.facts(first, r)...)
	l.add(term.Normal, "", term.Text(p.ours(words.long)))
	if words.why != "" {
		l.add(term.Normal, "", term.Text("The reason: "+sentence(p.clip(words.why, whyMost))))
	}
	if len(r.Edits) > 0 {
		l.add(term.Normal, "", term.Text(leftOver(r)))
	}
	p.pairs(&l)
}

func statusTone(s event.Status) term.Tone {
	switch {
	case s.Good():
		return term.Good
	case s.Terminal():
		return term.Bad
	}
	return term.Warn
}

// facts is a first word on the end, then what the program itself can vouch for.
func (p *page) facts(first string, r *runner.Result) []term.Cell {
	facts := []term.Cell{term.Text(p.ours(first))}
	switch {
	case !r.RepoUnchanged:
		facts = append(facts, term.Bad.Cell("THE RUN CHANGED THE REPOSITORY"))
	case hasFiles(r):
		facts = append(facts, term.Text(unchanged(r)))
	}
	facts = append(facts, term.Text(strconv.Itoa(r.Steps)+" of "+count(r.Config.Machine.Budgets.Steps, "step")))
	if r.Rejections > 0 && r.Status != event.Rejected {
		facts = append(facts, term.Text(count(r.Rejections, "refusal")))
	}
	if r.Standing != nil && r.Standing.Cost > 0 {
		facts = append(facts, term.Text("cost "+number(r.Standing.Cost)+" of "+number(r.Config.Machine.Budgets.Cost)))
	}
	return facts
}

// hasFiles reports whether there was anything in the repository that the run could have
// changed.
func hasFiles(r *runner.Result) bool {
	s := r.Config.Snapshot
	return s != nil && len(s.Files()) > 0 || filesChanged(r)
}

// unchanged claims no more than is so where others changed the repository.
func unchanged(r *runner.Result) string {
	if filesChanged(r) {
		return "repository unchanged by the run"
	}
	return "repository unchanged"
}

// leftOver says what accepted edits are worth in a run that did not end well.
func leftOver(r *runner.Result) string {
	if len(r.Edits) == 1 {
		return "1 edit was accepted before. The run did not end by asking for its review."
	}
	return number(len(r.Edits)) + " edits were accepted before. The run did not end by asking for their review."
}

// edits writes the diff of every edit, and says so where one no longer fits.
func (p *page) edits(r *runner.Result) {
	for i := range r.Edits {
		e := &r.Edits[i]
		p.blank()
		if e.Stale {
			p.notes("STALE", term.Bad, e.Path+" has changed since this edit was accepted. The patch fits the version it was made for (sha256 "+
				p.digest(e.BaseHash)+"), not the file as it is now.")
		}
		p.diff(e)
	}
}

// claim writes the summary that the model gave, as its words and no more.
func (p *page) claim(r *runner.Result) {
	if r.Summary == "" {
		return
	}
	p.blank()
	p.prose(2, term.Dim, "The model's claim, in its own words and not checked:")
	p.prose(4, term.Normal, r.Summary)
}

// findings writes what the scenario expected and did not get, and script items
// that were never asked for.
func (p *page) findings(c *Case) {
	r := c.Result
	if r.Unused > 0 && !hasClause(c, "unused") {
		p.blank()
		p.prose(2, term.Dim, countOf(r.Unused, "script item was", "script items were")+" never asked for, from "+r.UnusedAt+" on.")
	}
	if r.Unsaid > 0 && !hasClause(c, "human") {
		p.blank()
		p.prose(2, term.Dim, countOf(r.Unsaid, "answer of a person was", "answers of persons were")+" never asked for, from "+r.UnsaidAt+" on.")
	}
	p.blank()
	p.prose(2, markTone(c), verdictWord(c.Verdict)+"  "+verdictText(c))
	for i := range c.Findings {
		p.finding(&c.Findings[i], 4)
	}
}

// verdictText says what the verdict stands for.
func verdictText(c *Case) string {
	expects := c.Scenario.Expect != nil
	switch {
	case c.Verdict == Pass && expects:
		return "The run ended as its scenario says."
	case c.Verdict == Pass:
		return "The run ended well. Its scenario expects nothing."
	case c.Verdict == Error:
		return "The run could not show whether it passes."
	case c.Verdict == XFail:
		return "It fails, as its scenario says: " + c.Scenario.ExpectFail.Reason + " (" + c.Scenario.ExpectFail.Issue + ")"
	case c.Verdict == XPass:
		return "It passes, and its scenario says that it fails."
	case expects:
		return countOf(len(c.Findings), "expectation was", "expectations were") + " not met."
	}
	return "Its scenario expects nothing, and this went wrong all the same:"
}

func hasClause(c *Case, clause string) bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Clause == clause })
}

// finding writes one clause with what was wanted and what was there.
func (p *page) finding(f *Finding, indent int) {
	head := term.Strong.Cell(f.Clause)
	if f.Where != "" {
		head = head.Add(term.Dim, "  "+f.Where)
	}
	t := term.Table{Indent: indent}
	t.Row(head)
	p.print(&t)
	l := pairs{indent: indent + 2}
	if f.Want != "" {
		l.add(term.Dim, "want", term.Added.Cell(f.Want))
	}
	if f.Got != "" {
		l.add(term.Dim, "got", term.Removed.Cell(f.Got))
	}
	if f.Message != "" {
		l.add(term.Dim, "why", term.Text(f.Message))
	}
	p.pairs(&l)
	if f.Diff != "" {
		p.prose(indent+2, term.Dim, "(-want +got)")
		p.hunks(hunkOf(f.Diff), indent+2)
	}
}

// verdictWord is a verdict as a mark: lowercase where all is well.
func verdictWord(v Verdict) string {
	switch v {
	case Pass:
		return "ok"
	case Fail:
		return "FAIL"
	case Error:
		return "ERROR"
	case Skip:
		return "skip"
	case XFail:
		return "xfail"
	case XPass:
		return "XPASS"
	}
	return "unset"
}

// unproven is the last word: what nobody may read into this end.
func (p *page) unproven(r *runner.Result) {
	p.blank()
	p.prose(2, term.Warn, "Not proven: "+endingOf(r).unproven)
}
