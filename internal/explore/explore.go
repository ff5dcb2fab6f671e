// Package explore goes through all of a small world: every sequence of what a model
// could say, out of a finite alphabet and up to a depth, with every answer a person
// could give. After every step it asks what must be true of any run, whatever the
// table of checks says.
//
// States are merged by a digest of what can matter to the rest of a run, so the work
// grows with the states that differ and not with the sequences. The search is breadth
// first: a violation is shown by a path of the fewest outputs that there is.
//
// Goals: nothing within the bounds is left out, or it is said; a violation can be run
// again as a scenario; memory is linear in the states. Non-goals: what lies beyond the
// alphabet and the depth, interleavings of calls, other times than the scenario's.
package explore

import (
	"crypto/sha256"
	"fmt"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/tools/fixture"
)

// The bounds where none are given.
const (
	DefaultDepth     = 4
	DefaultMaxStates = 1_000_000
)

// Options say how far the search goes, and what is asked.
type Options struct {
	// Depth is how many outputs of the model are gone through; 0 is DefaultDepth.
	Depth int
	// MaxStates ends the search; 0 is DefaultMaxStates.
	MaxStates int
	// Alphabet is what the model can say; nil is that of the scenario.
	Alphabet *Alphabet
	// Answers are what persons can say to a question; nil is DefaultAnswers.
	Answers []Answer
	// Table takes the place of the scenario's table of checks, if it is not nil.
	Table *policy.Table
	// Invariants must be true in every state, beside what must be true of any run.
	Invariants []*Invariant
	// First ends the search at the first violation.
	First bool
	// Progress is told now and then how far the search is.
	Progress func(Progress)
	// Stop is asked now and then whether the search has to end.
	Stop func() bool

	apart bool // states that are known are gone on from again, to test that they are the same
}

// Progress is how far a search is.
type Progress struct {
	States, Transitions int
	Depth               int // of the outputs that are being tried
	Waiting             int // states of the level that were not gone on from yet
}

// Result is what a search came to.
type Result struct {
	Alphabet *Alphabet
	Answers  []Answer
	// States are those that differ, Transitions the steps tried, those that led to a
	// known state included.
	States, Transitions int
	// Levels are the states by the fewest outputs that lead there; the first is the
	// start.
	Levels []Level
	// Ended is how many states are ends, Open how many lie at the depth's bound and
	// would go on.
	Ended, Open int
	// Truncated says why something within the bounds was left out; "" if nothing was.
	Truncated string
	// Violations has the first of every invariant, Violated how many there were in all.
	// From where something was violated the search does not go on.
	Violations []*Violation
	Violated   int
}

// Depth is how many outputs the deepest state needs.
func (r *Result) Depth() int { return len(r.Levels) - 1 }

// Complete reports whether everything within the bounds was gone through.
func (r *Result) Complete() bool { return r.Truncated == "" }

// Level counts the states that so many outputs lead to, and no fewer.
type Level struct {
	States int
	Live   int // where the model is asked again
}

// digest names a state.
type digest [16]byte

// visit is how a state was reached first.
type visit struct {
	from    int32 // the state before; -1 for a start
	symbol  int32
	choices choices
}

// node is a state to go on from.
type node struct {
	visit int32
	// point is nil where something is under way that could happen once only: what led
	// there is then done again.
	point *runner.Point
	watch watch
}

// search is one search under way.
type search struct {
	o        Options
	cfg      *runner.Config
	walk     *runner.Walk
	symbols  []Symbol
	concrete [][]concrete // by symbol: what it was made to
	worlds   []*fixture.Blueprint
	replies  []runner.Reply
	tried    odometer // of the step that is tried
	again    odometer // of the steps that lead there
	chooser  *odometer
	judge    *judge
	observed bool // some invariant looks at observations

	seen   map[digest]struct{}
	visits []visit
	level  []node
	next   []node
	depth  int // of the outputs that are being tried
	key    []byte
	done   bool
	result *Result
}

// Run searches a scenario's world.
func Run(s *scenarios.Scenario, o Options) *Result {
	x := newSearch(s, o)
	x.start()
	for x.depth = 1; x.depth <= x.o.Depth && len(x.level) > 0 && !x.over(); x.depth++ {
		x.result.Levels = append(x.result.Levels, Level{})
		for i := range x.level {
			if x.expand(&x.level[i]); x.over() {
				break
			}
			x.level[i] = node{}
			x.tell(len(x.level) - i - 1)
		}
		x.level, x.next = x.next, x.level[:0]
	}
	x.result.States = len(x.seen)
	if last := len(x.result.Levels) - 1; last > 0 && x.result.Levels[last].States == 0 {
		x.result.Levels = x.result.Levels[:last]
	}
	return x.result
}

func newSearch(s *scenarios.Scenario, o Options) *search {
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	if o.MaxStates == 0 {
		o.MaxStates = DefaultMaxStates
	}
	if o.Alphabet == nil {
		o.Alphabet = AlphabetOf(s)
	}
	if o.Answers == nil {
		o.Answers = DefaultAnswers()
	}
	cfg := *s.Config
	if o.Table != nil {
		boundary := *cfg.Machine
		boundary.Table, cfg.Machine = o.Table, &boundary
	}
	x := &search{
		o: o, cfg: &cfg, symbols: o.Alphabet.Symbols, concrete: make([][]concrete, len(o.Alphabet.Symbols)),
		worlds: worldsOf(&cfg), judge: newJudge(&cfg, worldOf(&cfg), o.Invariants),
		seen: map[digest]struct{}{}, result: &Result{Alphabet: o.Alphabet, Answers: o.Answers, Levels: []Level{{}}},
	}
	for _, a := range o.Answers {
		x.replies = append(x.replies, a.Reply)
	}
	x.chooser = &x.tried
	x.walk = x.newWalk(func(options int) int { return x.chooser.choose(options) })
	for _, i := range o.Invariants {
		x.observed = x.observed || i.uses("observations")
	}
	return x
}

func (x *search) newWalk(choose func(int) int) *runner.Walk {
	return runner.NewWalk(x.cfg, x.replies, choose)
}

// start begins with the world as the scenario has it and, where something goes wrong
// in it, with the same world in which nothing does.
func (x *search) start() {
	for i, world := range x.worlds {
		x.tried.begin()
		x.walk.Start(world)
		x.arrive(&visit{from: -1, symbol: int32(i)}, &watch{}, &machine.State{Status: event.Created}, 0, nil)
	}
	x.level, x.next = x.next, nil
}

// over reports whether the search has to end before its bounds.
func (x *search) over() bool { return x.done }

// end has the search end before its bounds.
func (x *search) end(why string) { x.result.Truncated, x.done = why, true }

// every is after how many transitions the owner is told, and asked whether to stop.
const every = 1 << 12

func (x *search) tell(waiting int) {
	if x.o.Progress != nil {
		x.o.Progress(Progress{len(x.seen), x.result.Transitions, x.depth, waiting})
	}
}

// expand tries everything that can be said in a state.
func (x *search) expand(n *node) {
	var here *machine.State
	if n.point != nil {
		here = n.point.State()
	} else {
		x.place(n)
		state := *x.walk.State()
		here = &state
	}
	for i := range x.symbols {
		raw, ok := x.say(i, here)
		if !ok {
			continue
		}
		x.tried.begin()
		for first := true; first || x.tried.next(); first = false {
			x.step(n, i, raw)
			if x.over() {
				return
			}
		}
	}
}

// place takes the walk to a state.
func (x *search) place(n *node) {
	if n.point != nil {
		x.walk.Return(n.point)
		return
	}
	x.chooser = &x.again
	x.retrace(x.walk, &x.again, x.path(n.visit), nil)
	x.chooser = &x.tried
}

// step tries one output, with the choices that are to be made.
func (x *search) step(n *node, symbol int, raw []byte) {
	x.place(n)
	var was *machine.State
	if n.point != nil {
		was = n.point.State()
	} else {
		now := *x.walk.State()
		now.Standing = now.Standing.Clone() // what follows works on it
		was = &now
	}
	from := len(x.walk.Events())
	crash := x.symbols[symbol].goOn(x.walk, raw)
	if x.walk.Trail().Idle {
		return // it went as it does without the order
	}
	if x.result.Transitions++; x.result.Transitions%every == 0 {
		x.tell(len(x.level))
		if x.o.Stop != nil && x.o.Stop() {
			x.end("the search was stopped")
		}
	}
	v := visit{from: n.visit, symbol: int32(symbol), choices: x.tried.choices()}
	if crash != "" {
		x.violated(&v, Broken{crashing, crash})
		return
	}
	x.arrive(&v, &n.watch, was, from, raw)
}

// goOn takes a walk on by one symbol. It gives the words of a program that broke, ""
// if it did not.
func (s *Symbol) goOn(walk *runner.Walk, raw []byte) (crash string) {
	defer func() {
		if fault := recover(); fault != nil {
			crash = fmt.Sprint("the program broke: ", fault)
		}
	}()
	if s.form == order {
		walk.Cancel()
	} else {
		walk.Say(raw)
	}
	return ""
}

// arrive looks at where a step has led, and keeps it if it is new.
func (x *search) arrive(v *visit, before *watch, was *machine.State, from int, raw []byte) {
	w, broken := x.judge.step(x.walk, before, was, x.walk.Events()[from:], raw)
	if broken.ID != "" {
		x.violated(v, broken)
		return
	}
	isNew, goesOn := x.isNew(v, w), x.walk.State().Phase == machine.Asking
	if isNew {
		x.count(goesOn)
	} else if !x.o.apart {
		return
	}
	switch {
	case goesOn && x.depth < x.o.Depth:
		x.visits = append(x.visits, *v)
		x.next = append(x.next, node{visit: int32(len(x.visits) - 1), point: x.walk.Point(), watch: w.keep()})
	case !goesOn:
		if broken := x.judge.end(x.walk); broken.ID != "" {
			x.violated(v, broken)
		}
	}
	if len(x.seen) >= x.o.MaxStates {
		x.end("there are more states than the search may keep")
	}
	if x.tried.cut && x.result.Complete() {
		x.result.Truncated = "a step asks for more decisions than are gone through"
	}
}

// count counts a new state.
func (x *search) count(goesOn bool) {
	level := &x.result.Levels[len(x.result.Levels)-1]
	level.States++
	switch {
	case !goesOn:
		x.result.Ended++
	case x.depth == x.o.Depth:
		x.result.Open++
		fallthrough
	default:
		level.Live++
	}
}

// isNew notes the state that the walk stands in; false for one that is known.
func (x *search) isNew(v *visit, w *watch) bool {
	root := v.symbol
	for at := v.from; at >= 0; at = x.visits[at].from {
		root = x.visits[at].symbol
	}
	x.key = w.append(x.walk.AppendKey(append(x.key[:0], byte(root))))
	if x.observed {
		x.key = runner.AppendObserved(x.key, x.walk.State())
	}
	sum := sha256.Sum256(x.key)
	name := digest(sum[:len(digest{})])
	if _, known := x.seen[name]; known {
		return false
	}
	x.seen[name] = struct{}{}
	return true
}
