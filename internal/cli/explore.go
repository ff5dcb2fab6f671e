package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/explore"
	"harness/internal/policy"
	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
	shippedsuite "harness/scenarios"
)

// ExploreOptions says which world to go through, and how far.
type ExploreOptions struct {
	*session
	Path       string // "" is the shipped workflow
	Depth      int
	MaxStates  int
	Only, Skip string
	Invariants []string
	Weaken     string
	First      bool
	List       bool
	Out        string // a folder
	Force      bool
}

func newExplore(s *session, run func(*ExploreOptions) error) *cobra.Command {
	if run == nil {
		run = runExplore
	}
	o := &ExploreOptions{session: s}
	cmd := &cobra.Command{
		Use:   "explore [PATH]",
		Short: "Try every sequence of actions of a small world, and check what must always hold",
		Long: `Goes through everything a model could say in a scenario's world, up to a depth: its
tools, paths, right and stale and foreign hashes, edits, and every answer of a person.
After each step it checks what must be true of any run, whatever the table of checks
says, and the scenario's own invariants. A violation is written out as the shortest
scenario that reproduces it. PATH names one scenario, as in FILE#ID; without it the
shipped workflow is taken.`,
		Example: "harness explore sum.yaml --depth 3",
		GroupID: work,
		Args:    arguments(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Path = args[0]
			}
			return run(o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Depth, "depth", explore.DefaultDepth, "outputs of the model, at most `N`")
	f.IntVar(&o.MaxStates, "max-states", explore.DefaultMaxStates, "give up after `N` states; what was left out is said, and the exit code is 4")
	f.StringVar(&o.Only, "only", "", "only what can be said that matches the regular expression `RE`")
	f.StringVar(&o.Skip, "skip", "", "nothing that matches the regular expression `RE`")
	f.StringArrayVar(&o.Invariants, "invariant", nil, "`EXPR` must hold in every state, beside the scenario's own invariants")
	f.StringVar(&o.Weaken, "weaken", "", "leave out the `CHECK` of the boundary, to see it missed; what is found is written only with --out")
	f.BoolVar(&o.First, "first", false, "end at the first violation")
	f.BoolVarP(&o.List, "list", "l", false, "list what can be said, and try nothing")
	f.StringVar(&o.Out, "out", "", "the `FOLDER` for scenarios that reproduce violations; without it that of the scenario")
	f.BoolVar(&o.Force, "force", false, "overwrite scenarios in it")
	return cmd
}

func runExplore(o *ExploreOptions) error {
	o.stopping = new(atomic.Bool)
	one, data, err := o.one()
	if err != nil {
		return err
	}
	search, err := o.options(one)
	if err != nil {
		return err
	}
	if o.set.Format == Text {
		if err := report.WriteAlphabet(o.stdout(), search.Alphabet, explore.DefaultAnswers()); err != nil || o.List {
			return err
		}
		if err := o.out.Flush(); err != nil {
			return err
		}
	}
	live, began := o.counter(0), time.Now()
	search.Progress = func(p explore.Progress) {
		live.say(fmt.Sprintf("depth %d: %d states, %d transitions, %d to go on from", p.Depth, p.States, p.Transitions, p.Waiting))
	}
	e := &report.Exploration{ID: one.ID, Depth: search.Depth, Weakest: o.Weaken, Result: explore.Run(one, *search)}
	live.end()
	taken := time.Since(began)
	if e.Wrote, err = o.write(one, data, e.Result); err != nil {
		return err
	}
	if err := o.print(e); err != nil {
		return err
	}
	if s := taken.Seconds(); s > 0 {
		o.note("%s in %s, %.0f a second", count(e.Result.Transitions, "transition"), taken.Round(time.Millisecond), float64(e.Result.Transitions)/s)
	}
	switch {
	case e.Result.Violated > 0:
		return said(ScenarioFailed)
	case !e.Result.Complete():
		return said(CouldNotComplete)
	}
	return nil
}

func (o *ExploreOptions) print(e *report.Exploration) error {
	if o.set.Format == JSON {
		return report.WriteExplorationJSON(o.out, e)
	}
	return report.WriteExploration(o.stdout(), e)
}

// one loads the scenario to explore, and its file.
func (o *ExploreOptions) one() (*scenarios.Scenario, []byte, error) {
	if o.Path == "" {
		o.listen()
		one, err := shippedOne("workflow", "workflow/sum")
		if err != nil {
			return nil, nil, err
		}
		data, err := shippedsuite.FS.ReadFile(one.File)
		return one, data, err
	}
	list, sources, err := o.loadSources([]string{o.Path})
	if err != nil {
		return nil, nil, err
	}
	if len(list) > 1 {
		const most = 8
		var ids []string
		for _, s := range list[:min(len(list), most)] {
			ids = append(ids, s.ID)
		}
		if more := len(list) - most; more > 0 {
			ids = append(ids, fmt.Sprintf("and %d more", more))
		}
		return nil, nil, usage(Usage, "name one as FILE#ID: "+strings.Join(ids, ", "), "%s holds %s, and one world is explored at a time", quote(o.Path), count(len(list), "scenario"))
	}
	return list[0], sources[0].Data, nil
}

// options reads what the flags say of the search.
func (o *ExploreOptions) options(one *scenarios.Scenario) (*explore.Options, error) {
	var found diag.List
	fault := func(hint, format string, args ...any) {
		found = append(found, diag.Diagnostic{Code: InvalidFlag, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	if o.Depth < 1 || o.MaxStates < 1 {
		fault("", "--depth and --max-states are at least 1")
	}
	only, err := regexp.Compile(o.Only)
	if err != nil {
		fault("", "--only: %v", err)
	}
	skip, err := regexp.Compile(o.Skip)
	if err != nil {
		fault("", "--skip: %v", err)
	}
	search := &explore.Options{
		Depth: o.Depth, MaxStates: o.MaxStates, First: o.First, Alphabet: explore.AlphabetOf(one), Stop: o.stopping.Load,
	}
	for i := range one.Invariants {
		search.Invariants = append(search.Invariants, &explore.Invariant{Name: "invariants[" + strconv.Itoa(i) + "]", Program: one.Invariants[i].Program})
	}
	for _, source := range o.Invariants {
		invariant, f := explore.Compile(one.Config, source, source)
		if f != nil {
			fault(f.Hint, "--invariant %s: %s", quote(source), f.Message)
			continue
		}
		search.Invariants = append(search.Invariants, invariant)
	}
	if o.Weaken != "" {
		if search.Table = o.weakened(one, fault); search.Table == nil && found == nil {
			return nil, diag.List{{Code: InternalError, Message: "the check cannot be left out"}}
		}
	}
	if found != nil {
		return nil, found
	}
	search.Alphabet = search.Alphabet.Keep(func(s explore.Symbol) bool {
		return only.MatchString(s.Name) && (o.Skip == "" || !skip.MatchString(s.Name))
	})
	if len(search.Alphabet.Symbols) == 0 {
		return nil, emptySelection{diag.List{{Code: suite.NothingSelected, Message: "nothing is left that could be said", Hint: "harness explore --list shows what there is"}}}
	}
	return search, nil
}

// weakened is the scenario's table of checks without one.
func (o *ExploreOptions) weakened(one *scenarios.Scenario, fault func(hint, format string, args ...any)) *policy.Table {
	weak, ok := one.Config.Machine.Table.Without(o.Weaken)
	if ok {
		return weak
	}
	checks := one.Config.Machine.Table.Checks()
	ids := make([]string, len(checks))
	for i := range checks {
		ids[i] = checks[i].ID
	}
	fault(hintNear(o.Weaken, ids, "want one of "+strings.Join(ids, ", ")), "the boundary has no check %s", quote(o.Weaken))
	return nil
}

// write writes a scenario for each kind of violation; one of a boundary weakened on
// purpose only where that was asked for. What is there already stays, unless it is the
// same or --force is given.
func (o *ExploreOptions) write(one *scenarios.Scenario, data []byte, r *explore.Result) ([]string, error) {
	folder, own := o.Out, ""
	if o.Path != "" && one.File != "-" {
		own = filepath.Dir(one.File)
	}
	origin := &explore.Origin{Data: data, Case: one.Case, Invariants: o.Invariants, Weakened: o.Weaken}
	if folder == "" && o.Weaken != "" {
		return nil, nil
	}
	if folder == "" {
		folder = own
	} else if own != "" {
		from, err := relative(folder, own)
		if err != nil {
			return nil, writeFailed(folder, err)
		}
		if from != "." {
			origin.From = from
		}
	}
	var wrote []string
	for _, v := range r.Violations {
		text, err := v.Scenario(origin)
		if err != nil {
			return wrote, diag.List{{Code: InternalError, Message: "the violation cannot be written as a scenario: " + err.Error()}}
		}
		name := filepath.Join(folder, "explored-"+v.Slug()+".yaml")
		if old, err := readRegular(name, scenarios.MaxSize); err == nil && !o.Force && !bytes.Equal(old, text) {
			o.note("%s exists and is kept; --force overwrites it", name)
			continue
		}
		if err := suite.WriteFile(name, text); err != nil {
			return wrote, writeFailed(name, err)
		}
		wrote = append(wrote, filepath.ToSlash(name))
	}
	return wrote, nil
}

// relative is the way from one folder to another, with / between.
func relative(from, to string) (string, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	if to, err = filepath.Abs(to); err != nil {
		return "", err
	}
	way, err := filepath.Rel(from, to)
	return filepath.ToSlash(way), err
}
