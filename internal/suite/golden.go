package suite

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/term"
	"harness/internal/tools"
)

// goldenHeader is the first line of a golden: what it is, and in which version.
const goldenHeader = "harness golden v1\n"

// Golden is a run's decision trace: a line for each decision, and for what persons,
// look-ups and further attempts had to do with it, then the end. It holds what was
// decided and why, and leaves out what may be reworded or measured anew: messages,
// hints, context sizes, definition digests. It is printable UTF-8, whatever the
// model and the files hold.
func Golden(r *runner.Result) []byte {
	var b strings.Builder
	b.WriteString(goldenHeader)
	writeColumns(&b, goldenRows(r))
	fmt.Fprintf(&b, "end   %s %s steps=%d toolCalls=%d rejections=%d edits=%d",
		r.Status, r.Reason, r.Steps, r.ToolCalls, r.Rejections, len(r.Edits))
	if r.Standing != nil && r.Standing.Cost != 0 {
		fmt.Fprintf(&b, " cost=%d", r.Standing.Cost)
	}
	if r.Handoff != nil && reachesOutside(r) {
		b.WriteString(" handoff")
	}
	b.WriteByte('\n')
	return []byte(b.String())
}

// reachesOutside reports whether a run has tools that lie outside the repository.
// Without any, the stop reason says whether there is a handoff.
func reachesOutside(r *runner.Result) bool {
	return slices.ContainsFunc(r.Config.Machine.Registry.Tools(), func(t tools.Tool) bool {
		_, outside := t.(tools.Outside)
		return outside
	})
}

// The columns of a golden.
const (
	stepColumn = iota
	actionColumn
	resourceColumn
	decisionColumn
	gateColumn
	codeColumn
	ruleColumn
	outcomeColumn
	editColumn
	columns
)

// goldenRows gives a row for each decision, for a model that gave none, and for
// whatever else decides how a run goes on.
func goldenRows(r *runner.Result) []*row {
	head := &row{cells: [columns]string{"step", "action", "resource", "decision", "gate", "code", "rule", "outcome", "edit"}}
	t := tally{rows: []*row{head}, current: &row{}}
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ModelFailed:
			t.add(e).cells[codeColumn] = e.Code.String()
		case event.ProposalDecided:
			t.decided(e)
		case event.ToolStarted, event.ToolCompleted, event.ReceiptReturned:
			t.called(e)
		case event.EditAccepted:
			t.current.cells[editColumn] = e.Edit().Change().ResultHash()
		default:
			t.asides(e)
		}
	}
	return t.rows
}

// tally gathers the rows of a golden.
type tally struct {
	rows    []*row
	current *row // of the latest decision, and of the attempt that it led to
	step    int32
	sent    int // attempts in the step
}

// add adds a row for an event.
func (t *tally) add(e *event.Event) *row {
	r := &row{}
	r.cells[stepColumn] = strconv.Itoa(int(e.Step))
	t.rows = append(t.rows, r)
	return r
}

// aside adds a row for what is no action of the model.
func (t *tally) aside(e *event.Event, what, resource string) *row {
	r := t.add(e)
	r.aside = true
	r.cells[actionColumn], r.cells[resourceColumn] = "("+what+")", resource
	return r
}

// asides adds a row for what a person said or ordered, and for what was found out
// about a call afterwards.
func (t *tally) asides(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Answer:
		r := t.aside(e, "answer "+goldenCell(a.Request), "")
		r.cells[decisionColumn] = string(a.Verdict)
		if e.Code != nil {
			r.refuse(e.Code.Gate, e.Code)
		}
	case *event.Order:
		t.aside(e, string(a.Kind), a.What)
	case *event.Receipt:
		if e.Name == event.ReceiptChecked {
			t.aside(e, "lookup", e.Resource).cells[outcomeColumn] = a.Answer
		}
	case *event.Completion:
		if e.Name == event.ToolLate {
			t.aside(e, "late", e.Resource).came(e)
		}
	}
}

// decided adds the row of a decision.
func (t *tally) decided(e *event.Event) {
	if t.step != e.Step {
		t.step, t.sent = e.Step, 0
	}
	r := t.add(e)
	r.cells[actionColumn], r.cells[resourceColumn] = e.Tool, e.Resource
	d := &e.Proposal().Decision
	r.cells[decisionColumn], r.cells[ruleColumn] = string(d.Effect), d.Rule
	r.refuse(d.Gate, d.Code)
	t.current = r
}

// called notes what became of a decision: its row is that of the attempt, which
// from the second on answers no proposal any more.
func (t *tally) called(e *event.Event) {
	switch e.Name {
	case event.ToolStarted:
		if t.sent++; t.sent > 1 {
			t.current.cells[decisionColumn] = "retry"
		}
	case event.ToolCompleted:
		t.current.came(e)
	case event.ReceiptReturned:
		t.current.cells[outcomeColumn] = "receipt"
	}
}

// row is the cells of one line.
type row struct {
	cells [columns]string
	aside bool // the action is a name of the program's own, and written as it is
}

func (r *row) refuse(gate diag.Gate, code *diag.Code) {
	r.cells[gateColumn], r.cells[codeColumn] = string(gate), code.String()
}

// came notes what a tool answered.
func (r *row) came(e *event.Event) {
	r.cells[outcomeColumn] = e.Outcome.String()
	switch refusal := e.Refusal(); {
	case refusal != nil:
		r.refuse(refusal.Gate, refusal.Code)
	case e.Code != nil:
		r.refuse(e.Code.Gate, e.Code)
	}
}

// written gives the cells as they stand in the file.
func (r *row) written() [columns]string {
	cells := r.cells
	for i := range cells {
		if i != actionColumn || !r.aside {
			cells[i] = goldenCell(cells[i])
		}
	}
	return cells
}

// writeColumns writes rows with their columns aligned, "-" for an empty cell.
func writeColumns(b *strings.Builder, rows []*row) {
	lines := make([][columns]string, len(rows))
	var widths [columns]int
	for i, r := range rows {
		lines[i] = r.written()
		for j, cell := range lines[i] {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range lines {
		for i, cell := range cells {
			b.WriteString(cell)
			if i < len(cells)-1 {
				for range widths[i] + 2 - utf8.RuneCountInString(cell) {
					b.WriteByte(' ')
				}
			}
		}
		b.WriteByte('\n')
	}
}

// goldenCell is a text as one cell: as it is where that can be seen and told
// from everything else, in quotes with escapes where not.
func goldenCell(text string) string {
	switch {
	case text == "":
		return "-"
	case isName(text):
		return text
	}
	quoted := strconv.Quote(text)
	if text == "-" || text[0] == '"' || text[0] == '(' || strings.ContainsRune(text, ' ') || len(quoted) != len(text)+2 {
		text = quoted
	}
	return term.EscapeLine(text) // what quoting takes for visible and nobody sees
}

// isName reports whether a text is a letter with letters, digits, and the marks
// that names and paths have, after it: most are.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && !strings.ContainsRune("/._-[]", rune(c))) {
			return false
		}
	}
	return true
}

// GoldenPath is where the golden of a file, or of one of its cases, is kept.
func GoldenPath(file, caseID string) string {
	folder := file
	if isScenarioName(file) {
		folder = strings.TrimSuffix(file, path.Ext(file))
	}
	if caseID == "" {
		return folder + ".golden"
	}
	return folder + "/" + caseID + ".golden"
}
