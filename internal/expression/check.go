package expression

import (
	"slices"

	"harness/internal/strictjson"
)

// The types without parts.
var (
	dynType    = &Type{Kind: Dyn}
	nullType   = &Type{Kind: Null}
	boolType   = &Type{Kind: Bool}
	numberType = &Type{Kind: Number}
	stringType = &Type{Kind: String}
)

// checker gives every node its type, names their slots, and turns calls into
// what they do. It goes through the source from left to right.
type checker struct {
	source    string
	variables []Variable
	locals    []Variable // the comprehension variables that can be seen
	deepest   int        // most locals there were
	names     []string   // variables used
	builds    bool       // something may make a value larger than the values given
}

func (c *checker) fault(n *node, message, hint string) *Fault {
	return faultAt(c.source, n.at, message, hint)
}

// check checks a node and all below it.
func (c *checker) check(n *node) *Fault {
	switch n.op {
	case opName:
		return c.checkName(n)
	case opCall:
		return c.checkCall(n)
	case opMethod:
		return c.checkMethod(n)
	}
	for _, kid := range n.kids {
		if fault := c.check(kid); fault != nil {
			return fault
		}
	}
	switch n.op {
	case opLiteral:
		n.typ = literalType(n.value)
		return nil
	case opMember:
		return c.checkMember(n)
	case opIndex:
		return c.checkIndex(n)
	case opListOf:
		return c.checkList(n)
	case opMapOf:
		return c.checkMap(n)
	default:
		return c.checkOperator(n)
	}
}

func literalType(v strictjson.Value) *Type {
	switch v.Kind() {
	case strictjson.Null:
		return nullType
	case strictjson.Bool:
		return boolType
	case strictjson.Number:
		return numberType
	default:
		return stringType
	}
}

// checkName finds the variable that a name means. The innermost comprehension
// variable hides all others of its name.
func (c *checker) checkName(n *node) *Fault {
	named := func(v Variable) bool { return v.Name == n.text }
	for i := len(c.locals) - 1; i >= 0; i-- {
		if named(c.locals[i]) {
			n.op, n.slot, n.typ = opLocal, i, c.locals[i].Type
			return nil
		}
	}
	i := slices.IndexFunc(c.variables, named)
	if i < 0 {
		return c.unknownName(n)
	}
	n.op, n.slot, n.typ = opVariable, i, c.variables[i].Type
	if !slices.Contains(c.names, n.text) {
		c.names = append(c.names, n.text)
	}
	return nil
}

func (c *checker) unknownName(n *node) *Fault {
	if isFunction(n.text) {
		return c.fault(n, n.text+" is a function", "call it: "+n.text+"(…)")
	}
	var names []string
	for _, v := range slices.Concat(c.locals, c.variables) {
		names = append(names, v.Name)
	}
	list := ""
	if len(names) > 0 {
		list = "the names are " + listed(names)
	}
	return c.fault(n, "unknown name: "+shown(n.text), suggest(n.text, names, list))
}

// checkMember checks a.b, and a["b"] too.
func (c *checker) checkMember(n *node) *Fault {
	of := n.kids[0].typ
	switch of.kind() {
	case Dyn, Map:
		n.typ = of.elem()
		return nil
	case Object:
		f, ok := of.field(n.text)
		if !ok {
			return c.unknownMember(n, of)
		}
		n.typ = f.Type
		return nil
	default:
		hint := ""
		if isMethod(n.text) {
			hint = "call it: " + n.text + "(…)"
		}
		return c.fault(n, "no such member: "+shown(n.text)+"; "+of.String()+" has no members", hint)
	}
}

func (c *checker) unknownMember(n *node, of *Type) *Fault {
	names := make([]string, len(of.Fields))
	for i, f := range of.Fields {
		names[i] = f.Name
	}
	list := "there are no members"
	if len(names) > 0 {
		list = "the members are " + listed(names)
	}
	return c.fault(n, "no such member: "+shown(n.text), suggest(n.text, names, list))
}

// checkIndex checks a[b]. With a string that is known now, it is the member a.b.
func (c *checker) checkIndex(n *node) *Fault {
	of, key := n.kids[0].typ, n.kids[1]
	switch of.kind() {
	case List:
		n.typ = of.Elem
		return c.wants(key, "a list is indexed by a number", Number)
	case Dyn, Map, Object:
		if key.isText() {
			n.op, n.text, n.kids = opMember, key.value.Str(), n.kids[:1]
			n.at = key.at
			return c.checkMember(n)
		}
		if of.kind() == Dyn {
			return c.wants(key, "an index is a number or a string", Number, String)
		}
		n.typ = of.anyMember()
		return c.wants(key, "a map is indexed by a string", String)
	default:
		return c.fault(n, of.String()+" has no elements", "")
	}
}

// anyMember is the type of a member whose name is not known yet.
func (t *Type) anyMember() *Type {
	if t.Kind == Map || len(t.Fields) == 0 {
		return t.Elem
	}
	all := t.Fields[0].Type
	for _, f := range t.Fields[1:] {
		both, ok := join(all, f.Type)
		if !ok {
			return nil
		}
		all = both
	}
	return all
}

// wants is a fault unless a node is, or at run time may be, of one of the kinds.
func (c *checker) wants(n *node, message string, kinds ...Kind) *Fault {
	k := n.typ.kind()
	if k == Dyn || slices.Contains(kinds, k) {
		return nil
	}
	return c.fault(n, message+", not "+n.typ.String(), "")
}

// checkList checks [a, b]. A list of literals becomes a literal, made once.
func (c *checker) checkList(n *node) *Fault {
	n.typ = ListOf(commonType(n.kids))
	if !literals(n.kids) {
		c.builds = true
		return nil
	}
	items := make([]strictjson.Value, len(n.kids))
	for i, kid := range n.kids {
		items[i] = kid.value
	}
	n.op, n.value, n.kids = opLiteral, strictjson.OfArray(items...), nil
	return nil
}

// checkMap checks {k: v}. A map of literals becomes a literal, made once.
func (c *checker) checkMap(n *node) *Fault {
	var values []*node
	var known []string // keys
	for i := 0; i < len(n.kids); i += 2 {
		key := n.kids[i]
		if fault := c.wants(key, "the keys of a map are strings", String); fault != nil {
			return fault
		}
		if key.isText() {
			if slices.Contains(known, key.value.Str()) {
				return c.fault(key, "the key "+strictjson.Quote(key.value.Str())+" is given twice", "")
			}
			known = append(known, key.value.Str())
		}
		values = append(values, n.kids[i+1])
	}
	n.typ = MapOf(commonType(values))
	if !literals(n.kids) {
		c.builds = true
		return nil
	}
	var members []strictjson.Member
	for i := 0; i < len(n.kids); i += 2 {
		members = append(members, strictjson.Member{Name: n.kids[i].value.Str(), Value: n.kids[i+1].value})
	}
	n.op, n.value, n.kids = opLiteral, strictjson.OfObject(members...), nil
	return nil
}

func literals(list []*node) bool {
	return !slices.ContainsFunc(list, func(n *node) bool { return n.op != opLiteral })
}

// commonType is the type of each of the nodes; Dyn if they differ.
func commonType(list []*node) *Type {
	if len(list) == 0 {
		return nil
	}
	t := list[0].typ
	for _, n := range list[1:] {
		both, ok := join(t, n.typ)
		if !ok {
			return nil
		}
		t = both
	}
	return t
}
