package suite

import (
	"sync/atomic"
	"testing"
)

func TestParallelDoesEachOnce(t *testing.T) {
	for workers := range 5 {
		var done [100]atomic.Int32
		parallel(workers, len(done), func(i int) { done[i].Add(1) })
		for i := range done {
			if got := done[i].Load(); got != 1 {
				t.Errorf("%d workers: %d was done %d times", workers, i, got)
			}
		}
	}
}

// A fault in a worker reaches the caller, whatever the number of workers.
func TestParallelRaisesPanics(t *testing.T) {
	for workers := 1; workers < 4; workers++ {
		func() {
			defer func() {
				if got := recover(); got != "fault" {
					t.Errorf("%d workers: got %v, want the panic", workers, got)
				}
			}()
			parallel(workers, 10, func(i int) {
				if i == 7 {
					panic("fault")
				}
			})
		}()
	}
}
