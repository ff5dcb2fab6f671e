package policy

import (
	"slices"
	"time"

	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Identity is who a run is, and on whose behalf it acts. It does not change.
type Identity struct {
	Run       string
	Session   string
	Attempt   int
	Principal *tools.Principal
	// Policy names the rules and grants: an approval given under others is worth
	// nothing.
	Policy strictjson.Digest
	// ConfirmFor is how long an answer to a question counts.
	ConfirmFor time.Duration
}

// principal is on whose behalf the run acts, nil for nobody's.
func (r *Request) principal() *tools.Principal {
	if r.Terms == nil || r.Terms.Identity == nil {
		return nil
	}
	return r.Terms.Identity.Principal
}

// tenant is that of the principal, "" for nobody's.
func (r *Request) tenant() string {
	if p := r.principal(); p != nil {
		return p.Tenant
	}
	return ""
}

// Standing is what a run has come to so far, as far as decisions look at it. It is
// part of the run's state and changes by events alone.
type Standing struct {
	Grants        []GrantUse // by the grants' places; shorter while none was used
	Confirmations []Asked
	Acts          []Act
	Dispatches    []Dispatched // of tools that lie outside
	Cost          int          // reserved and settled
	Output        int          // bytes of all answers
	Redefined     []string     // tools whose definition has changed
}

// GrantUse is what became of a grant.
type GrantUse struct {
	Calls   int
	Revoked bool
}

// Clone is the same, to be changed by itself.
func (s *Standing) Clone() Standing {
	c := *s
	c.Grants, c.Confirmations, c.Acts = slices.Clone(s.Grants), slices.Clone(s.Confirmations), slices.Clone(s.Acts)
	c.Dispatches, c.Redefined = slices.Clip(s.Dispatches), slices.Clip(s.Redefined)
	return c
}

func (s *Standing) grant(at int) GrantUse {
	if s == nil || at >= len(s.Grants) {
		return GrantUse{}
	}
	return s.Grants[at]
}

// Grant is the use of a grant, to be changed.
func (s *Standing) Grant(at int) *GrantUse {
	for len(s.Grants) <= at {
		s.Grants = append(s.Grants, GrantUse{})
	}
	return &s.Grants[at]
}

// Asked is a question to a person and what became of it.
type Asked struct {
	*event.Confirmation
	State  AskedState
	Answer *event.Answer // once there is one that was accepted
}

// AskedState is the state of a question. The zero value is unset and invalid.
type AskedState uint8

// The states of a question.
const (
	_            AskedState = iota
	AskedOpen               // waits, or was postponed
	AskedGranted            // approved, and not used
	AskedUsed               // its approval was consumed
	AskedClosed             // declined, expired or overtaken
)

// Asked finds a question, nil if there was none of this id.
func (s *Standing) Asked(id string) *Asked {
	if s == nil {
		return nil
	}
	for i := range s.Confirmations {
		if s.Confirmations[i].ID == id {
			return &s.Confirmations[i]
		}
	}
	return nil
}

// Act is a business act that was dispatched.
type Act struct {
	event.Act
	Arguments strictjson.Digest
	// Answer is what the act's succeeded call answered: its receipt.
	Answer *event.Observation
	// Doubtful is set while an attempt may still have an effect: it neither answered
	// nor stopped. Before any other, the receipt is looked up.
	Doubtful bool
}

// Act finds an act, nil if it was not dispatched.
func (s *Standing) Act(id string) *Act {
	if s == nil {
		return nil
	}
	for i := len(s.Acts) - 1; i >= 0; i-- {
		if s.Acts[i].ID == id {
			return &s.Acts[i]
		}
	}
	return nil
}

// Dispatched is one attempt of a call.
type Dispatched struct {
	Tool string
	At   time.Duration
}

// dispatches counts the attempts of a tool since a time.
func (s *Standing) dispatches(tool string, since time.Duration) int {
	if s == nil {
		return 0
	}
	n := 0
	for i := range s.Dispatches {
		if s.Dispatches[i].Tool == tool && s.Dispatches[i].At >= since {
			n++
		}
	}
	return n
}
