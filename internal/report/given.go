package report

import (
	"slices"
	"strings"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner/machine"
	"harness/internal/term"
	"harness/internal/tools"
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
	if id := cfg.Identity; id != nil && id.Principal != nil && id.Principal.ID != "" {
		l.addTexts(term.Dim, "acts for", p.principal(id.Principal)...)
	}
	p.rights(&l, cfg)
	if names := declared(cfg); len(names) > 0 {
		l.addTexts(term.Dim, "tools", names...)
	}
	l.addTexts(term.Dim, "budget", budget(cfg)...)
	p.pairs(&l)
}

// principal names on whose behalf the run acts, and what they may.
func (p *page) principal(who *tools.Principal) []string {
	parts := []string{p.whom(who.ID, who.Tenant)}
	for i, permission := range who.Permissions {
		if i == listMost {
			parts = append(parts, "and "+number(len(who.Permissions)-i)+" more")
			break
		}
		parts = append(parts, "may "+permission)
	}
	return parts
}

// declared names the tools that the scenario declares.
func declared(cfg *machine.Config) []string {
	if cfg.Registry == nil {
		return nil
	}
	var names []string
	for _, t := range cfg.Registry.Tools() {
		if _, outside := t.(tools.Outside); outside {
			names = append(names, t.Contract().Name)
		}
	}
	return names
}

// rights adds the rules and the grants, each grant with its bounds on a line.
func (p *page) rights(l *pairs, cfg *machine.Config) {
	label := "grants"
	given := cfg.Grants.All()
	if len(given) == 0 || len(cfg.Rules.All()) > 0 {
		l.addTexts(term.Dim, label, p.grants(cfg.Rules)...)
		label = ""
	}
	for i := range given {
		if i == listMost {
			l.addTexts(term.Dim, label, "and "+count(len(given)-i, "more grant"))
			return
		}
		l.addTexts(term.Dim, label, p.within(&given[i])...)
		label = ""
	}
}

// conditionMost is how much of a condition is shown, in columns; the scenario has it
// whole.
const conditionMost = 2 * quoteMost

// within is a grant, and what limits it.
func (p *page) within(g *policy.Grant) []string {
	return append([]string{verb(g.Capability) + " " + g.Pattern}, p.limits(g, 0)...)
}

// limits says within which bounds a grant holds, and the how-manieth of its calls is
// at hand, if one is.
func (p *page) limits(g *policy.Grant, nth int) []string {
	var parts []string
	if g.Until > 0 {
		parts = append(parts, "until step "+number(g.Until))
	}
	switch {
	case g.Calls == policy.Unlimited:
	case nth > 0:
		parts = append(parts, count(g.Calls, "call")+", of which this is the "+ordinal(nth))
	default:
		parts = append(parts, count(g.Calls, "call"))
	}
	if g.Tenant != "" {
		parts = append(parts, "tenant "+g.Tenant)
	}
	if g.When != nil {
		parts = append(parts, "when "+p.clip(g.When.Source(), conditionMost))
	}
	return parts
}

// grant is the rules of one effect that give the same patterns to some
// capabilities.
type grant struct {
	effect       event.Effect
	when         string
	capabilities []string
	patterns     []string
}

// grants sums up the rules in the order written: who may do what, where.
func (p *page) grants(rules *policy.Rules) []string {
	var parts []string
	for _, g := range merged(grouped(rules)) {
		verbs := make([]string, len(g.capabilities))
		for i, capability := range g.capabilities {
			verbs[i] = verb(capability)
		}
		text := strings.Join(verbs, " and ") + " " + strings.Join(g.patterns, ", ")
		switch g.effect {
		case event.Deny:
			text = "never " + text
		case event.Confirm:
			text = "with a person's approval " + text
		}
		if g.when != "" {
			text += " when " + p.clip(g.when, conditionMost)
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
			return g.effect == rule.Effect && g.capabilities[0] == rule.Capability && g.when == rule.When.Source()
		})
		if i < 0 {
			i = len(grants)
			grants = append(grants, grant{effect: rule.Effect, when: rule.When.Source(), capabilities: []string{rule.Capability}})
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
			return other.effect == g.effect && other.when == g.when && slices.Equal(other.patterns, g.patterns)
		})
		if i < 0 {
			result = append(result, g)
		} else {
			result[i].capabilities = append(result[i].capabilities, g.capabilities...)
		}
	}
	return result
}

// verb is a capability of the repository in a word: "repo:read" is "read". To
// propose is called to edit, as scenarios do. Others have their own words.
func verb(capability string) string {
	name, found := strings.CutPrefix(capability, "repo:")
	if found && name == "propose" {
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
	parts = append(parts, outsideBudget(&b, &usual)...)
	if cfg.OnRejection == machine.Observe {
		parts = append(parts, "up to "+count(b.Rejections, "refusal")+" told to the model")
	} else {
		parts = append(parts, "a refusal ends the run")
	}
	return parts
}

// outsideBudget names the budgets of time, cost and answers that a scenario has
// set.
func outsideBudget(b, usual *policy.Budgets) []string {
	var parts []string
	if b.Deadline != usual.Deadline {
		parts = append(parts, span(b.Deadline)+" until the deadline")
	}
	if b.Cost != usual.Cost {
		parts = append(parts, "cost "+number(b.Cost))
	}
	if b.Output != usual.Output {
		parts = append(parts, count(b.Output, "byte")+" of answers")
	}
	for i := range b.PerTool {
		parts = append(parts, countOf(b.PerTool[i].Calls, "call", "calls")+" of "+b.PerTool[i].Tool)
	}
	return parts
}
