// Package event holds the closed set of facts that a run can record, and their
// encoding.
//
// A run's state is the fold of its events. An event carries names, codes, sizes,
// digests and positions; contents live in the observations, edits and snapshots
// that an event points to, which are named by digest in its encoded form.
//
// Goals: every fact has one name, one meaning and one encoding. Non-goals: what
// a run may do (package policy) and how facts are shown (package report).
package event

import (
	"time"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// Name is what happened. The zero value is unset and invalid.
type Name uint8

// The names. They keep the vocabulary of the course documents.
const (
	_ Name = iota
	RunStarted
	ContextBuilt
	ModelFailed
	ProposalReceived
	SchemaValidated
	CapabilityChecked
	ProposalDecided
	ToolStarted
	ToolCompleted
	FileRead
	EditAccepted
	ObservationRecorded
	FinalValidated
	StepEnded
	FilesChanged
	WorldChanged
	ConfirmationRequested
	ConfirmationAnswered
	ConfirmationChecked
	InspectionStarted
	CallInspected
	ToolSignalled
	ToolLate
	ResultValidated
	RetryScheduled
	LookupStarted
	ReceiptChecked
	ReceiptReturned
	CompletionStarted
	CompletionChecked
	HandoffStarted
	HandoffChecked
	PersonOrdered
	HandoffCreated
	StateTransitioned
	TransitionRefused
	InputRefused
	RunStopped
	nameEnd
)

var names = [...]string{
	RunStarted:            "run.started",
	ContextBuilt:          "context.built",
	ModelFailed:           "model.failed",
	ProposalReceived:      "proposal.received",
	SchemaValidated:       "proposal.schema.validated",
	CapabilityChecked:     "policy.capability.checked",
	ProposalDecided:       "proposal.decided",
	ToolStarted:           "tool.started",
	ToolCompleted:         "tool.completed",
	FileRead:              "file.read",
	EditAccepted:          "edit.accepted",
	ObservationRecorded:   "observation.recorded",
	FinalValidated:        "final.validated",
	StepEnded:             "step.ended",
	FilesChanged:          "files.changed",
	WorldChanged:          "world.changed",
	ConfirmationRequested: "confirmation.requested",
	ConfirmationAnswered:  "confirmation.answered",
	ConfirmationChecked:   "policy.confirmation.checked",
	InspectionStarted:     "call.inspection.started",
	CallInspected:         "call.inspected",
	ToolSignalled:         "tool.signalled",
	ToolLate:              "tool.late",
	ResultValidated:       "tool.result.validated",
	RetryScheduled:        "tool.retry.scheduled",
	LookupStarted:         "receipt.lookup.started",
	ReceiptChecked:        "receipt.checked",
	ReceiptReturned:       "receipt.returned",
	CompletionStarted:     "completion.check.started",
	CompletionChecked:     "completion.checked",
	HandoffStarted:        "handoff.check.started",
	HandoffChecked:        "handoff.checked",
	PersonOrdered:         "person.ordered",
	HandoffCreated:        "handoff.created",
	StateTransitioned:     "state.transitioned",
	TransitionRefused:     "state.transition.refused",
	InputRefused:          "input.refused",
	RunStopped:            "run.stopped",
}

// Names lists every event name.
func Names() []Name {
	all := make([]Name, 0, nameEnd-1)
	for n := RunStarted; n < nameEnd; n++ {
		all = append(all, n)
	}
	return all
}

func (n Name) String() string {
	if n == 0 || n >= nameEnd {
		return "unset"
	}
	return names[n]
}

// MarshalText writes the event's name.
func (n Name) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// Event is one recorded fact. Which fields are set depends on Name; the zero
// value of a field means it does not apply. A run holds dozens of events, so they
// are small: what only some have stands behind About.
type Event struct {
	At       time.Duration // virtual or real time since the run's epoch
	Seq      int32         // place in the ledger, from 1
	Step     int32         // the step it belongs to; 0 before the first
	Call     int32         // the call within the step, from 1
	Size     int32         // of its content, in code points; of a proposal, in bytes
	Name     Name
	From, To Status  // state.transitioned, state.transition.refused
	Outcome  Outcome // tool.completed, tool.late
	Tool     string  // tool name as the contract spells it
	Resource string
	Code     *diag.Code
	About    About
}

// About is what an event is about: an [Output], [Proposal], [Dispatch], [Refusal],
// [Completion], [Observation], [Read], [Edit], [Change], [Words], [Confirmation],
// [Answer], [Order], [Receipt], [Facts] or [Handoff], by pointer. What it points to
// does not change once the event is recorded.
type About interface{ about() }

func (*Output) about()       {}
func (*Proposal) about()     {}
func (*Refusal) about()      {}
func (*Observation) about()  {}
func (*Read) about()         {}
func (*Edit) about()         {}
func (*Change) about()       {}
func (*Words) about()        {}
func (*Dispatch) about()     {}
func (*Completion) about()   {}
func (*Confirmation) about() {}
func (*Answer) about()       {}
func (*Order) about()        {}
func (*Receipt) about()      {}
func (*Facts) about()        {}
func (*Handoff) about()      {}

// Output is what the model said: the content of proposal.received.
type Output struct {
	Raw []byte
}

// Proposal is what an output asks for and what was decided about it: the content
// of policy.capability.checked, proposal.decided and tool.started.
type Proposal struct {
	Output   *Output
	Action   *action.Action // nil if the output is none
	Decision Decision
}

// Output is what the event is about, nil if it is about something else.
func (e *Event) Output() *Output { o, _ := e.About.(*Output); return o }

// Proposal is what the event is about, nil if it is about something else.
func (e *Event) Proposal() *Proposal {
	switch a := e.About.(type) {
	case *Proposal:
		return a
	case *Dispatch:
		return a.Proposal
	default:
		return nil
	}
}

// Refusal is what the event is about, nil if it is about something else.
func (e *Event) Refusal() *Refusal {
	switch a := e.About.(type) {
	case *Refusal:
		return a
	case *Completion:
		return a.Refusal
	default:
		return nil
	}
}

// Observation is what the event is about, nil if it is about something else.
func (e *Event) Observation() *Observation { o, _ := e.About.(*Observation); return o }

// Edit is what the event is about, nil if it is about something else.
func (e *Event) Edit() *Edit { d, _ := e.About.(*Edit); return d }

// Change is what the event is about, nil if it is about something else.
func (e *Event) Change() *Change { c, _ := e.About.(*Change); return c }

// Words is what the event is about, nil if it is about something else.
func (e *Event) Words() *Words { w, _ := e.About.(*Words); return w }

// Completion is how an attempt with a cost, a time or an effect of its own ended:
// the content of tool.completed and tool.late. Other calls need none.
type Completion struct {
	Act       string
	Attempt   int
	Refusal   *Refusal // for a call that the tool rejected
	Why       string   // for one that failed: what is wrong, in the program's words
	Retryable bool
	Reserved  int // of the cost
	Cost      int // what it did cost
	Bytes     int // of the answer
	Effect    EffectState
	InFlight  bool // the attempt neither answered nor stopped: its effect may still come
	Took      time.Duration
}

// Facts are what was found by looking and not touching: the content of
// call.inspected, completion.checked and handoff.checked.
type Facts struct {
	Operands strictjson.Digest
	Touches  []string
	More     int    // left off Touches
	Holds    bool   // completion.checked: the verifier accepts the end; handoff.checked: a person is needed
	Fault    string // why nothing could be found out
}

// Words is text that came with an event.
type Words struct {
	Message string // model.failed: the program's own words
	Where   string // model.failed: the place in the scenario at fault
	Summary string // final.validated: the model's words; written as a digest only
}

// Change is what happened outside the run, to the repository or to what lies outside
// it.
type Change struct {
	Paths    []string        // changed, added and removed, in bytewise order; COLLECTION/KEY outside
	Snapshot *vrepo.Snapshot // the repository as it is then; nil for what lies outside
}

// Read is what one read showed of one version of a file.
type Read struct {
	Path string
	Hash string // of the whole file
	From int    // byte offset of the first byte shown
	To   int    // byte offset after the last byte shown
}

// Edit is one accepted proposal: a candidate, never applied by the run.
type Edit struct {
	Path     string
	BaseHash string
	Offset   int // byte offset of the replaced text in the base
	Line     int // of that offset, from 1
	Before   string
	After    string
	Base     *vrepo.File
}

// Digest names the edit by its path, base hash, offset, before and after.
func (e *Edit) Digest() strictjson.Digest {
	return strictjson.DigestOf(strictjson.OfObject(
		strictjson.Member{Name: "after", Value: strictjson.OfString(e.After)},
		strictjson.Member{Name: "baseHash", Value: strictjson.OfString(e.BaseHash)},
		strictjson.Member{Name: "before", Value: strictjson.OfString(e.Before)},
		strictjson.Member{Name: "offset", Value: strictjson.OfInt(int64(e.Offset))},
		strictjson.Member{Name: "path", Value: strictjson.OfString(e.Path)},
	))
}

// Digest names the content the event stands for; zero if there is none. It is
// worked out when asked, since most events are never written.
func (e *Event) Digest() strictjson.Digest {
	switch a := e.About.(type) {
	case *Output:
		return strictjson.DigestBytes(a.Raw)
	case *Proposal:
		return a.digest()
	case *Dispatch:
		return a.Proposal.digest()
	case *Confirmation:
		return a.Action.Digest()
	case *Facts:
		return a.Operands
	case *Change:
		if a.Snapshot != nil {
			return strictjson.Digest(a.Snapshot.Digest())
		}
	case *Observation:
		return a.Digest()
	case *Edit:
		return a.Digest()
	case *Words:
		if a.Summary != "" {
			return strictjson.DigestBytes([]byte(a.Summary))
		}
	}
	return strictjson.Digest{}
}

func (p *Proposal) digest() strictjson.Digest {
	if p.Action == nil {
		return strictjson.DigestBytes(p.Output.Raw)
	}
	return p.Action.Digest()
}

// Change gives the edit as a change of bytes.
func (e *Edit) Change() vrepo.Edit {
	return vrepo.Edit{Path: e.Path, Base: e.Base, Offset: e.Offset, Before: e.Before, After: e.After}
}
