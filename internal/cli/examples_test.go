package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestExamples runs every command of the docs. The commands of one page run in
// the order of the page, in a folder of its own that is empty at first.
//
// In a ```sh block each line that starts with harness is a command; in a
// ```console block each line that starts with "$ harness", and the lines below
// it, up to the next command, are its output, in which a line of "…" stands for
// any lines. "# exit N" at a command's end says its exit code, if it is not 0. A
// ```yaml block below a line that ends with a name, as in "`sum.yaml`:", is that
// file.
func TestExamples(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the examples are for a POSIX shell: ", err)
	}
	pages, err := filepath.Glob(docs + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, docs+"/../README.md")
	ran := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		found := examples(string(text))
		ran += len(found)
		t.Run(filepath.Base(page), func(t *testing.T) {
			folder := t.TempDir()
			for name, content := range files(string(text)) {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range found {
				if fault := e.run(folder); fault != "" {
					t.Errorf("line %d: %s\n%s", e.line, e.command, fault)
				}
			}
		})
	}
	if ran == 0 {
		t.Error("no example was found in the docs")
	}
}

// example is one command of a page.
type example struct {
	line    int
	command string
	exit    int
	output  []string // nil if the page does not show any
}

// examples finds a page's commands.
func examples(text string) []example {
	var found []example
	block, open := "", false // open: what follows is the last command's output
	for i, line := range strings.Split(text, "\n") {
		if kind, fence := strings.CutPrefix(line, "```"); fence {
			if block != "" {
				kind = ""
			}
			block, open = kind, false
			continue
		}
		command, typed := line, block == "sh"
		if block == "console" {
			command, typed = strings.CutPrefix(line, "$ ")
		}
		switch {
		case typed && ours(block, command):
			found = append(found, parseExample(i+1, command))
			open = block == "console"
		case typed:
			open = false
		case open:
			last := &found[len(found)-1]
			last.output = append(last.output, line)
		}
	}
	return found
}

var namedFile = regexp.MustCompile("`([a-z-]+\\.yaml)`:\n\n```yaml\n((?s:.*?))```")

// files gives the files that a page shows.
func files(text string) map[string]string {
	all := map[string]string{}
	for _, m := range namedFile.FindAllStringSubmatch(text, -1) {
		all[m[1]] = m[2]
	}
	return all
}

// ours reports whether a line runs the program; a console line may do so in a
// pipe.
func ours(block, command string) bool {
	return strings.HasPrefix(command, "harness ") || block == "console" && strings.Contains(command, " harness ")
}

var exitComment = regexp.MustCompile(`\s+# exit ([0-9])$`)

func parseExample(line int, command string) example {
	e := example{line: line, command: command}
	if m := exitComment.FindStringSubmatch(command); m != nil {
		e.exit, _ = strconv.Atoi(m[1])
		e.command = strings.TrimSuffix(command, m[0])
	}
	return e
}

// run runs the command and says what differs from the page.
func (e *example) run(folder string) string {
	cmd := exec.Command("sh", "-c", e.command)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TERM=dumb", "CI=", "XDG_CACHE_HOME="+folder)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err == nil && e.exit != 0:
		return fmt.Sprintf("exit code: got 0, want %d", e.exit)
	case errors.As(err, &exit) && exit.ExitCode() != e.exit:
		return fmt.Sprintf("exit code: got %d, want %d\n%s", exit.ExitCode(), e.exit, stderr.String())
	case err != nil && exit == nil:
		return err.Error()
	}
	if got := strings.Split(strings.TrimRight(string(stdout)+stderr.String(), "\n"), "\n"); e.output != nil && !shows(got, trimLines(e.output)) {
		return "output: got\n" + strings.Join(got, "\n")
	}
	return ""
}

// trimLines drops empty lines at the end.
func trimLines(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// shows reports whether the output is what the page shows, "…" standing for any
// lines.
func shows(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == "…" {
		for i := range len(got) + 1 {
			if shows(got[i:], want[1:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && got[0] == want[0] && shows(got[1:], want[1:])
}

// TestFilesAreFound holds the reading of files to its rules.
func TestFilesAreFound(t *testing.T) {
	got := files("Save this as `a-b.yaml`:\n\n```yaml\nx: 1\n```\n\n`c.yaml`: no\n\n```yaml\ny: 1\n```\n")
	if len(got) != 1 || got["a-b.yaml"] != "x: 1\n" {
		t.Errorf("got %q", got)
	}
}

// TestExamplesAreFound holds the reading of pages to its rules.
func TestExamplesAreFound(t *testing.T) {
	page := "text\n```sh\nharness version\nls\n```\n```console\n$ harness run x.yaml # exit 2\nx.yaml: no\n…\n$ ls\na\n```\n```yaml\nharness: no\n```\n"
	got := examples(page)
	want := []example{
		{line: 3, command: "harness version"},
		{line: 7, command: "harness run x.yaml", exit: 2, output: []string{"x.yaml: no", "…"}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"a\nb\nc", "a\n…\nc", true},
		{"a\nb\nc", "…", true},
		{"a\nb\nc", "a\nc", false},
		{"a", "a\n…", true},
		{"a\nb", "a", false},
	} {
		if same := shows(strings.Split(c.got, "\n"), strings.Split(c.want, "\n")); same != c.same {
			t.Errorf("shows(%q, %q): got %v, want %v", c.got, c.want, same, c.same)
		}
	}
}
