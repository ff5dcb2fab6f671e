package expression

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"harness/internal/strictjson"
)

// equal reports whether two values are the same: numbers by value, objects in
// whatever order their members stand. Values of different kinds are not equal.
// Steps are taken before it goes deeper, since they bound how deep that is.
func (m *machine) equal(n *node, a, b strictjson.Value) (same, ok bool) {
	if m.steps--; m.steps < 0 {
		return false, m.fails(failure{reason: tooMuchWork, node: n})
	}
	if a.Kind() != b.Kind() {
		return false, true
	}
	switch a.Kind() {
	case strictjson.Array:
		return m.equalItems(n, a.Items(), b.Items())
	case strictjson.Object:
		return m.equalMembers(n, a.Members(), b.Members())
	case strictjson.String:
		return a.Str() == b.Str(), m.spendText(n, min(len(a.Str()), len(b.Str())))
	default:
		return a == b, true
	}
}

func (m *machine) equalItems(n *node, a, b []strictjson.Value) (same, ok bool) {
	if len(a) != len(b) {
		return false, true
	}
	for i := range a {
		if same, ok := m.equal(n, a[i], b[i]); !same || !ok {
			return same, ok
		}
	}
	return true, true
}

func (m *machine) equalMembers(n *node, a, b []strictjson.Member) (same, ok bool) {
	if len(a) != len(b) {
		return false, true
	}
	if !m.spendNames(n, a) || !m.spendNames(n, b) {
		return false, false
	}
	if !slices.EqualFunc(a, b, sameName) {
		a, b = sortedMembers(a), sortedMembers(b)
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			return false, true
		}
		if same, ok := m.equal(n, a[i].Value, b[i].Value); !same || !ok {
			return same, ok
		}
	}
	return true, true
}

// spendNames takes the steps for looking at all names of an object.
func (m *machine) spendNames(n *node, members []strictjson.Member) bool {
	bytes := 0
	for i := range members {
		bytes += len(members[i].Name)
	}
	return m.spend(n, len(members)+bytes/textPerStep)
}

func sameName(a, b strictjson.Member) bool { return a.Name == b.Name }

// sortedMembers is members in the order of their names, by code points.
func sortedMembers(members []strictjson.Member) []strictjson.Member {
	byName := func(a, b strictjson.Member) int { return cmp.Compare(a.Name, b.Name) }
	if slices.IsSortedFunc(members, byName) {
		return members
	}
	members = slices.Clone(members)
	slices.SortStableFunc(members, byName)
	return members
}

// isIn is "a in b": an element of a list, a key of a map.
func (m *machine) isIn(n *node, a, b strictjson.Value) (strictjson.Value, bool) {
	switch b.Kind() {
	case strictjson.Array:
		items := b.Items()
		for i := range items {
			same, ok := m.equal(n, a, items[i])
			if same || !ok {
				return strictjson.OfBool(same), ok
			}
		}
		return strictjson.OfBool(false), true
	case strictjson.Object:
		if a.Kind() != strictjson.String {
			return strictjson.OfBool(false), true // no key is anything else
		}
		found, ok := m.find(n, b, a.Str())
		return strictjson.OfBool(found != nil), ok
	default:
		return m.failWith(n, noOperation, a, b)
	}
}

// add is a + b.
func (m *machine) add(n *node, a, b strictjson.Value) (strictjson.Value, bool) {
	switch {
	case a.Kind() == strictjson.String && b.Kind() == strictjson.String:
		s, t := a.Str(), b.Str()
		if len(s)+len(t) > maxText {
			return m.fail(n, tooLong)
		}
		if !m.spendText(n, len(s)+len(t)) {
			return strictjson.Value{}, false
		}
		return strictjson.OfString(s + t), true
	case a.Kind() == strictjson.Array && b.Kind() == strictjson.Array:
		s, t := a.Items(), b.Items()
		if len(s)+len(t) > maxElements {
			return m.fail(n, tooManyElements)
		}
		if !m.spend(n, (len(s)+len(t))/elementsPerStep) {
			return strictjson.Value{}, false
		}
		return strictjson.OfArray(slices.Concat(s, t)...), true
	default:
		return m.arithmetic(n, a, b)
	}
}

// size counts code points, elements or members.
func (m *machine) size(n *node, v strictjson.Value) (strictjson.Value, bool) {
	switch v.Kind() {
	case strictjson.String:
		if !m.spendText(n, len(v.Str())) {
			return strictjson.Value{}, false
		}
		return strictjson.OfInt(int64(utf8.RuneCountInString(v.Str()))), true
	case strictjson.Array:
		return strictjson.OfInt(int64(len(v.Items()))), true
	case strictjson.Object:
		return strictjson.OfInt(int64(len(v.Members()))), true
	default:
		return m.failWith(n, noOperation, v, strictjson.Value{})
	}
}

func (m *machine) toString(n *node, v strictjson.Value) (strictjson.Value, bool) {
	switch v.Kind() {
	case strictjson.String:
		return v, true
	case strictjson.Number, strictjson.Bool:
		var buf [32]byte
		return strictjson.OfString(string(strictjson.AppendCanonical(buf[:0], v))), true
	default:
		return m.failWith(n, noOperation, v, strictjson.Value{})
	}
}

// searchText evaluates startsWith, endsWith and contains.
func (m *machine) searchText(n *node, a, b strictjson.Value) (strictjson.Value, bool) {
	if a.Kind() != strictjson.String || b.Kind() != strictjson.String {
		return m.failWith(n, noOperation, a, b)
	}
	s, part := a.Str(), b.Str()
	switch n.op {
	case opStartsWith:
		return strictjson.OfBool(strings.HasPrefix(s, part)), m.spendText(n, len(part))
	case opEndsWith:
		return strictjson.OfBool(strings.HasSuffix(s, part)), m.spendText(n, len(part))
	default:
		if !m.spendText(n, len(s)) {
			return strictjson.Value{}, false
		}
		return strictjson.OfBool(strings.Contains(s, part)), true
	}
}
