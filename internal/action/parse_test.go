package action

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

var names = []string{"search", "read", "propose_edit", "finish"}

func isTool(name string) bool { return name != "finish" && slices.Contains(names, name) }

func canonical(v strictjson.Value) string { return string(strictjson.AppendCanonical(nil, v)) }

func TestParseAccepts(t *testing.T) {
	tests := map[string]struct {
		raw  string
		want Action // without Args
		args string
	}{
		"flat": {
			`{"type":"read","path":"a"}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"path":"a"}`,
		},
		"flat, type last": {
			`{"path":"a","n":1,"type":"read"}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"n":1,"path":"a"}`,
		},
		"flat, type between": {
			`{"path":"a","type":"read","n":1}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"n":1,"path":"a"}`,
		},
		"flat, no arguments": {
			`{"type":"read"}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{}`,
		},
		"flat, a claimed right is an argument": {
			`{"type":"read","path":"a","admin":true}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"admin":true,"path":"a"}`,
		},
		"flat, envelope names are arguments": {
			`{"type":"read","id":7,"version":null,"arguments":[]}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"arguments":[],"id":7,"version":null}`,
		},
		"flat, null and empty stay apart (E74)": {
			`{"type":"propose_edit","before":"","after":null}`,
			Action{Kind: Call, Tool: "propose_edit", Flat: true}, `{"after":null,"before":""}`,
		},
		"flat, other case is another name": {
			`{"type":"read","Type":"call","path":"a","PATH":"b"}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{"PATH":"b","Type":"call","path":"a"}`,
		},
		"white space around": {
			" \n{\"type\":\"read\"}\r\n",
			Action{Kind: Call, Tool: "read", Flat: true}, `{}`,
		},
		"escaped type": {
			`{"\u0074ype":"\u0072ead"}`,
			Action{Kind: Call, Tool: "read", Flat: true}, `{}`,
		},
		"finish": {
			`{"type":"finish","summary":"done","citations":["o1"]}`,
			Action{Kind: Finish, Tool: "finish", Flat: true}, `{"citations":["o1"],"summary":"done"}`,
		},
		"finish, wrong arguments are for the schema gate": {
			`{"type":"finish","summary":7}`,
			Action{Kind: Finish, Tool: "finish", Flat: true}, `{"summary":7}`,
		},
		"call": {
			`{"type":"call","tool":"read","arguments":{"path":"a"}}`,
			Action{Kind: Call, Tool: "read"}, `{"path":"a"}`,
		},
		"call, all labels": {
			`{"sources":["o1","o3.2"],"reason":"because","id":"p7","arguments":{},"version":"2","tool":"read","type":"call"}`,
			Action{Kind: Call, Tool: "read", Version: "2", ID: "p7", Reason: "because", Sources: []string{"o1", "o3.2"}}, `{}`,
		},
		"call, unknown tool is for the schema gate": {
			`{"type":"call","tool":"nope","arguments":{}}`,
			Action{Kind: Call, Tool: "nope"}, `{}`,
		},
		"call, no sources": {
			`{"type":"call","tool":"read","arguments":{},"sources":[],"id":"","reason":""}`,
			Action{Kind: Call, Tool: "read", Sources: []string{}}, `{}`,
		},
		"call, limits are kept, in code points": {
			`{"type":"call","tool":"` + strings.Repeat("é", 80) + `","arguments":{},"version":"` + strings.Repeat("漢", 80) +
				`","id":"` + strings.Repeat("🚀", 80) + `","reason":"` + strings.Repeat("é", 1000) + `","sources":["` + strings.Repeat("é", 40) + `"]}`,
			Action{
				Kind: Call, Tool: strings.Repeat("é", 80), Version: strings.Repeat("漢", 80), ID: strings.Repeat("🚀", 80),
				Reason: strings.Repeat("é", 1000), Sources: []string{strings.Repeat("é", 40)},
			}, `{}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, fault := Parse([]byte(test.raw), isTool, names)
			if fault != nil {
				t.Fatalf("refused: %+v", *fault)
			}
			if got.Args.Kind() != strictjson.Object || canonical(got.Args) != test.args {
				t.Errorf("arguments: got %s, want %s", canonical(got.Args), test.args)
			}
			got.Args = strictjson.Value{}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	call := func(rest string) string { return `{"type":"call","tool":"read","arguments":{},` + rest + `}` }
	const (
		flatHint = `write {"type": NAME, …arguments}; NAME is one of: search, read, propose_edit, finish`
		listHint = `the actions are: search, read, propose_edit, finish`
		hasHint  = `a call has: type, tool, version, arguments, id, reason, sources`
	)
	tests := map[string]struct {
		raw     string
		code    *diag.Code
		pos     diag.Pos
		message string
		hint    string
	}{
		"arguments as JSON text (E70)": {
			`{"type":"call","tool":"read","arguments":"{\"path\":\"a\"}"}`, BadAction, diag.Pos{Line: 1, Col: 42},
			`arguments must be an object, got a string`, `write the object itself; JSON text inside a string is never read`,
		},
		"arguments as array of strings (E70)": {
			`{"type":"call","tool":"read","arguments":["path","a"]}`, BadAction, diag.Pos{Line: 1, Col: 42},
			`arguments must be an object, got an array`, ``,
		},
		"arguments null": {
			`{"type":"call","tool":"read","arguments":null}`, BadAction, diag.Pos{Line: 1, Col: 42},
			`arguments must be an object, got null`, ``,
		},
		"no type (E70, E76)": {
			`{"tool":"read","args":"{\"path\":\"a\"}"}`, BadAction, diag.Pos{Line: 1, Col: 1},
			`type is missing`, callHint,
		},
		"cut (E73)": {
			`{"tool":"propose_edit","args":{"path":"a","after":"ha`, strictjson.BadJSON, diag.Pos{Line: 1, Col: 54},
			`unexpected end of input inside a string that starts at byte 50`, `send the complete value; a text that was cut is never completed for you`,
		},
		"unknown (E76)": {
			`{"type":"search_files","query":"a"}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"search_files" is no action`, listHint,
		},
		"other case (E76)": {
			`{"type":"Read"}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"Read" is no action`, `did you mean "read"? ` + listHint,
		},
		"space (E76)": {
			"{\n  \"path\": \"é\", \"type\": \"read \"}", UnknownAction, diag.Pos{Line: 2, Col: 24},
			`"read " is no action`, `did you mean "read"? ` + listHint,
		},
		"case of call": {
			`{"type":"Call","tool":"read"}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"Call" is no action`, `did you mean "call"? ` + listHint,
		},
		"shell": {
			`{"type":"shell","command":"id"}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"shell" is no action`, listHint,
		},
		"batch": {
			`{"type":"batch","calls":[]}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"batch" is no action`, listHint,
		},
		"empty type": {
			`{"type":""}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"" is no action`, listHint,
		},
		"hostile type": {
			`{"type":"` + strings.Repeat(`\u202e\u001b`, 5000) + `"}`, UnknownAction, diag.Pos{Line: 1, Col: 9},
			`"` + strings.Repeat(`\u202e\x1b`, 20) + `"… is no action`, listHint,
		},

		"string":        {` "read"`, BadAction, diag.Pos{Line: 1, Col: 2}, `an action must be an object, got a string`, flatHint},
		"null":          {`null`, BadAction, diag.Pos{Line: 1, Col: 1}, `an action must be an object, got null`, flatHint},
		"array":         {"\n[{}]", BadAction, diag.Pos{Line: 2, Col: 1}, `an action must be an object, got an array`, flatHint},
		"number":        {`1`, BadAction, diag.Pos{Line: 1, Col: 1}, `an action must be an object, got a number`, flatHint},
		"boolean":       {`true`, BadAction, diag.Pos{Line: 1, Col: 1}, `an action must be an object, got a boolean`, flatHint},
		"empty object":  {`{}`, BadAction, diag.Pos{Line: 1, Col: 1}, `type is missing`, flatHint},
		"Type":          {`{"Type":"read"}`, BadAction, diag.Pos{Line: 1, Col: 1}, `type is missing`, flatHint},
		"type null":     {`{"type":null}`, BadAction, diag.Pos{Line: 1, Col: 9}, `type must be a string, got null`, ``},
		"type an array": {`{"type":["read"]}`, BadAction, diag.Pos{Line: 1, Col: 9}, `type must be a string, got an array`, ``},

		"no tool": {
			`{"type":"call","arguments":{}}`, BadAction, diag.Pos{Line: 1, Col: 1}, `tool is missing from the call`, callHint,
		},
		"no arguments": {
			`{"type":"call","tool":"read"}`, BadAction, diag.Pos{Line: 1, Col: 1}, `arguments is missing from the call`, callHint,
		},
		"tool a number": {
			`{"type":"call","tool":1,"arguments":{}}`, BadAction, diag.Pos{Line: 1, Col: 23}, `tool must be a string, got a number`, ``,
		},
		"unknown field": {
			`{"type":"call","tool":"read","args":{}}`, BadAction, diag.Pos{Line: 1, Col: 30}, `"args" is no field of a call`, hasHint,
		},
		"misspelled field": {
			call(`"Reason":"x"`), BadAction, diag.Pos{Line: 1, Col: 45}, `"Reason" is no field of a call`, `did you mean "reason"? ` + hasHint,
		},
		"claimed right": {
			call(`"admin":true`), BadAction, diag.Pos{Line: 1, Col: 45}, `"admin" is no field of a call`, hasHint,
		},
		"id a number":    {call(`"id":7`), BadAction, diag.Pos{Line: 1, Col: 50}, `id must be a string, got a number`, ``},
		"version null":   {call(`"version":null`), BadAction, diag.Pos{Line: 1, Col: 55}, `version must be a string, got null`, ``},
		"version empty":  {call(`"version":""`), BadAction, diag.Pos{Line: 1, Col: 55}, `version must not be empty`, `leave version out to ask for any`},
		"reason object":  {call(`"reason":{}`), BadAction, diag.Pos{Line: 1, Col: 54}, `reason must be a string, got an object`, ``},
		"sources string": {call(`"sources":"o1"`), BadAction, diag.Pos{Line: 1, Col: 55}, `sources must be an array of strings, got a string`, ``},
		"source null":    {call(`"sources":["o1",null]`), BadAction, diag.Pos{Line: 1, Col: 55}, `sources[1] must be a string, got null`, ``},

		"long tool": {
			`{"type":"call","tool":"` + strings.Repeat("é", 81) + `","arguments":{}}`, BadAction, diag.Pos{Line: 1, Col: 23},
			`tool must have at most 80 code points, got 81`, ``,
		},
		"long id":      {call(`"id":"` + strings.Repeat("a", 81) + `"`), BadAction, diag.Pos{Line: 1, Col: 50}, `id must have at most 80 code points, got 81`, ``},
		"long version": {call(`"version":"` + strings.Repeat("1", 500) + `"`), BadAction, diag.Pos{Line: 1, Col: 55}, `version must have at most 80 code points, got 500`, ``},
		"long reason":  {call(`"reason":"` + strings.Repeat("a", 1001) + `"`), BadAction, diag.Pos{Line: 1, Col: 54}, `reason must have at most 1000 code points, got 1001`, ``},
		"long source":  {call(`"sources":["` + strings.Repeat("a", 41) + `"]`), BadAction, diag.Pos{Line: 1, Col: 55}, `sources[0] must have at most 40 code points, got 41`, ``},
		"many sources": {call(`"sources":["a"` + strings.Repeat(`,"a"`, 32) + `]`), BadAction, diag.Pos{Line: 1, Col: 55}, `sources must have at most 32 items, got 33`, ``},

		"duplicate type": {
			`{"type":"read","type":"finish"}`, strictjson.DuplicateKey, diag.Pos{Line: 1, Col: 16},
			`the name "type" at byte 15 was already given at byte 1 of the same object`, `give each name once`,
		},
		"duplicate argument, deep": {
			`{"type":"call","tool":"read","arguments":{"path":"a","path":"b"}}`, strictjson.DuplicateKey, diag.Pos{Line: 1, Col: 54},
			`the name "path" at byte 53 was already given at byte 42 of the same object`, `give each name once`,
		},
		"two actions": {
			"{\"type\":\"read\"}\n{\"type\":\"read\"}", strictjson.BadJSON, diag.Pos{Line: 2, Col: 1},
			`expected nothing more after the value at byte 16, got "{"`, `send exactly one JSON value and nothing after it`,
		},
		"lone surrogate": {
			`{"type":"read","path":"\ud800"}`, strictjson.JSONInvalidText, diag.Pos{Line: 1, Col: 24},
			`the escape \ud800 at byte 23 is half of a surrogate pair without its other half`, `write the character itself, or both halves one after the other`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, fault := Parse([]byte(test.raw), isTool, names)
			if fault == nil {
				t.Fatalf("accepted: %+v", got)
			}
			if !reflect.DeepEqual(got, Action{}) {
				t.Errorf("got an action beside the fault: %+v", got)
			}
			want := Fault{Code: test.code, Pos: test.pos, Message: test.message, Hint: test.hint}
			if *fault != want {
				t.Errorf("got  %v %v %s | %s\nwant %v %v %s | %s", fault.Code, fault.Pos, fault.Message, fault.Hint, want.Code, want.Pos, want.Message, want.Hint)
			}
		})
	}
}

// A model that reads "denied" tries again with other arguments; a name that does
// not exist must not sound like a right that is lacking (E77).
func TestUnknownDoesNotSoundLikeDenied(t *testing.T) {
	_, fault := Parse([]byte(`{"type":"delete"}`), isTool, names)
	if fault == nil || fault.Code != UnknownAction {
		t.Fatalf("got %+v, want UNKNOWN_ACTION", fault)
	}
	for _, word := range []string{"denied", "deny", "grant", "allow", "permi", "forbid", "access"} {
		if strings.Contains(strings.ToLower(fault.Message+fault.Hint), word) {
			t.Errorf("%q sounds like %q", fault.Message+" "+fault.Hint, word)
		}
	}
}

func TestLongListOfNamesIsCut(t *testing.T) {
	many := slices.Repeat([]string{"t"}, 23)
	_, fault := Parse([]byte(`{"type":"nothing-like-it"}`), isTool, many)
	if fault == nil || fault.Hint != "the actions are: t"+strings.Repeat(", t", 19)+" and 3 more" {
		t.Errorf("got %+v", fault)
	}
	if len(many) != 23 || slices.Contains(many[:cap(many)], "call") {
		t.Error("the caller's names were written to")
	}
}

func TestDigest(t *testing.T) {
	parse := func(raw string) Action {
		t.Helper()
		a, fault := Parse([]byte(raw), isTool, names)
		if fault != nil {
			t.Fatalf("%s: refused: %+v", raw, *fault)
		}
		return a
	}
	base := parse(`{"type":"call","tool":"read","arguments":{"path":"a","startLine":1}}`).Digest()
	want := strictjson.DigestBytes([]byte(`{"arguments":{"path":"a","startLine":1},"tool":"read","version":""}`))
	if base != want {
		t.Errorf("got %v, want %v", base, want)
	}
	same := []string{
		`{"type":"read","path":"a","startLine":1}`,
		`{"startLine":1.0,"path":"\u0061","type":"read"}`,
		`{"type":"call","tool":"read","arguments":{"startLine":1,"path":"a"},"id":"p9","reason":"again","sources":["o1"]}`,
	}
	for _, raw := range same {
		if got := parse(raw).Digest(); got != base {
			t.Errorf("%s: got another digest", raw)
		}
	}
	other := []string{
		`{"type":"read","path":"a"}`,
		`{"type":"read","path":"a","startLine":"1"}`,
		`{"type":"read","path":"a","startLine":1,"endLine":null}`,
		`{"type":"search","path":"a","startLine":1}`,
		`{"type":"call","tool":"read","version":"1","arguments":{"path":"a","startLine":1}}`,
	}
	for _, raw := range other {
		if got := parse(raw).Digest(); got == base {
			t.Errorf("%s: got the same digest", raw)
		}
	}
	if got, want := (Action{}).Digest(), strictjson.DigestBytes([]byte(`{"arguments":{},"tool":"","version":""}`)); got != want {
		t.Errorf("zero action: got %v, want %v", got, want)
	}
}

func TestCodes(t *testing.T) {
	if got, want := Codes(), []*diag.Code{BadAction, UnknownAction}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, c := range Codes() {
		if c.Class != diag.Rejection || c.Gate != diag.Parse || c.Retry != diag.NewRequest || c.Means == "" || c.Do == "" {
			t.Errorf("%s is not a whole parse rejection: %+v", c.Name, *c)
		}
	}
}

func TestKindString(t *testing.T) {
	for k, want := range []string{"unset", "call", "finish", "unset"} {
		if got := Kind(k).String(); got != want {
			t.Errorf("%d: got %q, want %q", k, got, want)
		}
	}
}
