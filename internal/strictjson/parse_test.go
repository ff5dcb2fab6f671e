package strictjson

import (
	"strconv"
	"strings"
	"testing"

	"harness/internal/diag"
)

func TestParseAccepts(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"null":                     {`null`, `null`},
		"booleans":                 {`[true,false]`, `[true,false]`},
		"white space around":       {" \t\r\n {} \n", `{}`},
		"white space inside":       {"{ \"a\" : [ 1 , 2 ] }", `{"a":[1,2]}`},
		"members are sorted":       {`{"b":1,"a":2}`, `{"a":2,"b":1}`},
		"names differ in case":     {`{"path":1,"Path":2}`, `{"Path":2,"path":1}`},
		"empty name":               {`{"":0}`, `{"":0}`},
		"same name, other objects": {`{"a":{"a":1},"b":{"a":2}}`, `{"a":{"a":1},"b":{"a":2}}`},
		"all short escapes":        {`"\"\\\/\b\f\n\r\t"`, `"\"\\/\b\f\n\r\t"`},
		"escaped pair":             {`"\ud83d\ude80"`, `"🚀"`},
		"upper-case hex":           {`"\u00E9\uD83D\uDE80"`, `"é🚀"`},
		"last pair":                {`"\udbff\udfff"`, "\"\U0010FFFF\""},
		"U+FFFD itself":            {`"\ufffd�"`, `"��"`},
		"U+0000 escaped":           {`"\u0000"`, `"\u0000"`},
		"DEL and U+2028 raw":       {"\"\x7f\u2028\"", "\"\x7f\u2028\""},
		"BOM inside a string":      {"\"\uFEFF\"", "\"\uFEFF\""},
		"zero":                     {`0`, `0`},
		"minus zero":               {`-0`, `0`},
		"minus zero, long":         {`-0.0e5`, `0`},
		"zero with huge exponent":  {`0e999999999999999999999`, `0`},
		"integer with fraction":    {`1.0`, `1`},
		"integer with exponent":    {`1e2`, `100`},
		"negative exponent":        {`5E-1`, `0.5`},
		"plus in the exponent":     {`12.50e+1`, `125`},
		"tenth":                    {`0.1`, `0.1`},
		"15 digits":                {`999999999999999`, `999999999999999`},
		"16 digits":                {`-9007199254740991`, `-9007199254740991`},
		"two to the 53":            {`9007199254740992`, `9007199254740992`},
		"sparse large integer":     {`1000000000000000000`, `1000000000000000000`},
		"beyond 1e21":              {`1000000000000000000000`, `1e+21`},
		"17 digits":                {`0.30000000000000004`, `0.30000000000000004`},
		"largest float":            {`1.7976931348623157e308`, `1.7976931348623157e+308`},
		"smallest float":           {`5e-324`, `5e-324`},
		"many leading zeros":       {`0.` + strings.Repeat("0", 5000) + `25e5001`, `2.5`},
		"many trailing zeros":      {`25` + strings.Repeat("0", 5000) + `.00e-5001`, `2.5`},
		"padded exponent":          {`1e` + strings.Repeat("0", 5000) + `3`, `1000`},
		"64 deep":                  {strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64), strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64)},
		"many siblings":            {`[` + strings.Repeat(`{"a":[]},`, 200) + `0]`, `[` + strings.Repeat(`{"a":[]},`, 200) + `0]`},
		"1 MiB":                    {`"` + strings.Repeat("x", 1<<20-2) + `"`, `"` + strings.Repeat("x", 1<<20-2) + `"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v, err := Parse([]byte(test.text))
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if got := string(AppendCanonical(nil, v)); got != test.want {
				t.Errorf("got %.200s, want %.200s", got, test.want)
			}
		})
	}
}

// The message is what people and models act on, so it is part of the contract.
func TestParseRefuses(t *testing.T) {
	tests := map[string]struct {
		text    string
		code    *diag.Code
		offset  int
		message string
	}{
		"nothing":           {"", BadJSON, 0, `unexpected end of input: expected a value`},
		"white space only":  {" \n", BadJSON, 2, `unexpected end of input: expected a value`},
		"two values":        {`{} {}`, BadJSON, 3, `expected nothing more after the value at byte 3, got "{"`},
		"garbage after":     {`1 x`, BadJSON, 2, `expected nothing more after the value at byte 2, got "x"`},
		"NUL after":         {"1\x00", BadJSON, 1, `expected nothing more after the value at byte 1, got "\x00"`},
		"other white space": {"\u00A01", BadJSON, 0, `expected a value at byte 0, got "\u00a0"`},
		"byte order mark":   {"\uFEFF{}", BadJSON, 0, `the text starts with a byte order mark`},
		"prose":             {`Here is it: {}`, BadJSON, 0, `expected a value at byte 0, got "Here"`},
		"code fence":        {"```json\n{}\n```", BadJSON, 0, "expected a value at byte 0, got \"`\""},
		"comment":           {`[1, // x`, BadJSON, 4, `expected a value at byte 4, got "/"`},
		"comment after":     {`{} # x`, BadJSON, 3, `expected nothing more after the value at byte 3, got "#"`},

		"trailing comma in array":  {`[1,]`, BadJSON, 3, `expected another value at byte 3, got "]"`},
		"trailing comma in object": {`{"a":1, }`, BadJSON, 8, `expected another name in double quotes at byte 8, got "}"`},
		"leading comma":            {`[,1]`, BadJSON, 1, `expected a value at byte 1, got ","`},
		"missing comma":            {`[1 2]`, BadJSON, 3, `expected "," or "]" at byte 3, got "2"`},
		"wrong bracket":            {`{"a":1]`, BadJSON, 6, `expected "," or "}" at byte 6, got "]"`},
		"missing colon":            {`{"a" 1}`, BadJSON, 5, `expected ":" after the name at byte 5, got "1"`},
		"bare name":                {`{a:1}`, BadJSON, 1, `expected a name in double quotes at byte 1, got "a"`},
		"number as name":           {`{1:1}`, BadJSON, 1, `expected a name in double quotes at byte 1, got "1"`},
		"single quotes":            {`{'a':1}`, BadJSON, 1, `expected a name in double quotes at byte 1, got "'"`},
		"typographic quotes":       {`[“a”]`, BadJSON, 1, `expected a value at byte 1, got "“"`},

		"NaN":            {`[NaN]`, BadJSON, 1, `expected a value at byte 1, got "NaN"`},
		"Infinity":       {`-Infinity`, BadJSON, 1, `expected a digit at byte 1, got "Infinity"`},
		"True":           {`[True]`, BadJSON, 1, `expected a value at byte 1, got "True"`},
		"nulls":          {`[nulls]`, BadJSON, 1, `expected a value at byte 1, got "nulls"`},
		"leading zero":   {`[-01]`, BadJSON, 2, `expected a number without leading zeros at byte 2, got "01"`},
		"plus":           {`+1`, BadJSON, 0, `expected a value at byte 0, got "+"`},
		"leading point":  {`.5`, BadJSON, 0, `expected a value at byte 0, got "."`},
		"trailing point": {`[1.]`, BadJSON, 3, `expected a digit at byte 3, got "]"`},
		"empty exponent": {`[1e+]`, BadJSON, 4, `expected a digit at byte 4, got "]"`},
		"hexadecimal":    {`[0x10]`, BadJSON, 2, `expected "," or "]" at byte 2, got "x10"`},

		"cut string":             {`{"tool":"propose_edit","args":{"path":"a","after":"ha`, BadJSON, 53, `unexpected end of input inside a string that starts at byte 50`},
		"cut string with escape": {`"a\n`, BadJSON, 4, `unexpected end of input inside a string that starts at byte 0`},
		"cut escape":             {`"\`, BadJSON, 2, `unexpected end of input inside a string that starts at byte 0: expected one of " \ / b f n r t u after the backslash`},
		"cut unicode escape":     {`"\u00`, BadJSON, 5, `unexpected end of input inside a string that starts at byte 0: expected four hexadecimal digits after \u`},
		"cut pair":               {`"\ud83d`, BadJSON, 7, `unexpected end of input inside a string that starts at byte 0`},
		"cut pair at backslash":  {`"\ud83d\`, BadJSON, 8, `unexpected end of input inside a string that starts at byte 0`},
		"cut object":             {`{"a":{`, BadJSON, 6, `unexpected end of input inside an object that starts at byte 5: expected a name in double quotes`},
		"cut after comma":        {`{"a":1,`, BadJSON, 7, `unexpected end of input inside an object that starts at byte 0: expected a name in double quotes`},
		"cut after name":         {`{"a"`, BadJSON, 4, `unexpected end of input inside an object that starts at byte 0: expected ":" after the name`},
		"cut after colon":        {`{"a":`, BadJSON, 5, `unexpected end of input inside an object that starts at byte 0: expected a value`},
		"cut array":              {` [1`, BadJSON, 3, `unexpected end of input inside an array that starts at byte 1: expected "," or "]"`},
		"cut word":               {`[tru`, BadJSON, 4, `unexpected end of input inside a word that starts at byte 1`},
		"cut number":             {`[-`, BadJSON, 2, `unexpected end of input inside a number that starts at byte 1: expected a digit`},
		"cut inexact number":     {`[9007199254740993`, BadJSON, 17, `unexpected end of input inside an array that starts at byte 0`},

		"raw newline":         {"\"a\nb\"", BadJSON, 2, `raw control character U+000A at byte 2 inside a string that starts at byte 0`},
		"raw NUL":             {"[\"\x00\"]", BadJSON, 2, `raw control character U+0000 at byte 2 inside a string that starts at byte 1`},
		"raw tab in a name":   {"{\"a\t\":1}", BadJSON, 3, `raw control character U+0009 at byte 3 inside a string that starts at byte 1`},
		"unknown escape":      {`"\x41"`, BadJSON, 2, `expected one of " \ / b f n r t u after the backslash at byte 2, got "x41"`},
		"escaped NUL byte":    {"\"\\\x00\"", BadJSON, 2, `expected one of " \ / b f n r t u after the backslash at byte 2, got "\x00"`},
		"bad hex":             {`"\u12g4"`, BadJSON, 5, `expected four hexadecimal digits after \u at byte 5, got "g4"`},
		"lone high":           {`"\ud83dx"`, JSONInvalidText, 1, `the escape \ud83d at byte 1 is half of a surrogate pair without its other half`},
		"lone high, escape":   {`"\ud83d\n"`, JSONInvalidText, 1, `the escape \ud83d at byte 1 is half of a surrogate pair without its other half`},
		"two highs":           {`"\ud83d\ud83d"`, JSONInvalidText, 1, `the escape \ud83d at byte 1 is half of a surrogate pair without its other half`},
		"lone low":            {`"ab\udc00"`, JSONInvalidText, 3, `the escape \udc00 at byte 3 is half of a surrogate pair without its other half`},
		"low before high":     {`"\ude80\ud83d"`, JSONInvalidText, 1, `the escape \ude80 at byte 1 is half of a surrogate pair without its other half`},
		"lone in a name":      {`{"\ud800":1}`, JSONInvalidText, 2, `the escape \ud800 at byte 2 is half of a surrogate pair without its other half`},
		"Latin-1":             {"\"caf\xe9\"", JSONInvalidText, 4, `byte 4 (0xE9) is not valid UTF-8`},
		"UTF-8 surrogate":     {"\"\xed\xa0\x80\"", JSONInvalidText, 1, `byte 1 (0xED) is not valid UTF-8`},
		"overlong":            {"\"\xc0\x80\"", JSONInvalidText, 1, `byte 1 (0xC0) is not valid UTF-8`},
		"invalid after value": {"{} \xff", JSONInvalidText, 3, `byte 3 (0xFF) is not valid UTF-8`},
		"UTF-16":              {"\xff\xfe{\x00}\x00", JSONInvalidText, 0, `byte 0 (0xFF) is not valid UTF-8`},

		"duplicate":         {`{"a":1,"a":1}`, DuplicateKey, 7, `the name "a" at byte 7 was already given at byte 1 of the same object`},
		"duplicate, escape": {`{"path":1, "p\u0061th":2}`, DuplicateKey, 11, `the name "path" at byte 11 was already given at byte 1 of the same object`},
		"duplicate, nested": {`[{"x":{"b":0,"c":0,"b":0}}]`, DuplicateKey, 19, `the name "b" at byte 19 was already given at byte 7 of the same object`},
		"duplicate type":    {`{"type":"read","type":"finish"}`, DuplicateKey, 15, `the name "type" at byte 15 was already given at byte 1 of the same object`},

		"2^53 + 1":       {`9007199254740993`, JSONNumberInexact, 0, `the number "9007199254740993" would become 9007199254740992`},
		"2^63":           {`[9223372036854775808]`, JSONNumberInexact, 1, `the number "9223372036854775808" has more than 17 significant digits and would be rounded`},
		"tenth and more": {`0.10000000000000000001`, JSONNumberInexact, 0, `the number "0.10000000000000000001" has more than 17 significant digits and would be rounded`},
		"17 digits":      {`0.10000000000000001`, JSONNumberInexact, 0, `the number "0.10000000000000001" would become 0.1`},
		"too large":      {`-1e400`, JSONNumberInexact, 0, `the number "-1e400" is beyond the range of a 64-bit float`},
		"huge exponent":  {`1e99999999999999999999`, JSONNumberInexact, 0, `the number "1e99999999999999999999" is beyond the range of a 64-bit float`},
		"too small":      {`1e-400`, JSONNumberInexact, 0, `the number "1e-400" would become 0`},
		"subnormal":      {`4.9e-324`, JSONNumberInexact, 0, `the number "4.9e-324" would become 5e-324`},
		"long number":    {`[` + strings.Repeat("7", 100000) + `]`, JSONNumberInexact, 1, `the number "7777777777777777777777777777777777777777"… has more than 17 significant digits and would be rounded`},

		"65 deep":          {strings.Repeat(`[`, 65), JSONTooDeep, 64, `the array or object at byte 64 is nested more than 64 deep`},
		"65 deep, mixed":   {strings.Repeat(`{"a":[`, 33), JSONTooDeep, 192, `the array or object at byte 192 is nested more than 64 deep`},
		"a million deep":   {strings.Repeat(`[`, 1<<20), JSONTooDeep, 64, `the array or object at byte 64 is nested more than 64 deep`},
		"1 MiB and 1":      {strings.Repeat(" ", 1<<20+1), JSONTooLarge, 1 << 20, `the text has 1048577 bytes; at most 1048576 are read`},
		"large and broken": {strings.Repeat("\xff", 1<<20+1), JSONTooLarge, 1 << 20, `the text has 1048577 bytes; at most 1048576 are read`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v, err := Parse([]byte(test.text))
			if err == nil {
				t.Fatalf("accepted as %.200s", AppendCanonical(nil, v))
			}
			if !v.IsZero() {
				t.Errorf("got value %v beside the error", v)
			}
			if err.Code != test.code || err.Offset != test.offset || err.Message != test.message {
				t.Errorf("got  %v at %d: %s\nwant %v at %d: %s", err.Code, err.Offset, err.Message, test.code, test.offset, test.message)
			}
			if err.Hint == "" && err.Code != BadJSON {
				t.Error("no hint")
			}
		})
	}
}

func TestHints(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"prose":          {`Sure! {}`, "send the JSON alone, without words around it"},
		"code fence":     {"```", "send the JSON alone, without a code fence around it"},
		"two values":     {`{}{}`, "send exactly one JSON value and nothing after it"},
		"single quotes":  {`['a']`, `write strings and names in double quotes (")`},
		"bare word":      {`[yes]`, "strings are in double quotes; the only bare words are true, false and null"},
		"bare name":      {`{path:1}`, "write names in double quotes"},
		"comment":        {`[/* */1]`, "JSON has no comments"},
		"trailing comma": {`[1,]`, "leave out the comma before it"},
		"plus":           {`[+1]`, "a number starts with a digit or a minus sign"},
		"newline":        {"\"\n\"", `write it as \n`},
		"other control":  {"\"\x1b\"", `write it as \u001b`},
		"cut":            {`{"a`, "send the complete value; a text that was cut is never completed for you"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(test.text))
			if err == nil || err.Code != BadJSON {
				t.Fatalf("got %v, want BAD_JSON", err)
			}
			if err.Hint != test.want {
				t.Errorf("got hint %q, want %q", err.Hint, test.want)
			}
		})
	}
}

// Names are compared one way in small objects and another in large ones.
func TestDuplicateInObjectOfAnySize(t *testing.T) {
	for _, size := range []int{1, 2, 15, 16, 17, 18, 40, 1000} {
		text := manyKeys(size)
		if _, err := Parse([]byte(text)); err != nil {
			t.Fatalf("%d names: refused: %v", size, err)
		}
		for _, again := range []string{"key0", "key" + strconv.Itoa(size/2), "key" + strconv.Itoa(size-1)} {
			doubled := text[:len(text)-1] + `,"` + again + `":0}`
			_, err := Parse([]byte(doubled))
			if err == nil || err.Code != DuplicateKey || err.Offset != len(text) {
				t.Errorf("%d names and %q again: got %v, want DUPLICATE_KEY at byte %d", size, again, err, len(text))
			}
		}
	}
}

func TestErrorPos(t *testing.T) {
	data := []byte("{\n  \"é\": 'x'\n}")
	_, err := Parse(data)
	if err == nil {
		t.Fatal("accepted")
	}
	if got, want := err.Pos(data), (diag.Pos{Line: 2, Col: 8}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := err.Error(), `BAD_JSON expected a value at byte 10, got "'"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMemberOffsets(t *testing.T) {
	text := ` {"a" : {"c":1}, "\u0062":[ 2 ],"d":"x"}`
	tests := []struct {
		name      string
		nameAt    int
		valueAt   int
		wantFound bool
	}{
		{"a", 2, 8, true},
		{"b", 17, 26, true},
		{"d", 32, 36, true},
		{"c", 0, 0, false}, // of an inner object
		{"", 0, 0, false},
	}
	for _, test := range tests {
		nameAt, valueAt, ok := MemberOffsets([]byte(text), test.name)
		if nameAt != test.nameAt || valueAt != test.valueAt || ok != test.wantFound {
			t.Errorf("%q: got %d, %d, %v, want %d, %d, %v", test.name, nameAt, valueAt, ok, test.nameAt, test.valueAt, test.wantFound)
		}
	}
	for _, text := range []string{``, `{}`, `[1]`, `"a"`, `{"a"`, `{"b":`} {
		if _, _, ok := MemberOffsets([]byte(text), "a"); ok {
			t.Errorf("%s: found a member", text)
		}
	}
}

func TestCodes(t *testing.T) {
	names := map[string]bool{}
	for _, c := range Codes() {
		if names[c.Name] {
			t.Errorf("%s is listed twice", c.Name)
		}
		names[c.Name] = true
		if c.Class != diag.Rejection || c.Gate != diag.Parse || c.Retry != diag.NewRequest || c.Means == "" || c.Do == "" {
			t.Errorf("%s is not a whole parse rejection: %+v", c.Name, *c)
		}
	}
	if got, want := len(names), 6; got != want {
		t.Errorf("got %d codes, want %d", got, want)
	}
}

func TestQuote(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"plain":        {"read", `"read"`},
		"empty":        {"", `""`},
		"letters":      {"é漢🚀", `"é漢🚀"`},
		"quote":        {`a"b\c`, `"a\"b\\c"`},
		"control":      {"a\n\x1b[31m", `"a\n\x1b[31m"`},
		"bidi":         {"a\u202eb\u2066", `"a\u202eb\u2066"`},
		"zero width":   {"a\u200bb\ufeff\u00ad", `"a\u200bb\ufeff\u00ad"`},
		"odd space":    {"a\u00a0b", `"a\u00a0b"`},
		"invalid":      {"a\xff", `"a\xff"`},
		"40 points":    {strings.Repeat("é", 40), `"` + strings.Repeat("é", 40) + `"`},
		"41 points":    {strings.Repeat("🚀", 41), `"` + strings.Repeat("🚀", 40) + `"…`},
		"long escaped": {strings.Repeat("\x00", 1000), `"` + strings.Repeat(`\x00`, 40) + `"…`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Quote(test.text); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
