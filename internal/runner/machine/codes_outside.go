package machine

import "harness/internal/diag"

// The codes of ends that concern effects outside, persons and proofs.
var (
	ToolTimeout = &diag.Code{
		Name: "TOOL_TIMEOUT", Class: diag.Stop, Gate: diag.Execute,
		Means: "A tool did not answer in time. If it only reads, or if it was told to stop and said that it did, nothing has happened; otherwise the outcome is unknown until its receipt is looked up.",
		Do:    "Look at the tool's timeout and at what the receipt says. Do not repeat a write under another key.",
	}
	ToolUnknown = &diag.Code{
		Name: "TOOL_UNKNOWN", Class: diag.Stop, Gate: diag.Execute,
		Means: "Nobody can say whether the effect of a call exists: no answer came, and no look-up was there or could tell. The run stopped and hands over to a person.",
		Do:    "Find out in the system itself whether the effect is there, by the action id of the handoff. Repeat nothing before.",
	}
	PollLimitReached = &diag.Code{
		Name: "POLL_LIMIT_REACHED", Class: diag.Stop,
		Means: "A tool that is declared for polling gave the same answer as often as its contract allows.",
		Do:    "What is waited for does not come; look there, or raise the tool's poll limit.",
	}
	FinalAnswerValidated = &diag.Code{
		Name: "FINAL_ANSWER_VALIDATED", Class: diag.Stop,
		Means: "The run finished, and the proof that task.completion demands holds: the citations, and the verifier where there is one.",
		Do:    "Nothing. The proof is as good as the expression that was written.",
	}
	CompletionUnverified = &diag.Code{
		Name: "COMPLETION_UNVERIFIED", Class: diag.Stop, Gate: diag.Verify,
		Means: "The model says that it has finished, and the verifier of task.completion says that it has not, or cannot tell.",
		Do:    "Look at what the verifier asks for; the model's claim is worth nothing without it.",
	}
	HandoffRequested = &diag.Code{
		Name: "HANDOFF_REQUESTED", Class: diag.Stop,
		Means: "The condition of task.handoff holds: from here on a person has to decide, for example because what was found contradicts itself.",
		Do:    "Read the handoff, and decide.",
	}
	OrderRefused = &diag.Code{
		Name: "ORDER_REFUSED", Class: diag.Note,
		Means: "A person ordered what means nothing as the run stands: to resume one that is not paused, to cancel a call where none is made, to revoke what was never granted. It was recorded and changed nothing.",
		Do:    "Look at what the run is doing, and order that to change.",
	}
	CancelRequested = &diag.Code{
		Name: "CANCEL_REQUESTED", Class: diag.Stop,
		Means: "The run was cancelled while a tool was working or a person was asked. What the tool has done is known; cancelling undoes nothing.",
		Do:    "Look at the effects: what was applied is still there.",
	}
	CancelledIdle = &diag.Code{
		Name: "CANCELLED_WITH_NO_ACTIVE_TOOL", Class: diag.Stop,
		Means: "The run was cancelled while no call was under way.",
		Do:    "Look at the effects of earlier calls: cancelling undoes nothing.",
	}
)
