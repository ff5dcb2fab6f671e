package report

import (
	"strconv"
	"strings"
	"sync"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

// runCodes are the codes that a run can give, by name.
var runCodes = sync.OnceValue(func() map[string]*diag.Code {
	codes := map[string]*diag.Code{}
	for _, list := range [...][]*diag.Code{
		strictjson.Codes(), action.Codes(), model.Codes(), tools.Codes(), repotools.Codes(), fixture.Codes(), policy.Codes(), machine.Codes(),
	} {
		for _, c := range list {
			codes[c.Name] = c
		}
	}
	return codes
})

// codeOfFinding is the code that a finding is about: the one that was expected, else
// the one that came instead, else the one that ended the run otherwise than it
// should. It is nil for a finding that is about none.
func codeOfFinding(c *Case, f *Finding) *diag.Code {
	kind := clauseKind(f.Clause)
	switch {
	case strings.HasPrefix(kind, "decisions"):
		return codeOfDecision(c, f)
	case kind == "stopReason", kind == "events", c.Verdict == Error:
		return firstCode(c, lastWord(f.Want), lastWord(f.Got))
	case kind == "status" && c.Result != nil:
		return c.Result.Reason
	}
	return nil
}

// codeOfDecision is the code that the scenario expects of a decision, else the one
// that was given. A case whose expectations are not to be seen has none of them.
func codeOfDecision(c *Case, f *Finding) *diag.Code {
	i, ok := clauseIndex(f.Clause)
	if e := c.Scenario.Expect; ok && e != nil && i < len(e.Decisions.Items) {
		want := &e.Decisions.Items[i]
		if code := firstCode(c, want.Code.Value); code != nil {
			return code
		}
		if code := decidedAt(c, want.Step.Value); code != nil {
			return code
		}
	}
	return firstCode(c, f.Want, f.Got)
}

// decidedAt is the code of the last decision at a step, nil for none.
func decidedAt(c *Case, step int) *diag.Code {
	var code *diag.Code
	if c.Result == nil {
		return nil
	}
	for i := range c.Result.Events {
		if e := &c.Result.Events[i]; e.Name == event.ProposalDecided && int(e.Step) == step {
			code = e.Proposal().Decision.Code
		}
	}
	return code
}

// firstCode is the first of the names that is a code: one of the program's, or one
// that the scenario declares and the run met.
func firstCode(c *Case, names ...string) *diag.Code {
	for _, name := range names {
		if code := runCodes()[name]; code != nil {
			return code
		}
		if code := metCode(c, name); code != nil {
			return code
		}
	}
	return nil
}

// metCode is a code of that name that the run met.
func metCode(c *Case, name string) *diag.Code {
	if c.Result == nil || name == "" {
		return nil
	}
	for i := range c.Result.Events {
		e := &c.Result.Events[i]
		if e.Code != nil && e.Code.Name == name {
			return e.Code
		}
		if refusal := e.Refusal(); refusal != nil && refusal.Code != nil && refusal.Code.Name == name {
			return refusal.Code
		}
		if e.Name == event.ProposalDecided {
			if code := e.Proposal().Decision.Code; code != nil && code.Name == name {
				return code
			}
		}
	}
	return nil
}

// clauseKind is a clause without its places in lists: "decisions.code" for
// "decisions[2].code".
func clauseKind(clause string) string {
	var b strings.Builder
	depth := 0
	for _, r := range clause {
		switch {
		case r == '[':
			depth++
		case r == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	if kind := oneLine(b.String(), headlineMost); kind != "" {
		return kind
	}
	return "finding"
}

// clauseIndex is the first place in a list that a clause names.
func clauseIndex(clause string) (int, bool) {
	_, rest, _ := strings.Cut(clause, "[")
	digits, _, found := strings.Cut(rest, "]")
	i, err := strconv.Atoi(digits)
	return i, found && err == nil && i >= 0
}

// lastWord is what stands behind the last space of a text.
func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
