// Package runner drives runs: it feeds the machine, performs its effects, and
// sums up what came of it. This driver works in virtual time, which starts at 0,
// so a run with a scripted model has no input but its scenario.
package runner

import (
	"slices"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools/fixture"
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
	Timed    []Change // ordered by At
	// World is what lies outside the repository; nil for nothing.
	World *fixture.Blueprint
	Human []Reply // the answers of persons, in the order of the questions
	// Verifier says whether the goal is reached, Handoff whether a person has to take
	// over; compiled over [EndVariables]. nil is not asked.
	Verifier, Handoff *expression.Program
}

// Change is what happens outside the run: once AfterStep steps are over, or at a
// time.
type Change struct {
	Where     string // place in the scenario
	AfterStep int
	At        time.Duration // of a timed change
	Set       []vrepo.Entry
	Remove    []string
	World     []WorldChange
	Order     *event.Order
	Reply     *Reply // to a question that was postponed
}

// WorldChange puts a value into the world, or takes it out.
type WorldChange struct {
	Collection, Key string
	Value           strictjson.Value // unset takes the entry out
}

// touchesFiles reports whether the change is about the repository.
func (c *Change) touchesFiles() bool { return len(c.Set)+len(c.Remove) > 0 }

// onlyTime reports whether the change is nothing but time that passes.
func (c *Change) onlyTime() bool {
	return !c.touchesFiles() && len(c.World) == 0 && c.Order == nil && c.Reply == nil
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
	// Standing is what the run came to outside the repository: acts, questions, costs.
	Standing *policy.Standing
	Verified machine.Verified
	// Handoff is what a person needs to take over, nil if nobody has to.
	Handoff *event.Handoff
	// World is what lies outside, as it is at the end; nil if there is nothing.
	World *fixture.World
	// Unused is how many script items were left over, from the place UnusedAt on.
	Unused   int
	UnusedAt string
	// Unmade is how many of the scenario's changes never happened, from the place
	// UnmadeAt on, because the run ended before.
	Unmade   int
	UnmadeAt string
	// Unsaid is how many answers of persons were never asked for, from the place
	// UnsaidAt on.
	Unsaid   int
	UnsaidAt string
	// Unstruck is how many faults never struck, from the place UnstruckAt on.
	Unstruck   int
	UnstruckAt string
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

// Run runs a scenario to its end, or until it waits for a person who says nothing.
func Run(cfg *Config) *Result {
	player := cfg.Script.Play()
	d := newDriver(cfg, player)
	d.drive()
	r := d.result()
	r.UnusedAt, r.Unused = player.Leftover()
	return r
}

func (d *driver) result() *Result {
	s := d.machine.State()
	r := &Result{
		Config: d.cfg, Status: s.Status, Reason: s.Reason,
		Steps: s.Used.Steps, ToolCalls: s.Used.ToolCalls, Rejections: s.Used.Rejections,
		Summary: s.Summary, Events: d.machine.Events(), Observations: s.Observations,
		RepoUnchanged: same(s.Snapshot, d.replayed()),
		Standing:      &s.Standing, Verified: s.Verified, Handoff: s.Handoff, World: d.world,
	}
	if s.Status == event.WaitingConfirmation {
		r.Reason, r.Handoff = policy.UserConfirmationRequired, d.machine.Handoff()
	}
	d.leftOver(r)
	if len(s.Edits) > 0 {
		r.Edits = make([]Edit, len(s.Edits))
	}
	for i, e := range s.Edits {
		f, ok := s.Snapshot.File(e.Path)
		r.Edits[i] = Edit{Edit: e, Stale: !ok || f.Hash() != e.BaseHash}
	}
	return r
}

// leftOver counts what the scenario announced and the run never came to.
func (d *driver) leftOver(r *Result) {
	for _, left := range [][]Change{d.cfg.Changes[d.changes:], d.cfg.Timed[d.timed:]} {
		for i := range left {
			if left[i].onlyTime() {
				continue // there is nothing in it that could have been tested
			}
			if r.Unmade == 0 {
				r.UnmadeAt = left[i].Where
			}
			r.Unmade++
		}
	}
	if d.world != nil {
		if left := d.world.Unstruck(); len(left) > 0 {
			r.Unstruck, r.UnstruckAt = len(left), left[0].Where
		}
	}
	if left := d.cfg.Human[d.replies:]; len(left) > 0 {
		r.Unsaid, r.UnsaidAt = len(left), left[0].Where
	}
}

// replayed is the start with the changes made so far, made anew.
func (d *driver) replayed() *vrepo.Snapshot {
	s := d.cfg.Snapshot
	for _, c := range d.filesChanged {
		s, _ = s.With(c.Set, c.Remove)
	}
	return s
}

// same compares two snapshots byte for byte.
func same(a, b *vrepo.Snapshot) bool {
	return a == b || slices.EqualFunc(a.Files(), b.Files(), func(x, y *vrepo.File) bool {
		return x.Path() == y.Path() && x.Executable() == y.Executable() && x.Text() == y.Text()
	})
}
