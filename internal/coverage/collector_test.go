package coverage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/tools"
	"harness/internal/tools/repotools"
)

// world is a small scenario with a declared tool; more is put at its end.
const world = `apiVersion: harness/v1
kind: Scenario
id: a/world
principal: {id: ann, tenant: t1}
world: {notes: {n1: {text: hello}}}
tools:
  - name: save
    purpose: Saves a note.
    input: {type: object, properties: {id: {type: string}, text: {type: string}}, required: [id, text]}
    output: {type: object, properties: {id: {type: string}}, required: [id]}
    capability: note:write
    resource: '"note/" + args.id'
    needs: [{capability: log:write, resource: '"log/" + args.id'}]
    require: [{id: short, that: size(args.text) < 9, code: TOO_LONG, message: too long}]
    sideEffect: idempotent-write
    lookup: true
    behaviour:
      - when: args.id == "taken"
        rejects: {code: TAKEN, message: it is taken}
      - put: {into: notes, key: args.id, value: {text: '${args.text}'}}
        answer: {id: '${args.id}'}
    ensures: world.notes[result.id].text == args.text
repo: {files: {a.txt: "alpha\n", b.txt: "alpha\nbeta\n", secret.txt: "alpha\n"}}
`

// task is a task without budget to care about.
const task = "task: {goal: look, onRejection: observe, budget: {steps: 9}, read: [a.txt, b.txt]}\n"

// says is a model that says these things, and then that it has finished.
func says(items ...string) string {
	return "model:\n  script:\n    - " + strings.Join(append(items, "{type: finish, summary: done}"), "\n    - ") + "\n"
}

const save = `{type: save, id: n1, text: hi}`

// parse reads a file.
func parse(t testing.TB, file, text string) []*scenarios.Scenario {
	t.Helper()
	list, found := scenarios.Parse(file, []byte(text))
	if found.Failed() {
		t.Fatal(found)
	}
	return list
}

// collected is what the scenarios of a file show.
func collected(t testing.TB, text string) *Report {
	t.Helper()
	c := New(scenarios.RunCodes())
	for _, s := range parse(t, "dir/w.yaml", text) {
		c.Add(s, runner.Run(s.Config))
	}
	return c.Report()
}

// find finds a point; it has to be there.
func (r *Report) find(t testing.TB, id string) *Point {
	t.Helper()
	for i := range r.Points {
		if r.Points[i].ID == id {
			return &r.Points[i]
		}
	}
	t.Fatalf("there is no point %s", id)
	return nil
}

func TestPoints(t *testing.T) {
	for _, c := range []struct {
		name, text    string
		seen, missing []string
	}{
		{
			"a read and a refusal", task + says("{type: read, path: a.txt}", "{type: read, path: secret.txt}"),
			[]string{
				"tool read called", "tool read refused", "code PATH_NOT_READABLE", "code FINISH_CLAIMED",
				"check read.allowed refused", "check read.allowed passed", "check read.path passed", "check read.exists passed",
				"check parse.action passed", "check finish.citations passed", "rule a/world task.read[0]",
				"transition created -> running", "transition running -> claimed_complete",
			},
			[]string{
				"tool search called", "tool a/world save called", "rule a/world task.read[1]", "check read.path refused",
				"check read.exists refused", "check parse.action refused", "check propose_edit.read passed", "transition running -> failed",
			},
		},
		{
			"a check behind the one that refused is not asked", task + says("{type: read, path: ../x}", "{type: read, path: secret.txt}"),
			[]string{"check read.path refused", "check read.path passed", "check schema.fields passed", "check read.allowed refused"},
			[]string{"check read.allowed passed", "check budget.tool_calls passed", "check read.exists passed", "tool read called"},
		},
		{
			"no action", task + says(`{raw: "no"}`),
			[]string{"check parse.action refused", "check schema.tool passed", "code BAD_JSON"},
			[]string{"check schema.tool refused", "tool read refused"},
		},
		{
			"a tool that is none, called like a point", task + says("{type: call, tool: a/world save, arguments: {}}"),
			[]string{"check schema.tool refused", "code UNKNOWN_TOOL_OR_VERSION"}, []string{"tool a/world save refused"},
		},
		{
			"a tool's own refusal", task + says("{type: read, path: b.txt, startLine: 9}"),
			[]string{"check read.in_range refused", "check read.exists passed", "check read.utf8 passed", "tool read called", "tool read refused"},
			[]string{"check read.in_range passed"},
		},
		{
			"a refusal that is no check's", "rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n" +
				task + says("{type: save, id: taken, text: hi}"),
			[]string{"tool a/world save called", "tool a/world save refused", "check declared.require passed", "rule a/world rules[0]", "rule a/world rules[1]"},
			[]string{"check declared.postcondition passed", "check grant.expiry passed", "check confirm.looked passed"},
		},
		{
			"a declared refusal", task + says("{type: save, id: n1, text: much too long}"),
			[]string{"check declared.require refused", "tool a/world save refused"}, []string{"check declared.allowed refused", "tool a/world save called"},
		},
		{
			"a promise that is not kept", "faults: [{tool: save, kind: readback-differs, value: {text: other}}]\n" +
				"rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n" +
				task + says(save),
			[]string{"check declared.postcondition refused", "check declared.output passed", "code TOOL_POSTCONDITION_FAILED", "transition running -> failed"},
			[]string{"check declared.postcondition passed", "check declared.output refused"},
		},
		{
			"all that was promised", "rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n" +
				task + says(save),
			[]string{"check declared.postcondition passed", "check declared.size passed"}, []string{"tool a/world save refused"},
		},
	} {
		t.Run(c.name, func(t *testing.T) { expectPoints(t, collected(t, world+c.text), c.seen, c.missing) })
	}
}

func expectPoints(t *testing.T, r *Report, seen, missing []string) {
	t.Helper()
	for _, id := range seen {
		if p := r.find(t, id); p.Seen == 0 {
			t.Errorf("%s: got never seen (%s), want seen", id, p.Near)
		}
	}
	for _, id := range missing {
		if p := r.find(t, id); p.Seen > 0 {
			t.Errorf("%s: got seen, want never seen", id)
		}
	}
}

// Grants are asked only about what rests on them, and the one that is consumed is
// the one that has decided.
func TestGrants(t *testing.T) {
	const both = "grants:\n  - {id: old, capability: note:write, resource: note/*, untilStep: 1}\n" +
		"  - {id: new, capability: note:write, resource: note/*}\n  - {id: logs, capability: log:write, resource: log/*, calls: 1}\n"
	passed := []string{"check grant.tenant passed", "check grant.expiry passed", "check grant.condition passed"}
	for _, c := range []struct {
		name, text    string
		seen, missing []string
	}{
		{"the first holds", both + task + says(save), append(passed, "rule a/world old", "rule a/world logs"), []string{"rule a/world new", "check grant.expiry refused"}},
		{"the first has ended", both + task + says("{type: read, path: a.txt}", save), append(passed, "rule a/world new"), []string{"rule a/world old"}},
		{
			"one is used up", both + task + says(save, "{type: save, id: n2, text: hi}"),
			[]string{"check grant.calls refused", "code GRANT_USED_UP", "tool a/world save refused"}, nil,
		},
		{"rules allow it all", "rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n" + both + task + says(save),
			[]string{"rule a/world rules[0]", "rule a/world rules[1]", "check declared.allowed passed"}, append(passed, "rule a/world old", "rule a/world logs")},
		{"the second need rests on one", "rules: [{effect: allow, capability: note:write, resource: note/*}]\n" + both + task + says(save),
			append(passed, "rule a/world rules[0]", "rule a/world logs"), []string{"rule a/world old"}},
		{"a tool of the repository", "grants: [{id: one, capability: repo:read, resource: secret.txt}]\n" + task + says("{type: read, path: secret.txt}"),
			append(passed, "rule a/world one", "check read.allowed passed"), []string{"check read.allowed refused"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectPoints(t, collected(t, world+c.text), c.seen, c.missing) })
	}
}

// A search asks the rules about each file that holds the text, and no record names
// what they said.
func TestRulesAskedWhileATool(t *testing.T) {
	const rules = "rules: [{effect: deny, capability: repo:read, resource: b.txt}, {effect: deny, capability: repo:read, resource: secret.txt}, {effect: deny, capability: repo:read, resource: c.txt}]\n" +
		"changes: [{afterStep: 1, files: {c.txt: delta}}]\n"
	all := strings.ReplaceAll(task, "[a.txt, b.txt]", `["**", b.txt]`)
	for _, c := range []struct {
		name, query   string
		seen, missing []string
	}{
		{"in every file", "alpha", []string{"rule a/world task.read[0]", "rule a/world rules[0]", "rule a/world rules[1]"}, nil},
		{"in one file", "beta", []string{"rule a/world rules[0]"}, []string{"rule a/world rules[1]"}},
		{"in a file that came later", "delta", []string{"rule a/world rules[2]"}, []string{"rule a/world rules[0]", "rule a/world rules[1]"}},
		{"in none", "gamma", []string{"rule a/world task.read[0]"}, []string{"rule a/world rules[0]", "rule a/world rules[1]", "rule a/world rules[2]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectPoints(t, collected(t, world+rules+all+says("{type: read, path: a.txt}", "{type: search, query: "+c.query+"}")), c.seen, c.missing)
		})
	}
}

// A question is asked by one check, and an approval is measured by the others, only
// where there is one.
func TestConfirmations(t *testing.T) {
	const rules = "rules: [{effect: confirm, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n"
	measured := []string{"check confirm.known passed", "check confirm.run passed", "check confirm.asked passed", "check confirm.declined passed"}
	for _, c := range []struct {
		name, human   string
		seen, missing []string
	}{
		{"nobody answers", "", []string{"check confirm.asked refused", "check confirm.looked passed", "code USER_CONFIRMATION_REQUIRED", "transition running -> waiting_confirmation"},
			append(measured, "tool a/world save called", "tool a/world save refused")},
		{"approved", "human: [{says: approve, by: bob}]\n", append(measured, "tool a/world save called", "transition waiting_confirmation -> running"), []string{"check confirm.run refused"}},
		{"declined", "human: [{says: decline, by: bob}]\n",
			[]string{"check confirm.declined refused", "check confirm.run passed", "tool a/world save refused", "code CONFIRMATION_DECLINED"}, []string{"check confirm.asked passed"}},
		{"for another run", "human: [{says: approve, by: bob, run: other}]\n",
			[]string{"check confirm.run refused", "check confirm.known passed", "code CONFIRMATION_OTHER_RUN"}, []string{"check confirm.tenant passed", "check confirm.asked passed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectPoints(t, collected(t, world+rules+c.human+task+says(save)), c.seen, c.missing)
		})
	}
}

// What a rule is called depends on who has it, and a rule that never decides says
// how near it came.
func TestRuleNames(t *testing.T) {
	const read = "model: {script: [{type: read, path: a.txt}, {type: finish, summary: done}]}\n"
	const few = "rules: [{effect: deny, capability: repo:read, resource: secret.txt}, {effect: allow, capability: repo:read, resource: b.txt}]\n"
	many := "rules:\n" + strings.Repeat("  - {effect: deny, capability: repo:read, resource: secret.txt}\n", 40)
	for _, c := range []struct {
		name, text string
		near       map[string]string
	}{
		{
			"of the file", few + task + read + "cases:\n  - id: one\n  - id: two\n", map[string]string{
				"rule a/world task.read[0]": "", "rule a/world rules[0]": "tried, and never matched",
			},
		},
		{
			"of the file, behind its cases", "cases:\n  - id: one\n  - id: two\n" + few + task + read, map[string]string{
				"rule a/world task.read[0]": "", "rule a/world rules[0]": "tried, and never matched",
			},
		},
		{
			"of the file, for one case alone", few + task + read + "cases:\n  - id: one\n  - id: two\n    rules: []\n", map[string]string{
				"rule a/world task.read[0]": "", "rule a/world rules[0]": "tried, and never matched",
			},
		},
		{
			"of a case", task + read + "cases:\n  - id: one\n  - id: two\n    task: {read: ['*.txt', a.txt]}\n" +
				"    rules: [{effect: deny, capability: repo:read, resource: a.txt}]\n", map[string]string{
				"rule a/world task.read[0]": "", "rule a/world/two task.read[0]": "matched, and did not decide", "rule a/world/two rules[0]": "",
			},
		},
		{
			"of one scenario", "grants: [{id: odd name, capability: note:write, resource: x}, {capability: note:write, resource: y}]\n" + task + read, map[string]string{
				`rule a/world "odd\x20name"`: "never tried", "rule a/world grants[1]": "never tried",
			},
		},
		{
			"behind a capability that is denied", "rules: [{effect: allow, capability: log:write, resource: log/*}]\n" + task + says(save), map[string]string{
				"rule a/world rules[0]": "never tried",
			},
		},
		{
			"of a further capability", "rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log}]\n" +
				"grants: [{id: logs, capability: log:write, resource: log}]\n" + task + says(save), map[string]string{
				"rule a/world rules[0]": "", "rule a/world rules[1]": "tried, and never matched", "rule a/world logs": "tried, and never matched",
			},
		},
		{
			"behind a grant that covers nothing", "grants: [{id: other, capability: note:write, resource: x}]\n" +
				"rules: [{effect: allow, capability: log:write, resource: log/*}]\n" + task + says(save), map[string]string{
				"rule a/world other": "tried, and never matched", "rule a/world rules[0]": "never tried",
			},
		},
		{
			"of a capability that waits", "rules: [{effect: confirm, capability: note:write, resource: note/*}]\n" +
				"grants: [{id: all, capability: log:write, resource: '*/*'}, {id: none, capability: log:write, resource: log}]\n" + task + says(save), map[string]string{
				"rule a/world rules[0]": "", "rule a/world all": "matched, and did not decide", "rule a/world none": "tried, and never matched",
			},
		},
		{
			"more than a decision lists", many + task + read, map[string]string{
				"rule a/world rules[20]": "tried, and never matched", "rule a/world rules[39]": "not among the rules that decisions list",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := collected(t, world+c.text)
			for id, want := range c.near {
				if p := r.find(t, id); p.Near != want || p.Missing() != (want != "") || !strings.HasPrefix(p.Where, "w.yaml:") {
					t.Errorf("%s: got %+v, want near %q", id, p, want)
				}
			}
		})
	}
}

// A call that is refused before the rules are asked has asked none.
func TestRefusedBeforeTheRules(t *testing.T) {
	file := strings.Replace(world, "    lookup: true\n", "    permission: notes\n", 1) +
		"rules: [{effect: allow, capability: note:write, resource: note/*}, {effect: allow, capability: log:write, resource: log/*}]\n" + task + says(save)
	expectPoints(t, collected(t, file), []string{"check declared.permission refused", "tool a/world save refused"},
		[]string{"rule a/world rules[0]", "rule a/world rules[1]", "check declared.allowed passed"})
}

// brittle is a tool with a check that breaks.
type brittle struct{ tools.Tool }

func (b brittle) Checks() []tools.Check {
	return append([]tools.Check{{ID: "read.brittle", Gate: diag.Semantic, Code: repotools.BadCursor, Decide: func(*tools.Call, *tools.View) *tools.Fault {
		panic("broken")
	}}}, b.Tool.Checks()...)
}

// A check that could not answer has neither refused nor passed.
func TestBrokenCheck(t *testing.T) {
	s := parse(t, "w.yaml", strings.ReplaceAll(world, "save", "store")+task+says("{type: read, path: a.txt}"))[0]
	read, _ := s.Config.Machine.Registry.Lookup("read", "")
	registry, err := tools.New(brittle{read})
	if err != nil {
		t.Fatal(err)
	}
	boundary := *s.Config.Machine
	boundary.Registry, boundary.Table = registry, policy.NewTable(registry, boundary.Finish)
	s.Config.Machine = &boundary
	c := New(scenarios.RunCodes())
	c.Add(s, runner.Run(s.Config))
	expectPoints(t, c.Report(), []string{"code CHECK_FAILED", "check schema.arguments passed", "tool read refused"},
		[]string{"check read.brittle refused", "check read.brittle passed", "check read.path passed"})
}

// Two rules of one name each say their place.
func TestRulesOfOneName(t *testing.T) {
	r := collected(t, world+"rules: [{effect: allow, capability: repo:read, resource: b.txt}]\ngrants: [{id: 'rules[0]', capability: note:write, resource: x}]\n"+task+says())
	var names []string
	for _, p := range r.Points {
		if strings.HasPrefix(p.ID, "rule a/world rules[0] ") {
			names = append(names, p.ID)
		}
	}
	if len(names) != 2 || names[0] == names[1] {
		t.Errorf("got %q, want two names with places", names)
	}
}

// Each scenario is told what it alone shows; a further result of one adds to it.
func TestContributions(t *testing.T) {
	const cases = "model: {script: [{type: read, path: a.txt}, {type: finish, summary: done}]}\ncases:\n  - id: one\n" +
		"  - id: two\n    model: {script: [{type: read, path: secret.txt}, {type: finish, summary: done}]}\n"
	list := parse(t, "w.yaml", world+task+cases)
	c := New(scenarios.RunCodes())
	results := make([]*runner.Result, len(list))
	for i, s := range list {
		results[i] = runner.Run(s.Config)
		c.Add(s, results[i])
	}
	r := c.Report()
	for i, want := range []string{"tool read called", "tool read refused"} {
		if got := r.Scenarios[i]; !slices.Contains(got.Unique, want) || got.Seen <= len(got.Unique) {
			t.Errorf("%s: got %+v, want %s alone", got.ID, got, want)
		}
	}
	c.Add(list[0], results[1])
	again := c.Report()
	if len(again.Scenarios) != 2 || slices.Contains(again.Scenarios[1].Unique, "tool read refused") || again.Scenarios[0].Seen <= r.Scenarios[0].Seen {
		t.Errorf("got %+v, want the first to show what the second does", again.Scenarios)
	}
}

// A scenario that was not run counts and shows nothing.
func TestNotRun(t *testing.T) {
	c := New(nil)
	c.Add(parse(t, "w.yaml", world+task+says())[0], nil)
	r := c.Report()
	if r.All.Seen != 0 || r.All.Missing() != len(r.Points) || r.All.Percent() != 0 || r.All.Total < 100 {
		t.Errorf("got %+v", r.All)
	}
	if r := New(nil).Report(); r.All.Total != 15 || r.All.Reaches(1) {
		t.Errorf("no scenario: got %+v, want the 15 transitions, never seen", r.All)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		count  Count
		want   float64
		most   float64 // that is reached
		beyond float64 // that is not
	}{
		{Count{}, 100, 100, 0},
		{Count{Total: 3, Excused: 3}, 100, 100, 0},
		{Count{Total: 3, Seen: 1}, 33.3, 33.3, 33.4},
		{Count{Total: 3, Seen: 2, Excused: 1}, 100, 100, 0},
		{Count{Total: 10_000, Seen: 9_999}, 99.9, 99.99, 99.995},
		{Count{Total: 200, Seen: 1}, 0.5, 0.5, 0.6},
	} {
		if got := c.count.Percent(); got != c.want {
			t.Errorf("%+v: got %v, want %v", c.count, got, c.want)
		}
		if !c.count.Reaches(c.most) || c.beyond > 0 && c.count.Reaches(c.beyond) {
			t.Errorf("%+v: want %v reached and %v not", c.count, c.most, c.beyond)
		}
		if (c.count.Percent() == 100) != (c.count.Missing() == 0) {
			t.Errorf("%+v: 100 percent has to say that nothing is missing", c.count)
		}
	}
}

// sums asserts what every report has to be.
func sums(t testing.TB, r *Report) {
	t.Helper()
	var all Count
	seen := map[string]bool{}
	shown := map[string]bool{}
	for _, p := range r.Points {
		if seen[p.ID] {
			t.Errorf("%s stands there twice", p.ID)
		}
		seen[p.ID] = true
		if p.Seen > 0 {
			shown[p.ID] = true
		}
		if p.Seen > 0 && (p.Near != "" || p.Excuse != "") || !strings.HasPrefix(p.ID, string(p.Kind)+" ") {
			t.Errorf("%+v contradicts itself", p)
		}
		if strings.Contains(p.ID, "  ") || strings.ContainsAny(p.ID, "\t\n") {
			t.Errorf("%q cannot be excused", p.ID)
		}
	}
	for _, k := range r.Kinds {
		all.Total, all.Seen, all.Excused = all.Total+k.Total, all.Seen+k.Seen, all.Excused+k.Excused
	}
	if all != r.All || all.Total != len(r.Points) || all.Seen != len(shown) || len(r.Missing()) != r.All.Missing() {
		t.Errorf("the kinds are %+v in all, the report says %+v, with %d points and %d missing", all, r.All, len(r.Points), len(r.Missing()))
	}
	once := map[string]bool{}
	for _, s := range r.Scenarios {
		for _, id := range s.Unique {
			if p := r.find(t, id); p.Seen != 1 || once[id] {
				t.Errorf("%s is said to be shown by %s alone, and by %d", id, s.ID, p.Seen)
			}
			once[id] = true
		}
		if s.Seen < len(s.Unique) || s.Seen > len(shown) {
			t.Errorf("%s shows %d points, %d of them alone, and all show %d", s.ID, s.Seen, len(s.Unique), len(shown))
		}
	}
	for _, p := range r.Points {
		if (p.Seen == 1) != once[p.ID] {
			t.Errorf("%s is seen %d times, and shown alone is %v", p.ID, p.Seen, once[p.ID])
		}
	}
}

func text(r *Report) string {
	var b strings.Builder
	for _, p := range r.Points {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	return b.String()
}
