package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/term"
)

// refusal tells a refusal: what it means, which rules were asked, and what else
// would have refused. The decision is nil if the tool itself refused.
func (n *narrator) refusal(l *pairs, s *Step, r *event.Refusal, d *event.Decision) {
	code := r.Code
	tone, mark := term.Bad, n.style.Cross()
	if s.open() != "" {
		tone, mark = term.Warn, n.style.Dot()
	}
	l.add(tone, mark+" "+string(r.Gate), term.Strong.Cell(code.Name).Add(term.Normal, ": "+sentence(r.Message)))
	if !sameWords(code.Means, r.Message) {
		l.add(term.Dim, "  means", term.Text(n.ours(code.Means)))
	}
	if r.Hint != "" {
		l.add(term.Dim, "  hint", term.Text(r.Hint))
	}
	l.add(term.Dim, "  do", term.Text(n.ours(code.Do)))
	if code.Class == diag.Rejection {
		l.addTexts(term.Dim, "  retry", retryText(code.Retry))
	}
	if d == nil || d.Effect == event.Confirm { // a question is no refusal: what follows waits
		return
	}
	if d.Gate == diag.Authorize {
		n.rules(l, d)
	}
	if later := n.notAsked(s, d); later != "" {
		l.add(term.Dim, "  not asked", term.Text(later))
	}
	if len(d.Also) > 0 {
		l.add(term.Dim, "  also", term.Text("It would have been refused by "+alsoText(d.Also)+" too."))
	}
}

// rules lists the rules that were asked.
func (n *narrator) rules(l *pairs, d *event.Decision) {
	const most = 8
	for i, t := range d.Tried {
		label := ""
		if i == 0 {
			label = "  rules"
		}
		if i == most {
			l.add(term.Dim, label, term.Text("and "+number(len(d.Tried)-most+d.More)+" more"))
			return
		}
		l.add(term.Dim, label, ruleCell(t))
	}
	if d.More > 0 {
		l.add(term.Dim, "", term.Text("and "+number(d.More)+" more"))
	}
}

// ruleCell is one rule and whether it matched.
func ruleCell(t event.RuleTried) term.Cell {
	cell := term.Text(t.Rule + " " + string(t.Effect) + " " + t.Pattern)
	switch {
	case t.Matched:
		cell = cell.Add(term.Strong, ": matches")
	case t.Note != "":
		cell = cell.Add(term.Normal, ": no match, "+t.Note)
	default:
		cell = cell.Add(term.Normal, ": no match")
	}
	if t.Where != "" {
		cell = cell.Add(term.Dim, " ("+t.Where+")")
	}
	return cell
}

// notAsked names the gates behind the one that refused.
func (n *narrator) notAsked(s *Step, d *event.Decision) string {
	if s.action() == nil {
		return "everything else: there is no action to ask about."
	}
	var later []string
	for _, gate := range n.asking(s, d.Gate.Order()+1, len(diag.Gates())) {
		later = append(later, string(gate))
	}
	if len(later) == 0 {
		return ""
	}
	return strings.Join(later, ", ") + ": after the first refusal nothing more runs."
}

func alsoText(also []event.AlsoFailed) string {
	parts := make([]string, len(also))
	for i, a := range also {
		parts[i] = string(a.Gate) + " " + a.Code.String()
	}
	return strings.Join(parts, ", ")
}
