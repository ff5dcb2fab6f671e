package report

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/tools/fixture"
)

// evidence is what the events of a run say of an act besides its effect.
type evidence struct {
	approval string         // id of the question whose answer its latest dispatch rests on
	promise  promise        // what became of what the tool promises of it
	late     []*event.Event // answers that came when nobody waited for them any more
}

// evidenceOf gathers what is known of an act; "" names none.
func evidenceOf(r *runner.Result, act string) evidence {
	var found evidence
	if act == "" {
		return found
	}
	for i := range r.Events {
		e := &r.Events[i]
		switch a := e.About.(type) {
		case *event.Dispatch:
			if a.Act == act && e.Name == event.ToolStarted {
				found.approval = a.Confirmation
			}
		case *event.Completion:
			switch {
			case a.Act != act:
			case e.Name == event.ToolCompleted:
				found.promise = promiseOf(e.Code, a.Why)
			case len(found.late) < listMost:
				found.late = append(found.late, e)
			}
		case *event.Receipt:
			if a.Act == act && e.Name == event.ResultValidated {
				found.promise = promiseOf(e.Code, a.Why)
			}
		}
	}
	return found
}

// approved says who approved an act, "" if nobody was asked.
func (p *page) approved(r *runner.Result, id string) string {
	if id == "" {
		return ""
	}
	text := p.clip(id, subjectMost)
	if asked := r.Standing.Asked(id); asked != nil && asked.Answer != nil {
		text += p.by(asked.Answer.By) + p.because(asked.Answer.Reason)
	}
	return text
}

// lateAnswer says what an answer was worth that nobody waited for.
func lateAnswer(e *event.Event) string {
	text := "an answer came" + at(e.At) + ": " + e.Outcome.String()
	if e.Code != nil {
		text += ", " + e.Code.Name
	}
	return text
}

// promise is what is known of a tool's postcondition once it was asked about.
type promise uint8

const (
	kept    promise = iota // or never asked about
	broken                 // it is false
	unasked                // it has no answer in the world as it reads back
	doubted                // one of the two; the words may not be shown
	unread                 // the answer was worth nothing, so it was never asked about
)

// promiseOf reads it from a code and what is wrong with an answer.
func promiseOf(code *diag.Code, why string) promise {
	switch {
	case code == fixture.ToolOutputInvalid, code == fixture.ToolOutputTooLarge:
		return unread
	case code != fixture.ToolPostconditionFailed:
		return kept
	case why == "":
		return doubted
	case strings.HasPrefix(why, "the postcondition is false"):
		return broken
	default:
		return unasked
	}
}

// means is a code's text; where nobody could ask about a promise it says that, and
// not that the tool has broken it.
func (p promise) means(code *diag.Code) string {
	switch p {
	case unasked:
		return "Nobody could ask whether the tool did what it promises: its postcondition has no answer in the world as it reads back."
	case doubted:
		return "What the tool promises is not true of the world as it reads back, or nobody could ask; the words may quote what no report may show."
	default:
		return code.Means
	}
}

// effectWords says what the state of an act's effect means.
func effectWords(a *event.Act, of promise) string {
	switch a.Effect {
	case event.EffectApplied:
		return "it exists"
	case event.EffectNone:
		return "it does not exist"
	case event.EffectUnknown:
		if a.Reconciled == notThere {
			return "it was not there when it was looked up, and may still come"
		}
		return "nobody can say whether it exists"
	case event.EffectUnverified:
		return unverified(a, of)
	default:
		return "nothing is recorded"
	}
}

// unverified says what is known of an effect that is not as it should be.
func unverified(a *event.Act, of promise) string {
	switch {
	case of == unasked:
		return "it exists, and nobody could ask whether it is what was promised"
	case of == doubted:
		return "it exists, and nobody can say that it is what was promised"
	case of == unread && a.Reconciled == there:
		return "it exists, and the answer was worth nothing"
	case of == unread && a.Reconciled == notThere:
		return "it was not there when it was looked up, and the answer was worth nothing"
	case of == unread:
		return "it may exist; the answer was worth nothing"
	default:
		return "it exists, and is not what was promised"
	}
}

// The answers of a look-up that other words depend on.
const (
	there    = "happened"
	notThere = "did not happen"
)
