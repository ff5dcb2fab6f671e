package strictjson

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// The numbers of RFC 8785, appendix B.
func TestCanonicalNumbers(t *testing.T) {
	tests := []struct {
		bits uint64
		want string
	}{
		{0x0000000000000000, "0"},
		{0x8000000000000000, "0"},
		{0x0000000000000001, "5e-324"},
		{0x8000000000000001, "-5e-324"},
		{0x7fefffffffffffff, "1.7976931348623157e+308"},
		{0xffefffffffffffff, "-1.7976931348623157e+308"},
		{0x4340000000000000, "9007199254740992"},
		{0xc340000000000000, "-9007199254740992"},
		{0x4430000000000000, "295147905179352830000"},
		{0x44b52d02c7e14af5, "9.999999999999997e+22"},
		{0x44b52d02c7e14af6, "1e+23"},
		{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
		{0x444b1ae4d6e2ef4e, "999999999999999700000"},
		{0x444b1ae4d6e2ef4f, "999999999999999900000"},
		{0x444b1ae4d6e2ef50, "1e+21"},
		{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
		{0x3eb0c6f7a0b5ed8d, "0.000001"},
		{0x41b3de4355555553, "333333333.3333332"},
		{0x41b3de4355555554, "333333333.33333325"},
		{0x41b3de4355555555, "333333333.3333333"},
		{0x41b3de4355555556, "333333333.3333334"},
		{0x41b3de4355555557, "333333333.33333343"},
		{0xbecbf647612f3696, "-0.0000033333333333333333"},
		{0x43143ff3c1cb0959, "1424953923781206.2"},
	}
	for _, test := range tests {
		v, ok := OfFloat(math.Float64frombits(test.bits))
		if got := string(AppendCanonical(nil, v)); !ok || got != test.want {
			t.Errorf("%016x: got %s, %v, want %s", test.bits, got, ok, test.want)
		}
		if _, err := Parse([]byte(test.want)); err != nil {
			t.Errorf("%s: refused: %v", test.want, err)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if v, ok := OfFloat(f); ok || !v.IsZero() {
			t.Errorf("%v: got %v, %v, want unset", f, v, ok)
		}
	}
}

// The names of RFC 8785, section 3.2.3.
func TestCanonicalOrder(t *testing.T) {
	text := `{
		"\u20ac": "Euro Sign",
		"\r": "Carriage Return",
		"\ufb33": "Hebrew Letter Dalet With Dagesh",
		"1": "One",
		"\ud83d\ude00": "Emoji: Grinning Face",
		"\u0080": "Control",
		"\u00f6": "Latin Small Letter O With Diaeresis"
	}`
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\"," +
		"\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\"," +
		"\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"
	if got := string(AppendCanonical(nil, v)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := v.Members()[0].Name, "€"; got != want {
		t.Errorf("first member as written: got %q, want %q", got, want)
	}
}

// The sample of RFC 8785, section 3.2.2, but for one number that would change.
func TestCanonicalSample(t *testing.T) {
	text := `{
		"numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
		"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
		"literals": [null, true, false]
	}`
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
		`"string":"€$\u000f\nA'B\"\\\\\"/"}`
	if got := string(AppendCanonical(nil, v)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	sum := sha256.Sum256([]byte(want))
	digest := DigestOf(v)
	if got, want := digest.String(), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest: got %s, want %s", got, want)
	}
}

func TestAppendString(t *testing.T) {
	tests := map[string]struct{ s, want string }{
		"empty":           {"", `""`},
		"plain":           {"abc", `"abc"`},
		"HTML":            {"<a&b>", `"<a&b>"`},
		"short escapes":   {"\"\\\b\f\n\r\t", `"\"\\\b\f\n\r\t"`},
		"other controls":  {"\x00\x01\x1f\x0b", `"\u0000\u0001\u001f\u000b"`},
		"raw above":       {"\x7f\u0080\u2028\u2029", "\"\x7f\u0080\u2028\u2029\""},
		"beyond the BMP":  {"a🚀b", `"a🚀b"`},
		"late escape":     {"0123456789abcdef\n", `"0123456789abcdef\n"`},
		"escape inside":   {"0123456789\"abcdef0123", `"0123456789\"abcdef0123"`},
		"invalid byte":    {"a\xffb", "\"a\uFFFDb\""},
		"two invalid":     {"\xff\xfe", "\"\uFFFD\uFFFD\""},
		"cut code point":  {"\"\xf0\x9f\x9a", "\"\\\"\uFFFD\uFFFD\uFFFD\""},
		"U+FFFD is valid": {"\uFFFD", "\"\uFFFD\""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := string(AppendString([]byte("x"), test.s))
			if got != "x"+test.want {
				t.Errorf("got %s, want x%s", got, test.want)
			}
			if got, want := StringSize(test.s), utf8.RuneCountInString(test.want); got != want {
				t.Errorf("StringSize: got %d, want %d", got, want)
			}
			if !utf8.ValidString(got) || !json.Valid([]byte(test.want)) {
				t.Errorf("%q is not valid JSON in UTF-8", got)
			}
		})
	}
}

// Every byte stands or is escaped alike wherever it falls in a block of eight.
func TestPlainEnd(t *testing.T) {
	for c := range 256 {
		special := c < 0x20 || c == '"' || c == '\\'
		for at := range 20 {
			s := strings.Repeat("\x80", at) + string([]byte{byte(c)}) + strings.Repeat("~", 20-at)
			want := len(s)
			if special {
				want = at
			}
			if got := plainEnd(s, 0); got != want {
				t.Fatalf("byte %#x at %d: got %d, want %d", c, at, got, want)
			}
			if got := plainEnd(s, at+1); got != len(s) {
				t.Fatalf("byte %#x at %d: after it got %d, want %d", c, at, got, len(s))
			}
		}
	}
}

func TestFitString(t *testing.T) {
	tests := map[string]struct {
		s     string
		limit int
		want  int
	}{
		"all":               {"abc", 5, 3},
		"one less":          {"abc", 4, 2},
		"only quotes":       {"abc", 2, 0},
		"not even quotes":   {"abc", 1, 0},
		"negative":          {"abc", -7, 0},
		"empty":             {"", 2, 0},
		"emoji at the cut":  {"ab🚀", 4, 2},
		"emoji fits":        {"ab🚀c", 5, 6},
		"short escape":      {"a\nb", 4, 1},
		"short escape fits": {"a\nb", 5, 2},
		"long escape":       {"a\x00b", 8, 1},
		"long escape fits":  {"a\x00b", 9, 2},
		"invalid bytes":     {"\xf0\x9f\x9a", 4, 2},
		"huge limit":        {"abc", math.MaxInt, 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := FitString(test.s, test.limit); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestUnsetIsWrittenAsNull(t *testing.T) {
	v := OfObject(Member{"a", Value{}})
	if got, want := string(AppendCanonical(nil, v)), `{"a":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := CanonicalSize(v), 10; got != want {
		t.Errorf("size: got %d, want %d", got, want)
	}
}

func TestValueInsideAStruct(t *testing.T) {
	got, err := json.Marshal(struct {
		Args   Value
		Digest Digest
	}{OfObject(Member{"b", OfInt(2)}, Member{"a", OfString("é")}), DigestBytes(nil)})
	want := `{"Args":{"a":"é","b":2},"Digest":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestDigest(t *testing.T) {
	if !(Digest{}).IsZero() || DigestBytes(nil).IsZero() {
		t.Error("IsZero is not true for the zero digest alone")
	}
	if DigestOf(OfString("1")) == DigestOf(OfInt(1)) {
		t.Error(`"1" and 1 have one digest`)
	}
}
