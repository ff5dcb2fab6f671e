package cli

import (
	"fmt"
	"os"
	"time"

	"harness/internal/term"
)

// counter tells a person at a terminal how far the work is. Nobody else is told: it
// would only be noise in a log.
type counter struct {
	session *session
	of      int
	last    time.Time
	shown   bool
}

// blink is how often a counter changes, at most.
const blink = 100 * time.Millisecond

func (s *session) counter(of int) *counter {
	quiet := s.set.Format != Text || os.Getenv("CI") != "" || !term.NewStream(s.err, s.set.look()).IsTerminal()
	if quiet {
		return &counter{}
	}
	return &counter{session: s, of: of, last: time.Now()}
}

// show shows how much is done. It is called by one goroutine at a time.
func (c *counter) show(done, red int) {
	c.say(fmt.Sprintf("%d of %d, %d not as expected", done, c.of, red))
}

// say shows how far work is that has no known end.
func (c *counter) say(text string) {
	if c.session == nil || time.Since(c.last) < blink {
		return
	}
	c.last, c.shown = time.Now(), true
	fmt.Fprintf(c.session.err, "\r%s\x1b[K", text)
}

// end takes the counter off the terminal.
func (c *counter) end() {
	if c.shown {
		fmt.Fprint(c.session.err, "\r\x1b[K")
	}
}
