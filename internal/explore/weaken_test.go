package explore_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"harness/internal/event"
	"harness/internal/explore"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
)

// worldOf is a scenario of a few lines: what is given is laid over an empty task.
func worldOf(t testing.TB, task, rest, script string) (string, *scenarios.Scenario) {
	t.Helper()
	text := `apiVersion: harness/v1
kind: Scenario
id: weak/world
title: A world to weaken
teaches: Nothing.
principal: {id: alice, tenant: acme, session: s1, permissions: [notes]}
` + rest + `
task:
  goal: Look.
` + task + `
model:
  script:
` + script
	return text, parse(t, text)[0]
}

const twoFiles = `repo:
  files:
    a.txt: |
      one two three
      two words
    b.txt: |
      four
    .env: |
      TOKEN=synthetic-not-a-secret
`

const edit = `    - {type: propose_edit, path: a.txt, baseHash: "${last.baseHash}", before: three, after: "3"}
`

const someTask = `  read: [a.txt, b.txt]
  edit: [a.txt]
  budget: {steps: 6}
`

// noteTool declares a tool that writes one note; more is put into its declaration.
func noteTool(more string) string {
	return `repo: {files: {a.txt: one}}
world: {notes: {n1: one}, desk: {pace: usual}}
tools:
  - name: note
    purpose: Notes something.
    input: {type: object, properties: {key: {type: string}, text: {type: string}}, required: [key, text]}
    output: {type: object, properties: {key: {type: string}}, required: [key]}
    capability: note:write
    resource: '"note/" + args.key'
    sideEffect: compensatable-write
` + more + `
`
}

const writes = `    behaviour:
      - takes: 1s
        put: {into: notes, key: args.key, value: "${args.text}"}
        answer: {key: "${args.key}"}
`

const notes = `    - {type: note, key: n1, text: x}
    - {type: note, key: n2, text: x}
    - {type: note, key: n2, text: y}
`

const noteRule = `rules: [{effect: allow, capability: note:write, resource: "note/**"}]
`

const notesTask = `  read: [a.txt]
  onRejection: observe
  budget: {steps: 6}
`

func said(text string) *string { return &text }

// hostile is what persons say who are not to be believed.
func hostile() []explore.Answer {
	approval := func(name string, r runner.Reply) explore.Answer {
		r.By, r.Verdict = "mallory", event.Approved
		return explore.Answer{Name: name, Reply: r}
	}
	args := strictjson.OfObject(strictjson.Member{Name: "key", Value: strictjson.OfString("n9")}, strictjson.Member{Name: "text", Value: strictjson.OfString("x")})
	return append(explore.DefaultAnswers(),
		approval("approve for another session", runner.Reply{Session: said("s2")}),
		approval("approve for another tenant", runner.Reply{Tenant: said("other")}),
		approval("approve for another principal", runner.Reply{Principal: said("bob")}),
		approval("approve for another version", runner.Reply{Version: said("9")}),
		approval("approve for another definition", runner.Reply{OtherDefinition: true}),
		approval("approve for other rules", runner.Reply{OtherPolicy: true}),
		approval("approve other arguments", runner.Reply{Arguments: args}),
		approval("approve what nobody asked", runner.Reply{Request: "c9"}),
		approval("approve as before", runner.Reply{Request: "c1"}),
		approval("approve too late", runner.Reply{After: 2 * time.Hour}),
		approval("approve after a while", runner.Reply{After: 10 * time.Second}),
	)
}

// asBefore is persons who approve, and say the same again to another question.
func asBefore() []explore.Answer {
	return slices.DeleteFunc(hostile(), func(a explore.Answer) bool { return a.Name != "approve" && a.Name != "approve as before" })
}

// swapped is persons who leave a question open, and answer the next one with what the
// open one asks.
func swapped() []explore.Answer {
	return []explore.Answer{
		{Name: "approve", Reply: runner.Reply{Verdict: event.Approved, By: "alice"}},
		{Name: "postpone", Reply: runner.Reply{Verdict: event.Postponed, By: "alice"}},
		{Name: "approve what the first question asks", Reply: runner.Reply{Verdict: event.Approved, By: "mallory", Seen: "c1"}},
	}
}

// weak is a check, a world in which it matters, and what then is violated: an oracle,
// or an invariant of the world's own.
type weak struct {
	id                 string
	want               string
	task, rest, script string // the sum world if all are empty
	depth              int
	answers            []explore.Answer
	invariant          string
}

// unseen are the checks whose weakening nothing can see, and why.
var unseen = map[string]string{
	"schema.tool":         "the table itself refuses a call of nothing, with the same code",
	"read.range":          "no line stands between the two, so read.in_range refuses",
	"propose_edit.path":   "no read can have returned a hash for a path that is none, so propose_edit.read refuses",
	"propose_edit.hash":   "no read can have returned a hash of another form, so propose_edit.read refuses",
	"propose_edit.target": "an empty text is found nowhere, so propose_edit.found refuses",
	"propose_edit.found":  "a text that stands nowhere does not stand there once, so propose_edit.unique refuses",
	"confirm.swapped":     "an approval with the contents of another question is one of other arguments, so confirm.arguments refuses",
}

func weaknesses() []weak {
	asks := "    confirmation: per-call\n"
	return []weak{
		{id: "schema.fields", want: "arguments"},
		{id: "schema.arguments", want: "arguments"},
		{id: "search.cursor", want: "arguments"},
		{id: "read.path", want: "arguments", rest: twoFiles, task: "  read: [\"**\"]\n  budget: {steps: 3}\n", script: edit},
		{id: "read.cursor", want: "arguments"},
		{id: "read.allowed", want: "rights"},
		{id: "search.allowed", want: "rights", rest: twoFiles + "rules: [{effect: allow, capability: repo:read, resource: a.txt}]\n", task: "  budget: {steps: 3}\n", script: edit},
		{id: "propose_edit.control", want: "editing"},
		{id: "propose_edit.allowed", want: "rights"},
		{id: "propose_edit.read", want: "editing", rest: twoFiles, task: someTask + "  editShownOnly: false\n", script: edit},
		{id: "propose_edit.first", want: "editing"},
		{id: "propose_edit.current", want: "editing", rest: twoFiles + "changes: [{afterStep: 1, files: {a.txt: \"three more\"}}]\n", task: someTask, script: edit},
		{id: "propose_edit.unique", want: "editing"},
		{id: "propose_edit.shown", want: "editing", rest: twoFiles + "limits: {content: 8}\n", task: someTask, script: edit},
		{id: "propose_edit.changes", want: "editing"},
		{id: "read.exists", want: "answering", rest: twoFiles, task: "  read: [\"**\"]\n  budget: {steps: 3}\n", script: edit},
		{id: "read.utf16", want: "reading", rest: "repo: {files: {a.txt: {contentBase64: //5hAGIA}}}\n", task: "  read: [a.txt]\n  budget: {steps: 3}\n", script: edit},
		{id: "read.binary", want: "reading", rest: "repo: {files: {a.txt: {contentBase64: YQBi}}}\n", task: "  read: [a.txt]\n  budget: {steps: 3}\n", script: edit},
		{id: "read.utf8", want: "reading", rest: "repo: {files: {a.txt: {contentBase64: Y2Fm6Q==}}}\n", task: "  read: [a.txt]\n  budget: {steps: 3}\n", script: edit},
		{id: "read.cursor_current", want: "reading"},
		{id: "read.in_range", want: "reading"},
		{id: "finish.citations", want: "citing"},
		{id: "finish.cited", want: "cited", rest: twoFiles, task: someTask + "  completion: {citations: 2}\n", script: edit, invariant: `summary == "" || size(citations) >= 2`},
		{id: "budget.tool_calls", want: "budget", rest: twoFiles, task: "  read: [a.txt]\n  budget: {steps: 4, toolCalls: 2}\n", script: edit},

		{id: "tool.definition", want: "rights", rest: noteTool(writes) + noteRule + "changes: [{afterStep: 1, redefine: note, by: root}]\n", task: notesTask, script: notes, depth: 2},
		{id: "grant.tenant", want: "rights", rest: noteTool(writes) + "grants: [{id: g, capability: note:write, resource: \"note/**\", tenant: other}]\n", task: notesTask, script: notes, depth: 2},
		{id: "grant.revoked", want: "rights", rest: noteTool(writes) + "grants: [{id: g, capability: note:write, resource: \"note/**\"}]\nchanges: [{afterStep: 1, revoke: g, by: root}]\n", task: notesTask, script: notes, depth: 2},
		{id: "grant.expiry", want: "rights", rest: noteTool(writes) + "grants: [{id: g, capability: note:write, resource: \"note/**\", untilStep: 1}]\n", task: notesTask, script: notes, depth: 2},
		{id: "grant.calls", want: "rights", rest: noteTool(writes) + "grants: [{id: g, capability: note:write, resource: \"note/**\", calls: 1}]\n", task: notesTask, script: notes, depth: 2},
		{id: "grant.condition", want: "rights", rest: noteTool(writes) + "grants: [{id: g, capability: note:write, resource: \"note/**\", when: args.text == \"y\"}]\n", task: notesTask, script: notes, depth: 2},
		{id: "act.conflict", want: "effects", rest: noteTool("    actionKey: args.key\n"+writes) + noteRule, task: notesTask, script: notes, depth: 2},
		{id: "budget.tool", want: "budget", rest: noteTool(writes) + noteRule, task: "  budget: {steps: 4, perTool: {note: 1}}\n", script: notes},
		{id: "budget.cost", want: "budget", rest: noteTool("    cost: 4\n"+writes) + noteRule, task: "  budget: {steps: 4, cost: 6}\n", script: notes},
		{id: "budget.output", want: "budget", rest: noteTool(writes) + noteRule, task: "  budget: {steps: 4, output: 12}\n", script: notes},
		{id: "budget.rate", want: "budget", rest: noteTool("    rate: {calls: 1, per: 10s}\n"+writes) + noteRule, task: "  budget: {steps: 4}\n", script: notes},
		{
			id: "budget.deadline", want: "budget", depth: 1, // found out about until 7s, again until 13s, and then dispatched
			rest: strings.Replace(noteTool("    lookup: true\n    lookupTakes: 5s\n    timeout: 2s\n    retry: {attempts: 3, backoff: 1s}\n"+writes), "compensatable", "idempotent", 1) +
				noteRule + "faults: [{tool: note, call: 1, kind: request-lost}]\n",
			task: "  budget: {steps: 4, deadline: 9s}\n", script: notes,
		},

		{id: "confirm.looked", want: "approving", rest: noteTool(asks+"    operands: world.notes[args.key]\n"+writes) + noteRule, task: notesTask, script: notes, depth: 1},
		{id: "confirm.known", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.unused", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: asBefore(), depth: 2},
		{id: "confirm.run", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, depth: 1},
		{id: "confirm.session", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.tenant", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.principal", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.version", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.arguments", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{
			id: "confirm.operands", want: "approving", answers: hostile(), depth: 1,
			rest: noteTool(asks+"    operands: world.desk\n"+writes) + noteRule + "changes: [{at: 5s, world: {desk: {pace: slow}}}]\n", task: notesTask, script: notes,
		},
		{id: "confirm.policy", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.expiry", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, answers: hostile(), depth: 1},
		{id: "confirm.declined", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, depth: 1},
		{id: "confirm.asked", want: "approving", rest: noteTool(asks+writes) + noteRule, task: notesTask, script: notes, depth: 1},

		{id: "note.allowed", want: "rights", depth: 1, rest: noteTool(writes), task: notesTask, script: notes},
		{id: "note.resource", want: "rights", depth: 1, rest: noteTool(writes) + strings.Replace(noteRule, "note/**", "**", 1), task: notesTask, script: "    - {type: note, key: ../n1, text: x}\n"},
		{
			id: "note.short", want: "short", depth: 1, invariant: `world.notes.all(n, size(world.notes[n]) < 4)`,
			rest: noteTool("    require: [{id: short, that: size(args.text) < 4, code: NOTE_TOO_LONG, message: it is too long}]\n"+writes) + noteRule,
			task: notesTask, script: "    - {type: note, key: n1, text: longer}\n",
		},
		{
			id: "note.identity", want: "own", depth: 1, invariant: `world.notes.all(n, n in ["n1", "alice"])`,
			rest: noteTool("    identity: [{argument: key, is: id}]\n"+writes) + noteRule, task: notesTask, script: notes,
		},
		{
			id: "note.tenant", want: "own", depth: 1, invariant: `world.notes.all(n, n in ["n1", "acme"])`,
			rest: noteTool("    identity: [{argument: key, is: tenant}]\n"+writes) + noteRule, task: notesTask, script: notes,
		},
		{id: "note.permission", want: "rights", depth: 1, rest: noteTool("    permission: others\n"+writes) + noteRule, task: notesTask, script: notes},
		{id: "note.size", want: "answering", depth: 1, rest: noteTool(writes) + noteRule + "limits: {answer: 5}\n", task: notesTask, script: notes},
		{id: "note.output", want: "answering", depth: 1, rest: noteTool(writes) + noteRule + "faults: [{tool: note, call: 1, kind: malformed-answer}]\n", task: notesTask, script: notes},
		{
			id: "note.postcondition", want: "answering", depth: 1,
			rest: noteTool("    ensures: args.key in world.notes\n"+strings.Replace(writes, "key: args.key", `key: '"n3"'`, 1)) + noteRule, task: notesTask, script: notes,
		},
	}
}

// search explores the world of a weak check, whole or weakened.
func (w *weak) search(t *testing.T, weakened bool) (string, *scenarios.Scenario, *explore.Result) {
	t.Helper()
	data, list := load(t, sumFile)
	text, s := string(data), list[0]
	if w.rest != "" {
		text, s = worldOf(t, w.task, w.rest, w.script)
	}
	o := explore.Options{Depth: w.depth, Answers: w.answers}
	if o.Depth == 0 {
		o.Depth = 3
	}
	if w.invariant != "" {
		i, fault := explore.Compile(s.Config, w.want, w.invariant)
		if fault != nil {
			t.Fatal(fault)
		}
		o.Invariants = append(o.Invariants, i)
	}
	if weakened {
		table, ok := s.Config.Machine.Table.Without(w.id)
		if !ok {
			t.Fatalf("there is no check %s", w.id)
		}
		o.Table, o.First = table, true
	}
	return text, s, explore.Run(s, o)
}

// Each check of the table can be left out, and then something is seen to be wrong that
// is right while all are asked, or it is said why not.
func TestEveryWeakenedCheckIsSeen(t *testing.T) {
	for _, w := range weaknesses() {
		t.Run(w.id, func(t *testing.T) {
			_, _, whole := w.search(t, false)
			if len(whole.Violations) > 0 || !whole.Complete() {
				t.Fatalf("nothing is left out, and: %v %s", whole.Violations, whole.Truncated)
			}
			text, s, r := w.search(t, true)
			if len(r.Violations) == 0 || r.Violations[0].ID != w.want {
				t.Fatalf("%d symbols, %d states, %d transitions: got %v, want %s violated first", len(r.Alphabet.Symbols), r.States, r.Transitions, r.Violations, w.want)
			}
			runsAgain(t, text, s, w.id, r.Violations[0])
		})
	}
}

// runsAgain writes a violation as a scenario and runs that, weakened as the search was:
// the last output must lead to what it led to in the search.
func runsAgain(t *testing.T, text string, s *scenarios.Scenario, weakened string, v *explore.Violation) {
	t.Helper()
	written, err := v.Scenario(&explore.Origin{Data: []byte(text), Case: s.Case})
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, string(written))[0]
	boundary := *again.Config.Machine
	boundary.Table, _ = boundary.Table.Without(weakened)
	cfg := *again.Config
	cfg.Machine = &boundary
	var got []string
	for _, e := range runner.Run(&cfg).Events {
		got = append(got, strings.TrimSpace(e.Name.String()+" "+e.Code.String()))
	}
	var want []string
	for _, step := range v.Steps {
		want = append(want, step.Trace...)
	}
	// The start comes before the first step, and the script ends after the last.
	if trace := strings.Join(got, "\n"); !strings.Contains(trace, strings.Join(want, "\n")) {
		t.Errorf("got\n%s\nwant\n%s\nof\n%s", trace, strings.Join(want, "\n"), written)
	}
}

// Every check has its place above, and what is excused cannot be seen.
func TestEveryCheckIsWeakened(t *testing.T) {
	known := map[string]bool{}
	for _, w := range weaknesses() {
		known[w.id] = true
		if unseen[w.id] != "" {
			t.Errorf("%s is seen; it is no longer excused: %s", w.id, unseen[w.id])
		}
	}
	_, list := load(t, sumFile)
	_, declared := worldOf(t, notesTask, noteTool(`    actionKey: args.key
    identity: [{argument: key, is: id}, {argument: text, is: tenant}]
    require: [{id: short, that: size(args.text) < 4, code: NOTE_TOO_LONG, message: it is too long}]
    permission: notes
    ensures: args.key in world.notes
`+writes)+noteRule, notes)
	_, demanding := worldOf(t, someTask+"  completion: {citations: 1}\n", twoFiles, edit)
	for _, s := range []*scenarios.Scenario{list[0], declared, demanding} {
		for _, c := range s.Config.Machine.Table.Checks() {
			if !known[c.ID] && unseen[c.ID] == "" {
				t.Errorf("%s is never left out", c.ID)
			}
		}
	}
	for id, reason := range unseen {
		w := weak{id: id}
		if strings.HasPrefix(id, "confirm.") {
			w = weak{id: id, rest: noteTool("    confirmation: per-call\n"+writes) + noteRule, task: notesTask, script: notes, answers: swapped(), depth: 2}
		}
		if _, _, r := w.search(t, true); len(r.Violations) > 0 {
			t.Errorf("%s is seen by %s; it is no longer excused: %s", id, r.Violations[0], reason)
		}
	}
}
