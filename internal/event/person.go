package event

import (
	"time"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Binding is what an approval is for. Every part of it has to be the same when the
// command is dispatched.
type Binding struct {
	Run       string
	Session   string
	Principal string
	Tenant    string
	Tool      string
	Version   string
	Resource  string
	// Definition names the tool's contract and behaviour, Arguments the canonical
	// arguments, Operands what the call would touch, Policy the rules and grants.
	Definition, Arguments, Operands, Policy strictjson.Digest
}

// Confirmation is a question to a person: one command, and all that is needed to
// decide about it.
type Confirmation struct {
	ID      string // "c1"
	Step    int
	Binding Binding
	// PerRun is set for an approval that stands for the tool, its definition and the
	// resource until the run ends, whatever the arguments.
	PerRun     bool
	Act        string
	Action     *action.Action
	Arguments  strictjson.Value // of the action, without what no report may show
	SideEffect string
	Risks      []string // what the program knows to be at stake
	Touches    []string // what else the call would touch
	More       int      // left off Touches
	Cost       int
	Asked      time.Duration
	Expires    time.Duration // an answer that comes later is worth nothing
}

// Answer is what a person said to a question. It is taken for a claim: nothing in
// it counts unless it fits the question.
type Answer struct {
	Request string // id of the confirmation it answers
	Verdict Verdict
	By      string
	Reason  string
	Binding Binding // what the person saw
	Where   string  // place in the scenario
}

// Verdict is what a person decided. The zero value is unset and invalid.
type Verdict string

// The verdicts. Postponed leaves the question open and lets the run go on.
const (
	Approved  Verdict = "approved"
	Declined  Verdict = "declined"
	Postponed Verdict = "postponed"
)

// Order is what a person told the run from outside its own questions.
type Order struct {
	Kind   OrderKind
	By     string
	Reason string
	// What is revoked or redefined: a grant's id, a tool's name.
	What       string
	Place      int               // of a revoked grant among the run's
	Definition strictjson.Digest // of a redefined tool
}

// OrderKind is the kind of an order. The zero value is unset and invalid.
type OrderKind string

// The orders.
const (
	CancelRun  OrderKind = "cancel"
	CancelCall OrderKind = "cancel-call" // the tool's call alone; the run goes on
	PauseRun   OrderKind = "pause"
	ResumeRun  OrderKind = "resume"
	Revoke     OrderKind = "revoke"
	Redefine   OrderKind = "redefine"
)

// Dispatch is what starts one attempt of a call: the content of tool.started. It
// consumes the approval and the grants of its decision, and reserves the cost, in one
// event.
type Dispatch struct {
	*Proposal
	Act          string // action id
	Attempt      int    // from 1
	Arguments    strictjson.Digest
	Writes       bool   // the tool has effects
	Cost         int    // reserved
	Confirmation string // consumed, "" if none was needed
	Deadline     time.Duration
}

// Receipt says what is known of the effect of an action: the content of
// receipt.checked, receipt.returned, and of a tool.result.validated after them.
type Receipt struct {
	Act     string
	Answer  string // "happened", "did not happen", "unclear"; of one returned, the observation
	Attempt int
	Why     string // what is wrong with what happened
	Bytes   int    // of an answer that counts as output: found, or returned once more
}

// EffectState is what is known about the effect of a call. The zero value is unset
// and invalid.
type EffectState string

// The states of effects.
const (
	EffectApplied    EffectState = "applied"    // it exists, and was verified as far as the contract asks
	EffectNone       EffectState = "none"       // it is known not to exist
	EffectUnknown    EffectState = "unknown"    // nobody can say
	EffectUnverified EffectState = "unverified" // it exists, and is not what was promised
)

// Act is one business act of a run and what became of it.
type Act struct {
	ID       string // the action id
	Tool     string
	Resource string
	Effect   EffectState
	// Reconciled says what a look-up found, "" if there was none.
	Reconciled string
	Attempts   int
}

// Handoff is the bundle that a person needs to take a run over.
type Handoff struct {
	Reason       *diag.Code
	Status       Status
	Version      int // sequence number of the last event it includes
	Goal         string
	Observations []*Observation // the last ones that a tool vouches for
	Last         *Observation   // the last of all, nil if there is none
	Pending      *Pending       // nil if nothing is
	Acts         []Act          // all that can have effects
	Edits        int            // candidates that wait for a review
	Safe         []string       // what may be done next
	Forbidden    []string       // what no program may do by itself
}

// Pending is the action a handoff is about.
type Pending struct {
	Tool         string
	Version      string
	Resource     string
	Act          string
	Arguments    strictjson.Value // without what no report may show
	Digest       strictjson.Digest
	Capability   string
	Confirmation string // id of the open question, "" if there is none
	Proposals    int    // how often it was proposed
}
