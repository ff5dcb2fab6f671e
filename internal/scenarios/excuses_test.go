package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"harness/internal/diag"
)

func TestExcuses(t *testing.T) {
	const head = "apiVersion: harness/v1\nkind: Excuses\n"
	got, found := ParseExcuses("x.yaml", []byte(head+"coverage:\n  - {id: tool a called, reason: why}\nmutants:\n  - {id: m, reason: also}\n"))
	want := &Excuses{
		File:     "x.yaml",
		Coverage: []Excuse{{ID: "tool a called", Reason: "why", Pos: diag.Pos{Line: 4, Col: 10}}},
		Mutants:  []Excuse{{ID: "m", Reason: "also", Pos: diag.Pos{Line: 6, Col: 10}}},
	}
	if len(found) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, found, want)
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x.yaml:1:1: EMPTY_FILE"},
		{"another kind", "apiVersion: harness/v1\nkind: Tools\n", "x.yaml:2:7: INVALID_VALUE"},
		{"no version", "kind: Excuses\n", "x.yaml:1:1: MISSING_KEY"},
		{"unknown key", head + "covrage: []\n", "x.yaml:3:1: UNKNOWN_KEY"},
		{"no reason", head + "mutants:\n  - {id: m}\n", "x.yaml:4:5: MISSING_KEY"},
		{"empty reason", head + "mutants:\n  - {id: m, reason: \"\"}\n", "x.yaml:4:21: INVALID_VALUE"},
		{"twice", head + "mutants:\n  - {id: m, reason: a}\n  - {id: m, reason: b}\n", "x.yaml:5:10: INVALID_VALUE"},
	} {
		if got, found := ParseExcuses("x.yaml", []byte(c.text)); got != nil || !found.Failed() || !strings.HasPrefix(found.Error(), c.want) {
			t.Errorf("%s: got %v, %q, want %q", c.name, got, found.Error(), c.want)
		}
	}
	if list, found := Parse("x.yaml", []byte(head)); len(list) > 0 || found.Failed() {
		t.Errorf("among scenarios: got %d, %v", len(list), found)
	}
}
