package runner

import (
	"harness/internal/event"
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

// Ask puts one action to a scenario's boundary, at the start of its run, as if a
// model had said it. The model's own budgets are not asked.
func Ask(cfg *Config, raw []byte) *Answer {
	boundary := *cfg.Machine
	boundary.Budgets.Steps = max(boundary.Budgets.Steps, 1)
	boundary.Budgets.ContextChars = 1 << 30
	m := machine.New(&boundary)
	m.Step(machine.Input{Kind: machine.Start, Snapshot: cfg.Snapshot})
	m.Step(machine.Input{Kind: machine.Proceed})
	if _, effect := m.Step(machine.Input{Kind: machine.ModelOutput, Raw: raw}); effect.Kind == machine.CallTool {
		m.Step(machine.Input{Kind: machine.ToolResult, Outcome: boundary.Table.Perform(effect.Command)})
	}
	a := &Answer{Events: m.Events()}
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
