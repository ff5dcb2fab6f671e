package runner

import (
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner/machine"
)

// Answer is what the boundary says to one action at the start of a run.
type Answer struct {
	Tool     string // as far as it was understood
	Resource string
	Decision *event.Decision
	// Outcome and Refusal are the tool's, if the action was allowed and called one.
	Outcome event.Outcome
	Refusal *event.Refusal
	Events  []event.Event
}

// once is a model that says one thing.
type once []byte

func (o once) Next(model.Request) ([]byte, *model.Failure) { return o, nil }

// Ask puts one action to a scenario's boundary, at the start of its run, as if a
// model had said it. The model's own budgets are not asked, and nobody answers for
// a person.
func Ask(cfg *Config, raw []byte) *Answer {
	boundary := *cfg.Machine
	boundary.Budgets.Steps = max(boundary.Budgets.Steps, 1)
	boundary.Budgets.ContextChars = 1 << 30
	asked := Config{ID: cfg.ID, Machine: &boundary, Snapshot: cfg.Snapshot, World: cfg.World, Verifier: cfg.Verifier, Handoff: cfg.Handoff}
	d := newDriver(&asked, once(raw))
	_, effect := d.machine.Step(machine.Input{Kind: machine.Start, Snapshot: cfg.Snapshot})
	for effect.Kind != machine.Done && (effect.Kind != machine.Yield || d.machine.State().Used.Steps == 0) {
		in, happens := d.perform(&effect)
		if !happens {
			break
		}
		_, effect = d.machine.Step(in)
	}
	a := &Answer{Events: d.machine.Events()}
	for i := range a.Events {
		switch e := &a.Events[i]; e.Name {
		case event.ProposalDecided:
			a.Tool, a.Resource, a.Decision = e.Tool, e.Resource, &e.Proposal().Decision
			a.Refusal = a.Decision.Refusal
		case event.ToolCompleted:
			a.Outcome = e.Outcome
			if r := e.Refusal(); r != nil {
				a.Refusal = r
			}
		}
	}
	return a
}
