package expression

import (
	"slices"
	"strings"
	"testing"

	"harness/internal/strictjson"
)

func TestSourceLimits(t *testing.T) {
	const tooLong, tooDeep = "the expression is longer than 2000 characters", "the expression is nested more than 50 deep"
	for _, c := range []struct {
		name, source string
		offset       int
		fault        string
	}{
		{"longest", `"` + strings.Repeat("é", maxSource-2) + `"`, 0, ""},
		{"longer", `"` + strings.Repeat("é", maxSource-1) + `"`, maxSource, tooLong},
		{"parentheses", strings.Repeat("(", 49) + "1" + strings.Repeat(")", 49), 0, ""},
		{"more parentheses", strings.Repeat("(", 50) + "1" + strings.Repeat(")", 50), 50, tooDeep},
		{"lists", strings.Repeat("[", 900), 50, tooDeep},
		{"maps", strings.Repeat(`{"a":`, 300), 246, tooDeep},
		{"calls", strings.Repeat("size(", 300), 250, tooDeep},
		{"indexes", strings.Repeat("a[", 900), 100, tooDeep},
		{"signs", strings.Repeat("!", 1900) + "true", 49, tooDeep},
		{"branches", strings.Repeat("true?1:", 200) + "1", 350, tooDeep},
		{"a long chain", strings.Repeat("1+", 999) + "1", 0, ""},
		{"a long path", "a" + strings.Repeat("[0]", 600), 0, ""},
	} {
		_, fault := Compile(c.source, []Variable{{Name: "a"}}, nil)
		switch {
		case fault == nil && c.fault != "":
			t.Errorf("%s: compiled, want %q", c.name, c.fault)
		case fault != nil && (fault.Message != c.fault || fault.Offset != c.offset):
			t.Errorf("%s: got %d %q, want %d %q", c.name, fault.Offset, fault.Message, c.offset, c.fault)
		}
	}
}

// numbers is the list 0, 1, … of a size.
func numbers(size int) strictjson.Value {
	items := make([]strictjson.Value, size)
	for i := range items {
		items[i] = strictjson.OfInt(int64(i))
	}
	return strictjson.OfArray(items...)
}

func TestEvalLimits(t *testing.T) {
	const (
		work     = "too much work: more than 100000 steps"
		result   = "the result is too large: more than 100000 parts, 1048576 bytes of text or 64 levels"
		longText = "the string made by + is longer than 1048576 bytes"
		longList = "the list made by + has more than 100000 elements"
	)
	half := strictjson.OfString(strings.Repeat("a", maxText/2))
	doubled := strings.Repeat(".map(x, [x, x])", 20)
	deeper := strings.Repeat(".map(x, [x])", 20)
	for _, c := range []struct {
		name, source string
		a            strictjson.Value
		want         string
	}{
		{"a loop", `a.all(x, x >= 0)`, numbers(20_000), ""},
		{"a long loop", `a.all(x, x >= 0)`, numbers(50_000), work},
		{"loops in loops", `a.all(x, a.all(y, x + y >= 0))`, numbers(1000), work},
		{"a loop whose errors do not count", `a.exists(x, x.y) || true`, numbers(100_000), work},
		{"a limit behind what decides", `true || a.all(x, x >= 0)`, numbers(50_000), ""},
		{"a limit before what decides", `a.all(x, x >= 0) || true`, numbers(50_000), work},
		{"a limit after an error", `1 / 0 == 1 || a.all(x, x >= 0) || true`, numbers(50_000), work},
		{"a limit in one element", `[a, []].exists(x, x == [] || x.all(y, y >= 0))`, numbers(50_000), work},
		{"comparing", `a == a + []`, numbers(60_000), ""},
		{"comparing more", `[a] == [a] && [a, a] == [a, a]`, numbers(60_000), work},
		{"looking for", `-1 in a`, numbers(100_001), work},
		{"searching text", `[1,2,3,4,5].all(x, !a.contains("b"))`, half, ""},
		{"searching much text", `[1,2,3,4,5,6,7,8,9].all(x, [1,2,3,4,5,6,7].all(y, !a.contains("b")))`, half, work},
		{"a text", `a + a == ""`, half, ""},
		{"a long text", `a + a + "b" == ""`, half, longText},
		{"a long text before what decides", `a + a + "b" == "" || true`, half, longText},
		{"a list", `size(a + a) == 1`, numbers(50_000), ""},
		{"a long list", `size(a + a + [1]) == 1 || true`, numbers(50_000), longList},
		{"a large result", `[a].map(x, x)`, numbers(99_000), ""},
		{"a larger result", `[a, a]`, numbers(50_000), result},
		{"a result of much text", `[a, a, a]`, half, result},
		{"a result that doubles", `a` + doubled, numbers(1), result},
		{"a deep result", `a` + deeper + deeper + deeper, numbers(1), ""},
		{"a deeper result", `a` + deeper + deeper + deeper + deeper, numbers(1), result},
		{"a large value as it is", `a`, numbers(200_000), ""},
	} {
		p := compiled(t, c.source, []Variable{{Name: "a"}}, nil)
		_, err := p.Eval(c.a)
		if got := textOf(err); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A value may be deeper than any that strictjson reads.
func TestDeepValues(t *testing.T) {
	deep := strictjson.OfNull()
	for range 1_000_000 {
		deep = strictjson.OfArray(deep)
	}
	_, err := compiled(t, `a == [a][0]`, []Variable{{Name: "a"}}, nil).Eval(deep)
	if want := "too much work: more than 100000 steps"; textOf(err) != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// The order of members does not make comparing two large objects costly.
func TestLargeObjectsAreCompared(t *testing.T) {
	var forwards []strictjson.Member
	for i := range 10_000 {
		name := strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune(0x4e00+i))
		forwards = append(forwards, strictjson.Member{Name: name, Value: strictjson.OfInt(int64(i))})
	}
	backwards := slices.Clone(forwards)
	slices.Reverse(backwards)
	p := compiled(t, `a == b`, []Variable{{Name: "a"}, {Name: "b"}}, nil)
	got, err := p.Eval(strictjson.OfObject(forwards...), strictjson.OfObject(backwards...))
	if err != nil || !got.Bool() {
		t.Errorf("got %v (%v), want true", got.Bool(), err)
	}
}
