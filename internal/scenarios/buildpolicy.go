package scenarios

import (
	"slices"
	"sort"
	"time"

	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
)

// condition compiles what a rule or a grant of a capability depends on: over the
// arguments of the one tool that asks for it, or over any where several do.
func (b *builder) condition(name string, p *exprPart, capability string, o *outside) *policy.Condition {
	args := expression.Of(expression.Dyn)
	if inputs := o.inputs[capability]; len(inputs) == 1 {
		args = inputs[0]
	}
	return policy.NewCondition(b.compile(name, p, fixture.CallVariables(args), expression.Of(expression.Bool)))
}

// runGrants makes the grants of a scenario.
func (b *builder) runGrants(e *entry, o *outside) *policy.Grants {
	if !e.Grants.Set() {
		return nil
	}
	list := make([]policy.Grant, 0, len(e.Grants.Items))
	for i := range e.Grants.Items {
		p := &e.Grants.Items[i]
		name := itemName("grants", i)
		if p.bad {
			continue
		}
		b.capability(name+".capability", p.Capability, o)
		if fault, hint := patternFault(p.Resource); fault != "" {
			b.found.add(p.Resource.Pos, InvalidValue, name+".resource "+fault, hint)
			continue
		}
		g := policy.Grant{
			ID: p.ID.or(name), Where: b.where(p.Resource.Pos), Capability: p.Capability.Value, Pattern: p.Resource.Value,
			Until: p.UntilStep.or(0), Calls: p.Calls.or(policy.Unlimited), Tenant: p.Tenant.Value, When: b.condition(name+".when", &p.When, p.Capability.Value, o),
		}
		if slices.ContainsFunc(list, func(other policy.Grant) bool { return other.ID == g.ID }) {
			b.found.add(p.ID.Pos, InvalidValue, name+".id "+strictjson.Quote(g.ID)+" is taken", "give each grant an id of its own")
		}
		list = append(list, g)
	}
	return policy.NewGrants(list...)
}

// capability reports a name that no tool asks for.
func (b *builder) capability(name string, t Text, o *outside) {
	if t.ok() && !o.broken && !slices.Contains(o.capabilities, t.Value) {
		b.found.add(t.Pos, BadReference, name+" names "+strictjson.Quote(t.Value)+", which is no capability", nearHint(t.Value, o.capabilities, "the capabilities are "))
	}
}

// identity is who the run is.
func (b *builder) identity(e *entry, s *Scenario, rules *policy.Rules, grants *policy.Grants) *policy.Identity {
	id := &policy.Identity{Run: s.ID, Attempt: 1, Policy: policyDigest(rules, grants), ConfirmFor: time.Hour}
	if e.Task.ConfirmWithin.ok() {
		id.ConfirmFor = e.Task.ConfirmWithin.Value
	}
	if p := e.Principal; p != nil {
		id.Session = p.Session.Value
		id.Principal = &tools.Principal{ID: p.ID.Value, Tenant: p.Tenant.Value, Permissions: written(p.Permissions.Items)}
	}
	return id
}

// policyDigest names the rules and grants of a run.
func policyDigest(rules *policy.Rules, grants *policy.Grants) strictjson.Digest {
	var lines []strictjson.Value
	add := func(parts ...string) {
		for _, p := range parts {
			lines = append(lines, strictjson.OfString(p))
		}
	}
	for _, r := range rules.All() {
		add("rule", string(r.Effect), r.Capability, r.Pattern, r.When.Source())
	}
	for _, g := range grants.All() {
		add("grant", g.ID, g.Capability, g.Pattern, g.Tenant, g.When.Source())
		lines = append(lines, strictjson.OfInt(int64(g.Until)), strictjson.OfInt(int64(g.Calls)))
	}
	return strictjson.DigestOf(strictjson.OfArray(lines...))
}

// perTool reads the budgets of single tools.
func (b *builder) perTool(p *taskPart, o *outside) []policy.ToolBudget {
	if p == nil || p.Budget == nil {
		return nil
	}
	var list []policy.ToolBudget
	for i, name := range p.Budget.PerTool.names {
		if !slices.Contains(o.names, name.Value) && !o.broken {
			b.found.add(name.Pos, BadReference, "task.budget.perTool names "+strictjson.Quote(name.Value)+", which is no declared tool", nearHint(name.Value, o.names, "the tools are "))
			continue
		}
		list = append(list, policy.ToolBudget{Tool: name.Value, Calls: p.Budget.PerTool.each[i].Value})
	}
	return list
}

// replies reads what persons answer.
func (b *builder) replies(e *entry) []runner.Reply {
	list := make([]runner.Reply, 0, len(e.Human.Items))
	for i := range e.Human.Items {
		list = append(list, b.reply(&e.Human.Items[i]))
	}
	return list
}

func (b *builder) reply(p *humanPart) runner.Reply {
	r := runner.Reply{
		Where: b.where(p.Pos), After: p.After.or(0), By: p.By.Value, Reason: p.Reason.Value,
		Request: p.Request.Value, Seen: p.Seen.Value, Arguments: p.Arguments.Value,
		Run: given(p.Run), Session: given(p.Session), Principal: given(p.Principal), Tenant: given(p.Tenant), Version: given(p.Version),
		OtherDefinition: p.Definition.ok(), OtherPolicy: p.Policy.ok(),
	}
	switch p.Says.Value {
	case "approve":
		r.Verdict = event.Approved
	case "decline":
		r.Verdict = event.Declined
	case "postpone":
		r.Verdict = event.Postponed
	}
	return r
}

func given(t Text) *string {
	if !t.ok() {
		return nil
	}
	return &t.Value
}

// order reads what a person orders with a change, nil if nothing.
func (b *builder) order(name string, p *changePart, o *outside, grants *policy.Grants) *event.Order {
	order := event.Order{By: p.By.Value, Reason: p.Reason.Value}
	switch {
	case p.Cancel.ok() && p.Cancel.Value == "call":
		order.Kind = event.CancelCall
	case p.Cancel.ok():
		order.Kind = event.CancelRun
	case p.Pause.ok():
		order.Kind = event.PauseRun
	case p.Resume.ok():
		order.Kind = event.ResumeRun
	case p.Revoke.ok():
		order.Kind, order.What, order.Place = event.Revoke, p.Revoke.Value, grants.Find(p.Revoke.Value)
		if order.Place < 0 {
			b.found.add(p.Revoke.Pos, BadReference, name+".revoke names "+strictjson.Quote(p.Revoke.Value)+", which is no grant", nearHint(p.Revoke.Value, grantIDs(grants), "the grants are "))
		}
	case p.Redefine.ok():
		order.Kind, order.What = event.Redefine, p.Redefine.Value
		order.Definition = strictjson.DigestBytes([]byte("redefined " + p.Redefine.Value))
		if !slices.Contains(o.names, p.Redefine.Value) && !o.broken {
			b.found.add(p.Redefine.Pos, BadReference, name+".redefine names "+strictjson.Quote(p.Redefine.Value)+", which is no declared tool", nearHint(p.Redefine.Value, o.names, "the tools are "))
		}
	default:
		if p.By.ok() || p.Reason.ok() {
			b.found.add(p.Pos, InvalidValue, name+" says who and why, and orders nothing", "by and reason go with cancel, pause, resume, revoke and redefine")
		}
		return nil
	}
	if !p.By.ok() {
		b.found.add(p.Pos, MissingKey, "the key by is missing from "+name, "an order is recorded with who gave it")
	}
	return &order
}

func grantIDs(g *policy.Grants) []string {
	ids := make([]string, len(g.All()))
	for i, one := range g.All() {
		ids[i] = one.ID
	}
	return ids
}

// worldChanges reads what a change does to the world.
func (b *builder) worldChanges(name string, p *anyPart, o *outside) []runner.WorldChange {
	if !p.ok() {
		return nil
	}
	var list []runner.WorldChange
	if p.Value.Kind() != strictjson.Object {
		b.found.add(p.Pos, WrongType, name+".world must be a mapping of collections", "")
		return nil
	}
	for _, c := range p.Value.Members() {
		at := p.at([]strictjson.Step{{Name: c.Name}})
		if _, ok := findCollection(o.blueprint.Collections, c.Name); !ok && !o.broken {
			b.found.add(at, BadReference, name+".world names "+strictjson.Quote(c.Name)+", which is no collection of the world",
				nearHint(c.Name, collectionNames(o.blueprint.Collections), "the collections are "))
			continue
		}
		if c.Value.Kind() != strictjson.Object {
			b.found.add(at, WrongType, name+".world."+showKey(c.Name)+" must be a mapping from keys to values", "null takes an entry out")
			continue
		}
		for _, m := range c.Value.Members() {
			change := runner.WorldChange{Collection: c.Name, Key: m.Name, Value: m.Value}
			if m.Value.Kind() == strictjson.Null {
				change.Value = strictjson.Value{}
			}
			list = append(list, change)
		}
	}
	return list
}

// happenings are a scenario's changes, as a run makes them.
type happenings struct{ steps, timed []runner.Change }

// happenings adds to the changes of files what else they do.
func (b *builder) happenings(e *entry, w *world, o *outside, grants *policy.Grants) happenings {
	var h happenings
	files := w.changes
	for i := range e.Changes.Items {
		p := &e.Changes.Items[i]
		name := itemName("changes", i)
		at := slices.IndexFunc(files, func(c runner.Change) bool { return c.Where == b.where(p.Pos) })
		change := runner.Change{Where: b.where(p.Pos), AfterStep: p.AfterStep.or(0), At: p.At.or(0)}
		if at >= 0 {
			change = files[at]
			change.At = p.At.or(0)
		}
		change.World = b.worldChanges(name, &p.World, o)
		change.Order = b.order(name, p, o, grants)
		if p.Answer != nil {
			reply := b.reply(p.Answer)
			if reply.Request == "" && !p.Answer.bad {
				b.found.add(p.Answer.Pos, MissingKey, name+".answer needs the key request", "a question that was postponed is named by its id, as in c1")
			}
			change.Reply = &reply
		}
		b.oneThing(name, p)
		if p.At.Set() {
			h.timed = append(h.timed, change)
		} else {
			h.steps = append(h.steps, change)
		}
	}
	sort.SliceStable(h.steps, func(i, j int) bool { return h.steps[i].AfterStep < h.steps[j].AfterStep })
	sort.SliceStable(h.timed, func(i, j int) bool { return h.timed[i].At < h.timed[j].At })
	return h
}

// oneThing reports a change that says nothing, or several things.
func (b *builder) oneThing(name string, p *changePart) {
	kinds := 0
	for _, given := range []bool{p.Files.Set(), p.World.Set(), p.Cancel.Set(), p.Pause.Set(), p.Resume.Set(), p.Revoke.Set(), p.Redefine.Set(), p.Answer != nil} {
		if given {
			kinds++
		}
	}
	switch {
	case p.bad:
	case p.AfterStep.Set() == p.At.Set():
		b.found.add(p.Pos, MissingKey, name+" needs one of the keys afterStep and at", "afterStep counts steps, at is a virtual time such as 2s")
	case kinds > 1:
		b.found.add(p.Pos, InvalidValue, name+" does several things", "write a change for each; they happen in the order written")
	case kinds == 0 && !p.At.Set():
		b.found.add(p.Pos, InvalidValue, name+" changes nothing", "name files, world, or what a person orders")
	case p.Pause.ok() && !p.Pause.Value, p.Resume.ok() && !p.Resume.Value:
		b.found.add(p.Pos, InvalidValue, name+" is false, which says nothing", "leave it out")
	}
}

// completion is the proof that a finish has to give, nil if none is demanded.
func (b *builder) completion(e *entry, o *outside) (*machine.Completion, *expression.Program, *expression.Program) {
	if e.Task == nil || e.Task.Completion == nil && !e.Task.Handoff.Set() {
		return nil, nil, nil
	}
	variables := runner.EndVariables(o.world)
	handoff := b.compileTest("task.handoff", &e.Task.Handoff, variables)
	p := e.Task.Completion
	if p == nil || p.bad {
		return nil, nil, handoff
	}
	if p.Citations.or(0) == 0 && !p.Citations.bad && !p.Verify.Set() {
		b.found.add(p.Pos, InvalidValue, "task.completion demands nothing", "give citations, verify, or both")
	}
	verify := b.compileTest("task.completion.verify", &p.Verify, variables)
	return &machine.Completion{Verify: verify != nil}, verify, handoff
}

// checkRules reports rules about what there is not.
func (b *builder) checkRules(rules []rulePart, o *outside) {
	for i := range rules {
		r := &rules[i]
		if r.bad {
			continue
		}
		b.capability(itemName("rules", i)+".capability", r.Capability, o)
		if r.When.Set() && (r.Capability.Value == repotools.CapSearch || r.Capability.Value == repotools.CapRead) {
			b.found.add(r.When.Pos, InvalidValue, itemName("rules", i)+".when cannot go with "+r.Capability.Value+": a search asks about each file by itself", "leave it out, or deny the path")
		}
	}
}

// repoCapability reports whether a capability is about files of the repository.
func repoCapability(name string) bool { return slices.Contains(repotools.Capabilities(), name) }

// oneOf reports a text that is none of some names, nor passes for one of the
// scenario's own.
func (b *builder) oneOf(name string, t Text, own func(string) bool, names []string, what string) {
	if t.ok() && !slices.Contains(names, t.Value) && !own(t.Value) {
		b.found.add(t.Pos, BadReference, name+" names "+strictjson.Quote(t.Value)+", which is no "+what, nearHint(t.Value, names, ""))
	}
}
