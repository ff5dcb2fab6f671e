package expression

import (
	"cmp"
	"math"

	"harness/internal/strictjson"
)

// maxExact is the largest whole number that a 64-bit float tells from both its
// neighbours.
const maxExact = 1<<53 - 1

// exactly is a number as a float; false if no float is that number, which only
// whole numbers beyond maxExact can be.
func exactly(v strictjson.Value) (float64, bool) {
	f, ok := v.Float()
	if !ok || math.Abs(f) < maxExact {
		return f, ok
	}
	back, ok := strictjson.OfFloat(f)
	return f, ok && back == v
}

// isExact reports whether f is a whole number within the range in which all are.
func isExact(f float64) bool { return math.Abs(f) <= maxExact && f == math.Trunc(f) }

// ofFloat is the number f; small whole numbers need no memory.
func ofFloat(f float64) (strictjson.Value, bool) {
	if isExact(f) {
		return strictjson.OfInt(int64(f)), true
	}
	return strictjson.OfFloat(f)
}

// negated is -v; false if v is no number, or none that can be computed with.
func negated(v strictjson.Value) (strictjson.Value, bool) {
	f, ok := exactly(v)
	if !ok {
		return strictjson.Value{}, false
	}
	return ofFloat(-f)
}

func (m *machine) negate(n *node, v strictjson.Value) (strictjson.Value, bool) {
	if v.Kind() != strictjson.Number {
		return m.failWith(n, noOperation, v, strictjson.Value{})
	}
	r, ok := negated(v)
	if !ok {
		return m.failWith(n, inexact, v, strictjson.Value{})
	}
	return r, true
}

// arithmetic computes with 64-bit floats. Sums, differences and products of whole
// numbers are exact: one that leaves the range in which they are is an error.
func (m *machine) arithmetic(n *node, a, b strictjson.Value) (strictjson.Value, bool) {
	if a.Kind() != strictjson.Number || b.Kind() != strictjson.Number {
		return m.failWith(n, noOperation, a, b)
	}
	x, ok := exactly(a)
	if !ok {
		return m.failWith(n, inexact, a, strictjson.Value{})
	}
	y, ok := exactly(b)
	if !ok {
		return m.failWith(n, inexact, b, strictjson.Value{})
	}
	if why := refused(n.op, x, y); why != 0 {
		return m.failWith(n, why, a, b)
	}
	r := computed(n.op, x, y)
	whole := x == math.Trunc(x) && y == math.Trunc(y)
	v, ok := ofFloat(r)
	if !ok || whole && math.Abs(r) > maxExact && n.op != opDivide {
		return m.fail(n, tooLargeNumber)
	}
	return v, true
}

// refused says why there is no result for two numbers; 0 if there is one.
func refused(o op, x, y float64) reason {
	switch {
	case o == opRemainder && !(isExact(x) && isExact(y)):
		return notWholeOperands
	case (o == opDivide || o == opRemainder) && y == 0:
		return divisionByZero
	default:
		return 0
	}
}

func computed(o op, x, y float64) float64 {
	switch o {
	case opAdd:
		return x + y
	case opSubtract:
		return x - y
	case opMultiply:
		return x * y
	case opDivide:
		return x / y
	default:
		return math.Mod(x, y)
	}
}

// compare evaluates < and its like.
func (m *machine) compare(n *node, a, b strictjson.Value) (strictjson.Value, bool) {
	var order int
	switch {
	case a.Kind() == strictjson.Number && b.Kind() == strictjson.Number:
		order = compareNumbers(a, b)
	case a.Kind() == strictjson.String && b.Kind() == strictjson.String:
		if !m.spendText(n, min(len(a.Str()), len(b.Str()))) {
			return strictjson.Value{}, false
		}
		order = cmp.Compare(a.Str(), b.Str()) // the order of UTF-8 is that of code points
	default:
		return m.failWith(n, noOperation, a, b)
	}
	switch n.op {
	case opLess:
		return strictjson.OfBool(order < 0), true
	case opLessEqual:
		return strictjson.OfBool(order <= 0), true
	case opGreater:
		return strictjson.OfBool(order > 0), true
	default:
		return strictjson.OfBool(order >= 0), true
	}
}

// compareNumbers orders numbers by their value, those too that no float holds.
func compareNumbers(a, b strictjson.Value) int {
	if a == b {
		return 0
	}
	x, _ := a.Float()
	y, _ := b.Float()
	if x != y {
		return cmp.Compare(x, y)
	}
	// Two whole numbers beside one float, below 10^21: written out in digits.
	s, t := strictjson.AppendCanonical(nil, a), strictjson.AppendCanonical(nil, b)
	order := cmp.Or(cmp.Compare(len(s), len(t)), cmp.Compare(string(s), string(t)))
	if x < 0 {
		return -order
	}
	return order
}
