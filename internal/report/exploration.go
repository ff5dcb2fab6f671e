package report

import (
	"io"
	"strings"

	"harness/internal/explore"
	"harness/internal/term"
)

// Exploration is a search through a scenario's world, and what it came to.
type Exploration struct {
	ID      string // of the scenario
	Depth   int    // the bound
	Result  *explore.Result
	Weakest string   // the check that was left out; "" for none
	Wrote   []string // files that run the violations again
}

// WriteAlphabet writes what a model can say in a search, and what was left out.
func WriteAlphabet(w *term.Stream, a *explore.Alphabet, answers []explore.Answer) error {
	p := newPage(w)
	p.prose(0, term.Strong, count(len(a.Symbols), "thing")+" that can be said or ordered")
	for i := range a.Symbols {
		p.wide().prose(rowIndent, term.Normal, a.Symbols[i].Name)
	}
	names := make([]string, len(answers))
	for i := range answers {
		names[i] = answers[i].Name
	}
	p.prose(0, term.Strong, "what a person can answer")
	p.prose(rowIndent, term.Normal, strings.Join(names, "; ")+"; nothing")
	if len(a.Left) > 0 {
		p.prose(0, term.Strong, "left out")
		for _, words := range a.Left {
			p.wide().prose(rowIndent, term.Dim, words)
		}
	}
	p.blank()
	return w.Err()
}

// WriteExploration writes what a search came to: the states by depth, the violations
// with one of the shortest ways there, and what the search does not show.
func WriteExploration(w *term.Stream, e *Exploration) error {
	p := newPage(w)
	r := e.Result
	t := term.Table{Indent: rowIndent}
	t.Head("depth", "states", "go on")
	for i, level := range r.Levels {
		t.Row(term.Text(number(i)), term.Text(number(level.States)), term.Text(number(level.Live)))
	}
	p.print(&t)
	for _, v := range r.Violations {
		p.violation(v)
	}
	p.blank()
	for _, path := range e.Wrote {
		p.prose(0, term.Normal, "WROTE "+path)
	}
	if e.Weakest != "" {
		p.prose(0, term.Warn, "The check "+e.Weakest+" was left out on purpose.")
	}
	p.prose(0, term.Strong, explorationEnd(e))
	p.prose(0, term.Dim, explorationMeans(r))
	return w.Err()
}

// violation writes one violation and the way there.
func (p *page) violation(v *explore.Violation) {
	p.blank()
	p.prose(0, term.Bad, "VIOLATED "+v.ID+": "+v.Words)
	if v.Faultless {
		p.prose(rowIndent, term.Dim, "also where nothing goes wrong in the world outside")
	}
	for i := range v.Steps {
		s := &v.Steps[i]
		text := number(i+1) + ". " + s.Symbol
		for _, a := range s.Answers {
			text += "; a person says: " + a
		}
		if s.Silent {
			text += "; nobody answers"
		}
		if s.Stopped > 0 {
			text += "; the run is ordered to stop at " + s.Stopped.String()
		}
		p.prose(rowIndent, term.Normal, text)
	}
}

// explorationEnd counts what was gone through.
func explorationEnd(e *Exploration) string {
	r := e.Result
	text := e.ID + ": " + count(r.States, "state") + ", " + count(r.Transitions, "transition") + ", depth " + number(r.Depth()) + " of " + number(e.Depth)
	switch {
	case r.Violated > 0:
		text += ", " + count(len(r.Violations), "kind") + " of violation"
	default:
		text += ", no violation"
	}
	if !r.Complete() {
		text += "; NOT ALL: " + r.Truncated
	}
	return text
}

// explorationMeans says what the search shows, and what not.
func explorationMeans(r *explore.Result) string {
	switch {
	case !r.Complete():
		return "What lies beyond the point where the search ended was not looked at."
	case r.Open > 0:
		return "All that can be said up to this depth was tried. " + count(r.Open, "state") + " would go on."
	default:
		return "All that can be said was tried: every way ends within this depth."
	}
}

// ExplorationDocument is a search as a document.
type ExplorationDocument struct {
	APIVersion  string              `json:"apiVersion"`
	Kind        string              `json:"kind"` // "Exploration"
	ID          string              `json:"id"`
	Alphabet    []string            `json:"alphabet" jsonschema:"what was said or ordered"`
	Answers     []string            `json:"answers" jsonschema:"what persons answered; they also said nothing"`
	Left        []string            `json:"left,omitempty" jsonschema:"what was left out of the alphabet"`
	Weakened    string              `json:"weakened,omitempty" jsonschema:"the check that was left out on purpose"`
	Depth       int                 `json:"depth" jsonschema:"the bound"`
	Reached     int                 `json:"reached" jsonschema:"outputs that the deepest state needs"`
	States      int                 `json:"states"`
	Transitions int                 `json:"transitions"`
	Ended       int                 `json:"ended" jsonschema:"states that are ends"`
	Open        int                 `json:"open" jsonschema:"states at the bound that would go on"`
	Complete    bool                `json:"complete" jsonschema:"whether everything within the bounds was gone through"`
	Truncated   string              `json:"truncated,omitempty" jsonschema:"why something was left out"`
	Levels      []LevelDocument     `json:"levels"`
	Violated    int                 `json:"violated" jsonschema:"violations in all"`
	Violations  []ViolationDocument `json:"violations" jsonschema:"the first of every kind, with one of the shortest ways there"`
	Wrote       []string            `json:"wrote,omitempty" jsonschema:"files that run the violations again"`
}

// LevelDocument counts the states that so many outputs lead to.
type LevelDocument struct {
	States int `json:"states"`
	Live   int `json:"live" jsonschema:"where the model is asked again"`
}

// ViolationDocument is a violation as a document.
type ViolationDocument struct {
	ID    string         `json:"id"`
	Words string         `json:"words"`
	Steps []WalkDocument `json:"steps"`
}

// WalkDocument is one step of a way as a document.
type WalkDocument struct {
	Says    string   `json:"says"`
	Answers []string `json:"answers,omitempty" jsonschema:"of persons"`
	Silent  bool     `json:"silent,omitempty" jsonschema:"nobody answered the last question"`
	Stopped string   `json:"stopped,omitempty" jsonschema:"when the run was ordered to stop"`
	Trace   []string `json:"trace" jsonschema:"the events, by name and code"`
}

// WriteExplorationJSON writes a search as a document.
func WriteExplorationJSON(w io.Writer, e *Exploration) error {
	r := e.Result
	d := &ExplorationDocument{
		APIVersion: APIVersion, Kind: "Exploration", ID: e.ID, Left: r.Alphabet.Left, Weakened: e.Weakest,
		Alphabet: make([]string, len(r.Alphabet.Symbols)), Answers: make([]string, len(r.Answers)),
		Depth: e.Depth, Reached: r.Depth(), States: r.States, Transitions: r.Transitions, Ended: r.Ended, Open: r.Open,
		Complete: r.Complete(), Truncated: r.Truncated, Levels: make([]LevelDocument, len(r.Levels)),
		Violated: r.Violated, Violations: make([]ViolationDocument, len(r.Violations)), Wrote: e.Wrote,
	}
	for i := range r.Alphabet.Symbols {
		d.Alphabet[i] = r.Alphabet.Symbols[i].Name
	}
	for i := range r.Answers {
		d.Answers[i] = r.Answers[i].Name
	}
	for i, level := range r.Levels {
		d.Levels[i] = LevelDocument(level)
	}
	for i, v := range r.Violations {
		d.Violations[i] = violationDocument(v)
	}
	return EncodeJSON(w, d)
}

func violationDocument(v *explore.Violation) ViolationDocument {
	d := ViolationDocument{ID: v.ID, Words: v.Words, Steps: make([]WalkDocument, len(v.Steps))}
	for i := range v.Steps {
		s := &v.Steps[i]
		d.Steps[i] = WalkDocument{Says: s.Symbol, Answers: s.Answers, Silent: s.Silent, Trace: append([]string{}, s.Trace...)}
		if s.Stopped > 0 {
			d.Steps[i].Stopped = s.Stopped.String()
		}
	}
	return d
}
