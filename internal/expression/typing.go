package expression

import "harness/internal/strictjson"

// typeDepth is how deep two types are looked at; what lies deeper passes, and is
// seen at run time. Types may hold themselves.
const typeDepth = 20

// isMap reports whether values of the type are JSON objects.
func (t *Type) isMap() bool { return t.kind() == Map || t.kind() == Object }

// overlap reports whether one value could be of both types: whether they may be
// compared, and whether a result of one may be given where the other is wanted.
func overlap(a, b *Type) bool { return overlapping(a, b, typeDepth) }

func overlapping(a, b *Type, depth int) bool {
	switch {
	case depth == 0 || a == b || a.kind() == Dyn || b.kind() == Dyn:
		return true
	case a.isMap() && b.isMap():
		return membersOverlap(a, b, depth-1) && membersOverlap(b, a, depth-1)
	case a.kind() != b.kind():
		return false
	case a.kind() == List:
		// Two empty lists are equal, whatever they are lists of. CEL wants the types
		// to agree all the same, and so do readers.
		return overlapping(a.Elem, b.Elem, depth-1)
	default:
		return true
	}
}

// membersOverlap reports whether each member that a is sure to have could be a
// member of b.
func membersOverlap(a, b *Type, depth int) bool {
	if a.kind() == Map {
		return b.kind() != Map || overlapping(a.Elem, b.Elem, depth)
	}
	for _, f := range a.Fields {
		if f.Optional {
			continue
		}
		member, known := b.Elem, true
		if b.kind() == Object {
			var field Field
			field, known = b.field(f.Name)
			member = field.Type
		}
		if !known || !overlapping(f.Type, member, depth) {
			return false
		}
	}
	return true
}

// join is the type of a value that is of either type; false if they have nothing
// in common.
func join(a, b *Type) (*Type, bool) { return joined(a, b, typeDepth) }

func joined(a, b *Type, depth int) (*Type, bool) {
	switch {
	case a == b:
		return a, true
	case depth == 0 || a.kind() == Dyn || b.kind() == Dyn:
		return nil, true
	case a.kind() == Object && b.isMap(), b.kind() == Object && a.isMap():
		return MapOf(nil), true
	case a.kind() != b.kind():
		return nil, false
	case a.kind() == List || a.kind() == Map:
		elem, ok := joined(a.Elem, b.Elem, depth-1)
		return &Type{Kind: a.Kind, Elem: elem}, ok
	default:
		return a, true
	}
}

// conforms reports whether a value is of a type. It is false, too, when the work
// has become too much; see stopped.
func (m *machine) conforms(v strictjson.Value, t *Type) bool {
	if m.steps--; m.steps < 0 {
		return m.fails(failure{reason: tooMuchWork})
	}
	switch t.kind() {
	case Dyn:
		return !v.IsZero()
	case List:
		if v.Kind() != strictjson.Array {
			return false
		}
		items := v.Items()
		for i := range items {
			if !m.conforms(items[i], t.Elem) {
				return false
			}
		}
		return true
	case Map, Object:
		return v.Kind() == strictjson.Object && m.membersConform(v, t)
	default:
		return v.Kind() == t.Kind.json()
	}
}

// membersConform reports whether an object's members are what a type says.
func (m *machine) membersConform(v strictjson.Value, t *Type) bool {
	required := 0
	for _, f := range t.Fields {
		if !f.Optional {
			required++
		}
	}
	members := v.Members()
	for i := range members {
		want := t.Elem
		if t.Kind == Object {
			f, known := t.field(members[i].Name)
			if !known {
				return false
			}
			if !f.Optional {
				required--
			}
			want = f.Type
		}
		if !m.conforms(members[i].Value, want) {
			return false
		}
	}
	return required <= 0
}

// json is the kind of JSON value that a kind stands for; 0 for Dyn.
func (k Kind) json() strictjson.Kind {
	switch k {
	case Null:
		return strictjson.Null
	case Bool:
		return strictjson.Bool
	case Number:
		return strictjson.Number
	case String:
		return strictjson.String
	case List:
		return strictjson.Array
	case Map, Object:
		return strictjson.Object
	default:
		return 0
	}
}
