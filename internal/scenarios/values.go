package scenarios

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/expression"
	"harness/internal/strictjson"
)

// Span is a time as a file gives it, "1m30s".
type Span = Given[time.Duration]

// longest is what a time can be: of several, the sum is no number too large.
const longest = 10 * 365 * 24 * time.Hour

func (d *decoder) span(v *Span, n *yaml.Node) {
	const hint = "write it with its unit, as in 90s or 1m30s"
	v.Pos = place(n)
	if v.bad = skipped(n); v.bad {
		return
	}
	value, err := time.ParseDuration(n.Value)
	switch v.bad = true; {
	case !isText(n):
		d.fault(n, WrongType, wanted("a time", n), hint)
	case err != nil || value < 0:
		d.fault(n, InvalidValue, "must be a time from 0, got "+strictjson.Quote(n.Value), hint)
	case value > longest:
		d.fault(n, InvalidValue, "is longer than ten years, 87600h", hint)
	default:
		v.Value, v.bad = value, false
	}
}

// anyPart is any value that JSON can hold, with the places of its parts.
type anyPart struct {
	Pos   diag.Pos
	bad   bool
	Value strictjson.Value
	node  *yaml.Node
}

// Set reports whether the value was given.
func (v anyPart) Set() bool { return !v.Pos.IsZero() }

// ValidatorValue is how the struct rules see the value.
func (v anyPart) ValidatorValue() any {
	if !v.Set() {
		return (*bool)(nil)
	}
	return &v.bad
}

func (v anyPart) refused() bool      { return v.bad }
func (v anyPart) position() diag.Pos { return v.Pos }
func (v anyPart) ok() bool           { return v.Set() && !v.bad }

func (v *anyPart) decode(d *decoder, n *yaml.Node) {
	v.Pos, v.node = place(n), n
	before := len(d.found.list)
	v.Value = d.any(n, nil, nil)
	v.bad = len(d.found.list) > before
}

// at is the place of a part of the value, or of the nearest part that has one.
func (v *anyPart) at(path []strictjson.Step) diag.Pos {
	n := v.node
	for _, s := range path {
		next := child(n, s)
		if next == nil {
			break
		}
		n = next
	}
	return place(n)
}

func child(n *yaml.Node, s strictjson.Step) *yaml.Node {
	switch {
	case n.Kind == yaml.MappingNode && s.Name != "":
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s.Name {
				return n.Content[i+1]
			}
		}
	case n.Kind == yaml.SequenceNode && s.Name == "" && s.Index < len(n.Content):
		return n.Content[s.Index]
	}
	return nil
}

// exprPart is an expression, with its place as far as one can be given for its parts.
type exprPart struct {
	Text
	lead int // columns before its first character; -1 if it stands on several lines or has escapes
}

func (p *exprPart) decode(d *decoder, n *yaml.Node) {
	d.text(&p.Text, n)
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || strings.ContainsAny(n.Value, "\n\\"):
		p.lead = -1
	case n.Style&yaml.SingleQuotedStyle != 0 && strings.Contains(n.Value, "'"):
		p.lead = -1
	case n.Style&quoted != 0:
		p.lead = 1
	}
	if p.ok() && strings.TrimSpace(p.Value) == "" {
		d.fault(n, InvalidValue, "must not be empty", "")
		p.bad = true
	}
}

// compile reads an expression; nil if it was not given or has a fault, which is
// reported.
func (b *builder) compile(name string, p *exprPart, variables []expression.Variable, want *expression.Type) *expression.Program {
	if !p.ok() || b.vague {
		return nil
	}
	program, fault := expression.Compile(p.Value, variables, want)
	if fault == nil {
		return program
	}
	pos := p.Pos
	if p.lead >= 0 {
		pos.Col += p.lead + fault.Offset
	}
	b.found.add(pos, BadExpression, name+" is no expression that can be used: "+fault.Message, fault.Hint)
	return nil
}

// compileTest compiles what must hold. Words that look at nothing hold or fail whatever
// a run does, and test nothing.
func (b *builder) compileTest(name string, p *exprPart, variables []expression.Variable) *expression.Program {
	program := b.compile(name, p, variables, expression.Of(expression.Bool))
	if program != nil && len(program.Names()) == 0 {
		b.found.add(p.Pos, InvalidValue, name+" looks at nothing of the run, so it tests nothing", "name a variable, as in steps <= 4")
		return nil
	}
	return program
}

// countsPart is names and numbers.
type countsPart struct {
	Pos   diag.Pos
	bad   bool
	names []Text
	each  []Number
}

// Set reports whether the numbers were given.
func (c countsPart) Set() bool { return !c.Pos.IsZero() }

// ValidatorValue is how the struct rules see the numbers.
func (c countsPart) ValidatorValue() any {
	if !c.Set() {
		return (*bool)(nil)
	}
	return &c.bad
}

func (c countsPart) refused() bool      { return c.bad }
func (c countsPart) position() diag.Pos { return c.Pos }

func (c *countsPart) decode(d *decoder, n *yaml.Node) {
	c.Pos = place(n)
	if c.bad = n.Kind != yaml.MappingNode || skipped(n); c.bad {
		d.notA("a mapping", n, "write NAME: NUMBER")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if !isKey(key) {
			continue
		}
		var count Number
		d.in(key.Value)
		d.number(&count, v)
		if count.ok() && count.Value > 100000 {
			d.fault(v, InvalidValue, "must be at most 100000", "")
		}
		d.out()
		c.names, c.each = append(c.names, Text{Value: key.Value, Pos: place(key)}), append(c.each, count)
	}
}
