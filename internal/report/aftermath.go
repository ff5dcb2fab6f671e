package report

import (
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/term"
)

// The bounds of the lists below the end of a run; the JSON result has them whole.
const (
	listMost     = 12
	argumentMost = 2000 // columns of one argument that a person has to judge
)

// aftermath writes what is left when a run stops: what cancelling came to, the
// questions that wait for a person, the effects, and what a person needs to take
// over.
func (p *page) aftermath(r *runner.Result) {
	if cancelling(r) {
		p.cancellation(r)
	}
	open := openQuestions(r)
	if r.Status == event.WaitingConfirmation {
		for _, c := range open {
			p.question(c, awaited(r))
		}
	} else if len(open) > 0 {
		p.leftOpen(open)
	}
	switch {
	case r.Handoff != nil:
		p.handoff(r)
	case r.Standing != nil && len(r.Standing.Acts) > 0:
		p.heading("Effects", "")
		l := pairs{indent: 4}
		p.effects(&l, acts(r.Standing))
		p.pairs(&l)
	}
}

// heading begins a block below the end.
func (p *page) heading(title, rest string) {
	p.blank()
	cell := term.Strong.Cell(title)
	if rest != "" {
		cell = cell.Add(term.Normal, "  "+rest)
	}
	t := term.Table{Indent: 2}
	t.Row(cell)
	p.print(&t)
}

// cancellation keeps three things apart that are easily taken for one.
func (p *page) cancellation(r *runner.Result) {
	p.blank()
	l := pairs{indent: 2}
	l.addTexts(term.Strong, "cancelled", "nothing new is started.")
	l.addTexts(term.Strong, "stopped", stopped(r))
	l.addTexts(term.Strong, "undone", undone(r))
	p.pairs(&l)
}

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
		text += " " + p.clip(version, subjectMost)
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
func (p *page) question(c *event.Confirmation, awaited string) {
	b := &c.Binding
	how := "the run waits for the answer"
	if c.ID != awaited {
		how = "put off, and still open"
	}
	p.heading("Question "+c.ID, p.join("asked at step "+number(c.Step)+after(c.Asked), how))
	l := pairs{indent: 4}
	l.add(term.Dim, "command", term.Strong.Cell(p.command(b.Tool, b.Version, b.Resource)))
	p.argumentRows(&l, c.Arguments)
	l.addTexts(term.Dim, "action", c.Act)
	l.addTexts(term.Dim, "effect", c.SideEffect)
	listed(&l, "risks", c.Risks)
	listed(&l, "touches", c.Touches)
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
	p.pairs(&l)
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

// listed adds texts one a line, a label before the first.
func listed(l *pairs, label string, texts []string) {
	for i, text := range texts {
		if i == listMost {
			l.addTexts(term.Dim, label, "and "+number(len(texts)-i)+" more, in the JSON result")
			return
		}
		l.addTexts(term.Dim, label, text)
		label = ""
	}
}

// acts are the business acts of a run.
func acts(s *policy.Standing) []event.Act {
	list := make([]event.Act, len(s.Acts))
	for i := range s.Acts {
		list[i] = s.Acts[i].Act
	}
	return list
}

// effects adds a row for each act: what is known of its effect, and how.
func (p *page) effects(l *pairs, list []event.Act) {
	for i := range list {
		if i == listMost {
			l.addTexts(term.Dim, "", "and "+number(len(list)-i)+" more, in the JSON result")
			return
		}
		a := &list[i]
		parts := []string{p.command(a.Tool, "", a.Resource), effectWords(a.Effect), "action " + p.clip(a.ID, quoteMost)}
		if a.Reconciled != "" {
			parts = append(parts, "looked up: "+a.Reconciled)
		}
		if a.Attempts > 1 {
			parts = append(parts, count(a.Attempts, "attempt"))
		}
		l.addTexts(effectTone(a.Effect), string(a.Effect), parts...)
	}
}

func effectTone(e event.EffectState) term.Tone {
	switch e {
	case event.EffectApplied, event.EffectNone:
		return term.Good
	default:
		return term.Bad
	}
}

// handoff writes what a person needs to take a run over.
func (p *page) handoff(r *runner.Result) {
	h := r.Handoff
	p.heading("Handoff", p.join(codeText(h.Reason), "as of event "+number(h.Version)))
	l := pairs{indent: 4}
	l.addTexts(term.Dim, "run", runID(r), "attempt "+number(attemptOf(r)), h.Status.String())
	l.addTexts(term.Dim, "goal", p.orNothing(h.Goal))
	if h.Pending != nil {
		p.pending(&l, h.Pending, pendingArguments(r, h.Pending))
	}
	for i, o := range h.Observations {
		label := ""
		if i == 0 {
			label = "trusted"
		}
		l.addTexts(term.Dim, label, o.ID+" "+p.clip(o.Tool, subjectMost)+": "+p.gist(o))
	}
	if o := h.Last; o != nil {
		l.addTexts(term.Dim, "last told", o.ID+", labelled "+string(o.Trust))
	}
	if h.Edits > 0 {
		l.addTexts(term.Dim, "edits", countOf(h.Edits, "edit waits", "edits wait")+" for a review")
	}
	listed(&l, "safe", h.Safe)
	listed(&l, "forbidden", h.Forbidden)
	p.pairs(&l)
	if len(h.Acts) > 0 {
		p.prose(4, term.Dim, "effects")
		e := pairs{indent: 6}
		p.effects(&e, h.Acts)
		p.pairs(&e)
	}
}

func (p *page) orNothing(text string) string {
	if text == "" {
		return "none was given"
	}
	return text
}

// pending adds the action that a handoff is about.
func (p *page) pending(l *pairs, a *event.Pending, args strictjson.Value) {
	parts := []string{p.command(a.Tool, a.Version, a.Resource)}
	if a.Tool == "" {
		parts = []string{"an output that is no action", "sha256 " + p.digest(a.Digest.String())}
	}
	if a.Proposals > 1 {
		parts = append(parts, "proposed "+times(a.Proposals))
	}
	if a.Confirmation != "" {
		parts = append(parts, "waits for "+a.Confirmation+", above")
	}
	l.addTexts(term.Dim, "pending", parts...)
	if a.Confirmation != "" || a.Tool == "" {
		return // the question says the rest, or there is none
	}
	p.argumentRows(l, args)
	if a.Act != "" {
		l.addTexts(term.Dim, "action", a.Act)
	}
	if a.Capability != "" {
		l.addTexts(term.Dim, "needs", a.Capability)
	}
}
