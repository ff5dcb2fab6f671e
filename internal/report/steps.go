package report

import (
	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

// Steps gathers a run's events by step: one element for each asking of the
// model, in order. An asking that a budget prevented is no step. An event belongs
// to the step that it names, also if it comes when that is over.
func Steps(r *runner.Result) []Step {
	steps := make([]Step, 0, r.Steps)
	built := -1 // the place of the context of the step to come
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ContextBuilt:
			built = i
			continue
		case event.ProposalReceived, event.ModelFailed:
			steps = append(steps, newStep(r.Events, i, built))
			built = -1
		}
		if s := stepOf(steps, int(e.Step)); s != nil {
			s.hold(r.Events, i)
			s.take(e)
		}
	}
	for i := range steps {
		steps[i].know(r.Config)
	}
	return steps
}

// newStep begins a step with the event at a place, and the one of its context.
func newStep(all []event.Event, at, built int) Step {
	s := Step{Step: int(all[at].Step), first: at}
	if built >= 0 && all[built].Step == all[at].Step {
		s.first, s.Context = built, int(all[built].Size)
		s.Events = all[built : built+1 : built+1]
	}
	return s
}

// stepOf finds a step, nearly always the last; nil if there is none of the number.
func stepOf(steps []Step, number int) *Step {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Step == number {
			return &steps[i]
		}
	}
	return nil
}

// hold adds the event at a place. Events are shared with the run for as long as
// nothing else came between them.
func (s *Step) hold(all []event.Event, at int) {
	if s.first+len(s.Events) == at {
		s.Events = all[s.first : at+1 : at+1]
		return
	}
	s.Events = append(s.Events, all[at])
}

// take adds what an event says to the step.
func (s *Step) take(e *event.Event) {
	switch e.Name {
	case event.ProposalDecided:
		if p := e.Proposal(); p != nil {
			s.Tool, s.Resource, s.Decision = e.Tool, e.Resource, &p.Decision
			s.Refusal = s.Decision.Refusal
		}
	case event.ToolStarted, event.ToolCompleted, event.ToolLate:
		s.takeAttempt(e)
	case event.ResultValidated:
		s.validated(e)
	case event.ReceiptReturned:
		if r, ok := e.About.(*event.Receipt); ok {
			s.Receipt = r.Answer
		}
	case event.ObservationRecorded:
		s.Observation = e.Observation()
		s.settle()
	case event.EditAccepted:
		s.Edit = e.Edit()
	}
}

// takeAttempt adds what an event says about an attempt.
func (s *Step) takeAttempt(e *event.Event) {
	number := len(s.Attempts) + 1
	switch a := e.About.(type) {
	case *event.Dispatch:
		number = a.Attempt
	case *event.Completion:
		number = a.Attempt
	}
	switch e.Name {
	case event.ToolStarted:
		s.Attempts = append(s.Attempts, Attempt{Number: number, Started: e})
	case event.ToolLate:
		for i := range s.Attempts {
			if s.Attempts[i].Number == number {
				s.Attempts[i].Late = e
			}
		}
	case event.ToolCompleted:
		if n := len(s.Attempts); n > 0 {
			s.Attempts[n-1].Ended = e
		}
		s.Outcome, s.Code, s.Why = e.Outcome, nil, ""
		if r := e.Refusal(); r != nil {
			s.Refusal = r
		} else if e.Outcome != event.CallSucceeded {
			s.Code, s.Why = e.Code, whyOf(e)
		}
	}
}

// whyOf is what an event says is wrong with an answer, "" if it says nothing.
func whyOf(e *event.Event) string {
	switch a := e.About.(type) {
	case *event.Completion:
		return a.Why
	case *event.Receipt:
		return a.Why
	default:
		return ""
	}
}

// validated takes what became of an answer that arrived, or that a look-up found.
func (s *Step) validated(e *event.Event) {
	s.Outcome, s.Code, s.Why = event.CallSucceeded, nil, ""
	if e.Code != nil {
		s.Outcome, s.Code, s.Why = event.CallFailed, e.Code, whyOf(e)
	}
}

// settle takes the outcome that the model was told of, where a look-up has found
// out more than the call had. An answer that was given again is no call's.
func (s *Step) settle() {
	o := s.Observation
	if o == nil || o.Outcome == 0 || s.Receipt != "" {
		return
	}
	if s.Outcome = o.Outcome; o.Outcome == event.CallSucceeded {
		s.Code, s.Why = nil, ""
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
	if e := s.event(event.ModelFailed); e != nil && e.Words() != nil {
		return *e.Words()
	}
	return event.Words{}
}

// decidedFirst is what was decided first, before anybody was asked or anything done; nil if
// nothing was.
func (s *Step) decidedFirst() *event.Decision {
	if e := s.event(event.ProposalDecided); e != nil && e.Proposal() != nil {
		return &e.Proposal().Decision
	}
	return s.Decision
}

// allowedAfter reports whether the action was allowed by the decision that follows an
// event.
func (s *Step) allowedAfter(at int) bool {
	for i := at + 1; i < len(s.Events); i++ {
		if e := &s.Events[i]; e.Name == event.ProposalDecided && e.Proposal() != nil {
			return e.Proposal().Decision.Effect == event.Allow
		}
	}
	return false
}

// misfit reports whether the arguments do not even fit their contract.
func (s *Step) misfit() bool { return s.Refusal != nil && s.Refusal.Gate == diag.Schema }

// between gives what others did between two steps, by the step that it followed, 0
// being before the first. What happens while a step goes on belongs to the step.
func between(r *runner.Result) map[int][]*event.Event {
	after := map[int][]*event.Event{}
	step, busy := 0, false
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.ProposalReceived, event.ModelFailed:
			step, busy = int(e.Step), true
		case event.StepEnded, event.RunStopped:
			busy = false
		case event.InputRefused:
			after[step] = append(after[step], e)
		case event.FilesChanged, event.WorldChanged, event.PersonOrdered, event.ConfirmationAnswered:
			if !busy {
				after[step] = append(after[step], e)
			}
		}
	}
	return after
}

// filesChanged reports whether others changed the repository.
func filesChanged(r *runner.Result) bool {
	for i := range r.Events {
		if r.Events[i].Name == event.FilesChanged {
			return true
		}
	}
	return false
}

// raw is the model's output, nil if it gave none.
func (s *Step) raw() []byte {
	if e := s.event(event.ProposalReceived); e != nil && e.Output() != nil {
		return e.Output().Raw
	}
	return nil
}

// action is what the output asks for, nil if it is no action.
func (s *Step) action() *action.Action {
	if e := s.event(event.ProposalDecided); e != nil && e.Proposal() != nil {
		return e.Proposal().Action
	}
	return nil
}

// proof is what the verifier of the task said about a finish, if it was asked.
func (s *Step) proof() (holds, asked bool) {
	if e := s.event(event.CompletionChecked); e != nil {
		if f, ok := e.About.(*event.Facts); ok {
			return f.Holds && f.Fault == "", true
		}
	}
	return false, false
}

// stopCode is why the run ended in the step, nil if it went on.
func (s *Step) stopCode() *diag.Code {
	if e := s.event(event.RunStopped); e != nil {
		return e.Code
	}
	return nil
}

// arguments are those of the step's action, without what no report may show.
func (s *Step) arguments() strictjson.Value {
	a := s.action()
	if a == nil {
		return strictjson.OfObject()
	}
	return shown(a.Args, s.contract, s.private)
}

// text is a text argument of the step's action, "" if there is none.
func (s *Step) text(name string) string {
	v, _ := s.arguments().Get(name)
	return v.Str()
}

// whole is a whole-number argument of the step's action, 0 if there is none.
func (s *Step) whole(name string) int64 {
	v, _ := s.arguments().Get(name)
	n, _ := v.Int()
	return max(n, 0)
}
