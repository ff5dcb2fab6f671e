package term_test

import (
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"harness/internal/term"
)

// openTerminal makes a pseudo-terminal of the given width and returns the end
// that a program writes to.
func openTerminal(t *testing.T, columns uint16) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	name := "/dev/pts/" + strconv.Itoa(number)
	slave, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	size := &unix.Winsize{Row: 24, Col: columns}
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, size); err != nil {
		t.Fatal(err)
	}
	return slave
}

func TestStreamOnTerminal(t *testing.T) {
	tests := map[string]struct {
		columns uint16
		options term.Options
		width   int
		color   bool
	}{
		"auto":            {133, term.Options{}, 133, true},
		"unknown size":    {0, term.Options{}, 80, true},
		"fixed width":     {133, term.Options{Width: 60}, 60, true},
		"dumb":            {40, term.Options{Env: term.Env{Term: "dumb"}}, 40, false},
		"NO_COLOR":        {40, term.Options{Env: term.Env{NoColor: true}}, 40, false},
		"never":           {40, term.Options{Color: term.Never}, 40, false},
		"dumb but forced": {40, term.Options{Env: term.Env{Term: "dumb", ForceColor: true}}, 40, true},
	}
	for name, test := range tests {
		s := term.NewStream(openTerminal(t, test.columns), test.options)
		if !s.IsTerminal() {
			t.Errorf("%s: not taken for a terminal", name)
		}
		if got := s.Width(); got != test.width {
			t.Errorf("%s: width is %d; want %d", name, got, test.width)
		}
		if got := s.Style().Color(); got != test.color {
			t.Errorf("%s: colour is %v; want %v", name, got, test.color)
		}
	}
}
