package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"harness/internal/report"
)

// ExplainOptions says which code to explain.
type ExplainOptions struct {
	*session
	Code string
	All  bool // list the codes
}

func newExplain(s *session, run func(*ExplainOptions) error) *cobra.Command {
	if run == nil {
		run = runExplain
	}
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Say what a code means, what to do, and which scenario shows it",
		Long:    "Without CODE every code is listed.",
		Example: "harness explain READ_REQUIRED",
		GroupID: reference,
		Args:    arguments(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o := &ExplainOptions{session: s, All: len(args) == 0}
			if len(args) == 1 {
				o.Code = args[0]
			}
			return run(o)
		},
	}
}

func runExplain(o *ExplainOptions) error {
	pages, err := codePages()
	if err != nil {
		return err
	}
	if o.All {
		if o.set.Format == JSON {
			return o.printJSON(report.CodesDocument(pages))
		}
		return report.WriteCodes(o.stdout(), pages)
	}
	for _, page := range pages {
		if page.Code.Name == strings.ToUpper(o.Code) {
			if o.set.Format == JSON {
				return o.printJSON(report.CodesDocument([]report.CodePage{page}))
			}
			return report.WriteCode(o.stdout(), page)
		}
	}
	return usage(UnknownName, hintNear(o.Code, codeNames(), "harness explain lists the codes"), "there is no code %s", quote(o.Code))
}

func codeNames() []string {
	var names []string
	for _, c := range AllCodes() {
		names = append(names, c.Name)
	}
	return names
}
