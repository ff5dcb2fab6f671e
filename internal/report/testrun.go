package report

import (
	"path"
	"strconv"
	"strings"

	"harness/internal/event"
	"harness/internal/term"
)

// TestDetail says how much of a tested suite is shown.
type TestDetail struct {
	Quiet  bool // the last lines alone
	Passes bool // a line for each case that passes; else they are counted
	Reds   bool // the runs of red cases in full
	All    bool // the runs of all cases in full
	Run    Detail
	Why    bool // below each failure, what decided, and the commands that run and accept it
}

// WriteSession writes a tested suite: a line for each case, every failure with what
// was wanted and what came, goldens that were written, and the count.
func WriteSession(w *term.Stream, s *Session, d TestDetail) error {
	// A terminal wraps; in a log each record is a line, and a command can be copied.
	p := newPage(w).wide()
	if !d.Quiet {
		p.sessionHead(s)
		p.sessionLines(s, d)
		for i := range s.Cases {
			switch c := &s.Cases[i]; {
			case !c.OK():
				p.sessionFailure(c, d)
			case d.All && c.Result != nil:
				p.blank()
				newPage(w).run(c, d.Run)
			}
		}
		p.sessionGoldens(s)
		if s.Coverage != nil {
			p.blank()
			p.coverage(s.Coverage, d.Passes)
		}
		p.blank()
	}
	p.sessionEnd(s)
	return w.Err()
}

func (p *page) sessionHead(s *Session) {
	p.prose(0, term.Dim, "harness "+s.Version+"  "+chosenText(s))
	p.blank()
}

// CasesFew is how many cases are shown whatever became of them.
const CasesFew = 20

// sessionLines writes a line for each case that has to be seen, and counts the rest.
func (p *page) sessionLines(s *Session, d TestDetail) {
	hidden, few := 0, len(s.Cases) <= CasesFew
	t := term.Table{Indent: rowIndent}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Verdict == Pass && !d.Passes && !few {
			hidden++
			continue
		}
		t.Row(markTone(c).Cell(verdictWord(c.Verdict)), term.Strong.Cell(c.Scenario.ID), term.Text(p.ours(caseWords(c))))
	}
	p.print(&t)
	if hidden > 0 {
		p.prose(rowIndent, term.Dim, number(hidden)+" ok, not shown (-v shows them)")
	}
}

// caseWords says in a few words what became of a case.
func caseWords(c *Case) string {
	switch {
	case c.Verdict == XFail:
		return "known: " + c.Scenario.ExpectFail.Issue
	case c.Result == nil:
		return ""
	}
	return count(c.Result.Steps, "step") + ", " + c.Result.Status.String()
}

// sessionFailure writes what a red case did not meet, and why.
func (p *page) sessionFailure(c *Case, d TestDetail) {
	p.blank()
	p.raw(p.style.Paint(markTone(c), verdictWord(c.Verdict)+" "+p.style.EscapeLine(c.Scenario.ID)) + p.style.Dim("  "+p.style.EscapeLine(standsAt(c))) + "\n")
	if (d.Reds || d.All) && c.Result != nil {
		newPage(p.s).run(c, d.Run)
	} else {
		for i := range c.Findings {
			p.sessionFinding(c, i)
		}
	}
	if !d.Why {
		return
	}
	p.why(c)
	for i, command := range rerunCommands(c) { // never broken: they are to be copied
		p.raw(strings.Repeat(" ", rowIndent) + p.style.Dim([]string{"rerun   ", "accept  "}[i]) + command + "\n")
	}
}

func (p *page) sessionFinding(c *Case, i int) {
	label := c.Findings[i]
	label.Clause = strconv.Itoa(i+1) + "/" + strconv.Itoa(len(c.Findings)) + " " + label.Clause
	label.Where = opened(c, label.Where)
	p.finding(&label, rowIndent)
}

// opened is a place in a case's file as an editor opens it: with its folders.
func opened(c *Case, where string) string {
	if name, pos, ok := cutPos(where); ok && name == path.Base(spotOf(c).file) {
		return spotOf(c).file + ":" + pos.String()
	}
	return where
}

// why names, for each refusal of the run, what decided: the rule and its place, and
// how many were tried.
func (p *page) why(c *Case) {
	if c.Result == nil {
		return
	}
	l := pairs{indent: rowIndent}
	for _, s := range Steps(c.Result) {
		if s.Decision == nil {
			continue
		}
		var parts []string
		if s.Decision.Check != "" {
			parts = append(parts, "check "+s.Decision.Check)
		}
		if s.Decision.Rule != "" {
			parts = append(parts, s.Decision.Rule+" at "+opened(c, s.Decision.Where))
		}
		if tried := triedWords(s.Decision); tried != "" {
			parts = append(parts, tried)
		}
		verdict := string(s.Decision.Effect)
		if s.Decision.Code != nil {
			verdict += " " + s.Decision.Code.Name
		}
		about := strings.TrimSpace(s.Tool + " " + s.Resource)
		if about == "" {
			about = "not understood"
		}
		l.add(term.Dim, "step "+strconv.Itoa(s.Step), term.Text(p.join(append([]string{about, verdict}, parts...)...)))
	}
	if len(l.rows) > 0 {
		p.blank()
		p.prose(rowIndent, term.Dim, "what decided:")
	}
	p.pairs(&l)
}

// triedWords names the rules that were asked, the first of them if they are many.
func triedWords(d *event.Decision) string {
	const most = 4
	var names []string
	for i, t := range d.Tried {
		if i == most {
			break
		}
		names = append(names, t.Rule)
	}
	text := "tried " + strings.Join(names, ", ")
	if more := len(d.Tried) - len(names) + d.More; more > 0 {
		text += " and " + number(more) + " more"
	}
	if len(names) == 0 {
		return ""
	}
	return text
}

// standsAt is where a case stands, as a person types it.
func standsAt(c *Case) string {
	if c.Scenario.Pos.IsZero() {
		return c.Scenario.File
	}
	return c.Scenario.File + ":" + strconv.Itoa(c.Scenario.Pos.Line)
}

// CaseArgument names a case as an argument of a command, quoted for a shell.
func CaseArgument(c *Case) string {
	name := c.Scenario.File
	if strings.HasPrefix(name, "-") {
		name = "./" + name // else it would be a flag
	}
	if c.Scenario.Case != "" {
		name += "#" + c.Scenario.Case
	}
	return ShellWord(name)
}

// ShellWord is a word of a command, quoted for a shell where that is needed.
func ShellWord(name string) string {
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-#") == ""
	if plain && !strings.HasPrefix(name, "#") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// sessionGoldens says which goldens were written, and which nobody owns.
func (p *page) sessionGoldens(s *Session) {
	if len(s.Unreferenced) > 0 {
		p.blank()
		p.prose(0, term.Warn, countOf(len(s.Unreferenced), "golden belongs", "goldens belong")+" to no scenario: "+strings.Join(s.Unreferenced, ", ")+
			". harness golden prune removes them.")
	}
	for i := range s.Wrote {
		if w := &s.Wrote[i]; w.Diff != "" {
			p.blank()
			p.prose(0, term.Strong, w.Path+" (-want +got)")
			p.hunks(hunkOf(w.Diff), rowIndent)
		}
	}
}

// WroteText is the line about goldens that were written: "WROTE 2 goldens: …".
func WroteText(s *Session) string {
	parts := make([]string, len(s.Wrote))
	for i, w := range s.Wrote {
		parts[i] = w.Path + " (+" + strconv.Itoa(w.Added) + " -" + strconv.Itoa(w.Removed) + ")"
		switch {
		case w.New:
			parts[i] = w.Path + " (new)"
		case w.Shrank():
			parts[i] += " IT LOST MUCH"
		}
	}
	return "WROTE " + count(len(s.Wrote), "golden") + ": " + strings.Join(parts, ", ")
}

// sessionEnd is the count, and whether the session was cut short.
func (p *page) sessionEnd(s *Session) {
	for _, note := range s.Notes {
		p.prose(0, term.Warn, note)
	}
	for _, failure := range s.Failures {
		p.prose(0, term.Bad, failure)
	}
	if len(s.Wrote) > 0 {
		p.prose(0, term.Normal, WroteText(s))
	}
	if s.Interrupted {
		p.prose(0, term.Bad, "INTERRUPTED after "+number(len(s.Cases))+" of "+number(s.Selected)+": what follows counts those that were done")
	}
	p.prose(0, term.Strong, "DONE  "+sumText(s.Summary()))
}
