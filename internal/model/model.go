// Package model is the port through which a run asks a model, and the scripted
// model that answers from a scenario.
package model

import "harness/internal/diag"

// Request is one asking.
type Request struct {
	Step    int
	Context Context
	Past    Past
}

// Context is what the model is given, one canonical JSON object.
type Context interface {
	AppendJSON(dst []byte) []byte
}

// Past is what the run has observed so far; a scripted model refers to it. Each
// gives the content of an observation as canonical JSON, nil if there is none.
type Past interface {
	// Last is the latest observation.
	Last() []byte
	// ByID is the observation with this id.
	ByID(id string) []byte
	// LastRead is the latest that shows a part of this path.
	LastRead(path string) []byte
}

// Model proposes actions. Its output is untrusted bytes.
type Model interface {
	// Next answers one request. The bytes are the caller's to keep.
	Next(Request) ([]byte, *Failure)
}

// Failure is a model that gave no output. It ends the run.
type Failure struct {
	Code    *diag.Code
	Message string
	Where   string // place in the scenario, if it is the script's fault
}

// The codes of a model that gives no output.
var (
	Failed = &diag.Code{
		Name: "MODEL_FAILED", Class: diag.Stop,
		Means: "The model gave no output. For a scripted model: a ${…} reference named something that no observation holds yet.",
		Do:    "Look at the place named: the observation it refers to must exist when the model is asked.",
	}
	ScriptExhausted = &diag.Code{
		Name: "SCRIPT_EXHAUSTED", Class: diag.Stop,
		Means: "The run asked the scripted model once more than the script has answers.",
		Do:    "Add the missing item to model.script, end it with finish, or repeat the last one with `repeat: forever`.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code { return []*diag.Code{Failed, ScriptExhausted} }
