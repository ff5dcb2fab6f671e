package coverage

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/tools"
)

// A decision records what the rules said about one resource. A call that needs more
// than one capability, or whose tool asks the rules while it works, has asked them
// more than that. Rules, binding and tools are pure, so what they were asked is
// found by asking again.

// call is the call of a proposal, as the gates had it; nil if they did not come to
// what it is about.
func (v *view) call(p *event.Proposal) *tools.Call {
	d := &p.Decision
	early := d.Effect != event.Allow && d.Gate.Order() < diag.Authorize.Order()
	if p.Action == nil || early || d.Code == policy.CheckFailed {
		return nil
	}
	tool, ok := v.cfg.Registry.Lookup(p.Action.Tool, p.Action.Version)
	if !ok {
		return nil
	}
	call := &tools.Call{Tool: tool, Args: p.Action.Args}
	if id := v.cfg.Identity; id != nil {
		call.Principal = id.Principal
	}
	return call
}

// needs takes what the rules said about all that a call needs.
func (v *view) needs(p *event.Proposal) {
	defer broken() // it broke in the run too
	call := v.call(p)
	if call == nil || !v.ruledOn(call, &p.Decision) {
		return
	}
	call.Tool.Bind(call)
	if len(call.Needs) == 0 {
		return
	}
	c := call.Tool.Contract()
	needs := append([]tools.Need{{Capability: c.Capability, Resource: call.Resource}}, call.Needs...)
	for i, need := range needs {
		var ruling policy.Ruling
		if i == 0 && c.Scoped {
			ruling = v.cfg.Rules.Scope(c.Capability)
		} else {
			ruling = v.cfg.Rules.Decide(need.Capability, need.Resource, call)
		}
		v.ruling(&ruling)
		if ruling.Effect == event.Deny && (ruling.Rule != nil || !v.claims(need, call)) {
			return
		}
	}
}

// ruledOn reports whether the gates came to the rules: a check of the authorize gate
// that is no question about rules or grants stands before them.
func (v *view) ruledOn(call *tools.Call, d *event.Decision) bool {
	if d.Effect == event.Allow || d.Gate != diag.Authorize {
		return true
	}
	for _, c := range v.lane(call.Tool.Contract().Name).before {
		if c.ID == d.Check {
			return c.aboutGrants() || c.ID == call.Tool.Contract().Name+".allowed"
		}
	}
	return false
}

// claims notes what the grants of a capability say to a need, and reports whether any
// covers it.
func (v *view) claims(need tools.Need, call *tools.Call) bool {
	covered := false
	for _, g := range v.cfg.Grants.All() {
		if g.Capability == need.Capability {
			same := policy.Rule{ID: g.ID, Where: g.Where, Effect: event.Allow, Capability: g.Capability, Pattern: g.Pattern}
			ruling := policy.NewRules(same).Decide(need.Capability, need.Resource, call)
			v.tried(ruling.Tried, ruling.More)
			covered = covered || ruling.Rule != nil
		}
	}
	return covered
}

// ruling takes what the rules said.
func (v *view) ruling(r *policy.Ruling) {
	v.tried(r.Tried, r.More)
	if r.Rule != nil {
		v.see(v.rule(r.Rule.Where))
	}
}

// scoped makes a call of a tool that asks the rules while it works once more, and
// takes what they say.
func (v *view) scoped(p *event.Proposal) {
	defer broken()
	call := v.call(p)
	if call == nil || !call.Tool.Contract().Scoped {
		return
	}
	call.Tool.Bind(call)
	call.Tool.Execute(call, &tools.View{
		Snapshot: v.seen.Snapshot, Limits: &v.cfg.Limits, EditShownOnly: v.cfg.EditShownOnly,
		Allowed: func(capability, resource string) bool {
			ruling := v.cfg.Rules.Decide(capability, resource, call)
			v.ruling(&ruling)
			return v.cfg.Rules.Allows(capability, resource)
		},
		Citable: func(string) bool { return false },
	})
}

// broken ends what a tool or an expression that panics has begun.
func broken() { _ = recover() }
