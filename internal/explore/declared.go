package explore

import (
	"slices"

	"harness/internal/model"
	"harness/internal/strictjson"
)

// declared are the calls of declared tools that stand in the script, and the same
// calls with another value of one argument: out of the script, of what the tool says
// it takes, and of the world's keys.
func (b *spelling) declared() {
	for i := range b.calls {
		if c := &b.calls[i]; b.isDeclared(c.tool) {
			b.sayValue(c.tool, c.value, c.raw)
		}
	}
	for i := range b.calls {
		c := &b.calls[i]
		if !b.isDeclared(c.tool) {
			continue
		}
		for _, arg := range c.args.Members() {
			if arg.Name == "type" && isFlat(c.value) {
				continue
			}
			for _, other := range b.otherValues(c, arg) {
				v := strictjson.Sorted(c.with(arg.Name, other))
				b.sayValue(c.tool, v, model.NewScript([]model.Item{{Value: v, Repeat: 1}}).Items()[0].Raw)
			}
		}
	}
}

func isFlat(v strictjson.Value) bool {
	kind, _ := v.Get("type")
	return kind.Str() != "call"
}

// otherValues are what a text or a number of a call could be instead.
func (b *spelling) otherValues(c *scriptedCall, arg strictjson.Member) []strictjson.Value {
	kind := arg.Value.Kind()
	if kind != strictjson.String && kind != strictjson.Number {
		return nil
	}
	var list []strictjson.Value
	add := func(v strictjson.Value) {
		same := func(w strictjson.Value) bool { return equal(v, w) }
		if v.Kind() == kind && !same(arg.Value) && !slices.ContainsFunc(list, same) && len(list) < mostOthers {
			list = append(list, v)
		}
	}
	for _, v := range b.takes(c.tool, arg.Name) {
		add(v)
	}
	for _, other := range b.calls {
		if v, given := other.args.Get(arg.Name); given && other.tool == c.tool {
			add(v)
		}
	}
	if w := b.cfg.World; w != nil && kind == strictjson.String {
		for _, collection := range w.Collections {
			for _, entry := range collection.Entries {
				add(strictjson.OfString(entry.Name))
			}
		}
	}
	return list
}

// takes are the values that a tool's schema names for an argument.
func (b *spelling) takes(tool, argument string) []strictjson.Value {
	t, ok := b.cfg.Machine.Registry.Lookup(tool, "")
	if !ok {
		return nil
	}
	properties, _ := t.Contract().Input.JSON().Get("properties")
	schema, _ := properties.Get(argument)
	values, _ := schema.Get("enum")
	return values.Items()
}

func equal(v, w strictjson.Value) bool {
	return string(strictjson.AppendCanonical(nil, v)) == string(strictjson.AppendCanonical(nil, w))
}
