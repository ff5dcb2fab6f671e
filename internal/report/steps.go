package report

import (
	"harness/internal/action"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
)

// Steps gathers a run's events by step: one element for each asking of the
// model, in order. An asking that a budget prevented is no step.
func Steps(r *runner.Result) []Step {
	var steps []Step
	var built *event.Event // the context of the step to come
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ContextBuilt:
			built = e
			continue
		case event.ProposalReceived, event.ModelFailed:
			s := Step{Step: e.Step}
			if built != nil {
				s.Context, s.Events, built = built.Size, append(s.Events, *built), nil
			}
			steps = append(steps, s)
		}
		if n := len(steps); n > 0 && steps[n-1].Step == e.Step {
			steps[n-1].take(e)
		}
	}
	return steps
}

// take adds one event to the step.
func (s *Step) take(e *event.Event) {
	s.Events = append(s.Events, *e)
	switch e.Name {
	case event.ProposalDecided:
		s.Tool, s.Resource, s.Decision = e.Tool, e.Resource, e.Decision
		s.Refusal = e.Decision.Refusal
	case event.ToolCompleted:
		s.Outcome = e.Outcome
		if e.Refusal != nil {
			s.Refusal = e.Refusal
		}
	case event.ObservationRecorded:
		s.Observation = e.Observation
	case event.EditAccepted:
		s.Edit = e.Edit
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

// allowed reports whether every gate up to the dispatch let the action pass.
func (s *Step) allowed() bool { return s.Decision != nil && s.Decision.Effect == event.Allow }

// changed lists, in order, the changes made outside the run after a step; 0 is
// before the first.
func changed(r *runner.Result, step int) []*event.Change {
	var list []*event.Change
	for i := range r.Events {
		if e := &r.Events[i]; e.Name == event.FilesChanged && e.Step == step {
			list = append(list, e.Change)
		}
	}
	return list
}

// proposal is what the model said at one step.
type proposal struct {
	raw    []byte
	action action.Action
	parsed bool
}

// arg is a text argument of the action, "" if it is none.
func (o *proposal) arg(name string) string {
	v, _ := o.action.Args.Get(name)
	return v.Str()
}

// proposals gives what the model said at each step, by step number. Events name
// it only by digest, so the script is played again; what does not have the
// digest that was recorded is left out.
func proposals(r *runner.Result) map[int]*proposal {
	said := map[int]*proposal{}
	if r.Config.Script == nil {
		return said
	}
	player := r.Config.Script.Play()
	seen := 0 // observations made before the step
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ObservationRecorded:
			seen++
		case event.ProposalReceived:
			past := &machine.State{Observations: r.Observations[:seen]}
			raw, failure := player.Next(model.Request{Step: e.Step, Past: past})
			if failure != nil {
				return said
			}
			if strictjson.DigestBytes(raw) == e.Digest {
				said[e.Step] = parsed(r.Config.Machine, raw)
			}
		}
	}
	return said
}

func parsed(cfg *machine.Config, raw []byte) *proposal {
	act, fault := action.Parse(raw, cfg.Registry.Has, cfg.ActionTypes)
	return &proposal{raw: raw, action: act, parsed: fault == nil}
}
