package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/report"
)

// ExplainOptions says which code to explain.
type ExplainOptions struct {
	*session
	Code string // a code, a gate, or what codes begin with
	All  bool   // list the codes
}

func newExplain(s *session, run func(*ExplainOptions) error) *cobra.Command {
	if run == nil {
		run = runExplain
	}
	return &cobra.Command{
		Use:     "explain [CODE | GATE]",
		Short:   "Say what a code means, what to do, and which scenario shows it",
		Long:    "GATE, or what several codes begin with, lists those; without either every code is listed.",
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
	some := meant(pages, o.Code)
	switch {
	case len(some) == 0:
		return usage(UnknownName, hintNear(o.Code, codeNames(), "harness explain lists the codes"), "there is no code or gate %s", quote(o.Code))
	case o.set.Format == JSON:
		return o.printJSON(report.CodesDocument(some))
	case len(some) == 1:
		return report.WriteCode(o.stdout(), some[0])
	}
	return report.WriteCodes(o.stdout(), some)
}

// meant finds the code of a name, else the codes of a gate, else those that begin
// with the name.
func meant(pages []report.CodePage, name string) []report.CodePage {
	upper := strings.ToUpper(name)
	for _, is := range []func(*diag.Code) bool{
		func(c *diag.Code) bool { return c.Name == upper },
		func(c *diag.Code) bool { return c.Gate != "" && strings.EqualFold(string(c.Gate), name) },
		func(c *diag.Code) bool { return name != "" && strings.HasPrefix(c.Name, upper) },
	} {
		var some []report.CodePage
		for _, page := range pages {
			if is(page.Code) {
				some = append(some, page)
			}
		}
		if some != nil {
			return some
		}
	}
	return nil
}

func codeNames() []string {
	var names []string
	for _, c := range AllCodes() {
		names = append(names, c.Name)
	}
	return names
}
