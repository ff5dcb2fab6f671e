package explore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
)

// Violation is an invariant that does not hold, with one of the shortest ways there.
type Violation struct {
	Broken
	// Steps lead there, from the start.
	Steps []Step
	// Faultless is set if nothing goes wrong in the world outside on this way, though
	// the scenario says so.
	Faultless bool
}

// Step is one output of the model on the way, or an order between two.
type Step struct {
	Symbol  string
	Output  []byte          // nil for an order
	Replies []*runner.Reply // of persons, in the order of their questions
	Answers []string        // the same by their names
	Silent  bool            // nobody answered the last question
	Stopped time.Duration   // when the run was ordered to stop; 0 if it was not
	Trace   []string        // the events, by name and code
}

// violated keeps the first violation of every invariant.
func (x *search) violated(v *visit, b Broken) {
	x.result.Violated++
	if x.o.First {
		x.end("the search ends at the first violation")
	}
	if slices.ContainsFunc(x.result.Violations, func(o *Violation) bool { return o.ID == b.ID }) {
		return
	}
	way := append(x.path(v.from), *v)
	violation := &Violation{Broken: b, Faultless: way[0].symbol > 0}
	var again odometer
	x.retrace(x.newWalk(again.choose), &again, way, func(s Step) { violation.Steps = append(violation.Steps, s) })
	x.result.Violations = append(x.result.Violations, violation)
}

// path is how a state was reached first, from a start on.
func (x *search) path(at int32) []visit {
	var way []visit
	for ; at >= 0; at = x.visits[at].from {
		way = append(way, x.visits[at])
	}
	slices.Reverse(way)
	return way
}

// retrace takes a walk along a way, by what was chosen on it, and tells of every step.
func (x *search) retrace(walk *runner.Walk, o *odometer, way []visit, tell func(Step)) {
	for i := range way {
		v := &way[i]
		o.again(v.choices)
		if i == 0 {
			walk.Start(x.worlds[v.symbol])
			continue
		}
		symbol := &x.symbols[v.symbol]
		from := len(walk.Events())
		raw, _ := x.say(int(v.symbol), walk.State())
		crash := symbol.goOn(walk, raw)
		if tell == nil {
			continue
		}
		trail := walk.Trail()
		step := Step{Symbol: symbol.Name, Output: raw, Replies: slices.Clone(trail.Replies), Silent: trail.Silent, Stopped: trail.Cancelled}
		for _, r := range trail.Replies {
			step.Answers = append(step.Answers, x.nameOf(r))
		}
		for _, e := range walk.Events()[from:] {
			step.Trace = append(step.Trace, strings.TrimSpace(e.Name.String()+" "+e.Code.String()))
		}
		if crash != "" {
			step.Trace = append(step.Trace, crash)
		}
		tell(step)
	}
}

// nameOf is what an answer is called.
func (x *search) nameOf(r *runner.Reply) string {
	for i := range x.o.Answers {
		if x.replies[i] == *r {
			return x.o.Answers[i].Name
		}
	}
	return string(r.Verdict)
}

// Origin is what a violation was found in.
type Origin struct {
	Data []byte // of the scenario's file
	Case string // the case that was searched; "" for a file without cases
	From string // the file's folder, from where the violation will stand; "" is the same
	// Invariants were asked beside the scenario's own.
	Invariants []string
	// Weakened is the check that was left out; "" for none.
	Weakened string
}

// Scenario writes a file that runs a violation again: the file that was searched, with
// the outputs that lead there in place of its script.
func (v *Violation) Scenario(o *Origin) ([]byte, error) {
	script := &scenarios.Script{
		Case: o.Case, From: o.From, Invariants: o.Invariants,
		Faultless: v.Faultless, Comment: v.comment(o.Weakened), Suffix: "-" + v.Slug(),
		Title: fmt.Sprintf("Found by exploring: %s is violated", strictjson.Quote(v.ID)),
	}
	if o.Weakened != "" {
		script.Title += " without the check " + o.Weakened
	}
	for i := range v.Steps {
		s := &v.Steps[i]
		for _, r := range s.Replies {
			script.Human = append(script.Human, *r)
		}
		switch {
		case s.Output == nil:
			script.Cancel, script.CancelAfter = true, len(script.Items)
		case s.Stopped > 0:
			script.Cancel, script.CancelAt = true, s.Stopped
			script.Items = append(script.Items, s.Output)
		default:
			script.Items = append(script.Items, s.Output)
		}
	}
	return scenarios.WithScript(o.Data, script)
}

// Slug is the violation's id as a part of names: letters, digits and dashes.
func (v *Violation) Slug() string {
	const longest = 40
	var b strings.Builder
	for _, r := range strings.ToLower(v.ID) {
		switch {
		case b.Len() == longest:
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if slug := strings.Trim(b.String(), "-"); slug != "" {
		return slug
	}
	return "violation"
}

// comment says what the file shows.
func (v *Violation) comment(weakened string) string {
	var b strings.Builder
	b.WriteString("Found by harness explore: what must be true of any run is not.\n")
	if weakened != "" {
		fmt.Fprintf(&b, "The check %s was left out on purpose. With it, this run shows what it prevents.\n", weakened)
	}
	fmt.Fprintf(&b, "\n%s\n", v.Broken)
	for i, s := range v.Steps {
		fmt.Fprintf(&b, "%d. %s", i+1, s.Symbol)
		for _, name := range s.Answers {
			fmt.Fprintf(&b, "; a person says: %s", name)
		}
		if s.Silent {
			b.WriteString("; nobody answers")
		}
		if s.Stopped > 0 {
			fmt.Fprintf(&b, "; the run is ordered to stop at %s", s.Stopped)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
