package report

import (
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/tools/fixture"
)

// lastAct is the act that was dispatched last, as far as it is known; nil if the call
// has no effects, or there was none.
func lastAct(r *runner.Result) *policy.Act {
	for i := len(r.Events) - 1; i >= 0; i-- {
		d, ok := r.Events[i].About.(*event.Dispatch)
		if ok && r.Events[i].Name == event.ToolStarted {
			return r.Standing.Act(d.Act)
		}
	}
	return nil
}

// reasonOf is what was recorded to be wrong with the answer that ended a run, "" if
// nothing more than the code.
func reasonOf(r *runner.Result) string {
	for i := len(r.Events) - 1; i >= 0; i-- {
		e := &r.Events[i]
		switch e.Name {
		case event.ToolCompleted, event.ResultValidated:
			if e.Code == nil || e.Code != r.Reason {
				return ""
			}
			return whyOf(e)
		}
	}
	return ""
}

// toolEnding has the words for calls that went wrong, with what is known of the last.
func toolEnding(r *runner.Result) ending {
	act := lastAct(r)
	switch r.Reason {
	case machine.ToolFailed:
		return brokenTool(r, act)
	case machine.ToolUnknown:
		return ending{
			short:    "nobody can say what a call did",
			long:     "Nobody can say whether the effect of a call exists: " + lookedUp(act) + " Nothing more was tried, and a person has to find out.",
			unproven: "that the effect exists, or that it does not.",
		}
	case machine.ToolTimeout:
		e := ending{
			short:    "a tool did not answer in time",
			long:     "A tool did not answer in the time that its contract gives it.",
			unproven: "what the tool would have answered with more time.",
		}
		if act != nil && act.Effect != event.EffectNone {
			e.unproven = "that the tool did nothing after it was no longer waited for."
		}
		return e
	case fixture.ToolUnavailable:
		return ending{
			short:    "a tool was not available",
			long:     "A tool refused the request before it did anything, and no further attempt was allowed.",
			unproven: "that the request was wrong, or that it would fail later.",
		}
	case fixture.ToolCancelled:
		return ending{
			short:    "a tool stopped when it was told to",
			long:     "The tool under way was told to stop, and did before its effect.",
			unproven: "what the call would have given.",
		}
	}
	e := promiseEnding(r, act)
	e.why = reasonOf(r)
	return e
}

// lookedUp says why nobody can say whether an effect exists.
func lookedUp(act *policy.Act) string {
	const silent = "no usable answer came, and "
	switch {
	case act == nil:
		return "no usable answer came."
	case act.Reconciled == "":
		return silent + "the tool keeps no receipt that could be looked up."
	case act.Reconciled == notThere:
		return silent + "when it was looked up it was not there. It may still come."
	default:
		return silent + "the look-up could not tell."
	}
}

// brokenTool has the words for a tool that gave no answer, or none that a tool may
// give.
func brokenTool(r *runner.Result, act *policy.Act) ending {
	e := ending{
		short: "a tool gave no answer that can be used",
		long:  "A tool broke, or what it gave is no answer that a tool may give. That is a fault of the tool, not of the model.",
		why:   reasonOf(r),
	}
	e.unproven = knownOf(act, "what the tool would have answered.", "whether the tool did anything before it failed.")
	return e
}

// knownOf says what is not proven of a call whose answer was worth nothing: reading is
// for a call without effects, doubtful for one of which nothing is known.
func knownOf(act *policy.Act, reading, doubtful string) string {
	switch {
	case act == nil:
		return reading
	case act.Reconciled == there, act.Effect == event.EffectApplied:
		return "that what happened is what was asked for. That it happened is known."
	case act.Effect == event.EffectNone:
		return "what the tool would have answered. That it did nothing is known."
	default:
		return doubtful
	}
}

// promiseEnding has the words for answers that are not what the tool promises.
func promiseEnding(r *runner.Result, act *policy.Act) ending {
	switch r.Reason {
	case fixture.ToolOutputTooLarge:
		return ending{
			short:    "a tool answered with too much",
			long:     "A tool answered with more bytes than limits.answer allows. The answer was not read." + effectOfBad(act),
			unproven: "anything about what the answer said.",
		}
	case fixture.ToolOutputInvalid:
		return ending{
			short:    "a tool's answer breaks its schema",
			long:     "A tool answered outside its own output schema, so nothing in the answer was relied on." + effectOfBad(act),
			unproven: knownOf(act, "anything that the answer says.", "anything about what the tool did."),
		}
	case fixture.ToolPostconditionFailed:
		return postcondition(promiseOf(r.Reason, reasonOf(r)), act)
	}
	return ending{}
}

// effectOfBad says what is known of the effect of a call whose answer breaks its
// contract.
func effectOfBad(act *policy.Act) string {
	switch {
	case act == nil:
		return ""
	case act.Reconciled == there:
		return " Its effect is there all the same."
	case act.Reconciled == notThere:
		return " When its effect was looked up it was not there."
	default:
		return " Its effect may be there all the same."
	}
}

// postcondition has the words for a promise that is broken, and for one that nobody
// could ask about.
func postcondition(p promise, act *policy.Act) ending {
	const last = " From here on no final answer is accepted."
	e := ending{
		short:    "the tool says so, and it is not so",
		long:     "A tool said that it succeeded, and what it promises is not true of the world as it reads back." + last,
		unproven: "that nothing happened. Something did, and it is not what was promised.",
	}
	switch p {
	case unasked:
		e.short = "nobody could ask whether the tool did it"
		e.long = "A tool said that it succeeded, and nobody could ask whether it did: what it promises has no answer in the world as it reads back." + last
		e.unproven = "that the tool did what it promises, or that it did not."
	case doubted:
		e.short = "nobody can say that the tool did it"
		e.long = "A tool said that it succeeded. What it promises is not true of the world as it reads back, or nobody could ask." + last
		e.unproven = "that the tool did what it promises."
	}
	if act == nil && p == broken {
		e.unproven = "anything that the answer says."
	}
	return e
}
