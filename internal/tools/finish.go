package tools

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

//go:embed finish.md
var finishPurpose string

// FinishName is the type of the control action that ends a run.
const FinishName = "finish"

// FinalCitationValidationFailed ends a run whose final answer cites something
// that no succeeded call returned.
var FinalCitationValidationFailed = &diag.Code{
	Name: "FINAL_CITATION_VALIDATION_FAILED", Class: diag.Stop, Gate: diag.Verify,
	Means: "The final answer cites an observation that does not exist or that no succeeded call returned.",
	Do:    "Cite only ids of observations whose call succeeded, or leave citations out.",
}

// Finish is the control action that ends a run.
type Finish struct {
	contract  Contract
	citations int // that it has to cite at least
}

// NewFinish makes the control action under the given limits.
func NewFinish(l Limits) *Finish {
	return &Finish{contract: Contract{
		Name: FinishName, Version: "1", Purpose: strings.TrimSpace(finishPurpose), SideEffect: ReadOnly, Control: true,
		Input: Fields{
			{Name: "summary", Type: strictjson.String, Required: true, Min: 1, Max: l.Summary},
			{Name: "citations", Type: strictjson.Array, Max: 32, ItemMax: 40},
		},
	}}
}

// Demanding is the same action with a number of observations that it has to cite.
func (f *Finish) Demanding(citations int) *Finish {
	return &Finish{contract: f.contract, citations: citations}
}

// Contract is the action's contract.
func (f *Finish) Contract() *Contract { return &f.contract }

// Bind reads the citations.
func (f *Finish) Bind(call *Call) {
	citations, _ := call.Args.Get("citations")
	call.Bound = citations.Items()
}

// Checks are the action's own.
func (f *Finish) Checks() []Check {
	checks := []Check{{ID: "finish.citations", Gate: diag.Verify, Code: FinalCitationValidationFailed, Decide: citationsHold}}
	if f.citations > 0 {
		checks = append(checks, Check{ID: "finish.cited", Gate: diag.Verify, Code: FinalCitationValidationFailed, Decide: f.cites})
	}
	return checks
}

// cites asks for enough different citations.
func (f *Finish) cites(call *Call, _ *View) *Fault {
	items := call.Bound.([]strictjson.Value)
	distinct := 0
	for i, c := range items {
		if !slices.ContainsFunc(items[:i], func(other strictjson.Value) bool { return other.Str() == c.Str() }) {
			distinct++
		}
	}
	if distinct >= f.citations {
		return nil
	}
	return &Fault{Message: fmt.Sprintf("the task demands %d citations, and the answer has %d", f.citations, distinct)}
}

func citationsHold(call *Call, view *View) *Fault {
	for _, c := range call.Bound.([]strictjson.Value) {
		if !view.Citable(c.Str()) {
			return &Fault{Message: fmt.Sprintf("citation %s names no observation of a succeeded call", strictjson.Quote(c.Str()))}
		}
	}
	return nil
}

// Execute is never called: the run itself carries the action out.
func (f *Finish) Execute(*Call, *View) Outcome { return Outcome{} }
