package report

import (
	"bytes"
	"encoding/json"
	"io"

	"harness/internal/event"
)

// The identity of the documents about a session.
const (
	KindSession = "Session"
	KindCase    = "Case"
)

// SessionDocument is a session as a document.
type SessionDocument struct {
	APIVersion   string          `json:"apiVersion"`
	Kind         string          `json:"kind"`
	Version      string          `json:"version,omitempty" jsonschema:"of the program"`
	Order        string          `json:"order" jsonschema:"path, or shuffle=SEED"`
	Filter       string          `json:"filter,omitempty" jsonschema:"how scenarios were chosen; left out for all"`
	Files        int             `json:"files" jsonschema:"files read"`
	Found        int             `json:"found" jsonschema:"scenarios in them"`
	Selected     int             `json:"selected" jsonschema:"scenarios chosen"`
	Interrupted  bool            `json:"interrupted" jsonschema:"whether the session was cut short, so that not all that were selected are among the cases"`
	OK           bool            `json:"ok" jsonschema:"whether everything is as expected: no case is red, nothing failed beside them, and nothing was cut short"`
	Failures     []string        `json:"failures,omitempty" jsonschema:"what failed beside the cases"`
	Repeat       int             `json:"repeat,omitempty" jsonschema:"runs of each case, whose traces were compared; left out for one"`
	Summary      Summary         `json:"summary" jsonschema:"cases by verdict; cases is the sum of the others"`
	Notes        []string        `json:"notes,omitempty"`
	Wrote        []WroteDocument `json:"wrote,omitempty" jsonschema:"goldens that were written"`
	Unreferenced []string        `json:"unreferenced,omitempty" jsonschema:"goldens that belong to no scenario"`
	Coverage     *CoverageRecord `json:"coverage,omitempty" jsonschema:"how much of the boundary the cases show; left out if it was not measured"`
	Cases        []CaseDocument  `json:"cases,omitempty"`
}

// WroteDocument is a golden that was written.
type WroteDocument struct {
	Path    string `json:"path"`
	Added   int    `json:"added" jsonschema:"lines"`
	Removed int    `json:"removed" jsonschema:"lines"`
	New     bool   `json:"new"`
	Diff    string `json:"diff,omitempty" jsonschema:"-want +got: what it was, and what it is"`
}

// CaseDocument is one case of a session.
type CaseDocument struct {
	ID         string              `json:"id"`
	Title      string              `json:"title,omitempty"`
	File       string              `json:"file,omitempty" jsonschema:"as it was given"`
	Line       int                 `json:"line,omitempty"`
	Verdict    Verdict             `json:"verdict"`
	Status     event.Status        `json:"status,omitzero" jsonschema:"how the run ended; left out if there was none"`
	StopReason string              `json:"stopReason,omitempty" jsonschema:"the code of what ended the run"`
	Steps      int                 `json:"steps,omitempty" jsonschema:"askings of the model"`
	Points     int                 `json:"points,omitempty" jsonschema:"what passing is worth"`
	ExpectFail *ExpectFailDocument `json:"expectFail,omitempty" jsonschema:"the failure that the scenario is known for"`
	Findings   []FindingDocument   `json:"findings,omitempty" jsonschema:"what was not as expected"`
	Result     *ResultDocument     `json:"result,omitempty" jsonschema:"the run in full"`
}

// ExpectFailDocument is a known failure.
type ExpectFailDocument struct {
	Reason string `json:"reason"`
	Issue  string `json:"issue"`

	Clauses []string `json:"clauses,omitempty" jsonschema:"what is known to fail; empty: all except never and invariants"`
}

// CaseLine is one case as a line of its own.
type CaseLine struct {
	Kind string `json:"kind"`
	CaseDocument
}

// sessionDocument is a session without its cases.
func sessionDocument(s *Session) *SessionDocument {
	d := &SessionDocument{
		APIVersion: APIVersion, Kind: KindSession,
		Version: s.Version, Order: s.Order, Filter: s.Filter,
		Files: s.Files, Found: s.Found, Selected: s.Selected,
		Interrupted: s.Interrupted, OK: s.OK(), Failures: s.Failures, Repeat: s.Repeat, Summary: s.Summary(),
		Notes: s.Notes, Wrote: wroteDocuments(s), Unreferenced: s.Unreferenced,
	}
	if s.Coverage != nil {
		d.Coverage = CoverageDocument(s.Coverage)
	}
	return d
}

func wroteDocuments(s *Session) []WroteDocument {
	list := make([]WroteDocument, len(s.Wrote))
	for i, w := range s.Wrote {
		list[i] = WroteDocument(w)
	}
	return list
}

// caseDocument is a case without its result.
func caseDocument(c *Case) CaseDocument {
	d := CaseDocument{
		ID: c.Scenario.ID, Title: c.Scenario.Title, File: c.Scenario.File, Line: c.Scenario.Pos.Line,
		Verdict: Verdict(verdictName(c.Verdict)), Points: c.Scenario.Points,
	}
	if r := c.Result; r != nil {
		d.Status, d.StopReason, d.Steps = r.Status, r.Reason.String(), r.Steps
	}
	if f := c.Scenario.ExpectFail; f != nil {
		d.ExpectFail = &ExpectFailDocument{Reason: f.Reason, Issue: f.Issue, Clauses: f.Clauses}
	}
	for _, f := range findingsOf(c) {
		d.Findings = append(d.Findings, FindingDocument(f))
	}
	return d
}

// fullDocument is a case with its result.
func fullDocument(c *Case) CaseDocument {
	d := caseDocument(c)
	if c.Result != nil {
		d.Result = Document(c)
	}
	return d
}

// WriteSessionJSON writes a session as one document, with every result in full. The
// bytes are those of [EncodeJSON], but they are made a case at a time: all results of
// a large suite at once take gigabytes.
func WriteSessionJSON(w io.Writer, s *Session) error {
	if len(s.Cases) == 0 {
		return EncodeJSON(w, sessionDocument(s))
	}
	head, err := indented(sessionDocument(s), "")
	if err != nil {
		return err
	}
	head = append(bytes.TrimSuffix(head, []byte("\n}")), ",\n  \"cases\": ["...)
	if _, err := w.Write(head); err != nil {
		return err
	}
	for i := range s.Cases {
		text, err := indented(fullDocument(&s.Cases[i]), "    ")
		if err != nil {
			return err
		}
		before := ",\n    "
		if i == 0 {
			before = before[1:]
		}
		if _, err := w.Write(append([]byte(before), text...)); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n  ]\n}\n")
	return err
}

// indented is a part of a document as [EncodeJSON] writes it behind a prefix.
func indented(part any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	err := e.Encode(part)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// WriteSessionJSONL writes a line of kind Case for each case, in their order, and a
// last one of kind Session. Where that is missing, the report was cut off.
func WriteSessionJSONL(w io.Writer, s *Session) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range s.Cases {
		if err := e.Encode(CaseLine{KindCase, caseDocument(&s.Cases[i])}); err != nil {
			return err
		}
	}
	return e.Encode(sessionDocument(s))
}
