package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harness/internal/diag"
)

// usage is a fault of the command line, with what to write instead.
func usage(code *diag.Code, hint, format string, args ...any) error {
	return diag.List{{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}}
}

// helpFor points to a command's help.
func helpFor(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "harness help lists the commands"
	}
	return "harness help " + cmd.Name() + " shows how it is called"
}

// hintNear is "did you mean NEAREST?", else the hint for want of one.
func hintNear(name string, candidates []string, otherwise string) string {
	if near := diag.Nearest(name, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// flagError turns what the flag parser found into a diagnostic.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		f := missing.GetFlag()
		return usage(InvalidFlag, wantOf(f), "flag --%s needs a value", f.Name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		hint := wantOf(f)
		if c, ok := f.Value.(*choice); ok {
			_, cause := c.check(invalid.GetValue())
			hint = cause.Error()
		}
		return usage(InvalidFlag, hint, "%s is no value for --%s", quote(invalid.GetValue()), f.Name)
	default:
		return usage(Usage, helpFor(cmd), "%v", err)
	}
}

func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	if shorts := err.GetSpecifiedShortnames(); shorts != "" {
		return usage(UnknownFlag, helpFor(cmd), "%s has no flag -%s", cmd.CommandPath(), err.GetSpecifiedName())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := helpFor(cmd)
	if near := diag.Nearest(err.GetSpecifiedName(), names); near != "" {
		hint = "did you mean --" + near + "?"
	}
	return usage(UnknownFlag, hint, "%s has no flag --%s", cmd.CommandPath(), clip(err.GetSpecifiedName()))
}

// wantOf says what a flag takes.
func wantOf(f *pflag.Flag) string {
	if c, ok := f.Value.(*choice); ok {
		return "want " + c.wanted()
	}
	if f.Value.Type() == "bool" {
		return "want true or false, or the flag alone"
	}
	word, use := pflag.UnquoteUsage(f)
	return "want --" + f.Name + " " + word + ": " + use
}

// arguments checks how many arguments a command got; most < 0 is any number.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least && most < 0:
			return usage(Usage, "usage: "+cmd.UseLine(), "%s needs at least %s", cmd.CommandPath(), count(least, "argument"))
		case len(args) < least:
			return usage(Usage, "usage: "+cmd.UseLine(), "%s needs %s", cmd.CommandPath(), count(least, "argument"))
		case most == 0 && len(args) > 0:
			return usage(Usage, "usage: "+cmd.UseLine(), "%s takes no arguments, got %s", cmd.CommandPath(), quote(args[0]))
		case most >= 0 && len(args) > most:
			return usage(Usage, "usage: "+cmd.UseLine(), "%s takes at most %s, got %d", cmd.CommandPath(), count(most, "argument"), len(args))
		}
		return nil
	}
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// quote shows a word of the command line.
func quote(word string) string { return strconv.Quote(clip(word)) }

// clip shortens a word of the command line for a message.
func clip(word string) string {
	const longest = 80
	n := 0
	for i := range word {
		if n == longest {
			return word[:i] + "…"
		}
		n++
	}
	return word
}
