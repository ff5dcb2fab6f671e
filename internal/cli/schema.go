package cli

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harness/schema"
)

// schemaSuffix ends the name of a published schema's file.
const schemaSuffix = ".schema.json"

// SchemaOptions says which schema to print.
type SchemaOptions struct {
	*session
	Name string
}

func newSchema(s *session, run func(*SchemaOptions) error) *cobra.Command {
	if run == nil {
		run = runSchema
	}
	return &cobra.Command{
		Use:   "schema scenario|trace|result",
		Short: "Print the JSON Schema of a document",
		Long: `scenario is what a scenario file holds, trace a line of a run's --format jsonl, result
any document of --format json about runs and suites. An editor that knows the first completes and checks a
scenario while it is typed.`,
		Example: "harness schema scenario",
		GroupID: reference,
		Args:    arguments(1, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return schemaNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return run(&SchemaOptions{session: s, Name: args[0]})
		},
	}
}

func runSchema(o *SchemaOptions) error {
	names := schemaNames()
	if !slices.Contains(names, o.Name) {
		return usage(UnknownName, hintNear(o.Name, names, "want one of "+strings.Join(names, ", ")), "there is no schema %s", quote(o.Name))
	}
	text, err := fs.ReadFile(schema.FS, o.Name+schemaSuffix)
	if err != nil {
		return err
	}
	_, err = o.out.Write(text)
	return err
}

// schemaNames lists the published schemas.
func schemaNames() []string {
	// The embedded folder can always be read.
	files, _ := fs.Glob(schema.FS, "*"+schemaSuffix)
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, schemaSuffix)
	}
	return files
}
