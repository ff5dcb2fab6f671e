package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// CompletionOptions says for which shell.
type CompletionOptions struct {
	*session
	root  *cobra.Command
	Shell string
}

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func newCompletion(s *session, run func(*CompletionOptions) error) *cobra.Command {
	if run == nil {
		run = runCompletion
	}
	return &cobra.Command{
		Use:         "completion bash|zsh|fish|powershell",
		Short:       "Print a shell's completion script",
		Long:        "Load it in the shell's start file; for bash: source <(harness completion bash)",
		Example:     "harness completion bash",
		GroupID:     program,
		Annotations: map[string]string{noSettings: "a start file must not depend on the folder it is read in"},
		Args:        arguments(1, 1),
		ValidArgs:   shells(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(&CompletionOptions{session: s, root: cmd.Root(), Shell: args[0]})
		},
	}
}

func runCompletion(o *CompletionOptions) error {
	switch o.Shell {
	case "bash":
		return o.root.GenBashCompletionV2(o.out, true)
	case "zsh":
		return o.root.GenZshCompletion(o.out)
	case "fish":
		return o.root.GenFishCompletion(o.out, true)
	case "powershell":
		return o.root.GenPowerShellCompletionWithDesc(o.out)
	default:
		return usage(UnknownName, "want one of "+strings.Join(shells(), ", "), "there is no completion for %s", quote(o.Shell))
	}
}
