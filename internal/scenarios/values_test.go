package scenarios

import (
	"strings"
	"testing"

	"harness/internal/model"
)

// TestTypes: a value is what it is spelled as, and nothing is converted.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ value, want, hint string }{
		// Where a text is wanted, at 8:9.
		{"goal: yes", "", ""},
		{"goal: on", "", ""},
		{"goal: '12'", "", ""},
		{"goal: 1.2.3", "", ""},
		{"goal: 12", "8:9 WRONG_TYPE", `write "12"`},
		{"goal: 017", "8:9 WRONG_TYPE", `write "017"`},
		{"goal: 1_000", "8:9 WRONG_TYPE", `write "1_000"`},
		{"goal: 3.0", "8:9 WRONG_TYPE", `write "3.0"`},
		{"goal: 1e3", "8:9 WRONG_TYPE", `write "1e3"`},
		{"goal: .inf", "8:9 WRONG_TYPE", `write ".inf"`},
		{"goal: 1e400", "8:9 WRONG_TYPE", `write "1e400"`},
		{"goal: -.5E+999", "8:9 WRONG_TYPE", `write "-.5E+999"`},
		{"goal: 1e", "", ""},
		{"goal: <<", "", ""},
		{"goal: 1.2e3.4", "", ""},
		{"goal: true", "8:9 WRONG_TYPE", `write "true"`},
		{"goal: null", "8:9 WRONG_TYPE", `write "null"`},
		{"goal: ~", "8:9 WRONG_TYPE", `write "~"`},
		{"goal:", "8:8 WRONG_TYPE", `write ""`},
		{"goal: 2026-01-02", "8:9 WRONG_TYPE", `write "2026-01-02"`},
		{"goal: [look]", "8:9 WRONG_TYPE", ""},
		{"goal: {a: b}", "8:9 WRONG_TYPE", ""},
		{`goal: ""`, "8:9 INVALID_VALUE", ""},
		// Where a boolean is wanted, at 8:18.
		{"editShownOnly: true", "", ""},
		{"editShownOnly: false", "", ""},
		{"editShownOnly: yes", "8:18 WRONG_TYPE", "write true"},
		{"editShownOnly: on", "8:18 WRONG_TYPE", "write true"},
		{"editShownOnly: True", "8:18 WRONG_TYPE", "write true"},
		{"editShownOnly: no", "8:18 WRONG_TYPE", "write false"},
		{"editShownOnly: off", "8:18 WRONG_TYPE", "write false"},
		{"editShownOnly: n", "8:18 WRONG_TYPE", "write false"},
		{`editShownOnly: "true"`, "8:18 WRONG_TYPE", "without quotes"},
		{"editShownOnly: 1", "8:18 WRONG_TYPE", "write true"},
		{"editShownOnly: null", "8:18 WRONG_TYPE", ""},
		// Where a whole number is wanted, at 8:20.
		{"budget: {steps: 3, window: 12}", "", ""},
		{"budget: {window:  012}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  017}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  08}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  1_0}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  1e3}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  0x10}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  0o17}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  0b11}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  +3}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  3.0}", "8:21 WRONG_TYPE", "decimal digits"},
		{"budget: {window:  -0}", "8:21 INVALID_VALUE", ""},
		{`budget: {window:  "3"}`, "8:21 WRONG_TYPE", "leave out the quotes"},
		{"budget: {window:  !!str 3}", "8:21 WRONG_TYPE", "leave out the quotes"},
		{"budget: {window:  three}", "8:21 WRONG_TYPE", ""},
		{"budget: {window:  true}", "8:21 WRONG_TYPE", ""},
		{"budget: {window:  null}", "8:21 WRONG_TYPE", ""},
		{"budget: {window:  -1}", "8:21 INVALID_VALUE", ""},
		{"budget: {window:  0}", "8:21 INVALID_VALUE", ""},
		{"budget: {window:  2147483648}", "8:21 INVALID_VALUE", ""},
		{"budget: {window:  99999999999999999999999}", "8:21 INVALID_VALUE", ""},
		{"budget: {repeats: 1}", "8:21 INVALID_VALUE", ""},
		// Where a list or a mapping is wanted.
		{"read: a.txt", "8:9 WRONG_TYPE", "[ … ]"},
		{"read: {a: b}", "8:9 WRONG_TYPE", ""},
		{"read:", "8:8 WRONG_TYPE", "leave the key out"},
		{"read: [12]", "8:10 WRONG_TYPE", `write "12"`},
		{"read: [a.txt, [a.txt]]", "8:17 WRONG_TYPE", ""},
		{"budget: 3", "8:11 WRONG_TYPE", ""},
		{"budget: [steps, 3]", "8:11 WRONG_TYPE", ""},
		{"budget: null", "8:11 WRONG_TYPE", "leave the key out"},
		{"onRejection: observe", "", ""},
		{"onRejection: obsrve", "8:16 INVALID_VALUE", "did you mean observe?"},
	} {
		t.Run(c.value, func(t *testing.T) {
			key, _, _ := strings.Cut(c.value, ":")
			var task []string
			for _, line := range []string{"goal: look", "read: [a.txt]", "budget: {steps: 3}"} {
				if !strings.HasPrefix(line, key+":") {
					task = append(task, "  "+line+"\n")
				}
			}
			value := c.value
			if key == "budget" && strings.Contains(value, "{") && !strings.Contains(value, "steps") {
				value = strings.Replace(value, "}", ", steps: 3}", 1)
			}
			text := with("  goal: look\n  read: [a.txt]\n  budget: {steps: 3}\n", "  "+value+"\n"+strings.Join(task, ""))
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			found := expectFaults(t, text, want...)
			if len(found) > 0 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"the file is a list", "- a\n", []string{"1:1 WRONG_TYPE"}},
		{"the file is a text", "a\n", []string{"1:1 WRONG_TYPE"}},
		{"unknown version", with("harness/v1", "harness/v2") + "x: 1\n", []string{"1:13 INVALID_VALUE"}},
		{"unknown kind", with("kind: Scenario", "kind: Quiz") + "x: 1\n", []string{"2:7 INVALID_VALUE"}},
		{"kind of the wrong type", with("kind: Scenario", "kind: 12"), []string{"2:7 WRONG_TYPE"}},
		{"no version, kind and id", with("apiVersion: harness/v1\nkind: Scenario\nid: a/b\n", ""),
			[]string{"1:1 MISSING_KEY", "1:1 MISSING_KEY", "1:1 MISSING_KEY"}},
		{"id with capitals", with("a/b", "a/B"), []string{"3:5 INVALID_VALUE"}},
		{"id with an empty segment", with("a/b", "a//b"), []string{"3:5 INVALID_VALUE"}},
		{"id with dots", with("a/b", "a/../b"), []string{"3:5 INVALID_VALUE"}},
		{"id without end", with("a/b", strings.Repeat("a", 201)), []string{"3:5 INVALID_VALUE"}},
		{"no repo", with("repo:\n  files:\n    a.txt: hello\n", ""), []string{"1:1 MISSING_KEY", "6:10 BAD_REFERENCE"}},
		{"no files", with("  files:\n    a.txt: hello\n", "  {}\n"), []string{"5:3 MISSING_KEY", "8:10 BAD_REFERENCE"}},
		{"no task", with("task:\n  goal: look\n  read: [a.txt]\n  budget: {steps: 3}\n", ""), []string{"1:1 MISSING_KEY"}},
		{"no goal", with("  goal: look\n", ""), []string{"8:3 MISSING_KEY"}},
		{"no budget", with("  budget: {steps: 3}\n", ""), []string{"8:3 MISSING_KEY"}},
		{"no steps", with("{steps: 3}", "{toolCalls: 3}"), []string{"10:11 MISSING_KEY"}},
		{"no model", with("model:\n  script:\n    - {type: finish, summary: done}\n", ""), []string{"1:1 MISSING_KEY"}},
		{"no script", with("  script:\n    - {type: finish, summary: done}\n", "  allowUnused: true\n"), []string{"12:3 MISSING_KEY"}},
		{"an empty script", with("    - {type: finish, summary: done}\n", "    []\n"), nil},
		{"no grants at all", with("  read: [a.txt]\n", ""), nil},
		{"no files at all", with("    a.txt: hello\ntask:\n  goal: look\n  read: [a.txt]\n", "    {}\ntask:\n  goal: look\n"), nil},
		{"tags", plain + "tags: [a, 'b c', a, 12, '']\n", []string{"14:11 INVALID_VALUE", "14:18 INVALID_VALUE", "14:21 WRONG_TYPE", "14:25 INVALID_VALUE"}},
		{"limits", plain + "limits: {observation: 399, hits: 0, query: 80, hitText: 1000001}\n",
			[]string{"14:23 INVALID_VALUE", "14:34 INVALID_VALUE", "14:57 INVALID_VALUE"}},
		{"budget beyond reason", with("steps: 3", "steps: 100001"), []string{"10:19 INVALID_VALUE"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectFaults(t, c.text, c.want...) })
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name, files string
		want        []string
	}{
		{"two forms", `{a.txt: x, b: {content: ""}, c: {contentBase64: "//79AA==", executable: true}}`, nil},
		{"block forms", "\n    a.txt: |\n      x\n    b: |-\n      y\n", nil},
		{"folded", "\n    a.txt: >\n      x\n      y\n", []string{"6:12 FOLDED_CONTENT"}},
		{"no content", "{a.txt: x, b: {executable: true}}", []string{"5:24 MISSING_KEY"}},
		{"two contents", `{a.txt: x, b: {content: x, contentBase64: eA==}}`, []string{"5:24 INVALID_VALUE"}},
		{"no Base64", "{a.txt: x, b: {contentBase64: '*'}}", []string{"5:40 INVALID_VALUE"}},
		{"Base64 for URLs", "{a.txt: x, b: {contentBase64: __79}}", []string{"5:40 INVALID_VALUE"}},
		{"Base64 with bits to spare", "{a.txt: x, b: {contentBase64: eB==}}", []string{"5:40 INVALID_VALUE"}},
		{"Base64 in lines", "\n    a.txt: x\n    b:\n      contentBase64: |\n        aGVs\n        bG8=\n", nil},
		{"unknown key", "{a.txt: x, b: {content: x, mode: 1}}", []string{"5:37 UNKNOWN_KEY"}},
		{"a number", "{a.txt: 12}", []string{"5:18 WRONG_TYPE"}},
		{"a list", "{a.txt: [x]}", []string{"5:18 WRONG_TYPE"}},
		{"empty", "\n    a.txt:\n", []string{"6:11 WRONG_TYPE"}},
		{"removed from nothing", "{a.txt: x, b: null}", []string{"5:21 INVALID_VALUE"}},
		{"paths", "{a.txt: x, ../b: x, /c: x, 'd\\e': x, f/: x, .git/x: x, 'C:x': x, \"g\\n\": x, '': x, h.: x}", []string{
			"5:21 INVALID_VALUE", "5:30 INVALID_VALUE", "5:37 INVALID_VALUE", "5:47 INVALID_VALUE", "5:54 INVALID_VALUE",
			"5:65 INVALID_VALUE", "5:75 INVALID_VALUE", "5:85 INVALID_VALUE", "5:92 INVALID_VALUE"}},
		{"same path in another case", "{a.txt: x, A.TXT: x}", []string{"5:21 INVALID_VALUE"}},
		{"same path in another form", "{a.txt: x, \"e\\u0301\": x, é: x}", []string{"5:35 INVALID_VALUE"}},
		{"a file that is a folder", "{a.txt: x, a.txt/b: x}", []string{"5:21 INVALID_VALUE"}},
		{"the key is a number", "{a.txt: x, 12: x}", []string{"5:21 WRONG_TYPE"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectFaults(t, with("\n    a.txt: hello\n", " "+c.files+"\n"), c.want...)
		})
	}
}

func TestGrants(t *testing.T) {
	const base = `apiVersion: harness/v1
kind: Scenario
id: a/b
repo:
  files: {a.txt: hello, src/b.ts: b, src/c.ts: c, .env: TOKEN=x}
model: {script: [{type: finish, summary: done}]}
task:
  goal: look
  budget: {steps: 3}
  read: `
	for _, c := range []struct {
		name, grants string
		want         []string
		hint         string
	}{
		{"globs", "[src/*.ts, '**', '*.{txt,ts}', a.tx?, .env]", nil, ""},
		{"a path that is not there", "[src/b.js]", []string{"10:10 BAD_REFERENCE"}, "did you mean src/b.ts?"},
		{"a path that is none", "[./a.txt]", []string{"10:10 INVALID_VALUE"}, "leave it out"},
		{"a glob that covers nothing", "[a.txt, 'lib/**']", []string{"10:17 BAD_REFERENCE"}, "**"},
		{"a glob that covers sensitive files only", "['.env*']", []string{"10:10 BAD_REFERENCE"}, `".env"`},
		{"an invalid glob", "['src/[']", []string{"10:10 INVALID_VALUE"}, "close every"},
		{"an empty pattern", "['']", []string{"10:10 INVALID_VALUE"}, "name a path"},
		{"a pattern of many patterns", "['" + strings.Repeat("{a,b}", 5) + "']", []string{"10:10 INVALID_VALUE"}, "several patterns"},
		{"edit what may be read", "[a.txt]\n  edit: [a.txt]", nil, ""},
		{"edit what may not be read", "[a.txt]\n  edit: [src/b.ts]", []string{"11:10 INVALID_VALUE"}, "add it to task.read"},
		{"edit more than may be read", "[src/b.ts]\n  edit: ['src/*']", []string{"11:10 INVALID_VALUE"}, "add it to task.read"},
		{"edit what is not there", "[a.txt]\n  edit: [b.txt]", []string{"11:10 BAD_REFERENCE"}, "did you mean a.txt?"},
		{"edit a glob that covers nothing", "[a.txt]\n  edit: ['lib/*']", []string{"11:10 BAD_REFERENCE"}, ""},
		{"rules", "[a.txt]\nrules:\n  - {effect: allow, capability: repo:read, resource: 'src/**'}\n  - {effect: deny, capability: repo:search, resource: .env*}", nil, ""},
		{"rules that make it readable", "[a.txt]\n  edit: [src/b.ts]\nrules:\n  - {effect: allow, capability: repo:read, resource: 'src/**'}", nil, ""},
		{"a rule for what comes later", "[a.txt]\nchanges:\n  - {afterStep: 1, files: {new.txt: x}}\nrules:\n  - {effect: allow, capability: repo:read, resource: new.txt}", nil, ""},
		{"a task for what comes later", "[new.txt]\nchanges:\n  - {afterStep: 1, files: {new.txt: x}}", []string{"10:10 BAD_REFERENCE"}, ""},
		{"an unknown effect", "[a.txt]\nrules:\n  - {effect: ask, capability: repo:read, resource: a.txt}", []string{"12:14 INVALID_VALUE"}, ""},
		{"an unknown capability", "[a.txt]\nrules:\n  - {effect: deny, capability: repo:raed, resource: a.txt}", []string{"12:32 BAD_REFERENCE"}, "did you mean repo:read?"},
		{"a rule that covers nothing", "[a.txt]\nrules:\n  - {effect: deny, capability: repo:read, resource: b.txt}", []string{"12:53 BAD_REFERENCE"}, "did you mean a.txt?"},
		{"a rule that lacks keys", "[a.txt]\nrules:\n  - {capability: repo:read}", []string{"12:5 MISSING_KEY", "12:5 MISSING_KEY"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := expectFaults(t, base+c.grants+"\n", c.want...)
			if len(found) > 0 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name, changes string
		want          []string
	}{
		{"in any order", "[{afterStep: 2, files: {b.txt: null}}, {afterStep: 0, files: {b.txt: x, a.txt: {content: y}}}]", nil},
		{"before it is there", "[{afterStep: 0, files: {b.txt: null}}, {afterStep: 2, files: {b.txt: x}}]", []string{"14:34 INVALID_VALUE"}},
		{"removed twice", "[{afterStep: 1, files: {a.txt: null}}, {afterStep: 1, files: {a.txt: null}}]", []string{"14:72 INVALID_VALUE"}},
		{"a path that is none", "[{afterStep: 1, files: {../a: x}}]", []string{"14:34 INVALID_VALUE"}},
		{"nothing", "[{afterStep: 1, files: {}}]", []string{"14:33 INVALID_VALUE"}},
		{"no step", "[{files: {b.txt: x}}]", []string{"14:11 MISSING_KEY"}},
		{"nothing", "[{afterStep: 1}]", []string{"14:11 INVALID_VALUE"}},
		{"neither step nor time", "[{files: {b.txt: x}}]", []string{"14:11 MISSING_KEY"}},
		{"two things", "[{at: 1s, files: {b.txt: x}, cancel: run, by: x}]", []string{"14:11 INVALID_VALUE"}},
		{"order of nobody", "[{at: 1s, cancel: run}]", []string{"14:11 MISSING_KEY"}},
		{"unknown grant", "[{at: 1s, revoke: g, by: x}]", []string{"14:28 BAD_REFERENCE"}},
		{"a negative step", "[{afterStep: -1, files: {b.txt: x}}]", []string{"14:23 INVALID_VALUE"}},
		{"unknown key", "[{afterStep: 1, files: {b.txt: x}, rename: x}]", []string{"14:45 UNKNOWN_KEY"}},
	} {
		t.Run(c.name, func(t *testing.T) { expectFaults(t, plain+"changes: "+c.changes+"\n", c.want...) })
	}
}

func TestScript(t *testing.T) {
	for _, c := range []struct {
		name, item string
		want       []string
		hint       string
	}{
		{"any value", "[1, -2.5e3, true, null, ~, yes, 'text', {a: [{}]}]", nil, ""},
		{"a text", "read the file", nil, ""},
		{"raw", "{raw: '{\"a\"'}", nil, ""},
		{"raw and empty", "{raw: ''}", nil, ""},
		{"raw as Base64", "{rawBase64: /w==, repeat: 2}", nil, ""},
		{"raw among others is a member", "{raw: 12, type: read}", nil, ""},
		{"raw of another type", "{raw: 12}", []string{"13:13 WRONG_TYPE"}, ""},
		{"raw twice over", "{raw: a, rawBase64: YQ==}", []string{"13:7 INVALID_VALUE"}, ""},
		{"no Base64", "{rawBase64: '?'}", []string{"13:19 INVALID_VALUE"}, ""},
		{"repeat", "{type: read, repeat: 3}", nil, ""},
		{"repeat forever", "{type: read, repeat: forever}", nil, ""},
		{"repeat nothing", "{type: read, repeat: 0}", []string{"13:28 INVALID_VALUE"}, "forever"},
		{"repeat backwards", "{type: read, repeat: -1}", []string{"13:28 INVALID_VALUE"}, "forever"},
		{"repeat in quotes", "{type: read, repeat: \"3\"}", []string{"13:28 WRONG_TYPE"}, "forever"},
		{"repeat for ever", "{type: read, repeat: always}", []string{"13:28 WRONG_TYPE"}, "forever"},
		{"a missing value", "{type: read, path: }", []string{"13:26 WRONG_TYPE"}, "null"},
		{"another null", "{type: Null}", []string{"13:14 WRONG_TYPE"}, "write null"},
		{"another true", "{type: TRUE}", []string{"13:14 WRONG_TYPE"}, "write true"},
		{"another number", "[0x10, 017, 1_000, +1, .5, .inf, .NaN]", []string{
			"13:8 WRONG_TYPE", "13:14 WRONG_TYPE", "13:19 WRONG_TYPE", "13:26 WRONG_TYPE", "13:30 WRONG_TYPE", "13:34 WRONG_TYPE", "13:40 WRONG_TYPE"}, "quotes"},
		{"a number that JSON rounds", "[9007199254740993, 0.1, 1e400]", []string{"13:8 WRONG_TYPE", "13:31 WRONG_TYPE"}, "raw"},
		{"a date", "{a: 2026-01-02}", []string{"13:11 WRONG_TYPE"}, `"2026-01-02"`},
		{"a key that is no text", "{12: x}", []string{"13:8 WRONG_TYPE"}, "quotes"},
		{"references", "{a: '${last.baseHash}', b: '${read[\"a.txt\"].content}', c: '${o1.matches[0].path}', d: '${last.matches}', e: '${last.details.lines[0]}', f: '${last.code}', g: '${last.cut[0]}'}", nil, ""},
		{"not references", "{a: 'x ${last.nothing}', b: '$${last.nothing}', c: '${last.nothing} x', '${d}': 1}", nil, ""},
		{"a raw reference is none", "{raw: '${last.nothing}'}", nil, ""},
		{"an unknown field", "{a: '${last.basehash}'}", []string{"13:11 BAD_REFERENCE"}, "did you mean baseHash?"},
		{"an unknown root", "{a: '${lst.baseHash}'}", []string{"13:11 BAD_REFERENCE"}, "$${"},
		{"no field", "{a: '${last}'}", []string{"13:11 BAD_REFERENCE"}, "${last.FIELD}"},
		{"a malformed index", "{a: '${last.matches[x].path}'}", []string{"13:11 BAD_REFERENCE"}, ""},
		{"a path that is never there", "{a: '${read[\"b.txt\"].baseHash}'}", []string{"13:11 BAD_REFERENCE"}, "did you mean a.txt?"},
		{"a field that read does not have", "{a: '${read[\"a.txt\"].matches}'}", []string{"13:11 BAD_REFERENCE"}, ""},
		{"two faults in one", "{a: '${read[\"b.txt\"].matches}'}", []string{"13:11 BAD_REFERENCE", "13:11 BAD_REFERENCE"}, ""},
		{"a reference in a list", "{a: [x, ['${o1.nothing}']]}", []string{"13:16 BAD_REFERENCE"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := expectFaults(t, with("{type: finish, summary: done}", c.item), c.want...)
			if len(found) > 0 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}

func TestScriptValues(t *testing.T) {
	list, found := Parse("s.yaml", []byte(with("    - {type: finish, summary: done}\n", `    - {b: 1, a: [-2.5e3, true, null, yes, "\0é", '$${x}'], "": {}}
    - {raw: ''}
    - {rawBase64: /w==}
    - !!str 12
    - {type: read, repeat: 2}
`)))
	if len(list) != 1 {
		t.Fatal(found)
	}
	player := list[0].Config.Script.Play()
	for i, want := range []string{
		`{"":{},"a":[-2500,true,null,"yes","\u0000é","${x}"],"b":1}`, "", "\xff", `"12"`, `{"type":"read"}`, `{"type":"read"}`,
	} {
		got, failure := player.Next(model.Request{Step: i + 1})
		if failure != nil || string(got) != want {
			t.Errorf("answer %d: got %q, %v, want %q", i+1, got, failure, want)
		}
	}
	if _, failure := player.Next(model.Request{Step: 7}); failure == nil || failure.Code != model.ScriptExhausted {
		t.Errorf("got %v, want %v", failure, model.ScriptExhausted)
	}
}

func TestExpect(t *testing.T) {
	for _, c := range []struct {
		name, expect string
		want         []string
		hint         string
	}{
		{"everything", "{status: needs_review, stopReason: EDITS_PROPOSED, steps: 4, toolCalls: 3, rejections: 0, repoUnchanged: true," +
			" edits: [{path: a.txt, line: 1, before: a, after: '', preview: '', resultHash: '" + strings.Repeat("0", 64) + "', stale: false}]," +
			" decisions: [{step: 1, decision: deny, gate: guard, code: STALE_BASE, tool: propose_edit, resource: a.txt}], never: [TOKEN]}", nil, ""},
		{"nothing", "{}", []string{"14:9 INVALID_VALUE"}, "status"},
		{"unknown status", "{status: need_review}", []string{"14:18 INVALID_VALUE"}, "did you mean needs_review?"},
		{"a status that is no end", "{status: running}", []string{"14:18 INVALID_VALUE"}, "they are"},
		{"unknown reason", "{stopReason: MAX_STEP_REACHED}", []string{"14:22 BAD_REFERENCE"}, "did you mean MAX_STEPS_REACHED?"},
		{"a reason cut short", "{stopReason: MAX_STEP}", []string{"14:22 BAD_REFERENCE"}, "did you mean MAX_STEPS_REACHED?"},
		{"a reason that ends no run", "{stopReason: YAML_SYNTAX}", []string{"14:22 BAD_REFERENCE"}, ""},
		{"wrong types", "{status: 1, steps: '4', repoUnchanged: yes, edits: none, never: TOKEN}", []string{
			"14:18 WRONG_TYPE", "14:28 WRONG_TYPE", "14:48 WRONG_TYPE", "14:60 WRONG_TYPE", "14:73 WRONG_TYPE"}, ""},
		{"an edit without a path", "{edits: [{line: 0}]}", []string{"14:18 MISSING_KEY", "14:25 INVALID_VALUE"}, ""},
		{"an edit with two previews", "{edits: [{path: a, preview: x, previewBase64: eA==}]}", []string{"14:18 INVALID_VALUE"}, "one of the two"},
		{"a preview that is no Base64", "{edits: [{path: a, previewBase64: x}]}", []string{"14:43 INVALID_VALUE"}, "alphabet"},
		{"a hash in capitals", "{edits: [{path: a, resultHash: " + strings.Repeat("A", 64) + "}]}", []string{"14:40 INVALID_VALUE"}, "sha256sum"},
		{"a decision without", "{decisions: [{}]}", []string{"14:22 MISSING_KEY", "14:22 MISSING_KEY"}, ""},
		{"a decision of names", "{decisions: [{step: 0, decision: refuse, gate: gaurd, code: STALE, tool: reed}]}", []string{
			"14:29 INVALID_VALUE", "14:42 INVALID_VALUE", "14:56 INVALID_VALUE", "14:69 BAD_REFERENCE", "14:82 BAD_REFERENCE"}, ""},
		{"never the empty text", "{never: ['']}", []string{"14:18 INVALID_VALUE"}, ""},
		{"unknown keys", "{state: x, decisions: [{step: 1, decision: deny, rule: x}]}", []string{"14:10 UNKNOWN_KEY", "14:58 UNKNOWN_KEY"}, "did you mean status?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := expectFaults(t, plain+"expect: "+c.expect+"\n", c.want...)
			if len(found) > 0 && !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}
