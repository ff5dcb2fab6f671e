package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// drawText draws valid text in which the characters that matter are common.
func drawText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(0, 8, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab\"\\/\b\f\n\r\t\x00\x1f\x7fé\u2028\ue000\ufb33\uffff\uFFFD\uFEFF🚀\U0010FFFF")), 0, 24, -1),
	)
}

func drawNumber(t *rapid.T) Value {
	if rapid.Bool().Draw(t, "integer") {
		return OfInt(rapid.Int64Range(-1<<53, 1<<53).Draw(t, "n"))
	}
	f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
	v, ok := OfFloat(f)
	if !ok {
		return OfInt(0)
	}
	return v
}

func drawValue(t *rapid.T, depth int) Value {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(1, kinds).Draw(t, "kind") {
	case 1:
		return OfNull()
	case 2:
		return OfBool(rapid.Bool().Draw(t, "bool"))
	case 3:
		return drawNumber(t)
	case 4:
		return OfString(drawText().Draw(t, "string"))
	case 5:
		var items []Value
		for range rapid.IntRange(0, 6).Draw(t, "items") {
			items = append(items, drawValue(t, depth-1))
		}
		return OfArray(items...)
	default:
		var members []Member
		for _, name := range rapid.SliceOfNDistinct(drawText(), 0, 20, rapid.ID[string]).Draw(t, "names") {
			members = append(members, Member{name, drawValue(t, depth-1)})
		}
		return OfObject(members...)
	}
}

// sorted is v with its members in canonical order, compared as UTF-16 to have a
// second road.
func sorted(v Value) Value {
	switch v.Kind() {
	case Array:
		var items []Value
		for _, item := range v.Items() {
			items = append(items, sorted(item))
		}
		return OfArray(items...)
	case Object:
		var members []Member
		for _, m := range v.Members() {
			at := 0
			for at < len(members) && utf16Less(members[at].Name, m.Name) {
				at++
			}
			rest := append([]Member{{m.Name, sorted(m.Value)}}, members[at:]...)
			members = append(members[:at:at], rest...)
		}
		return OfObject(members...)
	default:
		return v
	}
}

func utf16Less(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

func TestCanonicalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 3)
		text := AppendCanonical(nil, v)
		if reason := referenceRefuses(text); reason != "" {
			t.Fatalf("canonical text is refused for its %s: %s", reason, text)
		}
		got, err := Parse(text)
		if err != nil {
			t.Fatalf("canonical text is refused: %v: %s", err, text)
		}
		if want := sorted(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("parsed again: got %s, want %s", AppendCanonical(nil, got), AppendCanonical(nil, want))
		}
		if again := AppendCanonical(nil, got); !bytes.Equal(again, text) {
			t.Fatalf("encoded again: got %s, want %s", again, text)
		}
		if got, want := CanonicalSize(v), utf8.RuneCount(text); got != want {
			t.Fatalf("size: got %d, want %d", got, want)
		}
	})
}

// spell writes v in one of the many other ways that mean the same.
func spell(t *rapid.T, v Value) string {
	gap := rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n "}).Draw(t, "gap")
	switch v.Kind() {
	case Number:
		return gap + spellNumber(t, v.text)
	case String:
		return gap + spellString(t, v.text)
	case Array:
		var parts []string
		for _, item := range v.Items() {
			parts = append(parts, spell(t, item))
		}
		return gap + "[" + strings.Join(parts, gap+",") + gap + "]"
	case Object:
		var parts []string
		for _, m := range rapid.Permutation(v.Members()).Draw(t, "order") {
			parts = append(parts, gap+spellString(t, m.Name)+gap+":"+spell(t, m.Value))
		}
		return gap + "{" + strings.Join(parts, ",") + gap + "}"
	default:
		return gap + string(AppendCanonical(nil, v)) + gap
	}
}

func spellNumber(t *rapid.T, text string) string {
	switch {
	case text == "0":
		return rapid.SampledFrom([]string{"0", "-0", "0.00", "-0e7", "0E-999999"}).Draw(t, "zero")
	case strings.Contains(text, "e"):
		return strings.Replace(text, "e", "E", 1)
	case strings.Contains(text, "."):
		return text + rapid.SampledFrom([]string{"", "0", "e0", "E-00"}).Draw(t, "tail")
	}
	return text + rapid.SampledFrom([]string{"", ".0", "e0", "0e-1", "000.000e-3"}).Draw(t, "tail")
}

func spellString(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r >= 0x20 && r != '"' && r != '\\' && rapid.Bool().Draw(t, "raw") {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04X`, unit)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func TestSpellingDoesNotCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 2)
		text := spell(t, v)
		got, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("refused: %v: %s", err, text)
		}
		if DigestOf(got) != DigestOf(v) {
			t.Fatalf("got %s, want %s from %s", AppendCanonical(nil, got), AppendCanonical(nil, v), text)
		}
	})
}

// A text that was cut anywhere says so, and is never taken for a whole one.
func TestCutTextIsCalledCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.TrimSpace(spell(t, OfArray(drawValue(t, 2))))
		cut := rapid.IntRange(0, len(text)-1).Draw(t, "cut")
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		_, err := Parse([]byte(text[:cut]))
		if err == nil || err.Code != BadJSON || err.Offset != cut || !strings.HasPrefix(err.Message, "unexpected end of input") {
			t.Fatalf("got %v at the end of %s", err, text[:cut])
		}
	})
}

// drawBroken draws texts near valid JSON.
func drawBroken() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"`, `"a"`, `"a":`, `"\u0061":`, `"b":`, "null", "true", "false", "0", "-", "1", "12", ".5", "e2", "e-400", "e400",
		"9007199254740993", "0.1", `\`, `\u`, `"\ud83d"`, `"\ude80"`, `"\ud83d\ude80"`, `"\n"`, "\n", " ", "\x00", "\xff", "é", "\uFEFF", "'", "//", "NaN",
	})
	return rapid.Map(rapid.SliceOfN(pieces, 0, 12), func(parts []string) string { return strings.Join(parts, "") })
}

func TestParseAgreesWithReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawBroken().Draw(t, "text")
		if rapid.Bool().Draw(t, "whole") {
			text = spell(t, drawValue(t, 2))
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			end := min(len(text), at+rapid.IntRange(0, 2).Draw(t, "gone"))
			text = text[:at] + drawBroken().Draw(t, "put") + text[end:]
		}
		checkAgainstReference(t, []byte(text))
	})
}

type failer interface {
	Fatalf(format string, args ...any)
}

func checkAgainstReference(t failer, data []byte) {
	v, err := Parse(data)
	reason := referenceRefuses(data)
	if (err != nil) != (reason != "") {
		t.Fatalf("%q: got error %v, reference says %q", data, err, reason)
	}
	if err != nil {
		checkError(t, data, v, err)
		return
	}
	text := AppendCanonical(nil, v)
	again, err := Parse(text)
	if err != nil || !reflect.DeepEqual(again, sorted(v)) {
		t.Fatalf("%q: canonical form %s is not parsed to the same: %v", data, text, err)
	}
	var want, got any
	if json.Unmarshal(data, &want) != nil || json.Unmarshal(text, &got) != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: canonical form %s means something else", data, text)
	}
	if got, want := CanonicalSize(v), utf8.RuneCount(text); got != want {
		t.Fatalf("%q: size: got %d, want %d", data, got, want)
	}
}

func checkError(t failer, data []byte, v Value, err *Error) {
	if !v.IsZero() || err.Code == nil || err.Offset < 0 || err.Offset > len(data) {
		t.Fatalf("%q: got value %v and error %+v", data, v, err)
	}
	for _, text := range []string{err.Message, err.Hint} {
		if len(text) > 600 || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Fatalf("%q: message is not fit to print: %q", data, text)
		}
	}
	if pos := err.Pos(data); pos.Line < 1 || pos.Col < 1 {
		t.Fatalf("%q: got place %v", data, pos)
	}
}

func TestSizesAgreeWithEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(drawText(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) })).Draw(t, "s")
		if got, want := StringSize(s), utf8.RuneCount(AppendString(nil, s)); got != want {
			t.Fatalf("StringSize(%q): got %d, want %d", s, got, want)
		}
		limit := rapid.IntRange(-1, 60).Draw(t, "limit")
		want := 0
		for end := range s + "." { // every code point boundary
			if StringSize(s[:end]) <= limit {
				want = end
			}
		}
		if got := FitString(s, limit); got != want {
			t.Fatalf("FitString(%q, %d): got %d, want %d", s, limit, got, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		proposeEdit, proposeEditEscaped, ``, `null`, `[1.50,-0,1e2,9007199254740993,1e400]`, `{"a":1,"\u0061":2}`,
		`"\ud83d\ude80 \ud83d"`, "\"\xff\"", "\uFEFF{}", `{"a":[{}],}`, `{"tool":"propose_edit","args":{"path":"a","after":"ha`,
		strings.Repeat("[", 65) + strings.Repeat("]", 65), "[0.30000000000000004,0.1000000000000000055511151231257827]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkAgainstReference(t, data) })
}

// Numbers are compared with exact arithmetic, digits and exponents drawn to lie
// near what a float64 can say.
func TestNumbersAgreeWithReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number")
		_, err := Parse([]byte(text))
		if got, want := err != nil, changes(text); got != want {
			t.Fatalf("%s: got refused %v (%v), want %v", text, got, err, want)
		}
		if err != nil && err.Code != JSONNumberInexact {
			t.Fatalf("%s: got %v, want JSON_NUMBER_INEXACT", text, err)
		}
	})
}
