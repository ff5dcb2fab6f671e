package expression

import "harness/internal/strictjson"

// elements evaluates what a comprehension goes through: the elements of a list,
// or the keys of a map in the order of their code points.
func (m *machine) elements(n *node) ([]strictjson.Value, bool) {
	v, ok := m.eval(n.kids[0])
	if !ok {
		return nil, false
	}
	switch v.Kind() {
	case strictjson.Array:
		return v.Items(), true
	case strictjson.Object:
		if !m.spendNames(n, v.Members()) {
			return nil, false
		}
		members := sortedMembers(v.Members())
		keys := make([]strictjson.Value, len(members))
		for i := range members {
			keys[i] = strictjson.OfString(members[i].Name)
		}
		return keys, true
	default:
		_, ok := m.failWith(n, noOperation, v, strictjson.Value{})
		return nil, ok
	}
}

// quantify evaluates exists (where true decides) and all (where false does). As
// with || and &&, one element that decides makes the errors of the others not
// count.
func (m *machine) quantify(n *node, decisive bool) (strictjson.Value, bool) {
	items, ok := m.elements(n)
	if !ok {
		return strictjson.Value{}, false
	}
	failed := false
	for i := 0; i < len(items) && !m.stopped(); i++ {
		m.locals[n.slot] = items[i]
		v, ok := m.truth(n.kids[1])
		if ok && v == decisive {
			m.release(failed)
			return strictjson.OfBool(decisive), true
		}
		if !ok && !failed {
			failed = true
			m.holding++
		}
	}
	m.release(failed)
	return strictjson.OfBool(!decisive), !failed
}

// release ends what quantify may have begun to hold.
func (m *machine) release(held bool) {
	if held {
		m.holding--
	}
}

// filter gives the elements for which the condition holds.
func (m *machine) filter(n *node) (strictjson.Value, bool) {
	items, ok := m.elements(n)
	if !ok {
		return strictjson.Value{}, false
	}
	var kept []strictjson.Value
	for i := range items {
		m.locals[n.slot] = items[i]
		holds, ok := m.truth(n.kids[1])
		if !ok {
			return strictjson.Value{}, false
		}
		if holds {
			kept = append(kept, items[i])
		}
	}
	return strictjson.OfArray(kept...), true
}

// each gives what an expression gives for every element. That a list has at most
// maxElements follows from the steps.
func (m *machine) each(n *node) (strictjson.Value, bool) {
	items, ok := m.elements(n)
	if !ok {
		return strictjson.Value{}, false
	}
	var list []strictjson.Value
	for i := range items {
		m.locals[n.slot] = items[i]
		v, ok := m.eval(n.kids[1])
		if !ok {
			return v, false
		}
		list = append(list, v)
	}
	return strictjson.OfArray(list...), true
}

// measure refuses a result that is larger than a program may make: a list that
// holds one part many times is small in memory and huge when it is written.
func (m *machine) measure(n *node, v strictjson.Value) bool {
	left := budget{parts: maxElements, bytes: maxText}
	if !left.fits(v, maxNesting) {
		return m.fails(failure{reason: tooLargeResult, node: n})
	}
	return true
}

// budget is what a result may still hold.
type budget struct {
	parts, bytes int
}

func (b *budget) fits(v strictjson.Value, depth int) bool {
	b.parts--
	b.bytes -= len(v.Str())
	if b.parts < 0 || b.bytes < 0 {
		return false
	}
	items, members := v.Items(), v.Members()
	if len(items)+len(members) > 0 && depth == 0 {
		return false
	}
	for i := range items {
		if !b.fits(items[i], depth-1) {
			return false
		}
	}
	for i := range members {
		b.bytes -= len(members[i].Name)
		if !b.fits(members[i].Value, depth-1) {
			return false
		}
	}
	return true
}
