package runner

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"time"

	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools/fixture"
	"harness/internal/vrepo"
)

// Walk is a run that its owner leads, in the same virtual time and by the same code as
// [Run]: the owner says what the model says, decides what is left open, and may return
// to where the run stood before. What the scenario's script and its persons say is
// not asked for; its changes happen.
//
// A Walk belongs to one goroutine.
type Walk struct {
	d       *driver
	answers []Reply
	choose  func(options int) int
	trail   Trail
	asked   []string // the questions of this step, once for each time they were put
	order   *event.Order
	pool    *machine.Pool
}

// Trail is what was decided since the last [Walk.Say]: how the step went on where it
// could have gone on otherwise.
type Trail struct {
	Replies []*Reply // that persons gave, in order
	Silent  bool     // nobody answered the last question
	// Cancelled is when the run was ordered to stop; 0 if it was not.
	Cancelled time.Duration
	// Idle is set if that order found nothing under way: the step went as it had
	// gone without it.
	Idle bool
}

// moment is how long after a question, or after the start of a call, an order to stop
// comes: long enough to be behind it.
const moment = time.Millisecond

// mostAsked is how often one question is put. A person whose answer was worth nothing
// may say something else; more than that is the same again.
const mostAsked = 2

// NewWalk prepares a walk. Persons answer with one of the answers, say nothing, or order
// the run to stop, in this order; while a call is under way they say nothing, or order
// it. choose says which of so many ways is taken, from 0.
func NewWalk(cfg *Config, answers []Reply, choose func(options int) int) *Walk {
	return &Walk{
		d: newDriver(cfg, nil), answers: answers, choose: choose, pool: machine.NewPool(),
		order: &event.Order{Kind: event.CancelRun, By: "explorer", Reason: "explored"},
	}
}

// Start begins the run in a world as a blueprint describes it, nil for none, and goes
// on to the first asking of the model, if the run comes to it.
func (w *Walk) Start(b *fixture.Blueprint) {
	d := w.d
	*d = driver{cfg: d.cfg, machine: machine.New(d.cfg.Machine), expected: d.cfg.Snapshot}
	d.machine.Share(w.pool)
	if b != nil {
		d.world = fixture.NewWorld(b)
	}
	w.begin()
	w.goOn(machine.Input{Kind: machine.Start, Snapshot: d.cfg.Snapshot})
}

// Say answers the model's place with some bytes, and goes on until the model is asked
// again, the run is over, or nothing will ever come.
func (w *Walk) Say(raw []byte) {
	w.begin()
	w.goOn(machine.Input{Kind: machine.ModelOutput, At: w.d.now, Raw: raw})
}

// Cancel orders the run to stop while the model is asked.
func (w *Walk) Cancel() {
	w.begin()
	w.goOn(machine.Input{Kind: machine.Ordered, At: w.d.now, Order: w.order})
}

func (w *Walk) begin() {
	w.asked = w.asked[:0]
	w.trail = Trail{Replies: w.trail.Replies[:0]}
}

func (w *Walk) goOn(in machine.Input) {
	d := w.d
	_, effect := d.machine.Step(in)
	for effect.Kind != machine.AskModel && effect.Kind != machine.Done {
		next, happens := w.perform(&effect)
		if !happens {
			w.settle()
			return
		}
		_, effect = d.machine.Step(next)
	}
	if effect.Kind == machine.Done {
		for late, happens := d.await(); happens; late, happens = d.await() {
			d.machine.Step(late)
		}
	}
	w.settle()
}

// settle takes leave of what can no longer happen: times that nobody waits for, and an
// order that came too late to be one.
func (w *Walk) settle() {
	w.d.pending = slices.DeleteFunc(w.d.pending, func(i item) bool { return i.rank == rankTick })
	if w.trail.Cancelled > 0 && !w.obeyed() {
		w.trail.Idle = true
		w.d.pending = slices.DeleteFunc(w.d.pending, func(i item) bool { return i.rank == rankChange })
	}
}

// obeyed reports whether the order to stop was taken in this step.
func (w *Walk) obeyed() bool {
	events := w.d.machine.Events()
	return slices.ContainsFunc(events, func(e event.Event) bool { return e.About == w.order && e.Code == nil })
}

// perform does what an effect asks, as the driver does, but for what is to be chosen.
func (w *Walk) perform(e *machine.Effect) (machine.Input, bool) {
	switch {
	case e.Kind == machine.AskPerson:
		return w.ask(e.Confirmation)
	case e.Kind == machine.CallTool && e.Call != nil && w.trail.Cancelled == 0:
		if w.choose(2) == 1 {
			w.stopSoon()
		}
	}
	return w.d.perform(e)
}

// stopSoon has the order to stop come in a moment.
func (w *Walk) stopSoon() {
	d := w.d
	w.trail.Cancelled = d.now + moment
	d.schedule(w.trail.Cancelled, rankChange, func() (machine.Input, bool) {
		if d.machine.State().Phase == machine.Over {
			return machine.Input{}, false
		}
		return machine.Input{Kind: machine.Ordered, Order: w.order}, true
	})
}

// ask has a person answer, say nothing, or order the run to stop.
func (w *Walk) ask(c *event.Confirmation) (machine.Input, bool) {
	d, times := w.d, 0
	for _, id := range w.asked {
		if id == c.ID {
			times++
		}
	}
	if times == mostAsked {
		return d.await() // nobody says any more
	}
	w.asked = append(w.asked, c.ID)
	open := make([]*Reply, 0, len(w.answers))
	for i := range w.answers {
		if reply := &w.answers[i]; times == 0 || !reply.Tampered() {
			open = append(open, reply)
		}
	}
	silence, options := len(open), len(open)+1
	if w.trail.Cancelled == 0 {
		options++
	}
	chosen := w.choose(options)
	if chosen >= silence {
		if w.trail.Silent = chosen == silence; !w.trail.Silent {
			w.stopSoon()
		}
		return d.await()
	}
	reply := open[chosen]
	w.trail.Replies = append(w.trail.Replies, reply)
	d.schedule(d.now+reply.After, rankAnswer, func() (machine.Input, bool) {
		return machine.Input{Kind: machine.Answered, Answer: d.answer(reply, c)}, true
	})
	return d.await()
}

// Tampered reports whether a reply carries something else than the question asked.
func (r *Reply) Tampered() bool {
	return r.Request != "" || r.Seen != "" || !r.Arguments.IsZero() || r.Run != nil || r.Session != nil ||
		r.Principal != nil || r.Tenant != nil || r.Version != nil || r.OtherDefinition || r.OtherPolicy
}

// State is the run's state; it is void once the walk goes on.
func (w *Walk) State() *machine.State { return w.d.machine.State() }

// Events are those since the last [Walk.Start] or [Walk.Return]; they are void once
// the walk returns.
func (w *Walk) Events() []event.Event { return w.d.machine.Events() }

// Trail is what was decided since the last [Walk.Say]; it is void once the walk goes
// on.
func (w *Walk) Trail() *Trail { return &w.trail }

// World is what lies outside, nil if there is nothing.
func (w *Walk) World() *fixture.World { return w.d.world }

// Expected is the repository as it was at the start with the changes made so far.
func (w *Walk) Expected() *vrepo.Snapshot { return w.d.expected }

// Feed gives the machine an input as it stands, whatever it waits for, and says what
// it recorded.
func (w *Walk) Feed(in machine.Input) []event.Event {
	in.At = w.d.now
	events, _ := w.d.machine.Step(in)
	return events
}

// EndValues are the values of [EndVariables] as the run stands.
func (w *Walk) EndValues() []strictjson.Value { return w.d.endValues() }

// Point is a place that a walk can return to.
type Point struct {
	run            *machine.Saved
	world          *fixture.World
	now            time.Duration
	changes, timed int
	expected       *vrepo.Snapshot
	filesChanged   []*Change
}

// State is the run's state there; callers must not modify it.
func (p *Point) State() *machine.State { return p.run.State() }

// Point is the place where the walk stands; nil if something is under way that would
// happen once only.
func (w *Walk) Point() *Point {
	d := w.d
	if len(d.pending) > 0 {
		return nil
	}
	saved := d.machine.Save()
	if saved == nil {
		return nil
	}
	p := &Point{
		run: saved, now: d.now, changes: d.changes, timed: d.timed,
		expected: d.expected, filesChanged: slices.Clip(d.filesChanged),
	}
	if d.world != nil {
		p.world = d.world.Clone()
	}
	return p
}

// Return takes the walk back to a place, which must be of a walk of the same Config.
func (w *Walk) Return(p *Point) {
	d := w.d
	d.machine.Load(p.run)
	d.seen = observed{}
	d.now, d.changes, d.timed, d.expected, d.filesChanged = p.now, p.changes, p.timed, p.expected, p.filesChanged
	d.pending, d.made, d.active = d.pending[:0], 0, nil
	if d.world = nil; p.world != nil {
		d.world = p.world.Clone()
	}
	w.begin()
}

// AppendKey appends what can matter to the rest of the run: two walks of one Config
// with equal keys go on alike, whatever is said and chosen.
func (w *Walk) AppendKey(dst []byte) []byte {
	d := w.d
	dst = d.machine.AppendKey(dst)
	if d.world != nil {
		dst = appendWorld(dst, d.world, d.cfg.World)
	}
	if d.machine.State().Phase == machine.Over {
		return dst
	}
	dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(d.changes)), uint64(d.timed))
	for i := range d.pending {
		due := &d.pending[i]
		dst = binary.AppendVarint(append(dst, 1, byte(due.rank)), int64(due.at))
	}
	if a := d.active; a != nil && len(d.pending) > 0 { // what is due is of this call, or of one before it
		dst = binary.AppendUvarint(append(append(dst, a.late.Act...), 0), uint64(a.late.Attempt))
	}
	if d.cfg.Verifier != nil || d.cfg.Handoff != nil {
		dst = AppendObserved(dst, d.machine.State())
	}
	return dst
}

// AppendObserved appends what an expression can see of the observations.
func AppendObserved(dst []byte, s *machine.State) []byte {
	for _, o := range s.Observations {
		dst = append(append(append(append(dst, o.ID...), ' '), o.Trust...), byte(o.Outcome))
		dst = append(append(append(dst, o.Tool...), ' '), o.JSON...)
	}
	return append(dst, 0)
}

// appendWorld appends what lies outside: its entries, the receipts by their acts, and
// how often every tool was called.
func appendWorld(dst []byte, w *fixture.World, b *fixture.Blueprint) []byte {
	dst = strictjson.AppendCanonical(dst, w.Value())
	receipts := w.Receipts()
	byAct := func(i, j int) bool {
		return cmp.Or(strings.Compare(receipts[i].Tool, receipts[j].Tool), strings.Compare(receipts[i].Act, receipts[j].Act)) < 0
	}
	if !sort.SliceIsSorted(receipts, byAct) {
		receipts = slices.Clone(receipts)
		sort.SliceStable(receipts, byAct) // of one act, the last is the one that is found
	}
	for i := range receipts {
		r := &receipts[i]
		dst = append(append(append(append(append(dst, r.Tool...), ' '), r.Act...), ' '), r.Arguments[:]...)
		dst = append(append(dst, r.Result...), 0)
	}
	for _, t := range b.Tools {
		dst = binary.AppendUvarint(dst, uint64(w.Attempts(t.Contract().Name)))
	}
	return append(dst, 0)
}
