package scenarios

import (
	"slices"
	"strconv"
	"sync"

	"harness/internal/diag"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// ExpectCalls is the calls that a run must come to, as a reference trajectory.
type ExpectCalls struct {
	part  `validate:"-"`
	Trace Text             `yaml:"trace" validate:"omitnil,oneof=exact ordered superset subset" means:"How the list is compared. exact: these calls in this order and no others; ordered: these in this order, others may stand between; superset: all of these in any order, others too; subset: no call but these, in any order, each at most as often as it is listed." default:"exact"`
	List  List[ExpectCall] `yaml:"list" validate:"-" means:"The calls. An empty list means that there is none, with exact and subset."`
}

// ExpectCall is what one call must be.
type ExpectCall struct {
	part    `validate:"-"`
	Tool    Text    `yaml:"tool" validate:"required" means:"The tool."`
	Args    anyPart `yaml:"args" validate:"-" means:"Its arguments, names and values. Left out, they are not looked at."`
	Match   Text    `yaml:"match" validate:"omitnil,oneof=exact subset fields ignore" means:"How args are compared. exact: the same JSON value; subset: what is given is there, in objects at any depth, and a list is compared whole; fields: exactly these names, whatever their values; ignore: not at all." default:"exact"`
	Outcome Text    `yaml:"outcome" validate:"omitnil,oneof=succeeded rejected failed unknown" means:"What the call came to in the end, after its retries and look-ups."`
}

// The ways to compare a list of calls, and the arguments of one; none given is exact.
const (
	Exact    = "exact"
	Ordered  = "ordered"
	Superset = "superset"
	Subset   = "subset"
	Fields   = "fields"
	Ignore   = "ignore"
)

// maxListedCalls bounds a list of calls: they are tried against those of the run,
// each with each.
const maxListedCalls = 500

var (
	expectCallsShape = sync.OnceValue(shapeOf[ExpectCalls])
	expectCallShape  = sync.OnceValue(shapeOf[ExpectCall])
)

func (*ExpectCalls) shape() *shape { return expectCallsShape() }
func (*ExpectCall) shape() *shape  { return expectCallShape() }

// Way is how the list is compared with the calls of a run.
func (p *ExpectCalls) Way() string { return p.Trace.or(Exact) }

// Way is how the arguments are compared.
func (p *ExpectCall) Way() string {
	if !p.Args.Set() {
		return Ignore
	}
	return p.Match.or(Exact)
}

// At is the place of a part of the arguments, or of the nearest part that has one.
func (p *ExpectCall) At(path []strictjson.Step) diag.Pos {
	switch {
	case !p.Args.Set():
		return p.Pos
	case p.Args.node == nil:
		return p.Args.Pos
	default:
		return p.Args.at(path)
	}
}

func (p *ExpectCalls) check(d *decoder) {
	if n := len(p.List.Items); n > maxListedCalls {
		d.in("list")
		d.faultAt(p.List.Pos, InvalidValue, "must be at most "+strconv.Itoa(maxListedCalls)+" calls, got "+strconv.Itoa(n), "")
		d.out()
		p.List.bad = true
	}
}

func (p *ExpectCall) check(d *decoder) {
	if p.Args.ok() && p.Args.Value.Kind() != strictjson.Object {
		d.in("args")
		d.notA("a mapping", p.Args.node, "write NAME: VALUE, with match: fields if only the names count")
		d.out()
		p.Args.bad = true
	}
	if p.Match.ok() && p.Match.Value != Ignore && !p.Args.Set() {
		refuse(d, "match", &p.Match, InvalidValue, "is "+p.Match.Value+", and there are no args to compare", "give args, or leave match out")
	}
}

// listed asks for the list of calls, and for one that says something. It is asked
// once a case is laid over its file: either may give the list, or how to compare it.
func (b *builder) listed(c *ExpectCalls) {
	switch {
	case c == nil || c.bad || c.List.bad:
	case !c.List.Set():
		b.found.add(c.Pos, MissingKey, "the key expect.calls.list is missing", "write list: [] for no call at all")
	case len(c.List.Items) == 0 && (c.Way() == Ordered || c.Way() == Superset) && !c.Trace.bad:
		b.found.add(c.List.Pos, InvalidValue, "expect.calls.list is empty, which holds for every run with trace: "+c.Way(),
			"list a call, or say trace: exact to expect no call at all")
	}
}

// called checks that the calls name tools that can be called.
func (b *builder) called(c *ExpectCalls, o *outside) {
	if c == nil {
		return
	}
	names := append(callNames(), o.names...)
	for i := range c.List.Items {
		name, tool := itemName("expect.calls.list", i)+".tool", c.List.Items[i].Tool
		if tool.ok() && tool.Value == tools.FinishName {
			b.found.add(tool.Pos, BadReference, name+" names finish, which calls no tool", "expect.status says how a run ends, expect.decisions what was decided on a finish")
			continue
		}
		b.oneOf(name, tool, none, names, "tool")
	}
}

// callNames names the tools that every scenario has.
func callNames() []string {
	return slices.DeleteFunc(slices.Clone(toolNames()), func(name string) bool { return name == tools.FinishName })
}
