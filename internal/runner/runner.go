// Package runner drives runs: it feeds the machine, performs its effects, and
// sums up what came of it. This driver works in virtual time, which starts at 0,
// so a run with a scripted model has no input but its scenario.
package runner

import (
	"slices"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner/machine"
	"harness/internal/vrepo"
)

// Config is a scenario ready to run. It does not change while runs use it.
type Config struct {
	ID       string
	Title    string
	Machine  *machine.Config
	Snapshot *vrepo.Snapshot
	Script   *model.Script
	Changes  []Change // ordered by AfterStep
}

// Change is what happens to the repository outside the run, once AfterStep steps
// are over.
type Change struct {
	Where     string // place in the scenario
	AfterStep int
	Set       []vrepo.Entry
	Remove    []string
}

// Paths lists the files the change touches, in bytewise order.
func (c *Change) Paths() []string {
	paths := slices.Clone(c.Remove)
	for _, e := range c.Set {
		paths = append(paths, e.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Result is what came of a run.
type Result struct {
	Config       *Config
	Status       event.Status
	Reason       *diag.Code
	Steps        int
	ToolCalls    int
	Rejections   int
	Summary      string
	Events       []event.Event
	Observations []*event.Observation
	Edits        []Edit
	// RepoUnchanged is whether the repository holds what it held at the start and
	// what the scenario's changes put there: nothing the run did is in it.
	RepoUnchanged bool
	// Unused is how many script items were left over, from the place UnusedAt on.
	Unused   int
	UnusedAt string
	// Unmade is how many of the scenario's changes never happened, from the place
	// UnmadeAt on, because the run ended before.
	Unmade   int
	UnmadeAt string
}

// Failure is why the model gave no output; the zero value if it did not fail.
func (r *Result) Failure() event.Words {
	for i := range r.Events {
		if e := &r.Events[i]; e.Name == event.ModelFailed {
			return *e.Words()
		}
	}
	return event.Words{}
}

// Edit is an accepted proposal at the end of the run.
type Edit struct {
	*event.Edit
	Stale bool // the file has changed since the edit was accepted
}

// Run runs a scenario to its end.
func Run(cfg *Config) *Result {
	player := cfg.Script.Play()
	d := &driver{cfg: cfg, machine: machine.New(cfg.Machine), model: player, expected: cfg.Snapshot}
	d.drive()
	r := d.result()
	r.UnusedAt, r.Unused = player.Leftover()
	return r
}

// driver performs one run's effects.
type driver struct {
	cfg      *Config
	machine  *machine.Machine
	model    model.Model
	changes  int             // of cfg.Changes, already made
	expected *vrepo.Snapshot // the start with those changes
}

func (d *driver) drive() {
	_, effect := d.machine.Step(machine.Input{Kind: machine.Start, Snapshot: d.cfg.Snapshot})
	for effect.Kind != machine.Done {
		_, effect = d.machine.Step(d.perform(effect))
	}
}

// perform does what an effect asks and gives the input that answers it.
func (d *driver) perform(e machine.Effect) machine.Input {
	switch e.Kind {
	case machine.AskModel:
		raw, failure := d.model.Next(model.Request{Step: e.Step, Context: e.View, Past: d.machine.State()})
		if failure != nil {
			return machine.Input{Kind: machine.ModelFailed, Failure: failure}
		}
		return machine.Input{Kind: machine.ModelOutput, Raw: raw}
	case machine.CallTool:
		return machine.Input{Kind: machine.ToolResult, Outcome: d.cfg.Machine.Table.Perform(e.Command)}
	default:
		if change := d.due(e.Step); change != nil {
			return machine.Input{Kind: machine.WorldChanged, Change: change}
		}
		return machine.Input{Kind: machine.Proceed}
	}
}

// due makes the next change that has to happen before a further step.
func (d *driver) due(step int) *event.Change {
	if d.changes == len(d.cfg.Changes) || d.cfg.Changes[d.changes].AfterStep > step {
		return nil
	}
	change := &d.cfg.Changes[d.changes]
	d.changes++
	// Faults were reported when the scenario was loaded; an entry that has one
	// is left out.
	d.expected, _ = d.expected.With(change.Set, change.Remove)
	return &event.Change{Paths: change.Paths(), Snapshot: d.expected}
}

func (d *driver) result() *Result {
	s := d.machine.State()
	r := &Result{
		Config: d.cfg, Status: s.Status, Reason: s.Reason,
		Steps: s.Used.Steps, ToolCalls: s.Used.ToolCalls, Rejections: s.Used.Rejections,
		Summary: s.Summary, Events: d.machine.Events(), Observations: s.Observations,
		RepoUnchanged: same(s.Snapshot, d.replayed()),
	}
	if left := d.cfg.Changes[d.changes:]; len(left) > 0 {
		r.Unmade, r.UnmadeAt = len(left), left[0].Where
	}
	if len(s.Edits) > 0 {
		r.Edits = make([]Edit, len(s.Edits))
	}
	for i, e := range s.Edits {
		f, ok := s.Snapshot.File(e.Path)
		r.Edits[i] = Edit{Edit: e, Stale: !ok || f.Hash() != e.BaseHash}
	}
	return r
}

// replayed is the start with the changes made so far, made anew.
func (d *driver) replayed() *vrepo.Snapshot {
	s := d.cfg.Snapshot
	for i := range d.cfg.Changes[:d.changes] {
		s, _ = s.With(d.cfg.Changes[i].Set, d.cfg.Changes[i].Remove)
	}
	return s
}

// same compares two snapshots byte for byte.
func same(a, b *vrepo.Snapshot) bool {
	return a == b || slices.EqualFunc(a.Files(), b.Files(), func(x, y *vrepo.File) bool {
		return x.Path() == y.Path() && x.Executable() == y.Executable() && x.Text() == y.Text()
	})
}
