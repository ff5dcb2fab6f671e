package cli

import (
	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/scenarios"
)

// ListOptions says what to list.
type ListOptions struct {
	*session
	Paths []string // none is the shipped suite
}

func newList(s *session, run func(*ListOptions) error) *cobra.Command {
	if run == nil {
		run = runList
	}
	return &cobra.Command{
		Use:     "list [PATH...]",
		Short:   "List scenarios: those of the paths, or the shipped ones",
		Long:    "Prints each scenario's id, title and tags. PATH is what run takes.",
		Example: "harness list",
		GroupID: work,
		Args:    arguments(0, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			return run(&ListOptions{session: s, Paths: args})
		},
	}
}

func runList(o *ListOptions) error {
	list, err := o.listed()
	if err != nil {
		return err
	}
	if o.set.Format == JSON {
		return o.printJSON(report.ListDocument(list))
	}
	return report.WriteList(o.stdout(), list)
}

func (o *ListOptions) listed() ([]*scenarios.Scenario, error) {
	if len(o.Paths) == 0 {
		return shipped(".")
	}
	return o.load(o.Paths)
}
