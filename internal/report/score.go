package report

import (
	"io"
	"slices"
	"strings"

	"harness/internal/scenarios"
)

// Disclosure is how much of a finding is shown. Learners of a course may not see
// what its tests expect. The zero value is unset and invalid.
type Disclosure string

// The disclosures.
const (
	DiscloseNone   Disclosure = "none"   // the verdict alone
	DiscloseActual Disclosure = "actual" // which clauses were not met, and what the run came to
	DiscloseFull   Disclosure = "full"   // what was expected as well
)

// Disclosures lists them, the least first.
func Disclosures() []Disclosure { return []Disclosure{DiscloseNone, DiscloseActual, DiscloseFull} }

// ParseDisclosure reads a disclosure's name.
func ParseDisclosure(text string) (Disclosure, bool) {
	i := slices.Index(Disclosures(), Disclosure(text))
	return Disclosure(text), i >= 0
}

// Disclose is the session as far as it may be shown, for every report alike: what
// must not be seen is taken out of it, so no format can tell. The session itself
// stays as it is. Anything but actual and full shows nothing.
func (s *Session) Disclose(d Disclosure) *Session {
	if d == DiscloseFull {
		return s
	}
	shown := *s
	shown.Cases = make([]Case, len(s.Cases))
	for i := range s.Cases {
		shown.Cases[i] = s.Cases[i].disclose(d)
	}
	return &shown
}

// disclose is a case without what it expects; below actual, without its findings and
// its run too.
func (c *Case) disclose(d Disclosure) Case {
	shown := *c
	scenario := *c.Scenario
	shown.Scenario = &scenario
	scenario.Holds = nil
	if scenario.Expect != nil {
		scenario.Expect = &scenarios.Expect{} // that something is expected may be seen
	}
	if d != DiscloseActual {
		shown.Findings, shown.Result = nil, nil
		return shown
	}
	shown.Findings = make([]Finding, len(c.Findings))
	for i := range c.Findings {
		f := &c.Findings[i]
		shown.Findings[i] = Finding{Clause: f.Clause, Where: f.Where, Got: gotOf(f)}
	}
	return shown
}

// gotOf is what a run came to: of a difference, the lines that are not wanted alone.
func gotOf(f *Finding) string {
	switch {
	case f.Diff == "":
		return f.Got
	case f.Clause == "golden":
		return "another decision trace than the recorded one"
	}
	var b strings.Builder
	for line := range strings.Lines(f.Diff) {
		if strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if line[0] == '+' || line[0] == ' ' {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}

// ScoreDocument is what a session is worth in a course.
type ScoreDocument struct {
	APIVersion  string          `json:"apiVersion"`
	Kind        string          `json:"kind"` // "Score"
	Points      PointsDocument  `json:"points"`
	Summary     Summary         `json:"summary"`
	Interrupted bool            `json:"interrupted" jsonschema:"whether cases are missing that were selected; their points are not among the possible"`
	Wrote       []WroteDocument `json:"wrote,omitempty" jsonschema:"goldens that were written"`
	Cases       []ScoreCase     `json:"cases"`
}

// PointsDocument is a sum of points.
type PointsDocument struct {
	Earned   int `json:"earned"`
	Possible int `json:"possible"`
}

// ScoreCase is what one case is worth.
type ScoreCase struct {
	ID       string            `json:"id"`
	Title    string            `json:"title,omitempty"`
	Points   int               `json:"points" jsonschema:"what passing is worth"`
	Earned   int               `json:"earned"`
	Verdict  Verdict           `json:"verdict"`
	Findings []FindingDocument `json:"findings,omitempty" jsonschema:"what was not as expected, as far as it is shown"`
}

// KindScore names the document of points.
const KindScore = "Score"

// WriteScore writes the points of a session. Only a case that passes earns its
// points: a known failure is as expected, and yet nothing was done.
func WriteScore(w io.Writer, s *Session) error {
	d := ScoreDocument{
		APIVersion: APIVersion, Kind: KindScore, Summary: s.Summary(), Interrupted: s.Interrupted,
		Wrote: wroteDocuments(s), Cases: make([]ScoreCase, len(s.Cases)),
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		one := ScoreCase{ID: c.Scenario.ID, Title: c.Scenario.Title, Points: c.Scenario.Points, Verdict: Verdict(verdictName(c.Verdict))}
		if c.Verdict == Pass {
			one.Earned = one.Points
		}
		for _, f := range findingsOf(c) {
			one.Findings = append(one.Findings, FindingDocument(f))
		}
		d.Points.Earned += one.Earned
		d.Points.Possible += one.Points
		d.Cases[i] = one
	}
	return EncodeJSON(w, &d)
}
