package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"harness/internal/diag"
)

// listen lets an interrupt end the program with its own exit code. Whatever
// waits for input or runs several scenarios calls it first; to what is over in a
// moment it would cost more than it gives. Nothing has to be undone, so the
// process ends at once, but for a session that can stop in order: it is told by the
// first signal, and ended by the second.
func (s *session) listen() {
	if s.signals != nil {
		return
	}
	s.signals = make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		// A parent that had the signal ignored meant it.
		if !signal.Ignored(sig) {
			signal.Notify(s.signals, sig)
		}
	}
	go func() {
		sig, interrupted := <-s.signals
		if interrupted && s.stopping != nil && !s.stopping.Swap(true) {
			sig, interrupted = <-s.signals
		}
		if !interrupted {
			return
		}
		// A session of its own: the other one is still at work.
		last := newSession(s.args, Streams{In: s.in, Out: io.Discard, Err: s.err})
		os.Exit(int(last.fail(diag.List{{Code: Interrupted, Message: "stopped by signal: " + sig.String()}})))
	}()
}

// unlisten ends what listen began.
func (s *session) unlisten() {
	if s.signals != nil {
		signal.Stop(s.signals)
		close(s.signals)
	}
}
