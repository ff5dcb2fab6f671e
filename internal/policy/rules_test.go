package policy

import (
	"testing"

	"harness/internal/event"
)

func TestRulesDecide(t *testing.T) {
	rules := NewRules(
		Rule{ID: "r0", Effect: event.Allow, Capability: "repo:read", Pattern: "src/**"},
		Rule{ID: "r1", Effect: event.Deny, Capability: "repo:read", Pattern: "src/private/*"},
		Rule{ID: "r2", Effect: event.Allow, Capability: "repo:read", Pattern: "src/private/list.txt"},
		Rule{ID: "r3", Effect: event.Allow, Capability: "repo:read", Pattern: "**"},
		Rule{ID: "r4", Effect: event.Allow, Capability: "repo:read", Pattern: "deploy/.env"},
		Rule{ID: "r5", Effect: event.Allow, Capability: "repo:propose", Pattern: "docs/*"},
	)
	for _, c := range []struct {
		capability, resource string
		effect               event.Effect
		rule                 string
	}{
		{"repo:read", "src/a.ts", event.Allow, "r0"},
		{"repo:read", "src/private/list.txt", event.Deny, "r1"}, // deny wins over a rule that names it
		{"repo:read", "other", event.Allow, "r3"},
		{"repo:read", ".env", event.Deny, ""}, // a glob names no sensitive file
		{"repo:read", "src/.ENV.local", event.Deny, ""},
		{"repo:read", "deploy/.env", event.Allow, "r4"},
		{"repo:read", "src/.ssh/config", event.Deny, ""},
		{"repo:read", ".ENV/prod.txt", event.Deny, ""},
		{"repo:read", ".ſsh/key", event.Deny, ""},
		{"repo:read", "ID_RſA.bak", event.Deny, ""},
		{"repo:read", "prod.env", event.Deny, ""},
		{"repo:read", ".env~", event.Deny, ""},
		{"repo:read", "src/environment.ts", event.Allow, "r0"},
		{"repo:propose", "src/a.ts", event.Deny, ""}, // another capability
		{"repo:propose", "docs/a/b", event.Deny, ""},
		{"repo:propose", "docsx", event.Deny, ""},
	} {
		v := rules.Decide(c.capability, c.resource, nil)
		rule := ""
		if v.Rule != nil {
			rule = v.Rule.ID
		}
		if v.Effect != c.effect || rule != c.rule {
			t.Errorf("%s on %s: got %s by %q, want %s by %q", c.capability, c.resource, v.Effect, rule, c.effect, c.rule)
		}
		if got := rules.Allows(c.capability, c.resource); got != (c.effect == event.Allow) {
			t.Errorf("Allows(%s, %s) = %v, but Decide says %s", c.capability, c.resource, got, c.effect)
		}
	}
}

func TestRulesTriedIsBounded(t *testing.T) {
	many := make([]Rule, 100)
	for i := range many {
		many[i] = Rule{ID: "r", Effect: event.Allow, Capability: "c", Pattern: "p"}
	}
	many[99].Pattern = "wanted"
	v := NewRules(many...).Decide("c", "wanted", nil)
	if v.Effect != event.Allow || len(v.Tried)+v.More != 100 || len(v.Tried) > maxTried+1 {
		t.Errorf("got %s, %d listed and %d more", v.Effect, len(v.Tried), v.More)
	}
	if last := v.Tried[len(v.Tried)-1]; !last.Matched {
		t.Error("the rule that decided is not listed")
	}
}
