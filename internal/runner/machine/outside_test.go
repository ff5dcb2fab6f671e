package machine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
)

// desk is a world with tools of every side effect.
type desk struct {
	cfg       *machine.Config
	blueprint *fixture.Blueprint
}

func value(text string) strictjson.Value {
	v, err := strictjson.Parse([]byte(text))
	if err != nil {
		panic(text + ": " + err.Error())
	}
	return v
}

func schema(text string) *fixture.Schema {
	s, fault := fixture.NewSchema(value(text))
	if fault != nil {
		panic(fault.Message)
	}
	return s
}

// deskWorld is what the tools work on. One note may not be read by anybody.
var deskWorld = []fixture.Collection{
	{Name: "notes", Entries: value(`{"public":"hello","secret":"` + canary + `"}`).Members()},
	{Name: "tickets"},
}

func compiled(source string, variables []expression.Variable) *expression.Program {
	p, fault := expression.Compile(source, variables, nil)
	if fault != nil {
		panic(source + ": " + fault.Message)
	}
	return p
}

// writer declares a tool that writes one ticket.
func writer(name string, side tools.SideEffect, c func(*tools.Contract), key string) *fixture.Spec {
	input := schema(`{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"}},"required":["id","title"]}`)
	output := schema(`{"type":"object","properties":{"ticket":{"type":"string"}},"required":["ticket"]}`)
	world := worldOf()
	over := fixture.WorldVariables(input.Type(), world)
	template := func(text string) *fixture.Template {
		t, fault := fixture.NewTemplate(value(text), over)
		if fault != nil {
			panic(fault.Fault.Message)
		}
		return t
	}
	s := &fixture.Spec{
		Contract: tools.Contract{
			Name: name, Version: "1", Purpose: "Writes.", Input: input, Capability: "ticket:write", SideEffect: side,
			Timeout: 2 * time.Second, Cost: 3,
		},
		Output: output, Trust: event.TrustedTool, Heeds: true,
		Resource: compiled(`"ticket/" + args.id`, fixture.CallVariables(input.Type())),
		Operands: compiled(`world.tickets`, over),
		Behaviours: []fixture.Behaviour{{
			Takes: time.Second, Effect: time.Second / 2, Cost: 2,
			Changes: []fixture.Change{{Operation: fixture.Put, Collection: "tickets", Key: compiled(`args.id`, over), Value: template(`"${args.title}"`)}},
			Answer:  template(`{"ticket":"${args.id}"}`),
		}},
		Postcondition: compiled(`args.id in world.tickets`, fixture.ResultVariables(input.Type(), world, output.Type())),
	}
	if key != "" {
		s.Key = compiled(key, fixture.CallVariables(input.Type()))
	}
	c(&s.Contract)
	return s
}

func worldOf() *expression.Type {
	entries := expression.MapOf(expression.Of(expression.Dyn))
	return &expression.Type{Kind: expression.Object, Fields: []expression.Field{{Name: "notes", Type: entries}, {Name: "tickets", Type: entries}}}
}

// reader declares a tool that shows one note.
func reader() *fixture.Spec {
	input := schema(`{"type":"object","properties":{"note":{"type":"string"}},"required":["note"]}`)
	over := fixture.WorldVariables(input.Type(), worldOf())
	answer, fault := fixture.NewTemplate(value(`{"text":"${world.notes[args.note]}"}`), over)
	if fault != nil {
		panic(fault.Fault.Message)
	}
	return &fixture.Spec{
		Contract: tools.Contract{
			Name: "read_note", Version: "1", Purpose: "Shows a note.", Input: input, Capability: "note:read", SideEffect: tools.ReadOnly,
			Timeout: time.Second, Retry: tools.Retry{Attempts: 2, Backoff: time.Second, Factor: 2}, Rate: tools.Rate{Calls: 3, Per: 5 * time.Second},
		},
		Output: schema(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`), Trust: event.UntrustedContent,
		Resource:   compiled(`"note/" + args.note`, fixture.CallVariables(input.Type())),
		Behaviours: []fixture.Behaviour{{Takes: time.Second / 4, Answer: answer, Cost: -1}},
	}
}

func newDesk(t *rapid.T) *desk {
	kinds := []fixture.FaultKind{
		fixture.Unavailable, fixture.RequestLost, fixture.CrashBefore, fixture.CrashAfter, fixture.ResponseLost,
		fixture.MalformedAnswer, fixture.ReadBackDiffers, fixture.LookupUnavailable,
	}
	lookup := func(c *tools.Contract) {
		c.Lookup, c.Retry = true, tools.Retry{Attempts: 3, Backoff: time.Second, Factor: 2}
	}
	list := []tools.Tool{
		fixture.New(reader()),
		fixture.New(writer("open", tools.IdempotentWrite, lookup, `args.id`)),
		fixture.New(writer("ask_open", tools.IdempotentWrite, func(c *tools.Contract) { lookup(c); c.Confirmation, c.Inspects = tools.PerCall, true }, `"a" + args.id`)),
		fixture.New(writer("run_open", tools.CompensableWrite, func(c *tools.Contract) { c.Confirmation, c.Lookup = tools.PerRun, true }, "")),
		fixture.New(writer("launch", tools.Irreversible, func(c *tools.Contract) { c.Calls = 2 }, "")),
	}
	d := &desk{blueprint: &fixture.Blueprint{Collections: deskWorld}}
	for _, tool := range list {
		d.blueprint.Tools = append(d.blueprint.Tools, tool.(*fixture.Tool))
		if rapid.SampledFrom([]bool{false, false, true}).Draw(t, "fault") {
			d.blueprint.Faults = append(d.blueprint.Faults, fixture.Fault{
				Tool: tool.Contract().Name, Call: rapid.IntRange(0, 2).Draw(t, "call"), Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
			})
		}
	}
	registry, err := tools.New(list...)
	if err != nil {
		t.Fatal(err)
	}
	rules := policy.NewRules(
		policy.Rule{ID: "deny", Effect: event.Deny, Capability: "note:read", Pattern: "note/secret"},
		policy.Rule{ID: "read", Effect: event.Allow, Capability: "note:read", Pattern: "note/*"},
	)
	grants := policy.NewGrants(policy.Grant{
		ID: "g", Capability: "ticket:write", Pattern: "ticket/*",
		Until: rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "until"), Calls: rapid.SampledFrom([]int{policy.Unlimited, policy.Unlimited, 4, 1, 0}).Draw(t, "grant calls"),
	})
	limits := tools.DefaultLimits()
	finish := tools.NewFinish(limits)
	d.cfg = &machine.Config{
		Registry: registry, Finish: finish, Table: policy.NewTable(registry, finish), Rules: rules, Grants: grants,
		Budgets: policy.Budgets{
			Steps: rapid.SampledFrom([]int{12, 12, 6, 1}).Draw(t, "steps"), ToolCalls: rapid.SampledFrom([]int{12, 12, 3, 0}).Draw(t, "tool calls"),
			Rejections: 4, Repeats: 3, Window: 6, ContextChars: 32000,
			Cost: rapid.SampledFrom([]int{100, 100, 8, 4, 0}).Draw(t, "cost"), Output: rapid.SampledFrom([]int{10000, 10000, 10000, 20, 0}).Draw(t, "output"),
			Deadline: rapid.SampledFrom([]time.Duration{time.Hour, time.Hour, time.Hour, 3 * time.Second, 0}).Draw(t, "deadline"),
			PerTool:  []policy.ToolBudget{{Tool: "open", Calls: 3}},
		},
		Limits: limits, OnRejection: rapid.SampledFrom([]machine.OnRejection{machine.Observe, machine.Observe, machine.StopRun}).Draw(t, "on rejection"),
		Identity:    &policy.Identity{Run: "r", Session: "s", Attempt: 1, Principal: &tools.Principal{ID: "alice"}, ConfirmFor: time.Minute},
		Completion:  rapid.SampledFrom([]*machine.Completion{nil, {}, {Verify: true}}).Draw(t, "completion"),
		AsksHandoff: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "asks"),
		Prompt:      prompt.New("goal", rules, grants, registry), ActionTypes: append(registry.Names(), "finish"),
	}
	return d
}

// deskRun is one run driven at random over a world that really changes.
type deskRun struct {
	*desk
	t       *rapid.T
	m       *machine.Machine
	world   *fixture.World
	now     time.Duration
	open    []*attempt // whose effect or answer may still come
	asked   *event.Confirmation
	begun   int
	answers int
}

// attempt is a call under way.
type attempt struct {
	command *policy.Command
	call    *tools.Call
	outcome tools.Outcome
	late    machine.LateCall
	done    bool // its effect
}

func (r *deskRun) say() []byte {
	id := rapid.SampledFrom([]string{"x", "x", "x", "y", "../x"}).Draw(r.t, "id")
	title := rapid.SampledFrom([]string{"one", "one", "one", "two"}).Draw(r.t, "title")
	return []byte(rapid.SampledFrom([]string{
		`{"type":"read_note","note":"public"}`, `{"type":"read_note","note":"secret"}`, `{"type":"read_note","note":"` + canary + `x"}`,
		fmt.Sprintf(`{"type":"open","id":%q,"title":%q}`, id, title), fmt.Sprintf(`{"type":"open","id":%q,"title":%q}`, id, title),
		fmt.Sprintf(`{"type":"ask_open","id":%q,"title":%q}`, id, title),
		fmt.Sprintf(`{"type":"run_open","id":%q,"title":%q}`, id, title),
		fmt.Sprintf(`{"type":"launch","id":%q,"title":%q}`, id, title),
		fmt.Sprintf(`{"type":"ask_open","id":%q,"title":%q}`, id, title),
		fmt.Sprintf(`{"type":"run_open","id":%q,"title":%q}`, id, title),
		`{"type":"finish","summary":"done","citations":["o1"]}`, `{"type":"open"}`, "{",
	}).Draw(r.t, "output"))
}

// call starts an attempt as a driver does.
func (r *deskRun) call(e *machine.Effect) {
	r.begun++
	e.Call.World = r.world
	a := &attempt{command: e.Command, call: e.Call}
	a.late = machine.LateCall{Step: int32(e.Step), Tool: e.Call.Tool.Contract().Name, Act: e.Call.Act, Attempt: e.Call.Attempt}
	a.outcome = r.cfg.Table.Perform(e.Command)
	r.open = append(r.open, a)
}

// happen lets an effect that may happen, happen.
func (a *attempt) happen() {
	if p := a.outcome.Plan; p != nil && p.Effect >= 0 && p.Happens != nil && !a.done {
		a.done = true
		p.Happens()
	}
}

// input draws what happens next.
func (r *deskRun) input(e *machine.Effect) machine.Input {
	r.now += rapid.SampledFrom([]time.Duration{0, 0, 0, 0, time.Second, 4 * time.Second}).Draw(r.t, "time")
	in := machine.Input{At: r.now}
	switch kind := rapid.SampledFrom([]int{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 2, 3, 0}).Draw(r.t, "outside"); {
	case kind == 0:
		in.Kind, in.Order = machine.Ordered, &event.Order{
			Kind: rapid.SampledFrom([]event.OrderKind{event.PauseRun, event.CancelCall, event.ResumeRun, event.Revoke, event.Redefine, event.CancelRun, "x"}).Draw(r.t, "order"),
			By:   "eve", What: "open", Place: rapid.IntRange(-1, 1).Draw(r.t, "place"),
		}
		return in
	case kind == 1:
		in.Kind = machine.Tick
		return in
	case kind == 2:
		in.Kind, in.Answer = machine.Answered, r.answer(nil)
		return in
	case kind == 3 && len(r.open) > 0:
		a := rapid.SampledFrom(r.open).Draw(r.t, "late")
		a.happen()
		in.Kind, in.Outcome, in.Late = machine.ToolResult, a.outcome, &a.late
		return in
	}
	return r.reply(in)
}

// reply answers what the run waits for.
func (r *deskRun) reply(in machine.Input) machine.Input {
	facts := &event.Facts{Operands: strictjson.DigestOf(r.world.Value()), Holds: rapid.SampledFrom([]bool{false, false, false, true}).Draw(r.t, "holds")}
	if rapid.SampledFrom([]bool{false, false, false, false, false, false, false, true}).Draw(r.t, "fault") {
		facts = &event.Facts{Fault: "nobody knows"}
	}
	switch r.m.State().Phase {
	case machine.Between:
		in.Kind = machine.Proceed
	case machine.Asking:
		in.Kind, in.Raw = machine.ModelOutput, r.say()
	case machine.Calling:
		a := r.open[len(r.open)-1]
		in.Kind = machine.Tick
		if rapid.SampledFrom([]bool{true, true, true, false}).Draw(r.t, "answers") && (a.outcome.Plan == nil || a.outcome.Plan.Answer >= 0) {
			a.happen()
			in.Kind, in.Outcome = machine.ToolResult, r.cfg.Table.Verify(a.command, a.outcome)
		} else if rapid.Bool().Draw(r.t, "effect") {
			a.happen()
		}
	case machine.Inspecting:
		in.Kind, in.Facts = machine.Inspected, facts
	case machine.Waiting:
		in.Kind, in.Answer = machine.Answered, r.answer(r.asked)
	case machine.Looking:
		call := r.open[len(r.open)-1].call
		found := call.Tool.(tools.Outside).Lookup(call)
		in.Kind, in.Found = machine.LookedUp, &found
	case machine.Ending, machine.Checking:
		in.Kind, in.Facts = machine.Evaluated, facts
	case machine.Paused:
		in.Kind, in.Order = machine.Ordered, &event.Order{Kind: event.ResumeRun, By: "eve"}
	default:
		in.Kind = machine.Tick
	}
	return in
}

// answer is right, or wrong in one of its parts.
func (r *deskRun) answer(c *event.Confirmation) *event.Answer {
	r.answers++
	a := &event.Answer{Request: fmt.Sprintf("c%d", rapid.IntRange(1, 3).Draw(r.t, "request")), By: "bob"}
	if asked := r.m.State().Standing.Asked(a.Request); asked != nil {
		a.Binding = asked.Binding
	}
	if c != nil && rapid.SampledFrom([]bool{true, true, true, false}).Draw(r.t, "honest") {
		a.Request, a.Binding = c.ID, c.Binding
	}
	a.Verdict = rapid.SampledFrom([]event.Verdict{event.Approved, event.Approved, event.Postponed, event.Declined}).Draw(r.t, "verdict")
	switch rapid.SampledFrom([]int{9, 9, 9, 9, 9, 9, 0, 1, 2}).Draw(r.t, "tampered") {
	case 0:
		a.Binding.Run = "other"
	case 1:
		a.Binding.Arguments = strictjson.DigestBytes([]byte("x"))
	case 2:
		a.Binding.Version = "9"
	}
	return a
}

// Whatever happens in whatever order: no command without a decision, no effect
// twice for one action id, no content of an ungranted resource anywhere, budgets
// never exceeded, every run ends or waits for a person, every ending has a reason, and
// where an effect is in doubt a person takes over.
func TestOutsideInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDesk(t)
		r := &deskRun{desk: d, t: t, m: machine.New(d.cfg), world: fixture.NewWorld(d.blueprint)}
		_, effect := r.m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot(t, versions[0])})
		for n := 0; effect.Kind != machine.Done && n < 600; n++ {
			switch effect.Kind {
			case machine.CallTool:
				r.call(&effect)
			case machine.AskPerson:
				r.asked = effect.Confirmation
			}
			stray(t, r.m)
			_, effect = r.m.Step(r.input(&effect))
		}
		for _, a := range r.open { // what was on its way arrives
			a.happen()
		}
		r.check()
	})
}

func (r *deskRun) check() {
	t, s := r.t, r.m.State()
	fold(t, r.m)
	if s.Status.Terminal() != (s.Reason != nil) {
		t.Fatalf("%s for the reason %v", s.Status, s.Reason)
	}
	if !s.Status.Terminal() && s.Phase != machine.Waiting && s.Phase != machine.Paused {
		t.Fatalf("neither ended nor waiting: %s in phase %d", s.Status, s.Phase)
	}
	acts := map[string]bool{}
	for _, receipt := range r.world.Receipts() {
		if acts[receipt.Act] {
			t.Fatalf("two effects of %s", receipt.Act)
		}
		acts[receipt.Act] = true
	}
	for i := range s.Standing.Acts {
		if a := &s.Standing.Acts[i]; (a.Doubtful || a.Effect == event.EffectUnknown) && s.Status.Terminal() && (s.Status != event.Failed || s.Handoff == nil) {
			t.Fatalf("%s is in doubt, and the run is %s", a.ID, s.Status)
		}
	}
	r.budgets()
	r.calls()
	r.hidden()
}

// budgets holds what was used against what may be.
func (r *deskRun) budgets() {
	t, s, b := r.t, r.m.State(), &r.cfg.Budgets
	calls := map[string]int{}
	for _, d := range s.Standing.Dispatches {
		calls[d.Tool]++
	}
	if s.Used.Steps > b.Steps || s.Used.ToolCalls > b.ToolCalls || s.Used.Rejections > b.Rejections+1 || s.Standing.Cost > b.Cost ||
		calls["open"] > 3 || calls["launch"] > 2 || r.begun != s.Used.ToolCalls {
		t.Fatalf("used %+v, cost %d, calls %v of %d, budgets %+v", s.Used, s.Standing.Cost, calls, r.begun, b)
	}
	for i, g := range r.cfg.Grants.All() {
		if i < len(s.Standing.Grants) && g.Calls != policy.Unlimited && s.Standing.Grants[i].Calls > g.Calls {
			t.Fatalf("the grant was used %d times of %d", s.Standing.Grants[i].Calls, g.Calls)
		}
	}
}

// calls asks for a decision before each dispatch, for an approval where one is
// needed, and for each approval to be used once.
func (r *deskRun) calls() {
	allowed, ended, used := 0, false, map[string]bool{}
	for _, e := range r.m.Events() {
		switch e.Name {
		case event.ProposalDecided:
			if e.Proposal().Decision.Effect == event.Allow {
				allowed++
			}
		case event.ToolStarted:
			d := e.About.(*event.Dispatch)
			if allowed--; allowed < 0 || ended {
				r.t.Fatalf("event %d: a call without a decision, or after the end", e.Seq)
			}
			needs := e.Tool == "ask_open" && d.Attempt == 1
			if needs && (d.Confirmation == "" || used[d.Confirmation]) {
				r.t.Fatalf("event %d: a call without an approval of its own: %q", e.Seq, d.Confirmation)
			}
			used[d.Confirmation] = true
		case event.RunStopped:
			ended = true
		}
		if e.Code != nil && e.Code.Class == diag.Input {
			r.t.Fatalf("event %d has the code %s", e.Seq, e.Code)
		}
	}
}

// hidden looks for the note that nobody may read.
func (r *deskRun) hidden() {
	s := r.m.State()
	var texts []string
	for _, e := range r.m.Events() {
		line, err := json.Marshal(e.Line())
		if err != nil {
			r.t.Fatal(err)
		}
		texts = append(texts, string(line))
	}
	for _, o := range s.Observations {
		texts = append(texts, string(o.JSON))
	}
	if s.Handoff != nil {
		texts = append(texts, fmt.Sprintf("%+v %+v", s.Handoff, s.Handoff.Pending))
	}
	at := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(strings.ReplaceAll(text, canary+"x", ""), canary) })
	if at >= 0 {
		r.t.Fatalf("hidden content in %s", texts[at])
	}
}
