package runner

import (
	"time"

	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/vrepo"
)

// driver performs one run's effects in virtual time.
type driver struct {
	cfg          *Config
	machine      *machine.Machine
	model        model.Model
	world        *fixture.World
	now          time.Duration
	changes      int             // of cfg.Changes, already made
	timed        int             // of cfg.Timed, already made
	replies      int             // of cfg.Human, already given
	expected     *vrepo.Snapshot // the start with those changes
	filesChanged []*Change       // those of files among them, in order
	pending      []item          // what will happen, in no order
	seen         observed
	made         int         // items so far: the order of what happens at one time
	active       *activeCall // that the machine waits for
}

func newDriver(cfg *Config, m model.Model) *driver {
	d := &driver{cfg: cfg, machine: machine.New(cfg.Machine), model: m, expected: cfg.Snapshot}
	if cfg.World != nil {
		d.world = fixture.NewWorld(cfg.World)
	}
	return d
}

func (d *driver) drive() {
	_, effect := d.machine.Step(machine.Input{Kind: machine.Start, Snapshot: d.cfg.Snapshot})
	for effect.Kind != machine.Done {
		in, happens := d.perform(&effect)
		if !happens {
			return // a person is waited for, who says nothing
		}
		_, effect = d.machine.Step(in)
	}
	for in, happens := d.await(); happens; in, happens = d.await() {
		d.machine.Step(in)
	}
}

// perform does what an effect asks and gives the input that comes next. It is false
// if nothing ever will.
func (d *driver) perform(e *machine.Effect) (machine.Input, bool) {
	in := machine.Input{At: d.now}
	switch e.Kind {
	case machine.AskModel:
		raw, failure := d.model.Next(model.Request{Step: e.Step, Context: e.View, Past: d.machine.State()})
		in.Kind, in.Raw, in.Failure = machine.ModelOutput, raw, failure
		if failure != nil {
			in.Kind = machine.ModelFailed
		}
	case machine.CallTool:
		return d.call(e)
	case machine.Yield:
		if due, ok := d.due(e.Step); ok {
			return due, true
		}
		in.Kind = machine.Proceed
	case machine.Inspect:
		in.Kind, in.Facts = machine.Inspected, d.inspect(e.Call)
	case machine.Evaluate:
		in.Kind, in.Facts = machine.Evaluated, d.evaluate(e.Question)
	default:
		return d.arrange(e)
	}
	return in, true
}

// arrange arranges what the other effects ask for, and waits.
func (d *driver) arrange(e *machine.Effect) (machine.Input, bool) {
	switch e.Kind {
	case machine.Sleep:
		d.tickAt(e.Deadline)
	case machine.Signal:
		d.stopCall(e.Deadline)
	case machine.LookUp:
		call := e.Call // the effect itself does not outlive this
		d.schedule(d.now+lookupTakes(call), rankAnswer, func() (machine.Input, bool) {
			found := d.lookup(call)
			return machine.Input{Kind: machine.LookedUp, Found: &found}, true
		})
	case machine.AskPerson:
		d.askPerson(e.Confirmation)
	case machine.WaitPaused:
		if due, ok := d.due(d.machine.State().Used.Steps); ok {
			return due, true
		}
	}
	return d.await()
}

// due makes the next change that has to happen before a further step.
func (d *driver) due(step int) (machine.Input, bool) {
	if d.timed < len(d.cfg.Timed) && d.cfg.Timed[d.timed].At <= d.now {
		d.timed++
		return d.change(&d.cfg.Timed[d.timed-1]), true
	}
	if d.changes == len(d.cfg.Changes) || d.cfg.Changes[d.changes].AfterStep > step {
		return machine.Input{}, false
	}
	d.changes++
	return d.change(&d.cfg.Changes[d.changes-1]), true
}

// change makes a change. One that the run cannot see is only time that passes.
func (d *driver) change(c *Change) machine.Input {
	in := machine.Input{Kind: machine.Tick, At: d.now}
	switch {
	case c.Order != nil:
		in.Kind, in.Order = machine.Ordered, c.Order
	case c.Reply != nil:
		in.Kind, in.Answer = machine.Answered, d.answer(c.Reply, nil)
	case c.touchesFiles():
		// Faults were reported when the scenario was loaded; an entry that has one
		// is left out.
		d.expected, _ = d.expected.With(c.Set, c.Remove)
		d.filesChanged = append(d.filesChanged, c)
		in.Kind, in.Change = machine.FilesChanged, &event.Change{Paths: c.Paths(), Snapshot: d.expected}
	case len(c.World) > 0:
		in.Kind, in.Change = machine.WorldChanged, &event.Change{Paths: d.changeWorld(c.World)}
	}
	return in
}

// changeWorld makes changes outside and names what they touch.
func (d *driver) changeWorld(changes []WorldChange) []string {
	touched := make([]string, len(changes))
	for i := range changes {
		w := &changes[i]
		operation := fixture.Put
		if w.Value.IsZero() {
			operation = fixture.Delete
		}
		_ = d.world.Apply(operation, w.Collection, w.Key, w.Value) // an entry that is gone already stays so
		touched[i] = w.Collection + "/" + w.Key
	}
	return touched
}

// activeCall is an attempt under way.
type activeCall struct {
	command  *policy.Command
	call     *tools.Call
	outcome  tools.Outcome
	late     machine.LateCall
	happened bool
	heeds    bool
	over     bool // its answer has been given
}

// call starts an attempt. One that takes no time is over at once.
func (d *driver) call(e *machine.Effect) (machine.Input, bool) {
	if e.Call == nil { // a tool of the repository
		return machine.Input{Kind: machine.ToolResult, At: d.now, Outcome: d.cfg.Machine.Table.Perform(e.Command)}, true
	}
	e.Call.World = d.world
	a := &activeCall{command: e.Command, call: e.Call}
	a.late = machine.LateCall{
		Step: int32(e.Step), Tool: e.Call.Tool.Contract().Name, Resource: e.Call.Resource, Act: e.Call.Act, Attempt: e.Call.Attempt,
	}
	a.outcome = d.cfg.Machine.Table.Perform(e.Command)
	d.active = a
	plan := a.outcome.Plan
	if plan == nil {
		return machine.Input{Kind: machine.ToolResult, At: d.now, Outcome: redacted(e.Call, a.outcome)}, true
	}
	a.heeds = plan.Heeds
	if plan.Effect >= 0 && plan.Happens != nil {
		d.schedule(d.now+plan.Effect, rankEffect, func() (machine.Input, bool) {
			if !a.over || a.outcome.Code != fixture.ToolCancelled {
				exists, instead := plan.Happens()
				a.happened = exists
				if instead != nil && !a.over {
					a.outcome = *instead
				}
			}
			return machine.Input{}, false
		})
	}
	if plan.Answer >= 0 {
		d.answerAt(a, d.now+plan.Answer)
	}
	d.tickAt(e.Deadline)
	return d.await()
}

// answerAt has the attempt's answer arrive at a time.
func (d *driver) answerAt(a *activeCall, at time.Duration) {
	d.schedule(at, rankAnswer, func() (machine.Input, bool) {
		if a.over {
			return machine.Input{}, false
		}
		a.over = true
		o := redacted(a.call, d.cfg.Machine.Table.Verify(a.command, a.outcome))
		in := machine.Input{Kind: machine.ToolResult, Outcome: o}
		if d.active != a || d.machine.State().Phase != machine.Calling {
			in.Late = &a.late
		}
		return in, true
	})
}

// stopCall signals the attempt under way. A tool that heeds it, before its effect,
// stops; any other goes on.
func (d *driver) stopCall(deadline time.Duration) {
	a := d.active
	if a.heeds && !a.happened && !a.over {
		says := a.outcome.Plan.Answer >= 0 // one whose answers are lost stops, and nobody hears of it
		a.over, a.outcome = true, tools.Outcome{Status: event.CallFailed, Code: fixture.ToolCancelled}
		if says {
			d.schedule(d.now, rankAnswer, func() (machine.Input, bool) {
				return machine.Input{Kind: machine.ToolResult, Outcome: a.outcome}, true
			})
		}
	}
	d.tickAt(deadline)
}

// redacted takes out of an answer what no report may show.
func redacted(call *tools.Call, o tools.Outcome) tools.Outcome {
	if t, ok := call.Tool.(*fixture.Tool); ok && o.Status == event.CallSucceeded {
		o.JSON = t.Redact(o.JSON)
	}
	return o
}

func (d *driver) inspect(call *tools.Call) *event.Facts {
	call.World = d.world
	f := call.Tool.(tools.Outside).Inspect(call)
	return &event.Facts{Operands: f.Operands, Touches: f.Touches, More: f.More, Fault: f.Fault}
}

// lookupTakes is how long a look-up of a call's receipt takes.
func lookupTakes(call *tools.Call) time.Duration {
	if t, ok := call.Tool.(*fixture.Tool); ok {
		return t.LookupTakes()
	}
	return 0
}

func (d *driver) lookup(call *tools.Call) tools.Found {
	call.World = d.world
	found := call.Tool.(tools.Outside).Lookup(call)
	if found.Answer == tools.Happened && d.active != nil {
		found.Outcome = redacted(call, d.cfg.Machine.Table.Verify(d.active.command, found.Outcome))
	}
	return found
}
