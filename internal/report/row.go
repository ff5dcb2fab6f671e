package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/textdiff"
	"harness/internal/tools"
)

// row is one step on one line, if it fits: what was asked, what the gates said,
// and what came of it.
type row struct {
	mark    string // the step's number
	tool    string
	subject string
	tone    term.Tone // of the verdict
	verdict string
	outcome string
	loud    bool // the outcome is a code
	trust   string
}

// The widths in columns of what a row shows of foreign text.
const (
	subjectColumns = 24 // beyond it a subject pushes the rest aside
	subjectMost    = 28 // of a subject that is no path
	quoteMost      = 60 // in a sentence
)

// stepRow describes a step.
func (p *page) stepRow(s *Step) row {
	r := row{mark: strconv.Itoa(s.Step), tool: s.Tool, subject: p.subject(s)}
	switch {
	case s.Decision == nil:
		r.tool, r.tone, r.verdict = "model", term.Bad, "FAILED"
		r.outcome, r.loud = failureCode(s).String(), true
		return r
	case s.Refusal != nil:
		r.tone, r.verdict = term.Bad, "REFUSED"
		r.outcome, r.loud = string(s.Refusal.Gate)+" "+s.Refusal.Code.String(), true
	case s.Tool == tools.FinishName:
		r.tone, r.verdict, r.outcome = term.Good, "allowed", "a claim, not a proof"
	case s.Outcome == event.CallSucceeded:
		r.tone, r.verdict, r.outcome = term.Good, "allowed", p.outcome(s)
	default:
		r.tone, r.verdict, r.outcome = term.Warn, "allowed", "the call "+s.Outcome.String()
	}
	if r.tool == "" {
		r.tool = "(no action)"
	}
	if s.Observation != nil {
		r.trust = shortTrust(s.Observation.Trust)
	}
	return r
}

// failureCode is the code of the model's failure in a step.
func failureCode(s *Step) *diag.Code {
	if e := s.event(event.ModelFailed); e != nil {
		return e.Code
	}
	return nil
}

// shortTrust is a trust label in a word or two.
func shortTrust(t event.Trust) string {
	switch t {
	case event.UntrustedFile, event.UntrustedSearchResult, event.UntrustedContent:
		return "untrusted"
	case event.TrustedTool:
		return "trusted tool"
	}
	return string(t)
}

// subject is what the action is about: a path and place, else a text that the
// model gave, else what it said.
func (p *page) subject(s *Step) string {
	switch {
	case s.Edit != nil:
		return s.Resource + ":" + strconv.Itoa(s.Edit.Line)
	case s.Resource != "":
		return s.Resource + lineSuffix(s)
	case s.Tool == tools.FinishName:
		return ""
	case s.action() == nil:
		return p.clip(string(s.raw()), subjectMost)
	}
	if text := firstText(s.action()); text != "" {
		return p.quoted(text, subjectMost)
	}
	return ""
}

// lineSuffix is the range of lines that a call asks for, ":3-9".
func lineSuffix(s *Step) string {
	start, end := s.whole("startLine"), s.whole("endLine")
	switch {
	case start == 0 && end == 0:
		return ""
	case end == 0:
		return ":" + strconv.FormatInt(start, 10) + "-"
	}
	return ":" + strconv.FormatInt(max(start, 1), 10) + "-" + strconv.FormatInt(end, 10)
}

// firstText is the first argument of an action that is a text.
func firstText(a *action.Action) string {
	for _, m := range a.Args.Members() {
		if m.Value.Kind() == strictjson.String && m.Value.Str() != "" {
			return m.Value.Str()
		}
	}
	return ""
}

// outcome says what a call that succeeded gave back.
func (p *page) outcome(s *Step) string {
	o := s.Observation
	switch {
	case s.Edit != nil:
		return p.join(p.stat(s.Edit), "base holds")
	case o == nil:
		return "done"
	case o.Trust == event.UntrustedSearchResult:
		return matchesFound(o.Content())
	case o.Trust == event.UntrustedFile:
		return p.linesShown(o.Content())
	}
	return "answered with " + count(o.Size, "code point")
}

// stat counts the lines that an edit adds and removes.
func (p *page) stat(e *event.Edit) string {
	added, removed := e.Change().Stat()
	return "+" + number(added) + " " + p.style.Minus() + number(removed)
}

// matchesFound counts the hits in a search's observation.
func matchesFound(content strictjson.Value) string {
	hits, _ := content.Get("matches")
	more, _ := content.Get("truncated")
	files := map[string]bool{}
	for _, hit := range hits.Items() {
		path, _ := hit.Get("path")
		files[path.Str()] = true
	}
	text := countOf(len(hits.Items()), "match", "matches")
	if len(files) > 0 {
		text += " in " + count(len(files), "file")
	}
	if more.Bool() {
		text += ", more exist"
	}
	return text
}

// linesShown says how much of a file a read has shown, and of which version.
func (p *page) linesShown(content strictjson.Value) string {
	shown, _ := content.Get("content")
	first, total := wholeOf(content, "startLine"), wholeOf(content, "totalLines")
	lines := len(textdiff.Split(shown.Str()))
	text := count(total, "line")
	cut, _ := content.Get("truncated")
	switch {
	case lines == total:
	case lines <= 1:
		text = "line " + number(first) + " of " + number(total)
	default:
		text = "lines " + number(first) + "-" + number(first+lines-1) + " of " + number(total)
	}
	if cut.Bool() {
		text += ", cut"
	}
	hash, _ := content.Get("baseHash")
	return p.join(text, "sha256 "+p.digest(hash.Str()))
}

func wholeOf(content strictjson.Value, name string) int {
	v, _ := content.Get(name)
	n, _ := v.Int()
	return int(n)
}

// changeRow describes what happened to the repository between two steps.
func (p *page) changeRow(c *event.Change) row {
	paths := strings.Join(c.Paths, ", ")
	if utf8.RuneCountInString(paths) > subjectMost && len(c.Paths) > 1 {
		paths = count(len(c.Paths), "file")
	}
	return row{
		mark: p.style.Dot(), tool: "(outside)", subject: paths,
		tone: term.Warn, verdict: "changed", outcome: "by someone else, not by the run",
	}
}

// columns are the widths that the rows of one run share.
type columns struct{ mark, tool, subject, verdict, outcome int }

// fit chooses the widths.
func (p *page) fit(rows []row) columns {
	var c columns
	widen := func(column *int, text string, most int) {
		if w := term.Width(p.style.EscapeLine(text)); w <= most {
			*column = max(*column, w)
		}
	}
	trust := 0
	for _, r := range rows {
		widen(&c.mark, r.mark, p.width)
		widen(&c.tool, r.tool, subjectColumns)
		widen(&c.subject, r.subject, subjectColumns)
		widen(&c.verdict, r.verdict, p.width)
		widen(&trust, r.trust, p.width)
	}
	room := p.width - rowIndent - c.mark - c.tool - c.subject - c.verdict - trust - 5*gap
	for _, r := range rows {
		widen(&c.outcome, r.outcome, room)
	}
	return c
}

// The spaces before a row, and between two of its cells.
const (
	rowIndent = 2
	gap       = 2
)

// row writes a row. What does not fit on its line goes on in the next, below
// the tool's name.
func (p *page) row(r row, c columns) {
	outcome := term.Normal
	if r.loud {
		outcome = term.Strong
	}
	cells := []struct {
		tone  term.Tone
		text  string
		width int
	}{
		{term.Strong, r.tool, c.tool},
		{term.Normal, r.subject, c.subject},
		{r.tone, r.verdict, c.verdict},
		{outcome, r.outcome, c.outcome},
		{term.Dim, r.trust, 0},
	}
	mark := strings.Repeat(" ", c.mark-term.Width(r.mark)) + p.style.Dim(r.mark)
	p.raw(strings.Repeat(" ", rowIndent) + mark)
	indent := rowIndent + c.mark
	at, blank := indent, gap
	for _, cell := range cells {
		text := p.style.EscapeLine(cell.text)
		size := term.Width(text)
		if size > 0 && at > indent && at+blank+size > p.width {
			p.raw("\n" + strings.Repeat(" ", indent))
			at, blank = indent, gap
		}
		if size > 0 {
			p.raw(strings.Repeat(" ", blank) + p.style.Paint(cell.tone, text))
			at += blank + size
			blank = 0
		}
		if cell.width > 0 || size > 0 {
			blank += gap + max(0, cell.width-size)
		}
	}
	p.blank()
}

// refusal writes the reasons of a refusal below its row.
func (p *page) refusal(s *Step, indent int) {
	if words := s.failure(); words.Message != "" {
		p.prose(indent, term.Normal, words.Message)
		if words.Where != "" {
			p.prose(indent, term.Dim, "at "+words.Where)
		}
	}
	if s.Refusal == nil {
		return
	}
	p.prose(indent, term.Normal, s.Refusal.Message)
	if rule := ruleText(s.Decision); rule != "" {
		p.prose(indent, term.Dim, rule)
	}
	if s.Refusal.Hint != "" {
		p.prose(indent, term.Dim, "hint: "+s.Refusal.Hint)
	}
}

// ruleText names the rule that refused and its place. Where none did, the refusal
// says so itself, and this is the place of the rules that were tried.
func ruleText(d *event.Decision) string {
	switch {
	case d == nil || d.Effect == event.Allow || d.Gate != diag.Authorize:
		return ""
	case d.Where != "":
		return "rule " + d.Rule + " at " + d.Where
	case len(d.Tried) > 0 && d.Tried[0].Where != "":
		return "the rules tried begin at " + d.Tried[0].Where
	}
	return ""
}
