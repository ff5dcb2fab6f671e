// Package term prints for terminals: streams that know their width and style,
// colour, plain-text fallbacks for every glyph, escaping of hostile text, and
// columns.
//
// Duties of a caller:
//
//  1. Make one [Stream] for each writer; two streams may differ in colour.
//  2. Pass text that came from outside through [EscapeLine] or [EscapeText]
//     (or the [Style] methods of these names, which also serve --ascii) before
//     it is styled, measured or printed. [Table] escapes its cells itself.
//  3. Take glyphs that are not ASCII from [Style], never from a literal.
//  4. Ask [Stream.Err] once, at the end: a full disk or a closed pipe is a
//     failed run.
//
// Nothing here reads the environment, a file or a terminal before a stream is
// made, and nothing printed to a writer that is no terminal depends on the
// machine. Width is a count of terminal columns as Unicode defines it, ambiguous
// characters being narrow everywhere; what a certain terminal draws may differ.
//
// Non-goals: cursor movement, progress bars, reading from a terminal.
package term

import (
	"io"

	xterm "golang.org/x/term"
)

// DefaultWidth is the width, in columns, of a stream that is no terminal, or of
// a terminal that does not tell.
const DefaultWidth = 80

// Choice says when to use colour. The zero value is unset and means [Auto].
type Choice uint8

// The choices.
const (
	_ Choice = iota
	// Auto uses colour on a terminal, unless the environment says otherwise.
	Auto
	// Always uses colour whatever the stream is.
	Always
	// Never uses no colour.
	Never
)

// ParseChoice reads "auto", "always" or "never".
func ParseChoice(s string) (Choice, bool) {
	switch s {
	case "auto":
		return Auto, true
	case "always":
		return Always, true
	case "never":
		return Never, true
	}
	return 0, false
}

// String is the word that [ParseChoice] reads; "unset" for anything else.
func (c Choice) String() string {
	switch c {
	case Auto:
		return "auto"
	case Always:
		return "always"
	case Never:
		return "never"
	}
	return "unset"
}

// Env is what the environment says about colour.
type Env struct {
	NoColor    bool   // NO_COLOR is set to anything but ""
	ForceColor bool   // FORCE_COLOR is set to anything but "", "0" or "false"
	Term       string // TERM
}

// ReadEnv asks getenv, usually os.Getenv, for the variables of [Env].
func ReadEnv(getenv func(string) string) Env {
	force := getenv("FORCE_COLOR")
	return Env{
		NoColor:    getenv("NO_COLOR") != "",
		ForceColor: force != "" && force != "0" && force != "false",
		Term:       getenv("TERM"),
	}
}

// Options says how a stream is to look.
type Options struct {
	Color Choice
	ASCII bool // print 7-bit characters only
	Env   Env
	// Width is the number of columns; 0 or less asks the terminal, if the
	// writer is one, and else means [DefaultWidth].
	Width int
}

// color decides whether a stream is coloured. An explicit choice wins over the
// environment; in the environment the cautious NO_COLOR wins over FORCE_COLOR,
// and FORCE_COLOR over what the terminal is.
func (o Options) color(terminal bool) bool {
	switch {
	case o.Color == Always:
		return true
	case o.Color == Never, o.Env.NoColor:
		return false
	case o.Env.ForceColor:
		return true
	}
	return terminal && o.Env.Term != "dumb"
}

// Stream is a writer with its own style and width. It is not safe for
// concurrent use.
type Stream struct {
	w        io.Writer
	style    Style
	width    int
	unread   bool
	terminal bool
	err      error
}

// NewStream wraps w, asking the terminal behind it, if any, once.
func NewStream(w io.Writer, o Options) *Stream {
	s := &Stream{w: w, width: o.Width}
	file, isFile := w.(interface{ Fd() uintptr })
	if isFile {
		s.terminal = xterm.IsTerminal(int(file.Fd()))
	}
	if s.width <= 0 && s.terminal {
		// An error leaves the width at 0, as does a terminal of unknown size.
		s.width, _, _ = xterm.GetSize(int(file.Fd()))
	}
	if s.width <= 0 {
		s.width, s.unread = DefaultWidth, !s.terminal
	}
	s.style = NewStyle(o.color(s.terminal), o.ASCII)
	return s
}

// IsTerminal reports whether the stream's writer is a terminal.
func (s *Stream) IsTerminal() bool { return s.terminal }

// Width is the stream's width in columns, at least 1.
func (s *Stream) Width() int { return s.width }

// Unread reports whether the width is only a habit: no terminal is there, and
// none was asked for. Nothing has to be cut then for want of room.
func (s *Stream) Unread() bool { return s.unread }

// Style is how the stream's text is to look.
func (s *Stream) Style() Style { return s.style }

// Write writes p as it is. After the first error nothing more is written, and
// every call returns that error, so what reached the writer is a prefix of what
// was meant.
func (s *Stream) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
	return n, err
}

// Err is the first error of writing, nil if there was none.
func (s *Stream) Err() error { return s.err }
