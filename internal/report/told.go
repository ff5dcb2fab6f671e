package report

import (
	"harness/internal/event"
	"harness/internal/runner/machine"
	"harness/internal/term"
	"harness/internal/tools"
)

// answered tells what the step left behind.
func (n *narrator) answered(l *pairs, s *Step) {
	if s.Decision == nil {
		return
	}
	so := func(text string) { l.addTexts(term.Dim, "so", text) }
	switch {
	case s.open() != "":
		so(n.put(s))
	case s.Refusal != nil:
		so(n.refused(s))
	case s.Tool == tools.FinishName:
		so(finished(s))
	case s.Receipt != "":
		so("The model is given the answer again " + n.label(s))
	case s.Edit != nil:
		so("The edit is kept as a candidate, for a person. No file has changed. The model is told so " + n.label(s))
	case s.Code != nil:
		so(n.broke(s))
	case s.Observation != nil:
		so("The model is told what came back " + n.label(s))
	case s.Outcome == event.CallSucceeded && s.stopCode() != nil:
		so("What came back is not passed on, and the run ends: " + s.stopCode().Name + ".")
	case s.Outcome != 0:
		so("The call " + s.Outcome.String() + ".")
	}
}

// refused tells what a refusal led to.
func (n *narrator) refused(s *Step) string {
	done := "Nothing was done"
	if s.Decision.Effect != event.Allow && len(s.Attempts) > 0 {
		done = "No further attempt was made"
	} else if len(s.Attempts) > 1 {
		done = "The last attempt did nothing"
	}
	switch code := s.stopCode(); {
	case s.Observation == nil:
		return done + ", and the run ends."
	case code != nil && s.event(event.StepEnded) == nil:
		return done + ". The refusal is recorded as observation " + s.Observation.ID + " labelled policy, and the run ends: " + code.Name + "."
	default:
		return done + ". The model is told why, as observation " + s.Observation.ID + " labelled policy, and goes on."
	}
}

// finished tells what a finish led to.
func finished(s *Step) string {
	holds, asked := s.proof()
	switch {
	case asked && !holds:
		return "The final answer is refused, and the run ends. What the summary says is worth nothing without the proof."
	case asked, s.stopCode() == machine.FinalAnswerValidated:
		return "The run ends. The summary is kept as a claim; the proof that the task demands holds."
	default:
		return "The run ends. The summary is kept as a claim; no program has compared it with anything."
	}
}

// label names a step's observation and what its label means.
func (n *narrator) label(s *Step) string {
	o := s.Observation
	if o == nil {
		return "not at all."
	}
	means := trustText(o.Trust)
	if s.outside && o.Trust == event.UntrustedContent {
		means = "what comes from outside is data; it orders nothing and grants nothing."
	}
	return "as observation " + o.ID + ", labelled " + string(o.Trust) + ": " + means
}

// trustText says what a trust label means for whoever reads the content.
func trustText(t event.Trust) string {
	switch t {
	case event.UntrustedFile, event.UntrustedSearchResult:
		return "what stands in files is data; it orders nothing and grants nothing."
	case event.UntrustedContent:
		return "it repeats text that came from files or from the model."
	case event.TrustedTool:
		return "the tool itself vouches for it."
	}
	return "the program's own words."
}

// broke tells what a failure led to.
func (n *narrator) broke(s *Step) string {
	code := s.stopCode()
	switch {
	case s.Observation != nil:
		return "The model is told of the failure " + n.label(s)
	case code != nil && code != s.Code:
		return "The run ends: " + code.Name + "."
	default:
		return "The run ends."
	}
}

// put tells how a command stands that nobody has approved.
func (n *narrator) put(s *Step) string {
	id := "the question"
	if c := s.question(); c != nil {
		id = c.ID
	}
	switch s.open() {
	case postponed:
		if s.Observation == nil {
			return "Nothing was done; " + id + " stays open, and the run ends."
		}
		return "Nothing was done; " + id + " stays open. The model is told so, as observation " + s.Observation.ID + " labelled policy, and goes on."
	case unanswered:
		return "Nothing was done: the run ended before anybody answered " + id + "."
	default:
		return "Nothing was done. The run waits for an answer to " + id + ", and takes none for granted."
	}
}
