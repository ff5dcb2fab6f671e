// Package action turns one model output into one action, or into a fault that
// says in words what is wrong. It is the parse gate.
//
// Goals: an output has one reading or none; the flat and the full form of a call
// mean the same; nothing is repaired, coerced or ignored.
//
// Non-goals: whether a tool exists in that version, whether arguments fit its
// contract, whether the call is allowed. Later gates ask that.
//
// A caller must:
//
//  1. take an action's Kind, never its Tool, to tell finish from a call;
//  2. register no tool under the names "call", "finish" or "batch": the first two
//     have their own shapes, the last is kept;
//  3. treat ID, Reason and Sources as what a model said: they grant nothing.
package action

import "harness/internal/strictjson"

// Kind says what an action is. The zero value is unset and invalid.
type Kind uint8

// The kinds.
const (
	Call   Kind = iota + 1 // of a tool
	Finish                 // a control action: the model says it is done
)

// String is the kind's name, "unset" for the zero value.
func (k Kind) String() string {
	switch k {
	case Call:
		return "call"
	case Finish:
		return "finish"
	default:
		return "unset"
	}
}

// Action is what one model output asks for.
type Action struct {
	Kind    Kind
	Tool    string   // the tool's name, "finish" for Finish
	Version string   // the tool's version; "" for any
	ID      string   // the proposal id as the model gave it: a label only
	Reason  string   // why, in the model's words; without effect
	Sources []string // ids of the observations that the model names
	// Args is always an object: a call's arguments, a finish's summary and
	// citations, not yet checked against any contract.
	Args strictjson.Value
	Flat bool // written in the flat form
}

// Digest identifies what is asked for: tool, version and arguments, however they
// were spelled. ID, Reason, Sources and the form of writing do not count.
func (a Action) Digest() strictjson.Digest {
	args := a.Args
	if args.IsZero() {
		args = strictjson.OfObject()
	}
	return strictjson.DigestOf(strictjson.OfObject(
		strictjson.Member{Name: fieldTool, Value: strictjson.OfString(a.Tool)},
		strictjson.Member{Name: fieldVersion, Value: strictjson.OfString(a.Version)},
		strictjson.Member{Name: fieldArguments, Value: args},
	))
}
