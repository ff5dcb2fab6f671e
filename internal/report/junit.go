package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"harness/internal/term"
)

// sessionSuite names the suite for what is red beside the cases. No file is called
// like that.
const sessionSuite = "(session)"

// WriteJUnit writes a session as JUnit XML in the shape that Surefire writes and
// Jenkins reads, with two attributes beyond it that most other readers know, file
// and line of a test case.
//
// There is one test case for each case, and a suite for each file. A known failure
// counts as skipped, one that is gone as a failure. What is red beside the cases is
// a test case of a suite of its own, so that a build server which only looks at test
// cases is not green then. No time passes: the same session gives the same bytes.
func WriteJUnit(w io.Writer, s *Session) error {
	suites := junitSuites(s)
	var total junitCounts
	for i := range suites {
		total.add(suites[i].counts)
	}
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(&b, "<testsuites name=\"harness\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"0\">\n", total.tests, total.failures, total.errors)
	for i := range suites {
		suites[i].write(&b, s)
	}
	b.WriteString("</testsuites>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// junitCounts are the counts of a suite.
type junitCounts struct{ tests, failures, errors, skipped int }

func (n *junitCounts) add(more junitCounts) {
	n.tests += more.tests
	n.failures += more.failures
	n.errors += more.errors
	n.skipped += more.skipped
}

// junitSuite is a suite: the cases of a file, or what is said beside the cases.
type junitSuite struct {
	name    string
	cases   []*Case
	beside  []junitTest
	remarks []remark
	counts  junitCounts
}

// junitTest is a test case.
type junitTest struct {
	name, class string
	spot        spot
	outcome     string // "failure", "error", "skipped"; "" for one that passes
	kind        string // of a failure or an error
	message     string
	body        string
}

// junitSuites gathers the cases by their file, in the order in which files come
// first, and puts what is said beside the cases last.
func junitSuites(s *Session) []junitSuite {
	var suites []junitSuite
	places := map[string]int{}
	for i := range s.Cases {
		c := &s.Cases[i]
		at, known := places[c.Scenario.File]
		if !known {
			at = len(suites)
			places[c.Scenario.File] = at
			suites = append(suites, junitSuite{name: fileName(c)})
		}
		suites[at].cases = append(suites[at].cases, c)
		suites[at].counts.add(countsOf(junitOutcome(c.Verdict)))
	}
	if beside, said := besideCases(s), remarks(s); len(said) > 0 {
		last := junitSuite{name: sessionSuite, beside: beside, remarks: said}
		for i := range beside {
			last.counts.add(countsOf(beside[i].outcome))
		}
		suites = append(suites, last)
	}
	return suites
}

// fileName is the name of the file that a case stands in.
func fileName(c *Case) string {
	if file := spotOf(c).file; file != "" {
		return file
	}
	return "(standard input)"
}

func countsOf(outcome string) junitCounts {
	n := junitCounts{tests: 1}
	switch outcome {
	case "failure":
		n.failures = 1
	case "error":
		n.errors = 1
	case "skipped":
		n.skipped = 1
	}
	return n
}

func junitOutcome(v Verdict) string {
	switch v {
	case Pass:
		return ""
	case Fail, XPass:
		return "failure"
	case Skip, XFail:
		return "skipped"
	default:
		return "error"
	}
}

// besideCases is a test case for each thing that makes a session red beside its
// cases.
func besideCases(s *Session) []junitTest {
	red := remarksAt(s, levelError)
	test := junitTest{class: sessionSuite, message: bounded(strings.ReplaceAll(red, "\n", "; "), headlineMost), body: red + "\n"}
	var list []junitTest
	if s.Interrupted {
		test.name, test.outcome, test.kind = "interrupted", "error", "interrupted"
		list = append(list, test)
	}
	if len(s.Failures) > 0 {
		test.name, test.outcome, test.kind = "beside the cases", "failure", "session"
		list = append(list, test)
	}
	return list
}

// junitTestOf is the test case of a case.
func junitTestOf(c *Case) junitTest {
	class := c.Scenario.ID
	if c.Scenario.Case != "" {
		class = strings.TrimSuffix(class, "/"+c.Scenario.Case)
	}
	t := junitTest{
		name: c.Scenario.ID, class: class, spot: spotOf(c),
		outcome: junitOutcome(c.Verdict), kind: verdictName(c.Verdict), message: headline(c),
	}
	switch t.outcome {
	case "skipped":
		// Surefire has no type here, so the verdict stands in front.
		t.message = t.kind + ": " + t.message
	case "failure", "error":
		t.body = findingTexts(c)
		for _, command := range rerunCommands(c) {
			t.body += "run  " + command + "\n"
		}
	}
	return t
}

func (j *junitSuite) write(b *bytes.Buffer, s *Session) {
	n := &j.counts
	fmt.Fprintf(b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"0\">\n",
		xmlAttribute(j.name), n.tests, n.failures, n.errors, n.skipped)
	b.WriteString("    <properties>\n")
	for _, p := range [...]struct{ name, value string }{
		{"version", s.Version}, {"order", s.Order}, {"filter", s.Filter}, {"selected", selectedText(s)},
	} {
		if p.value != "" {
			fmt.Fprintf(b, "      <property name=\"%s\" value=\"%s\"/>\n", p.name, xmlAttribute(p.value))
		}
	}
	b.WriteString("    </properties>\n")
	for _, c := range j.cases {
		junitTestOf(c).write(b)
	}
	for _, t := range j.beside {
		t.write(b)
	}
	if len(j.remarks) > 0 {
		b.WriteString("    <system-out>")
		for _, r := range j.remarks {
			b.WriteString(xmlText(r.text) + "\n")
		}
		b.WriteString("</system-out>\n")
	}
	b.WriteString("  </testsuite>\n")
}

func (t junitTest) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "    <testcase name=\"%s\" classname=\"%s\"", xmlAttribute(t.name), xmlAttribute(t.class))
	if t.spot.file != "" {
		fmt.Fprintf(b, " file=\"%s\"", xmlAttribute(t.spot.file))
		if !t.spot.pos.IsZero() {
			fmt.Fprintf(b, " line=\"%d\"", t.spot.pos.Line)
		}
	}
	b.WriteString(" time=\"0\"")
	switch t.outcome {
	case "":
		b.WriteString("/>\n")
		return
	case "skipped":
		fmt.Fprintf(b, ">\n      <skipped message=\"%s\"/>\n    </testcase>\n", xmlAttribute(t.message))
		return
	}
	fmt.Fprintf(b, ">\n      <%s type=\"%s\" message=\"%s\">", t.outcome, t.kind, xmlAttribute(t.message))
	fmt.Fprintf(b, "%s</%s>\n    </testcase>\n", xmlText(t.body), t.outcome)
}

// xmlAttribute is a text as the value of an attribute, on one line.
func xmlAttribute(text string) string { return xmlEscape(term.EscapeLine(text)) }

// xmlText is a text as the content of an element.
func xmlText(text string) string { return xmlEscape(term.EscapeText(text)) }

// xmlEscape escapes what XML reads as markup, "]]>" too, and what it cannot hold.
// Of the characters that it forbids, all but two do not pass for a terminal either.
func xmlEscape(text string) string { return xmlReplacer().Replace(text) }

var xmlReplacer = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
		"\uFFFE", "&lt;U+FFFE&gt;", "\uFFFF", "&lt;U+FFFF&gt;",
	)
})
