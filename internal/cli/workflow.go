package cli

import (
	"github.com/spf13/cobra"

	"harness/internal/scenarios"
)

// The folder of the shipped scenarios that show a whole run, and the one shown
// if none is named.
const (
	workflows = "workflow"
	firstRun  = "sum"
)

// WorkflowOptions says which shipped scenario to run.
type WorkflowOptions struct {
	*session
	Name string
}

func newWorkflow(s *session, run func(*WorkflowOptions) error) *cobra.Command {
	if run == nil {
		run = runWorkflow
	}
	cmd := &cobra.Command{
		Use:   "workflow [NAME]",
		Short: "Run a shipped scenario from question to preview",
		Long: `A scripted model repairs a function: it searches, reads, proposes one edit, and
finishes. Every step shows what was decided; the edit waits for a person and the
repository is unchanged. NAME is another shipped scenario: its id, as harness list
prints it, or the last part of it.`,
		Example:     "harness workflow",
		GroupID:     demos,
		Annotations: map[string]string{hasLines: eventsOfRuns},
		Args:        arguments(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return shippedNames(workflows), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o := &WorkflowOptions{session: s, Name: firstRun}
			if len(args) == 1 {
				o.Name = args[0]
			}
			return run(o)
		},
	}
	bindSettings(cmd, ofRuns)
	return cmd
}

func runWorkflow(o *WorkflowOptions) error {
	one, err := shippedOne(workflows, o.Name)
	if err != nil {
		return err
	}
	return o.show([]*scenarios.Scenario{one}, true, "")
}
