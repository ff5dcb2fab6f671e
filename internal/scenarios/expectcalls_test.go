package scenarios

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Faults of a list of calls stand at their place, each with its code and a hint.
func TestExpectedCallsFaults(t *testing.T) {
	for _, c := range []struct{ name, calls, want, hint string }{
		{"exact", "{list: [{tool: read, args: {path: a.txt}}]}", "", ""},
		{"everything", "{trace: superset, list: [{tool: read, args: {path: null}, match: fields, outcome: failed}]}", "", ""},
		{"nothing is looked at", "{list: [{tool: read, match: ignore}, {tool: read, args: {path: b}, match: ignore}]}", "", ""},
		{"no call", "{list: []}", "", ""},
		{"no call, as a subset", "{trace: subset, list: []}", "", ""},
		{"an empty list in order", "{trace: ordered, list: []}", "14:40 INVALID_VALUE", "trace: exact"},
		{"an empty superset", "{trace: superset, list: []}", "14:41 INVALID_VALUE", "trace: exact"},
		{"no list", "{trace: subset}", "14:17 MISSING_KEY", "list: []"},
		{"a list alone", "[{tool: read}]", "14:17 WRONG_TYPE", ""},
		{"unknown trace", "{trace: orderd, list: []}", "14:25 INVALID_VALUE", "did you mean ordered?"},
		{"unknown match", "{list: [{tool: read, args: {}, match: field}]}", "14:55 INVALID_VALUE", "did you mean fields?"},
		{"unknown outcome", "{list: [{tool: read, outcome: suceeded}]}", "14:47 INVALID_VALUE", "did you mean succeeded?"},
		{"unknown key", "{list: [{tool: read, arg: {}}]}", "14:38 UNKNOWN_KEY", "did you mean args?"},
		{"no tool", "{list: [{args: {}}]}", "14:25 MISSING_KEY", ""},
		{"unknown tool", "{list: [{tool: raed}]}", "14:32 BAD_REFERENCE", "did you mean read?"},
		{"finish", "{list: [{tool: finish}]}", "14:32 BAD_REFERENCE", "expect.status"},
		{"match without args", "{list: [{tool: read, match: subset}]}", "14:45 INVALID_VALUE", "leave match out"},
		{"arguments as a list", "{list: [{tool: read, args: [path]}]}", "14:44 WRONG_TYPE", "match: fields"},
		{"arguments as null", "{list: [{tool: read, args: null}]}", "14:44 WRONG_TYPE", "leave the key out"},
		{"an argument that is a date", "{list: [{tool: read, args: {path: 2026-01-02}}]}", "14:51 WRONG_TYPE", ""},
		{"an argument given twice", "{list: [{tool: read, args: {path: a, path: b}}]}", "14:54 DUPLICATE_YAML_KEY", ""},
		{"too many", "{list: [" + strings.Repeat("{tool: read},", maxListedCalls) + "{tool: read}]}", "14:24 INVALID_VALUE", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []string
			if c.want != "" {
				want = append(want, c.want)
			}
			found := expectFaults(t, plain+"expect: {calls: "+c.calls+"}\n", want...)
			if len(found) == 1 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}

// A declared tool can be called like any other, and is found by its nearest name.
func TestExpectedCallsOfDeclaredTools(t *testing.T) {
	const old = "expect: {holds"
	expectFaults(t, strings.Replace(shop, old, "expect: {calls: {list: [{tool: refund}]}, holds", 1))
	found := expectFaults(t, strings.Replace(shop, old, "expect: {calls: {list: [{tool: refnd}]}, holds", 1), "46:32 BAD_REFERENCE")
	if len(found) == 1 && found[0].Hint != "did you mean refund?" {
		t.Errorf("got the hint %q", found[0].Hint)
	}
}

// A case is laid over its file key by key, and only what comes of it is judged.
func TestExpectedCallsOfCases(t *testing.T) {
	text := plain + `expect: {calls: {trace: ordered}}
cases:
  - {id: one, expect: {calls: {list: [{tool: read}]}}}
  - {id: two, expect: {calls: {trace: exact, list: []}}}
`
	list, found := Parse("s.yaml", []byte(text))
	if found.Failed() {
		t.Fatal(found)
	}
	for i, want := range []string{Ordered, Exact} {
		if got := list[i].Expect.Calls.Way(); got != want {
			t.Errorf("%s: got %s, want %s", list[i].ID, got, want)
		}
	}
	expectFaults(t, text+"  - {id: three, expect: {calls: {list: []}}}\n  - {id: four, expect: {calls: {trace: subset}}}\n",
		"14:17 MISSING_KEY", "18:40 INVALID_VALUE")
}

// The place of an argument is that of its value, or of what would have to hold it.
func TestPlaceOfAnArgument(t *testing.T) {
	list, found := Parse("s.yaml", []byte(plain+"expect: {calls: {list: [{tool: read, args: {path: {a: [1, 2]}}}, {tool: read}]}}\n"))
	if found.Failed() {
		t.Fatal(found)
	}
	items := list[0].Expect.Calls.List.Items
	path := []strictjson.Step{{Name: "path"}, {Name: "a"}, {Index: 1}}
	for i, want := range []int{44, 51, 55, 59} {
		if got := items[0].At(path[:i]); got != (diag.Pos{Line: 14, Col: want}) {
			t.Errorf("%v: got %s, want 14:%d", path[:i], got, want)
		}
	}
	if got := items[0].At([]strictjson.Step{{Name: "other"}}); got.Col != 44 {
		t.Errorf("got %s, want that of all arguments", got)
	}
	if got := items[1].At(path); got.Col != 66 {
		t.Errorf("got %s, want that of the call", got)
	}
}

// Every key of a call is explained for its readers.
func TestKeysOfCallsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*shape{expectCallsShape(), expectCallShape()} {
		for _, name := range s.names {
			if !regexp.MustCompile("`" + name + "`").Match(page) {
				t.Errorf("docs/scenarios.md does not name %s", name)
			}
		}
	}
}
