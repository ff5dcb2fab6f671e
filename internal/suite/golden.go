package suite

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/term"
)

// goldenHeader is the first line of a golden: what it is, and in which version.
const goldenHeader = "harness golden v1\n"

// Golden is a run's decision trace: one line a step, then the end. It holds what
// was decided and why, and leaves out what may be reworded or measured anew:
// messages, hints, context sizes, definition digests. It is printable UTF-8,
// whatever the model and the files hold.
func Golden(r *runner.Result) []byte {
	var b strings.Builder
	b.WriteString(goldenHeader)
	writeColumns(&b, goldenRows(r))
	fmt.Fprintf(&b, "end   %s %s steps=%d toolCalls=%d rejections=%d edits=%d\n",
		r.Status, r.Reason, r.Steps, r.ToolCalls, r.Rejections, len(r.Edits))
	return []byte(b.String())
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

// goldenRows gives a row for each action, and for a model that gave none.
func goldenRows(r *runner.Result) []row {
	rows := []row{{"step", "action", "resource", "decision", "gate", "code", "rule", "outcome", "edit"}}
	for i := range r.Events {
		e := &r.Events[i]
		last := rows[len(rows)-1]
		switch e.Name {
		case event.ModelFailed:
			last = newRow(int(e.Step))
			last[codeColumn] = e.Code.String()
			rows = append(rows, last)
		case event.ProposalDecided:
			last = newRow(int(e.Step))
			last[actionColumn], last[resourceColumn] = e.Tool, e.Resource
			d := &e.Proposal().Decision
			last[decisionColumn], last[ruleColumn] = string(d.Effect), d.Rule
			last.refuse(d.Gate, d.Code)
			rows = append(rows, last)
		case event.ToolCompleted:
			last[outcomeColumn] = e.Outcome.String()
			switch refusal := e.Refusal(); {
			case refusal != nil:
				last.refuse(refusal.Gate, refusal.Code)
			case e.Code != nil:
				last.refuse(e.Code.Gate, e.Code)
			}
		case event.EditAccepted:
			last[editColumn] = e.Edit().Change().ResultHash()
		}
	}
	return rows
}

// row is the cells of one line.
type row []string

func newRow(step int) row {
	r := make(row, columns)
	r[stepColumn] = strconv.Itoa(step)
	return r
}

func (r row) refuse(gate diag.Gate, code *diag.Code) {
	r[gateColumn], r[codeColumn] = string(gate), code.String()
}

// writeColumns writes rows with their columns aligned, "-" for an empty cell.
func writeColumns(b *strings.Builder, rows []row) {
	widths := make([]int, columns)
	for _, cells := range rows {
		for i := range cells {
			cells[i] = goldenCell(cells[i])
			widths[i] = max(widths[i], utf8.RuneCountInString(cells[i]))
		}
	}
	for _, cells := range rows {
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
	if text == "-" || text[0] == '"' || strings.ContainsRune(text, ' ') || len(quoted) != len(text)+2 {
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
	folder := strings.TrimSuffix(strings.TrimSuffix(file, ".yaml"), ".yml")
	if caseID == "" {
		return folder + ".golden"
	}
	return folder + "/" + caseID + ".golden"
}
