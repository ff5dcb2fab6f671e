package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/suite"
)

// quiet is a session that reads and prints nothing.
func quiet() *session {
	return newSession(nil, Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
}

// parse runs a command alone with arguments.
func parse(t *testing.T, cmd *cobra.Command, args ...string) error {
	t.Helper()
	cmd.SetArgs(append([]string{}, args...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.Execute()
}

// TestFlags gives each constructor another run function and looks at the options
// that the command line came to.
func TestFlags(t *testing.T) {
	s := quiet()
	var got any
	catch := func(o any) error { got = o; return nil }
	for _, test := range []struct {
		name string
		cmd  *cobra.Command
		args []string
		want any
	}{
		{"workflow", newWorkflow(s, func(o *WorkflowOptions) error { return catch(*o) }), nil, WorkflowOptions{session: s, Name: "sum"}},
		{"workflow NAME", newWorkflow(s, func(o *WorkflowOptions) error { return catch(*o) }), []string{"x"}, WorkflowOptions{session: s, Name: "x"}},
		{"boundaries", newBoundaries(s, func(o *BoundariesOptions) error { return catch(*o) }), nil, BoundariesOptions{session: s}},
		{"boundaries --case", newBoundaries(s, func(o *BoundariesOptions) error { return catch(*o) }), []string{"--case", "a"}, BoundariesOptions{session: s, Case: "a"}},
		{"boundaries --call", newBoundaries(s, func(o *BoundariesOptions) error { return catch(*o) }), []string{"f", "--call", ""}, BoundariesOptions{session: s, Asked: true, File: "f"}},
		{"run", newRun(s, func(o *RunOptions) error { return catch(*o) }), []string{"a", "--expect", "-"}, RunOptions{session: s, Paths: []string{"a", "-"}, Expect: true}},
		{"validate", newValidate(s, func(o *ValidateOptions) error { return catch(*o) }), []string{"a", "b"}, ValidateOptions{session: s, Paths: []string{"a", "b"}}},
		{"list", newList(s, func(o *ListOptions) error { return catch(*o) }), []string{"a"}, ListOptions{session: s, Paths: []string{"a"}}},
		{"new", newNew(s, func(o *NewOptions) error { return catch(*o) }), []string{"--from", "x", "--force", "f"}, NewOptions{session: s, From: "x", File: "f", Force: true}},
		{"explain", newExplain(s, func(o *ExplainOptions) error { return catch(*o) }), []string{"A"}, ExplainOptions{session: s, Code: "A"}},
		{"explain, all", newExplain(s, func(o *ExplainOptions) error { return catch(*o) }), nil, ExplainOptions{session: s, All: true}},
		{"schema", newSchema(s, func(o *SchemaOptions) error { return catch(*o) }), []string{"trace"}, SchemaOptions{session: s, Name: "trace"}},
		{"config", newConfig(s, func(o *ConfigOptions) error { return catch(*o) }), nil, ConfigOptions{session: s}},
		{"version", newVersion(s, func(o *VersionOptions) error { return catch(*o) }), nil, VersionOptions{session: s}},
	} {
		got = nil
		if err := parse(t, test.cmd, test.args...); err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestOptionsWithTree looks at the two commands that need the whole tree.
func TestOptionsWithTree(t *testing.T) {
	s := quiet()
	completion := newCompletion(s, func(o *CompletionOptions) error {
		if o.Shell != "fish" || o.root == nil {
			t.Errorf("completion: got shell %q, root %v", o.Shell, o.root)
		}
		return nil
	})
	if err := parse(t, completion, "fish"); err != nil {
		t.Error(err)
	}
	help := newHelp(s, func(o *HelpOptions) error {
		if want := []string{"run"}; !reflect.DeepEqual(o.Topic, want) || o.root == nil {
			t.Errorf("help: got topic %q, want %q, root %v", o.Topic, want, o.root)
		}
		return nil
	})
	if err := parse(t, help, "run"); err != nil {
		t.Error(err)
	}
}

// TestTreeReadsNothing builds the tree and the help with a settings file that
// would be refused: neither may look at it.
func TestTreeReadsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(settingsFile, []byte("nonsense: true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, err bytes.Buffer
	if got := Run([]string{"help"}, Streams{Out: &out, Err: &err}); got != AsExpected || err.Len() > 0 {
		t.Errorf("help: got exit %d and %q, want 0 and no diagnostics", got, err.String())
	}
	if got := Run([]string{"config"}, Streams{Out: &out, Err: &err}); got != InvalidInput {
		t.Errorf("config: got exit %d, want %d", got, InvalidInput)
	}
}

// TestEveryCommandIsDocumented holds each command to what help and docs print.
func TestEveryCommandIsDocumented(t *testing.T) {
	root := newRoot(quiet())
	for _, c := range root.Commands() {
		switch {
		case c.Short == "" || strings.HasSuffix(c.Short, "."):
			t.Errorf("%s: Short is a line without a full stop, got %q", c.Name(), c.Short)
		case !strings.HasPrefix(c.Example, "harness "+c.Name()):
			t.Errorf("%s: Example runs the command, got %q", c.Name(), c.Example)
		case c.GroupID == "":
			t.Errorf("%s: has no group", c.Name())
		case c.Args == nil:
			t.Errorf("%s: does not check its arguments", c.Name())
		}
	}
}

// TestScriptsCoverTheCommandLine holds the archives to the tree: every command,
// every flag and every exit code is in one, and each says what it is about.
func TestScriptsCoverTheCommandLine(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s: the first line must say what it is about", f)
		}
		all.Write(text)
	}
	var want []string
	for _, c := range newRoot(quiet()).Commands() {
		want = append(want, `harness `+c.Name()+`\b`)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flag := "--" + f.Name
			if f.Shorthand != "" {
				flag = "(--" + f.Name + "|-" + f.Shorthand + ")"
			}
			want = append(want, `harness .*`+flag+`\b`)
		})
	}
	for _, e := range Exits() {
		want = append(want, `(?m)^ends `+strconv.Itoa(int(e))+` `)
	}
	for _, pattern := range want {
		if !regexp.MustCompile(pattern).MatchString(all.String()) {
			t.Errorf("no archive has %s", pattern)
		}
	}
}

// TestShownBy holds the shipped suite to the codes: what it shows is what its
// runs raised.
func TestShownBy(t *testing.T) {
	pages, err := codePages()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"PATH_NOT_READABLE": "boundaries/basics/read-outside-grant",
		"UNKNOWN_FLAG":      "",
	}
	for _, p := range pages {
		if id, ok := want[p.Code.Name]; ok && p.Scenario != id {
			t.Errorf("%s: got shown by %q, want %q", p.Code.Name, p.Scenario, id)
		}
	}
}

// TestExitOf is the mapping from what a command returns to the exit code.
func TestExitOf(t *testing.T) {
	note := diag.Diagnostic{Code: &diag.Code{Name: "N", Class: diag.Note}}
	for _, test := range []struct {
		name string
		err  error
		want Exit
	}{
		{"nothing", nil, AsExpected},
		{"said 1", said(ScenarioFailed), ScenarioFailed},
		{"said 4", said(CouldNotComplete), CouldNotComplete},
		{"input", diag.List{{Code: Usage}}, InvalidInput},
		{"note", diag.List{note}, AsExpected},
		{"empty", emptySelection{diag.List{{Code: suite.NoScenarios}}}, NothingSelected},
		{"empty beside others", diag.List{{Code: suite.NoScenarios}}, InvalidInput},
		{"write", diag.List{{Code: Usage}, {Code: WriteFailed}}, CouldNotComplete},
		{"no code", diag.List{{}}, CouldNotComplete},
		{"other", errors.New("x"), CouldNotComplete},
		{"wrapped", errors.Join(errors.New("x"), diag.List{{Code: Usage}}), InvalidInput},
	} {
		if got := exitOf(test.err); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// panics is a reader that breaks an invariant.
type panics struct{}

func (panics) Read([]byte) (int, error) { panic("broken invariant") }

// TestPanicIsReported sees that a broken invariant is a coded diagnostic with
// its place, and no stack trace.
func TestPanicIsReported(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, stderr bytes.Buffer
	got := Run([]string{"boundaries", "--call", "-"}, Streams{In: panics{}, Out: &out, Err: &stderr})
	if got != CouldNotComplete {
		t.Errorf("got exit %d, want %d", got, CouldNotComplete)
	}
	text := stderr.String()
	if !strings.HasPrefix(text, "INTERNAL_ERROR broken invariant in harness/internal/cli.panics.Read") {
		t.Errorf("got %q, want INTERNAL_ERROR with its place", text)
	}
	if strings.Contains(text, "goroutine") || out.Len() > 0 {
		t.Errorf("got a stack trace or output: %q, %q", text, out.String())
	}
}

// TestInterrupt sends a signal to a program that waits for its input.
func TestInterrupt(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "boundaries", "--call", "-")
	cmd.Args[0] = "harness"
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The program asks for signals before it reads: once it has taken more than
	// a pipe holds, it listens.
	if _, err := stdin.Write(make([]byte, 1<<18)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skip("signals cannot be sent here: ", err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != int(CouldNotComplete) {
		t.Errorf("got %v, want exit code %d", err, CouldNotComplete)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "INTERRUPTED ") {
		t.Errorf("got %q, want INTERRUPTED", got)
	}
}

// TestOneVerdict: for every kind of case the exit code, the summary, and each
// rendering follow from its verdict.
func TestOneVerdict(t *testing.T) {
	const head = "apiVersion: harness/v1\nkind: Scenario\nid: %s\ntitle: t\nrepo: {files: {a.txt: \"a\\n\"}}\n" +
		"task: {goal: g, read: [a.txt], budget: {steps: 2}}\nmodel: {script: [%s]}\n%s"
	const (
		finishes = "{type: finish, summary: done}"
		refused  = "{type: read, path: b.txt}"
		breaks   = "{type: read, path: '${last.path}'}"
	)
	for _, c := range []struct {
		name, script, expect string
		verdict              report.Verdict
		exit                 Exit
	}{
		{"good", finishes, "", report.Pass, AsExpected},
		{"bad", refused, "", report.Fail, ScenarioFailed},
		{"left", finishes + ", " + finishes, "", report.Fail, ScenarioFailed},
		{"broken", breaks, "", report.Error, CouldNotComplete},
		{"good-as-said", finishes, "expect: {status: claimed_complete}\n", report.Pass, AsExpected},
		{"good-not-as-said", finishes, "expect: {status: rejected}\n", report.Fail, ScenarioFailed},
		{"bad-as-said", refused, "expect: {status: rejected}\n", report.Pass, AsExpected},
		{"bad-not-as-said", refused, "expect: {status: needs_review}\n", report.Fail, ScenarioFailed},
		{"broken-as-said", breaks, "expect: {stopReason: MODEL_FAILED}\n", report.Pass, AsExpected},
		{"broken-not-as-said", breaks, "expect: {status: rejected}\n", report.Error, CouldNotComplete},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, id := range []string{"one", "two"} {
				text := fmt.Sprintf(head, id, c.script, c.expect)
				if err := os.WriteFile(id+".yaml", []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			mark := map[report.Verdict]string{report.Pass: "ok", report.Fail: "FAIL", report.Error: "ERROR"}[c.verdict]
			summary := map[report.Verdict]string{report.Pass: "passed", report.Fail: "failed", report.Error: "errors"}[c.verdict]
			for _, look := range []struct {
				args []string
				want []string
			}{
				{[]string{"run", "one.yaml"}, []string{"\n  " + mark + "  "}},
				{[]string{"run", "one.yaml", "--explain"}, []string{"\n  " + mark + "  "}},
				{[]string{"run", "one.yaml", "two.yaml"}, []string{"\n  " + mark + "  one ", "\n  " + mark + "  two "}},
				{[]string{"run", "one.yaml", "two.yaml", "-v"}, []string{"\n  " + mark + "  "}},
				{[]string{"run", "one.yaml", "--format", "json"}, []string{"\"verdict\": \"" + string(c.verdict) + "\""}},
				{[]string{"run", "one.yaml", "two.yaml", "--format", "json"}, []string{"\"" + summary + "\": 2"}},
			} {
				var out, stderr bytes.Buffer
				if got := Run(look.args, Streams{Out: &out, Err: &stderr}); got != c.exit {
					t.Errorf("%q: got exit %d, want %d\n%s", look.args, got, c.exit, stderr.String())
				}
				for _, want := range look.want {
					if !strings.Contains(out.String(), want) {
						t.Errorf("%q: got\n%s\nwant %q in it", look.args, out.String(), want)
					}
				}
			}
		})
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "19": 0, "20": 20, "132": 132, "1000": 1000, "1001": 0, "-80": 0, "x": 0, "80x": 0} {
		if got := columnsOf(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
