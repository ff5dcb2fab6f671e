package suite

import (
	"slices"
	"strings"
	"testing"

	"harness/internal/report"
)

// mail is a scenario with a tool that can be rejected, fail, be retried, and has an
// argument that no report may show.
const mail = `apiVersion: harness/v1
kind: Scenario
id: a/mail
world: {outbox: {}}
tools:
  - name: send
    purpose: Sends.
    input: {type: object, properties: {to: {type: string}, body: {}, pin: {}}, required: [to]}
    output: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
    capability: mail:send
    sideEffect: read
    sensitive: [pin]
    retry: {attempts: 3, backoff: 1s}
    behaviour:
      - {when: 'args.to == "gone"', rejects: {code: GONE, message: gone}}
      - {when: 'args.to == "busy" && call < 3', fails: {code: BUSY, retryable: true}}
      - {when: 'args.to == "broken"', fails: {code: BROKEN, retryable: true}}
      - {answer: {ok: true}}
  - name: note
    purpose: Notes.
    input: {type: object, properties: {text: {}, tags: {}}}
    output: {type: object, properties: {ok: {type: boolean}}, required: [ok]}
    capability: mail:send
    sideEffect: read
    behaviour: [{answer: {ok: true}}]
rules: [{effect: allow, capability: mail:send, resource: "**"}]
task: {goal: send, onRejection: observe, budget: {steps: 9}}
`

// calls is a model that makes some calls and finishes, and what is expected of them.
func calls(expect string, items ...string) string {
	return mail + answers(append(items, finish)...) + "expect: {calls: " + expect + "}\n"
}

const (
	noteA  = "{type: note, text: a}"
	noteB  = "{type: note, text: b}"
	sendA  = "{type: send, to: a, body: {n: 12, deep: [1, {x: null}]}}"
	sendTo = "{type: send, to: a, body: x}"
)

func TestJudgeCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		expect string
		calls  []string
		want   string // clause, want, got; "" for none
	}{
		{"exact", "{list: [{tool: note}, {tool: send}]}", []string{noteA, sendA}, ""},
		{"exact, nothing", "{list: []}", nil, ""},
		{"exact, something instead of nothing", "{list: []}", []string{noteA}, `calls|no call|note {"text":"a"}`},
		{"exact, another order", "{list: [{tool: note, args: {text: a}}, {tool: send}]}", []string{sendTo, noteA}, `calls[0]|note {"text":"a"}|send {"body":"x","to":"a"}`},
		{"exact, one too few", "{list: [{tool: note}, {tool: send, args: {to: a}, match: subset}]}", []string{noteA}, `calls[1]|send {"to":"a"} and more|no further call`},
		{"exact, one too many", "{list: [{tool: note}]}", []string{noteA, noteB}, `calls|no further call|note {"text":"b"}`},

		{"ordered", "{trace: ordered, list: [{tool: note, args: {text: a}}, {tool: note, args: {text: b}}]}", []string{sendA, noteA, sendTo, noteB, sendTo}, ""},
		{"ordered, the other way round", "{trace: ordered, list: [{tool: note, args: {text: b}}, {tool: note, args: {text: a}}]}", []string{noteA, noteB}, `calls[1]|note {"text":"a"}|no further call`},
		{"ordered, another one follows", "{trace: ordered, list: [{tool: note}, {tool: send}]}", []string{noteA, noteB}, `calls[1]|send|note {"text":"b"}`},
		{"ordered, nearest", "{trace: ordered, list: [{tool: note}, {tool: note, args: {text: c}}]}", []string{sendTo, noteA, noteB}, `calls[1].args.text|"c"|"b"`},
		{"ordered, one call for two", "{trace: ordered, list: [{tool: note}, {tool: note}]}", []string{noteA}, `calls[1]|note|no further call`},

		{"superset", "{trace: superset, list: [{tool: note, args: {text: b}}, {tool: note, args: {text: a}}]}", []string{sendA, noteA, noteB}, ""},
		{"superset, the greedy trap", "{trace: superset, list: [{tool: note}, {tool: note, args: {text: a}}]}", []string{noteA, noteB}, ""},
		{"superset, the other greedy trap", "{trace: superset, list: [{tool: note, args: {text: a}}, {tool: note}, {tool: note, args: {text: b}}]}", []string{noteB, noteA, noteA}, ""},
		{"superset, nearest", "{trace: superset, list: [{tool: note}, {tool: note, args: {text: a}}]}", []string{noteB, noteB}, `calls[1].args.text|"a"|"b"`},
		{"superset, one call for two", "{trace: superset, list: [{tool: note}, {tool: note}]}", []string{noteA, sendTo}, `calls[1]|note|no further call`},
		{"superset, nearest of several", "{trace: superset, list: [{tool: send, args: {to: a, body: y}}]}", []string{"{type: send, to: c, body: z}", sendTo}, `calls[0].args.body|"y"|"x"`},

		{"subset", "{trace: subset, list: [{tool: send}, {tool: note}, {tool: note}]}", []string{noteA, sendA}, ""},
		{"subset, none", "{trace: subset, list: [{tool: send}]}", nil, ""},
		{"subset of nothing", "{trace: subset, list: []}", []string{noteA}, `calls|no call|note {"text":"a"}`},
		{"subset, the greedy trap", "{trace: subset, list: [{tool: note}, {tool: note, args: {text: a}}]}", []string{noteA, noteB}, ""},
		{"subset, another tool", "{trace: subset, list: [{tool: note}, {tool: note}]}", []string{noteA, sendTo}, `calls|no such call|send {"body":"x","to":"a"}`},
		{"subset, more often", "{trace: subset, list: [{tool: note}]}", []string{noteA, noteB, noteA}, `calls|no such call|note {"text":"b"}`},
		{"subset, nearest", "{trace: subset, list: [{tool: note}, {tool: send}, {tool: note, args: {text: a}}]}", []string{noteB, noteB}, `calls[2].args.text|"a"|"b"`},
	} {
		t.Run(c.name, func(t *testing.T) { expectFinding(t, calls(c.expect, c.calls...), c.want) })
	}
}

// Every way to compare arguments says the same whatever way the list is compared.
func TestJudgeArguments(t *testing.T) {
	for _, c := range []struct{ name, item, want string }{
		{"left out", "{tool: send}", ""},
		{"exact", "{tool: send, args: {body: {deep: [1, {x: null}], n: 12}, to: a}}", ""},
		{"exact, a text for a number", `{tool: send, args: {to: a, body: {n: "12", deep: [1, {x: null}]}}}`, `.args.body.n|"12"|12`},
		{"exact, missing", "{tool: send, args: {to: a}}", `.args.body|not there|{"deep":[1,{"x":null}],"n":12}`},
		{"exact, not there", "{tool: send, args: {to: a, body: {n: 12, m: 1, deep: [1, {x: null}]}}}", `.args.body.m|1|not there`},
		{"exact, null is no missing member", "{tool: send, args: {to: a, body: {n: 12, deep: [1, {}]}}}", `.args.body.deep[1].x|not there|null`},
		{"exact, nothing", "{tool: send, args: {}}", `.args.body|not there|{"deep":[1,{"x":null}],"n":12}`},
		{"subset", "{tool: send, args: {body: {n: 12}}, match: subset}", ""},
		{"subset of nothing", "{tool: send, args: {}, match: subset}", ""},
		{"subset, another value", "{tool: send, args: {body: {n: 13}}, match: subset}", `.args.body.n|13|12`},
		{"subset, a list is whole", "{tool: send, args: {body: {deep: [1]}}, match: subset}", `.args.body.deep[1]|not there|{"x":null}`},
		{"subset, and so is what it holds", "{tool: send, args: {body: {deep: [1, {}]}}, match: subset}", `.args.body.deep[1].x|not there|null`},
		{"subset, a list in full", "{tool: send, args: {body: {deep: [1, {x: null}]}}, match: subset}", ""},
		{"subset, a longer list", "{tool: send, args: {body: {deep: [1, {x: null}, 2]}}, match: subset}", `.args.body.deep[2]|2|not there`},
		{"subset, another kind", "{tool: send, args: {body: []}, match: subset}", `.args.body|[]|{"deep":[1,{"x":null}],"n":12}`},
		{"fields", "{tool: send, args: {to: null, body: null}, match: fields}", ""},
		{"fields, one too few", "{tool: send, args: {to: x}, match: fields}", `.args.body|not there|{"deep":[1,{"x":null}],"n":12}`},
		{"fields, one too many", "{tool: send, args: {to: x, body: x, pin: x}, match: fields}", `.args.pin|any value|not there`},
		{"ignore", "{tool: send, args: {to: nobody}, match: ignore}", ""},
		{"outcome", "{tool: send, outcome: succeeded}", ""},
		{"another outcome", "{tool: send, args: {to: a}, match: subset, outcome: failed}", `.outcome|failed|succeeded`},
		{"a name that is no word", `{tool: send, args: {"a b": {"": 1}}, match: subset}`, `.args["a b"]|"[redacted]"|not there`},
	} {
		for _, trace := range []string{"exact", "ordered", "superset", "subset"} {
			t.Run(c.name+"/"+trace, func(t *testing.T) {
				want := c.want
				if want != "" {
					want = "calls[0]" + want
				}
				expectFinding(t, calls("{trace: "+trace+", list: ["+c.item+"]}", sendA), want)
			})
		}
	}
}

// expectFinding runs a scenario and compares its only finding.
func expectFinding(t *testing.T, text, want string) report.Finding {
	t.Helper()
	got := ran(t, text)
	var list []string
	for _, f := range got.Findings {
		list = append(list, strings.Join([]string{f.Clause, f.Want, f.Got}, "|"))
	}
	if (want == "") != (len(list) == 0) || want != "" && !slices.Equal(list, []string{want}) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(list, "\n  "), want)
	}
	if len(got.Findings) == 0 {
		return report.Finding{}
	}
	return got.Findings[0]
}

// A call is counted once, whatever its attempts; what was refused before it is none.
func TestWhatIsACall(t *testing.T) {
	const busy, broken, gone = "{type: send, to: busy}", "{type: send, to: broken}", "{type: send, to: gone}"
	for _, c := range []struct {
		name, list string
		calls      []string
		want       string
	}{
		{"retried", "[{tool: send, outcome: succeeded}]", []string{busy}, ""},
		{"failed for good", "[{tool: send, outcome: failed}, {tool: note}]", []string{broken, noteA}, ""},
		{"rejected by the tool", "[{tool: send, outcome: rejected}]", []string{gone}, ""},
		{"not rejected", "[{tool: send, outcome: succeeded}]", []string{gone}, "calls[0].outcome|succeeded|rejected"},
		{"refused by a gate", "[{tool: note}]", []string{"{type: send}", "{type: read, path: secret}", noteA}, ""},
		{"no action at all", "[{tool: note}]", []string{"{raw: oops}", noteA}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { expectFinding(t, calls("{list: "+c.list+"}", c.calls...), c.want) })
	}
}

// TestAReceiptIsNoCall: an act that is done is not done again.
func TestAReceiptIsNoCall(t *testing.T) {
	text := strings.Replace(mail, "sideEffect: read\n    sensitive", "sideEffect: idempotent-write\n    actionKey: args.to\n    sensitive", 1)
	text += answers(sendTo, sendTo, finish) + "expect: {calls: {list: [{tool: send}]}, events: [receipt.returned]}\n"
	expectFinding(t, text, "")
}

// TestACallOfUnknownOutcome: nobody can say what a call came to whose answer was lost.
func TestACallOfUnknownOutcome(t *testing.T) {
	text := strings.Replace(mail, "sideEffect: read\n    sensitive", "sideEffect: irreversible\n    sensitive", 1)
	text = strings.Replace(text, "    retry: {attempts: 3, backoff: 1s}\n", "", 1) + "faults: [{tool: send, kind: response-lost}]\n" + answers(noteA, sendTo)
	expectFinding(t, text+"expect: {calls: {list: [{tool: note}, {tool: send, outcome: unknown}]}}\n", "")
	expectFinding(t, text+"expect: {calls: {list: [{tool: note}, {tool: send, outcome: failed}]}}\n", "calls[1].outcome|failed|unknown")
}

// Findings say where they come from, and which call was the nearest.
func TestFindingsOfCallsExplain(t *testing.T) {
	for _, c := range []struct {
		name, expect string
		calls        []string
		where, why   string
	}{
		{"the place of the value", "{list: [{tool: send, args: {body: {n: 13}}, match: subset}]}", []string{sendA}, "32:55", "at step 1"},
		{"the place of the outcome", "{list: [{tool: note, outcome: failed}]}", []string{noteA}, "32:47", "at step 1"},
		{"the place of the list", "{list: [{tool: note}]}", []string{noteA, noteB}, "33:24", "the call at step 2 stands behind the last of the list"},
		{"too early", "{trace: ordered, list: [{tool: note}, {tool: send}]}", []string{sendTo, noteA, noteB}, "34:55", "the call at step 1 fits, and comes too early; no call of send follows; what stands there is at step 3"},
		{"taken, in order", "{trace: ordered, list: [{tool: note}, {tool: note}]}", []string{noteA}, "32:55", "the call at step 1 fits, and stands for calls[0]"},
		{"taken", "{trace: superset, list: [{tool: note}, {tool: note, args: {text: a}}, {tool: note, args: {text: a}}]}", []string{noteA, noteB}, "33:87", "the call at step 1 fits, and stands for calls[1]"},
		{"more often than listed", "{trace: subset, list: [{tool: note}]}", []string{noteA, noteB}, "33:39", "calls[0] fits the call at step 2, and stands for the one at step 1"},
		{"nearest of the list", "{trace: subset, list: [{tool: note, args: {text: c}}]}", []string{noteA}, "32:66", "the call at step 1 is none of the list; calls[0] comes nearest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ran(t, calls(c.expect, c.calls...))
			if len(got.Findings) != 1 {
				t.Fatalf("got %+v, want one finding", got.Findings)
			}
			if f := got.Findings[0]; f.Where != "s.yaml:"+c.where || f.Message != c.why {
				t.Errorf("got %s %q, want %s %q", f.Where, f.Message, c.where, c.why)
			}
		})
	}
}

// TestCallsHideWhatNoReportShows: neither what was expected of a sensitive argument nor
// what it was is told, nor an argument that may be a sensitive one mistyped.
func TestCallsHideWhatNoReportShows(t *testing.T) {
	const sent = `{type: send, to: a, pin: {code: "7531", k7531: 1}}`
	for _, c := range []struct{ name, expect, want string }{
		{"another value", "{list: [{tool: send, args: {to: a, pin: \"2468\"}}]}", `calls[0].args.pin|"[redacted]"|"[redacted]"`},
		{"another part of it", "{list: [{tool: send, args: {pin: {code: \"2468\", k7531: 1}}, match: subset}]}", `calls[0].args.pin|"[redacted]"|"[redacted]"`},
		{"a part it lacks", "{list: [{tool: send, args: {pin: {k2468: 1}}, match: subset}]}", `calls[0].args.pin|"[redacted]"|"[redacted]"`},
		{"a part it should not have", "{list: [{tool: send, args: {to: a, pin: {}}}]}", `calls[0].args.pin|"[redacted]"|"[redacted]"`},
		{"not expected", "{list: [{tool: send, args: {to: a}}]}", `calls[0].args.pin|not there|"[redacted]"`},
		{"not expected as a field", "{list: [{tool: send, args: {to: a}, match: fields}]}", `calls[0].args.pin|not there|"[redacted]"`},
		{"mistyped", "{list: [{tool: send, args: {pni: \"2468\"}, match: subset}]}", `calls[0].args.pni|"[redacted]"|not there`},
		{"missing", "{list: [{tool: send}, {tool: send, args: {pin: \"2468\"}}]}", `calls[1]|send {"pin":"[redacted]"}|no further call`},
		{"surplus", "{list: []}", `calls|no call|send {"pin":"[redacted]","to":"a"}`},
		{"another tool", "{list: [{tool: note}]}", `calls[0]|note|send {"pin":"[redacted]","to":"a"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := expectFinding(t, calls(c.expect, sent), c.want)
			for _, secret := range []string{"7531", "2468"} {
				if text := strings.Join([]string{f.Clause, f.Want, f.Got, f.Message, f.Diff}, " "); strings.Contains(text, secret) {
					t.Errorf("the finding tells %s: %s", secret, text)
				}
			}
		})
	}
}

// Long values are shown around their difference, and texts that look alike are told
// apart.
func TestShownJSON(t *testing.T) {
	long := strings.Repeat("x", 400)
	for _, c := range []struct{ name, want, got, shownWant, shownGot string }{
		{"alike", "é", "e\u0301", `"\u00e9"`, `"e\u0301"`},
		{"beyond the first plane", "😀", "\x7f", `"\ud83d\ude00"`, `"\u007f"`},
		{"long", long + "a" + long, long + "b", "…" + long[:60] + "a" + long[:59] + "…", "…" + long[:60] + `b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, got := shownJSON(strictString(c.want), strictString(c.got))
			if want != c.shownWant || got != c.shownGot {
				t.Errorf("got %s and %s, want %s and %s", want, got, c.shownWant, c.shownGot)
			}
		})
	}
}

// Very many members are compared in reasonable time, and calls are tried in any number.
func TestManyCalls(t *testing.T) {
	list := strings.Repeat("{tool: note, args: {text: a}},", 250) + strings.Repeat("{tool: note},", 250)
	text := strings.Replace(mail, "steps: 9", "steps: 900, toolCalls: 900, repeats: 1000, window: 1000, contextChars: 1000000000", 1) +
		answers("{type: note, text: b, repeat: 250}", "{type: note, text: a, repeat: 250}", finish)
	expectFinding(t, text+"expect: {calls: {trace: superset, list: ["+list+"]}}\n", "")
	expectFinding(t, text+"expect: {calls: {trace: subset, list: ["+list+"]}}\n", "")
	expectFinding(t, text+"expect: {calls: {trace: superset, list: ["+list[:len(list)-len("{tool: note},")]+"{tool: note, args: {text: a}}]}}\n", `calls[499].args.text|"a"|"b"`)
}
