package suite

import (
	"os"
	"testing"

	"harness/internal/runner"
	"harness/internal/scenarios"
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
	for _, c := range list[0].Config.Machine.Table.Checks() {
		killer := killerOf(t, c.ID, list, golden)
		switch reason := unnoticed[c.ID]; {
		case killer == nil && reason == "":
			t.Errorf("%s (%s, %s) can be left out and no shipped scenario notices", c.ID, c.Gate, c.Code)
		case killer != nil && reason != "":
			t.Errorf("%s is noticed by %s; it is no longer excused: %s", c.ID, killer.ID, reason)
		}
	}
}

// killerOf finds a scenario that notices that a check is weakened.
func killerOf(t *testing.T, check string, list []*scenarios.Scenario, golden []string) *scenarios.Scenario {
	for i, s := range list {
		boundary := *s.Config.Machine
		table, ok := boundary.Table.Without(check)
		if !ok {
			t.Fatalf("there is no check %s", check)
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
