package cli

import (
	"io"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/suite"
)

// DiffOptions says which recorded runs to compare.
type DiffOptions struct {
	*session
	Before, After   string
	OnlyRegressions bool
}

// mostRecorded is how large a recorded run may be, in bytes.
const mostRecorded = 1 << 30

func newDiff(s *session, run func(*DiffOptions) error) *cobra.Command {
	if run == nil {
		run = runDiff
	}
	o := &DiffOptions{session: s}
	cmd := &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Compare two recorded runs: verdicts, ends, the first decision that differs",
		Long: `BEFORE and AFTER are documents that run, test or a demo wrote with --format json; one of
them may be - for standard input. The exit code is 1 if any scenario differs or stands in
one of them only. A decision that lets more through is worse, unless the verdict got
better.`,
		Example: "harness diff before.json after.json",
		GroupID: work,
		Args:    arguments(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Before, o.After = args[0], args[1]
			return run(o)
		},
	}
	cmd.Flags().BoolVar(&o.OnlyRegressions, "only-regressions", false, "exit with 1 only if a scenario got worse or is missing")
	return cmd
}

func runDiff(o *DiffOptions) error {
	if err := onceStdin([]string{o.Before, o.After}); err != nil {
		return err
	}
	var found diag.List
	var both [2][]report.Recorded
	for i, name := range []string{o.Before, o.After} {
		var err error
		if both[i], err = o.recorded(name); err != nil {
			found = append(found, diag.Diagnostic{File: name, Code: InputUnreadable, Message: err.Error(), Hint: "write it with harness test PATH --format json"})
		}
	}
	if err := found.Err(); err != nil {
		return err
	}
	if len(both[0])+len(both[1]) == 0 {
		return emptySelection{asList(usage(suite.NothingSelected, "record a test that runs something", "neither document has a scenario"))}
	}
	c := report.Compare(both[0], both[1])
	var err error
	if o.set.Format == JSON {
		err = report.WriteComparisonJSON(o.out, c)
	} else {
		err = report.WriteComparison(o.stdout(), c)
	}
	switch {
	case err != nil:
		return err
	case c.Regress > 0, !o.OnlyRegressions && len(c.Differ) > 0:
		return said(ScenarioFailed)
	}
	return nil
}

func (o *DiffOptions) recorded(name string) ([]report.Recorded, error) {
	data, err := o.bytes(name)
	if err != nil {
		return nil, err
	}
	return report.ReadRecorded(data)
}

func (o *DiffOptions) bytes(name string) ([]byte, error) {
	if name != "-" {
		return readRegular(name, mostRecorded)
	}
	o.listen()
	return io.ReadAll(io.LimitReader(o.in, mostRecorded))
}
