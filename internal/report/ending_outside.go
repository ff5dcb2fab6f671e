package report

import (
	"slices"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/tools/fixture"
)

// outsideEnding has the words for ends that concern effects outside, persons and
// proofs; false if the reason is none of those.
func outsideEnding(r *runner.Result) (ending, bool) {
	for _, words := range []func(*runner.Result) ending{personEnding, proofEnding, spentEnding, toolEnding} {
		if e := words(r); e.short != "" {
			return e, true
		}
	}
	return ending{}, false
}

// personEnding has the words where a person is needed, or has decided.
func personEnding(r *runner.Result) ending {
	switch r.Reason {
	case policy.UserConfirmationRequired:
		return ending{
			short:    "a person has to approve a command",
			long:     "A person has to approve the command below before it is dispatched, and nobody has answered. It was not dispatched.",
			unproven: "that the command is wise, or that anybody has looked at it.",
		}
	case policy.ConfirmationDeclined:
		return ending{
			short:    "a person declined",
			long:     "A person looked at the command and declined, so it was not carried out. task.onRejection says that a refusal ends the run.",
			unproven: "that the command would have done harm. Only that this person did not want it.",
		}
	case machine.HandoffRequested:
		return ending{
			short:    "a person has to take over",
			long:     "The condition of task.handoff holds: what comes next is for a person to decide.",
			unproven: "which of the things that were found is true.",
		}
	case machine.CancelRequested:
		return ending{
			short:    "cancelled by a person",
			long:     "A person cancelled the run while " + underWay(r) + ".",
			unproven: "that anything was undone, or what the run would still have done.",
		}
	case machine.CancelledIdle:
		when := "cancelled between two calls"
		if r.ToolCalls == 0 {
			when = "cancelled before any call"
		}
		return ending{
			short:    when,
			long:     "A person cancelled the run while nothing was under way.",
			unproven: "that anything was undone, or how the run would have gone on.",
		}
	}
	return ending{}
}

// underWay is what a run was doing when it was cancelled.
func underWay(r *runner.Result) string {
	steps := Steps(r)
	if n := len(steps); n > 0 && steps[n-1].open() == unanswered {
		return "a question was open"
	}
	return "a tool was working"
}

// proofEnding has the words for proofs that a finish has to give.
func proofEnding(r *runner.Result) ending {
	switch r.Reason {
	case machine.FinalAnswerValidated:
		what := "its citations"
		if r.Verified == machine.Holds {
			what = "the verifier of task.completion"
		}
		return ending{
			short:    "the proof asked for holds",
			long:     "The model says that it is done, and the proof that the task demands holds: " + what + ".",
			unproven: "anything beyond that proof. It is as good as the questions that were written.",
		}
	case machine.CompletionUnverified:
		e := ending{
			short:    "the proof asked for does not hold",
			long:     "The model says that it is done. The verifier of task.completion was asked and does not say so, so the final answer was refused.",
			unproven: "anything that the refused answer claims.",
		}
		if fault := unverifiable(r); fault != "" {
			e.short, e.why = "the proof asked for has no answer", fault
			e.long = "The model says that it is done. The verifier of task.completion could not be answered, so the final answer was refused."
		}
		return e
	}
	return ending{}
}

// unverifiable is why the verifier of the task could not be answered, "" if it was.
func unverifiable(r *runner.Result) string {
	for i := len(r.Events) - 1; i >= 0; i-- {
		if f, ok := r.Events[i].About.(*event.Facts); ok && r.Events[i].Name == event.CompletionChecked {
			return f.Fault
		}
	}
	return ""
}

// spentEnding has the words for budgets beyond steps and calls.
func spentEnding(r *runner.Result) ending {
	b := &r.Config.Machine.Budgets
	switch r.Reason {
	case policy.DeadlineReached:
		return ending{
			short:    "out of time after " + span(b.Deadline),
			long:     "The deadline of the run, " + span(b.Deadline) + " after its start, has passed. Nothing new was started after it.",
			unproven: "that more time would help.",
		}
	case policy.CostBudgetExceeded:
		return ending{
			short:    "the next call would cost too much",
			long:     "The next call would have reserved more than was left of the cost budget (" + spent(r) + "), so it was not made.",
			unproven: "that the call was worth its cost, or what it would have given.",
		}
	case policy.OutputBudgetExceeded:
		return outOfBytes(r)
	case machine.PollLimitReached:
		return ending{
			short:    "what it waits for does not come",
			long:     "A tool that is made to be asked again gave the same answer as often as its contract allows.",
			unproven: "that what is waited for will never come. Only that it had not.",
		}
	}
	return ending{}
}

// outOfBytes has the words for a budget of answers that is used up: by what was
// answered, or because it has room for nothing.
func outOfBytes(r *runner.Result) ending {
	budget, used := r.Config.Machine.Budgets.Output, 0
	if r.Standing != nil {
		used = r.Standing.Output
	}
	switch {
	case used == 0:
		return ending{
			short:    "no answer of a tool was allowed",
			long:     "The budget allows " + count(budget, "byte") + " of answers, so no tool was called for one.",
			unproven: "anything about what a tool would have answered.",
		}
	case used <= budget:
		return ending{
			short:    "the tools have answered with all that was allowed",
			long:     "The tools have answered with all of the " + count(budget, "byte") + " that the budget allows. No further call was made.",
			unproven: "that anything in the answers was of use.",
		}
	}
	return ending{
		short:    "the tools have answered with too much",
		long:     "The tools have answered with " + count(used, "byte") + " in all, and the budget is " + number(budget) + ". What went over it was not passed on, and no further call was made.",
		unproven: "that anything in the answers was of use.",
	}
}

// spent is how much of the cost budget is used.
func spent(r *runner.Result) string {
	used := 0
	if r.Standing != nil {
		used = r.Standing.Cost
	}
	return number(used) + " of " + number(r.Config.Machine.Budgets.Cost) + " used"
}

// cancelling reports whether the run was told to end, by a person or by its
// deadline.
func cancelling(r *runner.Result) bool {
	return slices.ContainsFunc(r.Events, func(e event.Event) bool { return e.To == event.Cancelling && e.Name == event.StateTransitioned })
}

// stopped says what became of the tool under way in a run that was cancelled.
func stopped(r *runner.Result) string {
	const told = "the tool under way was told to stop"
	ending, signalled := false, false
	for i := range r.Events {
		e := &r.Events[i]
		switch {
		case e.To == event.Cancelling:
			ending = true
		case e.Name == event.ToolSignalled:
			signalled = ending // one that took too long is told so, too
		case !signalled || e.Name != event.ToolCompleted:
		case e.Code == fixture.ToolCancelled:
			return told + ", and did before its effect."
		case e.Outcome == event.CallUnknown:
			return told + ", and did not answer any more."
		default:
			return told + ", and went on to its end."
		}
	}
	if signalled {
		return told + "."
	}
	return "no tool had to be told to stop."
}

// undone says what cancelling leaves behind.
func undone(r *runner.Result) string {
	applied, doubtful := 0, 0
	if r.Standing != nil {
		for i := range r.Standing.Acts {
			switch r.Standing.Acts[i].Effect {
			case event.EffectApplied, event.EffectUnverified:
				applied++
			case event.EffectUnknown:
				doubtful++
			}
		}
	}
	text := "nothing, and there was nothing to undo."
	if applied > 0 {
		text = "nothing. " + countOf(applied, "effect that was applied is", "effects that were applied are") + " still there."
	}
	if doubtful > 0 {
		if applied == 0 {
			text = "nothing."
		}
		text += " Of " + count(doubtful, "effect") + " nobody knows."
	}
	return text
}

// codeText is a code's name, or a word for none.
func codeText(c *diag.Code) string {
	if c == nil {
		return "no reason"
	}
	return c.Name
}
