package report

import (
	"fmt"
	"io"

	"harness/internal/diag"
	"harness/internal/term"
)

// Mutation is what became of a boundary's mutants: would the suite notice?
type Mutation struct {
	Scenarios   int
	Red         int // scenarios that do not pass without any mutant
	Mutants     []Mutant
	Interrupted bool // Mutants are those that were done
	Notes       []string
}

// Mutant is one weakened boundary. It is killed if a scenario notices it, a survivor
// if none does, and idle if no scenario has what it weakens.
type Mutant struct {
	ID     string
	Gate   diag.Gate
	Code   *diag.Code // that it can no longer give; nil for what is no check
	Lets   string     // what it would let through
	Killer string     // id of the first scenario that notices; "" if none does
	Asked  int        // scenarios that have what it weakens, up to the killer
	Excuse string     // why none needs to notice
}

// State is "killed", "survived", "excused" or "idle".
func (m *Mutant) State() string {
	switch {
	case m.Killer != "":
		return "killed"
	case m.Excuse != "":
		return "excused"
	case m.Asked == 0:
		return "idle"
	default:
		return "survived"
	}
}

// MutationCount counts mutants by what became of them.
type MutationCount struct {
	Mutants  int `json:"mutants"`
	Killed   int `json:"killed"`
	Survived int `json:"survived"`
	Excused  int `json:"excused"`
	Idle     int `json:"idle"`
}

// Score is the percentage of those that could be noticed and were, cut to one
// decimal: only where none survives it is 100.
func (n MutationCount) Score() float64 {
	if of := n.Killed + n.Survived; of > 0 {
		return float64(1000*n.Killed/of) / 10
	}
	return 100
}

// Reaches reports whether the score is at least so many percent, exactly.
func (n MutationCount) Reaches(percent int) bool {
	return 100*n.Killed >= percent*(n.Killed+n.Survived)
}

// Count counts the mutants.
func (m *Mutation) Count() MutationCount {
	n := MutationCount{Mutants: len(m.Mutants)}
	for i := range m.Mutants {
		switch m.Mutants[i].State() {
		case "killed":
			n.Killed++
		case "excused":
			n.Excused++
		case "idle":
			n.Idle++
		default:
			n.Survived++
		}
	}
	return n
}

// WriteMutation writes the survivors, or with all every mutant, and the score.
func WriteMutation(w *term.Stream, m *Mutation, all bool) error {
	p := newPage(w).wide()
	t := term.Table{Indent: rowIndent}
	for i := range m.Mutants {
		one := &m.Mutants[i]
		state := one.State()
		if !all && state != "survived" {
			continue
		}
		t.Row(mutantTone(state).Cell(state), term.Strong.Cell(one.ID), term.Text(p.ours(mutantWords(one, state))))
	}
	p.print(&t)
	n := m.Count()
	if all && n.Mutants > 0 || n.Survived > 0 {
		p.blank()
	}
	for _, note := range m.Notes {
		p.prose(0, term.Warn, note)
	}
	if m.Red > 0 {
		p.prose(0, term.Warn, countOf(m.Red, "scenario does not pass as it is", "scenarios do not pass as they are")+", and can notice nothing")
	}
	if m.Interrupted {
		p.prose(0, term.Bad, "INTERRUPTED: what follows counts the mutants that were done")
	}
	p.prose(0, term.Strong, fmt.Sprintf("SCORE  %.1f %%: %s, %d killed, %d survived, %d excused, %d that no scenario has", n.Score(), count(n.Mutants, "mutant"), n.Killed, n.Survived, n.Excused, n.Idle))
	p.prose(0, term.Dim, "A mutant is the boundary with one check, rule or limit weakened. It is killed if a scenario that passes no longer does, of the "+
		count(m.Scenarios, "scenario")+": it misses what it expects, or its golden.")
	return w.Err()
}

func mutantTone(state string) term.Tone {
	switch state {
	case "killed":
		return term.Good
	case "survived":
		return term.Bad
	}
	return term.Dim
}

func mutantWords(m *Mutant, state string) string {
	switch state {
	case "killed":
		return "by " + m.Killer
	case "excused":
		return m.Excuse
	case "idle":
		return "no scenario has it"
	default:
		return countOf(m.Asked, "scenario has it and does not notice", "scenarios have it and none notices") + ". Without it: " + m.Lets
	}
}

// MutationDocument is a mutation as a document.
type MutationDocument struct {
	APIVersion  string           `json:"apiVersion"`
	Kind        string           `json:"kind"` // "Mutation"
	Scenarios   int              `json:"scenarios"`
	Red         int              `json:"red"` // scenarios that do not pass without any mutant
	Interrupted bool             `json:"interrupted"`
	Score       float64          `json:"score"` // percent
	Summary     MutationCount    `json:"summary"`
	Notes       []string         `json:"notes,omitempty"`
	Mutants     []MutantDocument `json:"mutants"`
}

// MutantDocument is one mutant as a document.
type MutantDocument struct {
	ID     string    `json:"id"`
	State  string    `json:"state"` // killed, survived, excused or idle
	Gate   diag.Gate `json:"gate,omitempty"`
	Code   string    `json:"code,omitempty"`
	Lets   string    `json:"lets"`
	Killer string    `json:"killer,omitempty"`
	Asked  int       `json:"asked"`
	Excuse string    `json:"excuse,omitempty"`
}

// WriteMutationJSON writes a mutation as a document.
func WriteMutationJSON(w io.Writer, m *Mutation) error {
	n := m.Count()
	d := &MutationDocument{
		APIVersion: APIVersion, Kind: "Mutation", Scenarios: m.Scenarios, Red: m.Red, Interrupted: m.Interrupted,
		Score: n.Score(), Summary: n, Notes: m.Notes, Mutants: make([]MutantDocument, len(m.Mutants)),
	}
	for i := range m.Mutants {
		one := &m.Mutants[i]
		d.Mutants[i] = MutantDocument{
			ID: one.ID, State: one.State(), Gate: one.Gate, Lets: one.Lets, Killer: one.Killer, Asked: one.Asked, Excuse: one.Excuse,
		}
		if one.Code != nil {
			d.Mutants[i].Code = one.Code.Name
		}
	}
	return EncodeJSON(w, d)
}
