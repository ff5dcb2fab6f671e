package report

import (
	"strings"

	"harness/internal/action"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/term"
)

// narrator tells a run step by step. What a gate proves is said in full the
// first time only.
type narrator struct {
	*page
	result *runner.Result
	detail Detail
	told   []string // the gates whose worth was told in full
	// What the steps before have used.
	calls int      // tool calls
	sent  []string // the tools of those that lie outside
	cost  int
	used  []int // calls of each grant
}

// explain tells one step: what was asked, and what came of it, in the order in which
// it happened.
func (n *narrator) explain(s *Step, indent int) {
	n.prose(indent, term.Normal, n.asked(s))
	l := pairs{indent: indent}
	if s.Decision != nil {
		n.happened(&l, s)
	}
	n.pairs(&l)
	n.count(s)
}

// asked says in words what the model asked for.
func (n *narrator) asked(s *Step) string {
	a := s.action()
	switch {
	case s.Decision == nil:
		return "The model was asked and gave no output: " + failureText(s)
	case a == nil:
		return "The model said this, which is no action: " + n.clip(s.noise(), 2*quoteMost)
	}
	text := n.wish(s, a)
	if a.Reason != "" {
		text += " Its reason, which has no effect: " + n.quoted(a.Reason, quoteMost)
	}
	return text
}

// wish says what an action asks for. Arguments that do not fit their contract
// are listed as they came.
func (n *narrator) wish(s *Step, a *action.Action) string {
	switch {
	case s.misfit(), s.outside:
	case a.Kind == action.Finish:
		return "The model says that it is done: " + n.quoted(s.text("summary"), 2*quoteMost)
	case a.Tool == "search":
		return "The model asks to search the files it may read for " + n.quoted(s.text("query"), quoteMost) + "."
	case a.Tool == "read":
		return "The model asks to read " + s.text("path") + linesAsked(s) + "."
	case a.Tool == "propose_edit":
		return "The model proposes to replace " + n.quoted(s.text("before"), quoteMost) + " by " +
			n.quoted(s.text("after"), quoteMost) + " in " + s.text("path") +
			", in the version whose SHA-256 is " + n.digest(n.clip(s.text("baseHash"), quoteMost)) + "."
	}
	return "The model asks for " + n.clip(a.Tool, quoteMost) + n.arguments(s) + "."
}

func failureText(s *Step) string {
	words := s.failure()
	if words.Where != "" {
		return strings.TrimSuffix(words.Message, ".") + " (" + words.Where + ")."
	}
	return sentence(words.Message)
}

func linesAsked(s *Step) string {
	if suffix := lineSuffix(s); suffix != "" {
		return ", lines " + suffix[1:]
	}
	return ""
}

// arguments lists the arguments of a step's action, a few of them and each clipped.
func (n *narrator) arguments(s *Step) string {
	const most = 6
	members := s.arguments().Members()
	if len(members) == 0 {
		return " without arguments"
	}
	parts := make([]string, 0, most+1)
	for i, m := range members {
		if i == most {
			parts = append(parts, "and "+count(len(members)-most, "more argument"))
			break
		}
		parts = append(parts, n.clip(m.Name, subjectColumns)+" "+n.clip(string(strictjson.AppendCanonical(nil, m.Value)), quoteMost))
	}
	return " with " + strings.Join(parts, ", ")
}
