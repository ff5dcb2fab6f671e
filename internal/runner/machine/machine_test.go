package machine_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/repotools"
	"harness/internal/vrepo"
)

// canary stands in the one file that no rule grants.
const canary = "synthetic-not-a-secret"

// hidden is a file that a glob allows and a rule denies.
const hidden = "src/hidden.ts"

var versions = []string{
	"export const sum = (a: number, b: number) => a - b;\n",
	"export const sum = 0;\n",
	"// " + strings.Repeat("x", 3000) + "\na - b\n",
}

func entries(sum string) []vrepo.Entry {
	return []vrepo.Entry{
		{Path: ".env", Content: "TOKEN=" + canary + "\n"},
		{Path: "README.md", Content: "sum returns the sum\n\x01\"\\ \U0001F680\n"},
		{Path: "latin1.txt", Content: "caf\xe9\n"},
		{Path: hidden, Content: canary + " TOKEN sum\n"},
		{Path: "src/sum.ts", Content: sum},
	}
}

func snapshot(t interface{ Fatalf(string, ...any) }, sum string) *vrepo.Snapshot {
	s, faults := vrepo.New(entries(sum))
	if len(faults) > 0 {
		t.Fatalf("snapshot: %v", faults)
	}
	return s
}

func config(t interface{ Fatalf(string, ...any) }, budgets policy.Budgets, on machine.OnRejection) *machine.Config {
	limits := tools.DefaultLimits()
	registry, err := tools.New(repotools.All(limits)...)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var rules []policy.Rule
	for _, path := range []string{"README.md", "latin1.txt", "src/*"} {
		for _, capability := range []string{repotools.CapSearch, repotools.CapRead} {
			rules = append(rules, policy.Rule{ID: "read", Effect: event.Allow, Capability: capability, Pattern: path})
		}
	}
	// A rule that names a file tells nobody but the record that there is one.
	for _, capability := range []string{repotools.CapSearch, repotools.CapRead} {
		rules = append(rules, policy.Rule{ID: "deny", Effect: event.Deny, Capability: capability, Pattern: hidden})
	}
	rules = append(rules, policy.Rule{ID: "edit", Effect: event.Allow, Capability: repotools.CapPropose, Pattern: "src/sum.ts"})
	set := policy.NewRules(rules...)
	finish := tools.NewFinish(limits)
	return &machine.Config{
		Registry: registry, Finish: finish, Table: policy.NewTable(registry, finish), Rules: set,
		Budgets: budgets, Limits: limits, OnRejection: on, EditShownOnly: true,
		Prompt: prompt.New("goal with \"quotes\" and \u6c42", set, nil, registry), ActionTypes: append(registry.Names(), "finish"),
	}
}

// act draws what a model might say, right, wrong and hostile.
func act(t *rapid.T, m *machine.Machine) []byte {
	path := rapid.SampledFrom([]string{"README.md", "src/sum.ts", ".env", "latin1.txt", "src/none", hidden, "../x", ""}).Draw(t, "path")
	hash := strings.Repeat("0", 64)
	if v, ok := strictjson.Find(m.State().LastRead(path), strictjson.Step{Name: "baseHash"}); ok && rapid.Bool().Draw(t, "right hash") {
		hash = string(v[1 : len(v)-1])
	}
	text := rapid.SampledFrom([]string{"a - b", "a + b", "", "sum", "TOKEN", "x", canary[:5]}).Draw(t, "text")
	return []byte(rapid.SampledFrom([]string{
		fmt.Sprintf(`{"type":"read","path":%q}`, path),
		fmt.Sprintf(`{"type":"read","path":%q,"startLine":2}`, path),
		fmt.Sprintf(`{"type":"search","query":%q}`, text),
		fmt.Sprintf(`{"type":"propose_edit","path":%q,"baseHash":%q,"before":%q,"after":"a + b"}`, path, hash, text),
		`{"type":"finish","summary":"done","citations":["o1"]}`,
		`{"type":"finish","summary":"done"}`,
		`{"type":"call","tool":"read","version":"9","arguments":{}}`,
		`{"type":"shell"}`, `{"type":"read","path":"README.md","path":".env"}`, "", "null", "\xff",
	}).Draw(t, "output"))
}

// drive feeds one random input; it returns false when the run has ended.
func drive(t *rapid.T, cfg *machine.Config, m *machine.Machine, effect *machine.Effect) bool {
	in := machine.Input{}
	switch effect.Kind {
	case machine.Yield:
		in.Kind = machine.Proceed
		if rapid.IntRange(0, 4).Draw(t, "change") == 0 {
			sum := rapid.SampledFrom(versions).Draw(t, "version")
			in = machine.Input{Kind: machine.FilesChanged, Change: &event.Change{Paths: []string{"src/sum.ts"}, Snapshot: snapshot(t, sum)}}
		}
	case machine.AskModel:
		if text := string(effect.View.AppendJSON(nil)); strings.Contains(text, canary) {
			t.Fatalf("the model is shown hidden content: %s", text)
		} else if effect.View.Last == nil && strings.Contains(text, "hidden") {
			t.Fatalf("the model is told of a denied file: %s", text)
		}
		if got, want := effect.View.Size(), utf8.RuneCount(effect.View.AppendJSON(nil)); got != want {
			t.Fatalf("context size: got %d, its encoding has %d code points", got, want)
		}
		in = machine.Input{Kind: machine.ModelOutput, Raw: act(t, m)}
		if rapid.IntRange(0, 30).Draw(t, "fails") == 0 {
			in = machine.Input{Kind: machine.ModelFailed, Failure: &model.Failure{Code: model.Failed}}
		}
	case machine.CallTool:
		in = machine.Input{Kind: machine.ToolResult, Outcome: cfg.Table.Perform(effect.Command)}
	default:
		return false
	}
	stray(t, m)
	_, *effect = m.Step(in)
	return true
}

// answers are the inputs that answer what a run waits for.
func answers(p machine.Phase) []machine.InputKind {
	switch p {
	case machine.Between:
		return []machine.InputKind{machine.Proceed}
	case machine.Asking:
		return []machine.InputKind{machine.ModelOutput, machine.ModelFailed}
	case machine.Calling:
		return []machine.InputKind{machine.ToolResult}
	case machine.Inspecting:
		return []machine.InputKind{machine.Inspected}
	case machine.Looking:
		return []machine.InputKind{machine.LookedUp}
	case machine.Ending, machine.Checking:
		return []machine.InputKind{machine.Evaluated}
	default:
		return nil
	}
}

// stray feeds, now and then, an input that nobody waits for: it is recorded,
// changes nothing, and has nothing done again.
func stray(t *rapid.T, m *machine.Machine) {
	if !rapid.SampledFrom([]bool{false, false, false, false, false, false, false, false, true}).Draw(t, "stray") {
		return
	}
	kind := rapid.SampledFrom([]machine.InputKind{
		0, machine.Start, machine.Proceed, machine.ModelOutput, machine.ModelFailed, machine.ToolResult,
		machine.Inspected, machine.LookedUp, machine.Evaluated,
	}).Draw(t, "stray kind")
	if contains(answers(m.State().Phase), kind) {
		return
	}
	before := *m.State()
	events, again := m.Step(machine.Input{Kind: kind})
	if len(events) != 1 || events[0].Name != event.InputRefused || events[0].Code.Name != "UNEXPECTED_INPUT" {
		t.Fatalf("stray input %d: got %v", kind, events)
	}
	want := machine.Wait
	switch before.Phase {
	case machine.Between:
		want = machine.Yield
	case machine.Over:
		want = machine.Done
	case machine.Paused:
		want = machine.WaitPaused
	}
	if again.Kind != want {
		t.Fatalf("stray input %d: got effect %d, want %d", kind, again.Kind, want)
	}
	if after := m.State(); after.Used != before.Used || after.Status != before.Status || after.Phase != before.Phase {
		t.Fatalf("stray input %d changed the state", kind)
	}
}

func contains(list []machine.InputKind, k machine.InputKind) bool {
	for _, other := range list {
		if other == k {
			return true
		}
	}
	return false
}

// Whatever a model says, in any order: the run ends, with a reason; budgets hold;
// no call without a decision; no content of an ungranted file anywhere.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budgets := policy.Budgets{
			Steps: rapid.IntRange(0, 12).Draw(t, "steps"), ToolCalls: rapid.IntRange(0, 8).Draw(t, "tool calls"),
			Rejections: rapid.IntRange(0, 5).Draw(t, "rejections"), Repeats: rapid.IntRange(2, 3).Draw(t, "repeats"),
			Window: rapid.IntRange(1, 9).Draw(t, "window"), ContextChars: rapid.SampledFrom([]int{0, 3000, 16000}).Draw(t, "context"), Deadline: machine.Forever,
		}
		cfg := config(t, budgets, rapid.SampledFrom([]machine.OnRejection{machine.StopRun, machine.Observe}).Draw(t, "on rejection"))
		m := machine.New(cfg)
		_, effect := m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot(t, versions[0])})
		for n := 0; drive(t, cfg, m, &effect); n++ {
			if n > 400 {
				t.Fatalf("no end after %d inputs", n)
			}
		}
		check(t, m, budgets)
	})
}

// fold compares the state with the fold of its events, made anew.
func fold(t *rapid.T, m *machine.Machine) {
	got, want := machine.Fold(m.Events()), m.State()
	if got.Phase != want.Phase || got.Status != want.Status || got.Reason != want.Reason || got.Used != want.Used ||
		got.Snapshot != want.Snapshot || got.Summary != want.Summary || got.Verified != want.Verified || got.Handoff != want.Handoff ||
		!reflect.DeepEqual(got.Standing, want.Standing) ||
		!reflect.DeepEqual(got.Reads, want.Reads) || !slices.Equal(got.Edits, want.Edits) || !slices.Equal(got.Observations, want.Observations) {
		t.Fatalf("the events fold to %+v, the state is %+v", got, want)
	}
}

func check(t *rapid.T, m *machine.Machine, budgets policy.Budgets) {
	fold(t, m)
	s := m.State()
	if !s.Status.Terminal() || s.Reason == nil {
		t.Fatalf("ended as %s for reason %v", s.Status, s.Reason)
	}
	if s.Used.Steps > budgets.Steps || s.Used.ToolCalls > budgets.ToolCalls || s.Used.Rejections > budgets.Rejections+1 {
		t.Fatalf("used %+v of %+v", s.Used, budgets)
	}
	allowed, calls := 0, 0
	for i, e := range m.Events() {
		if int(e.Seq) != i+1 {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		switch e.Name {
		case event.ProposalDecided:
			d := e.Proposal().Decision
			if (d.Effect == event.Allow) == (d.Refusal != nil) {
				t.Fatalf("decision without its reason: %+v", d)
			}
			if d.Effect == event.Allow {
				allowed++
			}
		case event.ToolStarted:
			calls++
			if calls > allowed {
				t.Fatal("a tool was called without a decision")
			}
		}
		if text := encode(t, &e); strings.Contains(text, canary) {
			t.Fatalf("an event shows ungranted content: %s", text)
		}
	}
	for _, o := range s.Observations {
		if strings.Contains(string(o.JSON), canary) {
			t.Fatalf("an observation shows ungranted content: %s", o.JSON)
		}
		if o.Size > tools.DefaultLimits().Observation || o.Size != utf8.RuneCount(o.JSON) {
			t.Fatalf("observation of %d code points says %d", utf8.RuneCount(o.JSON), o.Size)
		}
		if _, err := strictjson.Parse(o.JSON); err != nil {
			t.Fatalf("observation is no strict JSON: %v", err)
		}
	}
	for _, e := range s.Edits {
		base := e.Base.Text()
		want := base[:e.Offset] + e.After + base[e.Offset+len(e.Before):]
		if got := e.Change().Result(); got != want || base[e.Offset:e.Offset+len(e.Before)] != e.Before {
			t.Fatalf("edit of %s is no splice", e.Path)
		}
	}
	if s.Status == event.NeedsReview != (s.Reason == machine.EditsProposed) || s.Reason.Class != diag.Stop && s.Status != event.Rejected {
		t.Fatalf("%s ended by %s of class %s", s.Status, s.Reason, s.Reason.Class)
	}
}

func encode(t interface{ Fatalf(string, ...any) }, e *event.Event) string {
	line, err := json.Marshal(e.Line())
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return string(line) + "\n"
}

// Equal inputs give equal events.
func TestStepIsDeterministic(t *testing.T) {
	run := func() string {
		cfg := config(t, policy.Budgets{Steps: 9, ToolCalls: 9, Rejections: 9, Repeats: 3, Window: 9, ContextChars: 16000, Deadline: machine.Forever}, machine.Observe)
		m := machine.New(cfg)
		_, effect := m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot(t, versions[0])})
		for _, raw := range []string{`{"type":"read","path":"src/sum.ts"}`, `{"type":"read","path":".env"}`, "{", `{"type":"finish","summary":"s"}`} {
			for effect.Kind == machine.Yield {
				_, effect = m.Step(machine.Input{Kind: machine.Proceed})
			}
			if _, effect = m.Step(machine.Input{Kind: machine.ModelOutput, Raw: []byte(raw)}); effect.Kind == machine.CallTool {
				_, effect = m.Step(machine.Input{Kind: machine.ToolResult, Outcome: cfg.Table.Perform(effect.Command)})
			}
		}
		var b strings.Builder
		for _, e := range m.Events() {
			b.WriteString(encode(t, &e))
		}
		return b.String()
	}
	if a, b := run(), run(); a != b || !strings.Contains(a, "run.stopped") {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

// A tool whose answer its contract does not allow ends the run with a stable code.
func TestToolAnswersOutsideItsContract(t *testing.T) {
	for _, o := range []tools.Outcome{
		{}, {Status: event.CallSucceeded}, {Status: event.CallRejected}, {Status: event.CallFailed}, {Status: event.CallUnknown},
		{Status: event.CallSucceeded, Trust: event.TrustedTool, JSON: []byte(`"no object"`)},
	} {
		cfg := config(t, policy.Budgets{Steps: 9, ToolCalls: 9, Repeats: 3, Window: 9, ContextChars: 16000, Deadline: machine.Forever}, machine.Observe)
		m := machine.New(cfg)
		m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot(t, versions[0])})
		m.Step(machine.Input{Kind: machine.Proceed})
		m.Step(machine.Input{Kind: machine.ModelOutput, Raw: []byte(`{"type":"read","path":"README.md"}`)})
		m.Step(machine.Input{Kind: machine.ToolResult, Outcome: o})
		if s := m.State(); s.Status != event.Failed || s.Reason != machine.ToolFailed {
			t.Errorf("%+v: got %s by %s, want failed by TOOL_FAILED", o, s.Status, s.Reason)
		}
	}
}
