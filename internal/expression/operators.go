package expression

// checkOperator checks an operator whose operands are checked.
func (c *checker) checkOperator(n *node) *Fault {
	switch n.op {
	case opChoose:
		return c.checkChoice(n)
	case opEqual, opUnequal:
		return c.checkEqual(n)
	case opIsIn:
		return c.checkIn(n)
	case opLess, opLessEqual, opGreater, opGreaterEqual:
		n.typ = boolType
		_, fault := c.same(n, "two numbers or two strings", Number, String)
		return fault
	case opAdd:
		return c.checkAdd(n)
	case opNot, opAnd, opOr:
		n.typ = boolType
		return c.operands(n, "true or false", Bool)
	case opNegate:
		return c.checkNegate(n)
	default: // - * / %
		n.typ = numberType
		return c.operands(n, "numbers", Number)
	}
}

// operands is a fault unless each operand may be of a kind.
func (c *checker) operands(n *node, want string, k Kind) *Fault {
	for _, kid := range n.kids {
		if fault := c.wants(kid, n.text+" takes "+want, k); fault != nil {
			return fault
		}
	}
	return nil
}

// checkNegate checks -x. That of a literal becomes a literal.
func (c *checker) checkNegate(n *node) *Fault {
	n.typ = numberType
	if fault := c.operands(n, "a number", Number); fault != nil || n.kids[0].op != opLiteral {
		return fault
	}
	if v, ok := negated(n.kids[0].value); ok {
		n.op, n.value, n.kids = opLiteral, v, nil
	}
	return nil
}

// same gives the kind of two operands that must be of one kind, one of kinds; Dyn
// if it is known of neither.
func (c *checker) same(n *node, want string, kinds ...Kind) (Kind, *Fault) {
	kind := Dyn
	for _, kid := range n.kids {
		if fault := c.wants(kid, n.text+" takes "+want, kinds...); fault != nil {
			return 0, fault
		}
		k := kid.typ.kind()
		if k != Dyn && kind != Dyn && k != kind {
			a, b := n.kids[0].typ.String(), n.kids[1].typ.String()
			return 0, c.fault(n, n.text+" takes "+want+", not "+a+" and "+b, "")
		}
		if k != Dyn {
			kind = k
		}
	}
	return kind, nil
}

func (c *checker) checkAdd(n *node) *Fault {
	const want = "two numbers, two strings or two lists"
	kind, fault := c.same(n, want, Number, String, List)
	if fault != nil {
		return fault
	}
	a, b := n.kids[0].typ, n.kids[1].typ
	switch kind {
	case Number:
		n.typ = numberType
	case String:
		n.typ = stringType
	case List:
		elem, ok := join(a.elem(), b.elem())
		if !ok {
			return c.fault(n, "the lists hold different things: "+a.String()+" and "+b.String(), "")
		}
		n.typ = ListOf(elem)
	}
	if kind == Dyn || kind == List {
		c.builds = true
	}
	return nil
}

// checkEqual refuses to compare what can never be equal.
func (c *checker) checkEqual(n *node) *Fault {
	n.typ = boolType
	a, b := n.kids[0].typ, n.kids[1].typ
	if overlap(a, b) {
		return nil
	}
	hint := ""
	if a.kind() == Null || b.kind() == Null {
		hint = "whether a member is there is asked by has(a.b)"
	}
	return c.fault(n, n.text+" compares "+a.String()+" with "+b.String()+", which are never equal", hint)
}

func (c *checker) checkIn(n *node) *Fault {
	n.typ = boolType
	x, of := n.kids[0], n.kids[1].typ
	switch of.kind() {
	case Dyn:
		return nil
	case List:
		if overlap(x.typ, of.Elem) {
			return nil
		}
		return c.fault(n, x.typ.String()+" is never in "+of.String(), "")
	case Map, Object:
		if fault := c.wants(x, "the keys of a map are strings", String); fault != nil {
			return fault
		}
		if of.kind() == Object && x.isText() {
			// A name that is never there is a slip, and would be false without a word.
			if _, known := of.field(x.value.Str()); !known {
				return c.unknownMember(&node{at: x.at, text: x.value.Str()}, of)
			}
		}
		return nil
	default:
		hint := ""
		if of.kind() == String {
			hint = "whether a string holds another is asked by a.contains(b)"
		}
		return c.fault(n, "in looks into a list or a map, not into "+of.String(), hint)
	}
}

func (c *checker) checkChoice(n *node) *Fault {
	if fault := c.wants(n.kids[0], "?: takes true or false before the ?", Bool); fault != nil {
		return fault
	}
	yes, no := n.kids[1].typ, n.kids[2].typ
	both, ok := join(yes, no)
	if !ok {
		return c.fault(n, "?: gives "+yes.String()+" or "+no.String()+", and must give one type", "")
	}
	n.typ = both
	return nil
}
