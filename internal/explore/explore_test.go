package explore_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"harness/internal/event"
	"harness/internal/explore"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
)

const sumFile = "../../scenarios/workflow/sum.yaml"

func load(t testing.TB, name string) ([]byte, []*scenarios.Scenario) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data, parse(t, string(data))
}

func parse(t testing.TB, text string) []*scenarios.Scenario {
	t.Helper()
	list, found := scenarios.Parse("s.yaml", []byte(text))
	if found.Failed() {
		t.Fatalf("%v\n%s", found, text)
	}
	return list
}

// caseOf is one case of a shipped file.
func caseOf(t testing.TB, file, id string) ([]byte, *scenarios.Scenario) {
	t.Helper()
	data, list := load(t, "../../scenarios/"+file)
	i := slices.IndexFunc(list, func(s *scenarios.Scenario) bool { return s.Case == id })
	if i < 0 {
		t.Fatalf("%s has no case %s", file, id)
	}
	return data, list[i]
}

// The sum world holds to depth 4, all of it, and beyond depth 6 there is nothing: its
// steps are used up.
func TestSumWorldHolds(t *testing.T) {
	_, list := load(t, sumFile)
	r := explore.Run(list[0], explore.Options{})
	if len(r.Violations) > 0 || !r.Complete() || r.Depth() != explore.DefaultDepth {
		t.Errorf("got %v, %q, depth %d; want all of depth 4 and no violation", r.Violations, r.Truncated, r.Depth())
	}
	if r.Open == 0 || r.States != r.Ended+live(r) {
		t.Errorf("got %d states, %d ended, %d live, %d open", r.States, r.Ended, live(r), r.Open)
	}
	whole := explore.Run(list[0], explore.Options{Depth: 9})
	if len(whole.Violations) > 0 || !whole.Complete() || whole.Open != 0 || whole.Depth() != 6 {
		t.Errorf("got %v, %q, %d open, depth %d; want an end of everything at depth 6", whole.Violations, whole.Truncated, whole.Open, whole.Depth())
	}
}

// live is how many states the model is asked in.
func live(r *explore.Result) int {
	n := 0
	for _, l := range r.Levels {
		n += l.Live
	}
	return n
}

// What is merged is the same: gone on from again, known states lead to nothing new.
func TestMergedStatesAreTheSame(t *testing.T) {
	observe := strings.Replace(someTask, "budget: {steps: 6}", "budget: {steps: 5, repeats: 2, window: 12, rejections: 2}\n  onRejection: observe", 1)
	_, small := worldOf(t, observe, twoFiles+"changes: [{afterStep: 1, files: {a.txt: three}}]\n", edit)
	_, narrow := worldOf(t, strings.Replace(observe, "window: 12", "window: 2", 1), twoFiles, edit)
	_, asking := worldOf(t, notesTask, noteTool("    confirmation: per-run\n    actionKey: args.key\n    cost: 3\n"+strings.Replace(writes, "takes: 1s", "takes: 0s", 1))+
		"grants: [{id: g, capability: note:write, resource: \"note/**\", calls: 4}]\n", notes)
	_, late := caseOf(t, "policy/one-ticket.yaml", "two-attempts-under-way")
	_, handoff := caseOf(t, "policy/handoff.yaml", firstCase(t, "policy/handoff.yaml"))
	for _, c := range []struct {
		name  string
		s     *scenarios.Scenario
		depth int
		keep  []string
	}{
		{"observe", small, 3, []string{"read \"a.txt\"", "read \"b.txt\"", "search", "propose_edit \"a.txt\", its hash: ", "propose_edit \"a.txt\", its hash before", "finish", "say no JSON"}},
		{"narrow window", narrow, 4, []string{"read \"a.txt\"", "read \"b.txt\"", "search \"three\"", "say no JSON"}},
		{"persons", asking, 3, []string{"say {\"key\":\"n2\"", "finish, citing the last", "read \"a.txt\"", "search"}},
		{"late answers", late, 4, []string{"say {\"service\":\"checkout", "cancel", "say no JSON"}},
		{"handoff", handoff, 3, []string{"say {", "finish", "search"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := explore.AlphabetOf(c.s).Keep(func(s explore.Symbol) bool {
				return slices.ContainsFunc(c.keep, func(begin string) bool { return strings.HasPrefix(s.Name, begin) })
			})
			o := explore.Options{Depth: c.depth, Alphabet: a, Answers: explore.DefaultAnswers()[:2]}
			merged, apart := explore.Run(c.s, o), explore.Run(c.s, explore.Apart(o))
			if merged.States != apart.States || merged.Ended != apart.Ended || merged.Open != apart.Open || !slices.Equal(merged.Levels, apart.Levels) {
				t.Errorf("%d symbols: got %d states, %d ended, %d open, %v; gone on from every one %d, %d, %d, %v", len(a.Symbols),
					merged.States, merged.Ended, merged.Open, merged.Levels, apart.States, apart.Ended, apart.Open, apart.Levels)
			}
			if merged.Transitions >= apart.Transitions {
				t.Errorf("nothing is merged: %d transitions, and %d", merged.Transitions, apart.Transitions)
			}
		})
	}
}

func firstCase(t *testing.T, file string) string {
	_, list := load(t, "../../scenarios/"+file)
	return list[0].Case
}

// No shipped scenario's world breaks what must be true of any run.
func TestShippedWorldsHold(t *testing.T) {
	for _, file := range []string{"boundaries/edits.yaml", "policy/confirmations.yaml", "policy/recovery.yaml", "edit-tools/encodings.yaml"} {
		_, list := load(t, "../../scenarios/"+file)
		for i, s := range list {
			if i%4 != 0 {
				continue
			}
			if r := explore.Run(s, explore.Options{Depth: 2, MaxStates: 3000}); len(r.Violations) > 0 {
				t.Errorf("%s: %v", s.ID, r.Violations[0])
			}
		}
	}
}

func TestBounds(t *testing.T) {
	_, list := load(t, sumFile)
	var told []explore.Progress
	r := explore.Run(list[0], explore.Options{MaxStates: 50, Progress: func(p explore.Progress) { told = append(told, p) }})
	if r.Complete() || r.States != 50 || len(told) == 0 || told[len(told)-1].States > 50 {
		t.Errorf("got %d states, complete %t, told %v; want 50 and no more", r.States, r.Complete(), told)
	}
	asked := 0
	r = explore.Run(list[0], explore.Options{Depth: 6, Stop: func() bool { asked++; return true }})
	if r.Complete() || asked != 1 {
		t.Errorf("stopped: complete %t, asked %d times", r.Complete(), asked)
	}
	none := explore.AlphabetOf(list[0]).Keep(func(explore.Symbol) bool { return false })
	if r := explore.Run(list[0], explore.Options{Alphabet: none}); !r.Complete() || r.States != 1 || r.Transitions != 0 || r.Depth() != 0 {
		t.Errorf("nothing to say: got %d states, %d transitions, depth %d", r.States, r.Transitions, r.Depth())
	}
}

// Every search of a world comes to the same, to the letter.
func TestRunIsDeterministic(t *testing.T) {
	data, s := caseOf(t, "policy/one-ticket.yaml", "answer-lost")
	table, _ := s.Config.Machine.Table.Without("schema.arguments")
	run := func() string {
		r := explore.Run(s, explore.Options{Depth: 2, Table: table})
		var b strings.Builder
		for _, v := range r.Violations {
			text, err := v.Scenario(&explore.Origin{Data: data, Case: s.Case})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
		for _, symbol := range r.Alphabet.Symbols {
			b.WriteString(symbol.Name + "\n")
		}
		return b.String()
	}
	if a, b := run(), run(); a != b || a == "" {
		t.Errorf("two searches differ:\n%s\n%s", a, b)
	}
}

// A violation of a case is written as a file of its own.
func TestViolationOfACase(t *testing.T) {
	data, s := caseOf(t, "policy/one-ticket.yaml", "answer-lost")
	table, _ := s.Config.Machine.Table.Without("schema.arguments")
	r := explore.Run(s, explore.Options{Depth: 2, Table: table, First: true})
	if len(r.Violations) != 1 || r.Violations[0].ID != "arguments" || r.Violations[0].Faultless {
		t.Fatalf("got %v", r.Violations)
	}
	runsAgain(t, string(data), s, "schema.arguments", r.Violations[0])
}

// What is true only while things go wrong is found in the world in which nothing does.
func TestWorldWithoutFaults(t *testing.T) {
	text, s := worldOf(t, notesTask, noteTool(writes)+noteRule+"faults: [{tool: note, kind: unavailable}]\n", notes)
	i, fault := explore.Compile(s.Config, "nothing new", "size(world.notes) == 1")
	if fault != nil {
		t.Fatal(fault)
	}
	r := explore.Run(s, explore.Options{Depth: 2, Invariants: []*explore.Invariant{i}})
	if len(r.Violations) != 1 || !r.Violations[0].Faultless || len(r.Violations[0].Steps) != 1 || r.Levels[0].States != 2 {
		t.Fatalf("got %v, starts %d; want one violation after one step, and two starts", r.Violations, r.Levels[0].States)
	}
	written, err := r.Violations[0].Scenario(&explore.Origin{Data: []byte(text), Case: s.Case})
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, string(written))[0]
	end := runner.Run(again.Config)
	if values := runner.EndValues(end); len(again.Config.World.Faults) != 0 || holds(t, i, values) {
		t.Errorf("it is not violated again by\n%s", written)
	}
}

func holds(t *testing.T, i *explore.Invariant, values []strictjson.Value) bool {
	t.Helper()
	v, err := i.Program.Eval(values...)
	if err != nil {
		t.Fatal(err)
	}
	return v.Bool()
}

// An order to stop stands in the file where it came: after a step, or at a time.
func TestViolationWithAnOrder(t *testing.T) {
	data, s := load(t, sumFile)
	says := explore.Step{Symbol: "say", Output: []byte(`{"query":"sum","type":"search"}`)}
	late := says
	late.Stopped = 1500 * time.Millisecond
	for _, c := range []struct {
		steps []explore.Step
		after int
		at    time.Duration
	}{{[]explore.Step{says, {Symbol: "cancel the run"}}, 1, 0}, {[]explore.Step{says, late}, 0, late.Stopped}} {
		v := &explore.Violation{Broken: explore.Broken{ID: "x", Words: "y"}, Steps: c.steps}
		text, err := v.Scenario(&explore.Origin{Data: data, Case: s[0].Case})
		if err != nil {
			t.Fatal(err)
		}
		cfg := parse(t, string(text))[0].Config
		for _, change := range slices.Concat(cfg.Changes, cfg.Timed) {
			if change.AfterStep != c.after || change.At != c.at || change.Order.Kind != event.CancelRun {
				t.Errorf("got %+v, want an order after step %d, or at %s", change, c.after, c.at)
			}
		}
		if len(cfg.Changes)+len(cfg.Timed) != 1 {
			t.Errorf("got %d orders, want one", len(cfg.Changes)+len(cfg.Timed))
		}
	}
}

// A program that breaks does not take the search down.
func TestCrashIsAViolation(t *testing.T) {
	_, list := load(t, sumFile)
	r := explore.Run(list[0], explore.Options{Depth: 1, Table: &policy.Table{}}) // a table that was never made
	if !slices.ContainsFunc(r.Violations, func(v *explore.Violation) bool { return v.ID == "crashing" && len(v.Steps) == 1 }) {
		t.Errorf("got %v, want crashing among them", r.Violations)
	}
}

// The alphabet holds what the issue asks for, each symbol once.
func TestAlphabet(t *testing.T) {
	_, list := load(t, sumFile)
	var names []string
	for _, s := range explore.AlphabetOf(list[0]).Symbols {
		if slices.Contains(names, s.Name) {
			t.Errorf("%s stands there twice", s.Name)
		}
		names = append(names, s.Name)
	}
	for _, want := range []string{
		`search "sum"`, `search "synthetic"`, `read ".env"`, `read "no/such/file"`, `read "../src/sum.ts"`, "finish", "finish, citing the last answer", "cancel the run",
		`propose_edit "src/sum.ts", its hash: "a + b" for "a - b"`, `propose_edit "src/sum.ts", the hash of "README.md": "a + b" for "a - b"`,
		`propose_edit "src/sum.ts", a hash that never was: "x" for "number"`, `propose_edit ".env", its hash: "" for "a - b"`,
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not there", want)
		}
	}
	_, changing := worldOf(t, someTask, twoFiles+"changes: [{afterStep: 1, files: {a.txt: three more}}]\n", edit)
	_, declared := caseOf(t, "policy/one-ticket.yaml", "answer-lost")
	for _, c := range []struct {
		s    *scenarios.Scenario
		want string
	}{
		{changing, `propose_edit "a.txt", its hash before it changed: "3" for "three"`},
		{declared, `say {"service":"search","title":"p99 is 2.4 s","type":"create_ticket"}`},
	} {
		if !slices.ContainsFunc(explore.AlphabetOf(c.s).Symbols, func(s explore.Symbol) bool { return s.Name == c.want }) {
			t.Errorf("%s is not there", c.want)
		}
	}
}

func BenchmarkExploreSum(b *testing.B) {
	_, list := load(b, sumFile)
	transitions := 0
	b.ReportAllocs()
	for b.Loop() {
		r := explore.Run(list[0], explore.Options{Depth: 4})
		if len(r.Violations) > 0 || !r.Complete() {
			b.Fatal(r.Violations, r.Truncated)
		}
		transitions += r.Transitions
	}
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
}
