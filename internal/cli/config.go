package cli

import (
	"github.com/spf13/cobra"

	"harness/internal/term"
)

// ConfigOptions has no choices of its own.
type ConfigOptions struct {
	*session
}

// configDocument is the effective settings, for programs.
type configDocument struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Settings   []effective `json:"settings"`
}

func newConfig(s *session, run func(*ConfigOptions) error) *cobra.Command {
	if run == nil {
		run = runConfig
	}
	return &cobra.Command{
		Use:   "config",
		Short: "Print the effective settings and where each comes from",
		Long: `A flag stands over an environment variable, which stands over ` + settingsFile + ` in the
working directory. An empty variable counts as unset. NO_COLOR and FORCE_COLOR stand
over the file's color, too. An unknown key is an error.`,
		Example: "harness config",
		GroupID: program,
		Args:    arguments(0, 0),
		RunE:    func(*cobra.Command, []string) error { return run(&ConfigOptions{session: s}) },
	}
}

func runConfig(o *ConfigOptions) error {
	if o.set.Format == JSON {
		return o.printJSON(configDocument{APIVersion: apiVersion, Kind: "Config", Settings: o.set.sources})
	}
	t := &term.Table{Indent: 2}
	t.Head("setting", "value", "from", "variable")
	for _, s := range o.set.sources {
		t.Row(term.Accent.Cell(s.Key), term.Text(s.Value), term.Text(s.Source), term.Dim.Cell(s.Env))
	}
	return t.Print(o.stdout())
}
