package report

import (
	"io"
	"strconv"
	"strings"

	"harness/internal/term"
)

// markdownMost bounds a report in bytes: a step summary of GitHub Actions of more
// than 1 MiB is not shown at all.
const markdownMost = 1_000_000

// remarkMost bounds what is said beside the cases, in code points, so that there is
// always room for all of it.
const remarkMost = 1000

// WriteMarkdown writes a session as GitHub's Markdown: the counts, what has to be
// said beside the cases, each red case with its findings, and a table of all cases.
// It fits a step summary: what would make it too long is left off, and said to be.
//
// Whatever comes from outside stands in code, where nothing in it is markup, a link,
// or a mention of somebody.
func WriteMarkdown(w io.Writer, s *Session) error {
	m := &markdown{}
	m.head(s)
	m.failures(s)
	m.table(s)
	_, err := io.WriteString(w, m.b.String())
	return err
}

// markdown writes blocks as long as there is room for them.
type markdown struct {
	b strings.Builder
}

// Room that is kept: behind the details for the table, behind the table for a word
// about what it leaves off.
const (
	tableReserve = markdownMost / 4
	wordReserve  = 200
)

// add writes a block if it leaves that much room, and reports whether it did.
func (m *markdown) add(block string, reserve int) bool {
	if m.b.Len()+len(block)+reserve > markdownMost {
		return false
	}
	m.b.WriteString(block)
	return true
}

func (m *markdown) head(s *Session) {
	var b strings.Builder
	b.WriteString("## harness test: " + outcomeOf(s) + "\n\n**" + sumText(s.Summary()) + "**\n\n")
	b.WriteString("- " + selectedText(s))
	for _, part := range [...]struct{ label, text string }{{"chosen by", s.Filter}, {"order", s.Order}, {"harness", s.Version}} {
		if part.text != "" {
			b.WriteString(", " + part.label + " " + codeSpan(part.text))
		}
	}
	b.WriteByte('\n')
	for _, r := range remarks(s) {
		b.WriteString("- " + r.level + ": " + codeSpan(bounded(r.text, remarkMost)) + "\n")
	}
	m.add(b.String(), 0)
}

// outcomeOf is a session in a word.
func outcomeOf(s *Session) string {
	n := s.Summary()
	switch {
	case s.Interrupted:
		return "interrupted"
	case n.Failed+n.Errors+n.XPassed > 0 || len(s.Failures) > 0:
		return "failed"
	case n.Cases == 0:
		return "nothing was run"
	}
	return "as expected"
}

// failures writes the red cases in full.
func (m *markdown) failures(s *Session) {
	left, any := 0, false
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.OK() {
			continue
		}
		if !any {
			m.add("\n### Not as expected\n", 0)
			any = true
		}
		// From the first that has no room on, none is written, so that no gap is hidden.
		if left > 0 || !m.add(failureBlock(c), tableReserve) {
			left++
		}
	}
	if left > 0 {
		m.add("\n"+count(left, "case")+" more not as expected; this report has no room for the details.\n", 0)
	}
}

func failureBlock(c *Case) string {
	var b strings.Builder
	b.WriteString("\n#### " + strings.ToUpper(verdictName(c.Verdict)) + " " + codeSpan(c.Scenario.ID) + "\n")
	if c.Scenario.Title != "" {
		b.WriteString("\n" + codeSpan(c.Scenario.Title) + "\n")
	}
	if at := spotOf(c); at.file != "" {
		b.WriteString("\nat " + codeSpan(at.String()) + "\n")
	}
	b.WriteString("\n" + fence("text", bounded(findingTexts(c), 4*shownMost)))
	if commands := rerunCommands(c); len(commands) > 0 {
		b.WriteString("\n" + fence("sh", strings.Join(commands, "\n")))
	}
	return b.String()
}

// table writes a row for each case.
func (m *markdown) table(s *Session) {
	if len(s.Cases) == 0 {
		return
	}
	m.add("\n### Cases\n\n| verdict | case | steps | ended as | in short |\n| --- | --- | ---: | --- | --- |\n", 0)
	left := 0
	for i := range s.Cases {
		if left > 0 || !m.add(tableRow(&s.Cases[i]), wordReserve) {
			left++
		}
	}
	if left > 0 {
		m.add("\n"+count(left, "case")+" more; this table has no room for the rest.\n", 0)
	}
}

func tableRow(c *Case) string {
	steps, ended := "", ""
	if r := c.Result; r != nil {
		steps, ended = strconv.Itoa(r.Steps), r.Status.String()
		if r.Reason != nil {
			ended += " " + r.Reason.Name
		}
	}
	verdict := verdictName(c.Verdict)
	if !c.OK() {
		verdict = "**" + strings.ToUpper(verdict) + "**"
	}
	return "| " + verdict + " | " + tableCode(c.Scenario.ID) + " | " + steps + " | " + tableCode(ended) + " | " + tableCode(shortFor(c)) + " |\n"
}

// shortFor is what a row says about a case: what is not as expected, else its title.
func shortFor(c *Case) string {
	if c.Verdict == Pass {
		return c.Scenario.Title
	}
	return headline(c)
}

// codeSpan is a text as code inside a line, "" for none. The fence is longer than
// any run of backticks inside.
func codeSpan(text string) string {
	text = oneLine(text, shownMost)
	if text == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	first, last := text[0], text[len(text)-1]
	// One space on each side is taken off again, unless all are spaces.
	if first == '`' || last == '`' || first == ' ' && last == ' ' && strings.Trim(text, " ") != "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// tableCode is a text as code inside a cell. Readers do not agree on how a bar is
// escaped in there; one that holds a bar is written without any markup.
func tableCode(text string) string {
	text = oneLine(text, headlineMost)
	if !strings.Contains(text, "|") {
		return codeSpan(text)
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range text {
		if r < 0x80 && r != ' ' && !isAlphanumeric(byte(r)) {
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// fence is a text as a block of code.
func fence(language, text string) string {
	text = strings.TrimSuffix(term.EscapeText(text), "\n")
	ticks := strings.Repeat("`", max(longestRun(text, '`')+1, 3))
	return ticks + language + "\n" + text + "\n" + ticks + "\n"
}

// longestRun is how often a character stands side by side at most.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
