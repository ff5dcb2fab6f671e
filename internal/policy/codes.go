package policy

import "harness/internal/diag"

// The codes of the gates that every tool passes.
var (
	UnknownToolOrVersion = &diag.Code{
		Name: "UNKNOWN_TOOL_OR_VERSION", Class: diag.Rejection, Gate: diag.Schema, Retry: diag.NewRequest,
		Means: "The call names a tool, or a version of one, that is not registered. Nothing was denied: there is nothing of that name.",
		Do:    "Use a tool and version from the list the model was given.",
	}
	UnknownField = &diag.Code{
		Name: "UNKNOWN_FIELD", Class: diag.Rejection, Gate: diag.Schema, Retry: diag.NewRequest,
		Means: "The arguments hold a field that the tool's input schema does not know. Extra fields gain nothing and are never passed on.",
		Do:    "Send only the fields of the contract.",
	}
	InvalidArguments = &diag.Code{
		Name: "INVALID_ARGUMENTS", Class: diag.Rejection, Gate: diag.Schema, Retry: diag.NewRequest,
		Means: "An argument is missing, of the wrong type, or outside its limits. Values are never coerced, and null is no string.",
		Do:    "Send what the message asks for; lengths count Unicode code points.",
	}
	MissingCapability = &diag.Code{
		Name: "MISSING_CAPABILITY", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "No rule allows the tool's capability to this run.",
		Do:    "Only the scenario grants capabilities; work with those it has.",
	}
	CheckFailed = &diag.Code{
		Name: "CHECK_FAILED", Class: diag.Stop,
		Means: "A check of a gate could not answer. A gate that errors denies, so the action was refused and the run ended.",
		Do:    "This is a fault of the check, not of the model; the decision names it.",
	}
	MaxToolCallsReached = &diag.Code{
		Name: "MAX_TOOL_CALLS_REACHED", Class: diag.Stop, Gate: diag.Budget,
		Means: "The run has used all its tool calls. A call that the tool itself refused counts; one that a gate refused does not.",
		Do:    "Raise task.budget.toolCalls, or look at the trace for calls that gained nothing.",
	}
	ToolCallsUsedUp = &diag.Code{
		Name: "TOOL_CALLS_USED_UP", Class: diag.Rejection, Gate: diag.Budget, Retry: diag.Never,
		Means: "This tool has been called as often as its contract or task.budget.perTool allows. Others may still be called.",
		Do:    "Work with what the calls so far have given, or raise the bound.",
	}
	CostBudgetExceeded = &diag.Code{
		Name: "COST_BUDGET_EXCEEDED", Class: diag.Stop, Gate: diag.Budget,
		Means: "What the call reserves is more than what is left of task.budget.cost. The call was not made: costs are reserved before and settled after.",
		Do:    "Raise the budget, or look at the trace for calls that gained nothing.",
	}
	OutputBudgetExceeded = &diag.Code{
		Name: "OUTPUT_BUDGET_EXCEEDED", Class: diag.Stop, Gate: diag.Budget,
		Means: "The answers of the tools have used up task.budget.output, which is in bytes and for all of them, so no further call is made.",
		Do:    "Raise the budget, or ask for less.",
	}
	RateLimited = &diag.Code{
		Name: "RATE_LIMITED", Class: diag.Rejection, Gate: diag.Budget, Retry: diag.SameRequest,
		Means: "The tool was called as often within the time as its contract allows.",
		Do:    "Ask again later; nothing else has to change.",
	}
	DeadlineReached = &diag.Code{
		Name: "DEADLINE_REACHED", Class: diag.Stop, Gate: diag.Budget,
		Means: "The run's deadline has passed. Nothing new is started after it; a call under way is signalled and its effect looked at.",
		Do:    "Raise task.budget.deadline, or look at what took the time.",
	}
	DefinitionChanged = &diag.Code{
		Name: "DEFINITION_CHANGED", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The tool's definition has changed since the run began. What was granted was granted for the old one, so every call of the tool is refused.",
		Do:    "Look at the new definition and start a run that is granted the tool as it is now.",
	}
	ActionConflict = &diag.Code{
		Name: "ACTION_CONFLICT", Class: diag.Rejection, Gate: diag.Guard, Retry: diag.NewRequest,
		Means: "The run has made this action, by its key, with other arguments. The same action with the same arguments would be given its receipt; with others it is a conflict, and nothing is done.",
		Do:    "Use the receipt. Which arguments name the action is the tool's to say (actionKey); all the others, free texts too, belong to what was done.",
	}
	GrantOtherTenant = &diag.Code{
		Name: "GRANT_OTHER_TENANT", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The grant that covers the resource is for another tenant than the principal's.",
		Do:    "Grants are given by the scenario or the caller; nothing that a model says changes them.",
	}
	GrantRevoked = &diag.Code{
		Name: "GRANT_REVOKED", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The grant that covers the resource was revoked while the run was going on.",
		Do:    "Work with what is left.",
	}
	GrantExpired = &diag.Code{
		Name: "GRANT_EXPIRED", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The grant that covers the resource has ended: it holds up to a step that has passed.",
		Do:    "Work with what is left.",
	}
	GrantUsedUp = &diag.Code{
		Name: "GRANT_USED_UP", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.Never,
		Means: "The grant that covers the resource allows a number of calls, and all were made. Every attempt counts.",
		Do:    "Work with what the calls have given.",
	}
	GrantConditionFailed = &diag.Code{
		Name: "GRANT_CONDITION_FAILED", Class: diag.Rejection, Gate: diag.Authorize, Retry: diag.NewRequest,
		Means: "The grant that covers the resource holds only under a condition on the arguments, which these do not meet, or which could not be answered for them.",
		Do:    "Ask for what the condition allows.",
	}
	OperandsUnknown = &diag.Code{
		Name: "OPERANDS_UNKNOWN", Class: diag.Rejection, Gate: diag.Confirm, Retry: diag.NewRequest,
		Means: "What the call would touch cannot be looked at, most often because it does not exist. Nobody is asked to approve what nobody can see.",
		Do:    "Ask for something that exists; the message says what could not be found.",
	}
	UserConfirmationRequired = &diag.Code{
		Name: "USER_CONFIRMATION_REQUIRED", Class: diag.Wait, Gate: diag.Confirm,
		Means: "A person has to approve this command before it is dispatched. Everything else allows it; nothing was done.",
		Do:    "Answer the question: it shows the resolved command, its effect, and what is at stake. Without an answer the run waits.",
	}
	ConfirmationDeclined = &diag.Code{
		Name: "CONFIRMATION_DECLINED", Class: diag.Rejection, Gate: diag.Confirm, Retry: diag.Never,
		Means: "A person looked at the command and declined. Nothing was done.",
		Do:    "Do something else, or finish.",
	}
	ConfirmationExpired = &diag.Code{
		Name: "CONFIRMATION_EXPIRED", Class: diag.Rejection, Gate: diag.Confirm, Retry: diag.SameRequest,
		Means: "The answer came after the question had expired, so it is worth nothing.",
		Do:    "Propose the command again; a new question is asked.",
	}
	ConfirmationUnknown = &diag.Code{
		Name: "CONFIRMATION_UNKNOWN", Class: diag.Note, Gate: diag.Confirm,
		Means: "An answer came for a question that this run never asked. It was recorded and counts for nothing.",
		Do:    "Look at where the answer came from: this is what a forged approval looks like.",
	}
	ConfirmationUsed = &diag.Code{
		Name: "CONFIRMATION_USED", Class: diag.Note, Gate: diag.Confirm,
		Means: "The question is over: its approval was consumed by a dispatch, it was declined, or what it asked about was refused. One approval is worth one command.",
		Do:    "Answer the question that is open now.",
	}
	ConfirmationOtherRun = &diag.Code{
		Name: "CONFIRMATION_OTHER_RUN", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given for another run, and counts for nothing here.",
		Do:    "Answer the question of this run.",
	}
	ConfirmationOtherSession = &diag.Code{
		Name: "CONFIRMATION_OTHER_SESSION", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given in another session, and counts for nothing here.",
		Do:    "Answer the question in the session that it was asked in.",
	}
	ConfirmationOtherTenant = &diag.Code{
		Name: "CONFIRMATION_OTHER_TENANT", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given for another tenant, and counts for nothing here.",
		Do:    "Have it approved by somebody of the tenant.",
	}
	ConfirmationOtherPrincipal = &diag.Code{
		Name: "CONFIRMATION_OTHER_PRINCIPAL", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given for a run on behalf of somebody else, and counts for nothing here.",
		Do:    "Answer the question of this run.",
	}
	ConfirmationOtherVersion = &diag.Code{
		Name: "CONFIRMATION_OTHER_VERSION", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given for another tool, version or definition. What a person has not seen is not approved.",
		Do:    "Look at the tool as it is now, and answer again.",
	}
	ConfirmationOtherPolicy = &diag.Code{
		Name: "CONFIRMATION_OTHER_POLICY", Class: diag.Note, Gate: diag.Confirm,
		Means: "The approval was given under other rules or grants, and counts for nothing under these.",
		Do:    "Answer again.",
	}
	ConfirmationSwapped = &diag.Code{
		Name: "CONFIRMATION_SWAPPED", Class: diag.Note, Gate: diag.Confirm,
		Means: "Two questions are open, and the answer carries the id of one and the contents of the other. It counts for neither.",
		Do:    "Answer each question with what it shows.",
	}
	ConfirmationMismatch = &diag.Code{
		Name: "CONFIRMATION_MISMATCH", Class: diag.Note, Gate: diag.Confirm,
		Means: "What was approved is not what would be done: the arguments or the resource differ. Any change needs a new approval.",
		Do:    "Answer for the command as it stands.",
	}
	ConfirmationOperandsChanged = &diag.Code{
		Name: "CONFIRMATION_OPERANDS_CHANGED", Class: diag.Rejection, Gate: diag.Confirm, Retry: diag.SameRequest,
		Means: "What the call would touch has changed since the person looked at it. The approval is void, and nothing was done.",
		Do:    "Propose the command again; the person is shown what is there now.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		UnknownToolOrVersion, UnknownField, InvalidArguments, MissingCapability, CheckFailed, MaxToolCallsReached,
		ToolCallsUsedUp, CostBudgetExceeded, OutputBudgetExceeded, RateLimited, DeadlineReached,
		DefinitionChanged, ActionConflict,
		GrantOtherTenant, GrantRevoked, GrantExpired, GrantUsedUp, GrantConditionFailed,
		OperandsUnknown, UserConfirmationRequired, ConfirmationDeclined, ConfirmationExpired, ConfirmationUnknown, ConfirmationUsed,
		ConfirmationOtherRun, ConfirmationOtherSession, ConfirmationOtherTenant, ConfirmationOtherPrincipal,
		ConfirmationOtherVersion, ConfirmationOtherPolicy, ConfirmationSwapped, ConfirmationMismatch, ConfirmationOperandsChanged,
	}
}
