package explore

import (
	"slices"

	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
)

// concrete is an output that a symbol was made to, and what it was made with.
type concrete struct {
	with string
	raw  []byte
}

// say makes a symbol to an output for a state; false if it means nothing there.
func (x *search) say(i int, s *machine.State) ([]byte, bool) {
	symbol := &x.symbols[i]
	switch symbol.form {
	case proposed:
		hash, ok := x.hash(&symbol.edit, s)
		return x.made(i, hash), ok
	case finished:
		id, ok := citation(symbol.cites, s)
		return x.made(i, id), ok
	case scripted:
		raw, failure := symbol.script.Play().Next(model.Request{Past: s})
		return raw, failure == nil
	default:
		return symbol.raw, true
	}
}

// made gives the output of a symbol with a hash or an id, which is made once: equal
// outputs are the same bytes, and cost nothing to keep.
func (x *search) made(i int, with string) []byte {
	if with == "" {
		return nil
	}
	for _, c := range x.concrete[i] {
		if c.with == with {
			return c.raw
		}
	}
	raw := x.symbols[i].output(with)
	x.concrete[i] = append(x.concrete[i], concrete{with, raw})
	return raw
}

// output is what is said with a hash or an id.
func (s *Symbol) output(with string) []byte {
	kind := textOf("type", s.Tool)
	if s.form == finished {
		return strictjson.AppendCanonical(nil, strictjson.OfObject(cited(with), textOf("summary", "done"), kind))
	}
	e := &s.edit
	return strictjson.AppendCanonical(nil, strictjson.OfObject(
		textOf("after", e.after), textOf("baseHash", with), textOf("before", e.before), textOf("path", e.path), kind))
}

// hash is the hash that a proposal gives; false if there is none of its kind now.
func (x *search) hash(e *edit, s *machine.State) (string, bool) {
	if e.hash == hashNever {
		return never, true
	}
	f, ok := s.Snapshot.File(e.of)
	if !ok {
		return "", false
	}
	if e.hash != hashStale {
		return f.Hash(), true
	}
	versions := x.judge.world.versions[e.of]
	at := slices.Index(versions, f.Hash())
	if at < 1 {
		return "", false
	}
	return versions[at-1], true
}

// citation is the id of the last observation of a kind; false if there is none.
func citation(c cites, s *machine.State) (string, bool) {
	for i := len(s.Observations) - 1; i >= 0; i-- {
		if o := s.Observations[i]; (o.Outcome == event.CallSucceeded) == (c == citesAnswer) {
			return o.ID, true
		}
	}
	return "", false
}
