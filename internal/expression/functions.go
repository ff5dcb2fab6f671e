package expression

import "fmt"

// functionList is what a hint says about a function that is unknown.
const functionList = "the functions are size, string and has; " +
	"those of a value, size, startsWith, endsWith, contains, exists, all, filter and map"

func functionNames() []string { return []string{"size", "string", "has"} }

func methodNames() []string {
	return []string{"size", "startsWith", "endsWith", "contains", "exists", "all", "filter", "map"}
}

func isFunction(name string) bool { return name == "size" || name == "string" || name == "has" }

// isMethod reports whether a name is that of a function of a value.
func isMethod(name string) bool { return methodOp(name) != 0 }

// methodOp is what x.name(…) does; 0 if there is no such function.
func methodOp(name string) op {
	switch name {
	case "size":
		return opSize
	case "startsWith":
		return opStartsWith
	case "endsWith":
		return opEndsWith
	case "contains":
		return opContains
	case "exists":
		return opExists
	case "all":
		return opAll
	case "filter":
		return opFilter
	case "map":
		return opMapEach
	default:
		return 0
	}
}

// checkCall checks f(x).
func (c *checker) checkCall(n *node) *Fault {
	if !isFunction(n.text) {
		hint := suggest(n.text, functionNames(), functionList)
		if isMethod(n.text) {
			hint = "it is a function of a value: x." + n.text + "(…)"
		}
		return c.fault(n, "unknown function: "+shown(n.text), hint)
	}
	if fault := c.arguments(n, n.kids, 1); fault != nil {
		return fault
	}
	x := n.kids[0]
	if n.text == "has" && x.op != opMember {
		return c.fault(x, "has takes a member: has(a.b)", `for a key that is no word, write "key" in a`)
	}
	if fault := c.check(x); fault != nil {
		return fault
	}
	switch n.text {
	case "has":
		n.op, n.typ, n.text, n.kids = opPresent, boolType, x.text, x.kids
		n.at = x.at
		return nil
	case "size":
		return c.checkSize(n)
	default:
		n.op, n.typ = opToString, stringType
		return c.wants(x, "string takes a number, true or false, or a string", Number, Bool, String)
	}
}

// arguments is a fault unless there are as many as there must be.
func (c *checker) arguments(n *node, given []*node, want int) *Fault {
	if len(given) == want {
		return nil
	}
	plural := "s"
	if want == 1 {
		plural = ""
	}
	return c.fault(n, fmt.Sprintf("%s takes %d argument%s, not %d", n.text, want, plural, len(given)), "")
}

func (c *checker) checkSize(n *node) *Fault {
	n.op, n.typ = opSize, numberType
	return c.wants(n.kids[0], "size takes a string, a list or a map", String, List, Map, Object)
}

// checkMethod checks x.f(y).
func (c *checker) checkMethod(n *node) *Fault {
	if fault := c.check(n.kids[0]); fault != nil {
		return fault
	}
	n.op = methodOp(n.text)
	switch n.op {
	case 0:
		hint := suggest(n.text, methodNames(), functionList)
		if isFunction(n.text) {
			hint = "write " + n.text + "(x)"
		}
		return c.fault(n, "unknown function: "+shown(n.text), hint)
	case opSize:
		if fault := c.arguments(n, n.kids[1:], 0); fault != nil {
			return fault
		}
		return c.checkSize(n)
	case opStartsWith, opEndsWith, opContains:
		return c.checkText(n)
	default:
		return c.checkEach(n)
	}
}

// checkText checks a function of two strings.
func (c *checker) checkText(n *node) *Fault {
	n.typ = boolType
	if fault := c.arguments(n, n.kids[1:], 1); fault != nil {
		return fault
	}
	if t := n.kids[0].typ; t.kind() != Dyn && t.kind() != String {
		hint := ""
		if n.op == opContains {
			hint = "whether a list or a map holds a value is asked by x in list"
		}
		return c.fault(n, n.text+" is a function of a string, not of "+t.String(), hint)
	}
	if fault := c.check(n.kids[1]); fault != nil {
		return fault
	}
	return c.wants(n.kids[1], n.text+" takes a string", String)
}

// checkEach checks list.exists(x, condition) and its like.
func (c *checker) checkEach(n *node) *Fault {
	if fault := c.arguments(n, n.kids[1:], 2); fault != nil {
		return fault
	}
	of, x, body := n.kids[0].typ, n.kids[1], n.kids[2]
	elem := of.elem()
	switch of.kind() {
	case Dyn, List:
	case Map, Object:
		elem = stringType
	default:
		return c.fault(n, n.text+" is a function of a list or a map, not of "+of.String(), "")
	}
	if x.op != opName {
		return c.fault(x, "the first argument of "+n.text+" is the name of its variable", "write "+n.text+"(x, …), with x in what follows")
	}
	n.slot = len(c.locals)
	c.locals = append(c.locals, Variable{Name: x.text, Type: elem})
	c.deepest = max(c.deepest, len(c.locals))
	fault := c.check(body)
	c.locals = c.locals[:n.slot]
	if fault != nil {
		return fault
	}
	n.kids = []*node{n.kids[0], body}
	return c.eachType(n, elem)
}

// eachType is what a comprehension gives.
func (c *checker) eachType(n *node, elem *Type) *Fault {
	switch n.op {
	case opMapEach:
		n.typ = ListOf(n.kids[1].typ)
		c.builds = true
		return nil
	case opFilter:
		n.typ = ListOf(elem)
	default:
		n.typ = boolType
	}
	return c.wants(n.kids[1], n.text+" takes a condition", Bool)
}
