package expression

import (
	"errors"
	"os"
	"strings"
	"testing"

	"harness/internal/strictjson"
)

// world is what the tests' expressions are about.
const world = `{
	"n": 3, "large": 9007199254740991, "half": 0.5, "zero": 0,
	"s": "héllo", "empty": "", "no": null, "yes": true,
	"list": [1, 2, 3], "names": ["b", "a"], "none": [],
	"map": {"b": 2, "a": 1, "é": 3},
	"deep": {"a": {"b": [{"c": 1}, {"d": null}]}},
	"same": {"a": {"b": [{"c": 1.0}, {"d": null}]}},
	"mix": [1, "a", null, {"a": 1}, true]
}`

func parsed(t testing.TB, text string) strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// dynamic declares the members of an object, all of them as dyn.
func dynamic(object strictjson.Value) (variables []Variable, values []strictjson.Value) {
	for _, m := range object.Members() {
		variables = append(variables, Variable{Name: m.Name})
		values = append(values, m.Value)
	}
	return variables, values
}

// compiled is a program that must compile.
func compiled(t testing.TB, source string, variables []Variable, want *Type) *Program {
	t.Helper()
	p, fault := Compile(source, variables, want)
	if fault != nil {
		t.Fatalf("%s: at %d: %s", source, fault.Offset, fault.Message)
	}
	return p
}

// evaluate gives the canonical text of a result over world, or its error.
func evaluate(t testing.TB, source string) (string, *EvalError) {
	t.Helper()
	variables, values := dynamic(parsed(t, world))
	v, err := compiled(t, source, variables, nil).Eval(values...)
	if err != nil {
		var e *EvalError
		if !errors.As(err, &e) {
			t.Fatalf("%s: got the error %T, want *EvalError", source, err)
		}
		return "", e
	}
	return string(strictjson.AppendCanonical(nil, v)), nil
}

func TestEval(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		// literals
		{`null`, `null`},
		{`1.50`, `1.5`},
		{`-2e3`, `-2000`},
		{`"a\"\\\'\n\r\t\u00e9\U0001F600"`, `"a\"\\'\n\r\té😀"`},
		{`'it is "so"'`, `"it is \"so\""`},
		{`[1, "a", [], {},]`, `[1,"a",[],{}]`},
		{`{"b": n, 'a': [s],}`, `{"a":["héllo"],"b":3}`},

		// members and elements
		{`deep.a.b[0].c`, `1`},
		{`deep["a"]["b"][1]`, `{"d":null}`},
		{`map[names[1]]`, `1`},
		{`map["é"]`, `3`},
		{`list[n - 2.0]`, `2`},
		{`has(deep.a) && !has(deep.b)`, `true`},
		{`has(deep.a.b[1].d)`, `true`},

		// operators
		{`1 + 2 * 3 - 4 / 2`, `5`},
		{`7 / 2`, `3.5`},
		{`-7 % 3`, `-1`},
		{`10 - 2 - 3`, `5`},
		{`--n`, `3`},
		{`-(-0.5)`, `0.5`},
		{`half + half`, `1`},
		{`0.1 + 0.2`, `0.30000000000000004`},
		{`large - 1 + 1`, `9007199254740991`},
		{`zero * -1`, `0`},
		{`"a" + s + 'b'`, `"ahéllob"`},
		{`none + names + ["c"]`, `["b","a","c"]`},
		{`deep == same`, `true`},
		{`deep != same`, `false`},
		{`{"a": 1, "b": 2} == {"b": 2, "a": 1}`, `true`},
		{`{"a": 1} == {"b": 1}`, `false`},
		{`n == s`, `false`},
		{`no == null`, `true`},
		{`zero == false`, `false`},
		{`1.0 == 1 && 100 == 1e2`, `true`},
		{`2 < 10 && "2" > "10"`, `true`},
		{`"\uffff" < "\U00010000"`, `true`},
		{`s <= s && s >= "h"`, `true`},
		{`n in [1, 2, 3]`, `true`},
		{`"n" in [1, "m"]`, `false`},
		{`{"a": 1} in mix`, `true`},
		{`"a" in map`, `true`},
		{`n in map`, `false`},
		{`1 < 2 == true`, `true`},
		{`!yes || yes && !yes`, `false`},
		{`n > 2 ? "big" : "small"`, `"big"`},
		{`false ? 1 : false ? 2 : 3`, `3`},
		{`true ? 1 : 1 / 0`, `1`},

		// errors that do not count
		{`true || no.x`, `true`},
		{`no.x || true`, `true`},
		{`false && no.x`, `false`},
		{`no.x && false`, `false`},
		{`n || true`, `true`},
		{`mix.exists(x, x.a == 1)`, `true`},
		{`mix.all(x, x > 1)`, `false`},

		// functions
		{`size(s) + s.size() + size(list) + size(map) + none.size()`, `16`},
		{`s.startsWith("hé") && s.endsWith("lo") && s.contains("ll") && s.contains("")`, `true`},
		{`s.startsWith("é") || s.endsWith("x") || empty.contains("a")`, `false`},
		{`string(1e21) + string(half) + string(yes) + string("!")`, `"1e+210.5true!"`},
		{`list.exists(x, x == 2) && !list.exists(x, x == 4)`, `true`},
		{`none.all(x, no.x) && !none.exists(x, no.x)`, `true`},
		{`list.filter(x, x % 2 == 1)`, `[1,3]`},
		{`list.filter(x, false)`, `[]`},
		{`list.map(x, x * x)`, `[1,4,9]`},
		{`list.map(x, list.filter(y, y < x).map(n, n + x))`, `[[],[3],[4,5]]`},
		{`names.map(names, names + "!")`, `["b!","a!"]`},
		{`map.map(k, map[k])`, `[1,2,3]`},
		{`map.filter(k, k < "c")`, `["a","b"]`},
		{`map.exists(k, k == "é") && map.all(k, size(k) == 1)`, `true`},
		{`list.map(a, list.map(b, list.map(c, list.map(d, list.map(e, a + b + c + d + e)))))[2][2][2][2][2]`, `15`},
	} {
		got, err := evaluate(t, c.source)
		if err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.source, got, err, c.want)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	for _, c := range []struct {
		source  string
		offset  int
		message string
	}{
		{`deep.x`, 5, "no such member: x"},
		{`deep.a["x y"]`, 7, `no such member: "x y"`},
		{`map[s]`, 3, `no such member: "héllo"`},
		{`s.x`, 2, "no such member: x; a string has no members"},
		{`has(no.x)`, 7, "no such member: x; null has no members"},
		{`has(deep.x.y)`, 9, "no such member: x"},
		{`list[3]`, 4, "index 3 is out of range: the list's size is 3"},
		{`list[-1]`, 4, "index -1 is out of range: the list's size is 3"},
		{`list[half]`, 4, "a list is indexed by a whole number, not 0.5"},
		{`list[s]`, 4, "a list cannot be indexed by a string"},
		{`map[n]`, 3, "a map cannot be indexed by a number"},
		{`"é" + n`, 4, "+ cannot be applied to a string and a number"},
		{`n - yes`, 2, "- cannot be applied to a number and a bool"},
		{`-s`, 0, "- cannot be applied to a string"},
		{`n < s`, 2, "< cannot be applied to a number and a string"},
		{`yes < yes`, 4, "< cannot be applied to a bool and a bool"},
		{`n in s`, 2, "in cannot be applied to a number and a string"},
		{`size(n)`, 0, "size cannot be applied to a number"},
		{`string(no)`, 0, "string cannot be applied to null"},
		{`n.contains(s)`, 2, "contains cannot be applied to a number and a string"},
		{`n.exists(x, true)`, 2, "exists cannot be applied to a number"},
		{`1 / zero`, 2, "division by zero"},
		{`1 % zero`, 2, "division by zero"},
		{`n % half`, 2, "% takes whole numbers up to 2^53, not 3 and 0.5"},
		{`large + 1`, 6, "the result of + is too large to be exact"},
		{`large * large`, 6, "the result of * is too large to be exact"},
		{`1e308 / 1e-10`, 6, "the result of / is too large to be exact"},
		{`!n`, 1, "expected true or false, got a number"},
		{`n ? 1 : 2`, 0, "expected true or false, got a number"},
		{`n && yes`, 0, "expected true or false, got a number"},
		{`no.a || no.b`, 3, "no such member: a; null has no members"},
		{`no.a && true && no.b`, 3, "no such member: a; null has no members"},
		{`yes && no.b`, 10, "no such member: b; null has no members"},
		{`mix.exists(x, x.a == 2)`, 16, "no such member: a; a number has no members"},
		{`mix.all(x, x == no || x.a == 1)`, 24, "no such member: a; a number has no members"},
		{`list.filter(x, x)`, 15, "expected true or false, got a number"},
		{`list.map(x, x.y)`, 14, "no such member: y; a number has no members"},
		{`{s: 1, "h" + "éllo": 2}`, 11, `the key "héllo" is given twice`},
		{`{n: 1}`, 1, "the keys of a map are strings, not a number"},
	} {
		got, err := evaluate(t, c.source)
		if err == nil {
			t.Errorf("%s: got %s, want the error %q", c.source, got, c.message)
			continue
		}
		if err.Offset != c.offset || err.Message != c.message {
			t.Errorf("%s: got %d %q, want %d %q", c.source, err.Offset, err.Message, c.offset, c.message)
		}
	}
}

// Another implementation gives the same for each of these.
func TestEvalAgreesWithCEL(t *testing.T) {
	file, err := os.ReadFile("testdata/cel.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var variables []Variable
	var values []strictjson.Value
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if variables == nil {
			variables, values = dynamic(parsed(t, line))
			continue
		}
		source, want, _ := strings.Cut(line, "\t")
		got := "error"
		if v, err := compiled(t, source, variables, nil).Eval(values...); err == nil {
			got = string(strictjson.AppendCanonical(nil, v))
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
	if variables == nil {
		t.Fatal("no values")
	}
}

func TestWholeNumbersBeyondFloatsAreComparedByValue(t *testing.T) {
	variables := []Variable{{Name: "a"}, {Name: "b"}}
	exact, rounded := strictjson.OfInt(1<<53+1), strictjson.OfInt(1<<53)
	largest, _ := strictjson.OfFloat(1 << 63)
	for _, c := range []struct {
		a, b   strictjson.Value
		source string
		want   bool
	}{
		{exact, rounded, `a > b && a != b && a >= b`, true},
		{exact, exact, `a == b && a <= b`, true},
		{strictjson.OfInt(-1<<53 - 1), strictjson.OfInt(-1 << 53), `a < b`, true},
		{strictjson.OfInt(1<<63 - 1), largest, `a < b`, true}, // …807 and …6000
	} {
		got, err := compiled(t, c.source, variables, Of(Bool)).Eval(c.a, c.b)
		if err != nil || got.Bool() != c.want {
			t.Errorf("%s: got %v (%v), want %v", c.source, got.Bool(), err, c.want)
		}
	}
	_, err := compiled(t, `a - 1`, variables, nil).Eval(exact)
	if want := "the number 9007199254740993 cannot be computed with: a 64-bit float does not hold it"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// A value is what it is, whatever was declared.
func TestValuesThatAreNotWhatWasDeclared(t *testing.T) {
	args := &Type{Kind: Object, Fields: []Field{
		{Name: "id", Type: Of(String)}, {Name: "n", Type: Of(Number)}, {Name: "ok", Type: Of(Bool)},
		{Name: "tags", Type: ListOf(Of(String))}, {Name: "note", Type: Of(String), Optional: true},
	}}
	for _, c := range []struct{ source, args, want string }{
		{`args.id + "x"`, `{"id": 1}`, "+ cannot be applied to a number and a string"},
		{`args.id`, `{"id": null}`, "the result is null, and must be string"},
		{`args.id`, `[]`, "no such member: id; a list has no members"},
		{`args.n < 1`, `{"n": "1"}`, "< cannot be applied to a string and a number"},
		{`args.ok`, `{"ok": "true"}`, "the result is a string, and must be bool"},
		{`args.ok && true`, `{"ok": 1}`, "expected true or false, got a number"},
		{`args.tags`, `{"tags": ["a", 1]}`, "the result is a list, and must be list(string)"},
		{`args.tags.exists(t, t.size() == 2)`, `{"tags": {"a": 1}}`, ""},
		{`args.note`, `{"id": "x"}`, "no such member: note"},
		{`args`, `{"id": "x", "n": 1, "ok": true, "tags": []}`, ""},
		{`args`, `{"id": "x", "n": 1, "ok": true}`, "the result is a map, and must be " + args.String()},
		{`args`, `{"id": "x", "n": 1, "ok": true, "tags": [], "more": 1}`, "the result is a map, and must be " + args.String()},
	} {
		p := compiled(t, c.source, []Variable{{Name: "args", Type: args}}, nil)
		p = compiled(t, c.source, []Variable{{Name: "args", Type: args}}, p.Type())
		_, err := p.Eval(parsed(t, c.args))
		if got := textOf(err); got != c.want {
			t.Errorf("%s over %s: got %q, want %q", c.source, c.args, got, c.want)
		}
	}
}

// textOf is an error's text, "" for none.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestWhatIsNotThere(t *testing.T) {
	variables := []Variable{{Name: "a"}, {Name: "b"}}
	hole := strictjson.OfArray(strictjson.Value{})
	for _, c := range []struct {
		source string
		values []strictjson.Value
		want   string
	}{
		{`a == b`, nil, "a is not there"},
		{`a == b`, []strictjson.Value{strictjson.OfNull()}, "b is not there"},
		{`a == b`, []strictjson.Value{{}, strictjson.OfNull()}, "a is not there"},
		{`b == 1 || has(a.b)`, []strictjson.Value{{}, strictjson.OfInt(1)}, ""},
		{`b == 1`, []strictjson.Value{{}, strictjson.OfInt(1), strictjson.OfNull()}, ""},
		{`a[0]`, []strictjson.Value{hole}, "the element is not there"},
		{`a.map(x, x)`, []strictjson.Value{hole}, "x is not there"},
		{`has(a.b)`, []strictjson.Value{strictjson.OfObject(strictjson.Member{Name: "b"})}, ""},
		{`a.b`, []strictjson.Value{strictjson.OfObject(strictjson.Member{Name: "b"})}, "no such member: b"},
	} {
		_, err := compiled(t, c.source, variables, nil).Eval(c.values...)
		if got := textOf(err); got != c.want {
			t.Errorf("%s: got %q, want %q", c.source, got, c.want)
		}
	}
}

func TestEvalNeedsNoMemory(t *testing.T) {
	args := parsed(t, typicalArguments)
	for _, c := range typical {
		p := compiled(t, c.source, []Variable{{Name: "args"}}, nil)
		want := 0.0
		if p.Type().Kind == String { // it makes one
			want = 1
		}
		if got := testing.AllocsPerRun(100, func() { _, _ = p.Eval(args) }); got > want {
			t.Errorf("%s: got %v allocations, want %v", c.source, got, want)
		}
	}
}
