package suite

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/tools/fixture"
)

// Would the shipped suite notice? Each check, rule and limit is weakened, one at a
// time, and some scenario must then no longer end as it says, or leave its golden.
// What need not be noticed is named with its reason.
func TestEveryMutantIsNoticed(t *testing.T) {
	const file = shippedFolder + "/excuses.yaml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	excuses, found := scenarios.ParseExcuses(file, data)
	if found.Failed() {
		t.Fatal(found)
	}
	excused := map[string]bool{}
	for _, e := range excuses.Mutants {
		excused[e.ID] = true
	}
	list := shippedList(t)
	all, red, whole := (&Mutation{Workers: 2}).Run(list, Mutants(list))
	if !whole || red > 0 || len(all) < 60 {
		t.Fatalf("got %d mutants, %d red scenarios, whole %v", len(all), red, whole)
	}
	for _, m := range all {
		switch {
		case m.Asked == 0:
			t.Errorf("%s: no scenario has what it weakens", m.ID)
		case m.Killer == nil && !excused[m.ID]:
			t.Errorf("%s can be weakened and no shipped scenario notices: %s", m.ID, m.Lets)
		case m.Killer != nil && excused[m.ID]:
			t.Errorf("%s is noticed by %s; it needs no excuse", m.ID, m.Killer.ID)
		}
	}
}

// The bound of a context, of which no scenario knows the size: what just fits is sent,
// and one code point less is too little.
func TestContextBoundIsExact(t *testing.T) {
	s := shippedList(t)[0]
	size := report.Steps(runner.Run(s.Config))[0].Context
	if size < 100 {
		t.Fatalf("got a context of %d code points", size)
	}
	for budget, want := range map[int]bool{size: true, size - 1: false} {
		cfg, boundary := *s.Config, *s.Config.Machine
		boundary.Budgets.ContextChars = budget
		cfg.Machine = &boundary
		r := runner.Run(&cfg)
		if sent := r.Steps > 0; sent != want || !want && r.Reason != machine.ContextBudgetExceeded {
			t.Errorf("a budget of %d for %d: got %d steps, %s", budget, size, r.Steps, r.Reason)
		}
	}
}

// A declared tool can be called nothing that the id of a mutant begins with, and a
// requirement nothing that the program asks a declared tool: else two checks of one id
// would be one mutant.
func TestNamesOfMutantsAreTaken(t *testing.T) {
	owners := map[string]bool{}
	list := shippedList(t)
	for _, m := range Mutants(list) {
		owner, question, _ := strings.Cut(strings.Fields(m.ID)[0], ".")
		if owners[owner] = true; owner == "declared" && question != "require" && !slices.Contains(fixture.Questions(), question) {
			t.Errorf("%s is asked, and is none of the questions %v", question, fixture.Questions())
		}
	}
	for _, owner := range slices.Sorted(maps.Keys(owners)) {
		_, found := scenarios.Parse("s.yaml", []byte(`apiVersion: harness/v1
kind: Scenario
id: a/b
title: A tool with a name that is taken
tools: [{name: `+owner+`, purpose: Does it., input: {type: object}, output: {type: object}, capability: a:b, sideEffect: read, behaviour: [{answer: {}}]}]
task: {goal: Do it., budget: {steps: 1}}
model: {script: [{type: finish, summary: Done.}]}
expect: {status: claimed_complete}
`))
		if !found.Failed() || !strings.Contains(found.Error(), "is taken") {
			t.Errorf("a tool may be called %s: %v", owner, found)
		}
	}
}
