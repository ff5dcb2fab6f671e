// Package machine is a run as a pure state machine.
//
// Inputs go in; events and effects come out. The machine does no I/O, reads no
// clock and starts nothing: what it wants done it returns. A driver must
//
//  1. record the events before it performs the effects,
//  2. perform each effect once and feed the result back as an input,
//  3. feed inputs one at a time, each with its time;
//  4. make no call of a tool but those that a CallTool effect asks for.
//
// State is the fold of the recorded events, so equal inputs give equal events on
// every machine. Goals: one code path for running, resuming, replaying and
// exploring. Non-goals: scheduling, storage, real time.
package machine

import (
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// OnRejection says what a rejection does to the run. The zero value is unset and
// invalid.
type OnRejection uint8

// The ways to go on after a rejection.
const (
	_       OnRejection = iota
	StopRun             // the run ends as rejected
	Observe             // the model is told, within budget.rejections
)

// Config is what a run is given. It does not change while runs use it and may be
// shared by many.
type Config struct {
	Registry      *tools.Registry
	Finish        *tools.Finish
	Table         *policy.Table
	Rules         *policy.Rules
	Budgets       policy.Budgets
	Limits        tools.Limits
	OnRejection   OnRejection
	EditShownOnly bool
	Prompt        *prompt.Fixed
	// What follows is nil or zero for a run that has nothing of the kind.
	Goal       string
	Grants     *policy.Grants
	Identity   *policy.Identity
	Completion *Completion
	// AsksHandoff is set if the driver is asked after every step whether a person
	// has to take over.
	AsksHandoff bool
	// ActionTypes are the names a flat action may have, for hints.
	ActionTypes []string
}

// Completion is the proof that a finish has to give.
type Completion struct {
	Verify bool // the driver is asked whether the goal is reached
}

// InputKind is what happened outside. The zero value is unset and invalid.
type InputKind uint8

// The inputs.
const (
	_            InputKind = iota
	Start                  // Snapshot: the repository as it is at the start
	Proceed                // answers Yield: nothing more happened between two steps
	ModelOutput            // Raw answers AskModel
	ModelFailed            // Failure answers AskModel
	ToolResult             // Outcome answers CallTool; one that comes too late is evidence
	FilesChanged           // Change: files changed outside the run
	WorldChanged           // Change: what lies outside the repository changed
	Inspected              // Facts answers Inspect
	Answered               // Answer: what a person said, to AskPerson or later
	LookedUp               // Found answers LookUp
	Evaluated              // Facts answers Evaluate
	Ordered                // Order: a person told the run to do something
	Tick                   // time has passed
)

// Input is one thing that happened outside, at a time.
type Input struct {
	Kind     InputKind
	At       time.Duration
	Snapshot *vrepo.Snapshot
	Raw      []byte
	Failure  *model.Failure
	Outcome  tools.Outcome
	Change   *event.Change
	Facts    *event.Facts
	Answer   *event.Answer
	Found    *tools.Found
	Order    *event.Order
	// Late is the call that a late ToolResult belongs to, nil for one that is waited
	// for.
	Late *LateCall
}

// LateCall names a call whose answer was no longer waited for.
type LateCall struct {
	Step     int32
	Tool     string
	Resource string
	Act      string
	Attempt  int
}

// EffectKind is what the machine wants done. The zero value is unset and invalid.
type EffectKind uint8

// The effects.
const (
	_          EffectKind = iota
	Yield                 // between two steps: feed what has happened, then Proceed
	AskModel              // ask with View, then ModelOutput or ModelFailed
	CallTool              // perform Command, then ToolResult; at Deadline, Tick
	Done                  // the run has ended
	Wait                  // nothing new: go on with what is under way
	Inspect               // look at what Call would touch, then Inspected
	AskPerson             // put Confirmation to a person; Answered, or nothing ever
	LookUp                // find the receipt of Call, then LookedUp
	Sleep                 // Tick at Deadline
	Signal                // tell the tool under way to stop; go on waiting, to Deadline
	Evaluate              // ask Question, then Evaluated
	WaitPaused            // until a person resumes or cancels the run
)

// Question is what the driver is asked to evaluate. The zero value is unset and
// invalid.
type Question uint8

// The questions.
const (
	_            Question = iota
	GoalReached           // does the verifier accept the end?
	PersonNeeded          // does a person have to take over?
)

// Effect is one thing to do.
type Effect struct {
	Kind         EffectKind
	Step         int
	View         *prompt.View // valid until the next input
	Command      *policy.Command
	Call         *tools.Call
	Confirmation *event.Confirmation
	Deadline     time.Duration
	Question     Question
}

// Machine is one run.
type Machine struct {
	cfg    *Config
	state  State
	events []event.Event
	before int // events that a clone no longer has
	now    time.Duration
	next   Effect      // what State.Phase waits for, with what it needs
	view   prompt.View // of the step in progress
	terms  *policy.Terms
	// turn is the proposal that is worked on, from its decision to its end.
	turn *turn
	// allowed and citable are made once; they are in every view.
	allowed func(capability, resource string) bool
	citable func(id string) bool
	pool    *Pool // nil until a run is saved or a key asked for
	// room is where the lists of a short run stand, so that it needs no more.
	room struct {
		events       [shortRun]event.Event
		observations [4]*event.Observation
		window       [4]fingerprint
	}
}

// shortRun is how many events are made room for: those of a run of four steps.
const shortRun = 38

// New makes a run that waits for Start.
func New(cfg *Config) *Machine {
	m := &Machine{cfg: cfg, allowed: cfg.Rules.Allows}
	m.state.Status = event.Created
	m.events = m.room.events[:0]
	m.state.Observations = m.room.observations[:0]
	m.state.window = m.room.window[:0]
	m.citable = m.state.Citable
	if cfg.Grants != nil || cfg.Identity != nil {
		m.terms = &policy.Terms{Grants: cfg.Grants, Identity: cfg.Identity}
	}
	return m
}

// Step feeds one input. It returns the events recorded, which the machine keeps
// too, and the one effect to perform next.
func (m *Machine) Step(in Input) ([]event.Event, Effect) {
	from := len(m.events)
	switch {
	case m.state.Phase.accepts(in.Kind) && m.fits(&in):
		m.now = max(m.now, in.At)
		m.take(&in)
	case in.Kind == ToolResult && in.Late != nil:
		m.now = max(m.now, in.At)
		m.late(&in)
		m.next = m.waiting()
	case in.Kind == Ordered && in.Order != nil:
		m.record(&event.Event{Name: event.PersonOrdered, Step: m.step(), Code: OrderRefused, About: in.Order})
		m.next = m.waiting()
	default:
		m.record(&event.Event{Name: event.InputRefused, Step: m.step(), Code: UnexpectedInput})
		m.next = m.waiting()
	}
	return m.events[from:len(m.events):len(m.events)], m.next
}

// waiting is the effect of an input that starts nothing: what was asked for before
// is not asked for again.
func (m *Machine) waiting() Effect {
	switch m.state.Phase {
	case Unstarted:
		return Effect{}
	case Between:
		return Effect{Kind: Yield, Step: m.state.Used.Steps}
	case Over:
		return Effect{Kind: Done}
	case Paused:
		return Effect{Kind: WaitPaused}
	default:
		return Effect{Kind: Wait}
	}
}

// State is the run's state; callers must not modify it.
func (m *Machine) State() *State { return &m.state }

// Events lists all events so far; callers must not modify the list.
func (m *Machine) Events() []event.Event { return m.events }

func (m *Machine) take(in *Input) {
	switch in.Kind {
	case Start:
		m.record(&event.Event{Name: event.RunStarted, About: &event.Change{Snapshot: in.Snapshot}})
		m.transition(event.Running)
		m.next = Effect{Kind: Yield}
	case FilesChanged:
		m.record(&event.Event{Name: event.FilesChanged, Step: m.step(), About: in.Change})
		m.next = m.waiting()
	case WorldChanged:
		m.record(&event.Event{Name: event.WorldChanged, Step: m.step(), About: in.Change})
		m.next = m.waiting()
	case Proceed:
		m.askModel()
	case ModelOutput:
		m.propose(in.Raw)
	case ModelFailed:
		m.record(&event.Event{
			Name: event.ModelFailed, Step: m.step() + 1,
			Code: in.Failure.Code, About: &event.Words{Message: in.Failure.Message, Where: in.Failure.Where},
		})
		m.stop(event.Failed, in.Failure.Code)
	case ToolResult:
		m.finishCall(in.Outcome)
	default:
		m.takeOutside(in)
	}
}

// askModel starts a step, if the budgets allow one. Steps are checked first.
func (m *Machine) askModel() {
	s, b := &m.state, &m.cfg.Budgets
	if s.Used.Steps >= b.Steps {
		m.stop(event.Failed, MaxStepsReached)
		return
	}
	if m.now >= b.Deadline {
		m.stop(event.Failed, policy.DeadlineReached)
		return
	}
	view := &m.view
	*view = prompt.View{
		Fixed: m.cfg.Prompt, Last: s.last(),
		Steps: b.Steps - s.Used.Steps, ToolCalls: b.ToolCalls - s.Used.ToolCalls,
		Rejections: b.Rejections - s.Used.Rejections,
	}
	size := view.Size()
	m.record(&event.Event{Name: event.ContextBuilt, Step: m.step() + 1, Size: int32(size)})
	if size > b.ContextChars {
		m.stop(event.Failed, ContextBudgetExceeded)
		return
	}
	m.next = Effect{Kind: AskModel, Step: s.Used.Steps + 1, View: view}
}

// step is the number of the latest step.
func (m *Machine) step() int32 { return int32(m.state.Used.Steps) }

// transition moves the run along an arrow of the state diagram; where there is
// none, the refusal is recorded and nothing moves.
func (m *Machine) transition(to event.Status) bool {
	from := m.state.Status
	if !from.CanBecome(to) {
		m.record(&event.Event{Name: event.TransitionRefused, Step: m.step(), From: from, To: to, Code: IllegalTransition})
		return false
	}
	m.record(&event.Event{Name: event.StateTransitioned, Step: m.step(), From: from, To: to})
	return true
}

// stop ends the run; a person who has to go on from there is given a handoff.
func (m *Machine) stop(status event.Status, reason *diag.Code) {
	if m.handsOver(status, reason) {
		m.record(&event.Event{Name: event.HandoffCreated, Step: m.step(), Code: reason, About: m.handoff(status, reason)})
	}
	m.record(&event.Event{Name: event.RunStopped, Step: m.step(), Code: reason})
	m.transition(status)
	m.next = Effect{Kind: Done}
}
