package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/diag"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools/repotools"
)

// everyRendering is everything that this package can say about a case, by name.
func everyRendering(t testing.TB, c *Case, o term.Options) map[string]string {
	t.Helper()
	said := map[string]string{}
	add := func(name string, render func(s *term.Stream) error) {
		var b bytes.Buffer
		if err := render(term.NewStream(&b, o)); err != nil {
			t.Fatal(err)
		}
		said[name] = b.String()
	}
	for name, d := range map[string]Detail{"run": {}, "explain": {Explain: true}, "verbose": {Verbose: true}} {
		add(name, func(s *term.Stream) error { return WriteRun(s, c, d) })
	}
	add("table", func(s *term.Stream) error {
		return WriteTable(s, []Group{{Title: c.Scenario.Title, Cases: []Case{*c}}}, showOne)
	})
	add("list", func(s *term.Stream) error { return WriteList(s, []*scenarios.Scenario{c.Scenario}) })
	add("spans", func(s *term.Stream) error { return WriteSpans(s, c) })
	add("tools", func(s *term.Stream) error { return WriteTools(s, c.Result.Config.Machine.Registry) })
	said["tools.json"] = encoded(t, ToolsDocument(c.Result.Config.Machine.Registry))
	for i := range c.Result.Events {
		if o := c.Result.Events[i].Output(); o != nil {
			a := runner.Ask(c.Scenario.Config, o.Raw)
			add("answer", func(s *term.Stream) error { return WriteAnswer(s, c.Scenario.ID, a) })
			said["answer.json"] = encoded(t, AnswerDocument(c.Scenario.ID, a))
		}
	}
	said["result.json"] = encoded(t, Documents([]Case{*c}))
	said["list.json"] = encoded(t, ListDocument([]*scenarios.Scenario{c.Scenario}))
	var trace bytes.Buffer
	if err := WriteJSONL(&trace, []Case{*c}); err != nil {
		t.Fatal(err)
	}
	said["trace.jsonl"] = trace.String()
	return said
}

func encoded(t testing.TB, doc any) string {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeJSON(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile are pieces of text that a terminal or a reader could be led astray by.
var hostile = []string{
	"\x1b[31m", "\x1b]0;title\a", "\r", "\n", "\t", "\x00", "\x7f", "\u0085", "\u009b2J", "\u202e", "\u2066", "\u200b",
	"\ufeff", "\u2028", "\xff", "\xed\xa0\x80", "é", "日本", "→", "·", "  ", "a", "sum", "-", "+", "@@ ", "\\",
}

func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 0, 12).Draw(t, "pieces"), "")
	})
}

// hostileWorld draws a world in which every text from outside is hostile.
func hostileWorld(t *rapid.T) world {
	text := func(name string) string { return hostileText().Draw(t, name) }
	content := strings.ReplaceAll(strings.ToValidUTF8(text("content"), "?"), "\x00", "")
	w := sum().on(content + "target\n" + text("tail")).with("hostile")
	w.title, w.goal = text("title"), text("goal")
	after := strings.ToValidUTF8(text("after"), "?")
	call := func(members ...string) string {
		var list []strictjson.Member
		for i := 0; i < len(members); i += 2 {
			list = append(list, strictjson.Member{Name: members[i], Value: strictjson.OfString(members[i+1])})
		}
		return string(strictjson.AppendCanonical(nil, strictjson.OfObject(list...)))
	}
	valid := func(name string) string { return strings.ToValidUTF8(text(name), "?") }
	w.script = []string{
		readSum, proposeSum("target", after), text("raw"),
		call("type", "search", "query", valid("query")),
		call("type", "read", "path", valid("path")),
		call("type", valid("type"), valid("member"), valid("value")),
		call("type", "finish", "summary", valid("summary")+"."),
	}
	w.observe, w.steps = true, 20
	w.verdict = Fail
	w.findings = []Finding{{Clause: text("clause"), Where: text("where"), Want: text("want"), Got: text("got"), Message: text("message")}}
	return w
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// tame finds the first thing in a text that a terminal would obey, or that is
// no UTF-8; painted text may hold colours.
func tame(text string, painted bool) string {
	if painted {
		text = sgr.ReplaceAllString(text, "")
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return "a byte that is not UTF-8 after " + text[max(0, i-40):i]
		}
		if r != '\n' && r < ' ' || r >= 0x7F && r < 0xA0 {
			return "a control character after " + text[max(0, i-40):i]
		}
	}
	if escaped := term.EscapeText(text); escaped != text {
		return "an invisible character: " + escaped
	}
	return ""
}

func TestNothingHostileIsRendered(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := hostileWorld(r).run(t)
		o := term.Options{Color: term.Never, Width: rapid.IntRange(1, 130).Draw(r, "width"), ASCII: rapid.Bool().Draw(r, "ascii")}
		painted := rapid.Bool().Draw(r, "color")
		if painted {
			o.Color = term.Always
		}
		for name, text := range everyRendering(t, c, o) {
			if strings.Contains(name, ".json") {
				if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) {
					r.Fatalf("%s: not UTF-8, or a raw control character: %q", name, text)
				}
				continue
			}
			if fault := tame(text, painted); fault != "" {
				r.Fatalf("%s: %q", name, fault)
			}
			if o.ASCII && strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
				r.Fatalf("%s: not ASCII: %q", name, text)
			}
		}
	})
}

func TestDiagnosticsAreTame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := func(name string) string { return hostileText().Draw(r, name) }
		l := diag.List{{File: text("file"), Code: repotools.BadHash, Message: text("message"), Hint: text("hint")}}
		got := written(t, 80, false, func(s *term.Stream) error { return WriteDiagnostics(s, l) })
		if fault := tame(got, false); fault != "" {
			r.Fatal(fault)
		}
		if doc := encoded(t, DiagnosticsDocument(l)); !utf8.ValidString(doc) {
			r.Fatalf("not UTF-8: %q", doc)
		}
	})
}

// TestNoLineIsTooWide leaves out what is kept whole on purpose: diffs, and words
// that are longer than the page.
func TestNoLineIsTooWide(t *testing.T) {
	for _, w := range worlds() {
		c := w.run(t)
		for _, width := range []int{least, 41, 50, 63, 64, 72, 79, 80, 99, 100, 130} {
			for name, text := range everyRendering(t, c, term.Options{Color: term.Never, Width: width}) {
				if strings.Contains(name, ".json") {
					continue
				}
				inDiff := false
				for line := range strings.SplitSeq(text, "\n") {
					inDiff = strings.HasPrefix(line, "  --- a/") || inDiff && line != ""
					if got := term.Width(line); got > width && !inDiff && longestWord(line)+14 < width {
						t.Fatalf("%s of %s: got a line of %d columns, want at most %d\n%s", name, w.id, got, width, line)
					}
				}
			}
		}
	}
}

func longestWord(line string) int {
	longest := 0
	for _, word := range strings.Fields(line) {
		longest = max(longest, term.Width(word))
	}
	return longest
}

// TestCanary draws scripts that reach for a file in no grant, and looks for its
// content in everything that is rendered.
func TestCanary(t *testing.T) {
	pool := []string{
		`{"type":"read","path":".env"}`, `{"type":"search","query":"TOKEN"}`, `{"type":"search","query":"canary"}`,
		`{"type":"propose_edit","path":".env","baseHash":"` + unreadHash + `","before":"TOKEN","after":"x"}`,
		`{"type":"read","path":"./.env"}`, `{"type":"read","path":".ENV"}`, `{"type":"read","path":"src/../.env"}`,
		`{"type":"shell","command":"cat .env"}`, readSum, proposeSum("a - b", "a + b"),
		`{"type":"finish","summary":"done","citations":["o1"]}`, `{"type":"finish","summary":"done"}`,
	}
	rapid.Check(t, func(r *rapid.T) {
		w := sum().with("canary", rapid.SliceOfN(rapid.SampledFrom(pool), 1, 6).Draw(r, "script")...)
		w.observe = rapid.Bool().Draw(r, "observe")
		if rapid.Bool().Draw(r, "glob") {
			w.read, w.edit = []string{"**"}, []string{"**"}
		}
		for name, text := range everyRendering(t, w.run(t), term.Options{Color: term.Never}) {
			if strings.Contains(text, secret) {
				r.Fatalf("%s holds the content of a file in no grant\n%s", name, text)
			}
		}
	})
}

// TestCanaryIsFound shows that the test above looks in the right place: a file
// that is granted is rendered.
func TestCanaryIsFound(t *testing.T) {
	w := sum().with("granted", `{"type":"read","path":".env"}`)
	w.read = []string{".env"}
	said := everyRendering(t, w.run(t), term.Options{Color: term.Never})
	for _, name := range []string{"verbose", "result.json"} {
		if !strings.Contains(said[name], secret) {
			t.Errorf("%s does not hold what was read", name)
		}
	}
}

func TestEqualRunsGiveEqualBytes(t *testing.T) {
	for _, w := range worlds() {
		first := everyRendering(t, w.run(t), term.Options{Color: term.Never})
		for name, text := range everyRendering(t, w.run(t), term.Options{Color: term.Never}) {
			if first[name] != text {
				t.Errorf("%s of %s differs from run to run", name, w.id)
			}
		}
	}
}

func FuzzWriteRun(f *testing.F) {
	f.Add("a\r\nb\n", "x", `{"type":"read"}`)
	f.Add("\ufeffL\t \n", "\u202e", "\x1b[2J")
	f.Add("target", "\t\n", `{"type":"call","tool":"`+"\u200b"+`","arguments":{}}`)
	f.Fuzz(func(t *testing.T, content, after, raw string) {
		w := sum().on(content).with("fuzz", readSum, proposeSum(strings.ToValidUTF8(content, ""), strings.ToValidUTF8(after, "")), raw)
		w.observe = true
		for name, text := range everyRendering(t, w.run(t), term.Options{Color: term.Never}) {
			if strings.Contains(name, ".json") {
				if !utf8.ValidString(text) {
					t.Errorf("%s is not UTF-8", name)
				}
			} else if fault := tame(text, false); fault != "" {
				t.Errorf("%s: %q", name, fault)
			}
		}
	})
}
