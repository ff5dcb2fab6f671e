// Package policy decides, and only decides: whether a rule covers a capability
// on a resource, whether a budget is left, and what the table of checks says
// about an action. Its functions are pure; a decision changes nothing.
//
// The table is ordered data. The same check ids appear in decisions, in help, in
// coverage and in mutants, which are the same table with one check weakened.
package policy

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"harness/internal/event"
	"harness/internal/tools"
)

// Rule allows or denies a capability on the resources its pattern covers, or
// demands a person.
type Rule struct {
	ID         string // "task.read[1]", "rules[0]"
	Where      string // its place in the scenario, "sum.yaml:18:10"
	Effect     event.Effect
	Capability string
	Pattern    string // doublestar glob, or a literal path
	When       *Condition

	glob bool // set by NewRules
}

// IsGlob reports whether the pattern stands for more than the one path it spells.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// ValidPattern reports whether a pattern is well formed.
func ValidPattern(pattern string) bool { return doublestar.ValidatePattern(pattern) }

// Rules is a set of rules in the order written. It does not change once made.
type Rules struct {
	rules  []Rule
	scopes []scope
}

// scope is what the set says about one capability.
type scope struct {
	capability string
	rules      []*Rule
	ruling     Ruling // on the capability as a whole
}

// NewRules makes a set; patterns must be valid ([ValidPattern]).
func NewRules(rules ...Rule) *Rules {
	rules = slices.Clone(rules)
	r := &Rules{rules: rules}
	for i := range rules {
		rules[i].glob = IsGlob(rules[i].Pattern)
		s := r.scope(rules[i].Capability)
		if s == nil {
			r.scopes = append(r.scopes, scope{capability: rules[i].Capability})
			s = &r.scopes[len(r.scopes)-1]
		}
		s.rules = append(s.rules, &rules[i])
	}
	for i := range r.scopes {
		r.scopes[i].ruling = r.scopes[i].whole()
	}
	return r
}

// All lists the rules; callers must not modify the list.
func (r *Rules) All() []Rule { return r.rules }

func (r *Rules) scope(capability string) *scope {
	for i := range r.scopes {
		if r.scopes[i].capability == capability {
			return &r.scopes[i]
		}
	}
	return nil
}

// maxTried bounds the list of rules in a decision.
const maxTried = 32

// Ruling is what the rules say about one capability on one resource.
type Ruling struct {
	Effect event.Effect
	Rule   *Rule // the rule that decided; nil where silence denies
	Tried  []event.RuleTried
	More   int // rules asked but left off Tried
}

// list adds a rule to those tried; the first that matches is always listed.
func (v *Ruling) list(rule *Rule, matched bool, note string) {
	if len(v.Tried) >= maxTried && (!matched || v.Rule != nil) {
		v.More++
		return
	}
	v.Tried = append(v.Tried, event.RuleTried{
		Rule: rule.ID, Where: rule.Where, Effect: rule.Effect,
		Pattern: rule.Pattern, Matched: matched, Note: note,
	})
}

// Decide merges the rules: deny over confirm over allow; silence denies. A
// condition that cannot be answered holds for a rule that denies or demands a
// person, and for no other.
func (r *Rules) Decide(capability, resource string, call *tools.Call) Ruling {
	s := r.scope(capability)
	if s == nil {
		return Ruling{Effect: event.Deny}
	}
	v := Ruling{Effect: event.Deny, Tried: make([]event.RuleTried, 0, min(len(s.rules), maxTried+1))}
	named := false // by a rule that lets through, be it with a person
	for _, rule := range s.rules {
		matched, note := rule.matches(resource)
		if matched && rule.When != nil {
			matched, note = rule.holds(call)
		}
		v.list(rule, matched, note)
		if matched && (v.Rule == nil || rule.Effect.Strictness() > v.Effect.Strictness()) {
			v.Rule, v.Effect = rule, rule.Effect
		}
		named = named || matched && rule.Effect != event.Deny && !rule.glob
	}
	if v.Effect == event.Confirm && !named && Sensitive(resource) {
		return v.unnamed()
	}
	return v
}

// unnamed is the ruling on a sensitive file for which only globs demand a person: they
// demand one of those who may have it, and let nobody have it.
func (v Ruling) unnamed() Ruling {
	for i := range v.Tried {
		if t := &v.Tried[i]; t.Matched {
			t.Matched, t.Note = false, needsName
		}
	}
	v.Rule, v.Effect = nil, event.Deny
	return v
}

// holds asks the rule's condition.
func (r *Rule) holds(call *tools.Call) (bool, string) {
	holds, err := r.When.Holds(call)
	switch {
	case err == nil && holds:
		return true, ""
	case err == nil:
		return false, "its condition does not hold"
	default:
		return r.Effect != event.Allow, "its condition could not be answered"
	}
}

// Scope is the ruling on a capability whose resources are asked one by one
// while the tool works: allowed if any rule allows any resource at all, and with a
// person if rules do no more than that.
func (r *Rules) Scope(capability string) Ruling {
	if s := r.scope(capability); s != nil {
		return s.ruling
	}
	return Ruling{Effect: event.Deny}
}

func (s *scope) whole() Ruling {
	v := Ruling{Effect: event.Deny}
	for _, rule := range s.rules {
		allows := rule.Effect != event.Deny
		v.list(rule, allows, "")
		if allows && (v.Rule == nil || rule.Effect == event.Allow && v.Effect == event.Confirm) {
			v.Rule, v.Effect = rule, rule.Effect
		}
	}
	return v
}

// Allows is Decide without the record, and without a call that a condition could
// be asked about: whether the resource is allowed, whatever is asked, and without a
// person.
func (r *Rules) Allows(capability, resource string) bool {
	s := r.scope(capability)
	if s == nil {
		return false
	}
	allowed := false
	for _, rule := range s.rules {
		if matched, _ := rule.matches(resource); matched {
			if rule.Effect != event.Allow {
				return false
			}
			allowed = allowed || rule.When == nil
		}
	}
	return allowed
}

const needsName = "a sensitive file needs a rule that names it, not a glob"

// matches compares the whole resource with the pattern. A glob never allows a
// sensitive file, but it does deny one, or demand a person for it.
func (r *Rule) matches(resource string) (bool, string) {
	if r.Pattern == resource {
		return true, ""
	}
	if !r.glob || !doublestar.MatchUnvalidated(r.Pattern, resource) {
		return false, ""
	}
	if r.Effect == event.Allow && Sensitive(resource) {
		return false, needsName
	}
	return true, ""
}

// Sensitive reports whether a path is of a kind that usually holds secrets:
// environment files, private keys, credential stores, and what lies in folders
// of that name. Letter case is ignored.
func Sensitive(resource string) bool {
	for rest, more := folded(resource), true; more; {
		var segment string
		if segment, rest, more = strings.Cut(rest, "/"); sensitiveName(segment) {
			return true
		}
	}
	return false
}

// folded is a path without letter case.
func folded(path string) string {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			// Upper case first: some letters, such as U+017F, fold only that way.
			return strings.ToLower(strings.ToUpper(path))
		}
	}
	return strings.ToLower(path)
}

func sensitiveName(segment string) bool {
	switch segment {
	case ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials",
		"credentials", "credentials.json", ".ssh", ".aws", ".azure", ".docker", ".gnupg", ".kube":
		return true
	}
	if strings.HasPrefix(segment, ".env") || strings.HasPrefix(segment, "id_") {
		for _, prefix := range []string{".env.", ".env-", ".env_", ".env~", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"} {
			if strings.HasPrefix(segment, prefix) {
				return true
			}
		}
	}
	switch path.Ext(segment) {
	case ".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx":
		return true
	}
	return false
}
