package cli

import (
	"github.com/spf13/cobra"
)

// What a command's annotations say of it, with the reason as value.
const (
	hasLines   = "events"      // what it prints line by line, as a part of a sentence
	noSettings = "no-settings" // it works the same under all settings
)

// The groups of commands, in the order of the help.
const (
	demos     = "demos"
	work      = "work"
	reference = "reference"
	program   = "program"
)

// newRoot builds the tree of commands. It reads nothing.
func newRoot(s *session) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "harness COMMAND",
		Short: "Runs the program side of an AI agent and shows why each action was allowed or refused.",
		Long: `A model proposes actions; the program decides each by rules it can check, executes
what is allowed, and hands a person a preview to review. A scenario is one YAML
file with a world, a task, a model and expectations. With a scripted model the
same file gives the same bytes on every machine.`,
		Example:           "harness workflow",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return s.open(cmd) },
		Args:              knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return runVersion(&VersionOptions{session: s})
			}
			return usage(Usage, "harness help lists the commands; harness workflow shows a run", "no command given")
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version, like the command of that name")
	flags := root.PersistentFlags()
	flags.BoolP("help", "h", false, "print help for the command")
	bindSettings(root, ofAll)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	root.AddGroup(
		&cobra.Group{ID: demos, Title: "Start here"},
		&cobra.Group{ID: work, Title: "Your own scenarios"},
		&cobra.Group{ID: reference, Title: "Reference"},
		&cobra.Group{ID: program, Title: "The program"},
	)
	root.SetHelpCommandGroupID(reference)
	root.SetHelpCommand(newHelp(s, nil))
	root.AddCommand(
		newWorkflow(s, nil), newBoundaries(s, nil),
		newTest(s, nil), newRun(s, nil), newMutate(s, nil), newExplore(s, nil), newDiff(s, nil), newGolden(s, nil), newValidate(s, nil), newList(s, nil), newNew(s, nil),
		newExplain(s, nil), newSchema(s, nil), newTools(s, nil),
		newConfig(s, nil), newVersion(s, nil), newCompletion(s, nil),
	)
	root.InitDefaultHelpCmd()
	return root
}

// offer completes a flag's value with words, found when they are asked for. The
// flag exists, so this cannot fail.
func offer(cmd *cobra.Command, flag string, words func() []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
}

// knownCommand refuses what is left on the command line when no command of that
// name was found.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(UnknownCommand, hintNear(args[0], commandNames(root), helpFor(root)), "there is no command %s", quote(args[0]))
}

// commandNames lists the commands a person may type.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// commandsWithLines lists the commands that can print events.
func commandsWithLines(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Annotations[hasLines] != "" {
			names = append(names, c.Name())
		}
	}
	return names
}
