package machine

import (
	"slices"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
)

// applyOutside folds what concerns effects outside, persons and proofs.
func (s *State) applyOutside(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Confirmation:
		s.Standing.Confirmations = append(s.Standing.Confirmations, policy.Asked{Confirmation: a, State: policy.AskedOpen})
		s.Phase = Waiting
	case *event.Answer:
		s.told(e, a)
	case *event.Order:
		if e.Code == nil {
			s.ordered(a)
		}
	case *event.Receipt:
		s.receipt(e, a)
	case *event.Handoff:
		s.Handoff = a
	case *event.Facts:
		s.facts(e, a)
	}
	switch e.Name {
	case event.InspectionStarted:
		s.Phase = Inspecting
	case event.ConfirmationChecked:
		if e.Code != nil && e.Code.Class == diag.Note {
			s.Phase = Waiting
		}
	case event.LookupStarted:
		s.Phase = Looking
	case event.RetryScheduled:
		s.Phase = Sleeping
	case event.CompletionStarted:
		s.Phase = Ending
	case event.HandoffStarted:
		s.Phase = Checking
	}
}

// moved folds a transition; a run that pauses waits, and one that is resumed goes on
// between two steps.
func (s *State) moved(e *event.Event) {
	s.Status = e.To
	switch {
	case e.To == event.Paused:
		s.Phase, s.pausing = Paused, false
	case e.From == event.Paused && e.To == event.Running:
		s.Phase = Between
	}
}

// started folds a dispatch: it consumes the approval and the grants, and reserves
// the cost.
func (s *State) started(e *event.Event) {
	s.acting = ""
	st := &s.Standing
	decided := &e.Proposal().Decision
	if decided.Confirmation != "" {
		if asked := st.Asked(decided.Confirmation); asked != nil && !asked.PerRun {
			asked.State = policy.AskedUsed
		}
	}
	for _, at := range decided.Grants {
		st.Grants = slices.Clone(st.Grants)
		st.Grant(at).Calls++
	}
	d, ok := e.About.(*event.Dispatch)
	if !ok {
		return
	}
	st.Dispatches = append(st.Dispatches, policy.Dispatched{Tool: e.Tool, At: e.At})
	st.Cost += d.Cost
	if !d.Writes {
		return
	}
	s.acting = d.Act
	act := st.Act(d.Act)
	if act == nil {
		st.Acts = append(st.Acts, policy.Act{Act: event.Act{ID: d.Act, Tool: e.Tool, Resource: e.Resource}})
		act = &st.Acts[len(st.Acts)-1]
	}
	act.Arguments, act.Attempts, act.Effect = d.Arguments, d.Attempt, event.EffectUnknown
}

// completed folds the end of an attempt: it settles the cost.
func (s *State) completed(e *event.Event) {
	c, ok := e.About.(*event.Completion)
	if !ok {
		return
	}
	st := &s.Standing
	st.Output += c.Bytes
	st.Cost += c.Cost - c.Reserved
	if act := st.Act(c.Act); act != nil {
		act.Doubtful = (act.Doubtful || c.InFlight) && c.Effect != event.EffectApplied
		if act.Effect = c.Effect; act.Doubtful && c.Effect == event.EffectNone {
			act.Effect = event.EffectUnknown // whatever this attempt did not do
		}
	}
}

// answered keeps the answer of a succeeded act as its receipt.
func (s *State) answered(o *event.Observation) {
	if act := s.Standing.Act(s.acting); s.acting != "" && act != nil && o.Outcome == event.CallSucceeded {
		act.Answer = o
	}
	s.acting = ""
}

// told folds what a person said. An answer with a code was worth nothing.
func (s *State) told(e *event.Event, a *event.Answer) {
	asked := s.Standing.Asked(a.Request)
	if asked == nil || e.Code != nil || asked.State != policy.AskedOpen && asked.State != policy.AskedGranted {
		return
	}
	switch a.Verdict {
	case event.Approved:
		asked.State, asked.Answer = policy.AskedGranted, a
	case event.Declined:
		asked.State, asked.Answer = policy.AskedClosed, a
	}
}

func (s *State) ordered(o *event.Order) {
	switch o.Kind {
	case event.PauseRun:
		s.pausing = s.Phase != Between
	case event.ResumeRun:
		s.pausing = false
	case event.Revoke:
		s.revoke(o.Place)
	case event.Redefine:
		if !slices.Contains(s.Standing.Redefined, o.What) {
			s.Standing.Redefined = append(s.Standing.Redefined, o.What)
		}
	}
}

func (s *State) revoke(at int) {
	s.Standing.Grants = slices.Clone(s.Standing.Grants)
	s.Standing.Grant(at).Revoked = true
}

// receipt folds what a look-up found.
func (s *State) receipt(e *event.Event, r *event.Receipt) {
	s.Standing.Output += r.Bytes
	act := s.Standing.Act(r.Act)
	switch {
	case act != nil && e.Name == event.ReceiptChecked:
		act.Reconciled = r.Answer
	case act != nil && e.Name == event.ResultValidated && e.Code != nil:
		act.Effect = event.EffectUnverified
		return
	default:
		return
	}
	switch {
	case act.Effect == event.EffectUnverified:
	case r.Answer == answerHappened:
		act.Effect, act.Doubtful = event.EffectApplied, false
		s.acting = r.Act
	case r.Answer == answerNotHappened && !act.Doubtful:
		act.Effect = event.EffectNone
	}
}

func (s *State) facts(e *event.Event, f *event.Facts) {
	switch e.Name {
	case event.CompletionChecked:
		s.Verified = Refuted
		if f.Holds && f.Fault == "" {
			s.Verified = Holds
		}
	case event.HandoffChecked:
		s.Phase = Between
	}
}

// Open lists the questions that nobody has answered, in the order asked.
func (s *State) Open() []*event.Confirmation {
	var open []*event.Confirmation
	for i := range s.Standing.Confirmations {
		if asked := &s.Standing.Confirmations[i]; asked.State == policy.AskedOpen {
			open = append(open, asked.Confirmation)
		}
	}
	return open
}
