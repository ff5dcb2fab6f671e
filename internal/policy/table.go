package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Request is one parsed action on its way through the gates.
type Request struct {
	Action  *action.Action
	Call    *tools.Call // Tool is nil for a tool that is not registered
	View    *tools.View
	Rules   *Rules
	Budgets *Budgets
	Used    *Used
	// What follows may be nil or zero where a run has nothing of the kind.
	Terms    *Terms
	Standing *Standing
	Step     int32
	// Approved is the question whose approval the command was dispatched with before: a
	// further attempt needs no other one, but that one has to fit still. "" for none.
	Approved string
	Now      time.Duration
	Person   *Person

	ruling  Ruling // of the rules, once authorize was asked
	claims  []claim
	command Command
}

// Terms are what a run acts under besides its rules. They do not change.
type Terms struct {
	Grants   *Grants
	Identity *Identity // nil for nobody's
}

// Person is what is measured where a person is asked.
type Person struct {
	// Operands is what the call would touch, if that was looked at; Unseen is why it
	// could not be.
	Operands strictjson.Digest
	Unseen   string
	// Answer was just given, and is to be measured.
	Answer *event.Answer

	chosen *event.Answer // given before, if one fits
}

// Command is an action that every gate has allowed. Only [Table.Decide] makes one,
// so nothing can be performed that was not decided.
type Command struct {
	request *Request
}

// Call is the call to be made; its tool may be asked nothing but what [Table]
// offers.
func (c *Command) Call() *tools.Call { return c.request.Call }

// Check is one row of the table.
type Check struct {
	ID     string
	Gate   diag.Gate
	Code   *diag.Code
	Tool   string // the tool it belongs to; empty for every tool
	Decide func(*Request) *tools.Fault

	order int // of the gate
}

// Table is the ordered list of checks.
type Table struct {
	checks   []Check
	byTool   map[string]lane
	registry *tools.Registry
}

// lane is the rows of the table that one tool's calls pass.
type lane struct {
	before []*Check // the dispatch
	grants span     // those of before that ask about grants
	person int      // the first of before that asks for a person, and so do all behind it
	work   []*Check // the execute gate's, before the tool works
	after  []*Check // the verify gate's, once it has
}

// span is a part of a list, from one place up to another.
type span struct{ from, to int }

// part finds the checks of every tool whose ids begin alike, which stand together; an
// empty span at the end if there are none. What a tool calls its own checks does not
// matter.
func part(checks []*Check, prefix string) span {
	begins := func(c *Check) bool { return c.Tool == "" && strings.HasPrefix(c.ID, prefix) }
	s := span{len(checks), len(checks)}
	if from := slices.IndexFunc(checks, begins); from >= 0 {
		s.from = from
		for s.to = from; s.to < len(checks) && begins(checks[s.to]); s.to++ {
		}
	}
	return s
}

// Owners lists what the ids of checks that belong to no tool begin with: names that no
// tool should have.
func Owners() []string {
	var names []string
	for _, c := range slices.Concat(common(nil), budgetChecks(), confirmChecks(), grantChecks()) {
		if owner, _, _ := strings.Cut(c.ID, "."); !slices.Contains(names, owner) {
			names = append(names, owner)
		}
	}
	return names
}

// NewTable orders the checks of every gate, of every registered tool, and of
// finish.
func NewTable(registry *tools.Registry, finish *tools.Finish) *Table {
	checks := slices.Concat(common(registry), budgetChecks(), confirmChecks())
	for _, t := range append(slices.Clone(registry.Tools()), finish) {
		for _, c := range t.Checks() {
			checks = append(checks, Check{
				ID: c.ID, Gate: c.Gate, Code: c.Code, Tool: t.Contract().Name,
				Decide: func(r *Request) *tools.Fault { return c.Decide(r.Call, r.View) },
			})
		}
		if code := denied(t.Contract()); code != nil {
			checks = append(checks, Check{
				ID: t.Contract().Name + ".allowed", Gate: diag.Authorize, Code: code,
				Tool: t.Contract().Name, Decide: allowed,
			})
		}
	}
	// Whether a grant holds is asked once it is known which ones are needed.
	return newTable(registry, append(checks, grantChecks()...))
}

func newTable(registry *tools.Registry, listed []Check) *Table {
	checks := make([]Check, 0, len(listed))
	for order, gate := range diag.Gates() {
		for _, c := range listed {
			if c.Gate == gate {
				c.order = order
				checks = append(checks, c)
			}
		}
	}
	if len(checks) != len(listed) {
		panic("a check stands in no gate") // it would never be asked
	}
	t := &Table{checks: checks, registry: registry, byTool: map[string]lane{}}
	for _, name := range append(registry.Names(), tools.FinishName, "") {
		var l lane
		for i := range checks {
			c := &checks[i]
			switch {
			case !c.applies(name):
			case c.Gate == diag.Execute:
				l.work = append(l.work, c)
			case c.Gate == diag.Verify && name != tools.FinishName:
				l.after = append(l.after, c)
			default: // finish is never performed, so it is verified at once
				l.before = append(l.before, c)
			}
		}
		l.grants, l.person = part(l.before, grantPrefix), part(l.before, personPrefix).from
		t.byTool[name] = l
	}
	return t
}

// applies reports whether a check is asked about a call of the named tool. Of a
// tool that is not registered, named "", only its existence can be asked; finish
// is no tool call, so what bounds those does not bound it.
func (c *Check) applies(name string) bool {
	switch {
	case c.Tool != "":
		return c.Tool == name
	case name == "":
		return c.ID == toolCheck
	case name == tools.FinishName:
		return c.Gate == diag.Schema
	default:
		return true
	}
}

// Checks lists the table's rows in order; callers must not modify the list.
func (t *Table) Checks() []Check { return t.checks }

// Without is the same table with one check weakened: it never refuses. It is
// false for an id that no check has.
func (t *Table) Without(id string) (*Table, bool) {
	checks := slices.Clone(t.checks)
	i := slices.IndexFunc(checks, func(c Check) bool { return c.ID == id })
	if i < 0 {
		return nil, false
	}
	checks[i].Decide = func(*Request) *tools.Fault { return nil }
	return newTable(t.registry, checks), true
}

// The beginnings of the ids of checks that are left out together.
const (
	grantPrefix  = "grant."
	personPrefix = "confirm."
)

// schemaOrder is the place of the gate behind which arguments have the right shape.
var schemaOrder = diag.Schema.Order()

// Ids of checks that others depend on: whether there is such a tool, and whether
// its arguments have the right shape.
const (
	toolCheck      = "schema.tool"
	argumentsCheck = "schema.arguments"
)

// common are the checks of every tool.
func common(registry *tools.Registry) []Check {
	return []Check{
		{ID: toolCheck, Gate: diag.Schema, Code: UnknownToolOrVersion, Decide: func(r *Request) *tools.Fault {
			if r.Call.Tool != nil {
				return nil
			}
			return unknownTool(r.Action, registry)
		}},
		{ID: "schema.fields", Gate: diag.Schema, Code: UnknownField, Decide: func(r *Request) *tools.Fault {
			fault := r.Call.Tool.Contract().Input.Unknown(r.Call.Args)
			if fault != nil && len(r.Call.Tool.Contract().Sensitive) > 0 { // a name can be what was to be hidden
				return &tools.Fault{Message: "there is an unknown field"}
			}
			return fault
		}},
		{ID: argumentsCheck, Gate: diag.Schema, Code: InvalidArguments, Decide: func(r *Request) *tools.Fault {
			return r.discreet(r.Call.Tool.Contract().Input.Violation(r.Call.Args))
		}},
		{ID: "tool.definition", Gate: diag.Authorize, Code: DefinitionChanged, Decide: func(r *Request) *tools.Fault {
			if r.Standing == nil || !slices.Contains(r.Standing.Redefined, r.Call.Tool.Contract().Name) {
				return nil
			}
			return &tools.Fault{Message: "the definition of " + r.Call.Tool.Contract().Name + " has changed since the run began"}
		}},
		{ID: "act.conflict", Gate: diag.Guard, Code: ActionConflict, Decide: func(r *Request) *tools.Fault {
			if r.Call.Act == "" {
				return nil
			}
			act := r.Standing.Act(r.Call.Act)
			if act == nil || act.Effect == event.EffectNone || act.Arguments == strictjson.DigestOf(r.Call.Args) {
				return nil
			}
			return &tools.Fault{
				Message: "the action " + strictjson.Quote(r.Call.Act) + " was made with other arguments",
				Hint:    "an action is done once; its receipt is given for the same arguments, to the letter",
			}
		}},
	}
}

// discreet takes out of a fault the value that was given, if some argument of the
// tool may not be shown.
func (r *Request) discreet(f *tools.Fault) *tools.Fault {
	if f == nil || len(r.Call.Tool.Contract().Sensitive) == 0 {
		return f
	}
	message, _, _ := strings.Cut(f.Message, ", got ")
	return &tools.Fault{Message: message}
}

func unknownTool(a *action.Action, registry *tools.Registry) *tools.Fault {
	fault := &tools.Fault{Hint: "the tools are " + strings.Join(registry.Names(), ", ")}
	if registry.Has(a.Tool) {
		t, _ := registry.Lookup(a.Tool, "")
		fault.Message = fmt.Sprintf("tool %s has no version %s", t.Contract().Name, strictjson.Quote(a.Version))
		fault.Hint = "the version is " + t.Contract().Version
		return fault
	}
	if a.Tool == tools.FinishName {
		fault.Message = "finish is no tool"
		fault.Hint = `send {"type":"finish","summary":…}`
		return fault
	}
	fault.Message = fmt.Sprintf("there is no tool named %s", strictjson.Quote(a.Tool))
	if near := diag.Nearest(a.Tool, registry.Names()); near != "" {
		fault.Hint = "did you mean " + near + "? " + fault.Hint
	}
	return fault
}

// denied is the code for a tool's calls that no rule allows, nil if it needs none.
func denied(c *tools.Contract) *diag.Code {
	switch {
	case c.Control:
		return nil
	case c.Denied != nil:
		return c.Denied
	default:
		return MissingCapability
	}
}

// allowed asks the rules about the call's resource.
func allowed(r *Request) *tools.Fault {
	c := r.Call.Tool.Contract()
	if c.Scoped {
		r.ruling = r.Rules.Scope(c.Capability)
	} else {
		r.ruling = r.authority(tools.Need{Capability: c.Capability, Resource: r.Call.Resource})
	}
	if r.ruling.Effect == event.Deny {
		return notAllowed(c.Capability, r.Call.Resource)
	}
	for _, need := range r.Call.Needs {
		switch ruling := r.authority(need); ruling.Effect {
		case event.Deny:
			r.ruling = ruling
			return notAllowed(need.Capability, need.Resource)
		case event.Confirm:
			r.ruling = ruling
		}
	}
	return nil
}

// The same words whether a rule denies or none allows: a rule that names a file
// would tell that there is one. The decision's record has the rule.
func notAllowed(capability, resource string) *tools.Fault {
	return &tools.Fault{Message: fmt.Sprintf("%s on %s is not allowed", capability, orAnything(resource))}
}

// grants are the run's, nil if it has none.
func (r *Request) grants() *Grants {
	if r.Terms == nil {
		return nil
	}
	return r.Terms.Grants
}

// authority asks the rules about a need and, where they are silent, the grants.
func (r *Request) authority(need tools.Need) Ruling {
	v := r.Rules.Decide(need.Capability, need.Resource, r.Call)
	if v.Effect != event.Deny || v.Rule != nil || !r.grants().Covers(need.Capability) {
		return v
	}
	if c := r.grants().claim(need, &v); len(c.grants) > 0 {
		r.claims = append(r.claims, c)
		v.Effect, v.Rule = event.Allow, &r.grants().list[c.grants[0]].rule
	}
	return v
}

// Decide asks the gates up to confirm, in order; the first check that refuses
// decides. It also notes what else would have refused. The command is nil unless
// every check allows. A check that panics denies.
func (t *Table) Decide(r *Request) (d event.Decision, allowed *Command) {
	l := t.laneOf(r.Call)
	checks, asked := l.before, 0
	defer func() {
		if fault := recover(); fault != nil {
			d, allowed = broken(checks[asked], fault), nil
		}
	}()
	for ; asked < len(checks); asked++ {
		if asked == l.grants.from && len(r.claims) == 0 {
			asked = l.grants.to // the rules have allowed it all
		}
		if asked == l.person && !r.needsPerson() || asked == len(checks) {
			break
		}
		c := checks[asked]
		if c.order > schemaOrder && r.Call.Bound == nil {
			bind(r.Call)
		}
		if fault := c.Decide(r); fault != nil {
			return t.deny(r, c, fault, checks[asked+1:]), nil
		}
	}
	if r.Call.Tool == nil { // whatever the table says: there is nothing to call
		nothing := Check{ID: toolCheck, Gate: diag.Schema, Code: UnknownToolOrVersion}
		return t.deny(r, &nothing, unknownTool(r.Action, t.registry), nil), nil
	}
	d = event.Decision{Effect: event.Allow}
	r.ruling.note(&d)
	d.Grants = r.consumed()
	if r.needsPerson() {
		if a := r.approval(); a != nil {
			d.Confirmation = a.Request
		}
	}
	r.command.request = r
	return d, &r.command
}

// broken is the decision of a check that could not answer.
func broken(c *Check, fault any) event.Decision {
	f := &tools.Fault{Message: fmt.Sprintf("the check %s could not answer", c.ID), Hint: fmt.Sprint(fault)}
	return event.Decision{
		Effect: event.Deny, Gate: c.Gate, Code: CheckFailed, Check: c.ID, Refusal: refusal(c.Gate, CheckFailed, f),
	}
}

// note adds to a decision what the rules said.
func (v *Ruling) note(d *event.Decision) {
	d.Tried, d.More = v.Tried, v.More
	if v.Rule != nil {
		d.Rule, d.Where = v.Rule.ID, v.Rule.Where
	}
}

// Perform asks the tool's last questions and lets it work if none refuses. An
// answer that comes at once is verified too; for one that takes its time the
// driver asks [Table.Verify] when it arrives. Only a driver calls it. A tool that
// panics has failed.
func (t *Table) Perform(command *Command) (o tools.Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			o = tools.Outcome{Why: fmt.Sprint("the tool broke: ", fault)} // no answer that a tool may give
		}
	}()
	r := command.request
	l := t.laneOf(r.Call)
	for _, c := range l.work {
		if fault := c.Decide(r); fault != nil {
			return tools.Outcome{Status: event.CallRejected, Refusal: refusal(c.Gate, c.Code, fault)}
		}
	}
	o = r.Call.Tool.Execute(r.Call, r.View)
	if len(r.Call.Tool.Contract().Sensitive) > 0 {
		o.Why = "" // the words may quote an argument
	}
	if o.Plan != nil {
		return o
	}
	return t.Verify(command, o)
}

// Verify asks whether what a tool promised is true. An answer of which it is not is
// a failure.
func (t *Table) Verify(command *Command, o tools.Outcome) tools.Outcome {
	l := t.laneOf(command.request.Call)
	if o.Status != event.CallSucceeded || len(l.after) == 0 {
		return o
	}
	return verify(command.request, l.after, o)
}

func verify(r *Request, checks []*Check, o tools.Outcome) (verified tools.Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			verified = tools.Outcome{Why: fmt.Sprint("the answer could not be verified: ", fault)}
		}
	}()
	r.Call.Outcome = &o
	for _, c := range checks {
		fault := c.Decide(r)
		if fault == nil {
			continue
		}
		failed := tools.Outcome{Status: event.CallFailed, Code: c.Code, Cost: o.Cost}
		if len(r.Call.Tool.Contract().Sensitive) == 0 { // the words may quote the answer
			failed.Why = fault.Message
		}
		return failed
	}
	return o
}

func (t *Table) laneOf(call *tools.Call) lane {
	if call.Tool == nil {
		return t.byTool[""]
	}
	return t.byTool[call.Tool.Contract().Name]
}

func bind(call *tools.Call) {
	if call.Bound == nil {
		call.Tool.Bind(call)
		if call.Key != "" {
			call.Act = call.Tool.Contract().Name + "/" + call.Key
		}
	}
}

func (t *Table) deny(r *Request, c *Check, fault *tools.Fault, rest []*Check) event.Decision {
	d := event.Decision{Effect: event.Deny, Gate: c.Gate, Code: c.Code, Check: c.ID, Refusal: refusal(c.Gate, c.Code, fault)}
	switch {
	case c.Code == UserConfirmationRequired:
		d.Effect = event.Confirm
	case c.Gate == diag.Confirm && r.approval() != nil:
		d.Confirmation = r.approval().Request
	}
	d.Also = t.also(r, c, rest)
	if c.order >= diag.Authorize.Order() {
		r.ruling.note(&d)
	}
	return d
}

// also asks the remaining checks before the dispatch. Those of the execute gate
// look at content, and so do guards: an action that the rules refuse may not learn
// about content here either. Arguments of the wrong shape leave nothing that
// could be asked.
func (t *Table) also(r *Request, failed *Check, rest []*Check) []event.AlsoFailed {
	if r.Call.Tool == nil || failed.ID == argumentsCheck {
		return nil
	}
	var also []event.AlsoFailed
	ruling, claims := r.ruling, r.claims
	denied := failed.Gate == diag.Authorize
	for _, c := range rest {
		if c.order > diag.Schema.Order() {
			bind(r.Call)
		}
		// Who would have to be asked says nothing about what refused.
		if denied && c.Gate == diag.Guard || c.Gate == diag.Confirm || c.Decide(r) == nil {
			continue
		}
		also = append(also, event.AlsoFailed{Gate: c.Gate, Code: c.Code, Check: c.ID})
		if c.ID == argumentsCheck {
			break
		}
		denied = denied || c.Gate == diag.Authorize
	}
	if failed.order >= diag.Authorize.Order() {
		r.ruling, r.claims = ruling, claims
	}
	return also
}

func refusal(gate diag.Gate, code *diag.Code, f *tools.Fault) *event.Refusal {
	return &event.Refusal{Gate: gate, Code: code, Message: f.Message, Hint: f.Hint, Details: f.Details}
}

// ParseDenied is the decision on bytes that are no action.
func ParseDenied(f *action.Fault) event.Decision {
	return event.Decision{
		Effect: event.Deny, Gate: diag.Parse, Code: f.Code, Check: "parse.action",
		Refusal: &event.Refusal{Gate: diag.Parse, Code: f.Code, Message: f.Message, Hint: f.Hint},
	}
}
