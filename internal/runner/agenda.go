package runner

import (
	"time"

	"harness/internal/runner/machine"
)

// item is something that will happen at a time.
type item struct {
	at    time.Duration
	rank  rank
	order int
	// happen makes it happen; it is false if that is no input of the machine.
	happen func() (machine.Input, bool)
}

// rank orders what happens at one time: an answer that arrives at the deadline has
// arrived in time.
type rank uint8

const (
	rankEffect rank = iota
	rankAnswer
	rankChange
	rankTick
)

func (d *driver) schedule(at time.Duration, r rank, happen func() (machine.Input, bool)) {
	d.made++
	d.pending = append(d.pending, item{at, r, d.made, happen})
}

// tickAt has time reported at a deadline, unless that is never.
func (d *driver) tickAt(at time.Duration) {
	if at == machine.Forever {
		return
	}
	d.schedule(at, rankTick, func() (machine.Input, bool) {
		switch d.machine.State().Phase {
		case machine.Calling, machine.Sleeping:
			return machine.Input{Kind: machine.Tick}, true
		default:
			return machine.Input{}, false // what it was for is over
		}
	})
}

// await goes on to the next thing that is an input. It is false if there is none.
func (d *driver) await() (machine.Input, bool) {
	for {
		next := d.earliest()
		if d.deadlineFirst() {
			d.now = max(d.now, d.cfg.Machine.Budgets.Deadline)
			return machine.Input{Kind: machine.Tick, At: d.now}, true
		}
		if change := d.timedChange(); change != nil && (next < 0 || before(change.At, rankChange, &d.pending[next])) {
			d.timed++
			d.now = max(d.now, change.At)
			return d.change(change), true
		}
		if next < 0 {
			return machine.Input{}, false
		}
		due := d.pending[next]
		d.pending = append(d.pending[:next], d.pending[next+1:]...)
		d.now = max(d.now, due.at)
		if in, is := due.happen(); is {
			in.At = d.now
			return in, true
		}
	}
}

// deadlineFirst reports whether the run's deadline comes before whatever is next
// while a person is waited for. Where nothing is next, nobody looks at a clock: the
// run waits. A clock that was set for a call says nothing here.
func (d *driver) deadlineFirst() bool {
	if d.machine.State().Phase != machine.Waiting {
		return false
	}
	first := machine.Forever
	for i := range d.pending {
		if d.pending[i].rank != rankTick {
			first = min(first, d.pending[i].at)
		}
	}
	if change := d.timedChange(); change != nil {
		first = min(first, change.At)
	}
	return first < machine.Forever && first >= d.cfg.Machine.Budgets.Deadline
}

// timedChange is the next change at a time, while the run can still see it.
func (d *driver) timedChange() *Change {
	if d.timed == len(d.cfg.Timed) || d.machine.State().Phase == machine.Over {
		return nil
	}
	return &d.cfg.Timed[d.timed]
}

// earliest is the place of the next item, -1 if there is none.
func (d *driver) earliest() int {
	next := -1
	for i := range d.pending {
		if next < 0 || before(d.pending[i].at, d.pending[i].rank, &d.pending[next]) {
			next = i
		}
	}
	return next
}

func before(at time.Duration, r rank, other *item) bool {
	return at < other.at || at == other.at && r < other.rank
}
