package report

import (
	"io"
	"path"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/term"
)

// Kind is a report of a session that is asked for by its name.
type Kind struct {
	Name      string // as in --report NAME=PATH
	Extension string // of its files; "" for one that belongs on the standard output
	Means     string
	Write     func(io.Writer, *Session) error
}

// Kinds lists the reports, in the order of help texts. Each is a projection of the
// session and of nothing else, so they cannot disagree; none depends on the clock,
// the machine or the folder.
func Kinds() []Kind {
	return []Kind{
		{"json", ".json", "one document with every result in full", WriteSessionJSON},
		{"jsonl", ".jsonl", "a line for each case, and a last one for the session", WriteSessionJSONL},
		{"junit", ".xml", "JUnit XML, for build servers", WriteJUnit},
		{"sarif", ".sarif", "SARIF 2.1.0, for code scanning", WriteSARIF},
		{"md", ".md", "Markdown, for a step summary or a comment", WriteMarkdown},
		{"github", "", "annotations of GitHub Actions", WriteGitHub},
		{"score", ".json", "points of a course", WriteScore},
	}
}

// The most of what a report shows: a text, and a line that sums up, in code points;
// notes of a session, and findings of a case where they stand in one text.
const (
	shownMost    = 8000
	headlineMost = 300
	notesMost    = 50
	findingsMost = 100
)

// bounded is the first code points of a text, and a mark if there are more.
func bounded(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// oneLine is a text as a report shows it on one line.
func oneLine(text string, most int) string {
	return bounded(term.EscapeLine(bounded(text, most)), most)
}

// manyLines is a text as a report shows it on several lines.
func manyLines(text string) string {
	return bounded(term.EscapeText(bounded(text, shownMost)), shownMost)
}

// findingsOf is what there is to say against a case. A red one has at least one
// finding, so no format can leave it out.
func findingsOf(c *Case) []Finding {
	switch {
	case len(c.Findings) > 0 || c.OK():
		return c.Findings
	case verdictName(c.Verdict) == string(Error):
		return []Finding{{Clause: "verdict", Message: "the run could not show whether it passes"}}
	}
	return []Finding{{Clause: "verdict", Message: "it did not end as it has to"}}
}

// verdictName is a verdict as a report names it. One that is unset shows nothing,
// so it counts as an error.
func verdictName(v Verdict) string {
	switch v {
	case Pass, Fail, Skip, XFail, XPass:
		return string(v)
	default:
		return string(Error)
	}
}

// headline sums up a case in one line.
func headline(c *Case) string {
	text := ""
	switch c.Verdict {
	case Pass:
		return "as expected"
	case Skip:
		text = "not run"
		if len(c.Findings) > 0 && c.Findings[0].Message != "" {
			text += ": " + c.Findings[0].Message
		}
	case XFail:
		text = knownFailure(c)
	default:
		list := findingsOf(c)
		text = inShort(&list[0])
		if more := len(list) - 1; more > 0 {
			text += " (and " + number(more) + " more)"
		}
	}
	return oneLine(text, headlineMost)
}

// knownFailure is why a case is known to fail, and where that is tracked.
func knownFailure(c *Case) string {
	f := c.Scenario.ExpectFail
	if f == nil {
		return "fails, as its scenario says"
	}
	return "fails, as its scenario says: " + f.Reason + " (" + f.Issue + ")"
}

// inShort is a finding in a few words.
func inShort(f *Finding) string {
	switch {
	case f.Want != "" && f.Got != "":
		return f.Clause + ": want " + f.Want + ", got " + f.Got
	case f.Message != "":
		return f.Clause + ": " + f.Message
	case f.Got != "":
		return f.Clause + ": got " + f.Got
	case f.Want != "":
		return f.Clause + ": want " + f.Want
	case f.Diff != "":
		return f.Clause + " differs"
	}
	return f.Clause
}

// findingText is a finding in full, a line for each part, the last one ended too.
func findingText(f *Finding) string {
	var b strings.Builder
	b.WriteString(oneLine(f.Clause, headlineMost))
	if f.Where != "" {
		b.WriteString("  " + oneLine(f.Where, headlineMost))
	}
	b.WriteByte('\n')
	for _, part := range [...]struct{ label, text string }{{"want", f.Want}, {"got ", f.Got}, {"why ", f.Message}} {
		if part.text != "" {
			b.WriteString("  " + part.label + "  " + strings.ReplaceAll(manyLines(part.text), "\n", "\n        ") + "\n")
		}
	}
	if f.Diff != "" {
		b.WriteString("  (-want +got)\n" + strings.TrimSuffix(manyLines(f.Diff), "\n") + "\n")
	}
	return b.String()
}

// findingTexts is all findings of a case in full. Of very many, the rest is counted.
func findingTexts(c *Case) string {
	var b strings.Builder
	list := findingsOf(c)
	for i := range list {
		if i == findingsMost {
			b.WriteString("and " + number(len(list)-findingsMost) + " more\n")
			break
		}
		b.WriteString(findingText(&list[i]))
	}
	return b.String()
}

// spot is a place in a file, as far as it is known.
type spot struct {
	file string // with slashes; "" if there is none
	pos  diag.Pos
}

func spotOf(c *Case) spot {
	file := c.Scenario.File
	if file == "" || file == "-" {
		return spot{"", c.Scenario.Pos}
	}
	return spot{path.Clean(strings.ReplaceAll(file, `\`, "/")), c.Scenario.Pos}
}

func (s spot) String() string {
	if s.pos.IsZero() {
		return s.file
	}
	return s.file + ":" + strconv.Itoa(s.pos.Line)
}

// spotOfFinding is where a finding stands. A finding names its file without folders;
// where that is not the scenario's own (an included file, a golden), the place of
// the scenario stands for it.
func spotOfFinding(c *Case, f *Finding) spot {
	s := spotOf(c)
	if name, pos, ok := cutPos(f.Where); ok && name == path.Base(s.file) {
		s.pos = pos
	}
	return s
}

// cutPos takes "name:line:col" apart.
func cutPos(where string) (name string, pos diag.Pos, ok bool) {
	head, col := cutNumber(where)
	name, line := cutNumber(head)
	return name, diag.Pos{Line: line, Col: col}, line > 0 && col > 0
}

// cutNumber takes the number behind the last colon off; 0 if there is none.
func cutNumber(text string) (head string, n int) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, 0
	}
	n, err := strconv.Atoi(text[i+1:])
	if err != nil {
		return text, 0
	}
	return text[:i], n
}

// rerunCommands are the commands that run a red case again and that accept its
// golden, as a person types them; none where they could not be typed.
func rerunCommands(c *Case) []string {
	name := CaseArgument(c)
	if spotOf(c).file == "" || term.EscapeLine(name) != name || len(name) > headlineMost {
		return nil
	}
	run := "harness test " + name + " -v"
	if hasClause(c, "null-agent") || hasClause(c, "nullAgent") {
		run += " --null-agent"
	}
	if hasClause(c, "repeat") {
		run += " --repeat 2"
	}
	commands := []string{run}
	acceptable := c.Scenario.ExpectFail == nil // a known failure has no golden to accept
	if acceptable && (hasClause(c, "golden") && c.Verdict != Error || hasClause(c, "vacuous")) {
		commands = append(commands, "harness test -u "+name)
	}
	return commands
}

// The levels of a remark, in SARIF's words.
const (
	levelError   = "error" // it makes the session red
	levelWarning = "warning"
	levelNote    = "note"
)

// remark is something about a session that no case says.
type remark struct {
	level string
	text  string // on one line
}

// remarks are what has to be said beside the cases. Whatever makes the session red
// beside a case is among them, so no format can leave it out.
func remarks(s *Session) []remark {
	var list []remark
	add := func(level, text string) { list = append(list, remark{level, oneLine(text, shownMost)}) }
	if s.Interrupted {
		add(levelError, "interrupted after "+number(len(s.Cases))+" of "+count(s.Selected, "case")+": only those that were done are counted")
	}
	for _, some := range []struct {
		level string
		notes []string
	}{{levelError, s.Failures}, {levelWarning, s.Notes}} {
		for i, note := range some.notes {
			if i == notesMost {
				add(some.level, "and "+count(len(some.notes)-notesMost, "note")+" more")
				break
			}
			if note == "" {
				note = "something beside the cases"
			}
			add(some.level, note)
		}
	}
	if n := len(s.Unreferenced); n > 0 && !s.Strict {
		add(levelWarning, countOf(n, "golden belongs", "goldens belong")+" to no scenario: "+strings.Join(s.Unreferenced, ", "))
	}
	if len(s.Wrote) > 0 {
		add(levelNote, WroteText(s))
	}
	if len(s.Cases) == 0 {
		add(levelWarning, "no case was run")
	}
	return list
}

// remarksAt is the remarks of one level, a line each, "" if there are none.
func remarksAt(s *Session, level string) string {
	var lines []string
	for _, r := range remarks(s) {
		if r.level == level {
			lines = append(lines, r.text)
		}
	}
	return strings.Join(lines, "\n")
}

// sumText is a count of cases in words.
func sumText(n Summary) string {
	parts := []string{number(n.Passed) + " passed", number(n.Failed) + " failed", count(n.Errors, "error")}
	for _, more := range [...]struct {
		n    int
		word string
	}{{n.Skipped, "skipped"}, {n.XFailed, "xfail"}, {n.XPassed, "xpass"}} {
		if more.n > 0 {
			parts = append(parts, number(more.n)+" "+more.word)
		}
	}
	return count(n.Cases, "case") + ": " + strings.Join(parts, ", ")
}

// selectedText is how many scenarios were chosen of how many.
func selectedText(s *Session) string {
	return number(s.Selected) + " of " + count(s.Found, "scenario") + " in " + count(s.Files, "file")
}

// chosenText is how the cases were chosen, and in which order they ran.
func chosenText(s *Session) string {
	text := selectedText(s)
	if s.Filter != "" {
		text += ", chosen by " + s.Filter
	}
	return text + ", order " + s.Order
}
