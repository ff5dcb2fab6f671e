// Package cli is the command line: one file for each command, wiring, and
// nothing that decides about a run. It is the only user of cobra and viper.
//
// Duties of a command:
//
//  1. It is an Options struct, a constructor that binds flags and takes the run
//     function, and that run function. Tests give the constructor another one.
//  2. Nothing is read, opened or asked while the command tree is built.
//  3. Everything is loaded before anything is run.
//  4. Results go to standard output, diagnostics to standard error.
//  5. What goes wrong is a [diag.List]; [Exit] follows from it.
//
// Non-goals: what a result looks like (package report) and where scenarios come
// from (package suite).
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"harness/internal/diag"
)

// Streams are what a call of the program reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the program with the process's arguments and streams, and returns
// the exit code.
func Main() int {
	// A run is short and its memory small: collecting it four times less often
	// makes a suite up to a third faster. The user's own setting wins.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	return int(Run(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// Run runs the program once. It never panics.
func Run(args []string, streams Streams) (code Exit) {
	s := newSession(args, streams)
	defer s.unlisten()
	defer func() {
		if fault := recover(); fault != nil {
			code = s.fail(internalError(fault))
		}
	}()
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(s.out)
	root.SetErr(s.err)
	if cmd, err := root.ExecuteC(); err != nil {
		return s.fail(orUsage(cmd, err))
	}
	return s.close()
}

// orUsage turns what cobra itself finds wrong with a call of its hidden completion
// commands, the only ones whose arguments it checks, into a diagnostic.
func orUsage(cmd *cobra.Command, err error) error {
	if found := (diag.List)(nil); cmd == nil || !cmd.Hidden || errors.As(err, &found) {
		return err
	}
	return usage(Usage, helpFor(cmd.Root()), "%s: %v", cmd.Name(), err)
}

// internalError reports a broken invariant. The place is enough to find it; a
// stack trace would say more about the program than about the user's input.
func internalError(fault any) error {
	return diag.List{{
		Code:    InternalError,
		Message: fmt.Sprintf("%v%s", fault, origin()),
		Hint:    "this is a fault of the program, not of your input; please report it with the command and its files",
	}}
}

// origin names the first of the program's own functions below a panic, and its
// place; "" if there is none.
func origin() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for panicked := false; ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && strings.HasPrefix(f.Function, "harness/"):
			return fmt.Sprintf(" in %s, %s:%d", f.Function, path.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// asList gives any error as diagnostics.
func asList(err error) diag.List {
	var found diag.List
	if errors.As(err, &found) {
		return found
	}
	return diag.List{{Code: InternalError, Message: err.Error()}}
}
