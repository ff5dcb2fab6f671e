package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
	"harness/internal/tools"
)

// ToolsOptions says whose tools to list.
type ToolsOptions struct {
	*session
	Path string // "" is the tools of the repository alone
}

func newTools(s *session, run func(*ToolsOptions) error) *cobra.Command {
	if run == nil {
		run = runTools
	}
	return &cobra.Command{
		Use:   "tools [PATH]",
		Short: "List the tools that a scenario's model is given",
		Long: `Without PATH: the tools of the repository. PATH names one scenario (FILE, FILE#ID,
FILE:LINE) or a file of kind Tools. With --format json the list is what a client of
the Model Context Protocol sees: names, descriptions, schemas and annotations.`,
		Example: "harness tools",
		GroupID: reference,
		Args:    arguments(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			o := &ToolsOptions{session: s}
			if len(args) > 0 {
				o.Path = args[0]
			}
			return run(o)
		},
	}
}

func runTools(o *ToolsOptions) error {
	registry, err := o.registry()
	if err != nil {
		return err
	}
	if o.set.Format == JSON {
		return o.printJSON(report.ToolsDocument(registry))
	}
	return report.WriteTools(o.stdout(), registry)
}

// registry is the tools of what the path names.
func (o *ToolsOptions) registry() (*tools.Registry, error) {
	if o.Path == "" {
		return scenarios.RepositoryTools()
	}
	sources, found := suite.Find([]string{o.Path}, o.in)
	if len(sources) == 1 && !found.Failed() {
		if registry, faults := scenarios.ParseTools(sources[0].Name, sources[0].Data); registry != nil {
			_ = o.diagnose(o.err, faults)
			return registry, nil
		}
	}
	list, more := suite.Load(sources)
	found = append(found, more...)
	if err := empty(list, found, []string{o.Path}); err != nil {
		return nil, err
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	registry := list[0].Config.Machine.Registry
	for _, s := range list[1:] {
		if !bytes.Equal(s.Config.Machine.Registry.Catalogue(), registry.Catalogue()) {
			return nil, usage(Usage, "name one of them, as in FILE#ID", "the scenarios of %s have different tools", clip(o.Path))
		}
	}
	return registry, nil
}
