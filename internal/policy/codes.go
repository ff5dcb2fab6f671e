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
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{UnknownToolOrVersion, UnknownField, InvalidArguments, MissingCapability, CheckFailed, MaxToolCallsReached}
}
