package policy

// Budgets bound a run. Every one is a count, and 0 means none at all.
type Budgets struct {
	Steps        int // askings of the model
	ToolCalls    int // dispatches
	Rejections   int // refused actions that the model is told about
	Repeats      int // equal (action, observation) pairs within Window; at least 2
	Window       int // steps looked back for repeats
	ContextChars int // code points of the canonical JSON sent to the model
}

// DefaultBudgets are the finite defaults; Steps has none and must be given.
func DefaultBudgets() Budgets {
	return Budgets{ToolCalls: 64, Rejections: 8, Repeats: 3, Window: 12, ContextChars: 16000}
}

// Used is what a run has spent.
type Used struct {
	Steps      int
	ToolCalls  int
	Rejections int
}
