package report

import (
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
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
			p.question(r, c)
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
		p.effects(&l, r, acts(r.Standing), false)
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

// acts are the business acts of a run.
func acts(s *policy.Standing) []event.Act {
	list := make([]event.Act, len(s.Acts))
	for i := range s.Acts {
		list[i] = s.Acts[i].Act
	}
	return list
}

// effects adds a row for each act: what is known of its effect, and how. Who takes
// over also needs to know who approved it, and what came late; what is pending says
// so itself.
func (p *page) effects(l *pairs, r *runner.Result, list []event.Act, takeover bool) {
	for i := range list {
		if i == listMost {
			l.addTexts(term.Dim, "", "and "+number(len(list)-i)+" more, in the JSON result")
			return
		}
		a := &list[i]
		known := evidenceOf(r, a.ID)
		parts := []string{p.command(a.Tool, "", a.Resource), effectWords(a, known.promise), "action " + p.clip(a.ID, quoteMost)}
		if a.Reconciled != "" {
			parts = append(parts, "looked up: "+a.Reconciled)
		}
		if a.Attempts > 1 {
			parts = append(parts, count(a.Attempts, "attempt"))
		}
		if takeover && (r.Handoff.Pending == nil || r.Handoff.Pending.Act != a.ID) {
			parts = append(parts, p.witnessed(r, &known)...)
		}
		l.addTexts(effectTone(a.Effect), string(a.Effect), parts...)
	}
}

// witnessed says who approved an act and what came late, in parts of a line.
func (p *page) witnessed(r *runner.Result, known *evidence) []string {
	var parts []string
	if who := p.approved(r, known.approval); who != "" {
		parts = append(parts, "approved as "+who)
	}
	for _, e := range known.late {
		parts = append(parts, "evidence: "+lateAnswer(e))
	}
	return parts
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
	p.heading("Handoff", p.join(codeText(h.Reason), "as of event "+number(h.Version)+" of the trace"))
	l := pairs{indent: 4}
	l.addTexts(term.Dim, "run", runID(r), "attempt "+number(attemptOf(r)), h.Status.String())
	l.addTexts(term.Dim, "goal", p.orNothing(h.Goal))
	if h.Pending != nil {
		p.pending(&l, r, h.Pending)
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
	p.listed(&l, "safe", h.Safe, 0)
	p.listed(&l, "forbidden", h.Forbidden, 0)
	p.pairs(&l)
	if len(h.Acts) > 0 {
		p.prose(4, term.Dim, "effects")
		e := pairs{indent: 6}
		p.effects(&e, r, h.Acts, true)
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
func (p *page) pending(l *pairs, r *runner.Result, a *event.Pending) {
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
	p.argumentRows(l, pendingArguments(r, a))
	if a.Act != "" {
		l.addTexts(term.Dim, "action", a.Act)
	}
	if a.Capability != "" {
		l.addTexts(term.Dim, "needs", a.Capability)
	}
	known := evidenceOf(r, a.Act)
	if who := p.approved(r, known.approval); who != "" {
		l.addTexts(term.Dim, "approved", who)
	}
	label := "evidence"
	for _, e := range known.late {
		l.addTexts(term.Dim, label, lateAnswer(e))
		label = ""
	}
}
