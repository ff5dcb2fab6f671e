package expression

import "harness/internal/strictjson"

// find gives an object's member, nil if there is none.
func (m *machine) find(n *node, of strictjson.Value, name string) (found *strictjson.Member, ok bool) {
	members := of.Members()
	if !m.spend(n, len(members)/elementsPerStep) {
		return nil, false
	}
	for i := range members {
		if len(members[i].Name) != len(name) {
			continue
		}
		if !m.spendText(n, len(name)) {
			return nil, false
		}
		if members[i].Name == name && !members[i].Value.IsZero() {
			return &members[i], true
		}
	}
	return nil, true
}

// member is a.b.
func (m *machine) member(n *node) (strictjson.Value, bool) {
	of, ok := m.eval(n.kids[0])
	if !ok {
		return of, false
	}
	if of.Kind() != strictjson.Object {
		return m.failWith(n, noMembers, of, strictjson.Value{})
	}
	found, ok := m.find(n, of, n.text)
	if !ok {
		return strictjson.Value{}, false
	}
	if found == nil {
		return m.fail(n, noSuchMember)
	}
	return found.Value, true
}

// present is has(a.b). That a is not there is an error, as in CEL.
func (m *machine) present(n *node) (strictjson.Value, bool) {
	of, ok := m.eval(n.kids[0])
	if !ok {
		return of, false
	}
	if of.Kind() != strictjson.Object {
		return m.failWith(n, noMembers, of, strictjson.Value{})
	}
	found, ok := m.find(n, of, n.text)
	return strictjson.OfBool(found != nil), ok
}

// index is a[b], where b is not known before.
func (m *machine) index(n *node) (strictjson.Value, bool) {
	of, ok := m.eval(n.kids[0])
	if !ok {
		return of, false
	}
	key, ok := m.eval(n.kids[1])
	if !ok {
		return key, false
	}
	switch {
	case of.Kind() == strictjson.Array && key.Kind() == strictjson.Number:
		return m.element(n, of, key)
	case of.Kind() == strictjson.Object && key.Kind() == strictjson.String:
		found, ok := m.find(n, of, key.Str())
		switch {
		case !ok:
			return strictjson.Value{}, false
		case found == nil:
			return m.failWith(n, noSuchKey, key, strictjson.Value{})
		default:
			return found.Value, true
		}
	default:
		return m.failWith(n, badIndex, of, key)
	}
}

func (m *machine) element(n *node, of, key strictjson.Value) (strictjson.Value, bool) {
	items := of.Items()
	i, whole := key.Int()
	if !whole {
		return m.failWith(n, notWhole, key, strictjson.Value{})
	}
	if i < 0 || i >= int64(len(items)) {
		return m.failWith(n, outOfRange, key, of)
	}
	if items[i].IsZero() {
		return m.fail(n, notThere)
	}
	return items[i], true
}

// list is [a, b].
func (m *machine) list(n *node) (strictjson.Value, bool) {
	if !m.spend(n, len(n.kids)/elementsPerStep) {
		return strictjson.Value{}, false
	}
	items := make([]strictjson.Value, len(n.kids))
	for i, kid := range n.kids {
		v, ok := m.eval(kid)
		if !ok {
			return v, false
		}
		items[i] = v
	}
	return strictjson.OfArray(items...), true
}

// mapping is {k: v}.
func (m *machine) mapping(n *node) (strictjson.Value, bool) {
	if !m.spend(n, len(n.kids)/elementsPerStep) {
		return strictjson.Value{}, false
	}
	members := make([]strictjson.Member, 0, len(n.kids)/2)
	for i := 0; i < len(n.kids); i += 2 {
		key, ok := m.eval(n.kids[i])
		if !ok {
			return key, false
		}
		if key.Kind() != strictjson.String {
			return m.failWith(n.kids[i], badKey, key, strictjson.Value{})
		}
		v, ok := m.eval(n.kids[i+1])
		if !ok {
			return v, false
		}
		for j := range members {
			if members[j].Name == key.Str() {
				return m.failWith(n.kids[i], keyTwice, key, strictjson.Value{})
			}
		}
		members = append(members, strictjson.Member{Name: key.Str(), Value: v})
	}
	return strictjson.OfObject(members...), true
}
