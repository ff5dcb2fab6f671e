package tools

import (
	_ "embed"
	"fmt"
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
	contract Contract
}

// NewFinish makes the control action under the given limits.
func NewFinish(l Limits) *Finish {
	return &Finish{Contract{
		Name: FinishName, Version: "1", Purpose: strings.TrimSpace(finishPurpose), SideEffect: ReadOnly, Control: true,
		Input: Fields{
			{Name: "summary", Type: strictjson.String, Required: true, Min: 1, Max: l.Summary},
			{Name: "citations", Type: strictjson.Array, Max: 32, ItemMax: 40},
		},
	}}
}

// Contract is the action's contract.
func (f *Finish) Contract() *Contract { return &f.contract }

// Bind reads the citations.
func (f *Finish) Bind(args strictjson.Value) (any, string) {
	citations, _ := args.Get("citations")
	return citations.Items(), ""
}

// Checks are the action's own.
func (f *Finish) Checks() []Check {
	return []Check{{ID: "finish.citations", Gate: diag.Verify, Code: FinalCitationValidationFailed, Decide: citationsHold}}
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
