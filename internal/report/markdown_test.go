package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// checkMarkdown reads a report line by line: every block of code is closed, every
// line outside is one of ours, and whatever else stands in it is code. It counts the
// rows of the table, and compares them with the line of counts.
func checkMarkdown(t fataler, text string) Summary {
	t.Helper()
	if len(text) > markdownMost {
		t.Fatalf("%d bytes, which no step summary takes", len(text))
	}
	var n Summary
	fenced, counted := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:longestPrefix(line, '`')]
		switch {
		case fenced != "":
			if line == fenced {
				fenced = ""
			}
		case len(ticks) >= 3 && (line == ticks+"text" || line == ticks+"sh"):
			fenced = ticks
		case strings.HasPrefix(line, "| ") && strings.HasSuffix(line, " |"):
			tableLineOf(t, &n, line)
		case strings.HasPrefix(line, "**"):
			counted = strings.Trim(line, "*")
		default:
			plainLine(t, line)
		}
	}
	if fenced != "" {
		t.Fatalf("a block of code is not closed")
	}
	if want := sumText(n); counted != want {
		t.Fatalf("the report says %q, its table has %q", counted, want)
	}
	return n
}

func longestPrefix(text string, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// bare is what a line may hold beside code: our own words.
var bare = regexp.MustCompile(`^(## harness test: [a-z ]+|### [A-Za-z ]+|#### [A-Z]+ |- (error|warning|note): |- [\d,]+ of [\d,]+ scenarios? in [\d,]+ files?(, chosen by )?(, order )?(, harness )?|at |[\d,]+ cases? more[a-z ;]*\.|)$`)

func plainLine(t fataler, line string) {
	t.Helper()
	if rest := withoutCode(t, line); !bare.MatchString(rest) {
		t.Fatalf("text from outside is not code: %q of %q", rest, line)
	}
}

// withoutCode takes the code out of a line, as a reader finds it: from a run of
// backticks to the next run of the same length.
func withoutCode(t fataler, line string) string {
	t.Helper()
	var b strings.Builder
	for line != "" {
		head, rest, found := strings.Cut(line, "`")
		b.WriteString(head)
		if !found {
			break
		}
		ticks := 1 + longestPrefix(rest, '`')
		rest = rest[ticks-1:]
		for {
			i := strings.IndexByte(rest, '`')
			if i < 0 {
				t.Fatalf("code is not closed: %q", line)
			}
			run := longestPrefix(rest[i:], '`')
			rest = rest[i+run:]
			if run == ticks {
				break
			}
		}
		line = rest
	}
	return b.String()
}

var (
	coded = regexp.MustCompile(`<code>([^<>&|` + "`" + `]|&#\d+;)*</code>`)
	cell  = regexp.MustCompile(`^ (|\d+|[a-z]+|\*\*[A-Z]+\*\*) $`)
)

// tableLineOf checks a row of the table: five cells, in which all that is not ours is
// code, and no bar that does not part two cells.
func tableLineOf(t fataler, n *Summary, line string) {
	t.Helper()
	if strings.HasPrefix(line, "| verdict ") || strings.HasPrefix(line, "| --- ") {
		return
	}
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	if len(cells) != 5 {
		t.Fatalf("%d cells, want 5: %q", len(cells), line)
	}
	for _, text := range cells {
		if rest := withoutCode(t, coded.ReplaceAllString(text, "")); strings.TrimSpace(rest) != "" && !cell.MatchString(rest) {
			t.Fatalf("text from outside is not code: %q of %q", rest, line)
		}
	}
	tallied(t, n, strings.ToLower(strings.Trim(cells[0], " *")))
}

func TestCodeSpan(t *testing.T) {
	for text, want := range map[string]string{
		"":        "",
		"a":       "`a`",
		"a`b":     "``a`b``",
		"`a``b":   "``` `a``b ```",
		" a ":     "`  a  `",
		"  ":      "`  `",
		" a":      "` a`",
		"*_<b>\n": "`*_<b><U+000A>`",
		"\u202ex": "`<U+202E>x`",
	} {
		if got := codeSpan(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTableCode(t *testing.T) {
	for text, want := range map[string]string{
		"a":       "`a`",
		"a|b":     "<code>a&#124;b</code>",
		`\|<b>é`:  "<code>&#92;&#124;&#60;b&#62;é</code>",
		"@a|":     "<code>&#64;a&#124;</code>",
		"a\n|":    "<code>a&#60;U&#43;000A&#62;&#124;</code>",
		"``|":     "<code>&#96;&#96;&#124;</code>",
		"a b":     "`a b`",
		"[x](y)":  "`[x](y)`",
		"https:/": "`https:/`",
	} {
		if got := tableCode(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFence(t *testing.T) {
	got := fence("text", "a\n````\nb\n")
	if want := "`````text\na\n````\nb\n`````\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A report that is too long says what it leaves off.
func TestMarkdownIsBounded(t *testing.T) {
	s := &Session{Order: "path"}
	big := strings.Repeat("x", shownMost)
	one := as(t, sum(), Fail, Finding{Clause: "status", Want: big, Got: big})
	for i := range 20_000 {
		c := one
		scenario := *one.Scenario
		scenario.ID = fmt.Sprintf("red-%d", i)
		if i < 19_000 {
			scenario.ID += strings.Repeat("x", 250)
		} else {
			c.Findings = nil // these are so short that they would find room again
		}
		c.Scenario = &scenario
		s.Cases = append(s.Cases, c)
	}
	text := reported(t, kindNamed(t, "md"), s)
	if len(text) > markdownMost {
		t.Errorf("got %d bytes, want at most %d", len(text), markdownMost)
	}
	details := strings.Count(text, "\n#### FAIL ")
	rows := strings.Count(text, "\n| **FAIL** ")
	var leftDetails, leftRows string
	for line := range strings.Lines(text) {
		if number, ok := strings.CutSuffix(line, " cases more not as expected; this report has no room for the details.\n"); ok {
			leftDetails = number
		}
		if number, ok := strings.CutSuffix(line, " cases more; this table has no room for the rest.\n"); ok {
			leftRows = number
		}
	}
	if details == 0 || leftDetails != number(20_000-details) {
		t.Errorf("%d cases in full, and %q said to be left off", details, leftDetails)
	}
	if rows == 0 || leftRows != number(20_000-rows) {
		t.Errorf("%d rows, and %q said to be left off", rows, leftRows)
	}
	for _, cut := range []struct {
		of   string
		have int
	}{{"#### FAIL `red-%dx", details}, {"| `red-%dx", rows}} {
		if !strings.Contains(text, fmt.Sprintf(cut.of, cut.have-1)) || strings.Contains(text, fmt.Sprintf(cut.of, cut.have)) {
			t.Errorf("%s: it is not the first %d that are there", cut.of, cut.have)
		}
	}
	if !strings.Contains(text, "**20,000 cases: 0 passed, 20,000 failed, 0 errors**") {
		t.Error("the counts are not whole")
	}
}
