// Package report holds the results of scenarios and their renderings: text for a
// terminal, and documents for programs. Renderings are projections of the same
// values, so they cannot disagree.
package report

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/tools"
)

// Verdict is what a scenario earned. The zero value is unset and invalid.
type Verdict string

// The verdicts. Error is a run that could not show whether it passes.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Error Verdict = "error"
)

// Finding is one clause of an expectation that a run did not meet.
type Finding struct {
	Clause  string // "status", "decisions[2].code", "unused"
	Where   string // place in the scenario, "sum.yaml:31:3"
	Want    string
	Got     string
	Message string // in words, where want and got do not say it all
	Diff    string // instead of want and got: -want +got, for texts of several lines
}

// Case is one scenario, its run, and what it earned.
type Case struct {
	Scenario *scenarios.Scenario
	Result   *runner.Result
	Verdict  Verdict
	Findings []Finding
	Golden   string // the SHA-256 of the golden it was compared with; "" for none
}

// OK reports whether the case is as expected: exit codes, summaries, and all
// renderings follow from the verdict alone.
func (c *Case) OK() bool { return c.Verdict == Pass || c.Verdict == XFail || c.Verdict == Skip }

// Step is one step of a run, gathered from its events. What was decided more than
// once stands as it was decided last; Events has all of it.
type Step struct {
	Step        int
	Tool        string // as far as it was understood
	Resource    string
	Decision    *event.Decision // nil if the model failed
	Outcome     event.Outcome   // what the call came to; unset if no tool was called
	Code        *diag.Code      // of a call that failed, or whose outcome is unknown
	Why         string          // what is wrong with it, in the program's words; "" if they say no more than the code
	Refusal     *event.Refusal  // of the gate or of the tool
	Observation *event.Observation
	Edit        *event.Edit
	Context     int       // code points given to the model
	Attempts    []Attempt // of the call, in order
	Receipt     string    // id of the observation that was given again instead of a call
	Events      []event.Event

	first    int             // place of Events[0] among the run's
	contract *tools.Contract // of the tool, nil if it is not registered
	outside  bool            // the tool lies outside the repository
	ensures  string          // its postcondition, "" for none
	private  []string        // arguments that no report may show
}

// Attempt is one dispatch of a step's call.
type Attempt struct {
	Number  int          // of the act, from 1
	Started *event.Event // tool.started
	Ended   *event.Event // tool.completed; nil while it goes on
	Late    *event.Event // tool.late: what arrived when nobody waited for it any more
}
