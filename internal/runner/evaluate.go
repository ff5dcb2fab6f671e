package runner

import (
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools/fixture"
)

// EndVariables are what a verifier and a handoff condition may use: world,
// observations (each with id, tool, trust, outcome and content), summary, citations
// and edits, the number of accepted edits. world is the type of the world.
func EndVariables(world *expression.Type) []expression.Variable {
	text := expression.Of(expression.String)
	observation := &expression.Type{Kind: expression.Object, Fields: []expression.Field{
		{Name: "id", Type: text}, {Name: "tool", Type: text}, {Name: "trust", Type: text}, {Name: "outcome", Type: text},
		{Name: "content", Type: expression.Of(expression.Dyn)},
	}}
	return []expression.Variable{
		{Name: "world", Type: world},
		{Name: "observations", Type: expression.ListOf(observation)},
		{Name: "summary", Type: text},
		{Name: "citations", Type: expression.ListOf(text)},
		{Name: "edits", Type: expression.Of(expression.Number)},
	}
}

// evaluate asks one of the scenario's own questions about the run as it stands.
func (d *driver) evaluate(q machine.Question) *event.Facts {
	program := d.cfg.Verifier
	if q == machine.PersonNeeded {
		program = d.cfg.Handoff
	}
	holds, err := program.Eval(d.endValues()...)
	if err != nil {
		return &event.Facts{Fault: expression.Plain(err)} // a trace shows no value that nobody was given
	}
	return &event.Facts{Holds: holds.Bool()}
}

// endValues are the values of [EndVariables] as the run stands.
func (d *driver) endValues() []strictjson.Value {
	s := d.machine.State()
	return endValues(d.world, d.seen.of(s.Observations), s.Summary, d.machine.Events(), len(s.Edits))
}

// observed is observations as values, kept from one question to the next.
type observed struct {
	last  *event.Observation
	items []strictjson.Value
}

func (o *observed) of(list []*event.Observation) strictjson.Value {
	if n := len(o.items); n == 0 || n > len(list) || list[n-1] != o.last {
		o.items = nil
	}
	for _, one := range list[len(o.items):] {
		o.items, o.last = append(o.items, observationValue(one)), one
	}
	return strictjson.OfArray(o.items...)
}

// EndValues are the values of [EndVariables] at the end of a run.
func EndValues(r *Result) []strictjson.Value {
	return endValues(r.World, new(observed).of(r.Observations), r.Summary, r.Events, len(r.Edits))
}

func endValues(w *fixture.World, observations strictjson.Value, summary string, events []event.Event, edits int) []strictjson.Value {
	world := strictjson.OfObject()
	if w != nil {
		world = w.Value()
	}
	return []strictjson.Value{
		world, observations, strictjson.OfString(summary), citations(events), strictjson.OfInt(int64(edits)),
	}
}

func observationValue(o *event.Observation) strictjson.Value {
	outcome := ""
	if o.Outcome != 0 {
		outcome = o.Outcome.String()
	}
	return strictjson.OfObject(
		strictjson.Member{Name: "id", Value: strictjson.OfString(o.ID)},
		strictjson.Member{Name: "tool", Value: strictjson.OfString(o.Tool)},
		strictjson.Member{Name: "trust", Value: strictjson.OfString(string(o.Trust))},
		strictjson.Member{Name: "outcome", Value: strictjson.OfString(outcome)},
		strictjson.Member{Name: "content", Value: o.Content()},
	)
}

// citations are those of the finish that was proposed last.
func citations(events []event.Event) strictjson.Value {
	for i := len(events) - 1; i >= 0; i-- {
		if p := events[i].Proposal(); p != nil && p.Action != nil {
			if v, ok := p.Action.Args.Get("citations"); ok && v.Kind() == strictjson.Array {
				return v
			}
			break
		}
	}
	return strictjson.OfArray()
}
