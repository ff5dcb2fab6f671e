package strictjson

import (
	"math"
	"testing"
)

func TestKindString(t *testing.T) {
	want := []string{"unset", "null", "boolean", "number", "string", "array", "object", "unset"}
	for k, name := range want {
		if got := Kind(k).String(); got != name {
			t.Errorf("%d: got %q, want %q", k, got, name)
		}
	}
}

func TestZeroValue(t *testing.T) {
	var v Value
	if !v.IsZero() || v.Kind() != 0 || OfNull().IsZero() {
		t.Error("the zero value is not what is unset")
	}
}

// Each accessor answers for its own kind only.
func TestAccessors(t *testing.T) {
	values := map[string]Value{
		"unset": {}, "null": OfNull(), "true": OfBool(true), "string": OfString("true"), "number": OfInt(7),
		"array": OfArray(OfInt(1)), "object": OfObject(Member{"a", OfInt(1)}),
	}
	for name, v := range values {
		if got, want := v.Bool(), name == "true"; got != want {
			t.Errorf("%s: Bool: got %v", name, got)
		}
		if got, want := v.Str() != "", name == "string"; got != want {
			t.Errorf("%s: Str: got %q", name, v.Str())
		}
		if n, ok := v.Int(); ok != (name == "number") || ok && n != 7 {
			t.Errorf("%s: Int: got %d, %v", name, n, ok)
		}
		if f, ok := v.Float(); ok != (name == "number") || ok && f != 7 {
			t.Errorf("%s: Float: got %v, %v", name, f, ok)
		}
		if got, want := len(v.Items()) == 1, name == "array"; got != want {
			t.Errorf("%s: Items: got %v", name, v.Items())
		}
		if got, want := len(v.Members()) == 1, name == "object"; got != want {
			t.Errorf("%s: Members: got %v", name, v.Members())
		}
		if got, ok := v.Get("a"); ok != (name == "object") || ok == got.IsZero() {
			t.Errorf("%s: Get: got %v, %v", name, got, ok)
		}
	}
	if _, ok := values["object"].Get("A"); ok {
		t.Error("Get folds case")
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"-12", -12, true},
		{"1.0", 1, true},
		{"1e2", 100, true},
		{"1e18", 1e18, true},
		{"-9007199254740992", -1 << 53, true},
		{"9223372036854775000", 9223372036854775000, true},
		{"9223372036854776000", 0, false},
		{"1e19", 0, false},
		{"1e300", 0, false},
		{"1.5", 0, false},
		{"1e-7", 0, false},
	}
	for _, test := range tests {
		v, err := Parse([]byte(test.text))
		if err != nil {
			t.Fatalf("%s: refused: %v", test.text, err)
		}
		if got, ok := v.Int(); got != test.want || ok != test.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}

// An integer that no float64 names is never silently another one.
func TestOfIntIsExact(t *testing.T) {
	for _, n := range []int64{math.MinInt64, -1<<53 - 1, 1<<53 + 1, 1 << 60, math.MaxInt64} {
		v := OfInt(n)
		if got, ok := v.Int(); !ok || got != n {
			t.Errorf("%d: got %d, %v", n, got, ok)
		}
		if _, err := Parse(AppendCanonical(nil, v)); err == nil || err.Code != JSONNumberInexact {
			t.Errorf("%d: parsed again: got %v, want JSON_NUMBER_INEXACT", n, err)
		}
	}
}
