package vrepo

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestExplain(t *testing.T) {
	long := strings.Repeat("a", 300)
	block := "func f() int {\n\tx := 1\n\ty := 2\n\treturn x + y\n}\n"
	seen := map[int]bool{}
	for _, c := range []struct {
		name, text, before, after string
		want                      []string // parts of the first hint; nil means no hint at all
	}{
		{"E01 CRLF", "a\r\nb\r\n", "a\nb", "", []string{"would match once with CRLF", "line 1", "`before` has LF"}},
		{"E01 LF", "a\nb\n", "a\r\nb", "", []string{"would match once with LF", "`before` has CRLF"}},
		{"E01 twice", "a\r\nb\r\na\r\nb\r\n", "a\nb", "", []string{"more than once with CRLF"}},
		{"E04 lone CR", "10%\r20%\nend\n", "10%\n20%", "", []string{"would match once with CR line endings"}},
		{"mixed endings", "a\r\nb\nc\n", "a\nb\r\nc", "", []string{"but for line endings", "1 CRLF at 1:2", "has 1 LF"}},
		{"E16 curly quote", "it’s\n", "it's", "", []string{"look-alike", "U+2019", "1:3"}},
		{"E16 straight quote", "x = it's\n", "it’s", "", []string{"look-alike", `has "'" at 1:7`, "U+2019"}},
		{"E20 no-break space", "a\nb\nin\u00A0it\n", "in it", "", []string{"look-alike", "U+00A0 (no-break space) at 3:3", "1 space"}},
		{"E20 narrow", "x = 1\u202F000\n", "1 000", "", []string{"U+202F", "1:6"}},
		{"E20 ideographic", "a\u3000b\n", "a b", "", []string{"U+3000", "1:2"}},
		{"E20 other way", "in it\n", "in\u00A0it", "", []string{"look-alike", "1 space at 1:3", "has U+00A0"}},
		{"zero width", "foo\u200Bbar\n", "foobar", "", []string{"invisible", "U+200B (zero-width space) at 1:4", "nothing"}},
		{"zero width sent", "foobar\n", "foo\u200Bbar", "", []string{"invisible", "U+200B"}},
		{"byte order mark sent", "foobar\n", "\uFEFFfoobar", "", []string{"invisible", "U+FEFF"}},
		{"E23 tab", "\tx := 1\n", "    x := 1", "", []string{"tabs and spaces", "1 tab at 1:1", "4 spaces", `"\tx := 1"`}},
		{"E23 spaces", "    x := 1\n", "\tx := 1", "", []string{"tabs and spaces", "4 spaces at 1:1", "1 tab"}},
		{"E28 exact text", "\tif a {\n", "  if a {", "", []string{`the file's text is "\tif a {"`}},
		{"E26 trailing", "L1  \nL2\n", "L1\nL2", "", []string{"trailing whitespace", "2 spaces at 1:3", "nothing"}},
		{"trailing sent", "L1\nL2\n", "L1  \nL2", "", []string{"trailing whitespace", "nothing", "2 spaces"}},
		{"trailing at the end", "L1\n", "L1  ", "", []string{"trailing whitespace"}},
		{"amount inside", "a  =  b\n", "a = b", "", []string{"tabs and spaces", "2 spaces at 1:2", "1 space"}},
		{"final newline", "a\nlast", "last\n", "", []string{"line breaks", "nothing", "1 LF"}},
		{"letter case", "const Foo = 1\n", "const foo", "", []string{"letter case", `"F" at 1:7`, `"f"`}},
		{"case beyond ASCII", "Über\n", "über", "", []string{"letter case", `"Ü" at 1:1`}},
		{"NFC file", "caf\u00e9 = 1\n", "cafe\u0301", "", []string{"Unicode form", "U+00E9 at 1:4", "U+0065 U+0301"}},
		{"NFD file", "cafe\u0301 = 1\n", "caf\u00e9", "", []string{"Unicode form", "U+0065 U+0301 at 1:4", "has \"é\" U+00E9"}},
		{"two kinds", "\tFoo()\n", "  foo()", "", []string{"letter case, tabs and spaces"}},
		{"least different wins", "FOO  bar\nfoo bar\tx\n", "foo bar x", "", []string{"line 2"}},
		{"already applied", "x = 2\n", "x = 1", "x = 2", []string{"already has the text of `after`, at line 1"}},
		{"E34 drifted line", block, "\tx := 1\n\ty := 99\n\treturn x + y\n", "", []string{"closest is the text from line 2", `line 3 of the file is "\ty := 2"`, `has "\ty := 99"`}},
		{"E32 third indent", "  if a {\n  b\n  }\n\n    if a {\n    b\n    }\n", "\tif a {\n\tb\n\t}", "", []string{"tabs and spaces", "line 1"}},
		{"closest line", "alpha\nfunc handle(w Writer, r *Request) {\nbeta\n", "func handle(w Writer, r Request) {", "", []string{"closest is line 2", "r *Request"}},
		{"closest in a long line", strings.Repeat("x", 300) + "\nexport const sum = (a: number, b: number) => a - b;\n", "(a: number, b: number) => a * b", "", []string{"closest is line 2"}},
		{"before beyond the end", "foo bar()\n", "foo bar()\nfoo bar()\n", "", []string{"closest is the text from line 1", "goes on beyond the file's end, line 1", `with "foo bar()"`}},
		{"another line beyond the end", "alpha beta gamma\n", "alpha beta gamma\nx y\n", "", []string{"goes on beyond the file's end, line 1", `with "x y"`}},
		{"before above the start", "beta\ngamma delta\n", "alpha\nbeta\ngamma delta\n", "", []string{"`before` starts above it", `with "alpha"`}},
		{"two lines swapped", "alpha beta gamma\ndelta\n", "delta\nalpha beta gamma", "", []string{"in another order", `"delta" is line 2, and "alpha beta gamma" line 1`}},
		{"two lines swapped inside", "one\nalpha beta\ngamma delta\nend\n", "one\ngamma delta\n\nalpha beta\nend", "", []string{"in another order", `"gamma delta" is line 3, and "alpha beta" line 2`}},
		{"a line between", "one line\ntwo\nthree\n", "one line\nthree\n", "", []string{`line 2 of the file is "two" where ` + "`before`" + ` has "three"`}},
		{"a blank line too many", "alpha beta\ngamma delta\n", "alpha beta\n\ngamma\n", "", []string{`line 2 of the file is "gamma delta" where ` + "`before`" + ` has ""`}},
		{"start of a line", "x = foo(bar)\nbaz qux\n", "foo(car)\nbaz qux", "", []string{`line 1 of the file is "x = foo(bar)" where`, `has "foo(car)"`}},
		{"first line ends sooner", "foo(bar)\nbaz qux\n", "foo(\nbaz qux", "", []string{`is "foo(bar)" where`, `has "foo("`}},
		{"long lines, one letter", long + "b" + long + "\n", long + "c" + long, "", []string{"closest is line 1", `"…aaaaaaaaaabaaaa`, "at column 301", `"…aaaaaaaaaacaaaa`}},
		{"long lines, one more", long + "\n", long + "b", "", []string{`: "…aaaaaaaaaa" at column 301`, `has "…aaaaaaaaaab"`}},
		{"far into a long line", "0123456789" + long + "b\n", long + "c", "", []string{`"…aaaaaaaaaab" at column 311`, `has "…aaaaaaaaaac"`}},
		{"E34 leading tab", "\tif (x) {\n", "\tif (y) {", "", []string{`closest is line 1 of the file: "\tif (x) {" where`, `has "\tif (y) {"`}},
		{"E34 no-break space shows", "a\u00A0= handle(1, 2)\n", "a = handle(1, 3)", "", []string{`"a\u00a0= handle(1, 2)"`}},
		{"Cyrillic in the file", "p\u0430yment = 1\n", "payment = 1", "", []string{"look-alike characters", `has "а" U+0430 (Cyrillic) at 1:2 where`, `has "a"`}},
		{"Cyrillic in before", "x\npayment = 1\n", "p\u0430yment = 1", "", []string{"look-alike characters", `has "a" at 2:2 where`, `has "а" U+0430 (Cyrillic)`}},
		{"Greek capital", "\u0391lpha\n", "Alpha", "", []string{`"Α" U+0391 (Greek) at 1:1`}},
		{"Greek nu, both cases", "\u039Dame\n", "Name", "", []string{`"Ν" U+039D (Greek) at 1:1`}},
		{"small Greek nu", "\u03BDalue\n", "value", "", []string{`"ν" U+03BD (Greek) at 1:1`}},
		{"Armenian", "f\u0585o\n", "foo", "", []string{"U+0585 (Armenian) at 1:2"}},
		{"Cherokee", "\u13A0o\n", "Do", "", []string{"U+13A0 (Cherokee) at 1:1"}},
		{"fullwidth", "f（x）\n", "f(x)", "", []string{`"（" U+FF08 (fullwidth) at 1:2`}},
		{"mathematical", "\U0001D431 = 1\n", "x = 1", "", []string{"U+1D431 (mathematical) at 1:1"}},
		{"accent on a Cyrillic letter", "caf\u0435\u0301\n", "caf\u00e9", "", []string{"look-alike", "U+0435 (Cyrillic) U+0301 at 1:4"}},
		{"Cyrillic, letter case", "\u0432\u0432\u043E\u0434 = 1\n", "\u0412\u0432\u043E\u0434 = 1", "", []string{"but for letter case", `has "в" at 1:1`}},
		{"two zero-width characters", "a\u200B\u200Cb\n", "a\u200Bb", "", []string{"the file has U+200B and U+200C at 1:2", "U+200B (zero-width space)"}},
		{"long gaps", "a \t \t b\n", "a \t \t\tb", "", []string{"has 1 space at 1:6 where `before` has 1 tab"}},
		{"E45 line break escaped twice", "foo\nbar\n", `foo\nbar`, "", []string{"would match once if `\\n` is a line break, at line 1: `before` is escaped twice, escape it once"}},
		{"E45 in a CRLF file", "foo\r\nbar\r\n", `foo\nbar`, "", []string{"would match once if `\\n` is a line break"}},
		{"E45 tab escaped twice", "\tx\n", `\tx`, "", []string{"if `\\t` is a tab"}},
		{"E45 quote escaped twice", "say \"hi\"\n", `say \"hi\"`, "", []string{"if `\\\"` is `\"`"}},
		{"E45 everything escaped twice", `if c == '\n' {` + "\n\tx", `if c == '\\n' {\n\tx`, "", []string{"would match once if `\\\\` is `\\`"}},
		{"E45 code point escaped twice", "a < b\n", `a \u003c b`, "", []string{"if `\\u003c` is `<`"}},
		{"E45 pair of halves", "a\U0001F680b\n", `a\ud83d\ude80b`, "", []string{"is `\U0001F680`"}},
		{"E45 markup escaped", "if a < b && c\n", "if a &lt; b &amp;&amp; c", "", []string{"if `&lt;` is `<`", "write the character itself"}},
		{"E45 break not escaped", `x := "a\nb"` + "\n", "x := \"a\nb\"", "", []string{"if a line break is `\\n`", "escape it twice"}},
		{"E45 markup not escaped", "<p>&lt;b&gt;</p>\n", "<b>", "", []string{"if `<` is `&lt;`"}},
		{"E45 more than once", "a\nb\na\nb\n", `a\nb`, "", []string{"would match more than once if"}},
		{"nothing like it", "alpha\nbeta\ngamma\n", "0123456789", "", nil},
		{"empty file", "", "a", "b", []string{"the file is empty"}},
		{"empty before", "abc", "", "X", nil},
		{"only whitespace", "abc\n", "   ", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fileOf(c.text)
			if n := f.Find(c.before, 1).Count; n != 0 {
				t.Fatalf("the case is wrong: before matches")
			}
			got := f.Explain(c.before, c.after, nil)
			checkHints(t, got)
			for _, h := range got {
				if form := checkSides(t, h); form >= 0 {
					seen[form] = true
				}
			}
			if c.want == nil {
				if len(got) > 0 {
					t.Fatalf("got %q, want no hint", got)
				}
				return
			}
			if len(got) == 0 {
				t.Fatalf("got no hint, want %q", c.want)
			}
			for _, part := range c.want {
				if !strings.Contains(got[0], part) {
					t.Errorf("got %q, want it to say %q", got[0], part)
				}
			}
		})
	}
	if len(seen) != len(bothSides) {
		t.Errorf("got hints of %d forms with two sides, want %d", len(seen), len(bothSides))
	}
}

func checkHints(t *testing.T, hints []string) {
	t.Helper()
	if len(hints) > maxHints {
		t.Errorf("got %d hints, want at most %d", len(hints), maxHints)
	}
	for _, h := range hints {
		if n := utf8.RuneCountInString(h); n > maxHint || !utf8.ValidString(h) {
			t.Errorf("got a hint of %d code points, valid %v: %q", n, utf8.ValidString(h), h)
		}
	}
}

func fileOf(text string) *File {
	return &File{path: "a.txt", content: &content{text: text}}
}

// A hint about text that was not shown would be a way to read it.
func TestExplainTellsOnlyWhatWasShown(t *testing.T) {
	secret := "TOKEN=Canary-7f3a"
	text := "first line\n" + secret + "\nlast line of the file\n"
	at := strings.Index(text, secret)
	hidden := func(from, to int) bool { return to <= at || from >= at+len(secret)+1 }
	partly := func(from, to int) bool { return to <= at+6 || from >= at+len(secret)+1 }
	for _, c := range []struct {
		name, before, after string
		shown               func(from, to int) bool
	}{
		{"letter case", "token=canary-7f3a", "x", hidden},
		{"line endings", "first line\r\nTOKEN=Canary-7f3a", "x", hidden},
		{"already there", "nothing", secret, hidden},
		{"closest line", "TOKEN=Canary-7f3b", "x", hidden},
		{"closest block", "first line\nTOKEN=Canary-7f3b\nlast line of the file\n", "x", hidden},
		{"partly shown", "token=canary-7f3a", "x", partly},
		{"partly shown, closest", "TOKEN=Canary-7f3b and more", "x", partly},
		{"escaped twice", "first line\\nTOKEN=Canary-7f3a", "x", hidden},
		{"look-alike letters", "TOKEN=C\u0430nary-7f3a", "x", hidden},
		{"another order", "TOKEN=Canary-guess\nfirst line", "x", hidden},
		{"nothing shown", "FIRST line", "x", func(int, int) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fileOf(text).Explain(c.before, c.after, c.shown)
			for _, h := range got {
				if strings.Contains(h, "line 2") || strings.Contains(h, "7f3a") || strings.Contains(h, "Canary") && !strings.Contains(c.before, "Canary") {
					t.Errorf("got %q, which tells what was not shown", h)
				}
			}
		})
	}
	got := fileOf(text).Explain("first line\nTOKEN=Canary-7f3b\nlast line of the file\n", "x", hidden)
	if want := "what was shown of lines 1 to 3 fits, but not all was: read the rest from startLine 2"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := fileOf(text).Explain("LAST line", "x", hidden); len(got) != 1 || !strings.Contains(got[0], "line 3") {
		t.Errorf("got %q, want a hint about line 3, which was shown", got)
	}
}

// The shown predicate decides what is quoted: no hint has six neighbouring
// characters of a hidden line that the caller did not send.
func TestExplainNeverQuotesHiddenText(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	word := func() string {
		b := make([]byte, 8)
		for i := range b {
			b[i] = "abcdefghijklmnop"[random.Intn(16)]
		}
		return string(b)
	}
	for range 300 {
		var lines []string
		hiddenLine := random.Intn(6)
		for i := range 6 {
			w := word()
			if i == hiddenLine {
				w = "Q" + w
			}
			lines = append(lines, w+" "+w)
		}
		text := strings.Join(lines, "\n")
		from := strings.Index(text, "Q")
		to := from + len(lines[hiddenLine])
		shown := func(a, b int) bool { return b <= from || a >= to }
		before := strings.ToLower(text[max(0, from-3):min(len(text), to+3)]) + "x"
		for _, h := range fileOf(text).Explain(before, lines[hiddenLine], shown) {
			for i := from; i+6 <= to; i++ {
				if part := text[i : i+6]; strings.Contains(h, part) && !strings.Contains(before, part) {
					t.Fatalf("got %q, which quotes the hidden %q", h, part)
				}
			}
		}
	}
}

// Nothing in the hints depends on what was not shown, except whether a text that
// was shown stands at one place or more.
func TestExplainDoesNotDependOnHiddenText(t *testing.T) {
	words := rapid.SampledFrom([]string{"alpha", "beta", "gamma", "Alpha", "\tbeta", "g\u0430mma", "{", ""})
	line := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(words, 0, 3).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		head := strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "head"), "\n") + "\n"
		tail := "\n" + strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "tail"), "\n")
		secret := "s3cret" + line.Draw(t, "secret")
		other := strings.Repeat("x", len(secret))
		before := strings.Join(rapid.SliceOfN(rapid.OneOf(line, rapid.Just(secret)), 1, 4).Draw(t, "before"), "\n")
		after := rapid.OneOf(line, rapid.Just(secret)).Draw(t, "after")
		if strings.Contains(head+secret+tail, before) || strings.Contains(head+other+tail, before) {
			return
		}
		shown := func(from, to int) bool { return to <= len(head) || from >= len(head)+len(secret) }
		got := fileOf(head+secret+tail).Explain(before, after, shown)
		want := fileOf(head+other+tail).Explain(before, after, shown)
		if !slices.Equal(got, want) && !strings.Contains(head+tail, after) {
			t.Fatalf("hidden %q, before %q, after %q:\ngot  %q\nwith other hidden text %q", secret, before, after, got, want)
		}
	})
}

func TestExplainIsDeterministic(t *testing.T) {
	text := strings.Repeat("alpha beta\ngamma delta\n", 50)
	first := fmt.Sprint(fileOf(text).Explain("alpha Beta\ngamma\n", "", nil))
	for range 20 {
		if got := fmt.Sprint(fileOf(text).Explain("alpha Beta\ngamma\n", "", nil)); got != first {
			t.Fatalf("got %s, then %s", first, got)
		}
	}
}

// slowFiles are the inputs on which hints of other tools took seconds (E103).
func slowFiles() map[string][2]string {
	var lines, misses, near strings.Builder
	for i := range 12000 {
		fmt.Fprintf(&lines, "\tvalue%d := compute(%d, %d)\n", i, i*7, i%13)
	}
	for i := range 200 {
		fmt.Fprintf(&misses, "    result%d = compute[%d]\n", i, i)
		fmt.Fprintf(&near, "\tvalue%d := compute(%d, %d)\n\n", i, i*7, i%12)
	}
	return map[string][2]string{
		"12,000 lines, 200 miss":   {lines.String(), misses.String()},
		"12,000 lines, 200 close":  {lines.String(), near.String()},
		"one byte":                 {strings.Repeat("a", 1<<20), strings.Repeat("a", 999) + "b"},
		"one byte in other case":   {strings.Repeat("a", 1<<20), strings.Repeat("A", 1000)},
		"one byte a line":          {strings.Repeat("a\n", 1<<19), strings.Repeat("a\n", 499) + "b"},
		"marks on marks":           {"e" + strings.Repeat("\u0301", 1<<18), "e" + strings.Repeat("\u0301", 100) + "x"},
		"accents":                  {strings.Repeat("é", 1<<18), strings.Repeat("e\u0301", 400) + "x"},
		"ideographs":               {strings.Repeat("漢字仮名\n", 1<<16), "漢字片仮名交じり文"},
		"no-break spaces":          {strings.Repeat("a\u00A0", 1<<18), strings.Repeat("a ", 400) + "b"},
		"blank lines":              {strings.Repeat("\n", 1<<20), "a\n\n\n\n\n\nb"},
		"long line, sparse nearly": {strings.Repeat(strings.Repeat("x", 1<<14)+"Needle", 1<<6), "needles"},
		"other script":             {strings.Repeat("привет мир\n", 1<<16), strings.Repeat("привет\n", 100) + "x"},
		"every other letter":       {strings.Repeat("aа", 1<<18), strings.Repeat("a", 1000) + "b"},
		"escapes":                  {strings.Repeat("a\n&<", 1<<18), strings.Repeat("a\\n&lt;", 200) + "b"},
		"lines of one word, moved": {strings.Repeat("alpha\nbeta\n", 1<<15), strings.Repeat("beta\n", 200) + "alpha\nalpha\ngamma"},
		"carriage returns":         {strings.Repeat("\r", 1<<20), strings.Repeat("\r\n", 400) + "b"},
	}
}

func BenchmarkExplain(b *testing.B) {
	for name, c := range slowFiles() {
		b.Run(name, func(b *testing.B) {
			f := fileOf(c[0])
			for b.Loop() {
				f.Explain(c[1], "something else", nil)
			}
		})
	}
}

func FuzzExplain(f *testing.F) {
	f.Add("a\r\nb\r\n", "a\nb", "", 0, 0)
	f.Add("in\u00A0it\n", "in it", "x", 2, 5)
	f.Add("cafe\u0301 \r\n\tx\u200B", "CAFÉ\n  x ", "caf", 0, 3)
	f.Add("\xff\xfe\u0301\u0301\r\r\n\u2028 ", " \u0301\n\n", "\x00", 1, 9)
	f.Add("\x80\xab", " \x80", "2", -8, 53)
	f.Add("a\nb\nfoo\n", "b\\na\n&lt;", "", 0, 2)
	f.Add("p\u0430y\u0301 \u0391\n", "PAY A", "", 1, 3)
	f.Add("b long line\na long line\n", "a long line\nb long line\nc", "", 0, 0)
	f.Add("f() {\n\ta\n\tb\n}\n", "f() {\n  a\n  c\n}", "", 0, 2)
	f.Fuzz(func(t *testing.T, text, before, after string, from, to int) {
		asked := func(a, b int) bool {
			if a < 0 || b > len(text) || a > b {
				t.Fatalf("asked about %d to %d of %d bytes", a, b, len(text))
			}
			return b <= from || a >= to
		}
		checkHints(t, fileOf(text).Explain(before, after, asked))
		checkHints(t, fileOf(text).Explain(before, after, nil))
		if from >= 0 && from < to && to <= len(text) {
			none := func(int, int) bool { return false }
			if got := fileOf(text).Explain(before, after, none); text != "" && len(got) > 0 {
				t.Fatalf("nothing was shown, got %q", got)
			}
		}
	})
}
