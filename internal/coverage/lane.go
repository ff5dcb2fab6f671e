package coverage

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/scenarios"
	"harness/internal/tools"
)

// lane is the checks that calls of one tool pass, in the order in which they are
// asked.
type lane struct {
	before []check // the dispatch
	work   []check // of the execute gate
	after  []check // of the verify gate
}

// lane gives the checks of a tool's calls; those of a name that no tool has ask
// only whether there is one.
func (t *table) lane(s *scenarios.Scenario, tool string) *lane {
	if !s.Config.Machine.Registry.Has(tool) && tool != tools.FinishName {
		tool = ""
	}
	l := t.lanes[tool]
	if l != nil {
		return l
	}
	l = &lane{}
	t.lanes[tool] = l
	for _, c := range t.checks {
		switch {
		case !c.applies(tool):
		case c.Gate == diag.Execute:
			l.work = append(l.work, c)
		case c.Gate == diag.Verify && tool != tools.FinishName:
			l.after = append(l.after, c)
		default:
			l.before = append(l.before, c)
		}
	}
	return l
}

// applies reports whether a check is asked about calls of a tool, as the policy
// table has it: finish is no tool call, so what bounds those does not bound it.
func (c *check) applies(tool string) bool {
	switch {
	case c.ID == parseCheck:
		return true
	case c.Tool != "":
		return c.Tool == tool
	case tool == "":
		return c.Code == policy.UnknownToolOrVersion
	case tool == tools.FinishName:
		return c.Gate == diag.Schema
	default:
		return true
	}
}

// aboutGrants reports whether the check is asked only where something rests on a
// grant.
func (c *check) aboutGrants() bool { return c.Tool == "" && strings.HasPrefix(c.ID, "grant.") }

// looks reports whether the check had anything to look at: an approval, or for the
// one that comes before a question, that there is none yet.
func (c *check) looks(approved bool) bool {
	return c.Gate != diag.Confirm || approved != (c.Code == policy.OperandsUnknown)
}

// at finds the one check that refuses with a code; -1 if there is none, or no telling
// which.
func at(checks []check, code *diag.Code) int {
	found := -1
	for i := range checks {
		if checks[i].Code == code {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
