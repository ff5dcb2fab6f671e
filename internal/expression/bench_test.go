package expression

import (
	"testing"

	"harness/internal/strictjson"
)

// typical is an expression as scenarios have them, with one variable, args.
var typical = []struct{ name, source string }{
	{"In", `args.key in ["a", "b"]`},
	{"Member", `args.order.id`},
	{"Condition", `args.amount <= 100 && args.currency == "EUR" && has(args.note)`},
	{"Resource", `"order:" + args.order.id`},
	{"Exists", `args.items.exists(i, i.count > 2)`},
}

const typicalArguments = `{"amount": 20, "currency": "EUR", "items": [{"count": 1}, {"count": 3}], "key": "b", "note": "x", "order": {"id": "A17"}}`

func BenchmarkEval(b *testing.B) {
	args := parsed(b, typicalArguments)
	for _, c := range typical {
		p, fault := Compile(c.source, []Variable{{Name: "args"}}, nil)
		if fault != nil {
			b.Fatal(fault.Message)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Eval(args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := Compile(typical[2].source, []Variable{{Name: "args"}}, Of(Bool)); fault != nil {
			b.Fatal(fault.Message)
		}
	}
}

// BenchmarkLimits evaluates what costs the most until a limit ends it: no
// expression over values from outside may take much longer.
func BenchmarkLimits(b *testing.B) {
	texts := make([]strictjson.Value, 1000)
	for i := range texts {
		texts[i] = strictjson.OfString(string(make([]byte, 100_000)))
	}
	numbers := make([]strictjson.Value, 100_000)
	for i := range numbers {
		numbers[i] = strictjson.OfInt(int64(i))
	}
	for _, c := range []struct{ name, source string }{
		{"Loops", `numbers.all(a, numbers.all(b, a * b >= 0.5 - 1))`},
		{"Text", `texts.all(a, texts.all(b, a == b && a.contains("x") == false))`},
		{"Join", `texts.map(a, a + a + a + a + a + a)`},
		{"Lists", `numbers.all(a, numbers + [] != [])`},
		{"Absorbed", `numbers.exists(a, numbers.map(b, 1 / 0) == [])`},
		{"Double", `[numbers].map(a, a + []).map(a, [a, a]).map(a, [a, a]).map(a, [a, a])`},
	} {
		p, fault := Compile(c.source, []Variable{{Name: "texts"}, {Name: "numbers"}}, nil)
		if fault != nil {
			b.Fatal(fault.Message)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = p.Eval(strictjson.OfArray(texts...), strictjson.OfArray(numbers...))
			}
		})
	}
}
