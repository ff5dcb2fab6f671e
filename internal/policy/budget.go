package policy

import (
	"fmt"
	"time"

	"harness/internal/diag"
	"harness/internal/tools"
)

// Budgets bound a run. Every one is a count, and 0 means none at all.
type Budgets struct {
	Steps        int // askings of the model
	ToolCalls    int // dispatches
	Rejections   int // refused actions that the model is told about
	Repeats      int // equal (action, observation) pairs within Window; at least 2
	Window       int // steps looked back for repeats
	ContextChars int // code points of the canonical JSON sent to the model
	Cost         int // of all calls, in the scenario's unit
	Output       int // bytes of all answers of tools
	// Deadline is when the run must be over, in time since its start.
	Deadline time.Duration
	// PerTool bounds the dispatches of single tools; those not named are bounded by
	// ToolCalls alone.
	PerTool []ToolBudget
}

// ToolBudget bounds the dispatches of one tool.
type ToolBudget struct {
	Tool  string
	Calls int
}

// DefaultBudgets are the finite defaults; Steps has none and must be given.
func DefaultBudgets() Budgets {
	return Budgets{
		ToolCalls: 64, Rejections: 8, Repeats: 3, Window: 12, ContextChars: 16000,
		Cost: 1000, Output: 1 << 20, Deadline: 24 * time.Hour,
	}
}

// Used is what a run has spent.
type Used struct {
	Steps      int
	ToolCalls  int
	Rejections int
}

// budgetChecks ask whether there is anything left to spend. They are asked at every
// dispatch, whatever led to it.
func budgetChecks() []Check {
	return []Check{
		{ID: "budget.deadline", Gate: diag.Budget, Code: DeadlineReached, Decide: func(r *Request) *tools.Fault {
			if r.Now < r.Budgets.Deadline {
				return nil
			}
			return &tools.Fault{Message: fmt.Sprintf("the run's deadline, %s, has passed", r.Budgets.Deadline)}
		}},
		{ID: "budget.tool_calls", Gate: diag.Budget, Code: MaxToolCallsReached, Decide: func(r *Request) *tools.Fault {
			if r.Used.ToolCalls < r.Budgets.ToolCalls {
				return nil
			}
			return &tools.Fault{Message: fmt.Sprintf("the budget of tool calls, %d, is used up", r.Budgets.ToolCalls)}
		}},
		{ID: "budget.tool", Gate: diag.Budget, Code: ToolCallsUsedUp, Decide: toolCallsLeft},
		{ID: "budget.cost", Gate: diag.Budget, Code: CostBudgetExceeded, Decide: func(r *Request) *tools.Fault {
			cost := r.Call.Tool.Contract().Cost
			if cost == 0 || cost <= r.Budgets.Cost-r.Standing.Cost {
				return nil
			}
			return &tools.Fault{Message: fmt.Sprintf("the call reserves %d, and %d of the budget of %d is left", cost, r.Budgets.Cost-r.Standing.Cost, r.Budgets.Cost)}
		}},
		{ID: "budget.output", Gate: diag.Budget, Code: OutputBudgetExceeded, Decide: func(r *Request) *tools.Fault {
			if r.Call.Act == "" || r.Standing.Output < r.Budgets.Output { // no tool of the repository
				return nil
			}
			return &tools.Fault{Message: fmt.Sprintf("tools have answered with %d bytes; the budget is %d", r.Standing.Output, r.Budgets.Output)}
		}},
		{ID: "budget.rate", Gate: diag.Budget, Code: RateLimited, Decide: rateLeft},
	}
}

// toolCallsLeft asks about the bounds of the tool: the scenario's and its own.
func toolCallsLeft(r *Request) *tools.Fault {
	c := r.Call.Tool.Contract()
	most := -1
	if c.Calls > 0 {
		most = c.Calls
	}
	for i := range r.Budgets.PerTool {
		if b := &r.Budgets.PerTool[i]; b.Tool == c.Name && (most < 0 || b.Calls < most) {
			most = b.Calls
		}
	}
	if most < 0 || r.Standing.dispatches(c.Name, 0) < most {
		return nil
	}
	return &tools.Fault{Message: fmt.Sprintf("%s is good for %s, and no more", c.Name, calls(most))}
}

// calls counts calls in words.
func calls(n int) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

// rateLeft asks whether the tool was not called too often of late.
func rateLeft(r *Request) *tools.Fault {
	c := r.Call.Tool.Contract()
	if c.Rate.Calls == 0 {
		return nil
	}
	since := r.Now - c.Rate.Per + 1
	if r.Standing.dispatches(c.Name, since) < c.Rate.Calls {
		return nil
	}
	return &tools.Fault{
		Message: fmt.Sprintf("%s is good for %s in %s", c.Name, calls(c.Rate.Calls), c.Rate.Per),
		Hint:    "wait before the next call",
	}
}
