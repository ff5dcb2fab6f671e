package expression

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/strictjson"
)

// written is one expression in two forms: with no more parentheses than needed,
// and with all of them.
type written struct {
	short, full string
	level       int // how strong its outermost operator binds
}

// at gives the short form for a place that takes what binds at least so strong.
func (w written) at(level int) string {
	if w.level < level {
		return "(" + w.short + ")"
	}
	return w.short
}

const (
	choiceLevel  = orLevel - 1
	postfixLevel = unaryLevel + 1
)

func drawExpression(t *rapid.T, depth int) written {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		s := rapid.SampledFrom([]string{
			"n", "s", "no", "yes", "list", "map", "mix", "true", "null", "1", "2.5", `"a"`, "[]", "deep.a", "list[0]",
		}).Draw(t, "value")
		return written{s, s, postfixLevel}
	}
	kid := func() written { return drawExpression(t, depth-1) }
	switch rapid.IntRange(0, 5).Draw(t, "form") {
	case 0:
		sign := rapid.SampledFrom([]string{"!", "-"}).Draw(t, "sign")
		a := kid()
		return written{sign + a.at(postfixLevel), sign + "(" + a.full + ")", unaryLevel}
	case 1:
		a, b, c := kid(), kid(), kid()
		return written{
			a.at(orLevel) + "?" + b.at(orLevel) + ":" + c.at(choiceLevel),
			"(" + a.full + ")?(" + b.full + "):(" + c.full + ")", choiceLevel,
		}
	case 2:
		f := rapid.SampledFrom([]string{"exists", "all", "filter", "map"}).Draw(t, "function")
		a, b := kid(), kid()
		return written{
			a.at(postfixLevel) + "." + f + "(n," + b.short + ")",
			"(" + a.full + ")." + f + "(n, (" + b.full + "))", postfixLevel,
		}
	default:
		o := rapid.SampledFrom([]string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"}).Draw(t, "operator")
		level := levelOf(o)
		a, b := kid(), kid()
		return written{
			a.at(level) + " " + o + " " + b.at(level+1),
			"(" + a.full + ")" + o + "(" + b.full + ")", level,
		}
	}
}

func levelOf(operator string) int {
	switch operator {
	case "||":
		return orLevel
	case "&&":
		return andLevel
	case "+", "-":
		return sumLevel
	case "*", "/", "%":
		return productLevel
	default:
		return relationLevel
	}
}

// What an expression means does not depend on parentheses that its operators'
// strength already says.
func TestParenthesesThatChangeNothing(t *testing.T) {
	variables, values := dynamic(parsed(t, world))
	rapid.Check(t, func(t *rapid.T) {
		w := drawExpression(t, 4)
		a, fault := Compile(w.short, variables, nil)
		b, fullFault := Compile(w.full, variables, nil)
		if (fault == nil) != (fullFault == nil) {
			t.Fatalf("%s: %v, but %s: %v", w.short, fault, w.full, fullFault)
		}
		if fault != nil {
			if fault.Message != fullFault.Message {
				t.Fatalf("%s: %q, but %s: %q", w.short, fault.Message, w.full, fullFault.Message)
			}
			return
		}
		got, err := a.Eval(values...)
		want, fullErr := b.Eval(values...)
		if textOf(err) != textOf(fullErr) || string(strictjson.AppendCanonical(nil, got)) != string(strictjson.AppendCanonical(nil, want)) {
			t.Fatalf("%s: %v %v, but %s: %v %v", w.short, got, err, w.full, want, fullErr)
		}
	})
}

// What is known statically never makes another result of an expression, only
// fewer expressions.
func TestTypesDoNotChangeResults(t *testing.T) {
	untyped, values := dynamic(parsed(t, world))
	typed := make([]Variable, len(untyped))
	for i, v := range untyped {
		typed[i] = Variable{Name: v.Name, Type: inferred(values[i])}
	}
	rapid.Check(t, func(t *rapid.T) {
		source := drawExpression(t, 4).short
		a, fault := Compile(source, typed, nil)
		if fault != nil {
			return
		}
		b, fault := Compile(source, untyped, nil)
		if fault != nil {
			t.Fatalf("%s: compiles with types, and without: %s", source, fault.Message)
		}
		got, err := a.Eval(values...)
		want, untypedErr := b.Eval(values...)
		if textOf(err) != textOf(untypedErr) || string(strictjson.AppendCanonical(nil, got)) != string(strictjson.AppendCanonical(nil, want)) {
			t.Fatalf("%s: %v %v with types, %v %v without", source, got, err, want, untypedErr)
		}
		if err == nil {
			m := machine{steps: maxSteps}
			if !m.conforms(got, a.Type()) {
				t.Fatalf("%s: got %s, which is no %s", source, strictjson.AppendCanonical(nil, got), a.Type())
			}
		}
	})
}

// inferred is the type of a value.
func inferred(v strictjson.Value) *Type {
	switch v.Kind() {
	case strictjson.Object:
		t := &Type{Kind: Object}
		for _, m := range v.Members() {
			t.Fields = append(t.Fields, Field{Name: m.Name, Type: inferred(m.Value)})
		}
		return t
	case strictjson.Array:
		var elem *Type
		for i, item := range v.Items() {
			both, ok := join(inferred(item), elem)
			if i == 0 {
				both = inferred(item)
			} else if !ok {
				return ListOf(nil)
			}
			elem = both
		}
		return ListOf(elem)
	default:
		return literalType(v)
	}
}

// Whatever the source and the values are, compiling and evaluating end, and give
// one of their two results.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`args.id == "x" && has(args.note)`, `args.items.exists(i, i.count > 2)`, `[1, 2.5e3, -7].map(x, x * x)`,
		`any["a"][0] + {'k': "\u00e9\n"}["k"]`, `!(nothing == null) ? size(any) : 3 % 2`, `any.all(k, k in args.labels || -any[k] < 0)`,
		`args[args.id] + string(1 / any)`, `"a" in any && any.filter(x, x.contains("b")) != []`, strings.Repeat("(", 60),
	} {
		f.Add(seed, `{"id": "x", "note": null, "items": [{"count": 3}], "labels": {"a": "b"}}`)
		f.Add(seed, `[{"a": [1]}, "a"]`)
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		p, fault := Compile(source, order(), nil)
		if (p == nil) == (fault == nil) {
			t.Fatalf("%q: got %v and %v, want one", source, p, fault)
		}
		if fault != nil {
			checkPlace(t, source, fault.Offset, fault.Message)
			return
		}
		v, err := strictjson.Parse([]byte(value))
		if err != nil {
			v = strictjson.OfString(strings.ToValidUTF8(value, ""))
		}
		checkEval(t, p, v, v, v, v)
		checkEval(t, p, strictjson.Value{}, v)
		checkEval(t, p)
	})
}

// checkEval evaluates twice, and wants the same.
func checkEval(t *testing.T, p *Program, values ...strictjson.Value) {
	t.Helper()
	got, err := p.Eval(values...)
	again, errAgain := p.Eval(values...)
	if textOf(err) != textOf(errAgain) || string(strictjson.AppendCanonical(nil, got)) != string(strictjson.AppendCanonical(nil, again)) {
		t.Fatalf("%q: got %v %v, then %v %v", p.Source(), got, err, again, errAgain)
	}
	if err == nil {
		if got.IsZero() {
			t.Fatalf("%q: got neither a value nor an error", p.Source())
		}
		return
	}
	var e *EvalError
	if !errors.As(err, &e) || !got.IsZero() {
		t.Fatalf("%q: got %v and %T, want an *EvalError alone", p.Source(), got, err)
	}
	checkPlace(t, p.Source(), e.Offset, e.Message)
}

func checkPlace(t *testing.T, source string, offset int, message string) {
	t.Helper()
	if offset < 0 || offset > utf8.RuneCountInString(source) || message == "" || !utf8.ValidString(message) {
		t.Fatalf("%q: got %d %q, want a place and a message", source, offset, message)
	}
}
