package cli

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/term"
)

// session is one call of the program: its streams and its settings.
type session struct {
	in   io.Reader
	out  *buffer
	err  io.Writer
	args []string
	// set is resolved once the command is known, before it runs.
	set     Settings
	signals chan os.Signal // nil until the session listens
	// stopping is set by an interrupt where the work can stop in order; nil where it
	// cannot. It is given before the session listens.
	stopping *atomic.Bool
	quoting  string // the word that ends a quotation; "" outside of one
}

func newSession(args []string, streams Streams) *session {
	return &session{in: streams.In, out: newBuffer(streams.Out), err: streams.Err, args: args}
}

// open resolves the settings and checks that the command has the format asked
// for.
func (s *session) open(cmd *cobra.Command) error {
	if cmd.Annotations[noSettings] != "" || cmd.Hidden {
		s.set = guessSettings(s.args)
		return nil
	}
	set, err := resolve(cmd.Flags())
	if err != nil {
		return err
	}
	s.set = *set
	if set.Format == JSONL && cmd.Annotations[hasLines] == "" {
		return diag.List{{
			Code:    FormatUnavailable,
			Message: fmt.Sprintf("%s has nothing to print line by line, so it has no format jsonl (set by %s)", cmd.Name(), set.source("format")),
			Hint:    "use --format json, or one of: " + strings.Join(commandsWithLines(cmd.Root()), ", "),
		}}
	}
	return nil
}

// stdout is standard output as the settings want it to look.
func (s *session) stdout() *term.Stream {
	s.quote()
	return term.NewStream(s.out, s.set.look())
}

// quote keeps a job of GitHub Actions from obeying what is printed: it takes lines
// that begin with :: for commands, and text may quote a model or a file.
func (s *session) quote() {
	if s.quoting != "" || !inGitHub() {
		return
	}
	s.quoting = rand.Text()
	fmt.Fprintf(s.out, "::stop-commands::%s\n", s.quoting)
}

// unquote lets a job obey again.
func (s *session) unquote() {
	if s.quoting != "" {
		fmt.Fprintf(s.out, "::%s::\n", s.quoting)
		s.quoting = ""
	}
}

// inGitHub reports whether the program runs in a job of GitHub Actions.
func inGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// note tells a person something on standard error. Programs are told nothing:
// in the formats for them, standard error holds diagnostics only.
func (s *session) note(format string, args ...any) {
	if s.set.Format == Text {
		fmt.Fprintln(s.err, term.EscapeLine(fmt.Sprintf(format, args...)))
	}
}

// fail prints what went wrong and gives the exit code. What the command printed
// before stays.
func (s *session) fail(err error) Exit {
	if s.set.Format == 0 {
		s.set = guessSettings(s.args)
	}
	s.unquote()
	if !errors.As(err, new(said)) && inGitHub() && s.set.Format == Text {
		_ = report.WriteGitHubDiagnostics(s.out, asList(err)) // an error of writing is the buffer's
	}
	if lost := s.out.Flush(); lost != nil {
		err = writeFailed("standard output", lost)
	}
	if !errors.As(err, new(said)) {
		// There is nowhere left to report that standard error cannot be written.
		_ = s.diagnose(s.err, asList(err))
	}
	return exitOf(err)
}

// close writes what is still held back. Output that did not arrive is a failure,
// whatever the command achieved.
func (s *session) close() Exit {
	s.unquote()
	if lost := s.out.Flush(); lost != nil {
		return s.fail(writeFailed("standard output", lost))
	}
	return AsExpected
}

// buffer collects output, so that a result is written in few pieces. A terminal
// behind it can still be asked about.
type buffer struct {
	*bufio.Writer
	file *os.File
}

func newBuffer(w io.Writer) *buffer {
	file, _ := w.(*os.File)
	return &buffer{Writer: bufio.NewWriterSize(w, 1<<15), file: file}
}

// Fd is the file behind the buffer; a value that is no file if there is none.
func (b *buffer) Fd() uintptr {
	if b.file == nil {
		return ^uintptr(0)
	}
	return b.file.Fd()
}
