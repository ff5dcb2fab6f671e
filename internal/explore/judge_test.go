package explore

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// looked is a step of the sum world, and what a test has changed in it.
type looked struct {
	cfg    *runner.Config
	walk   *runner.Walk
	was    *machine.State
	watch  watch
	events []event.Event
	raw    string
	judge  *judge
}

// read is the step that reads a file, as it was.
func read(t *testing.T, raw string) *looked {
	t.Helper()
	data, err := os.ReadFile("../../scenarios/workflow/sum.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list, found := scenarios.Parse("sum.yaml", data)
	if found.Failed() {
		t.Fatal(found)
	}
	return stepOf(t, list[0].Config, raw)
}

func stepOf(t *testing.T, cfg *runner.Config, raw string) *looked {
	t.Helper()
	l := &looked{cfg: cfg, raw: raw, walk: runner.NewWalk(cfg, nil, func(int) int { return 0 })}
	l.walk.Start(cfg.World)
	l.was = l.walk.Point().State()
	from := len(l.walk.Events())
	l.walk.Say([]byte(raw))
	l.events = slices.Clone(l.walk.Events()[from:])
	return l
}

// at is the first event of a name.
func (l *looked) at(t *testing.T, name event.Name) int {
	t.Helper()
	i := slices.IndexFunc(l.events, func(e event.Event) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return i
}

func (l *looked) judged() Broken {
	if l.judge == nil {
		l.judge = newJudge(l.cfg, worldOf(l.cfg), nil)
	}
	_, broken := l.judge.step(l.walk, &l.watch, l.was, l.events, []byte(l.raw))
	return broken
}

// tell changes what the model was told.
func (l *looked) tell(t *testing.T, old, text string) {
	t.Helper()
	o := *l.events[l.at(t, event.ObservationRecorded)].Observation()
	if !bytes.Contains(o.JSON, []byte(old)) {
		t.Fatalf("%s is not in %s", old, o.JSON)
	}
	o.JSON = bytes.Replace(o.JSON, []byte(old), []byte(text), 1)
	l.events[l.at(t, event.ObservationRecorded)].About = &o
}

// What no weakened check can bring about is brought about here: the record of a step
// that is right is changed, and then something is wrong with it.
func TestOraclesSee(t *testing.T) {
	const readme, finish = `{"path":"README.md","type":"read"}`, `{"summary":"done","type":"finish"}`
	for _, c := range []struct {
		name, raw, want string
		change          func(*testing.T, *looked)
	}{
		{"nothing", readme, "", func(*testing.T, *looked) {}},
		{"nothing of a finish", finish, "", func(*testing.T, *looked) {}},
		{"no decision", readme, decision, func(t *testing.T, l *looked) {
			i := l.at(t, event.ProposalDecided)
			l.events = slices.Delete(l.events, i, i+1)
		}},
		{"a decision that denies", readme, decision, func(t *testing.T, l *looked) {
			p := *l.events[l.at(t, event.ProposalDecided)].Proposal()
			p.Decision.Effect = event.Deny
			l.events[l.at(t, event.ProposalDecided)].About, l.events[l.at(t, event.ToolStarted)].About = &p, &p
		}},
		{"a read without a call", readme, decision, func(t *testing.T, l *looked) {
			i := l.at(t, event.ToolStarted)
			l.events = slices.Delete(l.events, i, i+1)
		}},
		{"a secret", readme, hidden, func(t *testing.T, l *looked) { l.tell(t, "sum(a, b)", "TOKEN=synthetic-not-a-secret") }},
		{"other content", readme, reading, func(t *testing.T, l *looked) { l.tell(t, "sum(a, b)", "sum(b, a)") }},
		{"another hash", readme, reading, func(t *testing.T, l *looked) { l.tell(t, `"baseHash":"`, `"baseHash":"0`) }},
		{"a hit elsewhere", `{"query":"sum","type":"search"}`, rights, func(t *testing.T, l *looked) { l.tell(t, "README.md", ".env") }},
		{"a hit that is none", `{"query":"sum","type":"search"}`, reading, func(t *testing.T, l *looked) { l.tell(t, "export", "import") }},
		{"a call too many", readme, budget, func(_ *testing.T, l *looked) { l.watch.toolCalls = l.cfg.Machine.Budgets.ToolCalls }},
		{"a refusal too many", `no JSON`, budget, func(_ *testing.T, l *looked) { l.watch.rejections = l.cfg.Machine.Budgets.Rejections + 1 }},
		{"said before", readme, loop, func(t *testing.T, l *looked) {
			l.judge = newJudge(l.cfg, worldOf(l.cfg), nil)
			told := l.events[l.at(t, event.ObservationRecorded)].Observation().JSON
			same := pair{l.judge.numbers.of([]byte(l.raw)), l.judge.numbers.of(told)}
			l.watch.pairs = []pair{same, same}
		}},
		{"another repository", readme, repository, func(t *testing.T, l *looked) {
			s, faults := vrepo.New([]vrepo.Entry{{Path: "README.md", Content: "other"}})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			l.walk.Feed(machine.Input{Kind: machine.FilesChanged, Change: &event.Change{Snapshot: s}})
		}},
		{"an end without a reason", finish, ending, func(t *testing.T, l *looked) { l.events[l.at(t, event.RunStopped)].Code = nil }},
		{"an end of nothing", finish, ending, func(t *testing.T, l *looked) {
			i := l.at(t, event.FinalValidated)
			l.events = slices.Delete(l.events, i, i+1)
		}},
		{"another way", finish, ending, func(t *testing.T, l *looked) { l.events[l.at(t, event.StateTransitioned)].From = event.Paused }},
		{"more after the end", finish, ending, func(t *testing.T, l *looked) {
			l.events = append(l.events, event.Event{Name: event.StepEnded})
		}},
		{"something refused", readme, ending, func(_ *testing.T, l *looked) {
			l.events = append(l.events, event.Event{Name: event.InputRefused, Code: machine.UnexpectedInput})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := read(t, c.raw)
			c.change(t, l)
			if got := l.judged(); got.ID != c.want {
				t.Errorf("got %q, want %s", got, c.want)
			}
		})
	}
}

// What happens twice, or though nobody has asked for it, is seen in the world.
func TestEffectsAreCounted(t *testing.T) {
	data, err := os.ReadFile("../../scenarios/policy/completion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list, found := scenarios.Parse("completion.yaml", data)
	if found.Failed() {
		t.Fatal(found)
	}
	for _, c := range []struct {
		name, want string
		act        func(string) string // of a further effect, "" for none
	}{
		{"once", "", func(string) string { return "" }},
		{"twice", effects, func(act string) string { return act }},
		{"nobody asked", effects, func(string) string { return "another" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := stepOf(t, list[0].Config, `{"name":"retries","type":"set_setting","value":3}`)
			started := &l.events[l.at(t, event.ToolStarted)]
			d, ok := started.About.(*event.Dispatch)
			if !ok {
				t.Fatal("there is no dispatch")
			}
			if act := c.act(d.Act); act != "" {
				tool, _ := l.cfg.Machine.Registry.Lookup(started.Tool, "")
				call := &tools.Call{Tool: tool, Args: d.Action.Args, Principal: l.cfg.Machine.Identity.Principal, Act: act, Attempt: 1, World: l.walk.World()}
				tool.Bind(call)
				tool.Execute(call, nil).Plan.Happens()
			}
			if got := l.judged(); got.ID != c.want {
				t.Errorf("got %q, want %s", got, c.want)
			}
		})
	}
}

// An end that is none is seen.
func TestEndsAreFinal(t *testing.T) {
	l := read(t, `{"summary":"done","type":"finish"}`)
	j := newJudge(l.cfg, worldOf(l.cfg), nil)
	if got := j.end(l.walk); got.ID != "" {
		t.Errorf("got %q, want nothing wrong", got)
	}
	if events := l.walk.Feed(machine.Input{Kind: machine.Tick}); len(events) != 1 || events[0].Name != event.InputRefused {
		t.Errorf("got %v, want a refusal", events)
	}
}

func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		text, part string
		want       int
	}{{"aaa", "aa", 2}, {"abc", "b", 1}, {"abc", "d", 0}, {"", "a", 0}, {"ab", "", 3}, {"aXbX", "X", 2}} {
		if got := occurrences(c.text, c.part); got != c.want {
			t.Errorf("%q in %q: got %d, want %d", c.part, c.text, got, c.want)
		}
	}
}

func TestOdometer(t *testing.T) {
	var o odometer
	var got [][]int
	tree := func() []int { // the second choice depends on the first
		first := o.choose(3)
		if first == 1 {
			return []int{first, o.choose(2)}
		}
		return []int{first}
	}
	o.begin()
	for first := true; first || o.next(); first = false {
		way := tree()
		got = append(got, way)
		packed := o.choices()
		again := odometer{}
		again.again(packed)
		o2 := o
		o = again
		if same := tree(); !slices.Equal(same, way) {
			t.Errorf("chosen again: got %v, want %v", same, way)
		}
		o = o2
	}
	want := [][]int{{0}, {1, 0}, {1, 1}, {2}}
	if !slices.EqualFunc(got, want, slices.Equal) || o.cut {
		t.Errorf("got %v, want %v", got, want)
	}
	o.begin()
	for range mostChoices + 1 {
		o.choose(2)
	}
	if !o.cut {
		t.Error("a choice that was not gone through is not noted")
	}
}
