package report

import (
	"strings"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/term"
)

// Detail says how much of a run is shown. The zero value shows each step on a
// line, and the end in full.
type Detail struct {
	// Explain narrates each step for a learner.
	Explain bool
	// Verbose adds what the model said and was told, word for word.
	Verbose bool
}

// WriteRun writes one run in full: what it was given, a line for each step, its
// end in words, the edits it leaves, what its scenario expected, and what is not
// proven.
func WriteRun(w *term.Stream, c *Case, d Detail) error {
	p := newPage(w)
	p.title(c)
	p.given(c, d)
	p.blank()
	p.steps(c, d)
	p.end(c.Result)
	p.edits(c.Result)
	p.claim(c.Result)
	p.findings(c)
	p.unproven(c.Result)
	return w.Err()
}

func (p *page) title(c *Case) {
	s := c.Scenario
	title := term.Strong.Cell(s.ID)
	if s.Title != "" {
		title = title.Add(term.Normal, "   "+s.Title)
	}
	t := term.Table{}
	t.Row(title)
	p.print(&t)
}

// given writes what the run was given: goal, grants and budgets.
func (p *page) given(c *Case, d Detail) {
	p.blank()
	l := pairs{indent: 2}
	if d.Explain && c.Scenario.Teaches != "" {
		l.add(term.Dim, "shows", term.Text(c.Scenario.Teaches))
	}
	cfg := c.Result.Config.Machine
	l.add(term.Dim, "goal", term.Text(c.Scenario.Goal))
	l.add(term.Dim, "grants", term.Text(p.grants(cfg.Rules)))
	l.add(term.Dim, "budget", term.Text(p.budget(cfg)))
	p.pairs(&l)
}

// grants sums up the rules: who may do what, where, in the order written.
// Capabilities that have the same patterns share an entry.
func (p *page) grants(rules *policy.Rules) string {
	type group struct {
		effect       event.Effect
		capabilities []string
		patterns     []string
	}
	var groups []*group
	find := func(effect event.Effect, capability string) *group {
		for _, g := range groups {
			if g.effect == effect && g.capabilities[0] == capability {
				return g
			}
		}
		groups = append(groups, &group{effect: effect, capabilities: []string{capability}})
		return groups[len(groups)-1]
	}
	for _, rule := range rules.All() {
		g := find(rule.Effect, rule.Capability)
		g.patterns = append(g.patterns, rule.Pattern)
	}
	var parts []string
	for i, g := range groups {
		if g == nil {
			continue
		}
		verbs := verb(g.capabilities[0])
		for j := i + 1; j < len(groups); j++ {
			if other := groups[j]; other != nil && other.effect == g.effect && equal(other.patterns, g.patterns) {
				verbs += " and " + verb(other.capabilities[0])
				groups[j] = nil
			}
		}
		if g.effect == event.Deny {
			verbs = "never " + verbs
		}
		parts = append(parts, verbs+" "+strings.Join(g.patterns, ", "))
	}
	if len(parts) == 0 {
		return "none; every call is refused"
	}
	return p.join(parts...)
}
