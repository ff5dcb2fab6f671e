package suite

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

func strictString(s string) strictjson.Value { return strictjson.OfString(s) }

// arguments draws a small object whose members often are the same.
func arguments() *rapid.Generator[strictjson.Value] {
	scalar := rapid.SampledFrom([]strictjson.Value{strictjson.OfInt(1), strictjson.OfString("1"), strictjson.OfNull()})
	object := func(of *rapid.Generator[strictjson.Value]) *rapid.Generator[strictjson.Value] {
		return rapid.Custom(func(t *rapid.T) strictjson.Value {
			var members []strictjson.Member
			for _, name := range rapid.Permutation([]string{"a", "b"}).Draw(t, "names") {
				if rapid.Bool().Draw(t, "has "+name) {
					members = append(members, strictjson.Member{Name: name, Value: of.Draw(t, name)})
				}
			}
			return strictjson.OfObject(members...)
		})
	}
	list := rapid.Custom(func(t *rapid.T) strictjson.Value {
		return strictjson.OfArray(rapid.SliceOfN(scalar, 0, 2).Draw(t, "items")...)
	})
	return object(rapid.OneOf(scalar, list, object(scalar)))
}

var places = diag.Pos{Line: 1, Col: 1}

func given(text string) scenarios.Text { return scenarios.Text{Value: text, Pos: places} }

// items draws a list of calls that are expected.
func items(t *rapid.T) []scenarios.ExpectCall {
	list := make([]scenarios.ExpectCall, rapid.IntRange(0, 5).Draw(t, "items"))
	for i := range list {
		x := &list[i]
		x.Tool = given(rapid.SampledFrom([]string{"t", "t", "u"}).Draw(t, "tool"))
		if rapid.Bool().Draw(t, "has args") {
			x.Args.Pos, x.Args.Value = places, arguments().Draw(t, "args")
			x.Match = given(rapid.SampledFrom([]string{"exact", "subset", "fields", "ignore"}).Draw(t, "match"))
		}
		if rapid.IntRange(0, 4).Draw(t, "has outcome") == 0 {
			x.Outcome = given("failed")
		}
	}
	return list
}

// made draws the calls of a run.
func made(t *rapid.T) []call {
	list := make([]call, rapid.IntRange(0, 5).Draw(t, "calls"))
	for i := range list {
		list[i] = call{
			step: i + 1, tool: rapid.SampledFrom([]string{"t", "t", "u"}).Draw(t, "tool"), args: arguments().Draw(t, "args"),
			outcome: rapid.SampledFrom([]event.Outcome{event.CallSucceeded, event.CallFailed}).Draw(t, "outcome"),
		}
	}
	return list
}

// anyOf is a value as encoding/json reads it.
func anyOf(v strictjson.Value) any {
	var decoded any
	_ = json.Unmarshal(strictjson.AppendCanonical(nil, v), &decoded)
	return decoded
}

// contains reports whether got has all that want has, a list whole.
func contains(want, got any) bool {
	w, isObject := want.(map[string]any)
	g, both := got.(map[string]any)
	if !isObject || !both {
		return reflect.DeepEqual(want, got)
	}
	for name := range w {
		if v, ok := g[name]; !ok || !contains(w[name], v) {
			return false
		}
	}
	return true
}

// fitsPlainly is fits, written another way.
func fitsPlainly(want *scenarios.ExpectCall, got *call) bool {
	if want.Tool.Value != got.tool || want.Outcome.Set() && want.Outcome.Value != got.outcome.String() {
		return false
	}
	w, g := anyOf(want.Args.Value), anyOf(got.args)
	switch want.Way() {
	case "exact":
		return reflect.DeepEqual(w, g)
	case "subset":
		return contains(w, g)
	case "fields":
		names, others := w.(map[string]any), g.(map[string]any)
		for name := range names {
			if _, ok := others[name]; !ok {
				return false
			}
		}
		return len(names) == len(others)
	default:
		return true
	}
}

// bruteForce tries every way to give each of n one of m of its own.
func bruteForce(n, m int, fit func(i, k int) bool) bool {
	taken := make([]bool, m)
	var from func(i int) bool
	from = func(i int) bool {
		if i == n {
			return true
		}
		for k := range m {
			if !taken[k] && fit(i, k) {
				taken[k] = true
				if from(i + 1) {
					return true
				}
				taken[k] = false
			}
		}
		return false
	}
	return from(0)
}

// inOrder tries every way to find the items in the calls, in their order.
func inOrder(want []scenarios.ExpectCall, got []call) bool {
	switch {
	case len(want) == 0:
		return true
	case len(got) == 0:
		return false
	case fitsPlainly(&want[0], &got[0]) && inOrder(want[1:], got[1:]):
		return true
	}
	return inOrder(want, got[1:])
}

// TestTracesAgreeWithBruteForce: a list is met exactly if some way to pair calls and
// items meets it, and one finding says where it is not.
func TestTracesAgreeWithBruteForce(t *testing.T) {
	registry, err := tools.New()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		want, got := items(t), made(t)
		exactly := len(want) == len(got)
		for i := range min(len(want), len(got)) {
			exactly = exactly && fitsPlainly(&want[i], &got[i])
		}
		for _, way := range []struct {
			name string
			ask  func(*trajectory)
			want bool
		}{
			{"exact", (*trajectory).exact, exactly},
			{"ordered", (*trajectory).ordered, inOrder(want, got)},
			{"superset", (*trajectory).superset, bruteForce(len(want), len(got), func(i, k int) bool { return fitsPlainly(&want[i], &got[k]) })},
			{"subset", (*trajectory).subset, bruteForce(len(got), len(want), func(k, i int) bool { return fitsPlainly(&want[i], &got[k]) })},
		} {
			j := &judge{
				scenario: &scenarios.Scenario{File: "s.yaml"}, expect: &scenarios.Expect{},
				result: &runner.Result{Config: &runner.Config{Machine: &machine.Config{Registry: registry}}, Standing: &policy.Standing{}},
			}
			way.ask(&trajectory{judge: j, want: want, got: got})
			if met := len(j.findings) == 0; met != way.want {
				t.Fatalf("%s: met is %t, want %t: %+v", way.name, met, way.want, j.findings)
			}
			if len(j.findings) > 1 {
				t.Fatalf("%s: got %+v, want one finding", way.name, j.findings)
			}
			for _, f := range j.findings {
				if f.Clause == "" || f.Where == "" || f.Want == "" || f.Got == "" || f.Want == f.Got {
					t.Fatalf("%s: the finding does not tell the difference: %+v", way.name, f)
				}
			}
		}
	})
}

// TestAssignmentIsSound: partners fit, are each other's, and are as many as can be.
func TestAssignmentIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rights := rapid.IntRange(0, 6).Draw(t, "rights")
		fitting := make([][]int, rapid.IntRange(0, 6).Draw(t, "lefts"))
		fit := func(i, k int) bool {
			for _, f := range fitting[i] {
				if f == k {
					return true
				}
			}
			return false
		}
		for i := range fitting {
			for k := range rights {
				if rapid.Bool().Draw(t, "fits") {
					fitting[i] = append(fitting[i], k)
				}
			}
		}
		a := assign(fitting, rights)
		for i, k := range a.right {
			if k >= 0 && (a.left[k] != i || !fit(i, k)) {
				t.Fatalf("%d has %d, which has %d", i, k, a.left[k])
			}
		}
		// The first that is left over is the first whose turn cannot be met.
		first := a.firstLeft()
		for n := range len(fitting) + 1 {
			if met := bruteForce(n, rights, fit); met != (first < 0 || n <= first) {
				t.Fatalf("the first %d can be met: %t, and the first left over is %d", n, met, first)
			}
		}
	})
}
