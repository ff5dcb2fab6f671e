package tools

import (
	"strings"
	"testing"

	"harness/internal/strictjson"
)

var schema = Fields{
	{Name: "path", Type: strictjson.String, Required: true, Min: 1, Max: 4},
	{Name: "line", Type: strictjson.Number, Min: 1},
	{Name: "ids", Type: strictjson.Array, Max: 2, ItemMax: 3},
}

func parse(t *testing.T, text string) strictjson.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFieldsViolation(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"path":"求和求和"}`, ""},
		{`{"path":"求和求和求"}`, "field path has 5 code points, at most 4 are allowed"},
		{`{}`, "field path is missing"},
		{`{"path":null}`, "field path must be a string of at most 4 code points, got null"},
		{`{"path":7}`, "field path must be a string of at most 4 code points, got number"},
		{`{"path":""}`, "field path must not be empty"},
		{`{"path":"a","line":1}`, ""},
		{`{"path":"a","line":0}`, "field line must be a whole number from 1, got 0"},
		{`{"path":"a","line":1.5}`, "field line must be a whole number from 1, got 1.5"},
		{`{"path":"a","line":"1"}`, "field line must be a whole number from 1, got string"},
		{`{"path":"a","ids":["abc"]}`, ""},
		{`{"path":"a","ids":["a","b","c"]}`, "field ids has 3 elements, at most 2 are allowed"},
		{`{"path":"a","ids":[1]}`, "field ids element 1 must be a string, got number"},
		{`{"path":"a","ids":["abcd"]}`, "field ids element 1 has more than 3 code points"},
	} {
		got := ""
		if fault := schema.Violation(parse(t, c.args)); fault != nil {
			got = fault.Message
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.args, got, c.want)
		}
	}
}

func TestFieldsUnknown(t *testing.T) {
	for _, c := range []struct{ args, message, hint string }{
		{`{"path":"a"}`, "", ""},
		{`{"PATH":"a"}`, `unknown field "PATH"`, "did you mean path?"},
		{`{"a":1,"b":2,"c":3,"d":4,"e":5}`, `unknown field "a", "b", "c" and 2 more`, "the fields are path, line, ids"},
		{"{\"\u202e\":1}", `unknown field "\u202e"`, "the fields are"},
	} {
		fault := schema.Unknown(parse(t, c.args))
		if c.message == "" {
			if fault != nil {
				t.Errorf("%s: got %q, want none", c.args, fault.Message)
			}
			continue
		}
		if fault == nil || fault.Message != c.message || !strings.Contains(fault.Hint, c.hint) {
			t.Errorf("%s: got %+v, want %q with hint %q", c.args, fault, c.message, c.hint)
		}
	}
}
