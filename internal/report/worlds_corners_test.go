package report

import (
	"strings"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/vrepo"
)

// The declared codes of the worlds below; their texts end with a full stop, as a
// scenario may write them.
var (
	queueFull = diag.Declare("QUEUE_FULL", diag.Rejection, diag.Execute, "The queue is full.")
	deskShut  = diag.Declare("DESK_SHUT", diag.Stop, diag.Execute, "The desk is shut.")
	twoLines  = diag.Declare("SEVERITY_TOO_HIGH", diag.Rejection, diag.Semantic, "The severity is more than a program may ask for.")
)

// manyTouched is more than a question shows, and more than an inspection names.
const manyTouched = 30

// cornerWorlds are those in which words could easily say too much, too little, or the
// same twice.
func cornerWorlds() []world {
	ask := desk{confirmation: tools.PerCall}
	yes := runner.Reply{Where: "desk.yaml:30:1", Verdict: event.Approved, By: "bob", Reason: "looks right", After: 2 * time.Second}
	no := yes
	no.Verdict, no.Reason = event.Declined, "Not on a Friday."
	many, blank, gone := ask, ask, ask
	many.touches = `["` + strings.Join(strings.Fields(strings.Repeat("x ", manyTouched)), `","`) + `"]`
	blank.touches = `[""," ","the queue"]`
	gone.operands = `world.tickets[args.service]`
	revoke := runner.Change{At: time.Second, Order: &event.Order{Kind: event.Revoke, By: "eve", What: "tickets", Place: 1}}
	cancel := runner.Change{Order: &event.Order{Kind: event.CancelRun, By: "bob"}}
	list := []world{
		many.world("touches-many", nil, openTicket),
		blank.world("touches-blank", nil, openTicket),
		gone.world("cannot-look", nil, openTicket, finishSum),
		ask.world("declined-and-asked-again", says(no), openTicket, openTicket),
		ask.world("revoked-while-asked", func(cfg *runner.Config) {
			says(yes)(cfg)
			timed(revoke)(cfg)
		}, openTicket, finishSum),
		desk{}.world("cancelled-at-once", func(cfg *runner.Config) { cfg.Changes = []runner.Change{cancel} }, findSlow),
		desk{}.world("no-room-for-answers", func(cfg *runner.Config) { cfg.Machine.Budgets.Output = 0 }, findSlow),
		desk{}.world("answer-over-budget", func(cfg *runner.Config) { cfg.Machine.Budgets.Output = 10 }, findSlow),
		desk{}.world("one-call-of-a-tool", func(cfg *runner.Config) { cfg.Machine.Budgets.PerTool[0].Calls = 1 }, openTicket, `{"type":"create_ticket","service":"search"}`, finishDesk),
		desk{}.world("proof-cannot-be-asked", demands(`observations[9].id == "o9"`), findSlow, finishDesk),
		desk{}.world("no-repository", func(cfg *runner.Config) { cfg.Snapshot, _ = vrepo.New(nil) }, findSlow, finishDesk),
		desk{}.world("long-condition", longCondition, openTicket, finishDesk),
		desk{requires: severities()}.world("requirements", nil, openTicket, `{"type":"create_ticket","service":"checkout","severity":5}`, finishDesk),
		desk{rejects: &fixture.Rejection{Code: queueFull, Message: "The queue is full."}}.world("declared-refusal", nil, openTicket, finishSum),
		desk{fails: &fixture.Failure{Code: deskShut}}.world("declared-failure", nil, openTicket),
	}
	return append(list, doubtfulWorlds()...)
}

// doubtfulWorlds are those in which more or less is known of what a call did.
func doubtfulWorlds() []world {
	fault := func(kind fixture.FaultKind, call int) fixture.Fault {
		return fixture.Fault{Tool: "create_ticket", Call: call, Kind: kind}
	}
	closed := fault(fixture.ReadBackDiffers, 1)
	closed.Value = parsed(`{"state":"closed"}`)
	late := desk{confirmation: tools.PerCall, takes: 4 * time.Second, stubborn: true, faults: []fixture.Fault{fault(fixture.LookupUnavailable, 0)}}
	yes := runner.Reply{Where: "desk.yaml:30:1", Verdict: event.Approved, By: "bob", Reason: "looks right", After: 2 * time.Second}
	heeds := desk{takes: 6 * time.Second} // its effect would come after its time
	return []world{
		desk{faults: []fixture.Fault{closed}}.world("reads-back-closed", nil, openTicket),
		desk{faults: []fixture.Fault{closed, fault(fixture.ResponseLost, 1)}}.world("lost-and-differs", nil, openTicket),
		desk{faults: []fixture.Fault{fault(fixture.RequestLost, 0)}}.world("never-arrives", nil, openTicket),
		desk{faults: []fixture.Fault{fault(fixture.CrashBefore, 1)}}.world("crashed-before", nil, openTicket),
		desk{noLookup: true, faults: []fixture.Fault{fault(fixture.CrashBefore, 1)}}.world("crashed-unseen", nil, openTicket),
		heeds.world("stops-in-time", nil, openTicket, finishSum),
		late.world("late-and-in-doubt", says(yes), openTicket),
	}
}

// severities are requirements of opening a ticket.
func severities() []fixture.Require {
	args := expression.Of(expression.Dyn)
	that := func(source string) *expression.Program {
		return must(expression.Compile(source, fixture.CallVariables(args), nil))
	}
	return []fixture.Require{
		{ID: "low-severity", Code: twoLines, That: that(`args.severity < 4`), Message: "The severity is more than a program may ask for."},
		{ID: "known-service", Code: twoLines, That: that(`args.service == "checkout"`)},
	}
}

// longCondition gives the grant of opening tickets a condition of many lines.
func longCondition(cfg *runner.Config) {
	source := `principal.tenant == "acme"` + strings.Repeat(` && principal.tenant != "another tenant that is not this one"`, 20)
	when := policy.NewCondition(must(expression.Compile(source, fixture.CallVariables(expression.Of(expression.Dyn)), nil)))
	all := cfg.Machine.Grants.All()
	cfg.Machine.Grants = policy.NewGrants(all[0], policy.Grant{
		ID: "tickets", Where: "desk.yaml:6:3", Capability: "tickets:create", Pattern: "service/*", Calls: policy.Unlimited, When: when,
	})
}
