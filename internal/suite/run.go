package suite

import (
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
)

// Run runs scenarios on some workers and judges each. The cases stand in the
// order of the scenarios, and do not depend on the number of workers.
func Run(list []*scenarios.Scenario, workers int) []report.Case {
	cases := make([]report.Case, len(list))
	parallel(workers, len(list), func(i int) {
		r := runner.Run(list[i].Config)
		verdict, findings := Judge(list[i], r)
		cases[i] = known(report.Case{Scenario: list[i], Result: r, Verdict: verdict, Findings: findings})
	})
	return cases
}
