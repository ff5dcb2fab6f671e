package expression

import "harness/internal/strictjson"

// postfix reads a value and the members, elements and methods taken of it.
func (p *parser) postfix() (*node, *Fault) {
	n, fault := p.primary()
	for fault == nil {
		switch {
		case p.is("."):
			n, fault = p.afterDot(n)
		case p.is("["):
			n, fault = p.bracket(n)
		default:
			return n, nil
		}
	}
	return nil, fault
}

// afterDot reads ".name" or ".name(arguments)" behind n.
func (p *parser) afterDot(n *node) (*node, *Fault) {
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	if p.tok.kind != tokenWord || isKeyword(p.tok.text) {
		fault := p.unexpected("a member's name")
		fault.Hint = `a name that is no word is written a["…"]`
		return nil, fault
	}
	m := &node{op: opMember, at: p.tok.at, text: p.tok.text, kids: []*node{n}}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	if !p.is("(") {
		return m, nil
	}
	m.op = opMethod
	arguments, fault := p.arguments()
	m.kids = append(m.kids, arguments...)
	return m, fault
}

// bracket reads "[index]" behind n.
func (p *parser) bracket(n *node) (*node, *Fault) {
	at := p.tok.at
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	key, fault := p.expression()
	if fault != nil {
		return nil, fault
	}
	return &node{op: opIndex, at: at, text: "[]", kids: []*node{n, key}}, p.expect("]")
}

func (p *parser) primary() (*node, *Fault) {
	switch t := p.tok; t.kind {
	case tokenNumber, tokenText:
		return &node{op: opLiteral, at: t.at, text: t.text, value: t.value}, p.advance()
	case tokenWord:
		return p.word()
	case tokenSign:
		switch t.text {
		case "(":
			return p.parenthesis()
		case "[":
			return p.list()
		case "{":
			return p.mapping()
		}
	}
	return nil, p.unexpected("a value")
}

// word reads null, true, false, the name of a variable, or a call.
func (p *parser) word() (*node, *Fault) {
	t := p.tok
	n := &node{op: opLiteral, at: t.at, text: t.text}
	switch t.text {
	case "null":
		n.value = strictjson.OfNull()
	case "true", "false":
		n.value = strictjson.OfBool(t.text == "true")
	case "in":
		return nil, p.unexpected("a value")
	default:
		n.op = opName
	}
	if isReserved(t.text) {
		return nil, p.fault(t.at, "the word "+t.text+" is reserved", "give the variable another name")
	}
	if fault := p.advance(); fault != nil || n.op == opLiteral || !p.is("(") {
		return n, fault
	}
	n.op = opCall
	var fault *Fault
	n.kids, fault = p.arguments()
	return n, fault
}

func (p *parser) parenthesis() (*node, *Fault) {
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	n, fault := p.expression()
	if fault != nil {
		return nil, fault
	}
	return n, p.expect(")")
}

// arguments reads "(a, b)".
func (p *parser) arguments() ([]*node, *Fault) {
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	if done, fault := p.skip(")"); done || fault != nil {
		return nil, fault
	}
	var list []*node
	for {
		n, fault := p.expression()
		if fault != nil {
			return nil, fault
		}
		list = append(list, n)
		more, fault := p.skip(",")
		if fault != nil {
			return nil, fault
		}
		if !more {
			return list, p.expect(")")
		}
	}
}

// list reads "[a, b]". As in CEL, a comma may follow the last.
func (p *parser) list() (*node, *Fault) {
	n := &node{op: opListOf, at: p.tok.at, text: "[]"}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	for !p.is("]") {
		item, fault := p.expression()
		if fault != nil {
			return nil, fault
		}
		n.kids = append(n.kids, item)
		if more, fault := p.skip(","); fault != nil {
			return nil, fault
		} else if !more {
			break
		}
	}
	return n, p.expect("]")
}

// mapping reads "{k: v}". As in CEL, a comma may follow the last.
func (p *parser) mapping() (*node, *Fault) {
	n := &node{op: opMapOf, at: p.tok.at, text: "{}"}
	if fault := p.advance(); fault != nil {
		return nil, fault
	}
	for !p.is("}") {
		key, fault := p.expression()
		if fault != nil {
			return nil, fault
		}
		if fault := p.expect(":"); fault != nil {
			return nil, fault
		}
		value, fault := p.expression()
		if fault != nil {
			return nil, fault
		}
		n.kids = append(n.kids, key, value)
		if more, fault := p.skip(","); fault != nil {
			return nil, fault
		} else if !more {
			break
		}
	}
	return n, p.expect("}")
}
