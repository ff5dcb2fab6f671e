package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"harness/internal/diag"
)

// plain is a small valid scenario; tests change single places of it.
const plain = `apiVersion: harness/v1
kind: Scenario
id: a/b
repo:
  files:
    a.txt: hello
task:
  goal: look
  read: [a.txt]
  budget: {steps: 3}
model:
  script:
    - {type: finish, summary: done}
`

// with is plain with one text replaced by another.
func with(old, new string) string {
	if strings.Count(plain, old) != 1 {
		panic("not once in plain: " + old)
	}
	return strings.Replace(plain, old, new, 1)
}

// places lists diagnostics as "line:col CODE".
func places(found diag.List) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.Pos.String()+" "+d.Code.Name)
	}
	return list
}

func expectFaults(t *testing.T, text string, want ...string) diag.List {
	t.Helper()
	list, found := Parse("dir/s.yaml", []byte(text))
	if got := places(found); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s\nin\n%s\n%v", strings.Join(got, "\n  "), strings.Join(want, "\n  "), text, found)
	}
	if found.Failed() == (list != nil) {
		t.Errorf("failed is %v and there are %d scenarios", found.Failed(), len(list))
	}
	return found
}

func TestPlainIsValid(t *testing.T) { expectFaults(t, plain) }

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"1:1 EMPTY_FILE"}},
		{"comments only", "# nothing\n\n", []string{"1:1 EMPTY_FILE"}},
		{"empty document", "---\n...\n", []string{"1:1 EMPTY_FILE"}},
		{"invalid UTF-8", with("look", "l\xffok"), []string{"8:10 YAML_UNSUPPORTED_TEXT"}},
		{"NUL", with("look", "l\x00ok"), []string{"8:10 YAML_UNSUPPORTED_TEXT"}},
		{"escape character", with("look", "é\x1b[31m"), []string{"8:10 YAML_UNSUPPORTED_TEXT"}},
		{"DEL", with("look", "l\x7fok"), []string{"8:10 YAML_UNSUPPORTED_TEXT"}},
		{"lone CR", with("look", "lo\rok"), []string{"8:11 YAML_UNSUPPORTED_TEXT"}},
		{"lone CR at the end", plain + "\r", []string{"14:1 YAML_UNSUPPORTED_TEXT"}},
		{"next line", with("look", "lo\u0085ok"), []string{"8:11 YAML_UNSUPPORTED_TEXT"}},
		{"line separator", with("look", "lo\u2028ok"), []string{"8:11 YAML_UNSUPPORTED_TEXT"}},
		{"paragraph separator", with("look", "lo\u2029ok"), []string{"8:11 YAML_UNSUPPORTED_TEXT"}},
		{"noncharacter", with("look", "lo\ufffeok"), []string{"8:11 YAML_UNSUPPORTED_TEXT"}},
		{"several", "a: \x01\nb: é\x02\x03\n", []string{"1:4 YAML_UNSUPPORTED_TEXT", "2:5 YAML_UNSUPPORTED_TEXT", "2:6 YAML_UNSUPPORTED_TEXT"}},
		{"UTF-16", "\xff\xfea\x00:\x00", []string{"1:1 YAML_UNSUPPORTED_TEXT"}},
		{"UTF-16, big end first", "\xfe\xff\x00a", []string{"1:1 YAML_UNSUPPORTED_TEXT"}},
		{"replacement character is a character", with("look", "lo\ufffdok"), nil},
		{"byte order mark", "\ufeff" + plain, []string{"1:1 BOM_DROPPED"}},
		{"CRLF", strings.ReplaceAll(plain, "\n", "\r\n"), []string{"1:23 CRLF_READ_AS_LF"}},
		{"byte order mark and CRLF, and a fault", "\ufeff" + strings.ReplaceAll(with("id: a/b", "id: A"), "\n", "\r\n"),
			[]string{"1:1 BOM_DROPPED", "1:23 CRLF_READ_AS_LF", "3:5 INVALID_VALUE"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectFaults(t, c.text, c.want...) })
	}
}

func TestHintsForText(t *testing.T) {
	for text, want := range map[string]string{
		"\r": `"\r"`, "\u0085": `"\x85"`, "\u2028": `"\u2028"`, "\u2029": `"\u2029"`, "\x1b": `"\x1B"`, "\ufffe": `"\uFFFE"`,
	} {
		_, found := Parse("s.yaml", []byte(with("look", "a"+text+"b")))
		if len(found) != 1 || !strings.Contains(found[0].Hint, want) {
			t.Errorf("%q: got %v, want a hint with %s", text, found, want)
		}
		// What the hint says is accepted.
		expectFaults(t, with("look", `"a`+strings.Trim(want, `"`)+`b"`))
	}
}

func TestSyntax(t *testing.T) {
	for _, c := range []struct {
		name, text, want, hint string
	}{
		{"unclosed bracket", "a: [1, 2\nb: 3\n", "2:2 YAML_SYNTAX", ""},
		{"unclosed quote", "a: 'x\n", "2:1 YAML_SYNTAX", ""},
		{"text behind a quoted value", with("look", `"All" done`), "8:15 YAML_SYNTAX", "closing quote"},
		{"colon in text", with("look", "a: b"), "8:10 YAML_SYNTAX", "quotes"},
		{"key without colon", "a: 1\nb 3\nc: 1\n", "2:1 YAML_SYNTAX", "`: `"},
		{"tab as indentation", "a:\n\tb: 1\n", "2:1 YAML_SYNTAX", "spaces"},
		{"tab at the start of a block", with("look", "|\n\tfoo"), "9:1 YAML_SYNTAX", "|2"},
		{"at sign", with("look", "@x"), "8:9 YAML_SYNTAX", "quotes"},
		{"backtick", with("look", "`x`"), "8:9 YAML_SYNTAX", "quotes"},
		{"wrong escape", with("look", `"x\q"`), "8:11 YAML_SYNTAX", `\\`},
		{"half a surrogate pair", with("look", `"\ud83d"`), "8:12 YAML_SYNTAX", "code point"},
		{"columns count code points", `{"é": "ü", "x": @}`, "1:17 YAML_SYNTAX", "quotes"},
		{"only the first is reported", "a: [\nb: ]\nc: @\n", "3:4 YAML_SYNTAX", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := expectFaults(t, c.text, c.want)
			if len(found) == 1 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}

func TestTabInABlockWithItsIndentationSaid(t *testing.T) {
	list, found := Parse("s.yaml", []byte(with("a.txt: hello", "a.txt: |2\n      \tcc a.c")))
	if len(list) != 1 {
		t.Fatal(found)
	}
	f, _ := list[0].Config.Snapshot.File("a.txt")
	if got, want := f.Text(), "\tcc a.c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnsupportedFeatures(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"second document", plain + "---\n" + plain, []string{"14:1 YAML_UNSUPPORTED_FEATURE"}},
		{"second document, empty", plain + "---\n", []string{"14:1 YAML_UNSUPPORTED_FEATURE"}},
		{"end of document", plain + "...\n", nil},
		{"anchor", with("look", "&x look"), []string{"8:9 YAML_UNSUPPORTED_FEATURE"}},
		{"alias", with("goal: look", "goal: &x look\n  onRejection: *x"), []string{"8:9 YAML_UNSUPPORTED_FEATURE", "9:16 YAML_UNSUPPORTED_FEATURE"}},
		{"alias to nothing", with("look", "*x"), []string{"8:9 YAML_UNSUPPORTED_FEATURE"}},
		{"alias to itself", with("  files:\n    a.txt: hello", "  files: &x\n    a.txt: *x"), []string{"5:10 YAML_UNSUPPORTED_FEATURE", "6:12 YAML_UNSUPPORTED_FEATURE"}},
		{"anchor on a key", with("goal:", "&x goal:"), []string{"8:3 YAML_UNSUPPORTED_FEATURE"}},
		{"alias as a key", with("id: a/b", "id: &x a/b\n*x : 1"), []string{"3:5 YAML_UNSUPPORTED_FEATURE", "4:1 WRONG_TYPE"}},
		{"merge key", with("goal: look", "<<: {goal: x}\n  goal: look"), []string{"8:3 YAML_UNSUPPORTED_FEATURE"}},
		{"quoted << is a key like others", with("goal: look", "\"<<\": 1\n  goal: look"), []string{"8:3 UNKNOWN_KEY"}},
		{"tag", with("look", "!foo look"), []string{"8:9 YAML_UNSUPPORTED_FEATURE"}},
		{"non-specific tag", with("look", "! look"), []string{"8:9 YAML_UNSUPPORTED_FEATURE"}},
		{"int tag", with("steps: 3", "steps: !!int 3"), []string{"10:19 YAML_UNSUPPORTED_FEATURE"}},
		{"tag on a mapping", with("{steps: 3}", "!!map {steps: 3}"), []string{"10:11 YAML_UNSUPPORTED_FEATURE"}},
		{"str tag", with("look", "!!str 12"), nil},
		{"str tag on a number", with("steps: 3", "steps: !!str 3"), []string{"10:19 WRONG_TYPE"}},
		{"directive", "%YAML 1.1\n---\n" + plain, []string{"1:1 YAML_UNSUPPORTED_FEATURE"}},
		{"directive after comments", "# c\n\n%TAG ! !x\n---\n" + plain, []string{"3:1 YAML_UNSUPPORTED_FEATURE"}},
		{"percent in a block is none", with("a.txt: hello", "a.txt: |\n      x\n      %YAML"), nil},
		{"too deep by brackets", with("look", strings.Repeat("[", 101)+strings.Repeat("]", 101)), []string{"8:109 YAML_TOO_LARGE"}},
		{"too deep by dashes", with("look", strings.Repeat("- ", 120)+"x"), []string{"8:9 YAML_SYNTAX"}},
		{"too deep by dashes on lines of their own", with("goal: look", "goal:\n    "+strings.Repeat("- ", 120)+"x"), []string{"9:201 YAML_TOO_LARGE"}},
		{"too deep together", with("    - {type", "    - "+strings.Repeat("- ", 60)+strings.Repeat("[", 60)+strings.Repeat("]", 60)+"\n    - {type"), []string{"13:164 YAML_TOO_LARGE"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectFaults(t, c.text, c.want...) })
	}
}

func TestSizeLimit(t *testing.T) {
	expectFaults(t, plain+"#"+strings.Repeat("x", MaxSize), "1:1 YAML_TOO_LARGE")
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		hint       string
	}{
		{"unknown at the top", plain + "zebra: []\n", []string{"14:1 UNKNOWN_KEY"}, "the keys are"},
		{"misspelt at the top", plain + "grnats: []\n", []string{"14:1 UNKNOWN_KEY"}, "did you mean grants?"},
		{"unknown below", with("goal:", "gaol: x\n  goal:"), []string{"8:3 UNKNOWN_KEY"}, "did you mean goal?"},
		{"wrong letter case", with("steps: 3", "Steps: 3"), []string{"10:12 UNKNOWN_KEY", "10:11 MISSING_KEY"}, ""},
		{"not text", with("goal:", "12: x\n  goal:"), []string{"8:3 WRONG_TYPE"}, "quotes"},
		{"a list as a key", with("goal:", "? [a]\n  : x\n  goal:"), []string{"8:5 WRONG_TYPE"}, ""},
		{"null as a key", with("goal:", "~: x\n  goal:"), []string{"8:3 WRONG_TYPE"}, "quotes"},
		{"given twice", with("goal: look", "goal: look\n  goal: again"), []string{"9:3 DUPLICATE_YAML_KEY"}, "keep one"},
		{"given twice through quotes", with("goal: look", "goal: look\n  \"g\\x6Fal\": again"), []string{"9:3 DUPLICATE_YAML_KEY"}, ""},
		{"a path given twice", with("a.txt: hello", "a.txt: hello\n    a.txt: world"), []string{"7:5 DUPLICATE_YAML_KEY"}, ""},
		{"given twice in an answer", with("summary: done", "summary: done, summary: x"), []string{"13:37 DUPLICATE_YAML_KEY"}, ""},
		{"given three times", "a: 1\nb: 1\na: 2\na: 3\n", []string{
			"1:1 MISSING_KEY", "1:1 MISSING_KEY", "1:1 MISSING_KEY", "1:1 MISSING_KEY", "1:1 MISSING_KEY", "1:1 MISSING_KEY",
			"1:1 UNKNOWN_KEY", "2:1 UNKNOWN_KEY", "3:1 DUPLICATE_YAML_KEY", "3:1 UNKNOWN_KEY", "4:1 DUPLICATE_YAML_KEY", "4:1 UNKNOWN_KEY"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			slices.Sort(c.want)
			found := expectFaults(t, c.text, inOrder(c.want)...)
			if len(found) > 0 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
	_, found := Parse("s.yaml", []byte(with("goal: look", "goal: look\n  goal: again")))
	if got, want := found[0].Message, `the key "goal" was already given at 8:3`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// inOrder sorts places by line, column and code.
func inOrder(list []string) []string {
	slices.SortStableFunc(list, func(a, b string) int {
		var al, ac, bl, bc int
		var an, bn string
		fmt.Sscanf(a, "%d:%d %s", &al, &ac, &an)
		fmt.Sscanf(b, "%d:%d %s", &bl, &bc, &bn)
		switch {
		case al != bl:
			return al - bl
		case ac != bc:
			return ac - bc
		default:
			return strings.Compare(an, bn)
		}
	})
	return list
}

// Of very many faults the first hundred are listed and the rest counted.
func TestManyFaultsAreCounted(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: harness/v1\nkind: Scenario\n")
	for i := range 500 {
		fmt.Fprintf(&b, "unknown%d: 1\n", i)
	}
	list, found := Parse("many.yaml", []byte(b.String()))
	if last := found[len(found)-1]; list != nil || len(found) > 101 || last.Code.Name != "MORE_FAULTS" {
		t.Errorf("got %d faults, the last %s", len(found), last.Code)
	}
}
