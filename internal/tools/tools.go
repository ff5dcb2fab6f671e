// Package tools holds what every tool is made of: its contract, its checks, and
// the outcome of a call; and the registry that gives tools their names.
//
// A tool owns its contract, the words the model reads, its checks and its
// execution, and nothing else: it sees the run through a read-only [View], does
// no I/O, and never decides whether it may be called.
//
// Duties of a tool:
//  1. Checks are pure: same call, same view, same answer.
//  2. A check in the semantic gate looks at the arguments only; one in the guard
//     gate also at the run's state; one in the execute gate also at content the
//     call may see; one in the verify gate also at the outcome.
//  3. Execute is called only when every check has passed, and keeps its
//     observation within View.Limits.Observation.
//  4. Nothing a tool says about a resource may depend on content that the run
//     was not granted.
package tools

import (
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// SideEffect classes a tool by what a call changes outside the run. The zero
// value is unset and invalid.
type SideEffect string

// The side effects, from harmless to final.
const (
	ReadOnly         SideEffect = "read"
	IdempotentWrite  SideEffect = "idempotent-write"
	CompensableWrite SideEffect = "compensatable-write"
	Irreversible     SideEffect = "irreversible"
)

// Confirmation says when a person is asked before a call. The zero value is
// never.
type Confirmation string

// The confirmations.
const (
	PerCall Confirmation = "per-call" // one answer for one command
	PerRun  Confirmation = "per-run"  // one answer a run for the tool, its definition and one resource
)

// Contract is what a tool promises and demands.
type Contract struct {
	Name    string
	Version string
	Purpose string // for the model: what it is for
	NotFor  string // for the model: when not to use it
	Input   Schema
	// Capability is what a rule or a grant must allow on the call's resource.
	Capability string
	// Denied is the code for a call that no rule allows.
	Denied     *diag.Code
	SideEffect SideEffect
	// Control is set for an action that the run itself carries out: it is no tool
	// call, needs no capability and is never executed.
	Control bool
	// Scoped is set if the capability is asked once for each resource the tool
	// touches, while it works, instead of for one resource named by the call.
	Scoped bool
	// Output names the fields of a successful observation, dotted for nested
	// ones, "[]" for elements ("matches[].path").
	Output []string

	// What follows is zero for the tools of the repository.

	Confirmation Confirmation
	Permission   string        // that the principal must have; "" for none
	Timeout      time.Duration // of one attempt; 0 is none
	Retry        Retry
	Cost         int // reserved for an attempt, in the scenario's unit
	Rate         Rate
	Calls        int      // most dispatches a run; 0 is no limit of the tool's own
	Sensitive    []string // arguments and output fields that no report may show
	Poll         int      // how often the same call may give the same answer; 0: it is no polling
	Lookup       bool     // whether a receipt can be found by the action id
	Inspects     bool     // whether what a call would touch is looked at before a person is asked
	// Definition names the contract and the behaviour: an approval or a grant given
	// for one definition is worth nothing for another.
	Definition strictjson.Digest
}

// About is what the model reads: what the tool is for, and when not to use it.
func (c *Contract) About() string {
	if c.NotFor == "" {
		return c.Purpose
	}
	return c.Purpose + "\nNot for: " + c.NotFor
}

// Redacted stands in place of what no report may show.
const Redacted = "[redacted]"

// Retry says how often and how a failed attempt is repeated. Only failures that
// the tool calls retryable are, and unknown ones once a look-up found nothing.
type Retry struct {
	Attempts int // in all; 0 and 1 are no retry
	Backoff  time.Duration
	Factor   int // of the backoff from one attempt to the next; at least 1
}

// Rate bounds the dispatches within a time; the zero value bounds nothing.
type Rate struct {
	Calls int
	Per   time.Duration
}

// Principal is on whose behalf a run acts. It comes from the scenario or the
// caller, never from the model.
type Principal struct {
	ID          string
	Tenant      string
	Permissions []string
}

// Value is the principal as expressions see it; nil is nobody.
func (p *Principal) Value() strictjson.Value {
	if p == nil {
		p = &Principal{}
	}
	permissions := make([]strictjson.Value, len(p.Permissions))
	for i, text := range p.Permissions {
		permissions[i] = strictjson.OfString(text)
	}
	return strictjson.OfObject(
		strictjson.Member{Name: "id", Value: strictjson.OfString(p.ID)},
		strictjson.Member{Name: "tenant", Value: strictjson.OfString(p.Tenant)},
		strictjson.Member{Name: "permissions", Value: strictjson.OfArray(permissions...)},
	)
}

// Need is a capability that a call needs on a resource.
type Need struct{ Capability, Resource string }

// Tool is one thing a model can ask for.
type Tool interface {
	// Contract is constant; callers must not modify it.
	Contract() *Contract
	// Bind reads arguments that fit the input schema, apart from unknown members,
	// into the tool's own form, and names what the call is about: it sets Bound,
	// Resource, and where there are any Needs and Key.
	Bind(call *Call)
	// Checks are the tool's own, in the order in which they are asked; their
	// gates are semantic, authorize, guard, execute or verify.
	Checks() []Check
	// Execute does the work. The view is as it was when the checks passed.
	Execute(call *Call, view *View) Outcome
}

// Outside is what a tool whose effects lie outside the repository can be asked
// besides. Only a driver asks, and sets Call.World before.
type Outside interface {
	Tool
	// Inspect names what the call would touch as it is now, without touching it.
	Inspect(call *Call) Facts
	// Lookup finds the receipt of the call's action.
	Lookup(call *Call) Found
}

// Facts are what an inspection found.
type Facts struct {
	Operands strictjson.Digest // of what the call would touch
	Touches  []string          // the same in words, for a person
	More     int               // how many things are left off that list
	Fault    string            // why nothing could be found out
}

// Found is what a look-up said about an action.
type Found struct {
	Answer  Lookup
	Outcome Outcome // as the tool had answered, if Answer is Happened
}

// Lookup is the answer of a look-up. The zero value is unset and invalid.
type Lookup uint8

// The answers.
const (
	_           Lookup = iota
	Happened           // the effect exists
	NotHappened        // it does not
	Unclear            // nobody can say
)

// Check is one question with one code. It refuses by returning a fault.
type Check struct {
	// ID names the check for decisions, coverage and mutation: "tool.question".
	ID     string
	Gate   diag.Gate
	Code   *diag.Code
	Decide func(call *Call, view *View) *Fault
}

// Fault is what a check found: words for the model, who may see everything in it.
type Fault struct {
	Message string
	Hint    string
	Details []strictjson.Member
}

// Call is one proposed use of a tool.
type Call struct {
	Tool     Tool
	Args     strictjson.Value
	Resource string
	Needs    []Need // beside the contract's capability on Resource
	// Key names the business act in the tool's own words. Calls of one tool with one
	// key are one act, whoever proposes them and how often; "" makes each an act of
	// its own.
	Key       string
	Principal *Principal
	Bound     any // the tool's own form of the arguments, from Bind
	// Memo is the tool's own: what one check worked out and a later one, or
	// Execute, needs again. Checks set it for the view they were asked about.
	Memo any
	// Outcome is what the tool answered, for checks of the verify gate.
	Outcome *Outcome

	// What follows is set for a dispatch.

	Act     string // the action id, the same for every attempt
	Attempt int    // from 1
	World   any    // what lies outside, set by the driver for tools that know it
}

// Limits bound the sizes of arguments and answers, in code points where nothing
// else is said.
type Limits struct {
	Query       int // of search
	Path        int
	Content     int // shown by one read
	Before      int
	After       int
	Summary     int // of finish
	Observation int // canonical JSON of one observation's content
	Hits        int // of one search, a count
	HitText     int // of one hit's line
	Output      int // of the model at one step, in bytes
	Answer      int // of a tool that lies outside, in bytes of canonical JSON
}

// DefaultLimits are those of the course's seed.
func DefaultLimits() Limits {
	return Limits{
		Query: 80, Path: 200, Content: 1000, Before: 1000, After: 1000,
		Summary: 1000, Observation: 1600, Hits: 8, HitText: 200, Output: 1 << 20, Answer: 1 << 16,
	}
}

// View is the run as a tool may see it.
type View struct {
	Snapshot      *vrepo.Snapshot
	Reads         Reads
	Edits         []*event.Edit
	Limits        *Limits
	EditShownOnly bool
	// Allowed asks the rules about one resource of a scoped capability.
	Allowed func(capability, resource string) bool
	// Citable reports whether an observation id names a call that succeeded.
	Citable func(id string) bool
}

// EditOf returns the accepted edit of a file, nil if there is none.
func (v *View) EditOf(path string) *event.Edit {
	for _, e := range v.Edits {
		if e.Path == path {
			return e
		}
	}
	return nil
}

// Outcome is how a call ended and what came of it.
type Outcome struct {
	Status    event.Outcome
	Refusal   *event.Refusal // for CallRejected
	Code      *diag.Code     // for CallFailed and CallUnknown
	Why       string         // for CallFailed: what is wrong, for people; the model is not told
	Retryable bool           // for CallFailed: the same call may succeed later
	Trust     event.Trust
	JSON      []byte      // the observation's content: an object in canonical encoding
	Read      *event.Read // what was shown of a file, if anything
	Edit      *event.Edit // the proposal made, if any
	Cost      int         // what the attempt did cost, of what was reserved
	Plan      *Plan       // when things happen; nil is at once
}

// Plan is how an attempt goes on in time, counted from its start. Its outcome is
// what it answers if nothing comes between.
type Plan struct {
	Effect time.Duration // when the effect happens; negative is never
	Answer time.Duration // when the answer arrives; negative is never
	Heeds  bool          // a signal to stop, before the effect, prevents it
	// Happens makes the effect; nil if there is none. exists is whether there is one then,
	// be it of an earlier attempt. Where the world has changed meanwhile, so that the tool
	// answers something else than was planned, that is instead; else nil.
	Happens func() (exists bool, instead *Outcome)
}
