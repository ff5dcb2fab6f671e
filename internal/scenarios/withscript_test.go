package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

// said is what the scripted model of a scenario says, as far as it refers to nothing.
func said(t *testing.T, s *Scenario) [][]byte {
	t.Helper()
	var list [][]byte
	for _, item := range s.Config.Script.Items() {
		raw := item.Raw
		if raw == nil {
			raw = strictjson.AppendCanonical(nil, strictjson.Sorted(item.Value))
		}
		list = append(list, raw)
	}
	return list
}

func rewritten(t *testing.T, text string, s *Script) (string, *Scenario) {
	t.Helper()
	b, err := WithScript([]byte(text), s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), parsed(t, string(b))[0]
}

// Whatever bytes a model says, the file says them again.
func TestWithScriptKeepsBytes(t *testing.T) {
	alone, _, _ := strings.Cut(family, "cases:")
	items := []string{
		`{"path":"src/sum.ts","type":"read"}`, `{"type":"read","path":"not canonical"}`, "{oops", "", "\xff\x00", "a\nb\r\n\u2028c\u0085",
		`{"query":"${last.x}","type":"search"}`, `{"query":"$${last.x}","type":"search"}`, `{"raw":"x"}`, `{"repeat":3,"type":"search"}`,
		`{"n":1.5e+300,"s":"yes","t":true,"u":null,"v":["no",{"":"~"}]}`, `"just a text"`, `[1,2]`, "\U0001F680 \u202e",
	}
	s := &Script{Comment: "why\u2028\n\x00it: # is\n\nhere"}
	for _, text := range items {
		s.Items = append(s.Items, []byte(text))
	}
	text, scenario := rewritten(t, alone, s)
	for i, got := range said(t, scenario) {
		if string(got) != items[i] {
			t.Errorf("got %q, want %q", got, items[i])
		}
	}
	if !strings.HasPrefix(text, "# why\n# it: # is\n#\n# here\n") {
		t.Errorf("the comment is %q", text[:40])
	}
	if scenario.Expect != nil || scenario.ID != parsed(t, alone)[0].ID+"-explored" {
		t.Errorf("%s still expects %v", scenario.ID, scenario.Expect)
	}
}

const withPerson = `apiVersion: harness/v1
kind: Scenario
id: a/person
title: A person
teaches: All of it.
repo: {files: {a.txt: hello, b.txt: world}}
principal: {id: alice, tenant: acme}
world: {notes: {n1: one, n2: two}, desk: {}}
tools:
  - name: note
    purpose: Notes.
    input: {type: object, properties: {text: {type: string}}}
    output: {type: object}
    capability: note:write
    sideEffect: irreversible
    confirmation: per-call
    behaviour: [{answer: {}}]
faults: [{tool: note, call: 1, kind: response-lost}]
rules: [{effect: allow, capability: note:write, resource: "*"}]
task: {goal: look, read: [a.txt], budget: {steps: 3, perTool: {note: 1}}}
model: {script: [{type: note, text: x}, {type: finish, summary: done}]}
human: [{says: approve, by: bob}]
changes: [{afterStep: 1, files: {b.txt: new}}]
cases:
  - id: other
    title: Another
    repo: {files: {a.txt: changed, b.txt: null, c.txt: new}}
    principal: {id: carol}
    world: {notes: {n1: null, n3: three}}
    task: {budget: {steps: 5, perTool: {note: 2}}}
    changes: []
    expect: {status: failed}
  - id: same
    title: The same
    expect: {status: failed}
`

// A case is written as what it is once it was laid over its file.
func TestWithScriptTakesACase(t *testing.T) {
	text, got := rewritten(t, withPerson, &Script{Case: "other", Items: [][]byte{[]byte(`{"type":"note"}`)}})
	want := parsed(t, withPerson)[0]
	if got.ID != "a/person/other-explored" || got.Title != "Another" || got.Case != "" {
		t.Errorf("got id %q, title %q, case %q", got.ID, got.Title, got.Case)
	}
	if got.Config.Snapshot.Digest() != want.Config.Snapshot.Digest() {
		t.Errorf("got another repository:\n%s", text)
	}
	a, b := got.Config.Machine, want.Config.Machine
	if a.Budgets.Steps != 5 || len(a.Budgets.PerTool) != 1 || a.Budgets.PerTool[0] != b.Budgets.PerTool[0] {
		t.Errorf("got budgets %+v, want %+v", a.Budgets, b.Budgets)
	}
	if a.Identity.Principal.ID != "carol" || a.Identity.Principal.Tenant != "acme" {
		t.Errorf("got principal %+v", a.Identity.Principal)
	}
	if x, y := worldText(got.Config), worldText(want.Config); x != y || !strings.Contains(x, "three") {
		t.Errorf("got world %s, want %s", x, y)
	}
	if len(got.Config.Human) != 0 || len(got.Config.Changes) != 0 || len(got.Config.World.Faults) != 1 {
		t.Errorf("got %d answers, %d changes, %d faults; want 0, 0, 1", len(got.Config.Human), len(got.Config.Changes), len(got.Config.World.Faults))
	}
}

func worldText(c *runner.Config) string {
	var b []byte
	for _, collection := range c.World.Collections {
		b = append(b, collection.Name...)
		b = strictjson.AppendCanonical(b, strictjson.OfObject(collection.Entries...))
	}
	return string(b)
}

func TestWithScriptKeepsPersons(t *testing.T) {
	run, args := "other/run", strictjson.OfObject(strictjson.Member{Name: "text", Value: strictjson.OfString("${x.y}")})
	replies := []runner.Reply{
		{Verdict: event.Approved, By: "mallory", Run: &run, OtherPolicy: true, OtherDefinition: true, Arguments: args, Seen: "c1"},
		{Verdict: event.Declined, By: "bob", Reason: "no: it is not # mine", After: 90 * time.Second, Request: "c2"},
		{Verdict: event.Postponed, By: "yes"},
	}
	_, got := rewritten(t, withPerson, &Script{
		Case: "same", Human: replies, Cancel: true, CancelAt: 1500 * time.Millisecond, Faultless: true,
	})
	for i, r := range got.Config.Human {
		want := replies[i]
		if r.Verdict != want.Verdict || r.By != want.By || r.Reason != want.Reason || r.After != want.After || r.Request != want.Request ||
			r.Seen != want.Seen || (r.Run == nil) != (want.Run == nil) || r.OtherPolicy != want.OtherPolicy || r.OtherDefinition != want.OtherDefinition ||
			string(strictjson.AppendCanonical(nil, r.Arguments)) != string(strictjson.AppendCanonical(nil, want.Arguments)) {
			t.Errorf("answer %d: got %+v, want %+v", i, r, want)
		}
	}
	if timed := got.Config.Timed; len(timed) != 1 || timed[0].At != 1500*time.Millisecond || timed[0].Order.Kind != event.CancelRun {
		t.Errorf("got %+v, want an order to stop after 1.5s", timed)
	}
	if len(got.Config.Changes) != 1 || len(got.Config.World.Faults) != 0 || len(got.Config.Human) != 3 {
		t.Errorf("got %d changes, %d faults, %d answers; want 1, 0, 3", len(got.Config.Changes), len(got.Config.World.Faults), len(got.Config.Human))
	}
	_, got = rewritten(t, withPerson, &Script{Case: "same", Cancel: true, CancelAfter: 2})
	if c := got.Config.Changes; len(c) != 2 || c[1].AfterStep != 2 || c[1].Order.Kind != event.CancelRun {
		t.Errorf("got %+v, want an order to stop after step 2 behind the other change", c)
	}
}

func TestWithScriptRefuses(t *testing.T) {
	alone, _, _ := strings.Cut(family, "cases:")
	for _, c := range []struct{ name, text, id string }{
		{"no case of that id", withPerson, "none"}, {"a case that is not named", withPerson, ""},
		{"a case of a file without any", alone, "x"}, {"no YAML", "{", ""}, {"no mapping", "[1]", ""}, {"no scenario", "a: 1", ""}, {"nothing", "", ""},
	} {
		if text, err := WithScript([]byte(c.text), &Script{Case: c.id}); err == nil || text != nil {
			t.Errorf("%s: got %q and error %v, want an error alone", c.name, text, err)
		}
	}
}

// Every shipped scenario can be written anew, with what it says now.
func TestWithScriptOfShipped(t *testing.T) {
	names, _ := filepath.Glob("../../scenarios/*/*.yaml")
	if len(names) == 0 {
		t.Fatal("no shipped scenarios")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, found := Parse(name, data)
		if found.Failed() {
			continue // it includes others
		}
		for i, s := range list {
			if i%5 != 0 {
				continue
			}
			text, err := WithScript(data, &Script{Case: s.Case, Items: said(t, s), Human: s.Config.Human})
			if err != nil {
				t.Errorf("%s: %v", s.ID, err)
				continue
			}
			again := parsed(t, string(text))[0]
			if again.Config.Snapshot.Digest() != s.Config.Snapshot.Digest() || again.Config.Machine.OnRejection != s.Config.Machine.OnRejection {
				t.Errorf("%s: got another world", s.ID)
			}
		}
	}
}
