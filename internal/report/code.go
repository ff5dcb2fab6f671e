package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/term"
)

// CodePage is a code and the shipped scenario that shows it.
type CodePage struct {
	Code     *diag.Code
	Scenario string // its id; empty if none shows it
}

// WriteCode writes what a code means, what to do about it, and where to see it.
func WriteCode(w *term.Stream, page CodePage) error {
	p, c := newPage(w), page.Code
	t := term.Table{}
	t.Row(term.Strong.Cell(c.Name), term.Dim.Cell(p.join(classParts(c)...)))
	p.print(&t)
	p.blank()
	l := pairs{indent: 2}
	l.add(term.Dim, "means", term.Text(p.ours(c.Means)))
	l.add(term.Dim, "do", term.Text(p.ours(c.Do)))
	l.add(term.Dim, "effect", term.Text(classText(c.Class)))
	if c.Gate != "" {
		l.add(term.Dim, "gate", term.Text(string(c.Gate)+": "+gateQuestion(c.Gate)))
	}
	if c.Class == diag.Rejection {
		l.add(term.Dim, "retry", term.Text(retryText(c.Retry)))
	}
	if page.Scenario != "" {
		l.add(term.Dim, "see", term.Accent.Cell(showCommand(page.Scenario)))
	}
	p.pairs(&l)
	return w.Err()
}

func classParts(c *diag.Code) []string {
	parts := []string{string(c.Class)}
	if c.Gate != "" {
		parts = append(parts, string(c.Gate)+" gate")
	}
	return parts
}

func classText(c diag.Class) string {
	switch c {
	case diag.Rejection:
		return "One action is refused and not carried out. task.onRejection says whether the run ends or the model is told."
	case diag.Stop:
		return "The run ends."
	case diag.Wait:
		return "The run waits for a person."
	case diag.Input:
		return "An input is at fault. Nothing was run."
	case diag.Note:
		return "A note. Nothing changes."
	}
	return "unset"
}

// gateQuestion is what a gate asks about an action.
func gateQuestion(g diag.Gate) string {
	switch g {
	case diag.Parse:
		return "is it exactly one JSON object of a known form?"
	case diag.Schema:
		return "do the arguments fit the tool's contract?"
	case diag.Semantic:
		return "do the arguments make sense by themselves?"
	case diag.Authorize:
		return "does a rule cover this capability on this resource?"
	case diag.Guard:
		return "does the state of the run allow it?"
	case diag.Budget:
		return "is there budget left for it?"
	case diag.Confirm:
		return "has a person agreed, if one must be asked?"
	case diag.Execute:
		return "does the tool itself accept it, having looked at content?"
	case diag.Verify:
		return "is what must be true afterwards really true?"
	}
	return ""
}

// showCommand is the command that shows a shipped scenario.
func showCommand(id string) string {
	if strings.HasPrefix(id, "workflow/") {
		return "harness workflow " + id
	}
	return "harness boundaries --case " + id
}

// WriteCodes writes all codes, grouped by what they do and by gate.
func WriteCodes(w *term.Stream, pages []CodePage) error {
	p := newPage(w)
	for i, g := range groupCodes(pages) {
		if i > 0 {
			p.blank()
		}
		p.prose(0, term.Strong, g.title())
		if g.gate != "" {
			p.prose(0, term.Dim, gateQuestion(g.gate))
		}
		l := pairs{indent: 2}
		for _, page := range g.pages {
			l.add(term.Accent, page.Code.Name, term.Text(p.ours(firstSentence(page.Code.Means))))
		}
		p.wide().pairs(&l)
	}
	p.blank()
	p.prose(0, term.Dim, count(len(pages), "code")+". harness explain CODE says what to do about one and which scenario shows it.")
	return w.Err()
}

// codeGroup is the codes of one class and gate.
type codeGroup struct {
	class diag.Class
	gate  diag.Gate
	pages []CodePage
}

func (g *codeGroup) title() string {
	if g.gate == "" {
		return string(g.class)
	}
	return string(g.class) + ", " + string(g.gate) + " gate"
}

// groupCodes puts codes in the order of classes and gates, those of no gate
// last; within a group they keep their order.
func groupCodes(pages []CodePage) []codeGroup {
	var groups []codeGroup
	for _, class := range []diag.Class{diag.Rejection, diag.Stop, diag.Wait, diag.Input, diag.Note} {
		for _, gate := range append(diag.Gates(), "") {
			g := codeGroup{class: class, gate: gate}
			for _, page := range pages {
				if page.Code.Class == class && page.Code.Gate == gate {
					g.pages = append(g.pages, page)
				}
			}
			if len(g.pages) > 0 {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// firstSentence is a text up to its first full stop that a space follows.
func firstSentence(text string) string {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}
