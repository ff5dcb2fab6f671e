package report

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/term"
)

// WriteAnswer writes what the boundary of scenario id says to one action: the
// decision with its gate, code and place, every rule that was tried, and what
// else would have refused it.
func WriteAnswer(w *term.Stream, id string, a *runner.Answer) error {
	p := newPage(w)
	p.verdict(a)
	if a.Decision == nil {
		return w.Err()
	}
	p.blank()
	l := pairs{indent: 2}
	l.add(term.Dim, "action", term.Text(actionText(a)))
	l.add(term.Dim, "asked of", term.Text(id+", at the start of its run: nothing has been read, nothing proposed"))
	if r := a.Refusal; r != nil {
		l.add(term.Dim, "because", term.Text(r.Message))
		if r.Hint != "" {
			l.add(term.Dim, "hint", term.Text(r.Hint))
		}
		if !sameWords(r.Code.Means, r.Message) {
			l.add(term.Dim, "means", term.Text(p.ours(r.Code.Means)))
		}
		l.add(term.Dim, "retry", term.Text(againText(r.Code)))
	}
	p.pairs(&l)
	p.tried(a.Decision)
	p.alsoFailed(a.Decision.Also)
	return w.Err()
}

// verdict is the first line: decision, gate, code and place.
func (p *page) verdict(a *runner.Answer) {
	var parts []term.Cell
	switch d := a.Decision; {
	case d == nil:
		parts = []term.Cell{term.Warn.Cell("undecided"), term.Text("the run of this scenario ends before it asks for an action")}
	case a.Refusal != nil && d.Effect == event.Allow:
		parts = []term.Cell{term.Bad.Cell("refused by the tool"), term.Text(string(a.Refusal.Gate)), term.Strong.Cell(a.Refusal.Code.String())}
	case d.Effect != event.Allow:
		tone := term.Bad
		if d.Effect == event.Confirm {
			tone = term.Warn
		}
		parts = []term.Cell{tone.Cell(string(d.Effect)), term.Text(string(d.Gate)), term.Strong.Cell(d.Code.String())}
	default:
		parts = []term.Cell{term.Good.Cell(string(d.Effect)), term.Text(allowedBy(d))}
	}
	if d := a.Decision; d != nil && (a.Refusal == nil || d.Effect != event.Allow) {
		parts = append(parts, optional(term.Dim, place(d))...)
		parts = append(parts, optional(term.Normal, outcomeText(a.Outcome))...)
	}
	p.line(parts, "  ")
}

// optional is a part of a line that may be empty.
func optional(tone term.Tone, text string) []term.Cell {
	if text == "" {
		return nil
	}
	return []term.Cell{tone.Cell(text)}
}

// place is where the rule that refused stands; where none did, silence refused.
func place(d *event.Decision) string {
	switch {
	case d.Where != "":
		return d.Where
	case d.Gate == diag.Authorize:
		return "no rule covers it, and silence denies"
	}
	return ""
}

func allowedBy(d *event.Decision) string {
	if d.Rule == "" {
		return "needs no rule"
	}
	return "rule " + d.Rule
}

// outcomeText says how the call ended, if there was one.
func outcomeText(o event.Outcome) string {
	if o == 0 {
		return ""
	}
	return "the call " + o.String()
}

func actionText(a *runner.Answer) string {
	switch {
	case a.Tool == "":
		return "none that could be read"
	case a.Resource == "":
		return a.Tool
	}
	return a.Tool + " " + a.Resource
}

// againText says when a refused action could succeed.
func againText(c *diag.Code) string {
	if c.Class == diag.Wait {
		return "none: the run would wait for a person, and go on once one has approved"
	}
	return retryText(c.Retry)
}

func retryText(r diag.Retry) string {
	switch r {
	case diag.Never:
		return "never: what stands against it stays as it is"
	case diag.AfterRead:
		return "after a read of the file"
	case diag.NewRequest:
		return "with another request"
	case diag.SameRequest:
		return "the same request may succeed later"
	}
	return "none: the run ends here"
}

// ruleColumns is the width from which rules stand in columns; their places are
// kept whole there.
const ruleColumns = 80

// tried lists the rules that were asked.
func (p *page) tried(d *event.Decision) {
	if len(d.Tried) == 0 {
		return
	}
	p.blank()
	p.prose(2, term.Strong, "rules tried, in the order written")
	t := term.Table{Indent: 4}
	if p.width >= ruleColumns {
		t.Overflow = term.KeepLast
	}
	for _, r := range d.Tried {
		tone, match := term.Dim, "no match"
		if r.Matched {
			tone, match = term.Strong, "matches"
		}
		if p.width < ruleColumns {
			t.Row(tone.Cell(match), term.Text(string(r.Effect)+" "+r.Pattern))
			t.Row(nil, term.Dim.Cell(r.Rule+" "+r.Where))
			continue
		}
		t.Row(tone.Cell(match), term.Text(string(r.Effect)), term.Text(r.Pattern), term.Dim.Cell(r.Rule), term.Dim.Cell(r.Where))
	}
	p.print(&t)
	for _, r := range d.Tried {
		if r.Note != "" {
			p.prose(4, term.Normal, r.Rule+": "+r.Note)
		}
	}
	if d.More > 0 {
		p.prose(4, term.Dim, "and "+count(d.More, "more rule"))
	}
}

// alsoFailed lists what else would have refused the action.
func (p *page) alsoFailed(also []event.AlsoFailed) {
	if len(also) == 0 {
		return
	}
	p.blank()
	p.prose(2, term.Strong, "would have been refused by these too")
	t := term.Table{Indent: 4}
	for _, a := range also {
		if p.width < tableLeast {
			t.Row(term.Text(a.Code.String()))
			continue
		}
		t.Row(term.Text(string(a.Gate)), term.Text(a.Code.String()), term.Dim.Cell(a.Check))
	}
	p.print(&t)
}
