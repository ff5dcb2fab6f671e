package expression

import "harness/internal/strictjson"

// machine is one evaluation. It lives on the stack: nothing may keep a pointer
// to it.
//
// A method that gives a bool beside its value gives false when there is none;
// why is then in failure.
type machine struct {
	values  []strictjson.Value // of the variables
	locals  []strictjson.Value // of the comprehension variables
	steps   int                // left
	failure failure
	holding int // how many operators hold on to failure, which came first
}

// fails notes why there is no value; it is always false. Of several errors, one
// of which would do, the first is told.
func (m *machine) fails(f failure) bool {
	if m.holding == 0 || f.reason.isLimit() {
		m.failure = f
	}
	return false
}

// fail is fails for a method that gives a value.
func (m *machine) fail(n *node, r reason) (strictjson.Value, bool) {
	return strictjson.Value{}, m.fails(failure{reason: r, node: n})
}

// failWith also names the values that were wrong.
func (m *machine) failWith(n *node, r reason, got, other strictjson.Value) (strictjson.Value, bool) {
	return strictjson.Value{}, m.fails(failure{reason: r, node: n, got: got, other: other})
}

// stopped reports whether a limit was reached. No operator absorbs that: a
// condition must not hold because there was no time to look.
func (m *machine) stopped() bool { return m.failure.reason.isLimit() }

// spend takes steps; false if there were not enough.
func (m *machine) spend(n *node, steps int) bool {
	if m.steps -= steps; m.steps < 0 {
		return m.fails(failure{reason: tooMuchWork, node: n})
	}
	return true
}

// spendText takes the steps for looking at so many bytes.
func (m *machine) spendText(n *node, bytes int) bool { return m.spend(n, bytes/textPerStep) }

// eval gives the value of a node. The checker has left no opName, opCall or
// opMethod.
func (m *machine) eval(n *node) (strictjson.Value, bool) {
	if m.steps--; m.steps < 0 {
		return m.fail(n, tooMuchWork)
	}
	switch n.op {
	case opLiteral:
		return n.value, true
	case opVariable:
		return m.slot(n, m.values)
	case opLocal:
		return m.slot(n, m.locals)
	case opMember:
		return m.member(n)
	case opPresent:
		return m.present(n)
	case opIndex:
		return m.index(n)
	case opListOf:
		return m.list(n)
	case opMapOf:
		return m.mapping(n)
	case opAnd:
		return m.logic(n, false)
	case opOr:
		return m.logic(n, true)
	case opNot:
		b, ok := m.truth(n.kids[0])
		return strictjson.OfBool(!b), ok
	case opChoose:
		return m.choose(n)
	case opExists:
		return m.quantify(n, true)
	case opAll:
		return m.quantify(n, false)
	case opFilter:
		return m.filter(n)
	case opMapEach:
		return m.each(n)
	default:
		return m.operate(n)
	}
}

// operate evaluates what looks at the values of all its operands, one or two.
func (m *machine) operate(n *node) (strictjson.Value, bool) {
	a, ok := m.eval(n.kids[0])
	if !ok {
		return a, false
	}
	switch n.op {
	case opSize:
		return m.size(n, a)
	case opToString:
		return m.toString(n, a)
	case opNegate:
		return m.negate(n, a)
	}
	b, ok := m.eval(n.kids[1])
	if !ok {
		return b, false
	}
	switch n.op {
	case opEqual, opUnequal:
		same, ok := m.equal(n, a, b)
		return strictjson.OfBool(same == (n.op == opEqual)), ok
	case opLess, opLessEqual, opGreater, opGreaterEqual:
		return m.compare(n, a, b)
	case opIsIn:
		return m.isIn(n, a, b)
	case opAdd:
		return m.add(n, a, b)
	case opSubtract, opMultiply, opDivide, opRemainder:
		return m.arithmetic(n, a, b)
	default: // startsWith, endsWith, contains
		return m.searchText(n, a, b)
	}
}

// slot is the value of a variable.
func (m *machine) slot(n *node, values []strictjson.Value) (strictjson.Value, bool) {
	if n.slot >= len(values) || values[n.slot].IsZero() {
		return m.fail(n, notThere)
	}
	return values[n.slot], true
}

// truth is the value of a condition.
func (m *machine) truth(n *node) (value, ok bool) {
	v, ok := m.eval(n)
	if !ok {
		return false, false
	}
	if v.Kind() != strictjson.Bool {
		return false, m.fails(failure{reason: notBool, node: n, got: v})
	}
	return v.Bool(), true
}

// logic evaluates && and ||. A side that is decisive decides alone: the other
// side's error, even the left one's, then does not count.
func (m *machine) logic(n *node, decisive bool) (strictjson.Value, bool) {
	left, ok := m.truth(n.kids[0])
	if !ok {
		return m.absorb(n, decisive)
	}
	if left == decisive {
		return strictjson.OfBool(decisive), true
	}
	right, ok := m.truth(n.kids[1])
	return strictjson.OfBool(right), ok
}

// absorb is logic after the left side failed.
func (m *machine) absorb(n *node, decisive bool) (strictjson.Value, bool) {
	if m.stopped() {
		return strictjson.Value{}, false
	}
	m.holding++
	right, ok := m.truth(n.kids[1])
	m.holding--
	return strictjson.OfBool(right), ok && right == decisive
}

func (m *machine) choose(n *node) (strictjson.Value, bool) {
	yes, ok := m.truth(n.kids[0])
	switch {
	case !ok:
		return strictjson.Value{}, false
	case yes:
		return m.eval(n.kids[1])
	default:
		return m.eval(n.kids[2])
	}
}
