package cli

import (
	"runtime"

	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// workers is how many scenarios run at the same time; results do not depend on
// it.
func workers() int { return runtime.GOMAXPROCS(0) }

// show runs scenarios and prints what came of them, each in full or a line each.
func (s *session) show(list []*scenarios.Scenario, full bool) error {
	cases := suite.Run(list, workers())
	if err := s.print(cases, full); err != nil {
		return err
	}
	return verdict(cases)
}

// verdict is nil if every case is as expected. A failure outranks a case that
// could not show whether it passes.
func verdict(cases []report.Case) error {
	worst := AsExpected
	for i := range cases {
		switch c := &cases[i]; {
		case c.OK():
		case c.Verdict == report.Error && worst == AsExpected:
			worst = CouldNotComplete
		case c.Verdict != report.Error:
			worst = ScenarioFailed
		}
	}
	if worst == AsExpected {
		return nil
	}
	return said(worst)
}
