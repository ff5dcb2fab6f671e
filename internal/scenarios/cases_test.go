package scenarios

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"harness/internal/policy"
	"harness/internal/runner/machine"
)

const family = `apiVersion: harness/v1
kind: Scenario
id: a/family
title: The family
teaches: >
  All of it.
tags: [one, two]
repo:
  files:
    a.txt: hello
    b.txt: world
    .env: TOKEN=x
task:
  goal: look
  read: [a.txt, b.txt]
  budget: {steps: 3, window: 5}
model:
  script:
    - {type: finish, summary: done}
expect: {status: claimed_complete, steps: 1}
cases:
  - id: same
  - id: own
    title: Its own
    tags: [three]
    repo:
      files:
        a.txt: {content: changed}
        b.txt: null
        c.txt: new
    task:
      read: [a.txt, c.txt]
      budget: {steps: 9}
      onRejection: observe
    model: {allowUnused: true}
    expect: {steps: 2}
  - id: again
    limits: {hits: 2}
    task: {goal: look twice}
`

func parsed(t *testing.T, text string) []*Scenario {
	t.Helper()
	list, found := Parse("dir/family.yaml", []byte(text))
	if found.Failed() {
		t.Fatal(found)
	}
	return list
}

func TestCases(t *testing.T) {
	list := parsed(t, family)
	var ids []string
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	if want := []string{"a/family/same", "a/family/own", "a/family/again"}; !slices.Equal(ids, want) {
		t.Fatalf("got %v, want %v", ids, want)
	}
	same, own, again := list[0], list[1], list[2]
	if same.Title != "The family" || same.Teaches != "All of it." || !slices.Equal(same.Tags, []string{"one", "two"}) || same.Case != "same" {
		t.Errorf("the file's own values do not hold: %+v", same)
	}
	if own.Title != "Its own" || own.Teaches != "All of it." || !slices.Equal(own.Tags, []string{"three"}) {
		t.Errorf("the case's values do not hold: %+v", own)
	}
	if !slices.Equal(own.Read, []string{"a.txt", "c.txt"}) || own.Goal != "look" || again.Goal != "look twice" {
		t.Errorf("got %v %q %q", own.Read, own.Goal, again.Goal)
	}
	want := policy.DefaultBudgets()
	want.Steps, want.Window = 9, 5
	if got := own.Config.Machine.Budgets; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if own.Config.Machine.OnRejection != machine.Observe || same.Config.Machine.OnRejection != machine.StopRun {
		t.Error("onRejection does not hold")
	}
	if !own.AllowUnused || same.AllowUnused {
		t.Error("allowUnused does not hold")
	}
	if own.Expect.Status.Value != "claimed_complete" || own.Expect.Steps.Value != 2 || same.Expect.Steps.Value != 1 {
		t.Errorf("expect was not laid over: %+v", own.Expect)
	}
	if got, want := own.Expect.Status.Pos.String()+" "+own.Expect.Steps.Pos.String(), "20:18 36:21"; got != want {
		t.Errorf("got places %s, want %s", got, want)
	}
	if got, want := again.Pos.String(), "37:5"; got != want {
		t.Errorf("got place %s, want %s", got, want)
	}
	if again.Config.Machine.Limits.Hits != 2 || same.Config.Machine.Limits.Hits != 8 {
		t.Error("limits do not hold")
	}
}

func TestCaseFiles(t *testing.T) {
	list := parsed(t, family)
	var got []string
	for _, f := range list[1].Config.Snapshot.Files() {
		got = append(got, f.Path()+"="+f.Text())
	}
	if want := []string{".env=TOKEN=x", "a.txt=changed", "c.txt=new"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if list[0].Config.Snapshot != list[2].Config.Snapshot {
		t.Error("cases without files of their own do not share the repository")
	}
	if list[0].Config.Machine.Rules != list[2].Config.Machine.Rules || list[0].Config.Script != list[2].Config.Script {
		t.Error("what cases have in common is not shared")
	}
	if list[0].Config.Machine.Registry == list[2].Config.Machine.Registry {
		t.Error("cases of different limits share the tools")
	}
}

func TestCasePlacesInTraces(t *testing.T) {
	list := parsed(t, family)
	var got []string
	for _, r := range list[1].Config.Machine.Rules.All() {
		got = append(got, r.ID+" "+r.Where+" "+r.Capability+" "+r.Pattern)
	}
	want := []string{
		"task.read[0] family.yaml:32:14 repo:read a.txt", "task.read[0] family.yaml:32:14 repo:search a.txt",
		"task.read[1] family.yaml:32:21 repo:read c.txt", "task.read[1] family.yaml:32:21 repo:search c.txt",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCaseFaults(t *testing.T) {
	replaced := func(old, new string) string {
		if strings.Count(family, old) != 1 {
			t.Fatalf("%q stands %d times in family", old, strings.Count(family, old))
		}
		return strings.Replace(family, old, new, 1)
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a fault of the file is said once", replaced("goal: look\n", "goal: 12\n"), []string{"14:9 WRONG_TYPE"}},
		{"a pattern of the file", replaced("read: [a.txt, b.txt]", "read: [a.txt, x.txt]"), []string{"15:17 BAD_REFERENCE"}},
		{"a path of the file", replaced("    .env: TOKEN=x", "    ../env: TOKEN=x"), []string{"12:5 INVALID_VALUE"}},
		{"a reference in the file", replaced("summary: done", "summary: '${last.nothing}'"), []string{"19:31 BAD_REFERENCE"}},
		{"missing from all cases", replaced("  budget: {steps: 3, window: 5}\n", "  budget: {window: 5}\n") + "    expect: {steps: 1}\n", []string{"22:5 MISSING_KEY", "37:5 MISSING_KEY"}},
		{"missing from the file and all cases", strings.Replace(replaced("  budget: {steps: 3, window: 5}\n", ""), "      budget: {steps: 9}\n", "", 1), []string{"14:3 MISSING_KEY"}},
		{"missing from one case", replaced("      budget: {steps: 9}\n", "      budget: {}\n"), nil},
		{"a whole section missing", strings.Replace(family, "model:\n  script:\n    - {type: finish, summary: done}\n", "", 1), []string{"19:5 MISSING_KEY", "20:5 MISSING_KEY", "34:5 MISSING_KEY"}},
		{"a whole section missing from all", strings.Replace(strings.Replace(family, "model:\n  script:\n    - {type: finish, summary: done}\n", "", 1), "    model: {allowUnused: true}\n", "", 1), []string{"1:1 MISSING_KEY"}},
		{"an id twice", replaced("id: again", "id: same"), []string{"37:9 INVALID_VALUE"}},
		{"an id of two segments", replaced("id: again", "id: a/b"), []string{"37:9 INVALID_VALUE"}},
		{"no id", replaced("  - id: same\n", "  - title: same\n"), []string{"22:5 MISSING_KEY"}},
		{"no mapping", replaced("  - id: same\n", "  - same\n"), []string{"22:5 WRONG_TYPE"}},
		{"no cases", family[:strings.Index(family, "cases:")] + "cases: []\n", []string{"21:8 INVALID_VALUE"}},
		{"cases of another type", family[:strings.Index(family, "cases:")] + "cases: {a: b}\n", []string{"21:8 WRONG_TYPE"}},
		{"what only a file can say", replaced("  - id: same\n", "  - id: same\n    kind: Scenario\n    cases: []\n"), []string{"23:5 UNKNOWN_KEY", "24:5 UNKNOWN_KEY"}},
		{"a case removes what is not there", replaced("b.txt: null", "d.txt: null"), []string{"29:9 INVALID_VALUE"}},
		{"a case's file against the file's", replaced("c.txt: new", "A.txt: new"), []string{"30:9 INVALID_VALUE", "32:21 BAD_REFERENCE"}},
		{"a case removes what is read", replaced("      read: [a.txt, c.txt]\n", ""), []string{"15:17 BAD_REFERENCE"}},
		{"a case's own pattern", replaced("read: [a.txt, c.txt]", "read: [a.txt, b.txt]"), []string{"32:21 BAD_REFERENCE"}},
		{"a path in a case's message", replaced("steps: 9", "steps: x"), []string{"33:23 WRONG_TYPE"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectFaults(t, c.text, inOrder(c.want)...) })
	}
	_, found := Parse("s.yaml", []byte(replaced("steps: 9", "steps: x")))
	if got, want := found[0].Message, `cases[1].task.budget.steps must be a whole number, got the text "x"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEverythingIsReportedAtOnce: a dozen faults of different kinds, each at its
// place.
func TestEverythingIsReportedAtOnce(t *testing.T) {
	const text = `apiVersion: harness/v1
kind: Scenario
id: Broken
grnats: []
repo:
  files:
    a.txt: hello
    ../b.txt: x
    a.txt: again
    c.txt: 12
task:
  goal: look
  read: [a.txt, d.txt]
  budget: {steps: "3", repeats: 1}
  editShownOnly: yes
model:
  script:
    - {type: read, path: &x a.txt}
    - {type: read, path: '${last.nothing}'}
expect: {status: fine}
`
	expectFaults(t, text,
		"3:5 INVALID_VALUE", "4:1 UNKNOWN_KEY", "8:5 INVALID_VALUE", "9:5 DUPLICATE_YAML_KEY", "10:12 WRONG_TYPE",
		"13:17 BAD_REFERENCE", "14:19 WRONG_TYPE", "14:33 INVALID_VALUE", "15:18 WRONG_TYPE", "18:26 YAML_UNSUPPORTED_FEATURE",
		"19:26 BAD_REFERENCE", "20:18 INVALID_VALUE")
}

func TestManyFaultsAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString(plain)
	for range 50_000 {
		b.WriteString("x: 1\n")
	}
	_, found := Parse("s.yaml", []byte(b.String()))
	if got, want := len(found), maxFaults+1; got != want {
		t.Fatalf("got %d, want %d", got, want)
	}
	last := found[maxFaults]
	if last.Code != MoreFaults || last.Message != "99899 more faults are not listed" {
		t.Errorf("got %v", last)
	}
}
