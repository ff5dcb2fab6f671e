package cli

import (
	"io"
	"runtime"

	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// workers is how many scenarios run at the same time; results do not depend on
// it.
func workers() int { return runtime.GOMAXPROCS(0) }

// show runs scenarios and prints what came of them. One that was asked for by
// name is shown in full; the others are a line each, unless more is asked for, and
// inFull is the command that shows one of them.
func (s *session) show(list []*scenarios.Scenario, full bool, inFull string) error {
	if len(list) > 1 {
		s.listen()
	}
	cases := suite.Run(list, workers())
	if err := s.print(cases, full, inFull); err != nil {
		return err
	}
	return verdict(cases)
}

func (s *session) print(cases []report.Case, full bool, inFull string) error {
	detail := s.detail(full)
	switch {
	case s.set.Format == JSON && len(cases) == 1:
		return s.printJSON(report.Document(&cases[0]))
	case s.set.Format == JSON:
		return s.printJSON(report.Documents(cases))
	case s.set.Format == JSONL:
		return report.WriteJSONL(s.out, cases)
	case !full && s.set.Verbose == 0 && !s.set.Explain:
		return report.WriteTable(s.stdout(), groups(cases), inFull)
	}
	out := s.stdout()
	for i := range cases {
		if i > 0 {
			io.WriteString(out, "\n")
		}
		if err := report.WriteRun(out, &cases[i], detail); err != nil {
			return err
		}
	}
	return nil
}

// detail says how much of each run to show.
func (s *session) detail(full bool) report.Detail {
	level := s.set.Verbose
	if full {
		level++
	}
	return report.Detail{Explain: s.set.Explain, Verbose: level > 1}
}

// groups puts cases together that stand in one file, in their order.
func groups(cases []report.Case) []report.Group {
	var all []report.Group
	for i := range cases {
		if i == 0 || cases[i].Scenario.File != cases[i-1].Scenario.File {
			all = append(all, report.Group{Title: cases[i].Scenario.Table})
		}
		last := &all[len(all)-1]
		last.Cases = append(last.Cases, cases[i])
	}
	return all
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
