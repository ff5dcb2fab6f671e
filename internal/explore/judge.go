package explore

import (
	"fmt"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/vrepo"
)

// judge asks after every step what must be true of any run. It never asks the table
// of checks: it looks at the events, the observations and the state, and works out
// from the rules, the contracts and the repository what should have been.
type judge struct {
	cfg        *runner.Config
	world      *world
	invariants []*Invariant
	s          step

	buf      []byte
	hits     map[string]*vrepo.Snapshot // answers of searches that were looked at, and for which repository
	sums     map[*vrepo.File]string
	promises map[string]*promise
	numbers  numbers
	nothing  outside // what is remembered of a run at its start
}

// promise is what a declared tool's answers must be.
type promise struct {
	output        *fixture.Schema
	postcondition *expression.Program
}

func newJudge(cfg *runner.Config, w *world, invariants []*Invariant) *judge {
	j := &judge{
		cfg: cfg, world: w, invariants: invariants,
		hits: map[string]*vrepo.Snapshot{}, sums: map[*vrepo.File]string{}, promises: map[string]*promise{}, numbers: numbers{},
	}
	for _, t := range cfg.Machine.Registry.Tools() {
		if declared, ok := t.(*fixture.Tool); ok {
			j.promises[t.Contract().Name] = promiseOf(declared)
		}
	}
	return j
}

// promiseOf reads what a tool promises. Where an answer has to be hidden in part,
// nothing can be asked about it.
func promiseOf(t *fixture.Tool) *promise {
	p := &promise{}
	if len(t.Contract().Sensitive) > 0 {
		return p
	}
	if schema, fault := fixture.NewSchema(t.OutputSchema()); fault == nil {
		p.output = schema
	}
	if source := t.Postcondition(); source != "" {
		variables := fixture.ResultVariables(nil, nil, nil)
		if program, fault := expression.Compile(source, variables, expression.Of(expression.Bool)); fault == nil {
			p.postcondition = program
		}
	}
	return p
}

// principal is on whose behalf a run acts, nil for nobody's.
func (j *judge) principal() *tools.Principal {
	if id := j.cfg.Machine.Identity; id != nil {
		return id.Principal
	}
	return nil
}

// Broken is an invariant that was violated, and how; the zero value is none.
type Broken struct{ ID, Words string }

// step is one step as it is looked at.
type step struct {
	*judge
	walk   *runner.Walk
	was    *machine.State // before it
	events []event.Event
	at     int    // of the event looked at
	raw    []byte // what the model said
	watch  watch
	noted  bool // what it remembers outside is its own

	repo     *vrepo.Snapshot // as it is when the event happens
	decided  *event.Proposal // last
	call     call            // that was started last
	started  int             // calls
	acts     []string        // of those
	facts    *event.Facts    // of the last inspection
	returned bool            // a receipt was returned
	refused  bool
	final    bool
	ended    bool // the step
	status   event.Status
	stopped  *event.Event
	broken   Broken
}

// call is a call that was started.
type call struct {
	tool tools.Tool
	args strictjson.Value
	act  string
}

// step looks at one step: what the run did from one state to the next. What it gives
// is void once it is asked again.
func (j *judge) step(walk *runner.Walk, before *watch, was *machine.State, events []event.Event, raw []byte) (*watch, Broken) {
	acts := j.s.acts[:0]
	j.s = step{
		judge: j, walk: walk, was: was, events: events, raw: raw, watch: *before,
		repo: was.Snapshot, status: was.Status, acts: acts,
	}
	s := &j.s
	if s.watch.outside == nil {
		s.watch.outside = &j.nothing
	}
	for s.at = range events {
		if s.look(&events[s.at]); s.broken.ID != "" {
			return &s.watch, s.broken
		}
	}
	s.whole()
	return &s.watch, s.broken
}

// breaks notes the first invariant that is violated.
func (s *step) breaks(id, format string, args ...any) {
	if s.broken.ID == "" {
		s.broken = Broken{id, fmt.Sprintf(format, args...)}
	}
}

// look looks at one event.
func (s *step) look(e *event.Event) {
	if s.stopped != nil && e.Name != event.StateTransitioned && e.Name != event.ToolLate && !isLateAnswer(e) {
		s.breaks(ending, "%s comes after the run was stopped", e.Name)
	}
	switch e.Name {
	case event.RunStarted, event.FilesChanged:
		s.repo = e.Change().Snapshot
	case event.ProposalDecided:
		s.decides(e)
	case event.CallInspected:
		s.facts, _ = e.About.(*event.Facts)
	case event.ConfirmationRequested:
		s.asks(e)
	case event.ConfirmationAnswered:
		s.answers(e)
	case event.ToolStarted:
		s.starts(e)
	case event.ToolCompleted:
		s.completes(e)
	case event.ReceiptReturned:
		s.returns(e)
	case event.FileRead, event.EditAccepted:
		s.takes(e)
	case event.ObservationRecorded:
		s.observes(e.Observation())
	case event.FinalValidated:
		s.finishes()
	case event.StepEnded:
		s.ended = true
	case event.PersonOrdered:
		s.ordered(e)
	case event.RunStopped:
		s.stopped = e
	case event.StateTransitioned:
		s.moves(e)
	case event.TransitionRefused, event.InputRefused:
		s.breaks(ending, "the run got into a state in which what comes next is refused: %s %s", e.Name, e.Code)
	}
}

// isLateAnswer reports whether an event says that somebody answered too late.
func isLateAnswer(e *event.Event) bool {
	return e.Name == event.ConfirmationAnswered && e.Code != nil
}

func (s *step) decides(e *event.Event) {
	s.decided = e.Proposal()
	if c := s.decided.Decision.Code; c != nil && c.Class == diag.Rejection {
		s.watch.rejections++
		s.refused = true
	}
}

func (s *step) ordered(e *event.Event) {
	o, _ := e.About.(*event.Order)
	if o == nil || e.Code != nil {
		return
	}
	switch o.Kind {
	case event.Redefine:
		s.note().redefined = append(s.note().redefined, o.What)
	case event.Revoke:
		s.note().revoked = append(s.note().revoked, o.Place)
	}
}

// moves follows the state diagram.
func (s *step) moves(e *event.Event) {
	switch {
	case e.From != s.status:
		s.breaks(ending, "the run moves from %s, and was %s", e.From, s.status)
	case e.From.Terminal():
		s.breaks(ending, "the run was %s, and becomes %s", e.From, e.To)
	}
	s.status = e.To
}

// takes asks whether what was read or proposed comes from a call.
func (s *step) takes(e *event.Event) {
	if s.started == 0 {
		s.breaks(decision, "%s without a call in this step", e.Name)
		return
	}
	if e.Name == event.EditAccepted {
		s.accepts(e.Edit())
	}
}

// whole looks at the step as a whole.
func (s *step) whole() {
	after, b := s.walk.State(), &s.cfg.Machine.Budgets
	goesOn := after.Phase == machine.Asking
	switch {
	case after.Used.Steps > b.Steps || goesOn && after.Used.Steps >= b.Steps:
		s.breaks(budget, "the model is asked %d times, and at most %d times may be", after.Used.Steps, b.Steps)
	case s.watch.rejections > b.Rejections+1 || goesOn && s.watch.rejections > b.Rejections:
		s.breaks(budget, "%d actions were refused, and at most %d may be", s.watch.rejections, b.Rejections)
	case goesOn && s.refused && s.cfg.Machine.OnRejection == machine.StopRun:
		s.breaks(ending, "the run goes on after a refusal, which has to end it")
	case after.Snapshot != s.walk.Expected():
		s.breaks(repository, "the repository is not what it was at the start with the scenario's changes")
	}
	s.loops(goesOn)
	s.ends(after)
	s.doubts(after, goesOn)
	s.effects()
	s.asksInvariants()
}

// loops asks whether the run goes on though the same was said, and answered the same,
// as often as it may be.
func (s *step) loops(goesOn bool) {
	if !s.ended {
		return
	}
	told := s.walk.State().Observations
	s.watch.last = pair{s.numbers.of(s.raw), s.numbers.of(told[len(told)-1].JSON)}
	if !goesOn {
		return
	}
	most, window := s.cfg.Machine.Budgets.Repeats, s.cfg.Machine.Budgets.Window
	if s.call.tool != nil && s.call.tool.Contract().Poll > 0 {
		most, window = s.call.tool.Contract().Poll, 0
	}
	if n := s.watch.equal(window); n >= most {
		s.breaks(loop, "the same was said and answered %d times, which has to end the run at %d", n, most)
	}
}

// ends asks whether an end is one.
func (s *step) ends(after *machine.State) {
	over := s.status.Terminal()
	switch {
	case after.Status != s.status:
		s.breaks(ending, "the run is %s, and its events say %s", after.Status, s.status)
	case over != (s.stopped != nil) || over != (after.Phase == machine.Over):
		s.breaks(ending, "the run is %s, and was not stopped", s.status)
	case over && (s.stopped.Code == nil || after.Reason != s.stopped.Code):
		s.breaks(ending, "the run is %s without a reason", s.status)
	case s.status.Good() && !s.final:
		s.breaks(ending, "the run is %s, and no finish was accepted", s.status)
	case s.status.Good() && (s.status == event.NeedsReview) != (len(after.Edits) > 0):
		s.breaks(ending, "the run is %s with %d edits", s.status, len(after.Edits))
	}
}

// end asks whether an end is final: whatever comes now changes nothing.
func (j *judge) end(walk *runner.Walk) Broken {
	s := walk.State()
	if s.Phase != machine.Over {
		return Broken{}
	}
	status, reason, edits, told := s.Status, s.Reason, len(s.Edits), len(s.Observations)
	for _, in := range []machine.Input{
		{Kind: machine.Start, Snapshot: s.Snapshot}, {Kind: machine.Proceed}, {Kind: machine.ModelOutput, Raw: []byte(`{"type":"finish","summary":"again"}`)},
		{Kind: machine.ToolResult}, {Kind: machine.FilesChanged, Change: &event.Change{Snapshot: s.Snapshot}},
		{Kind: machine.WorldChanged, Change: &event.Change{}}, {Kind: machine.Inspected, Facts: &event.Facts{}},
		{Kind: machine.Answered, Answer: &event.Answer{Request: "c1", Verdict: event.Approved}},
		{Kind: machine.LookedUp, Found: &tools.Found{}}, {Kind: machine.Evaluated, Facts: &event.Facts{Holds: true}},
		{Kind: machine.Ordered, Order: &event.Order{Kind: event.CancelRun}}, {Kind: machine.Ordered, Order: &event.Order{Kind: event.ResumeRun}},
		{Kind: machine.Tick},
	} {
		for _, e := range walk.Feed(in) {
			if e.Name != event.InputRefused && e.Code == nil {
				return Broken{ending, fmt.Sprintf("the run was over, and records %s", e.Name)}
			}
		}
		if s.Status != status || s.Reason != reason || len(s.Edits) != edits || len(s.Observations) != told || s.Phase != machine.Over {
			return Broken{ending, fmt.Sprintf("the run was over as %s, and is %s now", status, s.Status)}
		}
	}
	return Broken{}
}
