package policy

import (
	"testing"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// brittle is a tool whose check or work panics.
type brittle struct{ inCheck bool }

func (b brittle) Contract() *tools.Contract {
	return &tools.Contract{Name: "brittle", Version: "1", Input: tools.Fields{}, Capability: "c", SideEffect: tools.ReadOnly}
}
func (b brittle) Bind(call *tools.Call) { call.Bound, call.Resource = b, "r" }
func (b brittle) Checks() []tools.Check {
	return []tools.Check{{ID: "brittle.check", Gate: diag.Guard, Code: MissingCapability, Decide: func(*tools.Call, *tools.View) *tools.Fault {
		if b.inCheck {
			panic("no answer")
		}
		return nil
	}}}
}
func (b brittle) Execute(*tools.Call, *tools.View) tools.Outcome { panic("no work") }

func decide(t *testing.T, tool tools.Tool) (*Table, event.Decision, *Command) {
	t.Helper()
	registry, err := tools.New(tool)
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable(registry, tools.NewFinish(tools.DefaultLimits()))
	budgets := DefaultBudgets()
	d, command := table.Decide(&Request{
		Action: &action.Action{Kind: action.Call, Tool: "brittle"}, Call: &tools.Call{Tool: tool, Args: strictjson.OfObject()},
		View: &tools.View{}, Budgets: &budgets, Used: &Used{},
		Rules: NewRules(Rule{ID: "r", Effect: event.Allow, Capability: "c", Pattern: "r"}),
	})
	return table, d, command
}

// A gate that errors denies, and gives no command.
func TestCheckThatPanicsDenies(t *testing.T) {
	_, d, command := decide(t, brittle{inCheck: true})
	if d.Effect != event.Deny || d.Code.Name != "CHECK_FAILED" || d.Check != "brittle.check" || command != nil {
		t.Errorf("got %s by %s of %s, command %v", d.Effect, d.Code, d.Check, command)
	}
}

// A tool that panics gives no answer that a tool may give, which the run takes for
// a failure.
func TestToolThatPanicsFails(t *testing.T) {
	table, d, command := decide(t, brittle{})
	if d.Effect != event.Allow || command == nil {
		t.Fatalf("got %s by %s", d.Effect, d.Code)
	}
	if o := table.Perform(command); o.Status != 0 {
		t.Errorf("got %s", o.Status)
	}
}

func TestWithoutKnowsItsChecks(t *testing.T) {
	table, _, _ := decide(t, brittle{})
	if _, ok := table.Without("no.check"); ok {
		t.Error("an unknown check was weakened")
	}
	for _, c := range table.Checks() {
		if _, ok := table.Without(c.ID); !ok {
			t.Errorf("%s cannot be weakened", c.ID)
		}
	}
}
