package cli

import (
	"fmt"

	"github.com/spf13/cobra"

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
	sources, found := suite.Find(o.Paths, o.in)
	list, more := suite.Load(sources)
	found = append(found, more...)
	if len(list) == 0 && !found.Failed() {
		return emptySelection(o.Paths)
	}
	return nil
}
