package action

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

const proposeEdit = `{"type":"propose_edit","path":"src/sum.ts","baseHash":"0e8c42b1d3f5a6978899aabbccddeeff00112233445566778899aabbccddeeff","before":"(a: number, b: number) => a - b;","after":"(a: number, b: number) => a + b;"}`

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		proposeEdit, `{"type":"finish","summary":"done"}`, `{"type":"Read"}`, `{"tool":"read"}`, `null`, `{"type":7}`,
		`{"type":"call","tool":"read","arguments":{"path":"a"},"version":"1","id":"p1","reason":"r","sources":["o1"]}`,
		`{"type":"call","tool":"read","arguments":"{}"}`, `{"type":"call","tool":"read","arguments":{},"args":1}`,
		`{"path":{"b":[1,2],"a":null},"type":"read"}`, `{"type":"read","type":"read"}`, "{\"type\":\"\\u202e\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, fault := Parse(raw, isTool, names)
		if fault != nil {
			checkFault(t, raw, a, fault)
			return
		}
		if a.Kind != Call && a.Kind != Finish || (a.Kind == Finish) != (a.Flat && a.Tool == "finish") || a.Args.Kind() != strictjson.Object {
			t.Fatalf("%q: got %+v", raw, a)
		}
		checkReordered(t, raw, a)
		checkFullForm(t, raw, a)
	})
}

func checkFault(t *testing.T, raw []byte, a Action, fault *Fault) {
	codes := append(Codes(), strictjson.Codes()...)
	if !reflect.DeepEqual(a, Action{}) || !slices.Contains(codes, fault.Code) || fault.Pos.IsZero() || fault.Message == "" {
		t.Fatalf("%q: got %+v and %+v", raw, a, *fault)
	}
	if end := diag.At(string(raw), len(raw)); fault.Pos.Line > end.Line {
		t.Fatalf("%q: place %v is after the end %v", raw, fault.Pos, end)
	}
	for _, text := range []string{fault.Message, fault.Hint} {
		if len(text) > 600 || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Fatalf("%q: not fit to print: %q", raw, text)
		}
	}
}

// checkReordered parses the same action with its members in other orders.
func checkReordered(t *testing.T, raw []byte, a Action) {
	doc, err := strictjson.Parse(raw)
	if err != nil {
		t.Fatalf("%q: accepted, but not as JSON: %v", raw, err)
	}
	for _, text := range [][]byte{strictjson.AppendCanonical(nil, doc), appendReversed(nil, doc)} {
		got, fault := Parse(text, isTool, names)
		if fault != nil {
			t.Fatalf("%q: reordered to %s: refused: %+v", raw, text, *fault)
		}
		if got.Digest() != a.Digest() || got.Kind != a.Kind || got.ID != a.ID || got.Reason != a.Reason || !slices.Equal(got.Sources, a.Sources) {
			t.Fatalf("%q: reordered to %s: got %+v, want %+v", raw, text, got, a)
		}
	}
}

// appendReversed writes v with every object's members in reverse.
func appendReversed(dst []byte, v strictjson.Value) []byte {
	switch v.Kind() {
	case strictjson.Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendReversed(dst, item)
		}
		return append(dst, ']')
	case strictjson.Object:
		dst = append(dst, '{')
		for i, m := range slices.Backward(v.Members()) {
			dst = append(strictjson.AppendString(dst, m.Name), ':')
			dst = appendReversed(dst, m.Value)
			if i > 0 {
				dst = append(dst, ',')
			}
		}
		return append(dst, '}')
	default:
		return strictjson.AppendCanonical(dst, v)
	}
}

// checkFullForm writes a flat call in full and expects the same action.
func checkFullForm(t *testing.T, raw []byte, a Action) {
	if !a.Flat || a.Kind != Call {
		return
	}
	full := strictjson.OfObject(
		strictjson.Member{Name: "type", Value: strictjson.OfString("call")},
		strictjson.Member{Name: "tool", Value: strictjson.OfString(a.Tool)},
		strictjson.Member{Name: "arguments", Value: a.Args},
	)
	got, fault := Parse(strictjson.AppendCanonical(nil, full), isTool, names)
	if fault != nil {
		if fault.Code == strictjson.JSONTooDeep || fault.Code == strictjson.JSONTooLarge {
			return // the full form is one deeper and some bytes longer
		}
		t.Fatalf("%q: in full: refused: %+v", raw, *fault)
	}
	if got.Digest() != a.Digest() {
		t.Fatalf("%q: in full: got %+v, want %+v", raw, got, a)
	}
}

func benchmarkParse(b *testing.B, raw string) {
	data := []byte(raw)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := Parse(data, isTool, names); fault != nil {
			b.Fatal(fault.Message)
		}
	}
}

func BenchmarkParseEdit(b *testing.B) { benchmarkParse(b, proposeEdit) }

func BenchmarkParseEditInFull(b *testing.B) {
	args := strings.Replace(proposeEdit, `"type":"propose_edit",`, "", 1)
	benchmarkParse(b, `{"type":"call","tool":"propose_edit","arguments":`+args+`,"id":"p1","reason":"the sign is wrong","sources":["o2"]}`)
}

func BenchmarkDigest(b *testing.B) {
	a, fault := Parse([]byte(proposeEdit), isTool, names)
	if fault != nil {
		b.Fatal(fault.Message)
	}
	b.ReportAllocs()
	for b.Loop() {
		a.Digest()
	}
}
