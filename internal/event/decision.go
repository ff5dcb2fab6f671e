package event

import (
	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Effect is what a decision or a rule says. The zero value is unset and invalid.
type Effect string

// The effects. Deny wins over confirm, confirm over allow, and silence denies.
const (
	Allow   Effect = "allow"
	Confirm Effect = "confirm" // a person is asked first
	Deny    Effect = "deny"
)

// Strictness orders effects: the strictest of those that apply decides. It is 0 for what
// is no effect.
func (e Effect) Strictness() int {
	switch e {
	case Allow:
		return 1
	case Confirm:
		return 2
	case Deny:
		return 3
	default:
		return 0
	}
}

// Decision is the record of one action's way through the gates.
type Decision struct {
	Effect Effect
	// Gate, Code and Check name what decided a refusal; empty for allow.
	Gate  diag.Gate
	Code  *diag.Code
	Check string
	// Rule is the rule that allowed or refused the resource, Where its place in
	// the scenario ("sum.yaml:18:10"); empty where silence refused it.
	Rule  string
	Where string
	// Tried lists the rules for the capability, in the order written; More is
	// how many were left off the list.
	Tried []RuleTried
	More  int
	// Also lists what else would have refused the action.
	Also []AlsoFailed
	// Refusal is what the model may be told; nil for allow.
	Refusal *Refusal
	// Confirmation is the approval that the call would consume, or that was measured.
	Confirmation string
	// Grants are those that a dispatch uses up by one call, by their places among the
	// run's; nil where rules alone allow.
	Grants []int
}

// RuleTried is one rule that was asked about a resource.
type RuleTried struct {
	Rule    string
	Where   string
	Effect  Effect
	Pattern string
	Matched bool
	// Note says why a rule that looks as if it matched did not.
	Note string
}

// AlsoFailed is a check that would have refused an action which an earlier one
// had refused already. It names no detail: an action that may not see a resource
// may not learn about it here either.
type AlsoFailed struct {
	Gate  diag.Gate
	Code  *diag.Code
	Check string
}

// Refusal is a rejection as the model may see it. No operation was applied.
type Refusal struct {
	Gate    diag.Gate
	Code    *diag.Code
	Message string
	Hint    string
	Details []strictjson.Member
}

// JSON is the refusal as an observation's content, in canonical encoding.
func (r *Refusal) JSON() []byte {
	b := strictjson.AppendText([]byte{'{'}, "code", r.Code.Name)
	if len(r.Details) > 0 {
		b = strictjson.AppendCanonical(strictjson.AppendName(b, "details"), strictjson.OfObject(r.Details...))
	}
	b = strictjson.AppendText(b, "gate", string(r.Gate))
	if r.Hint != "" {
		b = strictjson.AppendText(b, "hint", r.Hint)
	}
	b = strictjson.AppendText(b, "message", r.Message)
	b = strictjson.AppendBool(b, "operationApplied", false)
	return append(strictjson.AppendText(b, "retry", string(r.Code.Retry)), '}')
}
