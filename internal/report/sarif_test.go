package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"harness/internal/event"
)

// sarifSubset is what the standard's schema says about the parts that are written,
// closed: a member that is not here is not written.
const sarifSubset = `{
  "type": "object", "additionalProperties": false, "required": ["$schema", "version", "runs"],
  "properties": {
    "$schema": {"type": "string", "pattern": "^https://"},
    "version": {"const": "2.1.0"},
    "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": {"$ref": "#/$defs/run"}}
  },
  "$defs": {
    "text": {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
    "level": {"enum": ["none", "note", "warning", "error"]},
    "run": {
      "type": "object", "additionalProperties": false, "required": ["tool", "results"],
      "properties": {
        "tool": {"type": "object", "additionalProperties": false, "required": ["driver"], "properties": {"driver": {"$ref": "#/$defs/driver"}}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "invocations": {"type": "array", "items": {"$ref": "#/$defs/invocation"}},
        "results": {"type": "array", "maxItems": 25000, "items": {"$ref": "#/$defs/result"}},
        "properties": {"type": "object"}
      }
    },
    "driver": {
      "type": "object", "additionalProperties": false, "required": ["name"],
      "properties": {
        "name": {"type": "string", "minLength": 1},
        "version": {"type": "string"},
        "rules": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/rule"}}
      }
    },
    "rule": {
      "type": "object", "additionalProperties": false, "required": ["id", "shortDescription", "fullDescription", "help"],
      "properties": {
        "id": {"type": "string", "minLength": 1},
        "shortDescription": {"$ref": "#/$defs/text"},
        "fullDescription": {"$ref": "#/$defs/text"},
        "help": {"$ref": "#/$defs/text"},
        "defaultConfiguration": {"type": "object", "additionalProperties": false, "properties": {"level": {"$ref": "#/$defs/level"}}}
      }
    },
    "invocation": {
      "type": "object", "additionalProperties": false, "required": ["executionSuccessful"],
      "properties": {
        "executionSuccessful": {"type": "boolean"},
        "toolExecutionNotifications": {"type": "array", "items": {
          "type": "object", "additionalProperties": false, "required": ["message"],
          "properties": {"level": {"$ref": "#/$defs/level"}, "message": {"$ref": "#/$defs/text"}}
        }}
      }
    },
    "result": {
      "type": "object", "additionalProperties": false, "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
      "properties": {
        "ruleId": {"type": "string", "minLength": 1},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"$ref": "#/$defs/level"},
        "message": {"$ref": "#/$defs/text"},
        "locations": {"type": "array", "minItems": 1, "maxItems": 1, "items": {"$ref": "#/$defs/location"}},
        "partialFingerprints": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{32}$"}},
        "suppressions": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {
          "type": "object", "additionalProperties": false, "required": ["kind"],
          "properties": {"kind": {"enum": ["inSource", "external"]}, "status": {"enum": ["accepted", "underReview", "rejected"]}, "justification": {"type": "string"}}
        }},
        "properties": {"type": "object"}
      }
    },
    "location": {
      "type": "object", "additionalProperties": false,
      "properties": {
        "physicalLocation": {
          "type": "object", "additionalProperties": false, "required": ["artifactLocation"],
          "properties": {
            "artifactLocation": {"type": "object", "additionalProperties": false, "required": ["uri"], "properties": {"uri": {"type": "string", "minLength": 1}}},
            "region": {"type": "object", "additionalProperties": false, "required": ["startLine"],
              "properties": {"startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}}}
          }
        },
        "logicalLocations": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {
          "type": "object", "additionalProperties": false, "properties": {"fullyQualifiedName": {"type": "string"}}
        }}
      }
    }
  }
}`

var sarifShape = sync.OnceValue(func() *jsonschema.Resolved {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(sarifSubset), &s); err != nil {
		panic(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		panic(err)
	}
	return resolved
})

// readRun is what a reader takes from a log beside its shape.
type readRun struct {
	sarifRun
	Properties readSession `json:"properties"`
}

func readSARIF(t fataler, text string) readRun {
	t.Helper()
	var log struct{ Runs []readRun }
	decoded(t, text, sarifShape(), &log)
	return log.Runs[0]
}

// checkSARIF checks a log by the standard, that its parts name each other, and that
// each finding of a case that is red or known to fail has its result.
func checkSARIF(t fataler, text string, s *Session) Summary {
	t.Helper()
	run := readSARIF(t, text)
	rules, prints, perCase := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, rule := range run.Tool.Driver.Rules {
		if rules[rule.ID] {
			t.Fatalf("two rules %q", rule.ID)
		}
		rules[rule.ID] = true
	}
	for i := range run.Results {
		r := &run.Results[i]
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Fatalf("the rule %q is not at %d", r.RuleID, r.RuleIndex)
		}
		if p := r.PartialFingerprints[fingerprintName]; p == "" || prints[p] {
			t.Fatalf("no fingerprint, or one that another result has")
		}
		prints[r.PartialFingerprints[fingerprintName]] = true
		if known := r.Properties.Verdict == XFail; known != (len(r.Suppressions) == 1) || known != (r.Level == levelNote) {
			t.Fatalf("%s with level %s and %d suppressions", r.Properties.Verdict, r.Level, len(r.Suppressions))
		}
		if p := r.Locations[0].PhysicalLocation; p != nil {
			if u, err := url.Parse(p.ArtifactLocation.URI); err != nil || u.Scheme != "" && u.Scheme != "file" || u.RawQuery+u.Fragment != "" {
				t.Fatalf("%q is no URI of a file: %v", p.ArtifactLocation.URI, err)
			}
		}
		perCase[r.Properties.Case]++
	}
	for i := range s.Cases {
		c, want := &s.Cases[i], 0
		if !c.OK() || c.Verdict == XFail {
			want = len(findingsOf(c))
		}
		if got := perCase[validUTF8(c.Scenario.ID)]; got != want {
			t.Fatalf("%d results of %s, a case of %s; want %d", got, c.Scenario.ID, c.Verdict, want)
		}
	}
	if len(run.Invocations) != 1 || run.Invocations[0].ExecutionSuccessful == s.Interrupted {
		t.Fatalf("the invocation does not say whether the session was cut short")
	}
	red := false
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		red = red || n.Level == levelError
	}
	if red != (s.Interrupted || len(s.Failures) > 0) {
		t.Fatalf("the notifications do not say that the session is red beside its cases")
	}
	return run.Properties.Summary
}

// validUTF8 is a text as JSON holds it.
func validUTF8(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	var back string
	if err := json.Unmarshal(encoded, &back); err != nil {
		panic(err)
	}
	return back
}

func TestSARIFSubsetRefuses(t *testing.T) {
	text := reported(t, kindNamed(t, "sarif"), everyVerdict(t))
	for name, spoil := range map[string]func(run map[string]any){
		"no tool":         func(run map[string]any) { delete(run, "tool") },
		"no message":      func(run map[string]any) { delete(first(run["results"]), "message") },
		"another level":   func(run map[string]any) { first(run["results"])["level"] = "fatal" },
		"a new member":    func(run map[string]any) { run["time"] = 1.0 },
		"line 0":          func(run map[string]any) { region(run)["startLine"] = 0.0 },
		"a rule no text":  func(run map[string]any) { first(driver(run)["rules"])["help"] = map[string]any{} },
		"no driver name":  func(run map[string]any) { delete(driver(run), "name") },
		"no fingerprints": func(run map[string]any) { delete(first(run["results"]), "partialFingerprints") },
	} {
		log := instance(t, text).(map[string]any)
		spoil(first(log["runs"]))
		if err := sarifShape().Validate(log); err == nil {
			t.Errorf("%s: the schema takes it", name)
		}
	}
}

func first(list any) map[string]any { return list.([]any)[0].(map[string]any) }

func driver(run map[string]any) map[string]any {
	return run["tool"].(map[string]any)["driver"].(map[string]any)
}

func region(run map[string]any) map[string]any {
	return first(first(run["results"])["locations"])["physicalLocation"].(map[string]any)["region"].(map[string]any)
}

func TestSARIFRules(t *testing.T) {
	s := everyVerdict(t)
	denied := &s.Cases[1]
	broken := &s.Cases[2]
	for _, test := range []struct {
		c    *Case
		f    Finding
		want string
	}{
		{denied, Finding{Clause: "decisions[0].code", Want: "x"}, "PATH_NOT_READABLE"},
		{denied, Finding{Clause: "decisions[0].decision", Want: "deny", Got: "allow"}, "PATH_NOT_READABLE"},
		{denied, Finding{Clause: "decisions[9].code", Want: "GRANT_EXPIRED"}, "GRANT_EXPIRED"},
		{denied, Finding{Clause: "decisions[99999999999999999999].says"}, "decisions.says"},
		{denied, Finding{Clause: "stopReason", Want: "MAX_STEPS_REACHED", Got: "PATH_NOT_READABLE"}, "MAX_STEPS_REACHED"},
		{denied, Finding{Clause: "stopReason", Want: "none", Got: "PATH_NOT_READABLE"}, "PATH_NOT_READABLE"},
		{denied, Finding{Clause: "events[3]", Want: "tool.completed TOOL_TIMEOUT"}, "TOOL_TIMEOUT"},
		{denied, Finding{Clause: "events[3]", Want: "tool.completed"}, "events"},
		{denied, Finding{Clause: "status", Want: "needs_review", Got: "rejected"}, "PATH_NOT_READABLE"},
		{denied, Finding{Clause: "edits[0].preview", Want: "MAX_STEPS_REACHED"}, "edits.preview"},
		{denied, Finding{Clause: "golden"}, "golden"},
		{denied, Finding{Clause: "[0]"}, "finding"},
		{denied, Finding{Clause: "]a[b"}, "]a"},
		{broken, Finding{Clause: "model", Got: "MODEL_FAILED"}, "MODEL_FAILED"},
	} {
		rule := sarifRuleOf(test.c, &test.f)
		if rule.ID != test.want {
			t.Errorf("%+v: got the rule %q, want %q", test.f, rule.ID, test.want)
		}
		if code := runCodes()[test.want]; code != nil && (!strings.Contains(rule.Help.Text, code.Means) || !strings.Contains(rule.Help.Text, code.Do)) {
			t.Errorf("%s: its help is %q", rule.ID, rule.Help.Text)
		}
	}
}

// A code that a scenario declares has its text too.
func TestSARIFRuleOfDeclaredCode(t *testing.T) {
	for _, w := range worlds() {
		c := as(t, w, Fail)
		for i := range c.Result.Events {
			e := &c.Result.Events[i]
			if e.Name != event.ToolCompleted || e.Code == nil || runCodes()[e.Code.Name] != nil {
				continue
			}
			rule := sarifRuleOf(&c, &Finding{Clause: "events[0]", Want: "tool.completed " + e.Code.Name})
			if rule.ID != e.Code.Name || rule.FullDescription.Text != e.Code.Means {
				t.Errorf("%s: got the rule %q, %q; want %q", w.id, rule.ID, rule.FullDescription.Text, e.Code.Means)
			}
			return
		}
	}
	t.Fatal("no world ends a call with a code of its own")
}

// The fingerprint of a finding stays while its file and its values change.
func TestSARIFFingerprints(t *testing.T) {
	of := func(id string, findings ...Finding) []string {
		c := as(t, sum(), Fail, findings...)
		c.Scenario.ID = id
		var list []string
		for _, r := range readSARIF(t, reported(t, kindNamed(t, "sarif"), &Session{Cases: []Case{c}})).Results {
			list = append(list, r.PartialFingerprints[fingerprintName])
		}
		return list
	}
	a := of("a", Finding{Clause: "status", Where: "sum.yaml:3:1", Want: "x", Got: "y"}, Finding{Clause: "never[0]"}, Finding{Clause: "never[0]"})
	if b := of("a", Finding{Clause: "status", Where: "sum.yaml:9:1", Want: "x", Got: "z"}); b[0] != a[0] {
		t.Error("it changed with the line and the value")
	}
	if b := of("b", Finding{Clause: "status"}); b[0] == a[0] {
		t.Error("two cases have the same")
	}
	if a[0] == a[1] || a[1] == a[2] {
		t.Error("two findings have the same")
	}
}

func TestSARIFIsBounded(t *testing.T) {
	s := &Session{Cases: []Case{as(t, named("not-unique"), XFail, Finding{Clause: "known"}), as(t, sum(), Fail)}}
	for i := range sarifMost + 7 {
		s.Cases[1].Findings = append(s.Cases[1].Findings, Finding{Clause: fmt.Sprintf("never[%d]", i)})
	}
	run := readSARIF(t, reported(t, kindNamed(t, "sarif"), s))
	said := run.Invocations[0].ToolExecutionNotifications
	if len(run.Results) != sarifMost || run.Results[0].Properties.Verdict != Fail {
		t.Errorf("got %d results, the first of %s; want %d, red ones first", len(run.Results), run.Results[0].Properties.Verdict, sarifMost)
	}
	if len(said) != 1 || said[0].Message.Text != "8 results more left off" {
		t.Errorf("got %v, want the count of what was left off", said)
	}
}

func TestFileURI(t *testing.T) {
	for file, want := range map[string]string{
		"scenarios/a.yaml": "scenarios/a.yaml", "a b/ü.yaml": "a%20b/%C3%BC.yaml", "/abs/a.yaml": "file:///abs/a.yaml",
		"C:/x/a.yaml": "file:///C:/x/a.yaml", "a:b.yaml": "a%3Ab.yaml", "../a.yaml": "../a.yaml", "50%#?.yaml": "50%25%23%3F.yaml",
		"\xff.yaml": "%FF.yaml", "c:": "c%3A",
	} {
		if got := fileURI(file); got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}

func TestSARIFMessagesHoldNoLinks(t *testing.T) {
	if got, want := sarifText("see [here](https://e) \u202e").Text, `see [here\](https://e) <U+202E>`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
