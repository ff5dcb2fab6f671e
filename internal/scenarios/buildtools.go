package scenarios

import (
	"slices"
	"sort"
	"strings"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

// outside is what a scenario declares beyond the repository.
type outside struct {
	tools        []tools.Tool
	blueprint    *fixture.Blueprint
	world        *expression.Type
	capabilities []string // of the repository's tools and the declared ones
	names        []string // of the declared tools
	// inputs are the types of the arguments of the declared tools that ask for a
	// capability.
	inputs map[string][]*expression.Type
	broken bool // some of it has faults, which were reported
}

// outsideKey says what an outside is made from.
type outsideKey struct{ include, tools, world, faults diag.Pos }

// outside makes the declared tools and their world.
func (b *builder) outside(e *entry) *outside {
	key := outsideKey{e.Include.Pos, e.Tools.Pos, e.World.Pos, e.Faults.Pos}
	if o, ok := b.outsides.get(key); ok {
		return o
	}
	o := b.outsides.put(key, &outside{capabilities: repotools.Capabilities(), inputs: map[string][]*expression.Type{}})
	before := len(b.found.list)
	b.vague = false
	own := &toolsFile{file: b.found.file, Tools: e.Tools, World: e.World, Faults: e.Faults}
	files := append(slices.Clone(b.included(e.Include)), own)
	var list []fixture.Collection
	for _, f := range files {
		if f == own && e.World.Pos != b.file.World.Pos { // a case's collections are laid over the file's
			list = b.collections(list, &b.file.World)
		}
		b.in(f, func() { list = b.collections(list, &f.World) })
	}
	o.world = worldType(list)
	o.blueprint = &fixture.Blueprint{Collections: list}
	for _, f := range files {
		b.in(f, func() {
			for i := range f.Tools.Items {
				b.declare(o, itemName("tools", i), &f.Tools.Items[i])
			}
		})
	}
	for _, f := range files {
		b.in(f, func() {
			o.broken = o.broken || len(b.found.list) > before
			for i := range f.Faults.Items {
				b.fault(o, itemName("faults", i), &f.Faults.Items[i])
			}
		})
	}
	return o
}

// in does something whose faults stand in a file of tools.
func (b *builder) in(f *toolsFile, do func()) {
	scenario := b.found.file
	b.found.file = f.file
	do()
	b.found.file = scenario
}

// declared reports whether there is anything beyond the repository.
func (o *outside) declared() bool { return len(o.tools) > 0 || len(o.blueprint.Collections) > 0 }

// collections lays a world over those read before, key by key.
func (b *builder) collections(list []fixture.Collection, w *anyPart) []fixture.Collection {
	if !w.ok() {
		return list
	}
	if w.Value.Kind() != strictjson.Object {
		b.found.add(w.Pos, WrongType, "world must be a mapping of collections", "write world: {tickets: {}}")
		return list
	}
	for _, m := range w.Value.Members() {
		at := w.at([]strictjson.Step{{Name: m.Name}})
		switch before, has := findCollection(list, m.Name); {
		case m.Value.Kind() != strictjson.Object:
			b.found.add(at, WrongType, "world."+showKey(m.Name)+" must be a mapping from keys to values", "write {} for an empty collection")
		case !isName(m.Name):
			b.found.add(at, InvalidValue, "world names the collection "+strictjson.Quote(m.Name)+", which no expression can name", "use lower-case letters, digits and _")
		case has:
			before.Entries = overlaid(before.Entries, m.Value.Members())
		default:
			list = append(list, fixture.Collection{Name: m.Name, Entries: overlaid(nil, m.Value.Members())})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// overlaid gives entries laid over others, key by key; null takes one out.
func overlaid(entries, over []strictjson.Member) []strictjson.Member {
	replaced := make(map[string]bool, len(over))
	for _, m := range over {
		replaced[m.Name] = true
	}
	all := slices.DeleteFunc(slices.Clone(entries), func(e strictjson.Member) bool { return replaced[e.Name] })
	for _, m := range over {
		if m.Value.Kind() != strictjson.Null {
			all = append(all, m)
		}
	}
	return all
}

func worldType(list []fixture.Collection) *expression.Type {
	t := &expression.Type{Kind: expression.Object}
	for _, c := range list {
		t.Fields = append(t.Fields, expression.Field{Name: c.Name, Type: expression.MapOf(expression.Of(expression.Dyn))})
	}
	return t
}

// isName reports whether a text is a lower-case letter with letters, digits and _
// after it.
func isName(s string) bool {
	const longest = 60
	if s == "" || len(s) > longest || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// declare makes one tool.
func (b *builder) declare(o *outside, name string, p *toolPart) {
	if p.bad {
		return
	}
	m := &toolMaker{b: b, o: o, name: name, part: p}
	m.known()
	if p.Name.ok() && !isName(p.Name.Value) {
		b.found.add(p.Name.Pos, InvalidValue, name+".name must be lower-case letters, digits and _, got "+strictjson.Quote(p.Name.Value), "write it like create_ticket")
		return
	}
	if p.Name.ok() && (slices.Contains(o.names, p.Name.Value) || slices.Contains(standardNames(), p.Name.Value)) {
		b.found.add(p.Name.Pos, InvalidValue, name+".name "+strictjson.Quote(p.Name.Value)+" is taken"+byWhom(p.Name.Value), "give each tool a name of its own")
		return
	}
	spec := m.spec()
	o.names = append(o.names, p.Name.Value)
	if spec == nil {
		return
	}
	tool := fixture.New(spec)
	o.tools, o.blueprint.Tools = append(o.tools, tool), append(o.blueprint.Tools, tool)
}

// byWhom says who has a name already, where that is not the scenario itself.
func byWhom(name string) string {
	switch {
	case slices.Contains(ownNames(), name):
		return ": checks of the program's own begin with it"
	case slices.Contains(standardNames(), name):
		return ": every scenario has an action of that name"
	default:
		return ""
	}
}

// known notes the capabilities and codes of a tool whatever else is wrong with it,
// so that nobody is told they are missing.
func (m *toolMaker) known() {
	p := m.part
	for _, c := range m.capabilities() {
		if c.ok() && !slices.Contains(m.o.capabilities, c.Value) {
			m.o.capabilities = append(m.o.capabilities, c.Value)
		}
	}
	for _, r := range p.Require.Items {
		m.code("", r.Code, diag.Rejection, diag.Semantic, r.Message.Value)
	}
	for i := range p.Behaviour.Items {
		if r := p.Behaviour.Items[i].Rejects; r != nil {
			m.code("", r.Code, diag.Rejection, diag.Execute, r.Message.Value)
		}
		if f := p.Behaviour.Items[i].Fails; f != nil {
			m.code("", f.Code, diag.Stop, diag.Execute, "The tool "+p.Name.Value+" failed.")
		}
	}
}

// capabilities are all that a call of the tool asks for.
func (m *toolMaker) capabilities() []Text {
	list := []Text{m.part.Capability}
	for _, n := range m.part.Needs.Items {
		list = append(list, n.Capability)
	}
	return list
}

// standardNames are names that a declared tool cannot have.
func standardNames() []string {
	return slices.Concat(toolNames(), []string{"call", "batch"}, ownNames())
}

// ownNames are what the ids of the program's own checks, mutants and points begin with:
// a tool's would be taken for them.
func ownNames() []string {
	return append(policy.Owners(), "declared", "limit", "task", "rule", "principal")
}

// toolMaker makes the spec of one tool.
type toolMaker struct {
	b      *builder
	o      *outside
	name   string // of the part, for messages
	part   *toolPart
	input  *fixture.Schema
	output *fixture.Schema
	call   []expression.Variable // of expressions about a call alone
	world  []expression.Variable // of those over the world
}

// spec reads the whole part; nil if there is a fault.
func (m *toolMaker) spec() *fixture.Spec {
	p, before := m.part, len(m.b.found.list)
	m.terms()
	m.input, m.output = m.schema("input", &p.Input), m.schema("output", &p.Output)
	for _, c := range m.capabilities() {
		if m.input != nil && c.ok() {
			m.o.inputs[c.Value] = append(m.o.inputs[c.Value], m.input.Type())
		}
	}
	if m.input == nil || m.output == nil {
		return nil
	}
	m.call = fixture.CallVariables(m.input.Type())
	m.world = fixture.WorldVariables(m.input.Type(), m.o.world)
	text := expression.Of(expression.String)
	s := &fixture.Spec{
		Contract: m.contract(), Output: m.output,
		Resource: m.compile("resource", &p.Resource, m.call, text), Key: m.compile("actionKey", &p.ActionKey, m.call, text),
		Operands:      m.compile("operands", &p.Operands, m.world, nil),
		Touches:       m.compile("touches", &p.Touches, m.world, expression.ListOf(text)),
		Postcondition: m.b.compileTest(m.name+".ensures", &p.Ensures, fixture.ResultVariables(m.input.Type(), m.o.world, m.output.Type())),
		Trust:         event.UntrustedContent, Heeds: p.Stops.or(true), LookupTakes: p.LookupTakes.or(0),
	}
	if p.Trusted.or(false) {
		s.Trust = event.TrustedTool
	}
	for i := range p.Needs.Items {
		n := &p.Needs.Items[i]
		s.Needs = append(s.Needs, fixture.Need{
			Capability: n.Capability.Value, Resource: m.compile(itemName("needs", i)+".resource", &n.Resource, m.call, text),
		})
	}
	m.identities(s)
	m.requires(s)
	for i := range p.Behaviour.Items {
		s.Behaviours = append(s.Behaviours, m.behaviour(itemName("behaviour", i), &p.Behaviour.Items[i]))
	}
	if p.Behaviour.Set() && len(p.Behaviour.Items) == 0 && !p.Behaviour.bad {
		m.fault(p.Behaviour.Pos, InvalidValue, "behaviour must not be empty", "say what the tool answers")
	}
	m.sensitive(s)
	if len(m.b.found.list) > before {
		return nil
	}
	return s
}

// sensitive reports expressions that would show what no report may: resources and
// action ids stand in every trace, and so does what a call touches.
func (m *toolMaker) sensitive(s *fixture.Spec) {
	p := m.part
	type shown struct {
		key     string
		pos     diag.Pos
		program *expression.Program
	}
	list := []shown{{"resource", p.Resource.Pos, s.Resource}, {"actionKey", p.ActionKey.Pos, s.Key}, {"touches", p.Touches.Pos, s.Touches}}
	for i := range p.Needs.Items {
		list = append(list, shown{itemName("needs", i) + ".resource", p.Needs.Items[i].Resource.Pos, s.Needs[i].Resource})
	}
	for _, t := range p.Sensitive.Items {
		if !t.ok() || strings.Contains(t.Value, ".") || !known(m.input.Fields(), t.Value) {
			continue
		}
		for _, e := range list {
			if e.program == nil {
				continue
			}
			if names, whole := e.program.Members("args"); whole || slices.Contains(names, t.Value) {
				m.fault(e.pos, InvalidValue, e.key+" uses the sensitive argument "+strictjson.Quote(t.Value)+", and stands in every trace", "name the resource by something that may be shown, as args.NAME")
			}
		}
		for i, id := range p.Identity.Items {
			if id.Argument.ok() && id.Argument.Value == t.Value {
				m.fault(id.Argument.Pos, InvalidValue, itemName("identity", i)+".argument is sensitive, and a mismatch is told", "leave it out of sensitive")
			}
		}
	}
}

func (m *toolMaker) fault(pos diag.Pos, code *diag.Code, message, hint string) {
	m.b.found.add(pos, code, m.name+"."+message, hint)
}

func (m *toolMaker) compile(key string, p *exprPart, variables []expression.Variable, want *expression.Type) *expression.Program {
	return m.b.compile(m.name+"."+key, p, variables, want)
}

func (m *toolMaker) schema(key string, p *anyPart) *fixture.Schema {
	if !p.ok() {
		return nil
	}
	s, fault := fixture.NewSchema(p.Value)
	if fault != nil {
		m.fault(p.at(fault.Path), BadSchema, key+" is no schema that can be used: "+fault.Message, fault.Hint)
		return nil
	}
	return s
}

// terms reports what a contract says that means nothing, whatever its schemas are.
func (m *toolMaker) terms() {
	p := m.part
	if p.Timeout.ok() && p.Timeout.Value == 0 {
		m.fault(p.Timeout.Pos, InvalidValue, "timeout is 0, in which nothing can be done", "leave it out for none")
	}
	if r := p.Rate; r != nil && r.Per.ok() && r.Per.Value == 0 {
		m.fault(r.Per.Pos, InvalidValue, "rate.per is 0, in which nothing can be counted", "give a time, as in 1s")
	}
	if p.LookupTakes.Set() && !p.Lookup.or(false) {
		m.fault(p.LookupTakes.Pos, InvalidValue, "lookupTakes says how long a look-up takes, and there is none", "add lookup: true, or leave it out")
	}
	if p.Poll.ok() && p.Poll.Value > 0 && p.SideEffect.ok() && p.SideEffect.Value != string(tools.ReadOnly) {
		m.fault(p.Poll.Pos, InvalidValue, "poll is for tools that read; this one has the side effect "+p.SideEffect.Value, "leave it out")
	}
	if r := p.Retry; r != nil && r.Attempts.ok() && r.Attempts.Value == 1 && (r.Backoff.Set() || r.Factor.Set()) {
		m.fault(r.Pos, InvalidValue, "retry has one attempt, so there is nothing to wait for", "raise attempts, or leave backoff and factor out")
	}
}

func (m *toolMaker) contract() tools.Contract {
	p := m.part
	c := tools.Contract{
		Name: p.Name.Value, Version: p.Version.or("1"), Purpose: strings.TrimSpace(p.Purpose.Value), NotFor: strings.TrimSpace(p.NotFor.Value),
		Input: m.input, Capability: p.Capability.Value, SideEffect: tools.SideEffect(p.SideEffect.Value),
		Permission: p.Permission.Value, Timeout: p.Timeout.or(0), Cost: p.Cost.or(0), Calls: p.Calls.or(0),
		Poll: p.Poll.or(0), Lookup: p.Lookup.or(false), Inspects: p.Operands.Set() || p.Touches.Set(),
	}
	if p.Confirmation.Value != "never" {
		c.Confirmation = tools.Confirmation(p.Confirmation.Value)
	}
	if r := p.Retry; r != nil {
		c.Retry = tools.Retry{Attempts: r.Attempts.or(1), Backoff: r.Backoff.or(0), Factor: r.Factor.or(1)}
	}
	if r := p.Rate; r != nil {
		c.Rate = tools.Rate{Calls: r.Calls.or(1), Per: r.Per.or(time.Second)}
	}
	for i, t := range p.Sensitive.Items {
		fields := slices.DeleteFunc(slices.Concat(m.input.Fields(), m.output.Fields()), func(name string) bool { return strings.Contains(name, ".") })
		switch outer, _, inner := strings.Cut(t.Value, "."); {
		case !t.ok() || known(fields, t.Value):
		case inner && known(fields, outer):
			m.fault(t.Pos, InvalidValue, itemName("sensitive", i)+" names a part of "+outer+", which cannot be hidden alone", "name "+outer+", which is hidden as a whole")
		default:
			m.fault(t.Pos, BadReference, itemName("sensitive", i)+" names "+strictjson.Quote(t.Value)+", which is neither an argument nor a field of the answer", nearHint(t.Value, fields, ""))
		}
		c.Sensitive = append(c.Sensitive, t.Value)
	}
	if p.Lookup.Value && c.SideEffect == tools.ReadOnly {
		m.fault(p.Lookup.Pos, InvalidValue, "lookup is for tools that write: a tool that reads leaves no receipt", "leave it out")
	}
	if p.ActionKey.Set() && c.SideEffect == tools.ReadOnly {
		m.fault(p.ActionKey.Pos, InvalidValue, "actionKey is for tools that write: reading is no act", "leave it out")
	}
	return c
}

// known reports whether a name is one of the top-level fields.
func known(fields []string, name string) bool { return slices.Contains(fields, name) }

func (m *toolMaker) identities(s *fixture.Spec) {
	for i, p := range m.part.Identity.Items {
		if p.Argument.ok() && !known(m.input.Fields(), p.Argument.Value) {
			m.fault(p.Argument.Pos, BadReference, itemName("identity", i)+".argument names "+strictjson.Quote(p.Argument.Value)+", which is no argument",
				nearHint(p.Argument.Value, m.input.Fields(), "the arguments are "))
		}
		s.Identities = append(s.Identities, fixture.Identity{Argument: p.Argument.Value, Tenant: p.Is.Value == "tenant"})
	}
}

func (m *toolMaker) requires(s *fixture.Spec) {
	seen := map[string]bool{}
	for i := range m.part.Require.Items {
		p := &m.part.Require.Items[i]
		name := itemName("require", i)
		if p.ID.ok() && (!isName(p.ID.Value) || seen[p.ID.Value]) {
			m.fault(p.ID.Pos, InvalidValue, name+".id must be lower-case letters, digits and _, and its own, got "+strictjson.Quote(p.ID.Value), "")
		}
		if slices.Contains(fixture.Questions(), p.ID.Value) {
			m.fault(p.ID.Pos, InvalidValue, name+".id "+strictjson.Quote(p.ID.Value)+" is what the program calls a check of its own", "name it after what it requires")
		}
		seen[p.ID.Value] = true
		s.Requires = append(s.Requires, fixture.Require{
			ID: p.ID.Value, Code: m.code(name+".code", p.Code, diag.Rejection, diag.Semantic, p.Message.Value),
			That: m.compile(name+".that", &p.That, m.call, expression.Of(expression.Bool)), Message: p.Message.Value,
		})
	}
}

// code finds a code by name, or makes one of the scenario's own. Without a key
// nothing is reported.
func (m *toolMaker) code(key string, t Text, class diag.Class, gate diag.Gate, means string) *diag.Code {
	if !t.ok() {
		return nil
	}
	c, own := m.b.ownCode(t.Value), true
	if c == nil {
		c, own = runCode(t.Value), false
	}
	if c != nil {
		// What the arguments must be and what the tool itself refuses may have one code.
		if key != "" && (c.Class != class || !own && c.Gate != gate) {
			m.fault(t.Pos, InvalidValue, key+" "+c.Name+" is a code of "+kindOfCode(c.Class, c.Gate)+", and this needs one of "+kindOfCode(class, gate), "use a code of your own")
		}
		return c
	}
	if !isCode(t.Value) {
		if key == "" {
			return nil
		}
		m.fault(t.Pos, InvalidValue, key+" must be capitals, digits and _, got "+strictjson.Quote(t.Value), "write it like SEVERITY_NOT_ALLOWED")
		return nil
	}
	c = diag.Declare(t.Value, class, gate, means)
	m.b.codes = append(m.b.codes, c)
	return c
}

// runCode is a code of the program's own that a run can show, nil if there is none.
func runCode(name string) *diag.Code {
	codes := RunCodes()
	if i := slices.IndexFunc(codes, func(c *diag.Code) bool { return c.Name == name }); i >= 0 {
		return codes[i]
	}
	return nil
}

func kindOfCode(class diag.Class, gate diag.Gate) string {
	if gate == "" {
		return "class " + string(class) + " and no gate"
	}
	return "class " + string(class) + " and the gate " + string(gate)
}

// ownCode is a code that the scenario has declared, nil if there is none.
func (b *builder) ownCode(name string) *diag.Code {
	for _, c := range b.codes {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func isCode(s string) bool {
	return len(s) >= 3 && len(s) <= 60 && s[0] >= 'A' && s[0] <= 'Z' && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// behaviour reads one way to answer.
func (m *toolMaker) behaviour(name string, p *behaviourPart) fixture.Behaviour {
	v := fixture.Behaviour{
		When:  m.compile(name+".when", &p.When, m.world, expression.Of(expression.Bool)),
		Takes: p.Takes.or(0), Effect: p.EffectAfter.or(p.Takes.or(0)), Cost: p.Cost.or(-1),
	}
	if v.Effect > v.Takes {
		m.fault(p.EffectAfter.Pos, InvalidValue, name+".effectAfter is later than the answer", "give takes too, at least as long")
	}
	if p.Cost.ok() && p.Cost.Value > m.part.Cost.or(0) {
		m.fault(p.Cost.Pos, InvalidValue, name+".cost is more than the tool reserves", "a budget can hold only if a call never costs more than it reserves")
	}
	given := 0
	if p.Answer.Set() {
		given++
		v.Answer = m.template(name+".answer", &p.Answer)
		if v.Answer != nil {
			for _, misfit := range v.Answer.Misfits(m.output) {
				m.fault(p.Answer.at(misfit.Path), InvalidValue, name+".answer does not fit the output schema: "+misfit.Message, "")
			}
		}
	}
	if f := p.Fails; f != nil {
		given++
		v.Fails = &fixture.Failure{Code: m.code(name+".fails.code", f.Code, diag.Stop, diag.Execute, "The tool "+m.part.Name.Value+" failed."), Retryable: f.Retryable.or(false)}
	}
	if r := p.Rejects; r != nil {
		given++
		v.Rejects = &fixture.Rejection{Code: m.code(name+".rejects.code", r.Code, diag.Rejection, diag.Execute, r.Message.Value), Message: r.Message.Value, Hint: r.Hint.Value}
	}
	if given != 1 && !p.bad {
		m.fault(p.Pos, InvalidValue, name+" needs one of answer, fails and rejects", "say what the model is told")
	}
	m.writes(name, p, &v)
	return v
}

// writes reads what a behaviour changes.
func (m *toolMaker) writes(name string, p *behaviourPart, v *fixture.Behaviour) {
	for _, w := range []struct {
		key       string
		part      *writePart
		operation fixture.Operation
	}{
		{"insert", p.Insert, fixture.Insert}, {"update", p.Update, fixture.Update}, {"put", p.Put, fixture.Put}, {"delete", p.Delete, fixture.Delete},
	} {
		if w.part == nil || w.part.bad {
			continue
		}
		key := name + "." + w.key
		if _, ok := findCollection(m.o.blueprint.Collections, w.part.Into.Value); w.part.Into.ok() && !ok {
			m.fault(w.part.Into.Pos, BadReference, key+".into names "+strictjson.Quote(w.part.Into.Value)+", which is no collection of the world",
				nearHint(w.part.Into.Value, collectionNames(m.o.blueprint.Collections), "the collections are "))
		}
		if m.part.SideEffect.Value == string(tools.ReadOnly) {
			m.fault(w.part.Pos, InvalidValue, key+" is a write, and the tool's sideEffect is read", "a tool that reads changes nothing")
		}
		if p.Answer.Set() == (p.Fails != nil || p.Rejects != nil) {
			continue
		}
		if !p.Answer.Set() {
			m.fault(w.part.Pos, InvalidValue, key+" changes something, and the behaviour fails or rejects", "a call that fails or is rejected does nothing")
		}
		change := fixture.Change{
			Operation: w.operation, Collection: w.part.Into.Value,
			Key: m.compile(key+".key", &w.part.Key, m.world, expression.Of(expression.String)),
		}
		switch hasValue := w.part.Value.Set(); {
		case hasValue && w.operation == fixture.Delete:
			m.fault(w.part.Value.Pos, InvalidValue, key+".value means nothing: the entry is taken out", "leave it out")
		case hasValue:
			change.Value = m.template(key+".value", &w.part.Value)
		case w.operation != fixture.Delete:
			m.fault(w.part.Pos, MissingKey, key+" needs the key value", "")
		}
		v.Changes = append(v.Changes, change)
	}
}

func (m *toolMaker) template(key string, p *anyPart) *fixture.Template {
	if !p.ok() {
		return nil
	}
	t, fault := fixture.NewTemplate(p.Value, m.world)
	if fault != nil {
		m.fault(p.at(fault.Path), BadExpression, key+" holds no expression that can be used: "+fault.Fault.Message, fault.Fault.Hint)
		return nil
	}
	return t
}

func findCollection(list []fixture.Collection, name string) (*fixture.Collection, bool) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

func collectionNames(list []fixture.Collection) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// fault reads something that goes wrong.
func (b *builder) fault(o *outside, name string, p *faultPart) {
	if p.bad {
		return
	}
	if p.Tool.ok() && !slices.Contains(o.names, p.Tool.Value) && !o.broken {
		b.found.add(p.Tool.Pos, BadReference, name+".tool names "+strictjson.Quote(p.Tool.Value)+", which is no declared tool", nearHint(p.Tool.Value, o.names, "the tools are "))
	}
	kind := faultKind(p.Kind.Value)
	if p.Value.Set() && kind != fixture.ReadBackDiffers {
		b.found.add(p.Value.Pos, InvalidValue, name+".value means nothing here", "it is what is read back, with readback-differs")
	}
	if i := slices.IndexFunc(o.blueprint.Tools, func(t *fixture.Tool) bool { return t.Contract().Name == p.Tool.Value }); i >= 0 &&
		kind == fixture.LookupUnavailable && !o.blueprint.Tools[i].Contract().Lookup {
		b.found.add(p.Kind.Pos, InvalidValue, name+".kind is about look-ups, and "+p.Tool.Value+" has none", "say lookup: true of the tool, or leave the fault out")
	}
	o.blueprint.Faults = append(o.blueprint.Faults, fixture.Fault{Where: b.where(p.Pos), Tool: p.Tool.Value, Call: p.Call.or(0), Kind: kind, Value: p.Value.Value})
}

func faultKind(word string) fixture.FaultKind {
	switch word {
	case "unavailable":
		return fixture.Unavailable
	case "request-lost":
		return fixture.RequestLost
	case "crash-before":
		return fixture.CrashBefore
	case "crash-after":
		return fixture.CrashAfter
	case "response-lost":
		return fixture.ResponseLost
	case "malformed-answer":
		return fixture.MalformedAnswer
	case "readback-differs":
		return fixture.ReadBackDiffers
	case "lookup-unavailable":
		return fixture.LookupUnavailable
	default:
		return 0
	}
}
