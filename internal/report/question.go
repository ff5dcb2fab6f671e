package report

import (
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/term"
)

// openQuestions lists the questions that nobody has answered.
func openQuestions(r *runner.Result) []*event.Confirmation {
	if r.Standing == nil {
		return nil
	}
	var open []*event.Confirmation
	for i := range r.Standing.Confirmations {
		if asked := &r.Standing.Confirmations[i]; asked.State == policy.AskedOpen {
			open = append(open, asked.Confirmation)
		}
	}
	return open
}

// leftOpen names the questions that a run left open when it ended.
func (p *page) leftOpen(open []*event.Confirmation) {
	p.blank()
	for i, c := range open {
		if i == listMost {
			p.prose(2, term.Dim, "and "+count(len(open)-i, "more open question"))
			return
		}
		p.prose(2, term.Dim, "Question "+c.ID+" was left open: "+p.command(c.Binding.Tool, c.Binding.Version, c.Binding.Resource)+". It was not dispatched.")
	}
}

// command names a tool, its version, and what a call of it is about.
func (p *page) command(tool, version, resource string) string {
	text := p.clip(tool, subjectMost)
	if version != "" {
		text += " version " + p.clip(version, subjectMost)
	}
	if resource != "" && resource != tool {
		text += " on " + p.clip(resource, quoteMost)
	}
	return text
}

// awaited is the id of the question that a run waits with; others were put off.
func awaited(r *runner.Result) string {
	if r.Handoff == nil || r.Handoff.Pending == nil {
		return ""
	}
	return r.Handoff.Pending.Confirmation
}

// question writes a question with everything that is needed to decide about it.
func (p *page) question(r *runner.Result, c *event.Confirmation) {
	b := &c.Binding
	how := "the run waits for the answer"
	if c.ID != awaited(r) {
		how = "put off, and still open"
	}
	p.heading("Question "+c.ID, p.join("asked at step "+number(c.Step)+after(c.Asked), how))
	l := pairs{indent: 4}
	l.add(term.Dim, "command", term.Strong.Cell(p.command(b.Tool, b.Version, b.Resource)))
	p.argumentRows(&l, c.Arguments)
	l.addTexts(term.Dim, "action", c.Act)
	l.addTexts(term.Dim, "effect", c.SideEffect)
	p.listed(&l, "risks", c.Risks, 0)
	p.listed(&l, "touches", c.Touches, c.More)
	if c.Cost > 0 {
		l.addTexts(term.Dim, "cost", number(c.Cost))
	}
	scope := "this one command, once"
	if c.PerRun {
		scope = "every call of " + p.command(b.Tool, b.Version, b.Resource) + " until the run ends"
	}
	l.addTexts(term.Dim, "approves", scope)
	if b.Principal != "" {
		l.addTexts(term.Dim, "acts for", p.whom(b.Principal, b.Tenant))
	}
	l.addTexts(term.Dim, "until", until(c.Expires))
	if before := p.declined(r, c); before != "" {
		l.addTexts(term.Dim, "before", before)
	}
	p.pairs(&l)
}

// declined says who has declined an equal command before, "" if nobody has: the same
// tool, resource and arguments.
func (p *page) declined(r *runner.Result, c *event.Confirmation) string {
	if r.Standing == nil {
		return ""
	}
	text := ""
	for i := range r.Standing.Confirmations {
		old := &r.Standing.Confirmations[i]
		if old.ID == c.ID {
			break // what follows was asked later
		}
		a, b := old.Answer, &old.Binding
		if a == nil || a.Verdict != event.Declined || b.Tool != c.Binding.Tool || b.Resource != c.Binding.Resource || b.Arguments != c.Binding.Arguments {
			continue
		}
		who := p.clip(a.By, subjectMost)
		if who == "" {
			who = "a person"
		}
		text = who + " declined the same at step " + number(old.Step) + p.because(a.Reason)
	}
	return text
}

// whom names a principal and its tenant.
func (p *page) whom(id, tenant string) string {
	if tenant == "" {
		return p.clip(id, quoteMost)
	}
	return p.clip(id, quoteMost) + " of tenant " + p.clip(tenant, quoteMost)
}

// argumentRows writes arguments one a line, whole as far as anybody can read them.
func (p *page) argumentRows(l *pairs, args strictjson.Value) {
	label := "arguments"
	for i, m := range args.Members() {
		if i == listMost {
			l.addTexts(term.Dim, label, "and "+count(len(args.Members())-i, "more argument")+", in the JSON result")
			break
		}
		l.addTexts(term.Dim, label, p.clip(m.Name, quoteMost)+" "+p.clip(string(strictjson.AppendCanonical(nil, m.Value)), argumentMost))
		label = ""
	}
	if len(args.Members()) == 0 {
		l.addTexts(term.Dim, label, "none")
	}
}

// listed adds texts one a line, a label before the first. There are more of them that
// nobody has listed. A text that cannot be seen is put into quotes.
func (p *page) listed(l *pairs, label string, texts []string, more int) {
	for i, text := range texts {
		if i == listMost {
			break
		}
		l.addTexts(term.Dim, label, p.visible(text))
		label = ""
	}
	switch left := max(0, len(texts)-listMost) + more; {
	case left == 0:
	case len(texts) <= listMost:
		l.addTexts(term.Dim, label, "and "+number(left)+" more")
	case more > 0:
		l.addTexts(term.Dim, label, "and "+number(left)+" more; the JSON result lists the first "+number(len(texts)))
	default:
		l.addTexts(term.Dim, label, "and "+number(left)+" more, in the JSON result")
	}
}

// open reports whether a step's question waits for its answer, was put off, or
// was overtaken by the end of the run; "" if the step does not stand at one.
func (s *Step) open() string {
	if s.Decision == nil || s.Decision.Effect != event.Confirm {
		return ""
	}
	for i := range s.Events {
		a, ok := s.Events[i].About.(*event.Answer)
		if ok && s.Events[i].Code == nil && a.Verdict == event.Postponed {
			return postponed
		}
	}
	if s.event(event.RunStopped) != nil {
		return unanswered
	}
	return waits
}

// How a command stands that a person has to approve and nobody has.
const (
	waits      = "WAITS"
	postponed  = "POSTPONED"
	unanswered = "UNANSWERED"
)

// question is the one that a step asked last, nil if it asked none.
func (s *Step) question() *event.Confirmation {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if c, ok := s.Events[i].About.(*event.Confirmation); ok {
			return c
		}
	}
	return nil
}
