package suite

import (
	"math"
	"strings"
	"sync"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
)

// Mutant is the boundary with one thing weakened.
type Mutant struct {
	ID   string     // of the check, or what is weakened: "limit.toolCalls"
	Gate diag.Gate  // empty for what is no check
	Code *diag.Code // that it can no longer give, nil for what is no check
	Lets string     // what it would let through

	weaken func(*scenarios.Scenario, *machine.Config) bool
}

// Weaken gives a scenario's configuration with the mutant in place; nil if it makes
// no difference to this scenario.
func (m *Mutant) Weaken(s *scenarios.Scenario) *runner.Config {
	boundary := *s.Config.Machine
	if !m.weaken(s, &boundary) {
		return nil
	}
	weak := *s.Config
	weak.Machine = &boundary
	return &weak
}

// Mutants lists what can be weakened in the boundaries of scenarios: each check of
// their tables, each limit by one, each rule that denies or demands a person, and
// what a refusal does. Checks of declared tools are one mutant for each question,
// whatever the tool.
func Mutants(list []*scenarios.Scenario) []Mutant {
	var all []Mutant
	seen := map[string]bool{}
	for _, s := range list {
		checks := s.Config.Machine.Table.Checks()
		for i := range checks {
			c := &checks[i]
			kind := CheckKind(s, c)
			if seen[kind] {
				continue
			}
			seen[kind] = true
			all = append(all, Mutant{
				ID: kind, Gate: c.Gate, Code: c.Code, Lets: c.Code.Name + " is never given: " + c.Code.Means,
				weaken: func(s *scenarios.Scenario, cfg *machine.Config) bool { return withoutKind(s, cfg, kind) },
			})
		}
	}
	return append(all, otherMutants()...)
}

// CheckKind is what a check is called where tools are not told apart: its id, or for
// a declared tool "declared." and what it asks.
func CheckKind(s *scenarios.Scenario, c *policy.Check) string {
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

// withoutKind weakens every check of a kind in a scenario's table.
func withoutKind(s *scenarios.Scenario, cfg *machine.Config, kind string) bool {
	table, found := cfg.Table, false
	checks := cfg.Table.Checks()
	for i := range checks {
		if CheckKind(s, &checks[i]) == kind {
			if weak, ok := table.Without(checks[i].ID); ok {
				table, found = weak, true
			}
		}
	}
	cfg.Table = table
	return found
}

// limit is a mutant that raises a limit by one.
func limit(name string, of func(*machine.Config) *int) Mutant {
	return Mutant{
		ID: "limit." + name, Lets: "one more than the limit " + name + " allows",
		weaken: func(_ *scenarios.Scenario, cfg *machine.Config) bool {
			if n := of(cfg); *n < math.MaxInt {
				*n++
			}
			return true
		},
	}
}

// otherMutants are those that are no check of a table.
func otherMutants() []Mutant {
	return []Mutant{
		limit("steps", func(c *machine.Config) *int { return &c.Budgets.Steps }),
		limit("toolCalls", func(c *machine.Config) *int { return &c.Budgets.ToolCalls }),
		limit("rejections", func(c *machine.Config) *int { return &c.Budgets.Rejections }),
		limit("repeats", func(c *machine.Config) *int { return &c.Budgets.Repeats }),
		limit("contextChars", func(c *machine.Config) *int { return &c.Budgets.ContextChars }),
		limit("cost", func(c *machine.Config) *int { return &c.Budgets.Cost }),
		limit("output", func(c *machine.Config) *int { return &c.Budgets.Output }),
		limit("content", func(c *machine.Config) *int { return &c.Limits.Content }),
		limit("hits", func(c *machine.Config) *int { return &c.Limits.Hits }),
		limit("hitText", func(c *machine.Config) *int { return &c.Limits.HitText }),
		limit("observation", func(c *machine.Config) *int { return &c.Limits.Observation }),
		limit("outputOfModel", func(c *machine.Config) *int { return &c.Limits.Output }),
		limit("answer", func(c *machine.Config) *int { return &c.Limits.Answer }),
		{ID: "limit.deadline", Lets: "a run that goes on a nanosecond after its deadline", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			c.Budgets.Deadline++
			return true
		}},
		{ID: "limit.window", Lets: "repeats a step further apart than the window allows", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			c.Budgets.Window = max(c.Budgets.Window-1, c.Budgets.Repeats)
			return true
		}},
		{ID: "limit.perTool", Lets: "one more call of a tool than perTool allows", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			c.Budgets.PerTool = append([]policy.ToolBudget(nil), c.Budgets.PerTool...)
			for i := range c.Budgets.PerTool {
				c.Budgets.PerTool[i].Calls++
			}
			return len(c.Budgets.PerTool) > 0
		}},
		{ID: "task.editShownOnly", Lets: "an edit of text that no read has shown", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			weak := c.EditShownOnly
			c.EditShownOnly = false
			return weak
		}},
		{ID: "task.onRejection", Lets: "a run that goes on after a refusal that should end it", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			weak := c.OnRejection == machine.StopRun
			c.OnRejection = machine.Observe
			return weak
		}},
		{ID: "task.completion", Lets: "a finish without the proof that the task demands", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			weak := c.Completion != nil
			c.Completion = nil
			return weak
		}},
		{ID: "task.handoff", Lets: "a run that goes on where a person has to take over", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			weak := c.AsksHandoff
			c.AsksHandoff = false
			return weak
		}},
		{ID: "task.confirmWithin", Lets: "an answer that comes after its question has expired", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			if c.Identity == nil {
				return false
			}
			id := *c.Identity
			id.ConfirmFor += 1000 * time.Hour
			c.Identity = &id
			return true
		}},
		{ID: "rules.deny", Lets: "what a rule denies and another allows", weaken: withoutRules(event.Deny)},
		{ID: "rules.confirm", Lets: "what a rule demands a person for, without one", weaken: withoutRules(event.Confirm)},
		{ID: "principal", Lets: "a call on behalf of nobody in particular", weaken: func(_ *scenarios.Scenario, c *machine.Config) bool {
			if c.Identity == nil || c.Identity.Principal == nil {
				return false
			}
			id := *c.Identity
			id.Principal = &tools.Principal{}
			c.Identity = &id
			return true
		}},
	}
}

// withoutRules leaves out the rules of an effect; those that demand a person allow
// then.
func withoutRules(effect event.Effect) func(*scenarios.Scenario, *machine.Config) bool {
	return func(_ *scenarios.Scenario, c *machine.Config) bool {
		var kept []policy.Rule
		for _, r := range c.Rules.All() {
			switch {
			case r.Effect != effect:
				kept = append(kept, r)
			case effect == event.Confirm:
				r.Effect = event.Allow
				kept = append(kept, r)
			}
		}
		weak := len(kept) < len(c.Rules.All()) || effect == event.Confirm && hasEffect(c.Rules, effect)
		c.Rules = policy.NewRules(kept...)
		return weak
	}
}

func hasEffect(r *policy.Rules, effect event.Effect) bool {
	for _, one := range r.All() {
		if one.Effect == effect {
			return true
		}
	}
	return false
}

// Mutated is what became of a mutant.
type Mutated struct {
	Mutant
	Killer *scenarios.Scenario // the first that notices; nil if none does
	Asked  int                 // scenarios that were run with it
}

// Mutate runs scenarios against each mutant, to the first that notices: it no longer
// ends as it says, or leaves the decision trace that it has without the mutant. The
// mutants stand in their order; a stopped one is left out, and whole is false then.
// stop is asked before each, progress told after each by one goroutine at a time;
// either may be nil. red is how many scenarios do not pass without any mutant.
func Mutate(list []*scenarios.Scenario, mutants []Mutant, workers int, stop func() bool, progress func(done, survived int)) (all []Mutated, red int, whole bool) {
	sound := make([]string, len(list))
	parallel(workers, len(list), func(i int) { sound[i] = shape(list[i], list[i].Config) })
	for i, s := range list {
		if !strings.HasPrefix(sound[i], string(report.Pass)+"\n") && s.Expect != nil && s.ExpectFail == nil {
			red++
		}
	}
	done := make([]*Mutated, len(mutants))
	var mutex sync.Mutex
	count, survived := 0, 0
	parallel(workers, len(mutants), func(i int) {
		if stop != nil && stop() {
			return
		}
		m := Mutated{Mutant: mutants[i]}
		for j, s := range list {
			weak := m.Weaken(s)
			if weak == nil {
				continue
			}
			m.Asked++
			if shape(s, weak) != sound[j] {
				m.Killer = s
				break
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		done[i] = &m
		count++
		if m.Killer == nil {
			survived++
		}
		if progress != nil {
			progress(count, survived)
		}
	})
	whole = true
	for _, m := range done {
		if m == nil {
			whole = false
			continue
		}
		all = append(all, *m)
	}
	return all, red, whole
}

// shape is what a suite can notice of a run: its verdict and its decision trace.
func shape(s *scenarios.Scenario, cfg *runner.Config) string {
	r := runner.Run(cfg)
	verdict, _ := judgeRun(s, r, true)
	if verdict == report.Pass && s.Expect == nil {
		verdict = ""
	}
	return string(verdict) + "\n" + string(Golden(r))
}
