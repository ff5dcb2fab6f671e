package expression

import (
	"fmt"
	"unicode/utf8"

	"harness/internal/strictjson"
)

// parser reads an expression by CEL's grammar. One token is read ahead.
type parser struct {
	lexer
	tok   token
	depth int // how much is open around tok
}

// parse reads a whole source.
func parse(source string) (*node, *Fault) {
	for at, n := 0, 0; at < len(source); n++ {
		r, width := utf8.DecodeRuneInString(source[at:])
		if r == utf8.RuneError && width == 1 {
			return nil, faultAt(source, at, "this is no valid UTF-8", "")
		}
		if n == maxSource {
			return nil, faultAt(source, at, fmt.Sprintf("the expression is longer than %d characters", maxSource), "")
		}
		at += width
	}
	p := &parser{lexer: lexer{source: source}}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	n, fault := p.expression()
	if fault == nil && p.tok.kind != tokenEnd {
		fault = p.unexpected("an operator or the end")
	}
	if fault != nil {
		return nil, fault
	}
	return n, nil
}

func (p *parser) advance() (fault *Fault) {
	p.tok, fault = p.next()
	return fault
}

// is reports whether a sign comes next.
func (p *parser) is(s string) bool { return p.tok.kind == tokenSign && p.tok.text == s }

// skip steps over a sign, if it comes next.
func (p *parser) skip(s string) (bool, *Fault) {
	if !p.is(s) {
		return false, nil
	}
	return true, p.advance()
}

// expect steps over a sign that must come next.
func (p *parser) expect(s string) *Fault {
	if !p.is(s) {
		return p.unexpected(s)
	}
	return p.advance()
}

// enter counts what is about to be opened; leave is to follow.
func (p *parser) enter() *Fault {
	if p.depth == maxDepth {
		return p.fault(p.tok.at, fmt.Sprintf("the expression is nested more than %d deep", maxDepth), "")
	}
	p.depth++
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) unexpected(want string) *Fault {
	if p.tok.kind == tokenEnd {
		return p.fault(p.tok.at, "expected "+want+", but the expression ends", "")
	}
	return p.fault(p.tok.at, "expected "+want+", got "+strictjson.Quote(p.tok.text), p.hint())
}

// hint explains what people bring from other languages.
func (p *parser) hint() string {
	switch p.tok.text {
	case "and":
		return `"and" is written &&`
	case "or":
		return `"or" is written ||`
	case "not":
		return `"not" is written !`
	case ".", "?":
		return "whether a member is there is asked by has(a.b)"
	case "-", "!":
		return "put it into parentheses"
	default:
		return ""
	}
}

// expression reads "a ? b : c" and all that binds stronger.
func (p *parser) expression() (*node, *Fault) {
	if fault := p.enter(); fault != nil {
		return nil, fault
	}
	defer p.leave()
	n, fault := p.binary(orLevel)
	if fault != nil || !p.is("?") {
		return n, fault
	}
	choice := &node{op: opChoose, at: p.tok.at, text: "?:"}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	yes, fault := p.binary(orLevel)
	if fault != nil {
		return nil, fault
	}
	if fault := p.expect(":"); fault != nil {
		return nil, fault
	}
	no, fault := p.expression()
	choice.kids = []*node{n, yes, no}
	return choice, fault
}

// The levels of binary operators, from the weakest.
const (
	orLevel = iota
	andLevel
	relationLevel
	sumLevel
	productLevel
	unaryLevel
)

// operator gives the binary operator that comes next, and its level; 0 if there
// is none.
func (p *parser) operator() (op, int) {
	if p.tok.kind == tokenWord && p.tok.text == "in" {
		return opIsIn, relationLevel
	}
	if p.tok.kind != tokenSign {
		return 0, 0
	}
	switch p.tok.text {
	case "||":
		return opOr, orLevel
	case "&&":
		return opAnd, andLevel
	case "==":
		return opEqual, relationLevel
	case "!=":
		return opUnequal, relationLevel
	case "<":
		return opLess, relationLevel
	case "<=":
		return opLessEqual, relationLevel
	case ">":
		return opGreater, relationLevel
	case ">=":
		return opGreaterEqual, relationLevel
	case "+":
		return opAdd, sumLevel
	case "-":
		return opSubtract, sumLevel
	case "*":
		return opMultiply, productLevel
	case "/":
		return opDivide, productLevel
	case "%":
		return opRemainder, productLevel
	default:
		return 0, 0
	}
}

// binary reads operators of a level, which group to the left, and all that binds
// stronger.
func (p *parser) binary(level int) (*node, *Fault) {
	if level == unaryLevel {
		return p.unary()
	}
	left, fault := p.binary(level + 1)
	for fault == nil {
		o, l := p.operator()
		if o == 0 || l != level {
			return left, nil
		}
		n := &node{op: o, at: p.tok.at, text: p.tok.text}
		if fault = p.advance(); fault != nil {
			break
		}
		var right *node
		if right, fault = p.binary(level + 1); fault != nil {
			break
		}
		n.kids = []*node{left, right}
		left = n
	}
	return nil, fault
}

func (p *parser) unary() (*node, *Fault) {
	switch {
	case p.is("!"):
		return p.signed(opNot)
	case p.is("-"):
		return p.signed(opNegate)
	default:
		return p.postfix()
	}
}

// signed reads what follows one of a row of equal signs. CEL's grammar has no
// rows of different ones.
func (p *parser) signed(o op) (*node, *Fault) {
	if fault := p.enter(); fault != nil {
		return nil, fault
	}
	defer p.leave()
	n := &node{op: o, at: p.tok.at, text: p.tok.text}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	var kid *node
	var fault *Fault
	if p.is(n.text) {
		kid, fault = p.signed(o)
	} else {
		kid, fault = p.postfix()
	}
	n.kids = []*node{kid}
	return n, fault
}
