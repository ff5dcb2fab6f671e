package machine

import (
	"bytes"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// State is what the recorded events add up to.
type State struct {
	Status       event.Status
	Reason       *diag.Code // why the run ended
	Used         policy.Used
	Snapshot     *vrepo.Snapshot
	Start        *vrepo.Snapshot // as it was at the start
	Reads        tools.Reads
	Edits        []*event.Edit
	Observations []*event.Observation
	Summary      string // of finish

	pending *turn         // its call is with the driver and not answered yet
	said    fingerprint   // of the step in progress
	window  []fingerprint // of the steps so far, newest last
}

// fingerprint is what a step asked and what it was answered.
type fingerprint struct {
	proposal    *event.Proposal
	observation *event.Observation
}

// equal compares contents: answers by their canonical form, actions by their
// digest, and what is no action by its bytes. Answers differ most often, so they
// are compared first, and a digest is seldom worked out.
func (f *fingerprint) equal(g *fingerprint) bool {
	switch {
	case !bytes.Equal(f.observation.JSON, g.observation.JSON):
		return false
	case bytes.Equal(f.proposal.Raw, g.proposal.Raw):
		return true
	default:
		a, b := f.proposal.Action, g.proposal.Action
		return a != nil && b != nil && a.Digest() == b.Digest()
	}
}

// last is the latest observation, nil before the first.
func (s *State) last() *event.Observation {
	if len(s.Observations) == 0 {
		return nil
	}
	return s.Observations[len(s.Observations)-1]
}

// Last is the content of the latest observation, nil if there is none.
func (s *State) Last() []byte {
	if o := s.last(); o != nil {
		return o.JSON
	}
	return nil
}

// ByID is the content of the observation with this id, nil if there is none.
func (s *State) ByID(id string) []byte {
	if o := s.observation(id); o != nil {
		return o.JSON
	}
	return nil
}

// LastRead is the content of the latest observation that shows a part of this
// path, nil if there is none.
func (s *State) LastRead(path string) []byte {
	for i := len(s.Observations) - 1; i >= 0; i-- {
		if o := s.Observations[i]; o.Read != nil && o.Read.Path == path {
			return o.JSON
		}
	}
	return nil
}

func (s *State) observation(id string) *event.Observation {
	for _, o := range s.Observations {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// Citable reports whether an id names the observation of a succeeded call.
func (s *State) Citable(id string) bool {
	o := s.observation(id)
	return o != nil && o.Outcome == event.CallSucceeded
}

// record appends an event and folds it into the state.
func (m *Machine) record(e *event.Event) {
	e.Seq, e.At = int32(len(m.events)+1), m.now
	m.events = append(m.events, *e)
	m.state.apply(e)
}

// apply is the fold: the only place where an event changes the state.
func (s *State) apply(e *event.Event) {
	switch e.Name {
	case event.RunStarted:
		s.Start, s.Snapshot = e.Change().Snapshot, e.Change().Snapshot
	case event.FilesChanged:
		s.Snapshot = e.Change().Snapshot
	case event.ModelFailed:
		s.Used.Steps = int(e.Step)
	case event.ProposalReceived:
		s.Used.Steps = int(e.Step)
		s.said = fingerprint{proposal: e.Proposal()}
	case event.ProposalDecided:
		if d := &e.Proposal().Decision; d.Code != nil && d.Code.Class == diag.Rejection {
			s.Used.Rejections++
		}
	case event.ToolStarted:
		s.Used.ToolCalls++
	case event.ToolCompleted:
		if e.Outcome == event.CallRejected {
			s.Used.Rejections++
		}
	case event.FileRead:
		s.Reads.Add(*e.About.(*event.Read))
	case event.EditAccepted:
		s.Edits = append(s.Edits, e.Edit())
	case event.ObservationRecorded:
		s.Observations = append(s.Observations, e.Observation())
	case event.FinalValidated:
		s.Summary = e.Words().Summary
	case event.StepEnded:
		s.said.observation = s.last()
		s.window = append(s.window, s.said)
	case event.StateTransitioned:
		s.Status = e.To
	case event.RunStopped:
		s.Reason = e.Code
	}
}

// repeats counts how often the newest fingerprint stands in the window.
func (s *State) repeats(window int) int {
	newest := &s.window[len(s.window)-1]
	count := 0
	recent := s.window[max(0, len(s.window)-window):]
	for i := range recent {
		if recent[i].equal(newest) {
			count++
		}
	}
	return count
}
