package report

import (
	"encoding/json"
	"io"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
)

// AnswerRecord is what a boundary says to one action, as a document.
type AnswerRecord struct {
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"` // "Answer"
	ID         string              `json:"id"`
	Tool       string              `json:"tool,omitempty"`
	Resource   string              `json:"resource,omitempty"`
	Decision   *event.DecisionLine `json:"decision,omitempty"`
	Outcome    event.Outcome       `json:"outcome,omitempty"`
	Refusal    *RefusalDocument    `json:"refusal,omitempty"` // of the tool itself
	Events     []event.Line        `json:"events"`
}

// AnswerDocument is what the boundary of scenario id says to one action.
func AnswerDocument(id string, a *runner.Answer) *AnswerRecord {
	d := &AnswerRecord{
		APIVersion: APIVersion, Kind: KindAnswer, ID: id,
		Tool: a.Tool, Resource: a.Resource, Outcome: a.Outcome,
		Events: make([]event.Line, len(a.Events)),
	}
	if a.Decision != nil {
		d.Decision = a.Decision.Line()
		if a.Refusal != nil && a.Decision.Effect == event.Allow {
			d.Refusal = refusalDocument(a.Refusal)
		}
	}
	for i := range a.Events {
		d.Events[i] = a.Events[i].Line()
	}
	return d
}

// CodesRecord is a list of codes, as a document.
type CodesRecord struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"` // "Codes"
	Codes      []CodeRecord `json:"codes"`
}

// CodeRecord is one code.
type CodeRecord struct {
	Code     string     `json:"code"`
	Class    diag.Class `json:"class"`
	Gate     diag.Gate  `json:"gate,omitempty"`
	Retry    diag.Retry `json:"retry,omitempty"`
	Means    string     `json:"means"`
	Do       string     `json:"do"`
	Scenario string     `json:"scenario,omitempty"` // id of a shipped one that shows it
}

// CodesDocument is codes in the order of their classes and gates.
func CodesDocument(pages []CodePage) *CodesRecord {
	d := &CodesRecord{APIVersion: APIVersion, Kind: "Codes", Codes: make([]CodeRecord, 0, len(pages))}
	for _, g := range groupCodes(pages) {
		for _, page := range g.pages {
			c := page.Code
			d.Codes = append(d.Codes, CodeRecord{
				Code: c.Name, Class: c.Class, Gate: c.Gate, Retry: c.Retry,
				Means: c.Means, Do: c.Do, Scenario: page.Scenario,
			})
		}
	}
	return d
}

// ListRecord is a list of scenarios, as a document.
type ListRecord struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"` // "List"
	Scenarios  []ScenarioRecord `json:"scenarios"`
}

// ScenarioRecord is one scenario, or one case of a table of them.
type ScenarioRecord struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Teaches  string   `json:"teaches,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Expected bool     `json:"expected"` // it says what to expect
}

// ListDocument is scenarios in the order given.
func ListDocument(list []*scenarios.Scenario) *ListRecord {
	d := &ListRecord{APIVersion: APIVersion, Kind: "List", Scenarios: make([]ScenarioRecord, len(list))}
	for i, s := range list {
		d.Scenarios[i] = ScenarioRecord{
			ID: s.ID, Title: s.Title, Teaches: s.Teaches, Tags: s.Tags,
			File: s.File, Line: s.Pos.Line, Expected: s.Expect != nil,
		}
	}
	return d
}

// DiagnosticsRecord is a list of diagnostics, as a document.
type DiagnosticsRecord struct {
	APIVersion  string             `json:"apiVersion"`
	Kind        string             `json:"kind"` // "Diagnostics"
	Diagnostics []DiagnosticRecord `json:"diagnostics"`
	Errors      int                `json:"errors"`
	Notes       int                `json:"notes"`
}

// DiagnosticRecord is one diagnostic. A file name that is not UTF-8 stands in
// fileBase64.
type DiagnosticRecord struct {
	File       *string    `json:"file,omitempty"`
	FileBase64 string     `json:"fileBase64,omitempty"`
	Line       int        `json:"line,omitempty"`
	Col        int        `json:"col,omitempty"`
	Code       string     `json:"code"`
	Class      diag.Class `json:"class,omitempty"`
	Message    string     `json:"message"`
	Hint       string     `json:"hint,omitempty"`
}

// DiagnosticsDocument is diagnostics in the order given.
func DiagnosticsDocument(l diag.List) *DiagnosticsRecord {
	d := &DiagnosticsRecord{APIVersion: APIVersion, Kind: "Diagnostics", Diagnostics: make([]DiagnosticRecord, len(l))}
	for i, item := range l {
		d.Diagnostics[i] = DiagnosticRecord{
			Line: item.Pos.Line, Col: item.Pos.Col,
			Code: item.Code.String(), Message: item.Message, Hint: item.Hint,
		}
		if item.File != "" {
			d.Diagnostics[i].File, d.Diagnostics[i].FileBase64 = bytesField(item.File)
		}
		if item.Code != nil {
			d.Diagnostics[i].Class = item.Code.Class
		}
		if item.IsNote() {
			d.Notes++
		} else {
			d.Errors++
		}
	}
	return d
}

// EncodeJSON writes a document of this package, indented, as valid UTF-8 with a
// line feed at the end. Equal documents give equal bytes.
func EncodeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// TraceLine is one line of a trace: an event, and the run it belongs to.
type TraceLine struct {
	Run string `json:"run"`
	event.Line
}

// WriteJSONL writes the events of all cases, one a line, in the order of cases
// and events.
func WriteJSONL(w io.Writer, cases []Case) error {
	for i := range cases {
		if err := WriteEvents(w, cases[i].Scenario.ID, cases[i].Result.Events); err != nil {
			return err
		}
	}
	return nil
}

// WriteEvents writes the events of one run, one a line.
func WriteEvents(w io.Writer, run string, events []event.Event) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range events {
		if err := e.Encode(TraceLine{Run: run, Line: events[i].Line()}); err != nil {
			return err
		}
	}
	return nil
}
