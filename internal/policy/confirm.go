package policy

import (
	"fmt"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Binding is what an approval of this command has to be for, as things are now.
func (r *Request) Binding() event.Binding {
	c := r.Call.Tool.Contract()
	b := event.Binding{
		Tenant: r.tenant(), Tool: c.Name, Version: c.Version, Resource: r.Call.Resource,
		Definition: c.Definition, Arguments: strictjson.DigestOf(r.Call.Args),
	}
	if r.Person != nil {
		b.Operands = r.Person.Operands
	}
	if t := r.Terms; t != nil && t.Identity != nil {
		b.Run, b.Session, b.Policy = t.Identity.Run, t.Identity.Session, t.Identity.Policy
	}
	if p := r.principal(); p != nil {
		b.Principal = p.ID
	}
	return b
}

// PerRun reports whether one approval stands for every call of the tool on the
// resource. A rule that demands a person demands one for each call.
func (r *Request) PerRun() bool {
	return r.Call.Tool.Contract().Confirmation == tools.PerRun && r.ruling.Effect != event.Confirm
}

// needsPerson reports whether somebody has to approve the command. What was done
// already needs nobody.
func (r *Request) needsPerson() bool {
	if r.Receipt() != nil {
		return false
	}
	return r.Call.Tool.Contract().Confirmation != "" || r.ruling.Effect == event.Confirm
}

// Receipt is what the act has answered already, nil if it was not done. An act that
// was done is not done again: its receipt is returned.
func (r *Request) Receipt() *event.Observation {
	if r.Call.Act == "" {
		return nil
	}
	if act := r.Standing.Act(r.Call.Act); act != nil {
		return act.Answer
	}
	return nil
}

// approval is the answer that the command is measured by: the one just given, else
// one that was given before and fits.
func (r *Request) approval() *event.Answer {
	if r.Person == nil {
		r.Person = &Person{}
	}
	if r.Person.Answer != nil {
		return r.Person.Answer
	}
	if asked := r.Standing.Asked(r.Approved); asked != nil {
		return asked.Answer
	}
	if r.Person.chosen == nil && r.Standing != nil {
		want := r.Binding()
		for i := range r.Standing.Confirmations {
			asked := &r.Standing.Confirmations[i]
			if asked.State == AskedGranted && asked.covers(&want, r.PerRun()) && (asked.PerRun || r.Now <= asked.Expires) {
				r.Person.chosen = asked.Answer
				break
			}
		}
	}
	return r.Person.chosen
}

// covers reports whether a question was about this command.
func (a *Asked) covers(want *event.Binding, perRun bool) bool {
	have := &a.Binding
	if have.Tool != want.Tool || have.Resource != want.Resource {
		return false
	}
	return a.PerRun && perRun || have.Arguments == want.Arguments
}

// confirmChecks compare an approval with the command, part by part. They are asked
// about commands that need a person only.
func confirmChecks() []Check {
	of := func(id string, code *diag.Code, fails func(r *Request, a *event.Answer, asked *Asked) string) Check {
		return Check{ID: "confirm." + id, Gate: diag.Confirm, Code: code, Decide: func(r *Request) *tools.Fault {
			answer := r.approval()
			if answer == nil {
				return nil
			}
			if words := fails(r, answer, r.Standing.Asked(answer.Request)); words != "" {
				return &tools.Fault{Message: words}
			}
			return nil
		}}
	}
	bound := func(id string, code *diag.Code, differs func(have, want *event.Binding) bool, words string) Check {
		return of(id, code, func(r *Request, a *event.Answer, _ *Asked) string {
			if want := r.Binding(); differs(&a.Binding, &want) {
				return words
			}
			return ""
		})
	}
	return []Check{
		{ID: "confirm.looked", Gate: diag.Confirm, Code: OperandsUnknown, Decide: func(r *Request) *tools.Fault {
			if r.Person == nil || r.Person.Unseen == "" || r.approval() != nil { // an approval was for something that was there
				return nil
			}
			if len(r.Call.Tool.Contract().Sensitive) > 0 { // the words may quote an argument
				return &tools.Fault{Message: "what the call would touch cannot be looked at"}
			}
			return &tools.Fault{Message: r.Person.Unseen}
		}},
		of("known", ConfirmationUnknown, func(_ *Request, a *event.Answer, asked *Asked) string {
			if asked == nil {
				return "nobody was asked under the id " + strictjson.Quote(a.Request)
			}
			return ""
		}),
		of("unused", ConfirmationUsed, func(r *Request, _ *event.Answer, asked *Asked) string {
			if asked != nil && asked.State == AskedClosed {
				return "the question " + asked.ID + " is closed: it was declined, or what it asked about was refused"
			}
			if asked != nil && asked.State == AskedUsed && asked.ID != r.Approved && !(asked.PerRun && r.PerRun()) {
				return "the approval " + asked.ID + " was used before"
			}
			return ""
		}),
		bound("run", ConfirmationOtherRun, func(have, want *event.Binding) bool { return have.Run != want.Run },
			"the approval is for another run"),
		bound("session", ConfirmationOtherSession, func(have, want *event.Binding) bool { return have.Session != want.Session },
			"the approval is for another session"),
		bound("tenant", ConfirmationOtherTenant, func(have, want *event.Binding) bool { return have.Tenant != want.Tenant },
			"the approval is for another tenant"),
		bound("principal", ConfirmationOtherPrincipal, func(have, want *event.Binding) bool { return have.Principal != want.Principal },
			"the approval is for another principal"),
		bound("version", ConfirmationOtherVersion, func(have, want *event.Binding) bool {
			return have.Tool != want.Tool || have.Version != want.Version || have.Definition != want.Definition
		}, "the approval is for another version or definition of the tool"),
		of("swapped", ConfirmationSwapped, func(r *Request, a *event.Answer, asked *Asked) string {
			if asked == nil || a.Binding == asked.Binding {
				return ""
			}
			for i := range r.Standing.Confirmations {
				other := &r.Standing.Confirmations[i]
				if other.ID != asked.ID && other.State == AskedOpen && other.Binding == a.Binding {
					return fmt.Sprintf("the approval carries the id %s and what %s asks for", asked.ID, other.ID)
				}
			}
			return ""
		}),
		of("arguments", ConfirmationMismatch, func(r *Request, a *event.Answer, asked *Asked) string {
			want := r.Binding()
			if perRun := asked != nil && asked.PerRun && r.PerRun(); a.Binding.Resource != want.Resource || !perRun && a.Binding.Arguments != want.Arguments {
				return "what was approved is not what would be done"
			}
			return ""
		}),
		of("operands", ConfirmationOperandsChanged, func(r *Request, a *event.Answer, asked *Asked) string {
			if perRun := asked != nil && asked.PerRun && r.PerRun(); !perRun && a.Binding.Operands != r.Person.Operands {
				return "what the call would touch has changed since it was approved"
			}
			return ""
		}),
		bound("policy", ConfirmationOtherPolicy, func(have, want *event.Binding) bool { return have.Policy != want.Policy },
			"the approval was given under other rules"),
		of("expiry", ConfirmationExpired, func(r *Request, _ *event.Answer, asked *Asked) string {
			// One for the whole run is measured by when it was given.
			if asked != nil && r.Now > asked.Expires && (r.Person.Answer != nil || !asked.PerRun) {
				return fmt.Sprintf("the question %s expired at %s; it is %s", asked.ID, asked.Expires, r.Now)
			}
			return ""
		}),
		of("declined", ConfirmationDeclined, func(_ *Request, a *event.Answer, _ *Asked) string {
			if a.Verdict != event.Declined {
				return ""
			}
			return "a person declined"
		}),
		{ID: "confirm.asked", Gate: diag.Confirm, Code: UserConfirmationRequired, Decide: func(r *Request) *tools.Fault {
			if r.approval() != nil {
				return nil
			}
			return &tools.Fault{Message: "a person has to approve this command"}
		}},
	}
}
