package strictjson

import (
	"testing"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	const doc = `{"a":{"b":[1,-2.5,"x,]\"}",[],{}],"c":true},"é":null,"z":{"":7}}`
	for _, c := range []struct {
		path []Step
		want string
	}{
		{[]Step{{Name: "a"}}, `{"b":[1,-2.5,"x,]\"}",[],{}],"c":true}`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 0}}, `1`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 1}}, `-2.5`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 2}}, `"x,]\"}"`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 3}}, `[]`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 4}}, `{}`},
		{[]Step{{Name: "a"}, {Name: "b"}, {Index: 5}}, ``},
		{[]Step{{Name: "a"}, {Name: "c"}}, `true`},
		{[]Step{{Name: "é"}}, `null`},
		{[]Step{{Name: "b"}}, ``},
		{[]Step{{Name: "a"}, {Index: 0}}, ``},
		{[]Step{{Name: "a"}, {Name: "c"}, {Name: "d"}}, ``},
		{[]Step{{Index: 0}}, ``},
	} {
		got, ok := Find([]byte(doc), c.path...)
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%v: got %q, %v, want %q", c.path, got, ok, c.want)
		}
	}
	if _, ok := Find(nil, Step{Name: "a"}); ok {
		t.Error("found something in nothing")
	}
}

// Find gives what walking the value gives.
func TestFindAgreesWithGet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var members []Member
		for _, name := range rapid.SliceOfNDistinct(rapid.StringN(1, 5, -1), 1, 5, rapid.ID[string]).Draw(t, "names") {
			members = append(members, Member{name, OfArray(OfString(rapid.String().Draw(t, "text")), OfInt(3))})
		}
		v := OfObject(members...)
		doc := AppendCanonical(nil, v)
		name := rapid.SampledFrom(members).Draw(t, "member").Name
		list, _ := v.Get(name)
		for i, item := range list.Items() {
			got, ok := Find(doc, Step{Name: name}, Step{Index: i})
			if want := string(AppendCanonical(nil, item)); !ok || string(got) != want {
				t.Fatalf("%q[%d]: got %q, want %q in %s", name, i, got, want, doc)
			}
		}
	})
}
