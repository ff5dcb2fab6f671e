package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/suite"
	"harness/internal/term"
)

// RunOptions says which scenarios to run and what to print of them.
type RunOptions struct {
	*session
	Paths  []string
	Expect bool
	Spans  bool
}

func newRun(s *session, run func(*RunOptions) error) *cobra.Command {
	if run == nil {
		run = runRun
	}
	o := &RunOptions{session: s}
	cmd := &cobra.Command{
		Use:   "run PATH...",
		Short: "Run scenario files",
		Long: `PATH is a file, a folder, a pattern, FILE#ID, FILE:LINE, or - for standard input.
Everything is loaded before anything is run. One scenario is shown in full, several
as a table. A scenario with an expect: block is judged by it; one without ends well
as needs_review, claimed_complete or completed.`,
		Example:     "harness run sum.yaml",
		GroupID:     work,
		Annotations: map[string]string{hasLines: eventsOfRuns},
		Args:        arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Paths = args
			return run(o)
		},
	}
	cmd.Flags().BoolVar(&o.Expect, "expect", false, "print an expect: block of what happened, to be pasted; of several scenarios, each below its id")
	cmd.Flags().BoolVar(&o.Spans, "spans", false, "print each run as a tree of spans: what took place within what, with virtual times")
	bindSettings(cmd, ofRuns)
	return cmd
}

func runRun(o *RunOptions) error {
	if o.Expect && o.set.Format != Text {
		return usage(Usage, "leave out --expect, or use --format text", "--expect prints YAML to be pasted, and has no format %s", o.set.value("format"))
	}
	if o.Spans && (o.Expect || o.set.Format != Text) {
		return usage(Usage, "leave out --spans; --format json has the spans too", "--spans prints a tree, and has no other form")
	}
	list, err := o.load(o.Paths)
	if err != nil {
		return err
	}
	switch {
	case o.Expect:
		return o.printExpect(list)
	case o.Spans:
		return o.printSpans(list)
	}
	return o.show(list, len(list) == 1, "harness run FILE#ID -v")
}

// printSpans prints the tree of each run.
func (o *RunOptions) printSpans(list []*scenarios.Scenario) error {
	o.listen()
	cases := suite.Run(list, workers())
	for i := range cases {
		if i > 0 {
			fmt.Fprintln(o.out)
		}
		if err := report.WriteSpans(o.stdout(), &cases[i]); err != nil {
			return err
		}
	}
	return verdict(cases)
}

// printExpect prints a block for each scenario, below its id if there are several.
func (o *RunOptions) printExpect(list []*scenarios.Scenario) error {
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(o.out)
		}
		if len(list) > 1 {
			fmt.Fprintf(o.out, "# %s\n", term.EscapeLine(s.ID))
		}
		if _, err := o.out.Write(suite.ExpectBlock(runner.Run(s.Config))); err != nil {
			return err
		}
	}
	return nil
}
