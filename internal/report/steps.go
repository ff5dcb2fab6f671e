package report

import (
	"harness/internal/action"
	"harness/internal/event"
	"harness/internal/runner"
)

// Steps gathers a run's events by step: one element for each asking of the
// model, in order. An asking that a budget prevented is no step.
func Steps(r *runner.Result) []Step {
	steps := make([]Step, 0, r.Steps)
	from, context := 0, 0 // of the step to come: its first event, and its context
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ContextBuilt:
			from, context = i, int(e.Size)
			continue
		case event.ProposalReceived, event.ModelFailed:
			steps = append(steps, Step{Step: int(e.Step), Context: context})
		}
		if n := len(steps); n > 0 && steps[n-1].Step == int(e.Step) {
			steps[n-1].take(e)
			steps[n-1].Events = r.Events[from : i+1 : i+1]
		}
	}
	return steps
}

// take adds one event to the step.
func (s *Step) take(e *event.Event) {
	switch e.Name {
	case event.ProposalDecided:
		s.Tool, s.Resource, s.Decision = e.Tool, e.Resource, &e.Proposal().Decision
		s.Refusal = s.Decision.Refusal
	case event.ToolCompleted:
		s.Outcome = e.Outcome
		if r := e.Refusal(); r != nil {
			s.Refusal = r
		}
	case event.ObservationRecorded:
		s.Observation = e.Observation()
	case event.EditAccepted:
		s.Edit = e.Edit()
	}
}

// event is the step's first event of this name, nil if there is none.
func (s *Step) event(name event.Name) *event.Event {
	for i := range s.Events {
		if s.Events[i].Name == name {
			return &s.Events[i]
		}
	}
	return nil
}

// failure is what was recorded about a model that gave no output.
func (s *Step) failure() event.Words {
	if e := s.event(event.ModelFailed); e != nil {
		return *e.Words()
	}
	return event.Words{}
}

// allowed reports whether every gate up to the dispatch let the action pass.
func (s *Step) allowed() bool { return s.Decision != nil && s.Decision.Effect == event.Allow }

// changes gives the changes made outside the run by the step they followed, 0
// being before the first.
func changes(r *runner.Result) map[int][]*event.Change {
	after := map[int][]*event.Change{}
	for i := range r.Events {
		if e := &r.Events[i]; e.Name == event.FilesChanged {
			after[int(e.Step)] = append(after[int(e.Step)], e.Change())
		}
	}
	return after
}

// raw is the model's output, nil if it gave none.
func (s *Step) raw() []byte {
	if e := s.event(event.ProposalReceived); e != nil {
		return e.Output().Raw
	}
	return nil
}

// action is what the output asks for, nil if it is no action.
func (s *Step) action() *action.Action {
	if e := s.event(event.ProposalDecided); e != nil {
		return e.Proposal().Action
	}
	return nil
}

// text is a text argument of the step's action, "" if there is none.
func (s *Step) text(name string) string {
	if a := s.action(); a != nil {
		v, _ := a.Args.Get(name)
		return v.Str()
	}
	return ""
}

// whole is a whole-number argument of the step's action, 0 if there is none.
func (s *Step) whole(name string) int64 {
	if a := s.action(); a != nil {
		v, _ := a.Args.Get(name)
		n, _ := v.Int()
		return max(n, 0)
	}
	return 0
}
