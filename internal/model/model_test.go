package model

import (
	"testing"

	"harness/internal/strictjson"
)

// past answers references from fixed contents.
type past map[string]string

func (p past) Last() []byte              { return p.ByID("last") }
func (p past) LastRead(at string) []byte { return p.ByID("read " + at) }
func (p past) ByID(id string) []byte     { return []byte(p[id]) }

func value(t *testing.T, text string) strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseReference(t *testing.T) {
	for _, c := range []struct {
		text  string
		whole bool
		field string
		fault bool
	}{
		{"${last.baseHash}", true, "baseHash", false},
		{`${read["src/a b.ts"].baseHash}`, true, "baseHash", false},
		{"${o3.matches[0].path}", true, "matches[].path", false},
		{"${o3.2.cursor}", true, "cursor", false},
		{"${o12}", true, "", true},
		{"${last}", true, "", true},
		{"${lastly.x}", true, "", true},
		{"${next.x}", true, "", true},
		{"${last.}", true, "", true},
		{"${last[x]}", true, "", true},
		{"${last[99999999]}", true, "", true},
		{`${read["a}`, true, "", true},
		{"a ${last.x}", false, "", false},
		{"${last.x} b", false, "", false},
		{"$${last.x}", false, "", false},
		{"", false, "", false},
	} {
		ref, whole, fault := ParseReference(c.text)
		if whole != c.whole || (fault != "") != c.fault || !c.fault && ref.Field() != c.field {
			t.Errorf("%q: got whole %v, field %q, fault %q", c.text, whole, ref.Field(), fault)
		}
	}
}

func TestPlayer(t *testing.T) {
	script := NewScript([]Item{
		{Where: "1", Repeat: 2, Value: value(t, `{"b":1,"a":"$${x}"}`)},
		{Where: "2", Repeat: 1, Value: value(t, `{"hash":"${last.list[1]}","text":"see ${last.list[1]}"}`)},
		{Where: "3", Repeat: 1, Raw: []byte("{oops")},
		{Where: "4", Repeat: 1, Value: value(t, `["${o1.none}"]`)},
	})
	p := script.Play()
	seen := past{"last": `{"list":["x","y"]}`, "o1": `{}`}
	for i, want := range []string{
		`{"a":"${x}","b":1}`, `{"a":"${x}","b":1}`, `{"hash":"y","text":"see ${last.list[1]}"}`, `{oops`,
	} {
		got, failure := p.Next(Request{Past: seen})
		if failure != nil || string(got) != want {
			t.Fatalf("answer %d: got %s, %v, want %s", i+1, got, failure, want)
		}
	}
	if where, n := p.Leftover(); n != 1 || where != "4" {
		t.Errorf("left over: got %d from %q, want 1 from 4", n, where)
	}
	if _, failure := p.Next(Request{Past: seen}); failure == nil || failure.Code != Failed || failure.Where != "4" {
		t.Errorf("a reference to nothing: got %+v", failure)
	}
	if _, failure := p.Next(Request{Past: seen}); failure == nil || failure.Code != ScriptExhausted {
		t.Errorf("asked once too often: got %+v", failure)
	}
	if _, n := p.Leftover(); n != 0 {
		t.Errorf("left over after the end: %d", n)
	}
}

func TestForeverIsNeverLeftOver(t *testing.T) {
	p := NewScript([]Item{{Repeat: 3, Raw: []byte("1")}, {Repeat: Forever, Raw: []byte("2")}}).Play()
	if _, n := p.Leftover(); n != 1 {
		t.Errorf("before the first answer: got %d left over, want 1", n)
	}
	for range 3 {
		p.Next(Request{})
	}
	if _, n := p.Leftover(); n != 0 {
		t.Errorf("forever unreached: got %d left over, want 0", n)
	}
	for range 100 {
		if got, failure := p.Next(Request{}); failure != nil || string(got) != "2" {
			t.Fatalf("got %s, %v", got, failure)
		}
	}
}
