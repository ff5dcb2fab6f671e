package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// MutateOptions says which boundaries to weaken, and what is enough.
type MutateOptions struct {
	*session
	Paths     []string // none is the shipped suite
	Run       string
	Threshold int
	Excuses   string
}

func newMutate(s *session, run func(*MutateOptions) error) *cobra.Command {
	if run == nil {
		run = runMutate
	}
	o := &MutateOptions{session: s}
	cmd := &cobra.Command{
		Use:   "mutate [PATH...]",
		Short: "Weaken the boundary, one check at a time: would the scenarios notice?",
		Long: `Each check of the gates, each rule that denies, demands a person or has a condition, and
each limit is left out or loosened once, and the scenarios are run against it until one
that passes no longer does: it misses what it expects, or its golden. What none of them
notices is listed. Without PATH the shipped suite is taken.`,
		Example: "harness mutate sum.yaml",
		GroupID: work,
		Args:    arguments(0, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Paths = args
			return run(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Run, "run", "", "only mutants whose id matches the regular expression `RE`")
	f.IntVar(&o.Threshold, "threshold", 0, "the score in `PERCENT` below which the exit code is 1")
	f.StringVar(&o.Excuses, "excuses", "", "`FILE` of kind Excuses: mutants that need not be noticed, each with its reason")
	bindSettings(cmd, ofRuns, ofSuites)
	return cmd
}

func runMutate(o *MutateOptions) error {
	chosen, err := regexp.Compile(o.Run)
	switch {
	case err != nil:
		return usage(InvalidFlag, "", "--run: %v", err)
	case o.Threshold < 0 || o.Threshold > 100:
		return usage(InvalidFlag, "want a whole number from 0 to 100", "%d is no value for --threshold", o.Threshold)
	}
	excuses, err := o.readExcuses(o.Excuses)
	if err != nil {
		return err
	}
	o.stopping = new(atomic.Bool)
	list, err := o.loadOrShipped(o.Paths)
	if err != nil {
		return err
	}
	var mutants []suite.Mutant
	for _, m := range suite.Mutants(list) {
		if chosen.MatchString(m.ID) {
			mutants = append(mutants, m)
		}
	}
	if len(mutants) == 0 {
		return emptySelection{asList(usage(suite.NothingSelected, "harness mutate PATH -v lists all", "no mutant is chosen by --run %s", o.Run))}
	}
	live := o.counter(len(mutants))
	mutation := suite.Mutation{Workers: o.suiteWorkers(), Goldens: len(o.Paths) > 0, Stop: o.stopping.Load, Progress: live.show}
	done, red, whole := mutation.Run(list, mutants)
	live.end()
	m := &report.Mutation{Scenarios: len(list), Red: red, Interrupted: !whole}
	for i := range done {
		m.Mutants = append(m.Mutants, mutant(&done[i]))
	}
	failed := excuse(m, excuses, o.Run == "" && whole)
	if n := m.Count(); !n.Reaches(o.Threshold) {
		failed = true
		m.Notes = append(m.Notes, fmt.Sprintf("the score is %.1f %%, below the threshold of %d %%", n.Score(), o.Threshold))
	}
	if err := o.print(m); err != nil {
		return err
	}
	switch {
	case m.Interrupted:
		return said(CouldNotComplete)
	case failed:
		return said(ScenarioFailed)
	}
	return nil
}

func (o *MutateOptions) print(m *report.Mutation) error {
	if o.set.Format == JSON {
		return report.WriteMutationJSON(o.out, m)
	}
	return report.WriteMutation(o.stdout(), m, o.set.Verbose > 0)
}

func mutant(m *suite.Mutated) report.Mutant {
	one := report.Mutant{ID: m.ID, Gate: m.Gate, Code: m.Code, Lets: m.Lets, Asked: m.Asked}
	if m.Killer != nil {
		one.Killer = m.Killer.ID
	}
	return one
}

// excuse notes why mutants survive. An excuse for one that is noticed, or for one
// that is not there, is a failure where all were asked.
func excuse(m *report.Mutation, excuses *scenarios.Excuses, all bool) (failed bool) {
	if excuses == nil {
		return false
	}
	byID := map[string]*report.Mutant{}
	for i := range m.Mutants {
		byID[m.Mutants[i].ID] = &m.Mutants[i]
	}
	for _, e := range excuses.Mutants {
		at := excuses.File + ":" + strconv.Itoa(e.Pos.Line) + ": the excuse for " + e.ID
		switch one := byID[e.ID]; {
		case one != nil && one.Killer == "":
			one.Excuse = e.Reason
		case one != nil:
			m.Notes = append(m.Notes, at+" is not needed: "+one.Killer+" notices it")
			failed = true
		case all:
			m.Notes = append(m.Notes, at+" is not needed: there is no such mutant")
			failed = true
		}
	}
	return failed
}

// loadOrShipped loads what paths name, or the shipped suite if they name nothing.
func (s *session) loadOrShipped(paths []string) ([]*scenarios.Scenario, error) {
	if len(paths) > 0 {
		return s.load(paths)
	}
	s.listen()
	return shipped(".")
}
