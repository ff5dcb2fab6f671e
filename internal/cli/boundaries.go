package cli

import (
	"io"

	"github.com/spf13/cobra"

	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
)

// The folder of the shipped scenarios that show what is refused.
const boundaries = "boundaries"

// mostCall is how many bytes of a call are read from standard input. What is
// longer than the parser takes, but not by more than this, gets its own refusal.
const mostCall = 16 << 20

// BoundariesOptions says what of the boundary to show.
type BoundariesOptions struct {
	*session
	Case  string
	Call  string
	Asked bool // --call was given, "" included: an empty output is one, too
	File  string
}

func newBoundaries(s *session, run func(*BoundariesOptions) error) *cobra.Command {
	if run == nil {
		run = runBoundaries
	}
	o := &BoundariesOptions{session: s}
	cmd := &cobra.Command{
		Use:   "boundaries [--case NAME | --call JSON [FILE]]",
		Short: "Show what the program refuses, and which rule says so",
		Long: `Runs the shipped boundary cases and prints a line for each. --case shows one in full,
and takes the id of any shipped scenario, as harness list prints them.
--call puts one action to a scenario's boundary, as if a model had said these bytes, and
prints the decision: the world is FILE's, a shipped case's, or that of workflow/sum. An
answered question exits with 0, whatever the answer.`,
		Example:     `harness boundaries --call '{"type":"read","path":".env"}'`,
		GroupID:     demos,
		Annotations: map[string]string{hasLines: eventsOfRuns},
		Args:        arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Asked = cmd.Flags().Changed("call")
			if o.Case == "" && cmd.Flags().Changed("case") {
				return usage(UnknownName, "harness boundaries lists the cases", "--case names none")
			}
			if len(args) == 1 {
				o.File = args[0]
			}
			return run(o)
		},
	}
	cmd.Flags().StringVar(&o.Case, "case", "", "show the shipped scenario `NAME` in full: its id, or the last part of it")
	cmd.Flags().StringVar(&o.Call, "call", "", "ask about one action, the model's bytes as they are; - reads `JSON` from standard input")
	offer(cmd, "case", func() []string { return shippedNames(boundaries) })
	bindSettings(cmd, ofRuns)
	return cmd
}

func runBoundaries(o *BoundariesOptions) error {
	switch {
	case o.File != "" && !o.Asked:
		return usage(Usage, "harness run "+o.File+" runs a file", "a file goes with --call only")
	case o.File != "" && o.Case != "":
		return usage(Usage, "leave out one of them", "--case and a file both name the world of the call")
	case o.Asked:
		return o.answer()
	case o.Case != "":
		one, err := shippedOne(boundaries, o.Case)
		if err != nil {
			return err
		}
		return o.show([]*scenarios.Scenario{one}, true, "")
	}
	list, err := shipped(boundaries)
	if err != nil {
		return err
	}
	return o.show(list, false, "harness boundaries --case NAME")
}

// answer prints what the boundary says to one action.
func (o *BoundariesOptions) answer() error {
	world, err := o.world()
	if err != nil {
		return err
	}
	call, err := o.call()
	if err != nil {
		return err
	}
	a := runner.Ask(world.Config, call)
	switch o.set.Format {
	case JSON:
		return o.printJSON(report.AnswerDocument(world.ID, a))
	case JSONL:
		return report.WriteEvents(o.out, world.ID, a.Events)
	default:
		return report.WriteAnswer(o.stdout(), world.ID, a)
	}
}

// world finds the scenario whose boundary is asked.
func (o *BoundariesOptions) world() (*scenarios.Scenario, error) {
	switch {
	case o.Case != "":
		return shippedOne(boundaries, o.Case)
	case o.File == "":
		return shippedOne(workflows, firstRun)
	case o.File == "-" && o.Call == "-":
		return nil, onceStdin([]string{o.File, o.Call})
	}
	list, err := o.load([]string{o.File})
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, usage(Usage, "name one as FILE#ID; harness list "+o.File+" prints the ids", "%s holds %s, and a call is put to one", o.File, count(len(list), "scenario"))
	}
	return list[0], nil
}

// call is the model's output.
func (o *BoundariesOptions) call() ([]byte, error) {
	if o.Call != "-" {
		return []byte(o.Call), nil
	}
	o.listen()
	text, err := io.ReadAll(io.LimitReader(o.in, mostCall+1))
	if err != nil {
		return nil, usage(InputUnreadable, "", "standard input: %s", plain(err))
	}
	if len(text) > mostCall {
		return nil, usage(InputUnreadable, "a model's output may have 1 MiB", "standard input holds more than %d MiB", mostCall>>20)
	}
	return text, nil
}
