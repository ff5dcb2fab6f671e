package report

import (
	"slices"
	"strings"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/term"
)

// given writes what the run was given: goal, grants and budgets.
func (p *page) given(c *Case, d Detail) {
	p.blank()
	l := pairs{indent: 2}
	if d.Explain && c.Scenario.Teaches != "" {
		l.add(term.Dim, "shows", term.Text(strings.TrimSpace(c.Scenario.Teaches)))
	}
	cfg := c.Result.Config.Machine
	l.add(term.Dim, "goal", term.Text(strings.TrimSpace(c.Scenario.Goal)))
	l.addTexts(term.Dim, "grants", grants(cfg.Rules)...)
	l.addTexts(term.Dim, "budget", budget(cfg)...)
	p.pairs(&l)
}

// grant is the rules of one effect that give the same patterns to some
// capabilities.
type grant struct {
	effect       event.Effect
	capabilities []string
	patterns     []string
}

// grants sums up the rules in the order written: who may do what, where.
func grants(rules *policy.Rules) []string {
	var parts []string
	for _, g := range merged(grouped(rules)) {
		verbs := make([]string, len(g.capabilities))
		for i, capability := range g.capabilities {
			verbs[i] = verb(capability)
		}
		text := strings.Join(verbs, " and ") + " " + strings.Join(g.patterns, ", ")
		if g.effect == event.Deny {
			text = "never " + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return []string{"none: every call will be refused"}
	}
	return parts
}

// grouped collects the patterns of each capability and effect.
func grouped(rules *policy.Rules) []grant {
	var grants []grant
	for _, rule := range rules.All() {
		i := slices.IndexFunc(grants, func(g grant) bool {
			return g.effect == rule.Effect && g.capabilities[0] == rule.Capability
		})
		if i < 0 {
			i = len(grants)
			grants = append(grants, grant{effect: rule.Effect, capabilities: []string{rule.Capability}})
		}
		grants[i].patterns = append(grants[i].patterns, rule.Pattern)
	}
	return grants
}

// merged puts capabilities together that have the same patterns.
func merged(grants []grant) []grant {
	var result []grant
	for _, g := range grants {
		i := slices.IndexFunc(result, func(other grant) bool {
			return other.effect == g.effect && slices.Equal(other.patterns, g.patterns)
		})
		if i < 0 {
			result = append(result, g)
		} else {
			result[i].capabilities = append(result[i].capabilities, g.capabilities...)
		}
	}
	return result
}

// verb is a capability in a word: "repo:read" is "read". To propose is called
// to edit, as scenarios do.
func verb(capability string) string {
	_, name, found := strings.Cut(capability, ":")
	switch {
	case !found:
		return capability
	case name == "propose":
		return "edit"
	}
	return name
}

// budget names the budgets that every run depends on, those that a scenario has
// set, and what a refusal does.
func budget(cfg *machine.Config) []string {
	b, usual := cfg.Budgets, policy.DefaultBudgets()
	parts := []string{count(b.Steps, "step"), number(b.ContextChars) + " context characters"}
	if b.ToolCalls != usual.ToolCalls {
		parts = append(parts, count(b.ToolCalls, "tool call"))
	}
	if b.Repeats != usual.Repeats || b.Window != usual.Window {
		parts = append(parts, countOf(b.Repeats, "equal answer", "equal answers")+" within "+count(b.Window, "step"))
	}
	if cfg.OnRejection == machine.Observe {
		parts = append(parts, "up to "+count(b.Rejections, "refusal")+" told to the model")
	} else {
		parts = append(parts, "a refusal ends the run")
	}
	return parts
}
