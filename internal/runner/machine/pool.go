package machine

import (
	"encoding/binary"

	"harness/internal/action"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// Pool holds one copy of what many runs have said and were told, so that to keep a run
// costs little, and what the loop detector compares is worked out once. Machines of one
// Config may share a pool, in one goroutine.
type Pool struct {
	said map[string]*said // by the bytes
	told map[string]*told // by everything in it
	key  []byte

	snapshot *vrepo.Snapshot // that was named last
	digest   [32]byte
}

// said is an output and what it asks for, in one piece; without any decision.
type said struct {
	output   event.Output
	proposal event.Proposal
	action   action.Action
	name     strictjson.Digest
}

// told is an observation.
type told struct {
	observation event.Observation
	name        strictjson.Digest
}

// NewPool makes an empty pool.
func NewPool() *Pool { return &Pool{said: map[string]*said{}, told: map[string]*told{}} }

// Share has the machine use a pool that others use too.
func (m *Machine) Share(p *Pool) { m.pool = p }

// name is the digest of a snapshot, which is asked for again and again.
func (p *Pool) name(s *vrepo.Snapshot) []byte {
	if p.snapshot != s {
		p.snapshot, p.digest = s, s.Digest()
	}
	return p.digest[:]
}

// intern lets the state point into the pool where it points into the step that has
// just ended: what was said and told there stands inside of all that the step was
// worked on with, which would have to be kept with it.
func (m *Machine) intern() {
	if m.pool == nil {
		m.pool = NewPool()
	}
	s := &m.state
	answers, steps := len(s.Observations), len(s.window)
	if answers == 0 || steps == 0 {
		return
	}
	newest, own := &s.window[steps-1], s.Observations[answers-1]
	if newest.observation != own {
		return
	}
	told, said := m.pool.ofTold(own), m.pool.ofSaid(newest.proposal)
	*newest = fingerprint{proposal: &said.proposal, observation: &told.observation, action: &said.name, answer: &told.name}
	s.Observations[answers-1] = &told.observation
	for i := range s.Standing.Acts {
		if s.Standing.Acts[i].Answer == own {
			s.Standing.Acts[i].Answer = &told.observation
		}
	}
}

// ofSaid is the pool's copy of what a proposal says.
func (p *Pool) ofSaid(of *event.Proposal) *said {
	if known := p.said[string(of.Output.Raw)]; known != nil {
		return known
	}
	s := &said{output: *of.Output}
	s.proposal.Output = &s.output
	if of.Action == nil {
		s.name = strictjson.DigestBytes(s.output.Raw)
	} else {
		s.action = *of.Action
		s.proposal.Action, s.name = &s.action, s.action.Digest()
	}
	p.said[string(of.Output.Raw)] = s
	return s
}

// ofTold is the pool's copy of an observation.
func (p *Pool) ofTold(o *event.Observation) *told {
	k := append(p.key[:0], byte(o.Outcome))
	k = binary.AppendUvarint(binary.AppendUvarint(k, uint64(o.Step)), uint64(o.Call))
	k = appendTruth(appendText(appendText(k, o.Tool), string(o.Trust)), o.Cut)
	if k = appendTruth(k, o.Read != nil); o.Read != nil {
		r := o.Read
		k = appendText(appendText(k, r.Path), r.Hash)
		k = binary.AppendUvarint(binary.AppendUvarint(k, uint64(r.From)), uint64(r.To))
	}
	p.key = append(k, o.JSON...)
	if known := p.told[string(p.key)]; known != nil {
		return known
	}
	t := &told{observation: *o, name: o.Digest()}
	p.told[string(p.key)] = t
	return t
}
