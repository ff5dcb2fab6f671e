package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/scenarios"
	"harness/internal/term"
)

// as is a case that earned another verdict, with what is said against it.
func as(t testing.TB, w world, verdict Verdict, findings ...Finding) Case {
	t.Helper()
	c := *w.run(t)
	c.Verdict, c.Findings = verdict, findings
	c.Scenario.File = "scenarios/" + c.Scenario.File
	c.Scenario.Points = 2
	return c
}

// everyVerdict is a session with a case of each verdict, and something to say beside
// them.
func everyVerdict(t testing.TB) *Session {
	t.Helper()
	denied := as(t, named("outside-grant"), Fail,
		Finding{Clause: "decisions[0].code", Where: "outside-grant.yaml:44:5", Want: "PATH_NOT_READABLE", Got: "GRANT_EXPIRED", Message: "grants[1] matched; rules[2] denies other/**"},
		Finding{Clause: "status", Where: "outside-grant.yaml:45:5", Want: "needs_review", Got: "rejected"},
		Finding{Clause: "golden", Where: "scenarios/boundaries/outside-grant.golden", Diff: "@@ -1,2 +1,2 @@\n same\n-6  read  deny\n+6  read  allow\n"})
	denied.Scenario.Expect = &scenarios.Expect{Decisions: scenarios.List[scenarios.ExpectDecision]{
		Items: []scenarios.ExpectDecision{{Step: setNumber(1), Code: setText("PATH_NOT_READABLE")}},
	}}
	broken := as(t, named("no-such-reference"), Error, Finding{Clause: "model", Where: "no-such-reference.yaml:30:7", Got: "MODEL_FAILED", Message: "o3 is not there"})
	known := as(t, named("not-unique"), XFail, Finding{Clause: "steps", Where: "not-unique.yaml:33:5", Want: "3", Got: "2"})
	known.Scenario.ExpectFail = &scenarios.ExpectFail{Reason: "counts wrong", Issue: "LAB-12"}
	gone := as(t, named("exhausted"), XPass, Finding{Clause: "expectFail", Want: "a failure: was wrong", Got: "a pass", Message: "what LAB-9 tracks is gone; take expectFail out"})
	gone.Scenario.ExpectFail = &scenarios.ExpectFail{Reason: "was wrong", Issue: "LAB-9"}
	skipped := as(t, named("pages"), Skip)
	skipped.Result = nil
	tabled := as(t, sum(), Pass)
	tabled.Scenario.ID, tabled.Scenario.Case, tabled.Scenario.File = "workflow/table/first", "first", "scenarios/boundaries/outside-grant.yaml"
	return &Session{
		Version: "1.2.3", Cases: []Case{as(t, sum(), Pass), denied, broken, known, gone, tabled, skipped},
		Files: 9, Found: 42, Selected: 7, Filter: "--tag a,!b", Order: "shuffle=7",
		Wrote:        []Wrote{{Path: "a.golden", Added: 1, Removed: 1}, {Path: "b.golden", Added: 9, New: true}},
		Unreferenced: []string{"old.golden"},
		Notes:        []string{"coverage is 81.0%, below the threshold of 90%"},
		Failures:     []string{"coverage is 10.0 %, below the threshold of 90 %"},
	}
}

// setText and setNumber are values as a scenario gives them.
func setText(v string) scenarios.Text { return scenarios.Text{Value: v} }

func setNumber(v int) scenarios.Number { return scenarios.Number{Value: v} }

func reported(t testing.TB, k Kind, s *Session) string {
	t.Helper()
	var b bytes.Buffer
	if err := k.Write(&b, s); err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	return b.String()
}

func kindNamed(t testing.TB, name string) Kind {
	t.Helper()
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no kind %s", name)
	return Kind{}
}

func TestReportGolden(t *testing.T) {
	s := everyVerdict(t)
	for _, k := range Kinds() {
		if k.Name == "json" {
			continue // its results have goldens of their own
		}
		golden(t, "report/"+k.Name+k.Extension, reported(t, k, s))
		golden(t, "report/none/"+k.Name+k.Extension, reported(t, k, &Session{Order: "path"}))
	}
	cut := *s
	cut.Cases, cut.Interrupted, cut.Failures, cut.Notes, cut.Unreferenced, cut.Wrote = s.Cases[:1], true, nil, nil, nil, nil
	for _, name := range []string{"junit", "github", "md"} {
		k := kindNamed(t, name)
		golden(t, "report/cut/"+k.Name+k.Extension, reported(t, k, &cut))
	}
}

// wellFormed checks a report of a kind by the rules of its format, and gives the
// counts that it shows.
func wellFormed(t fataler, kind, text string, s *Session) Summary {
	switch kind {
	case "json":
		return checkSessionJSON(t, text)
	case "jsonl":
		return checkSessionLines(t, text)
	case "junit":
		return checkJUnit(t, text, s)
	case "sarif":
		return checkSARIF(t, text, s)
	case "md":
		return checkMarkdown(t, text)
	case "github":
		return checkGitHub(t, text, s)
	case "score":
		return checkScore(t, text)
	}
	t.Fatalf("no check for %s", kind)
	return Summary{}
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// sameCounts compares what a report shows with the summary. Formats that have no
// word for a verdict leave it out: shown says which counts a format has.
func sameCounts(t fataler, kind string, got, want Summary) {
	t.Helper()
	if kind == "github" { // it names red cases only
		want = Summary{Failed: want.Failed, Errors: want.Errors, XPassed: want.XPassed}
		want.Cases = want.Failed + want.Errors + want.XPassed
	}
	if got != want {
		t.Fatalf("%s counts %+v, want %+v", kind, got, want)
	}
}

func TestReportsAreWellFormed(t *testing.T) {
	s := everyVerdict(t)
	for _, k := range Kinds() {
		sameCounts(t, k.Name, wellFormed(t, k.Name, reported(t, k, s), s), s.Summary())
		sameCounts(t, k.Name, wellFormed(t, k.Name, reported(t, k, &Session{Order: "path"}), &Session{}), Summary{})
	}
}

// ran are runs to draw cases from: making them anew for each draw would be slow.
var ran = sync.OnceValue(func() []*Case {
	var list []*Case
	for _, name := range []string{"sum", "outside-grant", "no-such-reference", "told-and-goes-on", "hidden"} {
		list = append(list, named(name).run(new(testing.T)))
	}
	return list
})

// ciHostile are pieces that one of the formats reads as its own.
var ciHostile = append([]string{
	"]]>", "<!--", "</failure>", "&amp;", "<", ">", `"`, "'", "%0A", "%", "::error::", ":", ",", "\r\n", "##[error]", "|", "\\|", "`", "```\n", "~~~",
	"[x](http://e)", "](", "@all", "<img src=x>", "*", "_", "#", "{0}", "\uFFFE", "\uFFFF", "\U0001FFFE", "\\", "PATH_NOT_READABLE", "\"}",
}, hostile...)

func ciText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(ciHostile), 0, 8).Draw(t, "pieces"), "")
	})
}

func drawFinding(t *rapid.T) Finding {
	text := func(name string) string { return ciText().Draw(t, name) }
	f := Finding{
		Clause: rapid.SampledFrom([]string{"status", "decisions[0].code", "decisions[7].decision", "events[0]", "stopReason", "golden", text("clause")}).Draw(t, "of"),
		Where:  rapid.SampledFrom([]string{"", "sum.yaml:3:1", "sum.yaml:0:0", "x:999999999999999999999:1", ":1:1", text("where")}).Draw(t, "where"),
		Want:   text("want"), Got: text("got"), Message: text("message"),
	}
	if rapid.Bool().Draw(t, "differs") {
		f.Diff = "+" + text("diff")
	}
	return f
}

func drawCase(t *rapid.T, n int) Case {
	text := func(name string) string { return ciText().Draw(t, name) }
	c := *rapid.SampledFrom(ran()).Draw(t, "run")
	scenario := *c.Scenario
	c.Scenario = &scenario
	c.Verdict = rapid.SampledFrom([]Verdict{Pass, Fail, Error, Skip, XFail, XPass, ""}).Draw(t, "verdict")
	scenario.ID = fmt.Sprintf("c%d%s", n, rapid.SampledFrom([]string{"", "/x", text("id")}).Draw(t, "id"))
	scenario.Case, scenario.Title = rapid.SampledFrom([]string{"", "x"}).Draw(t, "case"), text("title")
	scenario.File = rapid.SampledFrom([]string{"", "-", "a/sum.yaml", `b\sum.yaml`, "/abs/x.yaml", "C:/x.yaml", "./x.yaml", text("file")}).Draw(t, "file")
	scenario.Pos = diag.Pos{Line: rapid.IntRange(0, 3).Draw(t, "line"), Col: 1}
	scenario.Points = rapid.IntRange(0, 5).Draw(t, "points")
	if rapid.Bool().Draw(t, "known") {
		scenario.ExpectFail = &scenarios.ExpectFail{Reason: text("reason"), Issue: text("issue")}
	}
	if c.Verdict != Pass {
		c.Findings = rapid.SliceOfN(rapid.Custom(drawFinding), 0, 3).Draw(t, "findings")
	}
	if c.Verdict == Skip || rapid.IntRange(0, 9).Draw(t, "lost") == 0 {
		c.Result = nil
	}
	return c
}

func drawSession(t *rapid.T) *Session {
	texts := rapid.SliceOfN(ciText(), 0, 2)
	s := &Session{
		Version: ciText().Draw(t, "version"), Filter: ciText().Draw(t, "filter"), Order: rapid.SampledFrom([]string{"path", "shuffle=7"}).Draw(t, "order"),
		Files: 3, Found: 50, Selected: 40, Notes: texts.Draw(t, "notes"), Unreferenced: texts.Draw(t, "unreferenced"),
		Interrupted: rapid.Bool().Draw(t, "interrupted"), Failures: texts.Draw(t, "failures"),
	}
	for i := range rapid.IntRange(0, 25).Draw(t, "cases") {
		s.Cases = append(s.Cases, drawCase(t, i))
	}
	for _, path := range texts.Draw(t, "wrote") {
		s.Wrote = append(s.Wrote, Wrote{Path: path, Added: 1})
	}
	return s
}

// Whatever the session, every format is well-formed, counts what the summary counts,
// is red where the session is, and gives the same bytes again.
func TestReportsAgree(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := drawSession(r)
		if level := rapid.SampledFrom(Disclosures()).Draw(r, "disclosure"); level != DiscloseFull {
			s = s.Disclose(level)
		}
		for _, k := range Kinds() {
			text := reported(t, k, s)
			sameCounts(r, k.Name, wellFormed(r, k.Name, text, s), s.Summary())
			if again := reported(t, k, s); again != text {
				r.Fatalf("%s: the same session gives other bytes", k.Name)
			}
		}
	})
}

// Writing a document a case at a time gives the bytes of writing it at once.
func TestSessionJSONIsOneDocument(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := drawSession(r)
		whole := sessionDocument(s)
		for i := range s.Cases {
			whole.Cases = append(whole.Cases, fullDocument(&s.Cases[i]))
		}
		if got, want := reported(t, kindNamed(t, "json"), s), encoded(t, whole); got != want {
			r.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// What people read shows everything and obeys nothing.
func TestReportsAreTame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := drawSession(r)
		for _, name := range []string{"junit", "md", "github"} {
			text := reported(t, kindNamed(t, name), s)
			if fault := tame(strings.ReplaceAll(text, "\t", " "), false); fault != "" {
				r.Fatalf("%s: %q", name, fault)
			}
		}
	})
}

// A session is cut to what may be shown before any format sees it.
func TestNothingUndisclosedIsReported(t *testing.T) {
	const want, got, why, line = "canary-want", "canary-got", "canary-why", "canary-line"
	c := as(t, sum(), Fail,
		Finding{Clause: "decisions[0].code", Where: "sum.yaml:9:3", Want: want, Got: got, Message: why},
		Finding{Clause: "patch", Diff: "--- " + want + "\n+++ got\n@@ -1,1 +1,1 @@\n-" + want + "\n+" + line + "\n"})
	c.Scenario.Expect = &scenarios.Expect{Decisions: scenarios.List[scenarios.ExpectDecision]{
		Items: []scenarios.ExpectDecision{{Step: setNumber(1), Code: setText("CONFIRMATION_USED")}},
	}}
	known := c
	known.Verdict = XFail // its findings are in some reports too
	s := &Session{Cases: []Case{c, known}, Order: "path"}
	for _, test := range []struct {
		level  Disclosure
		shown  []string // in some report
		hidden []string // from every one
	}{
		{DiscloseFull, []string{want, got, why, line, "CONFIRMATION_USED"}, nil},
		{DiscloseActual, []string{got, line, "needs_review"}, []string{want, why, "CONFIRMATION_USED"}},
		{DiscloseNone, []string{"it did not end as it has to"}, []string{want, got, why, line, "CONFIRMATION_USED", "needs_review", "decisions", "golden  "}},
		{"", []string{"it did not end as it has to"}, []string{want, got, why, line, "CONFIRMATION_USED", "needs_review", "decisions"}},
	} {
		all := ""
		for _, k := range Kinds() {
			text := reported(t, k, s.Disclose(test.level))
			all += text
			for _, hidden := range test.hidden {
				if strings.Contains(text, hidden) {
					t.Errorf("%q: %s shows %q", test.level, k.Name, hidden)
				}
			}
		}
		for _, shown := range test.shown {
			if !strings.Contains(all, shown) {
				t.Errorf("%q: no report shows %q", test.level, shown)
			}
		}
	}
	if f := s.Cases[0].Findings[0]; f.Want != want || s.Cases[0].Result == nil {
		t.Errorf("the session itself was changed: %+v", f)
	}
}

func TestParseDisclosure(t *testing.T) {
	for text, want := range map[string]bool{"none": true, "actual": true, "full": true, "": false, "Full": false} {
		if d, ok := ParseDisclosure(text); ok != want || ok && string(d) != text {
			t.Errorf("%q: got %q, %v; want %v", text, d, ok, want)
		}
	}
}

// fullWriter fails at the first byte.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestReportsPassErrorsOn(t *testing.T) {
	s := everyVerdict(t)
	for _, k := range Kinds() {
		if err := k.Write(fullWriter{}, s); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: got %v, want the writer's error", k.Name, err)
		}
	}
}

func TestGoldensThatWereWrittenAreInEveryReport(t *testing.T) {
	s := everyVerdict(t)
	for _, k := range Kinds() {
		if text := reported(t, k, s); !strings.Contains(text, "a.golden") || !strings.Contains(text, "b.golden") {
			t.Errorf("%s does not name the goldens that were written", k.Name)
		}
	}
}

func TestSpotOfFinding(t *testing.T) {
	c := &Case{Scenario: &scenarios.Scenario{File: `a\b/sum.yaml`, Pos: diag.Pos{Line: 2, Col: 3}}}
	for where, want := range map[string]string{
		"sum.yaml:31:5": "a/b/sum.yaml:31:5", "other.yaml:31:5": "a/b/sum.yaml:2:3", "": "a/b/sum.yaml:2:3",
		"sum.yaml:0:5": "a/b/sum.yaml:2:3", "sum.yaml:31": "a/b/sum.yaml:2:3", "sum.yaml:-1:1": "a/b/sum.yaml:2:3",
		"sum.yaml:9999999999999999999999:1": "a/b/sum.yaml:2:3", "a/b/sum.golden": "a/b/sum.yaml:2:3",
	} {
		s := spotOfFinding(c, &Finding{Where: where})
		if got := s.file + ":" + s.pos.String(); got != want {
			t.Errorf("%q: got %s, want %s", where, got, want)
		}
	}
}

func TestBounded(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"éée", 2, "éé…"}, {"", 0, ""}, {"a", 0, "…"}} {
		if got := bounded(test.text, test.most); got != test.want {
			t.Errorf("%q to %d: got %q, want %q", test.text, test.most, got, test.want)
		}
	}
	long := strings.Repeat("\u202e", 3*shownMost)
	if got := len([]rune(manyLines(long))); got > shownMost+1 {
		t.Errorf("an escaped text has %d code points, want at most %d", got, shownMost+1)
	}
	if got := oneLine("a\nb\u202e", 100); got != term.EscapeLine("a\nb\u202e") {
		t.Errorf("got %q", got)
	}
}

// documentSchema is the schema of a document about sessions, made from its type.
func documentSchema[T any](t fataler) *jsonschema.Resolved {
	t.Helper()
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[ResultDocument](): {Type: "object"}, // it has a schema of its own
		reflect.TypeFor[Verdict]():        enum(Pass, Fail, Error, Skip, XFail, XPass),
		reflect.TypeFor[event.Status]():   enum(event.Statuses()...),
	}})
	if err != nil {
		t.Fatalf("%v", err)
	}
	refine(s)
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return resolved
}

// The schemas are made once: every report of every drawn session is checked.
var (
	sessionSchema = sync.OnceValue(func() *jsonschema.Resolved { return documentSchema[SessionDocument](new(testing.T)) })
	lineSchema    = sync.OnceValue(func() *jsonschema.Resolved { return documentSchema[CaseLine](new(testing.T)) })
	scoreSchema   = sync.OnceValue(func() *jsonschema.Resolved { return documentSchema[ScoreDocument](new(testing.T)) })
)

// decoded reads one JSON document strictly into v, and checks it by a schema.
func decoded(t fataler, text string, schema *jsonschema.Resolved, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	if d.More() {
		t.Fatalf("text after the document")
	}
	var plain any
	if err := json.Unmarshal([]byte(text), &plain); err != nil {
		t.Fatalf("%v", err)
	}
	if err := schema.Validate(plain); err != nil {
		t.Fatalf("%.2000v", err)
	}
}

// tallied adds one to the count of a verdict.
func tallied(t fataler, n *Summary, v string) {
	t.Helper()
	n.Cases++
	switch Verdict(v) {
	case Pass:
		n.Passed++
	case Fail:
		n.Failed++
	case Error:
		n.Errors++
	case Skip:
		n.Skipped++
	case XFail:
		n.XFailed++
	case XPass:
		n.XPassed++
	default:
		t.Fatalf("%q is no verdict", v)
	}
}

// only what the checks look at: results have a decoder of their own.
type readSession struct {
	Kind    string
	Summary Summary
	Cases   []struct{ ID, Verdict string }
}

func checkSessionJSON(t fataler, text string) Summary {
	t.Helper()
	var doc readSession
	decoded(t, text, sessionSchema(), &doc)
	var n Summary
	for _, c := range doc.Cases {
		tallied(t, &n, c.Verdict)
	}
	if n != doc.Summary || doc.Kind != KindSession {
		t.Fatalf("%s: the cases count %+v, the summary says %+v", doc.Kind, n, doc.Summary)
	}
	return n
}

func checkSessionLines(t fataler, text string) Summary {
	t.Helper()
	var n Summary
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		var c struct{ Kind, ID, Verdict string }
		decoded(t, line, lineSchema(), &c)
		if c.Kind != KindCase {
			t.Fatalf("a line of kind %q, want %s", c.Kind, KindCase)
		}
		tallied(t, &n, c.Verdict)
	}
	var last readSession
	decoded(t, lines[len(lines)-1], sessionSchema(), &last)
	if n != last.Summary || last.Kind != KindSession {
		t.Fatalf("%s: the lines count %+v, the last says %+v", last.Kind, n, last.Summary)
	}
	return n
}

func checkScore(t fataler, text string) Summary {
	t.Helper()
	var doc ScoreDocument
	decoded(t, text, scoreSchema(), &doc)
	var n Summary
	earned, possible := 0, 0
	for _, c := range doc.Cases {
		tallied(t, &n, string(c.Verdict))
		earned, possible = earned+c.Earned, possible+c.Points
		if c.Earned != 0 && c.Verdict != Pass || c.Verdict == Pass && c.Earned != c.Points {
			t.Fatalf("%s: %s earned %d of %d", c.ID, c.Verdict, c.Earned, c.Points)
		}
	}
	if doc.Points != (PointsDocument{earned, possible}) || n != doc.Summary || doc.Kind != KindScore {
		t.Fatalf("%s: the cases have %d of %d points and count %+v; the document says %+v", doc.Kind, earned, possible, n, doc)
	}
	return n
}
