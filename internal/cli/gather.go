package cli

import (
	"cmp"
	"slices"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// AllCodes gathers every code of the program, by name.
func AllCodes() []*diag.Code {
	all := slices.Concat(scenarios.RunCodes(), scenarios.Codes(), suite.Codes(), Codes())
	slices.SortFunc(all, func(a, b *diag.Code) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// codePages gives every code with the shipped scenario that shows it best.
func codePages() ([]report.CodePage, error) {
	shown, err := shownBy()
	if err != nil {
		return nil, err
	}
	codes := AllCodes()
	pages := make([]report.CodePage, len(codes))
	for i, c := range codes {
		pages[i] = report.CodePage{Code: c, Scenario: shown[c]}
	}
	return pages, nil
}

// shownBy runs the shipped suite and finds, for each code that it raises, the
// first scenario that ends by it; else the first in which it refuses an action.
func shownBy() (map[*diag.Code]string, error) {
	list, err := shipped(".")
	if err != nil {
		return nil, err
	}
	ends, refuses := map[*diag.Code]string{}, map[*diag.Code]string{}
	for _, c := range suite.Run(list, workers()) {
		note(ends, c.Result.Reason, c.Scenario.ID)
		for _, code := range refused(c.Result) {
			note(refuses, code, c.Scenario.ID)
		}
	}
	for code, id := range refuses {
		note(ends, code, id)
	}
	return ends, nil
}

// note keeps the first scenario of a code.
func note(shown map[*diag.Code]string, code *diag.Code, id string) {
	if _, known := shown[code]; !known && code != nil {
		shown[code] = id
	}
}

// refused lists the codes by which a run's actions were refused, by a gate or by
// a tool, and after them those that its other events show.
func refused(r *runner.Result) []*diag.Code {
	var codes []*diag.Code
	for i := range r.Events {
		switch e := &r.Events[i]; {
		case e.Name == event.ProposalDecided && e.Proposal().Decision.Code != nil:
			codes = append(codes, e.Proposal().Decision.Code)
		case e.Name == event.ToolCompleted && e.Refusal() != nil:
			codes = append(codes, e.Refusal().Code)
		}
	}
	for i := range r.Events {
		codes = append(codes, r.Events[i].Code)
	}
	return codes
}
