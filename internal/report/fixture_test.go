package report

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
	"harness/internal/vrepo"
)

// world is a scenario in the tests' own short form.
type world struct {
	id, title, goal string
	files           map[string]string
	read, edit      []string
	deny            []string // never read
	script          []string // JSON, or exact bytes
	steps           int
	context         int
	observe         bool
	rejections      int
	changes         []runner.Change
	findings        []Finding
	verdict         Verdict
	outside         []*fixture.Tool
	arrange         func(*runner.Config) // what else the run is given
}

// noSteps is a budget of no steps.
const noSteps = -1

// showOne is the command below a table.
const showOne = "harness run FILE#ID -v"

// secret stands in files that no world grants.
const secret = "canary-6f1d"

// run runs a world.
func (w world) run(t testing.TB) *Case {
	t.Helper()
	entries := []vrepo.Entry{{Path: ".env", Content: "TOKEN=" + secret + "\n"}}
	for file, content := range w.files {
		entries = append(entries, vrepo.Entry{Path: file, Content: content})
	}
	snapshot, faults := vrepo.New(entries)
	if faults != nil {
		t.Fatal(faults)
	}
	cfg := &runner.Config{
		ID: w.id, Title: w.title, Machine: w.machine(t), Snapshot: snapshot,
		Script: model.NewScript(w.items(t)), Changes: w.changes,
	}
	if w.arrange != nil {
		w.arrange(cfg)
	}
	verdict := w.verdict
	if verdict == "" {
		verdict = Pass
	}
	return &Case{
		Scenario: &scenarios.Scenario{
			ID: w.id, Title: w.title, Goal: w.goal, File: w.id + ".yaml", Pos: diag.Pos{Line: 3, Col: 1},
			Read: w.read, Edit: w.edit, Config: cfg, Expect: &scenarios.Expect{},
			Teaches: "What this scenario shows, in a sentence that is long enough to be wrapped on a page of eighty columns.",
		},
		Result: runner.Run(cfg), Verdict: verdict, Findings: w.findings,
	}
}

func (w world) machine(t testing.TB) *machine.Config {
	t.Helper()
	limits := tools.DefaultLimits()
	all := repotools.All(limits)
	for _, tool := range w.outside {
		all = append(all, tool)
	}
	registry, err := tools.New(all...)
	if err != nil {
		t.Fatal(err)
	}
	finish := tools.NewFinish(limits)
	budgets := policy.DefaultBudgets()
	budgets.Steps = max(w.steps, 0)
	if w.context > 0 {
		budgets.ContextChars = w.context
	}
	if w.rejections > 0 {
		budgets.Rejections = w.rejections
	}
	on := machine.StopRun
	if w.observe {
		on = machine.Observe
	}
	rules := policy.NewRules(w.rules()...)
	return &machine.Config{
		Registry: registry, Finish: finish, Table: policy.NewTable(registry, finish),
		Rules: rules, Budgets: budgets, Limits: limits, OnRejection: on, EditShownOnly: true,
		Prompt:      prompt.New(w.goal, rules, nil, registry),
		ActionTypes: append(registry.Names(), tools.FinishName), Goal: w.goal,
	}
}

func (w world) rules() []policy.Rule {
	var rules []policy.Rule
	add := func(id, where, capability, pattern string) {
		rules = append(rules, policy.Rule{ID: id, Where: where, Effect: "allow", Capability: capability, Pattern: pattern})
	}
	for i, pattern := range w.read {
		id, where := "task.read["+number(i)+"]", path.Base(w.id)+".yaml:20:"+number(10+10*i)
		add(id, where, repotools.CapRead, pattern)
		add(id, where, repotools.CapSearch, pattern)
	}
	for i, pattern := range w.edit {
		add("task.edit["+number(i)+"]", path.Base(w.id)+".yaml:21:"+number(10+10*i), repotools.CapPropose, pattern)
	}
	for i, pattern := range w.deny {
		rules = append(rules, policy.Rule{
			ID: "rules[" + number(i) + "]", Where: w.id + ".yaml:25:7", Effect: "deny", Capability: repotools.CapRead, Pattern: pattern,
		})
	}
	return rules
}

func (w world) items(t testing.TB) []model.Item {
	t.Helper()
	items := make([]model.Item, len(w.script))
	for i, text := range w.script {
		items[i] = model.Item{Where: w.id + ".yaml:" + number(30+i) + ":7", Repeat: 1}
		if v, err := strictjson.Parse([]byte(text)); err == nil {
			items[i].Value = v
		} else {
			items[i].Raw = []byte(text)
		}
	}
	return items
}

// look is a stream into a buffer.
func look(b *bytes.Buffer, width int, ascii bool) *term.Stream {
	return term.NewStream(b, term.Options{Color: term.Never, ASCII: ascii, Width: width})
}

// runText is WriteRun's text.
func runText(t testing.TB, c *Case, width int, ascii bool, d Detail) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteRun(look(&b, width, ascii), c, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const readSum = `{"type":"read","path":"src/sum.ts"}`

// proposeSum replaces before by after in src/sum.ts, on the base read last.
func proposeSum(before, after string) string {
	v := strictjson.OfObject(
		strictjson.Member{Name: "type", Value: strictjson.OfString("propose_edit")},
		strictjson.Member{Name: "path", Value: strictjson.OfString("src/sum.ts")},
		strictjson.Member{Name: "baseHash", Value: strictjson.OfString(`${read["src/sum.ts"].baseHash}`)},
		strictjson.Member{Name: "before", Value: strictjson.OfString(before)},
		strictjson.Member{Name: "after", Value: strictjson.OfString(after)},
	)
	return string(strictjson.AppendCanonical(nil, v))
}

const finishSum = `{"type":"finish","summary":"sum now adds; please review the one-line edit."}`

// sum is the first demo.
func sum() world {
	return world{
		id: "workflow/sum", title: "Repair sum: search, read, propose, finish",
		goal: "Make sum return the sum of its arguments.",
		files: map[string]string{
			"README.md":  "sum(a, b) returns the sum of its two arguments.\n",
			"src/sum.ts": "export const sum = (a: number, b: number) => a - b;\n",
		},
		read: []string{"README.md", "src/sum.ts"}, edit: []string{"src/sum.ts"}, steps: 6, context: 4000,
		script: []string{`{"type":"search","query":"sum"}`, readSum, proposeSum("a - b", "a + b"), finishSum},
	}
}

// with is the first demo with another script, under another name.
func (w world) with(id string, script ...string) world {
	w.id, w.title, w.script = "boundaries/"+id, strings.ReplaceAll(id, "-", " "), script
	return w
}

// on is the world with another text in src/sum.ts.
func (w world) on(text string) world {
	w.files = map[string]string{"src/sum.ts": text}
	return w
}
