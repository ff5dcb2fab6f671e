package suite

import (
	"strings"
	"testing"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
)

// outsideRun is a run with these events, in a scenario that declares a tool.
func outsideRun(t *testing.T, events ...event.Event) *runner.Result {
	t.Helper()
	input, fault := fixture.NewSchema(strictjson.OfObject(strictjson.Member{Name: "type", Value: strictjson.OfString("object")}))
	if fault != nil {
		t.Fatal(fault)
	}
	registry, err := tools.New(fixture.New(&fixture.Spec{Contract: tools.Contract{Name: "mail", Version: "1", Input: input, Capability: "mail:send"}}))
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		events[i].Seq = int32(i + 1)
	}
	return &runner.Result{
		Config: &runner.Config{ID: "a/b", Machine: &machine.Config{Registry: registry}},
		Status: event.Cancelled, Reason: machine.CancelRequested, Steps: 2, ToolCalls: 3, Events: events,
		Standing: &policy.Standing{},
	}
}

func decisionEvent(step int32, tool string, d event.Decision) event.Event {
	return event.Event{
		Name: event.ProposalDecided, Step: step, Tool: tool, Resource: "mail/a",
		About: &event.Proposal{Output: &event.Output{}, Action: &action.Action{Tool: tool, Args: strictjson.OfObject()}, Decision: d},
	}
}

// TestGoldenOfOutside: what persons, look-ups and further attempts have to do with
// a run stands in rows of its own, under names that no model can give.
func TestGoldenOfOutside(t *testing.T) {
	allow := event.Decision{Effect: event.Allow, Rule: "grants[0]"}
	ask := event.Decision{Effect: event.Confirm, Gate: diag.Confirm, Code: policy.UserConfirmationRequired, Rule: "grants[0]"}
	unknown := event.Decision{Effect: event.Deny, Gate: diag.Schema, Code: policy.UnknownToolOrVersion}
	started := event.Event{Name: event.ToolStarted, Step: 1, About: &event.Dispatch{Attempt: 1}}
	completed := func(o event.Outcome, code *diag.Code) event.Event {
		return event.Event{Name: event.ToolCompleted, Step: 1, Outcome: o, Code: code, About: &event.Completion{}}
	}
	r := outsideRun(t,
		decisionEvent(1, "mail", ask),
		event.Event{Name: event.ConfirmationAnswered, Step: 1, Code: policy.ConfirmationUnknown, About: &event.Answer{Request: "c9", Verdict: event.Approved, By: "mallory"}},
		event.Event{Name: event.ConfirmationAnswered, Step: 1, About: &event.Answer{Request: "c1", Verdict: event.Approved, By: "bob"}},
		decisionEvent(1, "mail", allow),
		started, completed(event.CallFailed, fixture.ToolUnavailable),
		decisionEvent(1, "mail", allow),
		started, event.Event{Name: event.PersonOrdered, Step: 1, About: &event.Order{Kind: event.CancelRun, By: "bob"}},
		completed(event.CallUnknown, machine.ToolTimeout),
		event.Event{Name: event.ReceiptChecked, Step: 1, Resource: "mail/a", About: &event.Receipt{Answer: "did not happen"}},
		decisionEvent(2, "(cancel)", unknown),
		decisionEvent(2, "mail", allow),
		event.Event{Name: event.ReceiptReturned, Step: 2, About: &event.Receipt{Answer: "o1"}},
		event.Event{Name: event.PersonOrdered, Step: 2, About: &event.Order{Kind: event.Revoke, By: "bob", What: "mails"}},
		event.Event{Name: event.ToolLate, Step: 1, Resource: "mail/a", Outcome: event.CallSucceeded, About: &event.Completion{}},
	)
	r.Standing.Cost, r.Handoff = 7, &event.Handoff{}
	const want = `harness golden v1
step  action       resource  decision  gate     code                        rule       outcome           edit
1     mail         mail/a    confirm   confirm  USER_CONFIRMATION_REQUIRED  grants[0]  -                 -
1     (answer c9)  -         approved  confirm  CONFIRMATION_UNKNOWN        -          -                 -
1     (answer c1)  -         approved  -        -                           -          -                 -
1     mail         mail/a    allow     execute  TOOL_UNAVAILABLE            grants[0]  failed            -
1     mail         mail/a    retry     execute  TOOL_TIMEOUT                grants[0]  unknown           -
1     (cancel)     -         -         -        -                           -          -                 -
1     (lookup)     mail/a    -         -        -                           -          "did not happen"  -
2     "(cancel)"   mail/a    deny      schema   UNKNOWN_TOOL_OR_VERSION     -          -                 -
2     mail         mail/a    allow     -        -                           grants[0]  receipt           -
2     (revoke)     mails     -         -        -                           -          -                 -
1     (late)       mail/a    -         -        -                           -          succeeded         -
end   cancelled CANCEL_REQUESTED steps=2 toolCalls=3 rejections=0 edits=0 cost=7 handoff
`
	if got := string(Golden(r)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestGoldenNamesNoHandoffOfTheRepository: where nothing lies outside, the stop
// reason says it.
func TestGoldenNamesNoHandoffOfTheRepository(t *testing.T) {
	c := ran(t, scenario("a/b", answers(readA, readA, readA)))
	if c.Result.Handoff == nil {
		t.Fatal("a run that goes in circles hands over")
	}
	if got := string(Golden(c.Result)); strings.Contains(got, "handoff") {
		t.Errorf("got\n%s", got)
	}
}

// TestNeverLooksEverywhere: questions, handoffs and spans are outputs, too.
func TestNeverLooksEverywhere(t *testing.T) {
	args := strictjson.OfObject(strictjson.Member{Name: "to", Value: strictjson.OfString("in-arguments")})
	r := outsideRun(t)
	r.Standing.Confirmations = []policy.Asked{{State: policy.AskedOpen, Confirmation: &event.Confirmation{
		ID: "c1", Arguments: args, Touches: []string{"in-touches"}, Risks: []string{"in-risks"}, Binding: event.Binding{Tool: "mail", Principal: "in-principal"},
	}}}
	r.Handoff = &event.Handoff{
		Reason: machine.ToolUnknown, Goal: "in-goal", Safe: []string{"in-safe"}, Forbidden: []string{"in-forbidden"},
		Observations: []*event.Observation{{ID: "o1", JSON: []byte(`{"a":"in-observation"}`)}},
		Pending:      &event.Pending{Tool: "mail", Arguments: args, Capability: "in-capability"},
	}
	for text, where := range map[string]string{
		"in-arguments": "confirmation c1", "in-touches": "confirmation c1", "in-risks": "confirmation c1", "in-principal": "confirmation c1",
		"in-goal": "the handoff", "in-safe": "the handoff", "in-forbidden": "the handoff", "in-observation": "the handoff",
		"in-capability": "the handoff", report.Trace(r).TraceID: "the spans", "nowhere": "",
	} {
		j := &judge{scenario: &scenarios.Scenario{File: "s.yaml"}, result: r, expect: &scenarios.Expect{
			Never: scenarios.List[scenarios.Text]{Items: []scenarios.Text{{Value: text}}},
		}}
		j.never()
		got := ""
		if len(j.findings) > 0 {
			got = j.findings[0].Got
		}
		if want := strings.TrimSuffix("in "+where, "in "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
