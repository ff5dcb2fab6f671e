package coverage

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/scenarios"
	"harness/internal/tools/fixture"
)

// table is the checks of a policy table and the tools that it knows, with their
// points.
type table struct {
	checks []check
	tools  map[string]toolPoints
	lanes  map[string]*lane
}

// check is a row of a policy table. Checks of one kind have the same points.
type check struct {
	*policy.Check
	checkPoints
}

type checkPoints struct{ refused, passed *point }

type toolPoints struct{ called, refused *point }

// table gives the points of a scenario's table. Most scenarios share theirs.
func (c *Collector) table(s *scenarios.Scenario) *table {
	policies := s.Config.Machine.Table
	t := c.tables[policies]
	if t != nil {
		return t
	}
	t = &table{tools: map[string]toolPoints{}, lanes: map[string]*lane{}}
	c.tables[policies] = t
	parse := policy.Check{ID: parseCheck, Gate: diag.Parse}
	t.checks = append(t.checks, check{&parse, c.check(parseCheck, &parse)})
	rows := policies.Checks()
	for i := range rows {
		t.checks = append(t.checks, check{&rows[i], c.check(kindOf(s, &rows[i]), &rows[i])})
	}
	for i, tool := range s.Config.Machine.Registry.Tools() {
		t.tools[tool.Contract().Name] = c.tool(s, i, tool.Contract().Name)
	}
	return t
}

// parseCheck is the check of the parse gate, which is no row of the table.
const parseCheck = "parse.action"

// check gives the points of a kind of checks. Where those of one kind have different
// codes, none is named.
func (c *Collector) check(kind string, row *policy.Check) checkPoints {
	words := string(row.Gate) + " gate"
	if row.Code != nil {
		words += ", " + row.Code.Name
	}
	made, known := c.checks[kind]
	if !known {
		o := order{group: row.Gate.Order(), name: kind}
		made.refused = c.point(Check, "check "+kind+" refused", words, o)
		o.sub = 1
		made.passed = c.point(Check, "check "+kind+" passed", words, o)
		c.checks[kind] = made
	}
	if made.refused.about != words {
		made.refused.about = string(row.Gate) + " gate"
		made.passed.about = made.refused.about
	}
	return made
}

// kindOf is what a check is called here: its id, or for a tool that a scenario
// declares what it asks, whatever the tool.
func kindOf(s *scenarios.Scenario, c *policy.Check) string {
	if !declared(s, c.Tool) {
		return c.ID
	}
	question := strings.TrimPrefix(c.ID, c.Tool+".")
	if c.Gate == diag.Semantic && c.Code != fixture.InvalidResource {
		question = "require" // named by the scenario
	}
	return "declared." + question
}

// declared reports whether a tool is one that the scenario declares.
func declared(s *scenarios.Scenario, tool string) bool {
	t, _ := s.Config.Machine.Registry.Lookup(tool, "")
	_, is := t.(*fixture.Tool)
	return is
}

// tool gives the points of a tool: those of the repository are the same for all,
// one that a scenario declares belongs to its file.
func (c *Collector) tool(s *scenarios.Scenario, at int, name string) toolPoints {
	o, where := order{group: at}, ""
	if declared(s, name) {
		name = fileID(s) + " " + name
		o, where = order{group: behindAll, name: name}, ownName(s.File)
	}
	made := toolPoints{called: c.point(Tool, "tool "+name+" called", "", o)}
	o.sub = 1
	made.refused = c.point(Tool, "tool "+name+" refused", "", o)
	made.called.where, made.refused.where = where, where
	return made
}

// behindAll is a group behind every tool of the repository.
const behindAll = 1 << 20
