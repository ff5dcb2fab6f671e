package report

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/tools"
)

// ending is what a run's end means, in words that claim no more than is known.
type ending struct {
	// short is a few words, for a table.
	short string
	// long is a sentence or two: what ended the run.
	long string
	// why is what is wrong in particular, as it was recorded; it may quote what came
	// from outside.
	why string
	// unproven names what the end must not be taken for.
	unproven string
}

// endingOf finds the words for a run's status and stop reason. Every stop
// reason has its own; a status without one has those of the status.
func endingOf(r *runner.Result) ending {
	switch r.Reason {
	case machine.EditsProposed:
		return ending{
			short:    waiting(r),
			long:     waiting(r) + ".",
			unproven: "that it compiles, that it is right, that anyone has looked.",
		}
	case machine.FinishClaimed:
		return ending{
			short:    "the model says that it is done",
			long:     "The model says that it is done, and left no edit.",
			unproven: "anything that its summary says. Nothing was verified.",
		}
	case machine.MaxStepsReached:
		return outOfSteps(r.Config.Machine.Budgets.Steps)
	case machine.ContextBudgetExceeded:
		return ending{
			short:    "the model was not asked",
			long:     "The model was not asked: it would have been given " + tooMuch(r) + ". No step was used for this.",
			unproven: "anything about what the model would have said.",
		}
	case machine.RepeatedProposal:
		return ending{
			short:    "the same answer " + times(r.Config.Machine.Budgets.Repeats),
			long:     "The same action got the same answer " + times(r.Config.Machine.Budgets.Repeats) + ", so nothing new was to be expected.",
			unproven: "that the goal is out of reach. Only that this model was going in circles.",
		}
	case machine.MaxRejectionsReached:
		return ending{
			short:    "more than " + count(r.Config.Machine.Budgets.Rejections, "refusal"),
			long:     countOf(r.Rejections, "action was", "actions were") + " refused; the budget is " + number(r.Config.Machine.Budgets.Rejections) + ".",
			unproven: "that it meant harm. Only that it kept asking for what it may not have.",
		}
	}
	return failing(r)
}

func outOfSteps(budget int) ending {
	if budget == 0 {
		return ending{
			short:    "no step was allowed",
			long:     "The budget allows no step, so the model was not asked.",
			unproven: "anything about what the model would have said.",
		}
	}
	return ending{
		short:    "not finished in " + count(budget, "step"),
		long:     "The model did not finish in the " + count(budget, "step") + " it had.",
		unproven: "that more steps would help. Only that these did not end it.",
	}
}

// failing has the words for ends that are nobody's plan.
func failing(r *runner.Result) ending {
	switch r.Reason {
	case policy.MaxToolCallsReached:
		return ending{
			short:    "all " + count(r.Config.Machine.Budgets.ToolCalls, "tool call") + " used",
			long:     "The run had used all its tool calls (" + number(r.Config.Machine.Budgets.ToolCalls) + ") when it asked for one more.",
			unproven: "that more calls would help.",
		}
	case tools.FinalCitationValidationFailed:
		return ending{
			short:    "its final answer was refused",
			long:     "The model said that it is done, but cited what no succeeded call returned. The final answer was refused.",
			unproven: "anything that the refused answer says.",
		}
	case policy.CheckFailed:
		return ending{
			short:    "a check could not answer",
			long:     "A check of a gate could not answer, so the action was refused. That is a fault of the check, not of the model.",
			unproven: "whether the action would have been allowed.",
		}
	case model.ScriptExhausted:
		return ending{
			short:    "the script ended before the run",
			long:     "The scripted model was asked once more than its script has answers.",
			unproven: "anything about the boundary beyond the steps above: the script ended, not the run.",
		}
	case model.Failed:
		return ending{
			short:    "the model gave no output",
			long:     "The model gave no output.",
			unproven: "anything about the action it would have proposed.",
		}
	}
	if e, ok := outsideEnding(r); ok {
		return e
	}
	e := byStatus(r)
	e.why = reasonOf(r)
	return e
}

// byStatus has the words where only the status says something.
func byStatus(r *runner.Result) ending {
	switch r.Status {
	case event.Rejected:
		return ending{
			short:    means(r.Reason),
			long:     "The action was refused and not carried out. task.onRejection says that a refusal ends the run.",
			unproven: "that the model meant harm, or that the goal is out of reach.",
		}
	case event.NeedsReview:
		return ending{
			short: waiting(r), long: waiting(r) + ".",
			unproven: "that it compiles, that it is right, that anyone has looked.",
		}
	case event.Completed:
		return ending{
			short: "the proof asked for was accepted", long: "The proof that the task asks for was accepted.",
			unproven: "anything beyond that proof.",
		}
	case event.ClaimedComplete:
		return ending{
			short: "a claim", long: "The model says that it is done.", unproven: "anything that it says.",
		}
	case event.Cancelled:
		return ending{
			short: "cancelled", long: "The run was cancelled.", unproven: "anything about the steps it did not take.",
		}
	case event.Failed:
		return ending{
			short: means(r.Reason), long: means(r.Reason), unproven: "anything beyond the steps above.",
		}
	}
	long := "The run has not ended."
	if r.Status == event.Paused {
		long = "A person has paused the run, and nobody has resumed it."
	}
	return ending{short: "not ended", long: long, unproven: "anything about how it will end."}
}

func means(code *diag.Code) string {
	if code == nil {
		return "no reason was recorded"
	}
	return code.Means
}

func waiting(r *runner.Result) string {
	return countOf(len(r.Edits), "edit waits", "edits wait") + " for a person"
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return number(n) + " times"
}

// tooMuch says how large the context was that did not fit.
func tooMuch(r *runner.Result) string {
	size := 0
	for i := range r.Events {
		if e := &r.Events[i]; e.Name == event.ContextBuilt {
			size = int(e.Size)
		}
	}
	return number(size) + " code points, and the budget is " + number(r.Config.Machine.Budgets.ContextChars)
}
