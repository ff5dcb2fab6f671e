package expression

import "harness/internal/strictjson"

// op is what a node does. The zero value is unset and invalid.
type op uint8

const (
	opLiteral op = iota + 1
	opName       // of a variable; only until it is checked
	opCall       // f(x); only until it is checked
	opMethod     // x.f(y); only until it is checked

	opVariable
	opLocal // a comprehension's variable
	opMember
	opPresent // has(a.b)
	opIndex
	opListOf
	opMapOf // keys and values in turn
	opNot
	opNegate
	opAnd
	opOr
	opChoose
	opEqual
	opUnequal
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opIsIn
	opAdd
	opSubtract
	opMultiply
	opDivide
	opRemainder

	opSize
	opToString
	opStartsWith
	opEndsWith
	opContains
	opExists
	opAll
	opFilter
	opMapEach
)

// node is one part of an expression: what the parser found, and, once it is
// checked, what is evaluated.
type node struct {
	op    op
	at    int    // the byte of the source that a message points at
	text  string // a name, or an operator as it is written
	slot  int    // which variable, or which local
	value strictjson.Value
	kids  []*node
	typ   *Type
}

// isText reports whether a node is a string literal.
func (n *node) isText() bool { return n.op == opLiteral && n.value.Kind() == strictjson.String }
