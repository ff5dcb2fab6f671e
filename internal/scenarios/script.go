package scenarios

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/model"
	"harness/internal/strictjson"
)

// scriptPart is the answers of a scripted model: whatever values the file gives,
// since a model may say anything.
type scriptPart struct {
	Pos   diag.Pos
	bad   bool
	items []model.Item
	at    []diag.Pos // of the items
	refs  []scriptRef
}

// scriptRef is a reference in a script.
type scriptRef struct {
	model.Reference
	pos  diag.Pos
	name string // of the value that holds it, for messages
}

// Set reports whether the script was given.
func (s scriptPart) Set() bool { return !s.Pos.IsZero() }

func (s scriptPart) refused() bool      { return s.bad }
func (s scriptPart) position() diag.Pos { return s.Pos }

func (s *scriptPart) decode(d *decoder, n *yaml.Node) {
	s.Pos = place(n)
	if s.bad = n.Kind != yaml.SequenceNode || skipped(n); s.bad {
		d.notA("a list", n, "write one answer a line after `- `")
		return
	}
	s.items, s.at = make([]model.Item, len(n.Content)), make([]diag.Pos, len(n.Content))
	for i, item := range n.Content {
		d.at(i)
		s.items[i], s.at[i] = s.item(d, item), place(item)
		d.out()
	}
}

// item reads one answer. Exact bytes are a mapping with raw or rawBase64 and
// nothing else but repeat; any other value is what the model says.
func (s *scriptPart) item(d *decoder, n *yaml.Node) model.Item {
	item := model.Item{Repeat: 1}
	var raw, repeat *yaml.Node
	others := 0
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			switch key := n.Content[i]; {
			case !isKey(key):
				others++
			case key.Value == "repeat":
				repeat = n.Content[i+1]
			case key.Value == "raw" || key.Value == "rawBase64":
				raw = key
			default:
				others++
			}
		}
	}
	if repeat != nil {
		d.in("repeat")
		item.Repeat = d.repeat(repeat)
		d.out()
	}
	if raw != nil && others == 0 {
		item.Raw = s.raw(d, n)
		return item
	}
	item.Value = s.value(d, n, repeat)
	return item
}

// raw reads exact bytes. They are never nil, which would mean "made from Value".
func (s *scriptPart) raw(d *decoder, n *yaml.Node) []byte {
	var text, base64 Text
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		d.in(key)
		switch {
		case key == "raw" && !text.Set():
			d.text(&text, v)
		case key == "rawBase64" && !base64.Set():
			d.text(&base64, v)
			if base64.ok() {
				base64.Value = d.base64(base64)
			}
		}
		d.out()
	}
	if text.Set() && base64.Set() {
		d.fault(n, InvalidValue, "has raw and rawBase64", "keep one of the two")
	}
	return append([]byte{}, text.or(base64.Value)...)
}

// repeat reads how often an answer is given.
func (d *decoder) repeat(n *yaml.Node) int {
	const hint = "write a number from 1, or forever"
	switch {
	case skipped(n):
		return 1
	case isText(n) && n.Value == "forever": // in quotes too, as JSON must write it
		return model.Forever
	case !isPlain(n) || !isDecimal(n.Value):
		d.fault(n, WrongType, wanted("a whole number or forever", n), hint)
		return 1
	}
	value, fault, _ := intOf(n)
	if fault == "" && value == 0 {
		fault = "must be at least 1, got 0"
	}
	if fault != "" {
		d.fault(n, InvalidValue, fault, hint)
		return 1
	}
	return value
}

// value reads any value as JSON; leave is a member to leave out.
func (s *scriptPart) value(d *decoder, n, leave *yaml.Node) strictjson.Value {
	return d.any(n, leave, s.reference)
}

// any reads any value as JSON. leave is a member to leave out; seen is told of every
// text that begins like a reference, if it is not nil.
func (d *decoder) any(n, leave *yaml.Node, seen func(*decoder, *yaml.Node)) strictjson.Value {
	if skipped(n) {
		return strictjson.OfNull()
	}
	switch n.Kind {
	case yaml.SequenceNode:
		items := make([]strictjson.Value, len(n.Content))
		for i, item := range n.Content {
			d.at(i)
			items[i] = d.any(item, nil, seen)
			d.out()
		}
		return strictjson.OfArray(items...)
	case yaml.MappingNode:
		members := make([]strictjson.Member, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, v := n.Content[i], n.Content[i+1]
			if !isKey(key) || v == leave {
				continue
			}
			d.in(key.Value)
			members = append(members, strictjson.Member{Name: key.Value, Value: d.any(v, nil, seen)})
			d.out()
		}
		return strictjson.OfObject(members...)
	}
	v, fault, hint := scalarValue(n)
	if fault != "" {
		d.fault(n, WrongType, fault, hint)
		return strictjson.OfNull()
	}
	if seen != nil && v.Kind() == strictjson.String && strings.HasPrefix(v.Str(), "${") {
		seen(d, n)
	}
	return v
}

// reference notes a text that is a reference, to be checked once it is known
// what tools and files the scenario has.
func (s *scriptPart) reference(d *decoder, n *yaml.Node) {
	ref, whole, fault := model.ParseReference(n.Value)
	if !whole {
		return
	}
	if fault != "" {
		d.fault(n, BadReference, "is no reference: "+fault,
			"write ${last.FIELD}, ${o1.FIELD} or ${read[\"PATH\"].FIELD}; $${ at the start stands for a literal ${")
		return
	}
	s.refs = append(s.refs, scriptRef{Reference: ref, pos: place(n), name: d.name()})
}

// checkRefs reports references that nothing the run observes can answer.
func (b *builder) checkRefs(s *scriptPart, kit *toolKit, w *world) {
	key := refsKey{script: s.Pos, world: w}
	if _, done := b.refs.get(key); done {
		return
	}
	b.refs.put(key, true)
	for _, ref := range s.refs {
		fields := kit.observed
		if path, isRead := ref.ReadPath(); isRead {
			fields = kit.read
			if !w.has(path) && !b.refused[path] {
				b.found.add(ref.pos, BadReference,
					ref.name+" names "+strictjson.Quote(path)+", which is neither in the repository nor in changes",
					b.nearPath(path, w.all()))
			}
		}
		if !canHold(fields, ref.Field()) {
			b.found.add(ref.pos, BadReference,
				ref.name+" names the field "+strictjson.Quote(ref.Field())+", which no such observation has",
				nearHint(ref.Field(), fields, ""))
		}
	}
}

// canHold reports whether an observation with these fields can hold another: one
// of them, or something that holds one of them.
func canHold(fields []string, field string) bool {
	if strings.HasPrefix(field, "details.") || strings.HasPrefix(field, "details[") {
		return slices.Contains(fields, "details")
	}
	return slices.ContainsFunc(fields, func(known string) bool {
		rest, ok := strings.CutPrefix(known, field)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
