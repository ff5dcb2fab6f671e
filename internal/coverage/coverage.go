// Package coverage measures how much of a boundary a suite exercises: its checks,
// codes, tools, rules and transitions, each a number of points that runs either
// show or never do.
//
//	check ID refused    the check refused an action
//	check ID passed     the check was asked, and let an action pass
//	code NAME           an event or a decision has the code
//	tool NAME called    a call of the tool was dispatched
//	tool NAME refused   a call of the tool was refused, by a gate or by itself
//	rule FILE ID        the rule or grant decided about a resource
//	transition A -> B   a run went along the arrow of the state diagram
//
// What a scenario declares for itself is named after its file: tool FILE NAME, and
// rule FILE/CASE ID where it is a case's own. The checks of declared tools
// are counted by what they ask, whatever the tool, as "declared.QUESTION": a
// hundred tools do not make a thousand points. Codes that a scenario declares are
// no points.
//
// The percentage of a kind is the points seen of those not excused; that of the
// whole weighs each kind by its points. A point that is excused is neither: it
// counts for nothing. Percentages are cut to one decimal, so 100 says that nothing
// is missing.
//
// Points are seen by what runs recorded, and nothing is guessed beyond it:
//   - A check passes where the table asked it. Grants are asked only about what
//     rests on them, an approval is measured only where there is one; a check that
//     was not asked, or had nothing to look at, has not passed.
//   - A rule is seen where it decided, a grant where a dispatch consumed it or a
//     refusal names it. A record names the rule of one resource. Where a call needs
//     more, or its tool asks the rules while it works, they are asked the same again,
//     on the state as it was.
//   - What else would have refused an action decided nothing, and is not counted.
//   - An answer that came too late is evidence, and shows no more than its code.
//
// Goals: every number can be traced to points, every point to its place; equal
// suites give equal reports, whatever the order of work. Non-goals: lines of code;
// whether the suite would notice if a check were gone, which mutants show.
package coverage

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/scenarios"
)

// Kind is a kind of points. The zero value is unset and invalid.
type Kind string

// The kinds.
const (
	Check      Kind = "check"
	Code       Kind = "code"
	Tool       Kind = "tool"
	Rule       Kind = "rule"
	Transition Kind = "transition"
)

// Kinds lists the kinds in the order of reports.
func Kinds() []Kind { return []Kind{Check, Code, Tool, Rule, Transition} }

// Collector gathers what the runs of a suite show. It is for one goroutine, and is
// given results in the order of the scenarios.
type Collector struct {
	points []*point
	byID   map[string]*point
	codes  map[*diag.Code]*point
	arrows map[arrow]*point
	checks map[string]checkPoints
	tables map[*policy.Table]*table
	rules  map[place]*point
	runs   []*run
	byRun  map[string]int
}

// arrow is one of the state diagram.
type arrow struct{ from, to event.Status }

// New makes a collector. codes are those that a run can give, apart from what
// scenarios declare.
func New(codes []*diag.Code) *Collector {
	c := &Collector{
		byID: map[string]*point{}, codes: map[*diag.Code]*point{}, arrows: map[arrow]*point{},
		checks: map[string]checkPoints{}, tables: map[*policy.Table]*table{}, rules: map[place]*point{}, byRun: map[string]int{},
	}
	for i, code := range codes {
		c.codes[code] = c.point(Code, "code "+code.Name, about(code), order{group: i})
	}
	for _, from := range event.Statuses() {
		for _, to := range event.Statuses() {
			if from.CanBecome(to) {
				id := "transition " + from.String() + " -> " + to.String()
				c.arrows[arrow{from, to}] = c.point(Transition, id, "", order{group: len(c.arrows)})
			}
		}
	}
	return c
}

// Add counts a scenario and the result of its run; nil is for one that was not
// run, whose points are then counted and not seen. A further result of a scenario
// adds to what it has shown.
func (c *Collector) Add(s *scenarios.Scenario, r *runner.Result) {
	at, known := c.byRun[s.ID]
	if !known {
		at = len(c.runs)
		c.byRun[s.ID] = at
		c.runs = append(c.runs, &run{id: s.ID})
	}
	v := &view{collector: c, scenario: s, run: at, cfg: s.Config.Machine, table: c.table(s)}
	c.declare(s)
	if r == nil {
		return
	}
	for i := range r.Events {
		v.event(&r.Events[i])
	}
	v.code(r.Reason)
}

// run is what one scenario has shown.
type run struct {
	id   string
	seen set // by the points' places
	n    int
}

// set is a set of small numbers.
type set []uint64

// add reports whether the number is new.
func (s *set) add(i int) bool {
	word, bit := i/64, uint64(1)<<(i%64)
	for len(*s) <= word {
		*s = append(*s, 0)
	}
	fresh := (*s)[word]&bit == 0
	(*s)[word] |= bit
	return fresh
}
