package machine

import (
	"bytes"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// State is what the recorded events add up to.
type State struct {
	Phase        Phase
	Status       event.Status
	Reason       *diag.Code // why the run ended
	Used         policy.Used
	Snapshot     *vrepo.Snapshot
	Reads        tools.Reads
	Edits        []*event.Edit
	Observations []*event.Observation
	Summary      string // of finish
	Standing     policy.Standing
	Verified     Verified
	Handoff      *event.Handoff // made when the run stopped for a person

	pausing bool          // the run pauses once the step is over
	acting  string        // the act whose answer the next observation is
	said    fingerprint   // of the step in progress
	window  []fingerprint // of the steps so far, newest last
}

// Phase is what a run waits for. The zero value waits for Start.
type Phase uint8

// The phases.
const (
	Unstarted  Phase = iota
	Between          // two steps: for Proceed, or for what happens outside
	Asking           // for the model
	Calling          // for a tool
	Over             // for nothing
	Inspecting       // for what a call would touch
	Waiting          // for a person
	Looking          // for a receipt
	Sleeping         // for the time of the next attempt
	Ending           // for the verifier
	Checking         // for whether a person has to take over
	Paused           // for a person to resume
)

// accepts reports whether an input answers what the run waits for, or may come
// while it does.
func (p Phase) accepts(kind InputKind) bool {
	switch kind {
	case Start:
		return p == Unstarted
	case Proceed:
		return p == Between
	case ModelOutput, ModelFailed:
		return p == Asking
	case ToolResult:
		return p == Calling
	case Inspected:
		return p == Inspecting
	case LookedUp:
		return p == Looking
	case Evaluated:
		return p == Ending || p == Checking
	case Answered: // what a person says is recorded, even if it is too late
		return p != Unstarted
	case FilesChanged, WorldChanged, Ordered, Tick:
		return p != Unstarted && p != Over
	default:
		return false
	}
}

// Verified is what is known of the proof that a finish had to give.
type Verified uint8

// The states of the proof.
const (
	NotAsked Verified = iota // no proof was demanded, or the run did not finish
	Holds
	Refuted
)

// fingerprint is what a step asked and what it was answered.
type fingerprint struct {
	proposal    *event.Proposal
	observation *event.Observation
	action      *strictjson.Digest // of the action, once it was needed
	answer      *strictjson.Digest // of the observation's content, likewise
}

// equal compares contents: answers by their canonical form, actions by their
// digest, and what is no action by its bytes. Answers differ most often, so they
// are compared first, and a digest is seldom worked out.
func (f *fingerprint) equal(g *fingerprint) bool {
	switch {
	case !bytes.Equal(f.observation.JSON, g.observation.JSON):
		return false
	case bytes.Equal(f.proposal.Output.Raw, g.proposal.Output.Raw):
		return true
	case f.proposal.Action == nil || g.proposal.Action == nil:
		return false
	default:
		return f.digest() == g.digest()
	}
}

func (f *fingerprint) digest() strictjson.Digest {
	if f.action == nil {
		digest := f.proposal.Action.Digest()
		f.action = &digest
	}
	return *f.action
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
	e.Seq, e.At = int32(m.before+len(m.events)+1), m.now
	m.events = append(m.events, *e)
	m.state.apply(e)
}

// apply is the fold: the only place where an event changes the state.
func (s *State) apply(e *event.Event) {
	switch e.Name {
	case event.RunStarted:
		s.Snapshot, s.Phase = e.Change().Snapshot, Between
	case event.FilesChanged:
		s.Snapshot = e.Change().Snapshot
	case event.ContextBuilt:
		s.Phase = Asking
	case event.ModelFailed, event.ProposalReceived:
		s.Used.Steps = int(e.Step)
	case event.ProposalDecided:
		s.said = fingerprint{proposal: e.Proposal()}
		if d := &e.Proposal().Decision; d.Code != nil && d.Code.Class == diag.Rejection {
			s.Used.Rejections++
			if asked := s.Standing.Asked(d.Confirmation); asked != nil {
				asked.State = policy.AskedClosed // what it was about is refused
			}
		}
	case event.ToolStarted:
		s.Used.ToolCalls++
		s.Phase = Calling
		s.started(e)
	case event.ToolCompleted:
		if e.Outcome == event.CallRejected {
			s.Used.Rejections++
		}
		s.completed(e)
	case event.FileRead:
		s.Reads.Add(*e.About.(*event.Read))
	case event.EditAccepted:
		s.Edits = append(s.Edits, e.Edit())
	case event.ObservationRecorded:
		s.Observations = append(s.Observations, e.Observation())
		s.answered(e.Observation())
	case event.FinalValidated:
		s.Summary = e.Words().Summary
	case event.StepEnded:
		s.said.observation = s.last()
		s.window = append(s.window, s.said)
		s.Phase = Between
	case event.StateTransitioned:
		s.moved(e)
	case event.RunStopped:
		s.Reason = e.Code
		s.Phase = Over
	default:
		s.applyOutside(e)
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
