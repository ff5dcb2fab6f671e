package machine

import "harness/internal/diag"

// The codes of a run's end, and of inputs that do not fit its state.
var (
	MaxStepsReached = &diag.Code{
		Name: "MAX_STEPS_REACHED", Class: diag.Stop, Gate: diag.Budget,
		Means: "The run has used all its steps without finishing. Every asking of the model costs one, refused actions too.",
		Do:    "Raise task.budget.steps, or look at the trace for steps that gained nothing.",
	}
	ContextBudgetExceeded = &diag.Code{
		Name: "CONTEXT_BUDGET_EXCEEDED", Class: diag.Stop, Gate: diag.Budget,
		Means: "What the model would be given is larger than task.budget.contextChars. The model was not asked, and no step was used.",
		Do:    "Raise the budget; the event context.built says how much was needed.",
	}
	MaxRejectionsReached = &diag.Code{
		Name: "MAX_REJECTIONS_REACHED", Class: diag.Stop, Gate: diag.Budget,
		Means: "More actions were refused than task.budget.rejections allows the model to be told about.",
		Do:    "Look at the refusals: a model that keeps asking for what it may not have will not stop by itself.",
	}
	RepeatedProposal = &diag.Code{
		Name: "REPEATED_PROPOSAL_WITHOUT_NEW_OBSERVATION", Class: diag.Stop,
		Means: "The same action with the same answer was seen task.budget.repeats times within the last task.budget.window steps. Refused actions count.",
		Do:    "The model is going in circles; change what it is told, or let it finish.",
	}
	ToolFailed = &diag.Code{
		Name: "TOOL_FAILED", Class: diag.Stop, Gate: diag.Execute,
		Means: "A tool broke, or gave an answer that no tool may give. This is a fault of the tool, not of the model.",
		Do:    "Correct the tool.",
	}
	EditsProposed = &diag.Code{
		Name: "EDITS_PROPOSED", Class: diag.Stop,
		Means: "The run finished and leaves accepted edits. None is applied; a person has to look at them.",
		Do:    "Review the patches; a preview proves neither that the code compiles nor that it is right.",
	}
	FinishClaimed = &diag.Code{
		Name: "FINISH_CLAIMED", Class: diag.Stop,
		Means: "The model said that it has finished, and left no edit. That is its claim; nothing was verified.",
		Do:    "Look at the summary and the trace.",
	}
	UnexpectedInput = &diag.Code{
		Name: "UNEXPECTED_INPUT", Class: diag.Note,
		Means: "An input came that the run was not waiting for. It was recorded and changed nothing.",
		Do:    "This is a fault of the driver.",
	}
	IllegalTransition = &diag.Code{
		Name: "ILLEGAL_TRANSITION", Class: diag.Note,
		Means: "The state diagram has no such arrow. The refusal was recorded and the state kept.",
		Do:    "This is a fault of the driver.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		MaxStepsReached, ContextBudgetExceeded, MaxRejectionsReached, RepeatedProposal, ToolFailed,
		EditsProposed, FinishClaimed, UnexpectedInput, IllegalTransition,
		ToolTimeout, ToolUnknown, PollLimitReached, FinalAnswerValidated, CompletionUnverified,
		HandoffRequested, OrderRefused, CancelRequested, CancelledIdle,
	}
}
