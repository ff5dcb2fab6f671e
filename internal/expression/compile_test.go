package expression

import (
	"slices"
	"strings"
	"testing"
)

// order is what the tests' typed expressions are about.
func order() []Variable {
	item := &Type{Kind: Object, Fields: []Field{{Name: "sku", Type: Of(String)}, {Name: "count", Type: Of(Number)}}}
	return []Variable{
		{Name: "args", Type: &Type{Kind: Object, Fields: []Field{
			{Name: "id", Type: Of(String)},
			{Name: "amount", Type: Of(Number)},
			{Name: "urgent", Type: Of(Bool)},
			{Name: "note", Type: Of(String), Optional: true},
			{Name: "items", Type: ListOf(item)},
			{Name: "labels", Type: MapOf(Of(String))},
			{Name: "cost-center", Type: Of(String)},
		}}},
		{Name: "world", Type: Of(Dyn)},
		{Name: "nothing", Type: Of(Null)},
		{Name: "any"},
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`args.id`, "string"},
		{`args["cost-center"]`, "string"},
		{`args.labels.x`, "string"},
		{`args.items`, "list({sku: string, count: number})"},
		{`args.items[0].count`, "number"},
		{`args[args.id]`, "dyn"},
		{`args.items[0][args.id]`, "dyn"},
		{`{"a": 1}[args.id]`, "number"},
		{`world.x.y`, "dyn"},
		{`any[0]`, "dyn"},
		{`args.urgent ? args.id : args.note`, "string"},
		{`args.urgent ? 1 : any`, "dyn"},
		{`args.urgent ? [1] : []`, "list(dyn)"},
		{`args.urgent ? args : {"id": "x"}`, "map(string, dyn)"},
		{`[1, 2]`, "list(number)"},
		{`[1, "a"]`, "list(dyn)"},
		{`{"a": 1, "b": 2}`, "map(string, number)"},
		{`{"a": 1, "b": true}`, "map(string, dyn)"},
		{`any + 1`, "number"},
		{`any + any`, "dyn"},
		{`any + "x"`, "string"},
		{`any + [1]`, "list(dyn)"},
		{`any - any`, "number"},
		{`any == 1`, "bool"},
		{`args.items.map(i, i.sku)`, "list(string)"},
		{`args.items.filter(i, i.count > 1)`, "list({sku: string, count: number})"},
		{`args.labels.filter(k, true)`, "list(string)"},
		{`size(any)`, "number"},
		{`string(any)`, "string"},
		{`nothing`, "null"},
	} {
		if got := compiled(t, c.source, order(), nil).Type().String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.source, got, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		source  string
		offset  int
		message string
		hint    string // a part of it
	}{
		// the text
		{``, 0, "expected a value, but the expression ends", ""},
		{` `, 1, "expected a value, but the expression ends", ""},
		{"\"é\xff\"", 2, "this is no valid UTF-8", ""},
		{`"é" "x"`, 4, `expected an operator or the end, got "\"x\""`, ""},
		{`args.id = "x"`, 8, `the character "=" has no meaning here`, "=="},
		{`any & any`, 4, `the character "&" has no meaning here`, "&&"},
		{`any and any`, 4, `expected an operator or the end, got "and"`, "&&"},
		{`not any`, 4, `expected an operator or the end, got "any"`, ""},
		{`any // why`, 4, "expressions have no comments", ""},
		{`any == “x”`, 7, `the character "“" has no meaning here`, `"…"`},
		{`any.?x`, 4, `expected a member's name, got "?"`, ""},
		{`any ?? 1`, 5, `expected a value, got "?"`, "has(a.b)"},
		{`any.in`, 4, `expected a member's name, got "in"`, `a["…"]`},
		{`any.`, 4, "expected a member's name, but the expression ends", ""},
		{`any["x"`, 7, "expected ], but the expression ends", ""},
		{`(any`, 4, "expected ), but the expression ends", ""},
		{`[1 2]`, 3, `expected ], got "2"`, ""},
		{`{"a" 1}`, 5, `expected :, got "1"`, ""},
		{`any ? 1`, 7, "expected :, but the expression ends", ""},
		{`!-any`, 1, `expected a value, got "-"`, "parentheses"},
		{`import`, 0, "the word import is reserved", ""},
		{`any == "x`, 7, "this string does not end", `close it with "`},
		{"'a\nb'", 0, "this string does not end on its line", `\n`},
		{`'''a'''`, 0, "a string with three quotes on each side", ""},
		{`"ab\d"`, 3, "this escape is not known", `\uXXXX`},
		{`"\ud83d\ude00"`, 1, "this escape names no character", `\U`},
		{`"\U00110000"`, 1, "this escape names no character", ""},
		{`"\uFFFFFFF"`, 0, "", ""}, // four digits, then letters
		{`"\u12"`, 1, "this escape names no character", "four"},
		{`"\`, 1, "nothing follows the backslash", ""},
		{`07`, 0, "this is no number", "zeros"},
		{`1u`, 0, "this is no number", "decimal"},
		{`0x1F`, 0, "this is no number", "decimal"},
		{`9007199254740993`, 0, `the number "9007199254740993" would become 9007199254740992`, "15"},
		{`1e400`, 0, `the number "1e400" is beyond the range of a 64-bit float`, ""},

		// names and members
		{`wrold.x`, 0, "unknown name: wrold", "did you mean world? the names are args, world, nothing, any"},
		{`args.items.all(i, j.count > 1)`, 18, "unknown name: j", "i, args"},
		{`args.items.all(i, true) && i`, 27, "unknown name: i", ""},
		{`size == 1`, 0, "size is a function", "size(…)"},
		{`args.amuont > 1`, 5, "no such member: amuont", "did you mean amount? the members are id, amount"},
		{`args["noet"]`, 5, "no such member: noet", "did you mean note?"},
		{`args.cost_center`, 5, "no such member: cost_center", `did you mean "cost-center"?`},
		{`args.id.size`, 8, "no such member: size; string has no members", "size(…)"},
		{`args.items.sku`, 11, "no such member: sku; list({sku: string, count: number}) has no members", ""},
		{`has(args.nte)`, 9, "no such member: nte", "note"},
		{`has(args)`, 4, "has takes a member: has(a.b)", ""},
		{`has(args["id"])`, 8, "has takes a member: has(a.b)", `"key" in a`},
		{`"nte" in args`, 0, "no such member: nte", "note"},
		{`args.items["a"]`, 11, "a list is indexed by a number, not string", ""},
		{`args.labels[0]`, 12, "a map is indexed by a string, not number", ""},
		{`args.id[0]`, 7, "string has no elements", ""},
		{`any[true]`, 4, "an index is a number or a string, not bool", ""},

		// operators
		{`args.id == 1`, 8, "== compares string with number, which are never equal", ""},
		{`args.note != null`, 10, "!= compares string with null, which are never equal", "has(a.b)"},
		{`args.items == ["a"]`, 11, "== compares list({sku: string, count: number}) with list(string), which are never equal", ""},
		{`args.items[0] == {"sku": 1}`, 14, "== compares {sku: string, count: number} with map(string, number), which are never equal", ""},
		{`args.amount < "1"`, 12, "< takes two numbers or two strings, not number and string", ""},
		{`args.urgent < true`, 5, "< takes two numbers or two strings, not bool", ""},
		{`args.id + args.amount`, 8, "+ takes two numbers, two strings or two lists, not string and number", ""},
		{`[1] + ["a"]`, 4, "the lists hold different things: list(number) and list(string)", ""},
		{`args.id - "x"`, 5, "- takes numbers, not string", ""},
		{`-args.id`, 6, "- takes a number, not string", ""},
		{`!args.id`, 6, "! takes true or false, not string", ""},
		{`args.id && true`, 5, "&& takes true or false, not string", ""},
		{`any || args.amount`, 12, "|| takes true or false, not number", ""},
		{`args.id ? 1 : 2`, 5, "?: takes true or false before the ?, not string", ""},
		{`any ? 1 : "a"`, 4, "?: gives number or string, and must give one type", ""},
		{`1 in ["a"]`, 2, "number is never in list(string)", ""},
		{`"a" in args.id`, 4, "in looks into a list or a map, not into string", "contains"},
		{`1 in args.labels`, 0, "the keys of a map are strings, not number", ""},
		{`{1: 2}`, 1, "the keys of a map are strings, not number", ""},
		{`{"a": 1, "a": 2}`, 9, `the key "a" is given twice`, ""},

		// functions
		{`sizes(any)`, 0, "unknown function: sizes", "did you mean size?"},
		{`matches(any, "x")`, 0, "unknown function: matches", "the functions are"},
		{`any.matches("x")`, 4, "unknown function: matches", "the functions are"},
		{`any.exist(x, true)`, 4, "unknown function: exist", "did you mean exists?"},
		{`startsWith(any, "a")`, 0, "unknown function: startsWith", "x.startsWith(…)"},
		{`any.string()`, 4, "unknown function: string", "string(x)"},
		{`size()`, 0, "size takes 1 argument, not 0", ""},
		{`any.size(1)`, 4, "size takes 0 arguments, not 1", ""},
		{`args.id.contains()`, 8, "contains takes 1 argument, not 0", ""},
		{`any.exists(true)`, 4, "exists takes 2 arguments, not 1", ""},
		{`any.exists(x.y, true)`, 13, "the first argument of exists is the name of its variable", ""},
		{`args.id.exists(x, true)`, 8, "exists is a function of a list or a map, not of string", ""},
		{`args.items.contains("a")`, 11, "contains is a function of a string, not of list({sku: string, count: number})", "x in list"},
		{`args.id.startsWith(1)`, 19, "startsWith takes a string, not number", ""},
		{`args.items.all(i, i.count)`, 20, "all takes a condition, not number", ""},
		{`size(1)`, 5, "size takes a string, a list or a map, not number", ""},
		{`string(null)`, 7, "string takes a number, true or false, or a string, not null", ""},
	} {
		_, fault := Compile(c.source, order(), nil)
		if c.message == "" {
			if fault != nil {
				t.Errorf("%s: got %q, want no fault", c.source, fault.Message)
			}
			continue
		}
		if fault == nil {
			t.Errorf("%s: compiled, want %q", c.source, c.message)
			continue
		}
		if fault.Offset != c.offset || fault.Message != c.message || !strings.Contains(fault.Hint, c.hint) {
			t.Errorf("%s: got %d %q (%q), want %d %q (%q)", c.source, fault.Offset, fault.Message, fault.Hint, c.offset, c.message, c.hint)
		}
	}
}

func TestWantedType(t *testing.T) {
	object := &Type{Kind: Object, Fields: []Field{{Name: "a", Type: Of(Number)}, {Name: "b", Type: Of(Number), Optional: true}}}
	for _, c := range []struct {
		source string
		want   *Type
		fault  string
	}{
		{`args.urgent`, Of(Bool), ""},
		{`any`, Of(Bool), ""},
		{`args.id`, nil, ""},
		{`args.id`, Of(Bool), "the expression gives string, but must give bool"},
		{`[1]`, ListOf(Of(String)), "the expression gives list(number), but must give list(string)"},
		{`[]`, ListOf(Of(String)), ""},
		{`{"a": 1}`, object, ""},
		{`{"a": "x"}`, object, "the expression gives map(string, string), but must give {a: number, b?: number}"},
		{`args`, object, "the expression gives " + order()[0].Type.String() + ", but must give {a: number, b?: number}"},
		{`args`, order()[0].Type, ""},
	} {
		_, fault := Compile(c.source, order(), c.want)
		got := ""
		if fault != nil {
			got = fault.Message
		}
		if got != c.fault {
			t.Errorf("%s as %s: got %q, want %q", c.source, c.want, got, c.fault)
		}
	}
}

func TestNamesAreInTheOrderOfTheirFirstUse(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
	}{
		{`1 == 1`, nil},
		{`world.a || args.urgent && has(world.b)`, []string{"world", "args"}},
		{`args.items.exists(world, world.count > any)`, []string{"args", "any"}},
		{`any ? world : [nothing, args]`, []string{"any", "world", "nothing", "args"}},
	} {
		if got := compiled(t, c.source, order(), nil).Names(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.source, got, c.want)
		}
	}
}

func TestTypesAreShownShort(t *testing.T) {
	long := &Type{Kind: Object}
	for range 50 {
		long.Fields = append(long.Fields, Field{Name: "member", Type: Of(Number)})
	}
	self := ListOf(nil)
	self.Elem = self
	for _, c := range []struct {
		is   *Type
		want string
	}{
		{nil, "dyn"},
		{&Type{Kind: Object}, "{}"},
		{MapOf(ListOf(nil)), "map(string, list(dyn))"},
		{&Type{Kind: Object, Fields: []Field{{Name: "a b", Type: Of(Null), Optional: true}}}, `{"a b"?: null}`},
		{self, "list(list(list(list(list(…)))))"},
	} {
		if got := c.is.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if got := long.String(); len(got) > typeTextSize+len("…") || !strings.HasSuffix(got, "…") {
		t.Errorf("got %s, want at most %d bytes and …", got, typeTextSize)
	}
}

// Types may hold themselves; what is done with them ends.
func TestTypesThatHoldThemselves(t *testing.T) {
	tree := &Type{Kind: Object, Fields: []Field{{Name: "name", Type: Of(String)}}}
	tree.Fields = append(tree.Fields, Field{Name: "kids", Type: ListOf(tree)})
	twin := &Type{Kind: Object, Fields: []Field{{Name: "name", Type: Of(String)}}}
	twin.Fields = append(twin.Fields, Field{Name: "kids", Type: ListOf(twin)})
	variables := []Variable{{Name: "a", Type: tree}, {Name: "b", Type: twin}}
	p := compiled(t, `a == b ? [a] : [b]`, variables, ListOf(tree))
	v := parsed(t, `{"name": "x", "kids": [{"name": "y", "kids": []}]}`)
	if _, err := p.Eval(v, v); err != nil {
		t.Error(err)
	}
	if _, err := p.Eval(v, parsed(t, `{"name": "x", "kids": [{"name": "y"}]}`)); textOf(err) != "the result is a list, and must be "+ListOf(tree).String() {
		t.Errorf("got %v, want an error", err)
	}
}
