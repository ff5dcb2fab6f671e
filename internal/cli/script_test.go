package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary serve as the program, so that the scripts and
// the examples of the docs run the real main.
func TestMain(m *testing.M) {
	// Where the tests run says nothing about the program that they test.
	if program := filepath.Base(os.Args[0]); !strings.HasPrefix(program, "harness") {
		for _, name := range []string{"CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"} {
			os.Unsetenv(name)
		}
	}
	testscript.Main(m, map[string]func(){
		"harness": func() { os.Exit(Main()) },
	})
}

// TestScripts runs the archives: what a user types, and what comes of it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			// What a test remembers belongs to the archive.
			home := filepath.Join(env.WorkDir, ".home")
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
				env.Setenv(name, home)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"ends": ends},
	})
}

// ends is "ends CODE COMMAND ARGUMENTS...": the command must end with this exit
// code, and not by a signal.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s did not run: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code: got %d, want %d", got, want)
	}
}
