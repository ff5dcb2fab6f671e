package coverage

import (
	"cmp"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// point is one thing that a suite can show.
type point struct {
	kind  Kind
	id    string // of a rule set once all scenarios are known
	where string // its place in a scenario
	about string // what it is, in a few words
	order order
	place int // among the collector's
	seen  int // by how many scenarios
	by    int // the last of them
	rule  *ruleUse
}

// order is the place of a point among those of its kind.
type order struct {
	group     int
	name      string
	line, col int
	sub       int
}

func (o order) compare(p order) int {
	return cmp.Or(
		cmp.Compare(o.group, p.group), cmp.Compare(o.name, p.name),
		cmp.Compare(o.line, p.line), cmp.Compare(o.col, p.col), cmp.Compare(o.sub, p.sub),
	)
}

// point finds a point, or makes it.
func (c *Collector) point(kind Kind, id, about string, o order) *point {
	p := c.byID[id]
	if p == nil {
		p = c.add(&point{kind: kind, id: id, about: about, order: o})
		c.byID[id] = p
	}
	return p
}

func (c *Collector) add(p *point) *point {
	p.place = len(c.points)
	c.points = append(c.points, p)
	return p
}

// see notes that a scenario shows a point.
func (c *Collector) see(at int, p *point) {
	if r := c.runs[at]; p != nil && r.seen.add(p.place) {
		r.n++
		p.seen++
		p.by = at
	}
}

// about says what a code is.
func about(c *diag.Code) string {
	if c.Gate == "" {
		return string(c.Class)
	}
	return string(c.Class) + ", " + string(c.Gate) + " gate"
}

// declare adds the rules and grants of a scenario. What the file's other scenarios
// have too is there already.
func (c *Collector) declare(s *scenarios.Scenario) {
	m := s.Config.Machine
	rules, grants := m.Rules.All(), m.Grants.All()
	for i := range rules {
		if r := &rules[i]; c.shared(s, r.Where) == nil {
			c.rule(s, r.ID, r.Where, string(r.Effect)+" "+r.Capability+" "+r.Pattern)
		}
	}
	for i := range grants {
		if g := &grants[i]; c.shared(s, g.Where) == nil {
			c.rule(s, g.ID, g.Where, "grant "+g.Capability+" "+g.Pattern)
		}
	}
}

// Rules lists the rules and grants of scenarios with their points' ids.
func Rules(list []*scenarios.Scenario) []Declared {
	c := New(nil)
	var all []Declared
	for _, s := range list {
		c.declare(s)
	}
	for _, p := range c.points {
		if p.kind == Rule {
			all = append(all, Declared{ID: p.rule.id(p.where), About: p.about, where: place{p.rule.file, p.where}})
		}
	}
	return all
}

// Declared is a rule or grant that a file or one of its cases declares.
type Declared struct {
	ID    string // "rule FILE ID"
	About string // "deny repo:read secret/**"

	where place
}

// Is reports whether it is what stands at a place of a scenario.
func (d *Declared) Is(s *scenarios.Scenario, where string) bool {
	return d.where.where == where && d.where.file == fileID(s)
}

// fileID is the id of the file that a scenario stands in.
func fileID(s *scenarios.Scenario) string {
	if s.Case == "" {
		return s.ID
	}
	return s.ID[:max(0, len(s.ID)-len(s.Case)-1)]
}

// ownName is a file's name without its folders.
func ownName(file string) string {
	return file[strings.LastIndexAny(file, `/\`)+1:]
}

// place is where a rule stands: sugar for several rules is one.
type place struct{ file, where string }

// ruleUse is what became of a rule.
type ruleUse struct {
	name    string // its id in the scenario
	file    string // the id of the file
	only    *scenarios.Scenario
	shared  bool // several scenarios have it
	tried   bool // a decision lists it
	matched bool // and it matched
	unsure  bool // a decision listed not all rules that it asked
}

// shared finds a rule that was added before, and notes who else has it.
func (c *Collector) shared(s *scenarios.Scenario, where string) *point {
	p := c.rules[place{fileID(s), where}]
	if p != nil {
		p.rule.shared = p.rule.shared || p.rule.only.ID != s.ID
	}
	return p
}

func (c *Collector) rule(s *scenarios.Scenario, name, where, about string) {
	p := c.add(&point{kind: Rule, where: where, about: about, rule: &ruleUse{name: name, file: fileID(s), only: s}})
	pos := posOf(where)
	p.order = order{name: p.rule.file, line: pos.Line, col: pos.Col}
	c.rules[place{p.rule.file, where}] = p
}

// posOf reads the line and column from the end of "FILE:LINE:COL".
func posOf(where string) diag.Pos {
	var pos diag.Pos
	rest := where
	for _, part := range []*int{&pos.Col, &pos.Line} {
		colon := strings.LastIndexByte(rest, ':')
		if colon < 0 {
			return diag.Pos{}
		}
		*part, _ = strconv.Atoi(rest[colon+1:])
		rest = rest[:colon]
	}
	return pos
}

// id names a rule by what it belongs to: its file, or the one case that has it.
func (u *ruleUse) id(where string) string {
	owner, pos := u.file, posOf(where)
	own := cmp.Or(cmp.Compare(pos.Line, u.only.Pos.Line), cmp.Compare(pos.Col, u.only.Pos.Col)) >= 0
	if !u.shared && u.only.Case != "" && own {
		owner = u.only.ID
	}
	return "rule " + owner + " " + word(u.name)
}

// word is a text as one word of a point's name.
func word(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./[]") == "" {
		return text
	}
	quoted := strconv.QuoteToASCII(text)
	return strings.ReplaceAll(quoted, " ", `\x20`)
}
