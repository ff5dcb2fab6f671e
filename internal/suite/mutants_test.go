package suite

import (
	"os"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/tools/fixture"
)

// unnoticed are the checks whose weakening no shipped scenario can notice, and
// why.
var unnoticed = map[string]string{
	"schema.tool": "without it the table still finds nothing to call, and refuses with the same code",
}

// Would the shipped suite notice? Each check of the table is weakened, one at a
// time, and some scenario must then no longer end as it says, or leave its
// golden.
func TestEveryCheckIsNoticed(t *testing.T) {
	sources, found := FromFS(os.DirFS(shippedFolder), ".")
	if found.Failed() {
		t.Fatal(found)
	}
	list, found := Load(sources)
	if found.Failed() || len(list) == 0 {
		t.Fatal(found)
	}
	golden := make([]string, len(list))
	for i, s := range list {
		golden[i] = string(Golden(runner.Run(s.Config)))
	}
	for _, kind := range kinds(list) {
		killer := killerOf(t, kind, list, golden)
		switch reason := unnoticed[kind]; {
		case killer == nil && reason == "":
			t.Errorf("%s can be left out and no shipped scenario notices", kind)
		case killer != nil && reason != "":
			t.Errorf("%s is noticed by %s; it is no longer excused: %s", kind, killer.ID, reason)
		}
	}
}

// kindOf is what a check is called here: its id, or for a declared tool what it
// asks, whatever the tool.
func kindOf(s *scenarios.Scenario, c *policy.Check) string {
	tool, ok := s.Config.Machine.Registry.Lookup(c.Tool, "")
	if _, declared := tool.(*fixture.Tool); !ok || !declared {
		return c.ID
	}
	question := strings.TrimPrefix(c.ID, c.Tool+".")
	if c.Gate == diag.Semantic && question != "resource" {
		question = "require" // named by the scenario
	}
	return "declared." + question
}

// kinds lists the kinds of all checks, each once.
func kinds(list []*scenarios.Scenario) []string {
	var all []string
	seen := map[string]bool{}
	for _, s := range list {
		checks := s.Config.Machine.Table.Checks()
		for i := range checks {
			if kind := kindOf(s, &checks[i]); !seen[kind] {
				seen[kind] = true
				all = append(all, kind)
			}
		}
	}
	return all
}

// weakened is the scenario's table without the checks of a kind, nil if it has none.
func weakened(s *scenarios.Scenario, kind string) *policy.Table {
	table, any := s.Config.Machine.Table, false
	for _, c := range s.Config.Machine.Table.Checks() {
		if kindOf(s, &c) == kind {
			table, any = mustWeaken(table, c.ID), true
		}
	}
	if !any {
		return nil
	}
	return table
}

func mustWeaken(table *policy.Table, id string) *policy.Table {
	weak, ok := table.Without(id)
	if !ok {
		panic("there is no check " + id)
	}
	return weak
}

// killerOf finds a scenario that notices that a check is weakened.
func killerOf(t *testing.T, kind string, list []*scenarios.Scenario, golden []string) *scenarios.Scenario {
	t.Helper()
	for i, s := range list {
		boundary := *s.Config.Machine
		table := weakened(s, kind)
		if table == nil {
			continue
		}
		boundary.Table = table
		weak := *s.Config
		weak.Machine = &boundary
		r := runner.Run(&weak)
		if verdict, _ := Judge(s, r); verdict != "pass" || string(Golden(r)) != golden[i] {
			return s
		}
	}
	return nil
}
