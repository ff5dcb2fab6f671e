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

// Contract is what a tool promises and demands.
type Contract struct {
	Name    string
	Version string
	Purpose string // for the model: what it is for, and when not to use it
	Input   Schema
	// Capability is what a rule must allow on the call's resource.
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
}

// Tool is one thing a model can ask for.
type Tool interface {
	// Contract is constant; callers must not modify it.
	Contract() *Contract
	// Bind reads arguments that fit the input schema, apart from unknown members,
	// into the tool's own form, and names the resource they are about.
	Bind(args strictjson.Value) (bound any, resource string)
	// Checks are the tool's own, in the order in which they are asked; their
	// gates are semantic, guard, execute or verify.
	Checks() []Check
	// Execute does the work. The view is as it was when the checks passed.
	Execute(call *Call, view *View) Outcome
}

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
	Bound    any // the tool's own form of the arguments, from Bind
	// Memo is the tool's own: what one check worked out and a later one, or
	// Execute, needs again. Checks set it for the view they were asked about.
	Memo any
	// Outcome is what the tool answered, for checks of the verify gate.
	Outcome *Outcome
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
}

// DefaultLimits are those of the course's seed.
func DefaultLimits() Limits {
	return Limits{
		Query: 80, Path: 200, Content: 1000, Before: 1000, After: 1000,
		Summary: 1000, Observation: 1600, Hits: 8, HitText: 200, Output: 1 << 20,
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
	Status  event.Outcome
	Refusal *event.Refusal // for CallRejected
	Code    *diag.Code     // for CallFailed and CallUnknown
	Trust   event.Trust
	JSON    []byte      // the observation's content: an object in canonical encoding
	Read    *event.Read // what was shown of a file, if anything
	Edit    *event.Edit // the proposal made, if any
}
