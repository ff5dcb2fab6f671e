package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/term"
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
	below   string // what a person gave as a reason, for the line below
}

// failed is the verdict on a model that gave no output, and on a call that failed.
const failed = "FAILED"

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
		r.tool, r.tone, r.verdict = "model", term.Bad, failed
		r.outcome, r.loud = failureCode(s).String(), true
		return r
	case s.Refusal != nil:
		r.tone, r.verdict = term.Bad, "REFUSED"
		if how := s.open(); how != "" {
			r.tone, r.verdict = term.Warn, how
		}
		r.outcome, r.loud = string(s.Refusal.Gate)+" "+s.Refusal.Code.String(), true
	case s.Tool == tools.FinishName:
		p.finishRow(&r, s)
	case s.Receipt != "":
		r.tone, r.verdict, r.outcome = term.Good, "allowed", "done before: its receipt"
	default:
		p.callRow(&r, s)
	}
	if r.tool == "" {
		r.tool = "(no action)"
	}
	if s.Observation != nil {
		r.trust = shortTrust(s.Observation.Trust)
	}
	return r
}

// finishRow says what a finish is worth: a claim, unless the task demands a proof.
func (p *page) finishRow(r *row, s *Step) {
	r.tone, r.verdict, r.outcome = term.Good, "allowed", "a claim, not a proof"
	switch proof, asked := s.proof(); {
	case asked && !proof:
		r.tone, r.verdict = term.Bad, "UNPROVEN"
		r.outcome, r.loud = codeWords(machine.CompletionUnverified), true
	case asked:
		r.outcome = "the proof asked for holds"
	case s.stopCode() == machine.FinalAnswerValidated:
		r.outcome = "its citations hold"
	}
}

// callRow says what came of a call.
func (p *page) callRow(r *row, s *Step) {
	r.tone, r.verdict, r.outcome = term.Warn, "allowed", "the call "+s.Outcome.String()
	if s.Outcome == event.CallSucceeded {
		r.tone, r.outcome = term.Good, p.outcome(s)
		return
	}
	if s.Code == nil {
		return
	}
	r.outcome, r.loud = codeWords(s.Code), true
	switch s.Outcome {
	case event.CallFailed:
		r.tone, r.verdict = term.Bad, failed
	case event.CallUnknown:
		r.verdict = "UNKNOWN"
	}
}

// codeWords is a code behind its gate.
func codeWords(c *diag.Code) string {
	if c.Gate == "" {
		return c.Name
	}
	return string(c.Gate) + " " + c.Name
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
		return "trusted"
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
		return p.clip(s.noise(), subjectMost)
	case s.misfit():
		return "" // what its arguments are about is anybody's guess
	}
	if text := firstText(s.arguments()); text != "" {
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

// firstText is the first argument that is a text and may be shown.
func firstText(args strictjson.Value) string {
	for _, m := range args.Members() {
		if m.Value.Kind() == strictjson.String && m.Value.Str() != "" && m.Value.Str() != tools.Redacted {
			return m.Value.Str()
		}
	}
	return ""
}

// betweenRow describes what others did between two steps: to the repository, to
// what lies outside it, or to the run.
func (p *page) betweenRow(e *event.Event) row {
	r := row{mark: p.style.Dot(), tool: "(outside)", tone: term.Warn, verdict: "changed"}
	switch a := e.About.(type) {
	case *event.Change:
		r.subject = strings.Join(a.Paths, ", ")
		if utf8.RuneCountInString(r.subject) > subjectMost && len(a.Paths) > 1 {
			r.subject = count(len(a.Paths), "file")
			if e.Name == event.WorldChanged {
				r.subject = countOf(len(a.Paths), "entry", "entries")
			}
		}
		r.outcome = "by someone else, not by the run"
	case *event.Order:
		r.tool, r.subject = "(person)", p.clip(orderSubject(a), subjectMost)
		r.verdict = orderVerb(a.Kind)
		r.outcome, r.below = p.clip(strings.TrimSpace(p.by(a.By)+at(e.At)), subjectMost), p.inQuotes(a.Reason)
	case *event.Answer:
		r.tool, r.subject, r.verdict = "(person)", p.clip(a.Request, subjectMost), string(a.Verdict)
		who := strings.TrimSpace(p.by(a.By) + at(e.At))
		r.outcome, r.below = p.clip(who, subjectMost), p.inQuotes(a.Reason)
		if e.Code != nil {
			r.verdict, r.outcome, r.loud = "WORTHLESS", e.Code.Name, true
			r.below = strings.TrimSpace(string(a.Verdict) + " " + who + p.because(a.Reason))
		}
	default:
		r.tool, r.verdict, r.outcome = "(input)", "REFUSED", e.Code.String()
	}
	return r
}

// orderSubject is what an order is about.
func orderSubject(o *event.Order) string {
	switch o.Kind {
	case event.CancelCall:
		return "the call"
	case event.Revoke, event.Redefine:
		return o.What
	default:
		return "the run"
	}
}

// orderVerb is what an order did.
func orderVerb(kind event.OrderKind) string {
	switch kind {
	case event.CancelRun, event.CancelCall:
		return "cancelled"
	case event.PauseRun:
		return "paused"
	case event.ResumeRun:
		return "resumed"
	case event.Revoke:
		return "revoked"
	case event.Redefine:
		return "redefined"
	default:
		return "ordered"
	}
}

// columns are the widths that the rows of one run share.
type columns struct{ mark, tool, subject, verdict, outcome int }

// fit chooses the widths.
func (p *page) fit(rows []row) columns {
	c := columns{mark: 1} // there may be rows of others only
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

// reasons writes below a step's row what came of it, in the order in which it
// happened.
func (p *page) reasons(s *Step, indent int) {
	for _, line := range p.history(s) {
		p.prose(indent, line.tone, line.text)
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
