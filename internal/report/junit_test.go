package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// element is an XML element as it is written: attributes and children in order.
type element struct {
	name       string
	attributes map[string]string
	children   []*element
	text       string
}

// parseXML reads a document strictly into its root.
func parseXML(t fataler, text string) *element {
	t.Helper()
	const head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	if !strings.HasPrefix(text, head) {
		t.Fatalf("got %.60q, want an XML declaration", text)
	}
	d := xml.NewDecoder(strings.NewReader(text))
	root := &element{}
	open := []*element{root}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attributes[a.Name.Local]; twice || a.Name.Space != "" {
					t.Fatalf("%s: the attribute %v stands twice, or has a name space", e.name, a.Name)
				}
				e.attributes[a.Name.Local] = a.Value
			}
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(token)
		case xml.ProcInst:
		default:
			t.Fatalf("a comment or directive: %v", token)
		}
	}
	if len(root.children) != 1 {
		t.Fatalf("%d roots, want one", len(root.children))
	}
	return root.children[0]
}

// shapeOfElement is what the schemas of Surefire and of Jenkins' xUnit plugin have in
// common about an element; file and line are ours.
type shapeOfElement struct {
	required, optional []string
	children           []string // in this order, each any number of times
	text               bool
}

func junitShape(name string) shapeOfElement {
	switch name {
	case "testsuites":
		return shapeOfElement{optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}}
	case "testsuite":
		return shapeOfElement{
			required: []string{"name", "tests", "failures", "errors", "skipped"}, optional: []string{"time"},
			children: []string{"properties", "testcase", "system-out"},
		}
	case "properties":
		return shapeOfElement{children: []string{"property"}}
	case "property":
		return shapeOfElement{required: []string{"name", "value"}}
	case "testcase":
		return shapeOfElement{required: []string{"name", "time"}, optional: []string{"classname", "file", "line"}, children: []string{"failure", "skipped", "error"}}
	case "failure", "error":
		return shapeOfElement{required: []string{"type"}, optional: []string{"message"}, text: true}
	case "skipped":
		return shapeOfElement{optional: []string{"message"}, text: true}
	case "system-out":
		return shapeOfElement{text: true}
	}
	return shapeOfElement{}
}

// fits checks an element and all below it by their shapes.
func (e *element) fits(t fataler) {
	t.Helper()
	shape := junitShape(e.name)
	for _, name := range shape.required {
		if _, ok := e.attributes[name]; !ok {
			t.Fatalf("%s has no attribute %s", e.name, name)
		}
	}
	for name, value := range e.attributes {
		if !slices.Contains(shape.required, name) && !slices.Contains(shape.optional, name) {
			t.Fatalf("%s must not have the attribute %s", e.name, name)
		}
		if slices.Contains([]string{"tests", "failures", "errors", "skipped", "line", "time"}, name) {
			if n, err := strconv.Atoi(value); err != nil || n < 0 || name == "time" && n != 0 {
				t.Fatalf("%s has %s=%q", e.name, name, value)
			}
		}
	}
	if !shape.text && strings.TrimSpace(e.text) != "" {
		t.Fatalf("%s must not have text: %q", e.name, e.text)
	}
	at := 0
	for _, child := range e.children {
		place := slices.Index(shape.children, child.name)
		if place < at {
			t.Fatalf("%s must not have %s, or not there", e.name, child.name)
		}
		at = place
		child.fits(t)
	}
}

func (e *element) number(t fataler, name string) int {
	t.Helper()
	n, err := strconv.Atoi(e.attributes[name])
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	return n
}

// checkJUnit checks a report by the shape, its sums by its test cases, and that it is
// red where the session is. The test cases of the session's own suite are no cases.
func checkJUnit(t fataler, text string, s *Session) Summary {
	t.Helper()
	root := parseXML(t, text)
	if root.name != "testsuites" {
		t.Fatalf("the root is %s", root.name)
	}
	root.fits(t)
	var n Summary
	var total junitCounts
	beside := 0
	names := map[string]bool{}
	for _, suite := range root.children {
		var counts junitCounts
		for _, test := range suite.children {
			if test.name != "testcase" {
				continue
			}
			outcome := ""
			if len(test.children) > 1 {
				t.Fatalf("%d outcomes of %v", len(test.children), test.attributes)
			}
			verdict := string(Pass)
			if len(test.children) == 1 {
				outcome = test.children[0].name
				verdict = test.children[0].attributes["type"]
				if outcome == "skipped" {
					verdict, _, _ = strings.Cut(test.children[0].attributes["message"], ":")
				}
			}
			counts.add(countsOf(outcome))
			if suite.attributes["name"] == sessionSuite {
				beside++
				continue
			}
			tallied(t, &n, verdict)
			if names[test.attributes["name"]] {
				t.Fatalf("two test cases named %q", test.attributes["name"])
			}
			names[test.attributes["name"]] = true
		}
		if got := (junitCounts{suite.number(t, "tests"), suite.number(t, "failures"), suite.number(t, "errors"), suite.number(t, "skipped")}); got != counts {
			t.Fatalf("suite %q says %+v, and has %+v", suite.attributes["name"], got, counts)
		}
		total.add(counts)
	}
	if root.number(t, "tests") != total.tests || root.number(t, "failures") != total.failures || root.number(t, "errors") != total.errors {
		t.Fatalf("the root says %v, the suites have %+v", root.attributes, total)
	}
	want := 0
	for _, red := range []bool{s.Interrupted, len(s.Failures) > 0} {
		if red {
			want++
		}
	}
	if beside != want {
		t.Fatalf("%d test cases beside the cases, want %d", beside, want)
	}
	return n
}

func TestJUnitShapeRefuses(t *testing.T) {
	const open, shut = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"0\" failures=\"0\" errors=\"0\"><testsuite name=\"a\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">", "</testsuite></testsuites>"
	for name, inside := range map[string]string{
		"an attribute that is not known": `<testcase name="a" time="0" id="1"/>`,
		"no name":                        `<testcase time="0"/>`,
		"a failure without a type":       `<testcase name="a" time="0"><failure/></testcase>`,
		"properties behind a test case":  `<testcase name="a" time="0"/><properties/>`,
		"text where none belongs":        `text`,
		"a real time":                    `<testcase name="a" time="0.31"/>`,
		"a sum that is wrong":            `<testcase name="a" time="0"/>`,
	} {
		if !fails(func(f fataler) { checkJUnit(f, open+inside+shut, &Session{}) }) {
			t.Errorf("%s: the check takes it", name)
		}
	}
	if fails(func(f fataler) { checkJUnit(f, open+shut, &Session{}) }) {
		t.Error("the check does not take an empty suite")
	}
}

// fails reports whether a check fails.
func fails(check func(fataler)) (failed bool) {
	defer func() {
		if r := recover(); r != nil {
			_, failed = r.(failure)
		}
	}()
	check(failure{})
	return false
}

// failure is a test that can only fail.
type failure struct{}

func (failure) Helper()                 {}
func (f failure) Fatalf(string, ...any) { panic(f) }

func TestJUnitKeepsHostileTexts(t *testing.T) {
	c := as(t, sum(), Fail, Finding{Clause: "a", Want: "]]><x/>&lt;\"", Got: "\x00\x1b[31m\u202e\uFFFE\xff", Message: "two\nlines"})
	text := reported(t, kindNamed(t, "junit"), &Session{Cases: []Case{c}, Order: "path"})
	body := parseXML(t, text).children[0].children[1].children[0].text
	for _, want := range []string{
		"want  ]]><x/>&lt;\"\n", "got   <U+0000><U+001B>[31m<U+202E><U+FFFE><0xFF>\n", "why   two\n        lines\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("got %q, want %q in it", body, want)
		}
	}
}

func TestJUnitSuitesFollowFiles(t *testing.T) {
	one, two, three := as(t, sum(), Pass), as(t, named("pages"), Pass), as(t, named("exhausted"), Fail)
	three.Scenario.File = one.Scenario.File
	s := &Session{Cases: []Case{one, two, three}, Order: "shuffle=3"}
	var got []string
	for _, suite := range parseXML(t, reported(t, kindNamed(t, "junit"), s)).children {
		got = append(got, suite.attributes["name"]+" "+suite.attributes["tests"]+" "+suite.attributes["failures"])
	}
	want := []string{"scenarios/workflow/sum.yaml 2 1", "scenarios/boundaries/pages.yaml 1 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
