package machine

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"time"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/strictjson"
)

// Saved is a run as it stood where nothing was under way. It does not change, and is
// small, so that many can be kept: it holds what the events so far add up to and how
// many there were, and none of them.
type Saved struct {
	state  State
	view   prompt.View
	now    time.Duration
	before int
}

// State is the state that was saved; callers must not modify it.
func (s *Saved) State() *State { return &s.state }

// Rests reports whether nothing is under way: the run stands between two steps,
// waits for the model or to be resumed, or is over. Anywhere else an effect was
// handed out, which belongs to this one machine.
func (m *Machine) Rests() bool {
	switch m.state.Phase {
	case Between, Asking, Paused, Over:
		return true
	default:
		return false
	}
}

// Save keeps the run as it stands; nil if it does not rest.
func (m *Machine) Save() *Saved {
	if !m.Rests() {
		return nil
	}
	m.intern()
	s := &Saved{state: m.state, view: m.view, now: m.now, before: m.before + len(m.events)}
	st := &s.state
	st.said = fingerprint{}
	st.Edits, st.Observations, st.window = slices.Clone(st.Edits), slices.Clone(st.Observations), slices.Clone(st.window)
	st.Reads, st.Standing = st.Reads.Clone(), st.Standing.Clone()
	s.view.Last = st.last()
	return s
}

// Load makes the machine the run that was saved, which must have had the same Config.
// Its events begin there. What State and Events gave before is void.
func (m *Machine) Load(s *Saved) {
	observations, window := m.state.Observations[:0], m.state.window[:0]
	m.state, m.view, m.now, m.before = s.state, s.view, s.now, s.before
	st := &m.state
	st.Observations = append(observations, st.Observations...)
	st.window = append(window, st.window...)
	st.Edits, st.Reads, st.Standing = slices.Clip(st.Edits), st.Reads.Clone(), st.Standing.Clone()
	m.events, m.turn = m.room.events[:0], nil
	if m.next = m.waiting(); st.Phase == Asking {
		m.next = Effect{Kind: AskModel, Step: st.Used.Steps + 1, View: &m.view}
	}
}

// Next is the effect that was asked for last: what a run that was loaded, or cloned,
// waits for.
func (m *Machine) Next() Effect { return m.next }

// Clone is the run as it stands, to be taken further by itself; nil if it does not
// rest. Its events begin there.
func (m *Machine) Clone() *Machine {
	s := m.Save()
	if s == nil {
		return nil
	}
	c := New(m.cfg)
	c.Share(m.pool)
	c.Load(s)
	return c
}

// AppendKey appends what can matter to the rest of the run: two runs of one Config
// that rest and have equal keys decide alike whatever happens next. Texts that only
// people read and the order of what was read are no part of it, nor is what the loop
// detector can never come to see again. Of a run that is over there is no rest: its
// key says how it ended and what it leaves.
func (m *Machine) AppendKey(dst []byte) []byte {
	m.intern()
	s := &m.state
	dst = append(dst, byte(s.Phase), byte(s.Status))
	dst = append(append(dst, s.Reason.String()...), 0)
	for _, e := range s.Edits {
		dst = appendEdit(dst, e)
	}
	dst = appendActs(append(dst, 0), s.Standing.Acts)
	if s.Phase == Over {
		return dst
	}
	for _, n := range [...]int{s.Used.Steps, s.Used.ToolCalls, s.Used.Rejections, s.Standing.Cost, s.Standing.Output} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	dst = binary.AppendVarint(dst, int64(m.now))
	dst = append(dst, m.pool.name(s.Snapshot)...)
	dst = append(s.Reads.Append(dst), 0)
	dst = append(s.appendCitable(dst), 0)
	if o := s.last(); o != nil && (s.Phase == Between || s.Phase == Paused) { // the model will be told, which has to fit
		dst = binary.AppendUvarint(append(append(append(dst, o.ID...), ' '), o.Trust...), uint64(o.Size))
	}
	dst = appendTruth(appendStanding(dst, &s.Standing), s.pausing)
	return m.appendWindow(dst)
}

// appendEdit appends an accepted edit, every part with its length.
func appendEdit(dst []byte, e *event.Edit) []byte {
	dst = binary.AppendUvarint(append(dst, 1), uint64(e.Offset))
	for _, text := range [...]string{e.Path, e.BaseHash, e.Before, e.After} {
		dst = appendText(dst, text)
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

func appendTruth(dst []byte, holds bool) []byte {
	if holds {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// appendCitable appends the observations that a finish may cite.
func (s *State) appendCitable(dst []byte) []byte {
	for _, o := range s.Observations {
		if o.Outcome == event.CallSucceeded {
			dst = append(append(dst, o.ID...), ' ')
		}
	}
	return dst
}

// appendStanding appends grants, questions and the calls that rates count.
func appendStanding(dst []byte, st *policy.Standing) []byte {
	for i := range st.Grants {
		dst = appendTruth(binary.AppendUvarint(append(dst, 1), uint64(st.Grants[i].Calls)), st.Grants[i].Revoked)
	}
	dst = append(dst, 0)
	for i := range st.Confirmations {
		asked := &st.Confirmations[i]
		dst = appendTruth(append(appendText(append(dst, 1), asked.ID), byte(asked.State)), asked.PerRun)
		dst = appendBinding(binary.AppendVarint(dst, int64(asked.Expires)), &asked.Binding)
		if a := asked.Answer; a != nil {
			dst = appendBinding(appendText(appendText(append(dst, 1), a.Request), string(a.Verdict)), &a.Binding)
		}
	}
	dst = append(dst, 0)
	dst = appendDispatches(dst, st.Dispatches)
	dst = append(dst, 0)
	for _, name := range st.Redefined {
		dst = appendText(append(dst, 1), name)
	}
	return append(dst, 0)
}

// appendDispatches appends the calls that bounds and rates count, those of one time
// in the order of their tools.
func appendDispatches(dst []byte, calls []policy.Dispatched) []byte {
	inOrder := func(i, j int) bool {
		return cmp.Or(cmp.Compare(calls[i].At, calls[j].At), strings.Compare(calls[i].Tool, calls[j].Tool)) < 0
	}
	if !sort.SliceIsSorted(calls, inOrder) {
		calls = slices.Clone(calls)
		sort.Slice(calls, inOrder)
	}
	for i := range calls {
		dst = binary.AppendVarint(appendText(append(dst, 1), calls[i].Tool), int64(calls[i].At))
	}
	return dst
}

// appendActs appends the business acts and what is known of them, in the order of
// their ids: nobody asks which came first.
func appendActs(dst []byte, acts []policy.Act) []byte {
	byID := func(i, j int) bool { return acts[i].ID < acts[j].ID }
	if !sort.SliceIsSorted(acts, byID) {
		acts = slices.Clone(acts)
		sort.Slice(acts, byID)
	}
	for i := range acts {
		a := &acts[i]
		for _, text := range [...]string{a.ID, a.Tool, a.Resource, string(a.Effect), a.Reconciled} {
			dst = appendText(dst, text)
		}
		dst = appendTruth(binary.AppendUvarint(dst, uint64(a.Attempts)), a.Doubtful)
		dst = append(dst, a.Arguments[:]...)
		if a.Answer == nil {
			dst = append(dst, 0)
			continue
		}
		dst = appendText(append(dst, 1), string(a.Answer.JSON))
	}
	return append(dst, 0)
}

func appendBinding(dst []byte, b *event.Binding) []byte {
	for _, text := range [...]string{b.Run, b.Session, b.Principal, b.Tenant, b.Tool, b.Version, b.Resource} {
		dst = appendText(dst, text)
	}
	for _, d := range [...]*strictjson.Digest{&b.Definition, &b.Arguments, &b.Operands, &b.Policy} {
		dst = append(dst, d[:]...)
	}
	return dst
}

// pairSize is the size of what the loop detector compares: two digests.
const pairSize = 2 * len(strictjson.Digest{})

// append appends what the loop detector compares. Of most steps it is known: see Pool.
func (f *fingerprint) append(dst []byte) []byte {
	switch {
	case f.action != nil:
	case f.proposal.Action == nil:
		d := strictjson.DigestBytes(f.proposal.Output.Raw)
		f.action = &d
	default:
		f.digest()
	}
	if f.answer == nil {
		d := f.observation.Digest()
		f.answer = &d
	}
	return append(append(dst, f.action[:]...), f.answer[:]...)
}

// appendWindow appends what the loop detector can still count. While nothing can
// leave the window before the steps run out, it is the same in any order, and a pair
// that cannot come up often enough any more does not count. Polls are counted over
// the whole run, so with them everything stays.
func (m *Machine) appendWindow(dst []byte) []byte {
	s, b := &m.state, &m.cfg.Budgets
	left := b.Steps - s.Used.Steps
	if m.polls() {
		return s.appendPairs(dst, len(s.window))
	}
	if len(s.window)+left > b.Window {
		return s.appendPairs(dst, b.Window-1) // the oldest leaves when the next comes
	}
	from := len(dst)
	dst = s.appendPairs(dst, len(s.window))
	kept := keepFrequent(dst[from:], b.Repeats-left)
	return dst[:from+kept]
}

// appendPairs appends the newest so many pairs, oldest first.
func (s *State) appendPairs(dst []byte, newest int) []byte {
	recent := s.window[max(0, len(s.window)-newest):]
	for i := range recent {
		dst = recent[i].append(dst)
	}
	return dst
}

// polls reports whether some tool's contract declares polling.
func (m *Machine) polls() bool {
	for _, t := range m.cfg.Registry.Tools() {
		if t.Contract().Poll > 0 {
			return true
		}
	}
	return false
}

// keepFrequent sorts pairs in place, and keeps of each that stands there often enough
// what says how often. It gives the size of what is kept.
func keepFrequent(pairs []byte, enough int) int {
	sortPairs(pairs)
	kept := 0
	for from := 0; from < len(pairs); {
		to := from + pairSize
		for to < len(pairs) && bytes.Equal(pairs[from:from+pairSize], pairs[to:to+pairSize]) {
			to += pairSize
		}
		if (to-from)/pairSize >= enough {
			kept += copy(pairs[kept:], pairs[from:to])
		}
		from = to
	}
	return kept
}

// sortPairs sorts by insertion: there are few, and most are in order.
func sortPairs(pairs []byte) {
	var moved [pairSize]byte
	for i := pairSize; i < len(pairs); i += pairSize {
		at := i
		for at > 0 && bytes.Compare(pairs[i:i+pairSize], pairs[at-pairSize:at]) < 0 {
			at -= pairSize
		}
		if at < i {
			copy(moved[:], pairs[i:i+pairSize])
			copy(pairs[at+pairSize:i+pairSize], pairs[at:i])
			copy(pairs[at:], moved[:])
		}
	}
}
