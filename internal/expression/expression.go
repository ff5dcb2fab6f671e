// Package expression is a small typed language for conditions over JSON values:
// a subset of CEL (Common Expression Language). What it accepts means in CEL what
// it means here, but for numbers: there is one type, [Number], JSON's own.
//
// Expressions are our own, and not expr-lang/expr's, because that library calls
// methods by name, for which the linker keeps every method of the binary (3.3 MB
// more, beyond the targets for size and start). And numbers, missing members and
// places have to be those of strictjson.
//
// Goals: every fault that can be found before a run is found when the expression
// is compiled, with its place; the same values always give the same result; work
// and memory are bounded whatever the values are.
//
// Non-goals: extensions of CEL, functions of the caller, time, regular
// expressions, conversion of a number that a 64-bit float cannot hold.
//
// A caller must:
//
//  1. give only valid JSON values: distinct names in an object, valid UTF-8;
//  2. not change a [Type] once it was given to [Compile].
//
// Values need not have the types declared: what has not is an error of [Program.Eval],
// never a panic. A Program never changes and may be used by many at once.
package expression

import (
	"slices"

	"harness/internal/strictjson"
)

// Variable declares a name that an expression may use.
type Variable struct {
	Name string
	Type *Type // nil stands for Dyn
}

// Program is an expression that was read and checked.
type Program struct {
	source string
	root   *node
	want   *Type
	names  []string
	locals int  // most comprehension variables alive at once
	builds bool // the result may be larger than what it was made of
}

// Compile reads and checks an expression. The type it must give is want; nil
// allows any. One of the two results is nil.
func Compile(source string, variables []Variable, want *Type) (*Program, *Fault) {
	root, fault := parse(source)
	if fault != nil {
		return nil, fault
	}
	c := checker{source: source, variables: variables}
	if fault := c.check(root); fault != nil {
		return nil, fault
	}
	if !overlap(root.typ, want) {
		return nil, &Fault{Message: "the expression gives " + root.typ.String() + ", but must give " + want.String()}
	}
	return &Program{
		source: source, root: root, want: want,
		names: c.names, locals: c.deepest, builds: c.builds,
	}, nil
}

// Type is the type of the result as far as it is known before the values are. It
// is never nil.
func (p *Program) Type() *Type {
	if p.root.typ == nil {
		return dynType
	}
	return p.root.typ
}

// Source is the text that was compiled.
func (p *Program) Source() string { return p.source }

// Names lists the variables used, in the order in which they are first named.
func (p *Program) Names() []string { return slices.Clone(p.names) }

// Members lists the members of a variable that are used, in no order. whole is true if
// the variable is used in any other way, so that any of its members may be.
func (p *Program) Members(variable string) (names []string, whole bool) {
	var visit func(n *node)
	visit = func(n *node) {
		isVariable := func(n *node) bool { return n.op == opVariable && n.text == variable }
		switch {
		case (n.op == opMember || n.op == opPresent) && len(n.kids) == 1 && isVariable(n.kids[0]):
			names = append(names, n.text)
			return
		case isVariable(n):
			whole = true
		}
		for _, kid := range n.kids {
			visit(kid)
		}
	}
	visit(p.root)
	return names, whole
}

// Eval gives the result for values, which stand in the order of the variables
// given to [Compile]. A zero Value, and one left out, means "not there": to use it
// is an error. Every error is an [*EvalError].
func (p *Program) Eval(values ...strictjson.Value) (strictjson.Value, error) {
	var few [4]strictjson.Value // comprehensions are seldom nested deeper
	m := machine{values: values, locals: few[:], steps: maxSteps}
	if p.locals > len(few) {
		m.locals = make([]strictjson.Value, p.locals)
	}
	v, ok := m.eval(p.root)
	if !ok || !m.accept(p, v) {
		return strictjson.Value{}, m.failure.err(p.source)
	}
	return v, nil
}

// accept checks the result against what the program must give.
func (m *machine) accept(p *Program, v strictjson.Value) bool {
	if !m.conforms(v, p.want) {
		if !m.stopped() {
			m.fails(failure{reason: wrongResult, got: v, want: p.want})
		}
		return false
	}
	return !p.builds || m.measure(p.root, v)
}
