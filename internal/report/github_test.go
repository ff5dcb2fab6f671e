package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// command is a workflow command as a runner reads it.
type command struct {
	name       string
	properties map[string]string
	data       string
}

// parseCommand reads a line as the runner does: properties up to the first "::",
// split at commas, then unescaped, "%25" last.
func parseCommand(t fataler, line string) command {
	t.Helper()
	rest, ok := strings.CutPrefix(line, "::")
	head, data, found := strings.Cut(rest, "::")
	if !ok || !found {
		t.Fatalf("no command: %q", line)
	}
	name, list, _ := strings.Cut(head, " ")
	c := command{name: name, properties: map[string]string{}, data: unescapeCommand(data, "%0D", "\r", "%0A", "\n", "%25", "%")}
	for property := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(property, "=")
		if _, twice := c.properties[key]; !ok || twice {
			t.Fatalf("a property without a value, or twice: %q", line)
		}
		c.properties[key] = unescapeCommand(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	}
	return c
}

func unescapeCommand(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// checkGitHub checks the commands, and counts the red cases that they name and those
// that the last warning counts.
func checkGitHub(t fataler, text string, s *Session) Summary {
	t.Helper()
	var n Summary
	levels := map[string]int{}
	left := 0
	for line := range strings.Lines(text) {
		c := parseCommand(t, strings.TrimSuffix(line, "\n"))
		levels[c.name]++
		for key := range c.properties {
			switch key {
			case "file", "line", "col", "title":
			default:
				t.Fatalf("the property %q is not known: %s", key, line)
			}
		}
		if units := len(utf16.Encode([]rune(c.data))); units > 4096 {
			t.Fatalf("a message of %d units, which is cut", units)
		}
		title := c.properties["title"]
		verdict, _, _ := strings.Cut(title, " ")
		switch {
		case c.name == "error" && title != "harness test":
			tallied(t, &n, strings.ToLower(verdict))
		case c.name == "warning" && strings.HasSuffix(title, " more not as expected"):
			if _, err := fmt.Sscanf(title, "%d more", &left); err != nil {
				t.Fatalf("%v", err)
			}
		}
	}
	if levels["error"] > annotationsMost || levels["warning"] > 2 || levels["notice"] > 1 || len(levels) > 3 {
		t.Fatalf("too many: %v", levels)
	}
	if red := s.Interrupted || len(s.Failures) > 0; red != strings.Contains(text, "::error title=harness test::") {
		t.Fatalf("the session is red beside its cases: %v; in the annotations it is not so", red)
	}
	return addLeft(t, n, left, s)
}

// addLeft counts the red cases behind those that were shown.
func addLeft(t fataler, n Summary, left int, s *Session) Summary {
	t.Helper()
	shown := n.Cases
	for i := range s.Cases {
		if c := &s.Cases[i]; !c.OK() {
			if shown--; shown < 0 {
				left--
				tallied(t, &n, verdictName(c.Verdict))
			}
		}
	}
	if left != 0 {
		t.Fatalf("the last warning is wrong by %d", left)
	}
	return n
}

func TestGitHubEscapes(t *testing.T) {
	c := as(t, sum(), Fail, Finding{Clause: "a", Where: "sum.yaml:9:4", Want: "50%\r\n::error::x%0A", Got: "\u202e"})
	c.Scenario.ID, c.Scenario.File = "a,b:c%2C", "dir,x/50%:/sum.yaml"
	text := reported(t, kindNamed(t, "github"), &Session{Cases: []Case{c}, Order: "path"})
	if strings.Count(text, "\n") != 1 {
		t.Fatalf("got %q, want one line", text)
	}
	got := parseCommand(t, strings.TrimSuffix(text, "\n"))
	for _, test := range [][2]string{
		{got.properties["file"], "dir,x/50%:/sum.yaml"}, {got.properties["line"], "9"}, {got.properties["col"], "4"},
		{got.properties["title"], "FAIL a,b:c%2C"}, {got.name, "error"},
	} {
		if test[0] != test[1] {
			t.Errorf("got %q, want %q", test[0], test[1])
		}
	}
	for _, want := range []string{"want  50%<U+000D>\n        ::error::x%0A\n", "got   <U+202E>"} {
		if !strings.Contains(got.data, want) {
			t.Errorf("got %q, want %q in it", got.data, want)
		}
	}
}

func TestGitHubRollsUp(t *testing.T) {
	for _, test := range []struct {
		red            int
		failed         bool
		errors, rolled int
	}{{0, false, 0, 0}, {10, false, 10, 0}, {11, false, 10, 1}, {40, true, 10, 31}, {0, true, 1, 0}, {9, true, 10, 0}} {
		s := &Session{Cases: []Case{as(t, sum(), Pass)}, Order: "path"}
		if test.failed {
			s.Failures = []string{"coverage is too low"}
		}
		for i := range test.red {
			c := as(t, sum(), Fail, Finding{Clause: "status"})
			c.Scenario.ID = fmt.Sprint("red-", i)
			s.Cases = append(s.Cases, c)
		}
		text := reported(t, kindNamed(t, "github"), s)
		rolled := 0
		if _, rest, ok := strings.Cut(text, "::warning title="); ok {
			if _, err := fmt.Sscanf(rest, "%d more", &rolled); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Count(text, "::error "); got != test.errors || rolled != test.rolled {
			t.Errorf("%d red cases, failed %v: got %d errors and %d rolled up; want %d and %d", test.red, test.failed, got, rolled, test.errors, test.rolled)
		}
	}
}
