package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/suite"
)

// ValidateOptions says which files to check.
type ValidateOptions struct {
	*session
	Paths []string
}

func newValidate(s *session, run func(*ValidateOptions) error) *cobra.Command {
	if run == nil {
		run = runValidate
	}
	return &cobra.Command{
		Use:   "validate PATH...",
		Short: "Check scenario files without running them",
		Long: `Every fault is reported at once, as FILE:LINE:COLUMN: CODE message. The findings are
this command's result, so they go to standard output. PATH is what run takes.`,
		Example: "harness validate sum.yaml",
		GroupID: work,
		Args:    arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			return run(&ValidateOptions{session: s, Paths: args})
		},
	}
}

func runValidate(o *ValidateOptions) error {
	if err := onceStdin(o.Paths); err != nil {
		return err
	}
	o.listen()
	sources, found := suite.Find(o.Paths, o.in)
	list, more := suite.Load(sources)
	found = append(found, more...)
	// A file of tools holds no scenario, and is valid all the same.
	if len(sources) == 0 || found.Failed() {
		if err := empty(list, found, o.Paths); err != nil {
			return err
		}
	}
	if err := o.findings(found); err != nil {
		return err
	}
	if code := exitOfList(found); code != AsExpected {
		return said(code)
	}
	if o.set.Format == Text {
		fmt.Fprintf(o.out, "%s in %s: valid\n", count(len(list), "scenario"), count(len(sources), "file"))
	}
	return nil
}

// findings prints what was found, on standard output: it is what was asked for.
func (o *ValidateOptions) findings(found diag.List) error {
	if o.set.Format == JSON {
		return o.printJSON(report.DiagnosticsDocument(found))
	}
	return report.WriteDiagnostics(o.stdout(), found)
}
