package explore

import (
	"encoding/binary"
	"slices"
	"time"
)

// watch is what the oracles remember of a run, on their own account: nothing here is
// taken from the machine's state.
type watch struct {
	pairs      []pair // of the steps that are over
	last       pair   // of the step that has just ended
	toolCalls  int
	rejections int
	outside    *outside // nil at the start
}

// pair is what a step said and what it was answered, by their numbers; 0 is none.
type pair struct{ said, told uint32 }

// outside is what the oracles remember of calls of declared tools, of grants and of
// persons.
type outside struct {
	cost      int // reserved and settled
	output    int // bytes of all answers
	calls     []dispatched
	used      []string // approvals that were consumed
	approvals []approval
	grants    []int // how many calls rest on each grant
	revoked   []int // grants
	redefined []string
}

// dispatched is one attempt of a declared tool.
type dispatched struct {
	tool, act string
	at        time.Duration
}

// approval is when an answer to a question was accepted.
type approval struct {
	id string
	at time.Duration
}

// note is what is remembered outside, to be added to: the first time in a step it is
// a copy, since what was remembered before belongs to others too.
func (s *step) note() *outside {
	if !s.noted {
		was := s.watch.outside
		s.noted = true
		s.watch.outside = &outside{
			cost: was.cost, output: was.output, grants: slices.Clone(was.grants),
			calls: slices.Clip(was.calls), used: slices.Clip(was.used), approvals: slices.Clip(was.approvals),
			revoked: slices.Clip(was.revoked), redefined: slices.Clip(was.redefined),
		}
	}
	return s.watch.outside
}

// keep is the same once its step is over.
func (w *watch) keep() watch {
	c := *w
	if c.last != (pair{}) {
		c.pairs, c.last = append(slices.Clip(w.pairs), w.last), pair{}
	}
	return c
}

// equal counts how often the newest pair stands among the newest so many; among all of
// them if there is no such number.
func (w *watch) equal(window int) int {
	n, from := 1, 0
	if window > 0 {
		from = max(0, len(w.pairs)-(window-1))
	}
	for _, p := range w.pairs[from:] {
		if p == w.last {
			n++
		}
	}
	return n
}

// rest counts a call that rests on a grant.
func (o *outside) rest(grant int) {
	for len(o.grants) <= grant {
		o.grants = append(o.grants, 0)
	}
	o.grants[grant]++
}

// resting is how many calls rest on a grant so far.
func (o *outside) resting(grant int) int {
	if grant < len(o.grants) {
		return o.grants[grant]
	}
	return 0
}

// append appends what the oracles know and the machine need not: should it count
// wrong, states that differ here stay apart.
func (w *watch) append(dst []byte) []byte {
	o := w.outside
	if o == nil {
		return dst
	}
	for _, n := range o.grants {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for _, id := range o.used {
		dst = append(append(dst, id...), ' ')
	}
	return dst
}

// numbers gives equal bytes equal numbers, from 1.
type numbers map[string]uint32

func (n numbers) of(b []byte) uint32 {
	if known, ok := n[string(b)]; ok {
		return known
	}
	n[string(b)] = uint32(len(n) + 1)
	return n[string(b)]
}
