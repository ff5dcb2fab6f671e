package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/suite"
	"harness/internal/term"
)

// GoldenOptions says which folders to clear of goldens that nobody owns.
type GoldenOptions struct {
	*session
	Paths  []string
	DryRun bool
}

func newGolden(s *session, run func(*GoldenOptions) error) *cobra.Command {
	if run == nil {
		run = runGolden
	}
	o := &GoldenOptions{session: s}
	cmd := &cobra.Command{
		Use:   "golden prune FOLDER...",
		Short: "Remove goldens that belong to no scenario",
		Long: `A golden stands beside its scenario and is written by harness test --update. One whose
scenario is gone or renamed belongs to nobody. Every scenario below the folders must
load: else what belongs to whom is not known, and nothing is removed.`,
		Example: "harness golden prune . --dry-run",
		GroupID: work,
		Args:    arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case args[0] == "prune" && len(args) == 1:
				return usage(Usage, "usage: "+cmd.UseLine(), "golden prune needs at least one folder")
			case args[0] != "prune":
				return usage(UnknownName, hintNear(args[0], []string{"prune"}, "the only one is prune"), "golden has nothing called %s", quote(args[0]))
			}
			o.Paths = args[1:]
			return run(o)
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "list them, and remove nothing")
	return cmd
}

func runGolden(o *GoldenOptions) error {
	for _, p := range o.Paths {
		if kind, err := os.Stat(p); err == nil && !kind.IsDir() {
			return usage(Usage, "name the folder it is in", "%s is no folder", quote(p))
		}
	}
	if suite.InCI() && !o.DryRun {
		return usage(suite.UpdateRefused, "prune on your machine and commit the change, or give --dry-run", "goldens are not removed where CI is set")
	}
	list, err := o.load(o.Paths)
	if err != nil {
		return err
	}
	var left []string
	for _, p := range o.Paths {
		more, err := suite.UnreferencedGoldens(p, suite.GoldensOf(list))
		if err != nil {
			return diag.List{{File: p, Code: suite.GoldenUnreadable, Message: plain(err)}}
		}
		left = append(left, more...)
	}
	if !o.DryRun {
		for _, name := range left {
			if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
				return writeFailed(name, err)
			}
		}
	}
	return o.tell(left)
}

func (o *GoldenOptions) tell(left []string) error {
	for i, name := range left {
		left[i] = filepath.ToSlash(name)
	}
	if o.set.Format == JSON {
		return o.printJSON(report.PrunedDocument{APIVersion: apiVersion, Kind: "Pruned", Removed: !o.DryRun, Goldens: append([]string{}, left...)})
	}
	word := "removed "
	if o.DryRun {
		word = "would remove "
	}
	for _, name := range left {
		fmt.Fprintln(o.out, word+term.EscapeLine(name))
	}
	if len(left) == 0 {
		fmt.Fprintln(o.out, "every golden belongs to a scenario")
	}
	return nil
}
