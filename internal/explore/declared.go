package explore

import (
	"slices"
	"strings"

	"harness/internal/model"
	"harness/internal/strictjson"
)

// declared are the calls of declared tools that stand in the script, one of each tool
// that does not, and the same calls with another value of one argument: out of the
// script, of what the tool says it takes, and of the world's keys.
func (b *spelling) declared() {
	b.uncalled()
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

// uncalled adds a call of each declared tool that the script does not call.
func (b *spelling) uncalled() {
	for _, t := range b.cfg.Machine.Registry.Tools() {
		name := t.Contract().Name
		called := slices.ContainsFunc(b.calls, func(c scriptedCall) bool { return c.tool == name })
		if !b.isDeclared(name) || called {
			continue
		}
		args := b.sample(t.Contract().Input.JSON(), 0)
		if t.Contract().Input.Violation(args) != nil {
			b.left = append(b.left, "calls of "+name+" with arguments that fit: none were found, and the script has none")
		}
		value := strictjson.Sorted(strictjson.OfObject(
			strictjson.Member{Name: "type", Value: strictjson.OfString("call")},
			strictjson.Member{Name: "tool", Value: strictjson.OfString(name)},
			strictjson.Member{Name: "arguments", Value: args},
		))
		b.calls = append(b.calls, scriptedCall{value: value, raw: strictjson.AppendCanonical(nil, value), tool: name, args: args})
	}
}

// longestSample is what a text or a list of a sample has at most.
const longestSample = 64

// sample is a small value that a schema describes, as far as its plain keywords say:
// of an object what is required.
func (b *spelling) sample(schema strictjson.Value, depth int) strictjson.Value {
	const shallow, deepest = 2, 8
	of := func(keyword string) strictjson.Value { v, _ := schema.Get(keyword); return v }
	if values := of("enum").Items(); len(values) > 0 {
		return values[0]
	}
	for _, keyword := range []string{"const", "default"} {
		if v := of(keyword); !v.IsZero() {
			return v
		}
	}
	kind := of("type")
	if kinds := kind.Items(); len(kinds) > 0 {
		kind = kinds[0]
	}
	bound := func(keyword string, otherwise int64) int64 {
		if n, ok := of(keyword).Int(); ok {
			return n
		}
		return otherwise
	}
	short := func(keyword string, otherwise int64) int64 {
		return min(max(bound(keyword, otherwise), 0), longestSample)
	}
	switch kind.Str() {
	case "integer", "number":
		return strictjson.OfInt(bound("minimum", min(1, bound("maximum", 1))))
	case "boolean":
		return strictjson.OfBool(true)
	case "null":
		return strictjson.OfNull()
	case "array":
		var items []strictjson.Value
		for n := short("minItems", 0); depth <= shallow && n > 0; n-- { // lists in lists multiply
			items = append(items, b.sample(of("items"), depth+1))
		}
		return strictjson.OfArray(items...)
	case "object":
		var members []strictjson.Member
		for _, name := range of("required").Items() {
			if property, has := of("properties").Get(name.Str()); has && depth < deepest {
				members = append(members, strictjson.Member{Name: name.Str(), Value: b.sample(property, depth+1)})
			}
		}
		return strictjson.Sorted(strictjson.OfObject(members...))
	default:
		return strictjson.OfString(strings.Repeat("a", int(short("minLength", 1))))
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
