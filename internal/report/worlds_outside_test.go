package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
)

// pin is the value of an argument that no report may show.
const pin = "canary-pin-4711"

// must gives a value of which the tests know that it is there.
func must[T any, F any](v T, fault *F) T {
	if fault != nil {
		panic(fmt.Sprint(fault))
	}
	return v
}

func parsed(text string) strictjson.Value { return must(strictjson.Parse([]byte(text))) }

func shaped(text string) *fixture.Schema { return must(fixture.NewSchema(parsed(text))) }

// desk is what lies outside in the tests: services that can be looked for, and
// tickets that can be opened.
type desk struct {
	confirmation tools.Confirmation
	confirmRule  bool // a rule demands a person for each ticket
	faults       []fixture.Fault
	takes        time.Duration // of opening a ticket; 500ms if not set
	stubborn     bool          // it goes on when it is told to stop
	noLookup     bool
	touches      string // what else opening a ticket touches; the service's queue if not set
	operands     string // what it touches; the services if not set
	requires     []fixture.Require
	rejects      *fixture.Rejection // instead of opening a ticket
	fails        *fixture.Failure   // instead of opening a ticket
}

func (d desk) blueprint(all []*fixture.Tool) *fixture.Blueprint {
	return &fixture.Blueprint{
		Collections: []fixture.Collection{
			{Name: "services", Entries: []strictjson.Member{{Name: "checkout", Value: parsed(`{"latency":480}`)}}},
			{Name: "tickets"},
		},
		Tools: all, Faults: d.faults,
	}
}

func (d desk) tools() []*fixture.Tool {
	return []*fixture.Tool{d.findService(), d.createTicket(), d.unlock()}
}

func (d desk) findService() *fixture.Tool {
	input := shaped(`{"type":"object","properties":{"kind":{"type":"string","enum":["slow","broken"]}},"required":["kind"]}`)
	output := shaped(`{"type":"object","properties":{"service":{"type":"string"},"latency":{"type":"integer"}},"required":["service"]}`)
	return fixture.New(&fixture.Spec{
		Contract: tools.Contract{
			Name: "find_service", Version: "1", Purpose: "Finds a service that needs attention.", NotFor: "Changing anything.",
			Input: input, Capability: "services:read", SideEffect: tools.ReadOnly, Timeout: 2 * time.Second,
			Retry: tools.Retry{Attempts: 2, Backoff: 100 * time.Millisecond, Factor: 1}, Cost: 1, Poll: 9,
		},
		Output: output, Trust: event.TrustedTool,
		Behaviours: []fixture.Behaviour{{
			Takes: 300 * time.Millisecond, Cost: -1,
			Answer: must(fixture.NewTemplate(parsed(`{"service":"checkout","latency":480}`), nil)),
		}},
	})
}

func (d desk) createTicket() *fixture.Tool {
	input := shaped(`{"type":"object","properties":{
		"service":{"type":"string","minLength":1,"maxLength":40,"description":"The service that needs a repair."},
		"severity":{"type":"integer","minimum":1,"maximum":5},
		"lines":{"type":"array","maxItems":3,"items":{"type":"object","properties":{"text":{"type":"string","maxLength":80}},"required":["text"]}}
	},"required":["service"]}`)
	output := shaped(`{"type":"object","properties":{"id":{"type":"string"},"state":{"type":"string"}},"required":["id"]}`)
	world := d.blueprint(nil).Type()
	args := input.Type()
	call := func(source string) *expression.Program {
		return must(expression.Compile(source, fixture.CallVariables(args), nil))
	}
	over := func(source string) *expression.Program {
		return must(expression.Compile(source, fixture.WorldVariables(args, world), nil))
	}
	template := func(text string) *fixture.Template {
		return must(fixture.NewTemplate(parsed(text), fixture.WorldVariables(args, world)))
	}
	takes := d.takes
	if takes == 0 {
		takes = 500 * time.Millisecond
	}
	behaviour := fixture.Behaviour{
		Takes: takes, Effect: takes / 2, Cost: -1,
		Changes: []fixture.Change{{
			Operation: fixture.Put, Collection: "tickets", Key: over(`args.service`), Value: template(`{"state":"open"}`),
		}},
		Answer: template(`{"id":"T-1","state":"open"}`),
	}
	if d.rejects != nil || d.fails != nil {
		behaviour = fixture.Behaviour{Cost: -1, Rejects: d.rejects, Fails: d.fails}
	}
	return fixture.New(&fixture.Spec{
		Contract: tools.Contract{
			Name: "create_ticket", Version: "2", Purpose: "Opens a repair ticket.", NotFor: "Questions.",
			Input: input, Capability: "tickets:create", SideEffect: tools.IdempotentWrite, Timeout: 2 * time.Second,
			Retry: tools.Retry{Attempts: 3, Backoff: 100 * time.Millisecond, Factor: 2}, Cost: 5, Calls: 9,
			Rate: tools.Rate{Calls: 8, Per: time.Minute}, Lookup: !d.noLookup, Confirmation: d.confirmation, Permission: "tickets.open",
		},
		Output: output, Trust: event.TrustedTool,
		Resource: call(`"service/" + args.service`), Key: call(`args.service`),
		Touches:       over(cmp.Or(d.touches, `["the queue of " + args.service]`)),
		Operands:      over(cmp.Or(d.operands, `world.services`)),
		Requires:      d.requires,
		Behaviours:    []fixture.Behaviour{behaviour},
		Heeds:         !d.stubborn,
		LookupTakes:   50 * time.Millisecond,
		Postcondition: must(expression.Compile(`world.tickets[args.service].state == "open"`, fixture.ResultVariables(args, world, output.Type()), nil)),
	})
}

// unlock has an argument and an answer that no report may show.
func (d desk) unlock() *fixture.Tool {
	input := shaped(`{"type":"object","properties":{"pin":{"type":"string"},"door":{"type":"string"}},"required":["pin"]}`)
	output := shaped(`{"type":"object","properties":{"pin":{"type":"string"},"open":{"type":"boolean"}},"required":["open"]}`)
	template := must(fixture.NewTemplate(parsed(`{"pin":"${args.pin}","open":true}`), fixture.CallVariables(input.Type())))
	return fixture.New(&fixture.Spec{
		Contract: tools.Contract{
			Name: "unlock", Version: "1", Purpose: "Opens a door.", Input: input, Capability: "doors:open",
			SideEffect: tools.Irreversible, Confirmation: d.confirmation, Sensitive: []string{"pin"},
		},
		Output: output, Trust: event.UntrustedContent,
		Behaviours: []fixture.Behaviour{{Cost: -1, Answer: template}},
	})
}

// arrange gives a run everything that the tools outside need.
func (d desk) arrange(more ...func(*runner.Config)) func(*runner.Config) {
	return func(cfg *runner.Config) {
		m := cfg.Machine
		rules := m.Rules.All()
		if d.confirmRule {
			rules = append(rules, policy.Rule{ID: "rules[9]", Where: "desk.yaml:9:1", Effect: event.Confirm, Capability: "tickets:create", Pattern: "**"})
		}
		m.Rules = policy.NewRules(rules...)
		m.Grants = policy.NewGrants(
			policy.Grant{ID: "services", Where: "desk.yaml:5:3", Capability: "services:read", Pattern: "find_service", Calls: policy.Unlimited},
			policy.Grant{ID: "tickets", Where: "desk.yaml:6:3", Capability: "tickets:create", Pattern: "service/*", Until: 9, Calls: 6, Tenant: "acme",
				When: policy.NewCondition(must(expression.Compile(`principal.tenant == "acme"`, fixture.CallVariables(expression.Of(expression.Dyn)), nil)))},
			policy.Grant{ID: "doors", Where: "desk.yaml:7:3", Capability: "doors:open", Pattern: "unlock", Calls: policy.Unlimited},
		)
		m.Identity = &policy.Identity{
			Run: "run-7", Session: "s1", Attempt: 2, ConfirmFor: time.Minute,
			Principal: &tools.Principal{ID: "alice", Tenant: "acme", Permissions: []string{"tickets.open"}},
		}
		m.Budgets.Cost, m.Budgets.Deadline = 100, 10*time.Minute
		m.Budgets.PerTool = []policy.ToolBudget{{Tool: "create_ticket", Calls: 7}}
		var all []*fixture.Tool
		for _, t := range m.Registry.Tools() {
			if f, ok := t.(*fixture.Tool); ok {
				all = append(all, f)
			}
		}
		cfg.World = d.blueprint(all)
		for _, f := range more {
			f(cfg)
		}
	}
}

const (
	findSlow   = `{"type":"find_service","kind":"slow"}`
	openTicket = `{"type":"create_ticket","service":"checkout","severity":2}`
	finishDesk = `{"type":"finish","summary":"There is a ticket.","citations":["o1"]}`
)

// world is a run at the desk.
func (d desk) world(name string, more func(*runner.Config), script ...string) world {
	w := sum().with(name, script...)
	w.id, w.goal = "outside/"+name, "Find the slowest service and open a repair ticket."
	w.observe, w.outside = true, d.tools()
	w.arrange = d.arrange(more)
	if more == nil {
		w.arrange = d.arrange()
	}
	return w
}

// says has persons answer, in order.
func says(replies ...runner.Reply) func(*runner.Config) {
	return func(cfg *runner.Config) { cfg.Human = replies }
}

// timed has things happen at their times.
func timed(changes ...runner.Change) func(*runner.Config) {
	return func(cfg *runner.Config) { cfg.Timed = changes }
}

func order(at time.Duration, kind event.OrderKind) runner.Change {
	return runner.Change{Where: "desk.yaml:40:1", At: at, Order: &event.Order{Kind: kind, By: "bob", Reason: "Not on a Friday."}}
}

// outsideWorlds has one world for each way in which calls outside, questions and
// orders can go.
func outsideWorlds() []world {
	ask := desk{confirmation: tools.PerCall}
	yes := runner.Reply{Where: "desk.yaml:30:1", Verdict: event.Approved, By: "bob", Reason: "looks right", After: 2 * time.Second}
	forged, other, late := yes, "tenant-9", yes
	forged.Request, forged.By, forged.After = "c9", "mallory", time.Second
	otherTenant := yes
	otherTenant.Tenant = &other
	late.After = 2 * time.Minute
	no, put := yes, yes
	no.Verdict, put.Verdict = event.Declined, event.Postponed
	perRun := desk{confirmation: tools.PerRun}
	list := []world{
		ask.world("approved", says(yes), findSlow, openTicket, finishDesk),
		ask.world("nobody-answers", nil, openTicket),
		ask.world("worthless-then-real", says(forged, otherTenant, yes), openTicket, finishDesk),
		ask.world("declined", says(no), openTicket, finishDesk),
		ask.world("expired", says(late), openTicket, finishDesk),
		ask.world("postponed", says(put), openTicket, finishSum),
		ask.world("postponed-twice", says(put), openTicket, `{"type":"create_ticket","service":"search"}`),
		ask.world("cancelled-while-asked", timed(order(time.Second, event.CancelRun)), openTicket),
		ask.world("changed-while-asked", func(cfg *runner.Config) {
			says(yes)(cfg)
			timed(runner.Change{At: time.Second, World: []runner.WorldChange{{Collection: "services", Key: "checkout", Value: parsed(`{"latency":9}`)}}})(cfg)
		}, openTicket, finishSum),
		perRun.world("per-run", says(yes), openTicket, `{"type":"create_ticket","service":"checkout","severity":3}`, finishDesk),
		desk{confirmRule: true}.world("rule-demands-a-person", says(yes), openTicket, finishDesk),
		ask.world("secret", says(yes), `{"type":"unlock","pin":"`+pin+`","door":"north"}`, `{"type":"unlock","pin":"`+pin+`","key":1}`,
			`{"type":"unlok","pin":"`+pin+`"}`, `{"type":"call","tool":"unlok","arguments":{"pni":"`+pin+`"}}`, `{"type":"unlock","pni":"`+pin+`","pin":"1"}`, `{"type":"unlock","pin":"`+pin+`"`, finishSum),
		ask.world("secret-waits", nil, `{"type":"unlock","pin":"`+pin+`","door":"north"}`),
	}
	return slices.Concat(list, faultyWorlds(), orderedWorlds(), cornerWorlds())
}

// faultyWorlds are those in which something goes wrong outside.
func faultyWorlds() []world {
	fault := func(kind fixture.FaultKind, call int) fixture.Fault {
		return fixture.Fault{Tool: "create_ticket", Call: call, Kind: kind}
	}
	with := func(faults ...fixture.Fault) desk { return desk{faults: faults} }
	slow := desk{takes: 4 * time.Second, stubborn: true}
	lost := with(fault(fixture.ResponseLost, 1))
	find := fixture.Fault{Tool: "find_service", Kind: fixture.RequestLost}
	return []world{
		desk{}.world("opened-once", nil, openTicket, openTicket, finishDesk),
		lost.world("answer-lost", nil, findSlow, openTicket, openTicket, finishDesk),
		with(fault(fixture.RequestLost, 1)).world("request-lost", nil, openTicket, finishDesk),
		with(fault(fixture.Unavailable, 1), fault(fixture.Unavailable, 2)).world("third-attempt", nil, openTicket, finishDesk),
		with(fault(fixture.Unavailable, 0)).world("never-available", nil, openTicket, finishSum),
		with(find).world("nothing-found", nil, findSlow, finishSum),
		with(fault(fixture.ResponseLost, 1), fault(fixture.LookupUnavailable, 0)).world("nobody-knows", nil, findSlow, openTicket),
		desk{noLookup: true, faults: []fixture.Fault{fault(fixture.ResponseLost, 1)}}.world("no-look-up", nil, openTicket),
		slow.world("late", nil, openTicket, finishDesk),
		with(fault(fixture.ReadBackDiffers, 1)).world("reads-back-other", nil, openTicket),
		with(fault(fixture.MalformedAnswer, 1)).world("malformed", nil, openTicket),
		with(fault(fixture.CrashAfter, 1)).world("crashed", nil, openTicket),
		desk{}.world("other-arguments", nil, openTicket, `{"type":"create_ticket","service":"checkout","severity":5}`, finishSum),
	}
}

// orderedWorlds are those in which persons order something, and those with a proof.
func orderedWorlds() []world {
	after := func(changes ...runner.Change) func(*runner.Config) {
		return func(cfg *runner.Config) { cfg.Changes = changes }
	}
	order := func(kind event.OrderKind, what string, place int) runner.Change {
		return runner.Change{AfterStep: 1, Order: &event.Order{Kind: kind, By: "bob", Reason: "Not on a Friday.", What: what, Place: place}}
	}
	cancel := runner.Change{At: time.Second, Order: &event.Order{Kind: event.CancelRun, By: "bob"}}
	early := cancel
	early.At = 300 * time.Millisecond
	call := early
	call.Order = &event.Order{Kind: event.CancelCall, By: "bob"}
	slow, stubborn := desk{takes: 1900 * time.Millisecond}, desk{takes: 1900 * time.Millisecond, stubborn: true}
	changed := runner.Change{AfterStep: 1, World: []runner.WorldChange{{Collection: "tickets", Key: "search", Value: parsed(`{}`)}}}
	lateWords := runner.Change{AfterStep: 1, Reply: &runner.Reply{Request: "c4", Verdict: event.Approved, By: "mallory"}}
	return []world{
		slow.world("told-to-stop", timed(early), openTicket),
		stubborn.world("goes-on", timed(cancel), openTicket),
		slow.world("call-cancelled", timed(call), openTicket, finishSum),
		desk{}.world("cancelled-between", after(order(event.CancelRun, "", 0)), findSlow, openTicket),
		desk{}.world("paused-and-resumed", after(order(event.PauseRun, "", 0), order(event.ResumeRun, "", 0)), findSlow, finishDesk),
		desk{}.world("stays-paused", after(order(event.PauseRun, "", 0)), findSlow, finishDesk),
		desk{}.world("revoked", after(order(event.Revoke, "tickets", 1)), findSlow, openTicket, finishSum),
		desk{}.world("redefined", after(order(event.Redefine, "create_ticket", 0), changed, lateWords), findSlow, openTicket, finishSum),
		desk{}.world("resumed-for-nothing", after(order(event.ResumeRun, "", 0)), findSlow, finishDesk),
		desk{}.world("proven", demands(`size(world.tickets) == 1`), findSlow, openTicket, finishDesk),
		desk{}.world("unproven", demands(`size(world.tickets) == 1`), findSlow, finishDesk),
		desk{}.world("cited", func(cfg *runner.Config) { cfg.Machine.Completion = &machine.Completion{} }, findSlow, finishDesk),
		desk{}.world("handed-over", handsOverWhen(`size(observations) > 1`), findSlow, openTicket, finishDesk),
		desk{}.world("cannot-be-asked", handsOverWhen(`observations[3].id == "o3"`), findSlow, finishDesk),
		desk{}.world("too-dear", func(cfg *runner.Config) { cfg.Machine.Budgets.Cost = 3 }, findSlow, openTicket),
		slow.world("out-of-time", func(cfg *runner.Config) { cfg.Machine.Budgets.Deadline = time.Second }, openTicket),
	}
}

// demands has the task demand that an expression holds at the end.
func demands(source string) func(*runner.Config) {
	return func(cfg *runner.Config) {
		cfg.Machine.Completion = &machine.Completion{Verify: true}
		cfg.Verifier = must(expression.Compile(source, runner.EndVariables(cfg.World.Type()), nil))
	}
}

// handsOverWhen hands the run to a person once an expression holds.
func handsOverWhen(source string) func(*runner.Config) {
	return func(cfg *runner.Config) {
		cfg.Machine.AsksHandoff = true
		cfg.Handoff = must(expression.Compile(source, runner.EndVariables(cfg.World.Type()), nil))
	}
}
