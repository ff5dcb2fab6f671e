package suite

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/scenarios"
)

// reread gives a text back that went through quoteYAML and the loader.
func reread(t interface{ Fatalf(string, ...any) }, text string) string {
	list, found := scenarios.Parse("s.yaml", []byte(scenario("a/b", answers(finish)+"expect: {never: ["+quoteYAML("x"+text)+"]}\n")))
	if found.Failed() {
		t.Fatalf("%q: %v", text, found)
	}
	return list[0].Expect.Never.Items[0].Value[1:]
}

func TestQuotedTextReadsBack(t *testing.T) {
	for _, text := range []string{
		"", "a", "a b", "yes", "1", "1e400", "~", "null", "- a", "a: b", "#a", "'", `"`, `\`, "\n", "\r\n", "\t", "\x00", "\x7f", "\u0085",
		"\u00a0", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffd", "\ufffe", "\U0001F600", "\U0010FFFF", "e\u0301", "src/sum.ts", ".env", "*", "${last.x}",
	} {
		if got := reread(t, text); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestAnyQuotedTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Filter(utf8.ValidString).Draw(t, "text")
		if got := reread(t, text); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	})
}
