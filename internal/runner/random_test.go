package runner_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/tools"
)

// Whatever a scenario declares, and whatever goes wrong in it: a run ends for a reason
// or waits for a person, nothing happens twice, nothing is done without a decision, an
// approval or a grant that covers it, and where nobody knows what happened a person
// takes over.
func TestRandomScenarios(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := scenario(t)
		list, found := scenarios.Parse("random.yaml", []byte(text))
		if found.Failed() {
			t.Fatalf("%s\n%s", found, text)
		}
		r := runner.Run(list[0].Config)
		for _, wrong := range violations(r) {
			t.Errorf("%s: %s %s", wrong, r.Status, r.Reason)
		}
		if t.Failed() {
			t.Log(text)
		}
	})
}

// draft is a scenario's text in the making.
type draft struct {
	*rapid.T
	strings.Builder
}

func (d *draft) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *draft) one(name string, of ...string) string { return rapid.SampledFrom(of).Draw(d.T, name) }

func (d *draft) number(name string, least, most int) int {
	return rapid.IntRange(least, most).Draw(d.T, name)
}

func (d *draft) perhaps(name string) bool { return rapid.Bool().Draw(d.T, name) }

// some are up to so many items, in brackets.
func (d *draft) some(name string, most int, item func() string) string {
	var items []string
	for range d.number(name, 0, most) {
		items = append(items, item())
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func scenario(t *rapid.T) string {
	d := &draft{T: t}
	d.line("apiVersion: harness/v1\nkind: Scenario\nid: random/one\ntitle: Something")
	d.line("principal: {id: alice, tenant: acme, session: s1}\nworld: {log: {}, ops: {a: 1, b: 1}}\ntools:")
	for _, name := range []string{"w", "v"} {
		d.tool(name)
	}
	d.line("faults: %s", d.some("faults", 2, func() string {
		return fmt.Sprintf("{tool: %s, call: %d, kind: %s}", d.one("faulty", "w", "v"), d.number("at call", 1, 3),
			d.one("fault", "unavailable", "request-lost", "crash-before", "crash-after", "response-lost", "malformed-answer"))
	}))
	d.line("grants:\n  - {id: g0, capability: w:do, resource: '**', calls: %d}\n  - {id: g1, capability: v:do, resource: '%s', untilStep: %d}",
		d.number("calls", 0, 5), d.one("scope", "**", "v/a", "v/*"), d.number("until", 1, 6))
	d.line("human: %s", d.some("answers", 5, func() string {
		return fmt.Sprintf("{says: %s, by: bob, after: %ds%s}", d.one("says", "approve", "approve", "decline", "postpone"), d.number("after", 0, 6),
			d.one("as if", "", "", "", ", request: c1", ", seen: c1", ", session: other"))
	}))
	d.line("changes:\n  - {at: 200h}")
	for range d.number("changes", 0, 5) {
		d.line("  - {at: %dms, %s}", d.number("at", 0, 30_000), d.one("change", "world: {ops: {a: 2}}", "world: {ops: {b: null}}",
			"cancel: run, by: x", "cancel: call, by: x", "pause: true, by: x", "resume: true, by: x", "revoke: g0, by: x", "redefine: w, by: x",
			"answer: {request: c1, says: approve, by: z}"))
	}
	d.line("task:\n  goal: Do it.\n  onRejection: %s\n  confirmWithin: %s", d.one("on rejection", "observe", "observe", "stop"), d.one("within", "3s", "10s", "1h"))
	d.line("  budget: {steps: %d, toolCalls: %d, cost: %d, output: %d, deadline: %s}", d.number("steps", 3, 9), d.number("tool calls", 3, 20),
		d.number("cost", 2, 30), d.number("output", 10, 300), d.one("deadline", "8s", "40s", "24h"))
	d.line("model:\n  allowUnused: true\n  script:")
	for range d.number("outputs", 2, 7) {
		d.line("    - {type: %s, k: %s}", d.one("tool", "w", "w", "v"), d.one("key", "a", "a", "b", "../x"))
	}
	d.line("    - {type: finish, summary: Done.}\nexpect: {steps: 1}")
	return d.String()
}

// tool declares a tool whose effects carry the action's id and the number of the call.
func (d *draft) tool(name string) {
	// What is hurried is tried again while the attempt before goes on, as often as it may be.
	hurried := d.number("hurried "+name, 0, 2) == 0
	effect := "idempotent-write"
	if !hurried {
		effect = d.one("effect of "+name, "idempotent-write", "idempotent-write", "compensatable-write", "irreversible", "read")
	}
	writes := effect != "read"
	d.line("  - name: %s\n    purpose: Does it.\n    input: {type: object, properties: {k: {type: string}}, required: [k]}", name)
	d.line("    output: {type: object, properties: {ok: {type: string}}, required: [ok]}")
	d.line("    capability: %s:do\n    resource: '\"%s/\" + args.k'\n    sideEffect: %s\n    stops: %t\n    cost: %d", name, name, effect, !hurried && d.perhaps("stops"), d.number("cost of "+name, 0, 3))
	d.line("    confirmation: %s", d.one("confirmation", "never", "never", "per-call", "per-run"))
	if writes && d.perhaps("has a key") {
		d.line("    actionKey: args.k")
	}
	switch {
	case hurried:
		d.line("    timeout: 2s\n    retry: {attempts: 4, backoff: 0s}\n    lookup: true")
		d.behaviour(writes)
		return
	case d.perhaps("has a timeout"):
		d.line("    timeout: %s", d.one("timeout", "1s", "3s", "10s"))
	}
	if d.perhaps("retries") {
		d.line("    retry: {attempts: %d, backoff: %s}", d.number("attempts", 2, 4), d.one("backoff", "0s", "1s", "4s"))
	}
	if writes && d.perhaps("can be looked up") {
		d.line("    lookup: true\n    lookupTakes: %s", d.one("look-up takes", "0s", "2s", "7s"))
	}
	if d.perhaps("is inspected") {
		d.line("    operands: world.ops[args.k]")
	}
	d.behaviour(writes)
}

func (d *draft) behaviour(writes bool) {
	if !writes {
		d.line("    behaviour: [{takes: %ds, answer: {ok: '${action}'}}]", d.number("takes", 0, 7))
		return
	}
	d.line("    behaviour:")
	for _, when := range []string{"when: call == 1, ", ""} { // so that one attempt can overtake another
		takes := d.number("takes", 0, 7)
		d.line("      - {%stakes: %ds, effectAfter: %ds, put: {into: log, key: 'action + \"@\" + string(call)', value: '${world.ops[args.k]}'}, answer: {ok: '${action + \"@\" + string(call)}'}}",
			when, takes, d.number("effect after", 0, takes))
	}
}

func violations(r *runner.Result) (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	b := r.Config.Machine.Budgets
	waits := r.Status == event.WaitingConfirmation || r.Status == event.Paused
	if !r.Status.Terminal() && !waits || r.Status.Terminal() && r.Reason == nil {
		add("neither ended for a reason nor waiting")
	}
	if r.ToolCalls > b.ToolCalls || r.Standing.Cost > b.Cost {
		add("%d calls of %d, cost %d of %d", r.ToolCalls, b.ToolCalls, r.Standing.Cost, b.Cost)
	}
	happened := map[string]int{}
	log, _ := r.World.Value().Get("log")
	for _, entry := range log.Members() {
		act, _, _ := strings.Cut(entry.Name, "@")
		happened[act]++
	}
	for _, o := range r.Observations {
		tool, declared := r.Config.Machine.Registry.Lookup(o.Tool, "")
		if declared && o.Outcome == event.CallSucceeded && tool.Contract().SideEffect != tools.ReadOnly {
			told, _ := o.Content().Get("ok")
			if _, is := log.Get(told.Str()); !is {
				add("the model is told %s, which is not there", told.Str())
			}
		}
	}
	for act, n := range happened {
		if n > 1 {
			add("%s happened %d times", act, n)
		}
	}
	for i := range r.Standing.Acts {
		a := &r.Standing.Acts[i]
		unclear := a.Effect == event.EffectUnknown || a.Effect == event.EffectUnverified
		switch {
		case a.Effect == event.EffectApplied && happened[a.ID] == 0, a.Effect == event.EffectNone && happened[a.ID] > 0:
			add("%s is %s and happened %d times", a.ID, a.Effect, happened[a.ID])
		case unclear && r.Status.Terminal() && (r.Status != event.Failed || r.Handoff == nil):
			add("%s is %s", a.ID, a.Effect)
		}
	}
	return append(wrong, unfounded(r)...)
}

// unfounded finds calls that nothing stands for.
func unfounded(r *runner.Result) (wrong []string) {
	add := func(e *event.Event, why string) { wrong = append(wrong, fmt.Sprintf("event %d: %s", e.Seq, why)) }
	cfg, asked, used, granted := r.Config.Machine, map[string]*event.Confirmation{}, map[string]string{}, map[int]int{}
	var decided *event.Proposal
	stopped := false
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Name {
		case event.RunStopped:
			stopped = true
		case event.TransitionRefused, event.InputRefused:
			add(e, "the driver broke its promise")
		case event.ConfirmationRequested:
			c := e.About.(*event.Confirmation)
			asked[c.ID] = c
		case event.ProposalDecided:
			decided = e.Proposal()
		case event.ToolStarted:
			d := e.About.(*event.Dispatch)
			if stopped || e.At >= cfg.Budgets.Deadline || decided == nil || decided.Decision.Effect != event.Allow || len(decided.Decision.Grants) == 0 {
				add(e, "a call without a decision, a grant or the time for it")
				continue
			}
			for _, at := range decided.Decision.Grants {
				g := cfg.Grants.All()[at]
				if granted[at]++; g.Calls >= 0 && granted[at] > g.Calls || g.Until > 0 && int(e.Step) > g.Until {
					add(e, "a grant that is used up or over")
				}
			}
			tool, _ := cfg.Registry.Lookup(e.Tool, "")
			question := asked[d.Confirmation]
			switch {
			case tool.Contract().Confirmation == "":
			case question == nil:
				add(e, "a call that nobody approved")
			case question.Binding.Tool != e.Tool || question.Binding.Resource != e.Resource:
				add(e, "an approval of something else")
			case question.PerRun:
			case question.Binding.Arguments != d.Arguments || e.At > question.Expires || used[question.ID] != "" && used[question.ID] != d.Act:
				add(e, "an approval of other arguments, of another act, or from too long ago")
			default:
				used[question.ID] = d.Act
			}
		}
	}
	return wrong
}
