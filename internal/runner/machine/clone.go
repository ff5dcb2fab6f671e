package machine

import (
	"encoding/binary"
	"fmt"
	"slices"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
)

// Clone is the run as it stands, to be taken further by itself. It remembers what
// the events so far add up to and how many there were, but not the events: those
// of a clone begin where it was made.
//
// A run that waits for the driver to do something (a call under way, a question, a
// look-up) cannot be cloned, since the effect was handed out; it is nil for one that
// neither stands between two steps, nor waits for the model, nor is over.
func (m *Machine) Clone() *Machine {
	switch m.state.Phase {
	case Between, Asking, Over:
	default:
		return nil
	}
	c := &Machine{cfg: m.cfg, state: m.state, now: m.now, next: m.next, allowed: m.allowed, terms: m.terms}
	c.before = m.before + len(m.events)
	c.events = c.room.events[:0]
	s := &c.state
	s.Edits, s.Observations, s.window = clip(s.Edits), clip(s.Observations), clip(s.window)
	s.Reads = s.Reads.Clone()
	s.Standing = s.Standing.Clone()
	c.citable = s.Citable
	if c.view = m.view; c.next.View != nil {
		c.next.View = &c.view
	}
	return c
}

// clip is a list that its owner may append to without others seeing it.
func clip[T any](list []T) []T { return slices.Clip(list) }

// AppendKey appends what can matter to the rest of the run: two runs of one
// configuration and equal keys decide alike whatever happens next. Texts that only
// people read, times that no deadline looks at, and the order of reads are no part
// of it.
func (m *Machine) AppendKey(dst []byte) []byte {
	s := &m.state
	dst = append(dst, byte(s.Phase), byte(s.Status))
	dst = append(append(dst, s.Reason.String()...), 0)
	for _, n := range []int{s.Used.Steps, s.Used.ToolCalls, s.Used.Rejections, s.Standing.Cost, s.Standing.Output, len(s.Edits)} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	dst = binary.AppendVarint(dst, int64(m.now))
	digest := s.Snapshot.Digest()
	dst = append(dst, digest[:]...)
	dst = s.Reads.Append(dst)
	for _, e := range s.Edits {
		d := e.Digest()
		dst = append(dst, d[:]...)
	}
	for _, o := range s.Observations { // those that a finish may cite
		if o.Outcome == event.CallSucceeded {
			dst = append(append(dst, o.ID...), ' ')
		}
	}
	dst = append(dst, 0)
	recent := s.window[max(0, len(s.window)-m.cfg.Budgets.Window):]
	for i := range recent {
		dst = recent[i].append(dst)
	}
	return appendStanding(dst, &s.Standing)
}

// append appends what the loop detector compares.
func (f *fingerprint) append(dst []byte) []byte {
	if f.proposal.Action == nil {
		d := strictjson.DigestBytes(f.proposal.Output.Raw)
		dst = append(dst, d[:]...)
	} else {
		d := f.digest()
		dst = append(dst, d[:]...)
	}
	if f.answer == nil {
		d := f.observation.Digest()
		f.answer = &d
	}
	return append(dst, f.answer[:]...)
}

// appendStanding appends grants, questions, acts and the calls that rates count.
func appendStanding(dst []byte, st *policy.Standing) []byte {
	for i := range st.Grants {
		dst = binary.AppendUvarint(dst, uint64(st.Grants[i].Calls)<<1|revoked(st.Grants[i].Revoked))
	}
	for i := range st.Confirmations {
		asked := &st.Confirmations[i]
		d := strictjson.DigestBytes(fmt.Appendf(nil, "%d %+v %d", asked.State, asked.Binding, asked.Expires))
		dst = append(dst, d[:]...)
	}
	for i := range st.Acts {
		a := &st.Acts[i]
		dst = fmt.Appendf(dst, "%s %s %d %t %t ", a.ID, a.Effect, a.Attempts, a.Doubtful, a.Answer != nil)
		dst = append(dst, a.Arguments[:]...)
	}
	for i := range st.Dispatches {
		dst = fmt.Appendf(dst, "%s %d ", st.Dispatches[i].Tool, st.Dispatches[i].At)
	}
	for _, name := range st.Redefined {
		dst = append(append(dst, name...), 0)
	}
	return dst
}

func revoked(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}
