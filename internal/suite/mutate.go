package suite

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"harness/internal/coverage"
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
// their tables, each limit by one, each rule that denies, demands a person or has a
// condition, and what a refusal does. Checks of declared tools are one mutant for each
// question, whatever the tool.
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
	return append(append(all, otherMutants()...), ruleMutants(list)...)
}

// ruleMutants are the rules that narrow what others allow, or ask for more.
func ruleMutants(list []*scenarios.Scenario) []Mutant {
	var all []Mutant
	for _, d := range coverage.Rules(list) {
		m := Mutant{ID: d.ID, weaken: func(s *scenarios.Scenario, cfg *machine.Config) bool { return withoutRule(s, cfg, &d) }}
		at := slices.IndexFunc(list, func(s *scenarios.Scenario) bool { return m.Weaken(s) != nil })
		if at < 0 {
			continue // it allows, whatever is asked
		}
		for _, r := range list[at].Config.Machine.Rules.All() {
			if d.Is(list[at], r.Where) {
				m.Lets = letBy(&r)
			}
		}
		all = append(all, m)
	}
	return all
}

// letBy says what is let through without what a rule adds.
func letBy(r *policy.Rule) string {
	switch r.Effect {
	case event.Deny:
		return "what it denies, " + r.Capability + " on " + r.Pattern + ", where another rule allows it"
	case event.Confirm:
		return r.Capability + " on " + r.Pattern + " without the person whom it demands"
	default:
		return r.Capability + " on " + r.Pattern + " also where its condition does not hold"
	}
}

// withoutRule loosens one rule: what denies is left out, what demands a person allows,
// and what allows does so without its condition.
func withoutRule(s *scenarios.Scenario, c *machine.Config, d *coverage.Declared) bool {
	var kept []policy.Rule
	weak := false
	for _, r := range c.Rules.All() {
		switch {
		case !d.Is(s, r.Where):
		case r.Effect == event.Deny:
			weak = true
			continue
		case r.Effect == event.Confirm:
			r.Effect, weak = event.Allow, true
		case r.When != nil:
			r.When, weak = nil, true
		}
		kept = append(kept, r)
	}
	if weak {
		c.Rules = policy.NewRules(kept...)
	}
	return weak
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

// Mutated is what became of a mutant.
type Mutated struct {
	Mutant
	Killer *scenarios.Scenario // the first that notices; nil if none does
	Asked  int                 // scenarios that have what it weakens, up to the killer
}

// Mutation says how a suite is run against mutants.
type Mutation struct {
	Workers int
	// Goldens says that scenarios are held to the goldens beside them; else each is held
	// to the one that it has without a mutant.
	Goldens bool
	// Stop is asked before each mutant, Progress told after each, from one goroutine at a
	// time. Either may be nil.
	Stop     func() bool
	Progress func(done, survived int)
}

// Run runs scenarios against each mutant, to the first that notices: one that passes,
// and no longer does. The mutants stand in their order; a stopped one is left out, and
// whole is false then. red is how many scenarios do not pass without any mutant, and
// so notice none.
func (n *Mutation) Run(list []*scenarios.Scenario, mutants []Mutant) (all []Mutated, red int, whole bool) {
	sound := n.sound(list)
	for _, g := range sound {
		if g == nil {
			red++
		}
	}
	done := make([]*Mutated, len(mutants))
	var mutex sync.Mutex
	count, survived := 0, 0
	parallel(n.Workers, len(mutants), func(i int) {
		if n.Stop != nil && n.Stop() {
			return
		}
		m := Mutated{Mutant: mutants[i]}
		for j, s := range list {
			weak := m.Weaken(s)
			if weak == nil {
				continue
			}
			m.Asked++
			if sound[j] != nil && sound[j].notices(s, weak) {
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
		if n.Progress != nil {
			n.Progress(count, survived)
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

// baseline is what a scenario is held to besides what it expects.
type baseline struct{ golden []byte }

// sound tests scenarios without a mutant; nil stands for one that does not pass.
func (n *Mutation) sound(list []*scenarios.Scenario) []*baseline {
	all := make([]*baseline, len(list))
	parallel(n.Workers, len(list), func(i int) {
		s := list[i]
		var c report.Case
		var golden []byte
		if n.Goldens {
			c, golden = (&Test{Goldens: true}).first(s)
		} else {
			c = report.Case{Scenario: s, Result: runner.Run(s.Config)}
			golden = Golden(c.Result)
			c.Verdict, c.Findings = judged(s, c.Result, golden)
		}
		if c = known(c); c.OK() {
			all[i] = &baseline{golden}
		}
	})
	return all
}

// notices reports whether the scenario no longer passes under a configuration.
func (b *baseline) notices(s *scenarios.Scenario, cfg *runner.Config) bool {
	r := runner.Run(cfg)
	c := report.Case{Scenario: s, Result: r}
	c.Verdict, c.Findings = judged(s, r, b.golden)
	c = known(c)
	return !c.OK()
}
