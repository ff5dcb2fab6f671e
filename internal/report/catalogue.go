package report

import (
	"strings"

	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools"
)

// WriteTools writes a catalogue of tools for reading: what each is for and not for,
// what it may need and cost, and what it takes and gives.
func WriteTools(w *term.Stream, registry *tools.Registry) error {
	p := newPage(w)
	for i, t := range registry.Tools() {
		if i > 0 {
			p.blank()
		}
		p.tool(t)
	}
	if len(registry.Tools()) == 0 {
		p.prose(0, term.Dim, "No tool is declared.")
	}
	return w.Err()
}

func (p *page) tool(t tools.Tool) {
	c := t.Contract()
	head := term.Table{}
	head.Row(term.Strong.Cell(c.Name).Add(term.Dim, "  version "+c.Version))
	p.print(&head)
	p.prose(2, term.Normal, strings.TrimSpace(c.Purpose))
	l := pairs{indent: 2}
	if c.NotFor != "" {
		l.addTexts(term.Dim, "not for", strings.TrimSpace(c.NotFor))
	}
	p.demands(&l, c)
	p.bounds(&l, c)
	if !c.Definition.IsZero() {
		l.addTexts(term.Dim, "definition", "sha256 "+p.digest(c.Definition.String()))
	}
	p.pairs(&l)
	p.shape("takes", c.Input.JSON())
	switch output := outputSchema(t); {
	case !output.IsZero():
		p.shape("gives", output)
	case len(c.Output) > 0:
		l := pairs{indent: 2}
		l.addTexts(term.Dim, "gives", c.Output...)
		p.pairs(&l)
	}
}

// demands adds what a call needs and does.
func (p *page) demands(l *pairs, c *tools.Contract) {
	needs := []string{c.Capability}
	if c.Permission != "" {
		needs = append(needs, "the permission "+c.Permission)
	}
	l.addTexts(term.Dim, "needs", needs...)
	l.addTexts(term.Dim, "effect", string(c.SideEffect), sideEffectText(c.SideEffect))
	switch c.Confirmation {
	case tools.PerCall:
		l.addTexts(term.Dim, "asks", string(c.Confirmation), "a person approves every call")
	case tools.PerRun:
		l.addTexts(term.Dim, "asks", string(c.Confirmation), "one approval stands for the tool and its resource until the run ends")
	}
	if c.Lookup {
		l.addTexts(term.Dim, "look-up", "whether a call happened can be found out by its action id")
	}
	if len(c.Sensitive) > 0 {
		l.addTexts(term.Dim, "sensitive", c.Sensitive...)
	}
}

// sideEffectText says what a class of side effects means.
func sideEffectText(s tools.SideEffect) string {
	switch s {
	case tools.ReadOnly:
		return "changes nothing"
	case tools.IdempotentWrite:
		return "the same action again has no second effect"
	case tools.CompensableWrite:
		return "can be compensated, not undone"
	case tools.Irreversible:
		return "cannot be taken back"
	default:
		return "not said"
	}
}

// bounds adds what limits calls of a tool.
func (p *page) bounds(l *pairs, c *tools.Contract) {
	if c.Timeout > 0 {
		l.addTexts(term.Dim, "timeout", span(c.Timeout))
	}
	if r := c.Retry; r.Attempts > 1 {
		parts := []string{count(r.Attempts, "attempt") + " in all"}
		if r.Backoff > 0 {
			parts = append(parts, span(r.Backoff)+" between them")
			if r.Factor > 1 {
				parts = append(parts, times(r.Factor)+" as long each time")
			}
		}
		l.addTexts(term.Dim, "retry", parts...)
	}
	if c.Cost > 0 {
		l.addTexts(term.Dim, "cost", number(c.Cost)+" an attempt")
	}
	var most []string
	if c.Calls > 0 {
		most = append(most, count(c.Calls, "call")+" a run")
	}
	if c.Rate.Calls > 0 {
		most = append(most, count(c.Rate.Calls, "call")+" in "+span(c.Rate.Per))
	}
	if c.Poll > 0 {
		most = append(most, "the same answer "+times(c.Poll))
	}
	if len(most) > 0 {
		l.addTexts(term.Dim, "at most", most...)
	}
}

// shape writes the fields of an object that a schema describes.
func (p *page) shape(label string, schema strictjson.Value) {
	s := shapes{root: schema}
	s.object("", schema, 0)
	p.prose(2, term.Dim, label)
	if len(s.rows) == 0 {
		p.prose(4, term.Normal, "an object without known fields")
		return
	}
	l := pairs{indent: 4}
	for _, row := range s.rows {
		l.addTexts(term.Normal, row.name, row.parts...)
		if row.means != "" {
			l.add(term.Dim, "", term.Dim.Cell(row.means))
		}
	}
	if s.more > 0 {
		l.addTexts(term.Dim, "", "and "+count(s.more, "more field"))
	}
	p.pairs(&l)
}

// The bounds of what is shown of a schema.
const (
	shapeRows  = 60
	shapeDepth = 4
	shapeEnum  = 8
)

// shapes puts a schema into words, as far as it says something simple.
type shapes struct {
	root strictjson.Value
	rows []shapeRow
	more int // fields left off
}

type shapeRow struct {
	name  string
	parts []string
	means string
}

// object adds the fields of an object.
func (s *shapes) object(prefix string, schema strictjson.Value, depth int) {
	schema = s.follow(schema)
	properties, _ := schema.Get("properties")
	required, _ := schema.Get("required")
	for _, m := range properties.Members() {
		s.field(prefix+m.Name, m.Value, holds(required, m.Name), depth)
	}
}

func holds(list strictjson.Value, name string) bool {
	for _, v := range list.Items() {
		if v.Str() == name {
			return true
		}
	}
	return false
}

// field adds one field, and those below it.
func (s *shapes) field(name string, schema strictjson.Value, required bool, depth int) {
	schema = s.follow(schema)
	if len(s.rows) == shapeRows {
		s.more++
		return
	}
	row := shapeRow{name: name, parts: s.words(schema)}
	if !required {
		row.parts = append(row.parts, "optional")
	}
	if d, ok := schema.Get("description"); ok {
		row.means = strings.TrimSpace(d.Str())
	}
	s.rows = append(s.rows, row)
	if depth == shapeDepth {
		return
	}
	s.object(name+".", schema, depth+1)
	if items, ok := schema.Get("items"); ok {
		s.object(name+"[].", items, depth+1)
	}
}

// follow gives the schema that a reference to a part of the root stands for. What
// refers to a reference is not followed for ever.
func (s *shapes) follow(schema strictjson.Value) strictjson.Value {
	for range shapeDepth {
		ref, ok := schema.Get("$ref")
		name, local := strings.CutPrefix(ref.Str(), "#/$defs/")
		if !ok || !local {
			return schema
		}
		defs, _ := s.root.Get("$defs")
		target, found := defs.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
		if !found {
			return schema
		}
		schema = target
	}
	return schema
}

// words says what a schema asks of one value.
func (s *shapes) words(schema strictjson.Value) []string {
	kind := typeWords(schema)
	if items, ok := schema.Get("items"); ok {
		if of := typeWords(s.follow(items)); of != "" {
			kind += " of " + of
		}
	}
	parts := nonEmpty(kind)
	parts = append(parts, choices(schema)...)
	parts = append(parts, limitWords(schema, "minLength", "maxLength", "characters")...)
	parts = append(parts, limitWords(schema, "minimum", "maximum", "")...)
	if v, ok := schema.Get("exclusiveMinimum"); ok {
		parts = append(parts, "more than "+canonical(v))
	}
	if v, ok := schema.Get("exclusiveMaximum"); ok {
		parts = append(parts, "less than "+canonical(v))
	}
	parts = append(parts, limitWords(schema, "minItems", "maxItems", "items")...)
	if v, ok := schema.Get("pattern"); ok {
		parts = append(parts, "matches "+v.Str())
	}
	if v, ok := schema.Get("multipleOf"); ok {
		parts = append(parts, "a multiple of "+canonical(v))
	}
	if v, ok := schema.Get("uniqueItems"); ok && v.Bool() {
		parts = append(parts, "no two equal")
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf", "not", "if"} {
		if _, ok := schema.Get(name); ok {
			parts = append(parts, "with more conditions")
			break
		}
	}
	if len(parts) == 0 {
		return []string{"any value"}
	}
	return parts
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func canonical(v strictjson.Value) string { return string(strictjson.AppendCanonical(nil, v)) }

// typeWords is the type, or the types, of a schema.
func typeWords(schema strictjson.Value) string {
	v, _ := schema.Get("type")
	if v.Kind() == strictjson.String {
		return v.Str()
	}
	names := make([]string, len(v.Items()))
	for i, item := range v.Items() {
		names[i] = item.Str()
	}
	return strings.Join(names, " or ")
}

// choices lists the values that a schema allows, if it does.
func choices(schema strictjson.Value) []string {
	if v, ok := schema.Get("const"); ok {
		return []string{canonical(v)}
	}
	v, ok := schema.Get("enum")
	if !ok {
		return nil
	}
	names := make([]string, 0, shapeEnum+1)
	for i, item := range v.Items() {
		if i == shapeEnum {
			names = append(names, number(len(v.Items())-i)+" more")
			break
		}
		names = append(names, canonical(item))
	}
	return []string{"one of " + strings.Join(names, ", ")}
}

// limitWords says between which bounds something lies.
func limitWords(schema strictjson.Value, least, most, unit string) []string {
	from, hasFrom := schema.Get(least)
	to, hasTo := schema.Get(most)
	text := ""
	switch {
	case hasFrom && hasTo:
		text = canonical(from) + " to " + canonical(to)
	case hasFrom:
		text = "at least " + canonical(from)
	case hasTo:
		text = "at most " + canonical(to)
	default:
		return nil
	}
	return []string{strings.TrimSpace(text + " " + unit)}
}

// describer is a tool that says what it answers.
type describer interface{ OutputSchema() strictjson.Value }

// outputSchema is the schema of a tool's answers, zero if it has none.
func outputSchema(t tools.Tool) strictjson.Value {
	if d, ok := t.(describer); ok {
		return d.OutputSchema()
	}
	return strictjson.Value{}
}
