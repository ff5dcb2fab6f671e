package policy

import (
	"fmt"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Condition is a question about a call: an expression over its arguments and the
// principal. One that cannot be answered is an error, and what needs it then does
// not hold.
type Condition struct{ program *expression.Program }

// NewCondition takes an expression compiled over args and principal, in that order,
// that gives a truth value; nil for none.
func NewCondition(p *expression.Program) *Condition {
	if p == nil {
		return nil
	}
	return &Condition{p}
}

// Holds asks the condition about a call. A nil condition holds.
func (c *Condition) Holds(call *tools.Call) (bool, error) {
	if c == nil {
		return true, nil
	}
	v, err := c.program.Eval(call.Args, call.Principal.Value())
	return err == nil && v.Bool(), err
}

// Source is the condition as it was written.
func (c *Condition) Source() string {
	if c == nil {
		return ""
	}
	return c.program.Source()
}

// Unlimited is the Calls of a grant that bounds no number of calls.
const Unlimited = -1

// Grant is a capability given to one run, within bounds.
type Grant struct {
	ID         string // "grants[0]", or the name it was given
	Where      string // its place in the scenario
	Capability string
	Pattern    string // doublestar glob, or a literal resource
	Until      int    // the last step at which it holds; 0 has no end
	Calls      int    // most dispatches; Unlimited for any number
	Tenant     string // that the principal must belong to; "" for any
	When       *Condition

	rule Rule // the same as a rule, for matching
}

// Grants is a run's grants in the order written. It does not change once made.
type Grants struct{ list []Grant }

// NewGrants makes a set; patterns must be valid ([ValidPattern]).
func NewGrants(list ...Grant) *Grants {
	g := &Grants{list: append([]Grant(nil), list...)}
	for i := range g.list {
		one := &g.list[i]
		one.rule = Rule{
			ID: one.ID, Where: one.Where, Effect: event.Allow, Capability: one.Capability,
			Pattern: one.Pattern, glob: IsGlob(one.Pattern),
		}
	}
	return g
}

// All lists the grants; callers must not modify the list.
func (g *Grants) All() []Grant {
	if g == nil {
		return nil
	}
	return g.list
}

// Find is the place of a grant, -1 if there is none of this id.
func (g *Grants) Find(id string) int {
	for i := range g.All() {
		if g.list[i].ID == id {
			return i
		}
	}
	return -1
}

// Covers reports whether some grant is for this capability at all.
func (g *Grants) Covers(capability string) bool {
	for i := range g.All() {
		if g.list[i].Capability == capability {
			return true
		}
	}
	return false
}

// claim is a need that rests on grants: those that cover its resource and were not
// ruled out so far.
type claim struct {
	need   tools.Need
	grants []int
}

// claims finds the grants whose capability and resource fit a need, and notes all
// that were looked at.
func (g *Grants) claim(need tools.Need, v *Ruling) claim {
	c := claim{need: need}
	for i := range g.All() {
		one := &g.list[i]
		if one.Capability != need.Capability {
			continue
		}
		matched, note := one.rule.matches(need.Resource)
		v.list(&one.rule, matched, note)
		if matched {
			c.grants = append(c.grants, i)
		}
	}
	return c
}

// narrow keeps the grants of each claim that pass a question. It refuses a claim
// that none passes, with the words for the last that did not.
func (r *Request) narrow(fails func(*Grant, GrantUse) string) *tools.Fault {
	for i := range r.claims {
		c := &r.claims[i]
		kept, last, why := c.grants[:0:0], 0, ""
		for _, at := range c.grants {
			g := &r.grants().list[at]
			if words := fails(g, r.Standing.grant(at)); words != "" {
				last, why = at, g.ID+" "+words
				continue
			}
			kept = append(kept, at)
		}
		// The record names the grant that decides, not the first that fits.
		if names := &r.ruling.Rule; *names == &r.grants().list[c.grants[0]].rule {
			if len(kept) > 0 {
				last = kept[0]
			}
			*names = &r.grants().list[last].rule
		}
		if len(kept) == 0 {
			return &tools.Fault{Message: fmt.Sprintf("%s on %s: the grant %s", c.need.Capability, orAnything(c.need.Resource), why)}
		}
		c.grants = kept
	}
	return nil
}

func orAnything(resource string) string {
	if resource == "" {
		return "anything"
	}
	return resource
}

// grantChecks ask whether a grant that covers the resource holds now, for this
// principal and these arguments. What rules allow they do not ask about.
func grantChecks() []Check {
	of := func(id string, code *diag.Code, fails func(*Request) func(*Grant, GrantUse) string) Check {
		return Check{ID: "grant." + id, Gate: diag.Authorize, Code: code, Decide: func(r *Request) *tools.Fault {
			if len(r.claims) == 0 {
				return nil
			}
			return r.narrow(fails(r))
		}}
	}
	return []Check{
		of("tenant", GrantOtherTenant, func(r *Request) func(*Grant, GrantUse) string {
			return func(g *Grant, _ GrantUse) string {
				if g.Tenant == "" || r.tenant() == g.Tenant {
					return ""
				}
				return "is for another tenant"
			}
		}),
		of("revoked", GrantRevoked, func(*Request) func(*Grant, GrantUse) string {
			return func(_ *Grant, use GrantUse) string {
				if use.Revoked {
					return "was revoked"
				}
				return ""
			}
		}),
		of("expiry", GrantExpired, func(r *Request) func(*Grant, GrantUse) string {
			return func(g *Grant, _ GrantUse) string {
				if g.Until == 0 || int(r.Step) <= g.Until {
					return ""
				}
				return fmt.Sprintf("ended with step %d; this is step %d", g.Until, r.Step)
			}
		}),
		of("calls", GrantUsedUp, func(*Request) func(*Grant, GrantUse) string {
			return func(g *Grant, use GrantUse) string {
				if g.Calls == Unlimited || use.Calls < g.Calls {
					return ""
				}
				return fmt.Sprintf("allows %s, and no more", calls(g.Calls))
			}
		}),
		of("condition", GrantConditionFailed, func(r *Request) func(*Grant, GrantUse) string {
			discreet := len(r.Call.Tool.Contract().Sensitive) > 0 // the words of an error may quote an argument
			return func(g *Grant, _ GrantUse) string {
				holds, err := g.When.Holds(r.Call)
				switch {
				case err != nil && discreet:
					return "has a condition that could not be answered"
				case err != nil:
					return "has a condition that could not be answered: " + err.Error()
				case !holds:
					return "holds only when " + strictjson.Quote(g.When.Source())
				}
				return ""
			}
		}),
	}
}

// consumed lists the grants that a dispatch uses up by one, by their places: the
// first that holds for each claim, once each.
func (r *Request) consumed() []int {
	var list []int
	for i := range r.claims {
		at := r.claims[i].grants[0]
		seen := false
		for _, have := range list {
			seen = seen || have == at
		}
		if !seen {
			list = append(list, at)
		}
	}
	return list
}
