package machine_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
)

// say feeds one output and goes on to where the model is asked again, or to the end.
func say(cfg *machine.Config, m *machine.Machine, raw string) []event.Event {
	from := len(m.Events())
	_, effect := m.Step(machine.Input{Kind: machine.ModelOutput, Raw: []byte(raw)})
	if effect.Kind == machine.CallTool {
		_, effect = m.Step(machine.Input{Kind: machine.ToolResult, Outcome: cfg.Table.Perform(effect.Command)})
	}
	if effect.Kind == machine.Yield {
		m.Step(machine.Input{Kind: machine.Proceed})
	}
	return m.Events()[from:]
}

// asked is a run at its first question to the model.
func asked(t interface{ Fatalf(string, ...any) }, cfg *machine.Config) *machine.Machine {
	m := machine.New(cfg)
	m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot(t, versions[0])})
	m.Step(machine.Input{Kind: machine.Proceed})
	return m
}

// gist is what events say, without their numbers and the ids made from these.
func gist(events []event.Event) string {
	var b strings.Builder
	for i := range events {
		e := &events[i]
		fmt.Fprintf(&b, "%s %s %s %s %s %s %v>%v\n", e.Name, e.Tool, e.Resource, e.Code, e.Outcome, e.Digest(), e.From, e.To)
	}
	return b.String()
}

// A clone goes its own way: it records what its original would, and neither sees what
// happens to the other.
func TestCloneGoesItsOwnWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budgets := policy.DefaultBudgets()
		budgets.Steps, budgets.Repeats = 8, 2
		cfg := config(t, budgets, machine.Observe)
		m := asked(t, cfg)
		for range rapid.IntRange(0, 5).Draw(t, "before") {
			if m.State().Phase == machine.Asking {
				say(cfg, m, string(act(t, m)))
			}
		}
		saved, key := m.Save(), string(m.AppendKey(nil))
		scratch := machine.New(cfg)
		scratch.Load(saved)
		for _, other := range []*machine.Machine{m.Clone(), scratch} {
			if got := string(other.AppendKey(nil)); got != key {
				t.Fatalf("a clone has another key")
			}
			if len(other.Events()) != 0 || other.Next().Kind != m.Next().Kind || other.Next().Step != m.Next().Step {
				t.Fatalf("a clone has %d events and waits for %+v; want none, and %+v", len(other.Events()), other.Next(), m.Next())
			}
		}
		if m.State().Phase != machine.Asking {
			return
		}
		raw, earlier := string(act(t, m)), len(m.Events())
		say(cfg, scratch, `{"type":"read","path":"README.md"}`) // another way first
		clone := m.Clone()
		got, want := gist(say(cfg, clone, raw)), gist(say(cfg, m, raw))
		scratch.Load(saved)
		again := gist(say(cfg, scratch, raw))
		if got != want || again != want {
			t.Fatalf("%s: the original says\n%s\nits clone\n%s\nand what was loaded\n%s", raw, want, got, again)
		}
		if seq := clone.Events()[0].Seq; int(seq) != earlier+1 {
			t.Fatalf("the first event of a clone has number %d, want %d", seq, earlier+1)
		}
		if a, b := string(clone.AppendKey(nil)), string(m.AppendKey(nil)); a != b {
			t.Fatalf("%s: a clone comes to another key", raw)
		}
		untouched := machine.New(cfg)
		untouched.Load(saved)
		if string(untouched.AppendKey(nil)) != key || !reflect.DeepEqual(saved.State().Observations, untouched.State().Observations) {
			t.Fatal("what was saved has changed")
		}
	})
}

func TestNoCloneOfWhatIsUnderWay(t *testing.T) {
	cfg := config(t, policy.Budgets{Steps: 3, ToolCalls: 3, Repeats: 3, Window: 9, ContextChars: 16000, Deadline: machine.Forever}, machine.StopRun)
	m := asked(t, cfg)
	m.Step(machine.Input{Kind: machine.ModelOutput, Raw: []byte(`{"type":"read","path":"README.md"}`)})
	if m.Clone() != nil || m.Save() != nil || m.Rests() {
		t.Error("a run with a call under way was cloned; the call belongs to one machine")
	}
}

// Runs of equal keys are alike for ever: what one records for an action the other
// does, and both come to equal keys again. Asked of every pair of runs of up to three
// actions.
func TestEqualKeysDecideAlike(t *testing.T) {
	words := []string{
		`{"type":"read","path":"README.md"}`, `{"type":"read","path":"src/sum.ts"}`, `{"type":"read","path":"src/sum.ts","startLine":1}`,
		`{"type":"read","path":".env"}`, `{"type":"search","query":"sum"}`, `{"type":"shell"}`, `no json`,
		`{"type":"propose_edit","path":"src/sum.ts","baseHash":"` + snapshotHash(t) + `","before":"a - b","after":"a + b"}`,
		`{"type":"finish","summary":"s","citations":["o2"]}`,
	}
	for _, c := range []struct {
		name                            string
		steps, repeats, window, context int
	}{
		{"wide window", 6, 3, 12, 16000}, {"narrow window", 9, 2, 3, 16000}, {"few steps left", 4, 3, 12, 16000}, {"little context", 6, 3, 12, 2900},
	} {
		t.Run(c.name, func(t *testing.T) {
			budgets := policy.DefaultBudgets()
			budgets.Steps, budgets.Repeats, budgets.Window, budgets.ContextChars, budgets.Rejections = c.steps, c.repeats, c.window, c.context, 2
			cfg := config(t, budgets, machine.Observe)
			first := map[string]*machine.Saved{}
			level, merged := []*machine.Saved{asked(t, cfg).Save()}, 0
			for range 3 {
				var next []*machine.Saved
				for _, s := range level {
					for _, w := range words {
						m := machine.New(cfg)
						m.Load(s)
						say(cfg, m, w)
						key := string(m.AppendKey(nil))
						one := first[key]
						if one == nil {
							first[key] = m.Save()
						} else {
							merged++
							alike(t, cfg, one, m.Save(), words)
						}
						if m.State().Phase == machine.Asking {
							next = append(next, m.Save())
						}
					}
				}
				level = next
			}
			if merged == 0 {
				t.Error("no two runs have equal keys")
			}
		})
	}
}

// alike fails the test unless two runs answer every word alike.
func alike(t *testing.T, cfg *machine.Config, one, other *machine.Saved, words []string) {
	t.Helper()
	if one.State().Status != other.State().Status || one.State().Reason != other.State().Reason {
		t.Fatalf("equal keys, but one is %s by %s, the other %s by %s", one.State().Status, one.State().Reason, other.State().Status, other.State().Reason)
	}
	if one.State().Phase != machine.Asking {
		return
	}
	for _, w := range words {
		a, b := machine.New(cfg), machine.New(cfg)
		a.Load(one)
		b.Load(other)
		if x, y := gist(say(cfg, a, w)), gist(say(cfg, b, w)); x != y {
			t.Fatalf("equal keys, but %s gives\n%s\nand\n%s", w, x, y)
		}
		if string(a.AppendKey(nil)) != string(b.AppendKey(nil)) {
			t.Fatalf("equal keys, but not after %s", w)
		}
	}
}

func snapshotHash(t *testing.T) string {
	f, ok := snapshot(t, versions[0]).File("src/sum.ts")
	if !ok {
		t.Fatal("no src/sum.ts")
	}
	return f.Hash()
}

// What can matter is in the key.
func TestKeysDiffer(t *testing.T) {
	budgets := policy.DefaultBudgets()
	budgets.Steps = 8
	cfg := config(t, budgets, machine.Observe)
	run := func(words ...string) string {
		m := asked(t, cfg)
		for _, w := range words {
			say(cfg, m, w)
		}
		return string(m.AppendKey(nil))
	}
	read, readme := `{"type":"read","path":"src/sum.ts"}`, `{"type":"read","path":"README.md"}`
	edit := `{"type":"propose_edit","path":"src/sum.ts","baseHash":"` + snapshotHash(t) + `","before":"a - b","after":"%s"}`
	a, b := fmt.Sprintf(edit, "a + b"), fmt.Sprintf(edit, "b")
	if run(read, readme) != run(readme, read) {
		t.Error("what was read in another order has another key")
	}
	for _, c := range []struct {
		what string
		x, y []string
	}{
		{"what was read", []string{read}, []string{readme}},
		{"how many steps were taken", []string{read}, []string{read, read}},
		{"which edit was accepted", []string{read, a}, []string{read, b}},
		{"which observation may be cited", []string{read, "x"}, []string{"x", read}},
		{"whether the run is over", []string{read}, []string{read, `{"type":"finish","summary":"s"}`}},
	} {
		if run(c.x...) == run(c.y...) {
			t.Errorf("%s is not in the key", c.what)
		}
	}
}

// BenchmarkSaveLoadKey is what a state costs to keep, to take up again and to name.
func BenchmarkSaveLoadKey(b *testing.B) {
	budgets := policy.DefaultBudgets()
	budgets.Steps = 6
	cfg := config(b, budgets, machine.StopRun)
	m := asked(b, cfg)
	say(cfg, m, `{"type":"search","query":"sum"}`)
	say(cfg, m, `{"type":"read","path":"src/sum.ts"}`)
	key := m.AppendKey(nil)
	saved, scratch := m.Save(), machine.New(cfg)
	b.ReportAllocs()
	for b.Loop() {
		scratch.Load(saved)
		key = scratch.AppendKey(key[:0])
		if scratch.Save() == nil {
			b.Fatal("it does not rest")
		}
	}
}
