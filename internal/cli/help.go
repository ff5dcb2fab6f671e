package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harness/internal/term"
)

// exitCodes is the help topic that is no command.
const exitCodes = "exit-codes"

// eventsOfRuns is what --format jsonl prints of a command that runs scenarios.
const eventsOfRuns = "the events of its runs, one a line"

// linesSentence says what --format jsonl prints; empty for a command that it does not fit.
func linesSentence(cmd *cobra.Command) string {
	if what := cmd.Annotations[hasLines]; what != "" {
		return "--format jsonl prints " + what + "."
	}
	return ""
}

// HelpOptions says what help is asked for.
type HelpOptions struct {
	root  *cobra.Command
	Topic []string
}

func newHelp(s *session, run func(*HelpOptions) error) *cobra.Command {
	if run == nil {
		run = runHelp
	}
	return &cobra.Command{
		Use:         "help [COMMAND | " + exitCodes + "]",
		Short:       "Print help for a command, or the exit codes",
		Example:     "harness help " + exitCodes,
		GroupID:     reference,
		Annotations: map[string]string{noSettings: "help must work when settings do not"},
		Args:        arguments(0, 1),
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return append(commandNames(cmd.Root()), exitCodes), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(&HelpOptions{root: cmd.Root(), Topic: args})
		},
	}
}

func runHelp(o *HelpOptions) error {
	out := o.root.OutOrStdout()
	if len(o.Topic) == 0 {
		printHelp(o.root, nil)
		return nil
	}
	name := o.Topic[0]
	if name == exitCodes {
		_, err := io.WriteString(out, "Exit codes, the same for every command:\n\n"+columns(exitRows()))
		return err
	}
	for _, c := range o.root.Commands() {
		if c.Name() == name && !c.Hidden {
			printHelp(c, nil)
			return nil
		}
	}
	topics := append(commandNames(o.root), exitCodes)
	return usage(UnknownCommand, hintNear(name, topics, helpFor(o.root)), "there is no help for %s", quote(name))
}

// printHelp prints a command's help; for the root, with the table of commands.
// Write errors show when the session closes.
func printHelp(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	b.WriteString(reflow(cmd.Short))
	if cmd.Long != "" {
		b.WriteString("\n" + reflow(cmd.Long))
	}
	if line := linesSentence(cmd); line != "" {
		b.WriteString("\n" + reflow(line) + "\n")
	}
	b.WriteString("\nUsage:\n  " + cmd.UseLine() + "\n")
	if cmd.Example != "" {
		b.WriteString("\nExample:\n  $ " + cmd.Example + "\n")
	}
	for _, group := range cmd.Groups() {
		b.WriteString("\n" + group.Title + ":\n" + columns(verbs(cmd, group.ID)))
	}
	if flags := flagRows(cmd.LocalNonPersistentFlags()); len(flags) > 0 {
		b.WriteString("\nFlags:\n" + columns(flags))
	}
	b.WriteString("\nFlags of every command:\n" + columns(flagRows(cmd.Root().PersistentFlags())))
	b.WriteString("\n" + reflow(widthLine))
	b.WriteString("\nExit codes: harness help " + exitCodes + "\n")
	io.WriteString(cmd.OutOrStdout(), b.String())
}

// row is a term and what it stands for.
type row struct{ name, text string }

// verbs lists the commands of a group.
func verbs(root *cobra.Command, group string) []row {
	var rows []row
	for _, c := range root.Commands() {
		if c.GroupID == group && !c.Hidden {
			rows = append(rows, row{c.Name(), c.Short})
		}
	}
	return rows
}

// flagRows lists flags by name.
func flagRows(flags *pflag.FlagSet) []row {
	var rows []row
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		word, use := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if word != "" && f.NoOptDefVal == "" {
			name += " " + word
		}
		if f.DefValue != "" && f.NoOptDefVal == "" {
			use += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		rows = append(rows, row{name, use})
	})
	return rows
}

// reflow breaks paragraphs into lines of at most 80 columns. A line that is
// indented stays as it is.
func reflow(text string) string {
	var b strings.Builder
	paragraph := ""
	flush := func() {
		for _, line := range term.Wrap(paragraph, term.DefaultWidth) {
			b.WriteString(line + "\n")
		}
		paragraph = ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = strings.TrimSpace(paragraph + " " + line)
			continue
		}
		if paragraph != "" {
			flush()
		}
		b.WriteString(line + "\n")
	}
	if paragraph != "" {
		flush()
	}
	return b.String()
}

// columns prints rows in two columns, 80 wide.
func columns(rows []row) string {
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r.name))
	}
	var b strings.Builder
	for _, r := range rows {
		for i, line := range term.Wrap(r.text, term.DefaultWidth-widest-5) {
			name := r.name
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(&b, "  %-*s  %s\n", widest, name, line)
		}
	}
	return b.String()
}
