package event

import (
	"time"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Line is an event as it is written: one line of a trace. Contents are named by
// digest, never included.
type Line struct {
	Seq         int              `json:"seq"`
	Step        int              `json:"step"`
	Call        int              `json:"call,omitempty"`
	Event       string           `json:"event"`
	At          string           `json:"at,omitempty"`
	From        string           `json:"from,omitempty"`
	To          string           `json:"to,omitempty"`
	Tool        string           `json:"tool,omitempty"`
	Resource    string           `json:"resource,omitempty"`
	Decision    *DecisionLine    `json:"decision,omitempty"`
	Outcome     string           `json:"outcome,omitempty"`
	Gate        diag.Gate        `json:"gate,omitempty"`
	Code        string           `json:"code,omitempty"`
	Message     string           `json:"message,omitempty"`
	Hint        string           `json:"hint,omitempty"`
	Details     strictjson.Value `json:"details,omitzero"`
	Rule        string           `json:"rule,omitempty"`
	Where       string           `json:"where,omitempty"`
	Observation string           `json:"observation,omitempty"`
	Trust       Trust            `json:"trust,omitempty"`
	Path        string           `json:"path,omitempty"`
	Hash        string           `json:"hash,omitempty"`
	ResultHash  string           `json:"resultHash,omitempty"`
	Bytes       *Span            `json:"bytes,omitempty"`
	AtLine      int              `json:"line,omitempty"`
	Paths       []string         `json:"paths,omitempty"`
	Digest      string           `json:"digest,omitempty"`
	Size        int              `json:"size,omitempty"`

	Action       string      `json:"action,omitempty"` // action id
	Attempt      int         `json:"attempt,omitempty"`
	Confirmation string      `json:"confirmation,omitempty"`
	Answer       string      `json:"answer,omitempty"`
	By           string      `json:"by,omitempty"`
	Reason       string      `json:"reason,omitempty"`
	What         string      `json:"what,omitempty"`
	Cost         int         `json:"cost,omitempty"`
	Effect       EffectState `json:"effect,omitempty"`
	Took         string      `json:"took,omitempty"`
	Until        string      `json:"until,omitempty"`
	Retryable    bool        `json:"retryable,omitempty"`
}

// Span is a half-open range of byte offsets.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// DecisionLine is a decision as it is written.
type DecisionLine struct {
	Effect  Effect           `json:"effect"`
	Gate    diag.Gate        `json:"gate,omitempty"`
	Code    string           `json:"code,omitempty"`
	Check   string           `json:"check,omitempty"`
	Message string           `json:"message,omitempty"`
	Hint    string           `json:"hint,omitempty"`
	Retry   diag.Retry       `json:"retry,omitempty"`
	Details strictjson.Value `json:"details,omitzero"`
	Rule    string           `json:"rule,omitempty"`
	Where   string           `json:"where,omitempty"`
	Tried   []RuleLine       `json:"tried,omitempty"`
	More    int              `json:"moreRules,omitempty"`
	Also    []AlsoLine       `json:"alsoFailed,omitempty"`
}

// RuleLine is one rule tried, as it is written.
type RuleLine struct {
	Rule    string `json:"rule"`
	Where   string `json:"where,omitempty"`
	Effect  Effect `json:"effect"`
	Pattern string `json:"pattern"`
	Matched bool   `json:"matched"`
	Note    string `json:"note,omitempty"`
}

// AlsoLine is one further check that would have refused, as it is written.
type AlsoLine struct {
	Gate  diag.Gate `json:"gate"`
	Code  string    `json:"code"`
	Check string    `json:"check"`
}

// Line gives the event as it is written.
func (e *Event) Line() Line {
	l := Line{
		Seq: int(e.Seq), Step: int(e.Step), Call: int(e.Call), Event: e.Name.String(),
		Tool: e.Tool, Resource: e.Resource, Code: e.Code.String(), Size: int(e.Size),
	}
	if e.At != 0 {
		l.At = e.At.String()
	}
	if e.Code != nil {
		l.Gate = e.Code.Gate
	}
	if e.From != 0 {
		l.From, l.To = e.From.String(), e.To.String()
	}
	if e.Outcome != 0 {
		l.Outcome = e.Outcome.String()
	}
	if digest := e.Digest(); !digest.IsZero() && e.Name != CapabilityChecked && e.Name != ConfirmationChecked {
		l.Digest = digest.String()
	}
	e.point(&l)
	return l
}

// point fills in what the event is about.
func (e *Event) point(l *Line) {
	switch a := e.About.(type) {
	case *Proposal:
		a.point(e.Name, l)
	case *Observation:
		l.Observation, l.Trust, l.Size = a.ID, a.Trust, a.Size
	case *Read:
		l.Path, l.Hash, l.Bytes = a.Path, a.Hash, &Span{From: a.From, To: a.To}
	case *Edit:
		l.Path, l.Hash, l.ResultHash, l.AtLine = a.Path, a.BaseHash, a.Change().ResultHash(), a.Line
		l.Bytes = &Span{From: a.Offset, To: a.Offset + len(a.Before)}
	case *Change:
		l.Paths = a.Paths
	case *Refusal:
		l.Message, l.Hint = a.Message, a.Hint
		if len(a.Details) > 0 {
			l.Details = strictjson.OfObject(a.Details...)
		}
	case *Words:
		l.Message, l.Where = a.Message, a.Where
	default:
		e.pointPerson(l)
	}
}

// pointPerson fills in what concerns effects outside and persons.
func (e *Event) pointPerson(l *Line) {
	switch a := e.About.(type) {
	case *Dispatch:
		l.Action, l.Attempt, l.Cost, l.Confirmation = a.Act, a.Attempt, a.Cost, a.Confirmation
		l.Until = span(a.Deadline)
	case *Completion:
		if a.Refusal != nil {
			(&Event{About: a.Refusal}).point(l)
		}
		if a.Why != "" {
			l.Message = a.Why
		}
		l.Action, l.Attempt, l.Cost, l.Size = a.Act, a.Attempt, a.Cost, a.Bytes
		l.Effect, l.Took, l.Retryable = a.Effect, span(a.Took), a.Retryable
	case *Confirmation:
		l.Confirmation, l.Action, l.Cost, l.Until = a.ID, a.Act, a.Cost, span(a.Expires)
	case *Answer:
		l.Confirmation, l.Answer, l.By, l.Reason, l.Where = a.Request, string(a.Verdict), a.By, a.Reason, a.Where
	case *Order:
		l.Answer, l.By, l.Reason, l.What = string(a.Kind), a.By, a.Reason, a.What
	case *Receipt:
		l.Action, l.Answer, l.Attempt, l.Message, l.Size = a.Act, a.Answer, a.Attempt, a.Why, a.Bytes
	case *Facts:
		l.Message = a.Fault
		if e.Name != CallInspected && a.Fault == "" {
			l.Answer = "does not hold"
			if a.Holds {
				l.Answer = "holds"
			}
		}
	case *Handoff:
		l.Size = len(a.Acts)
	}
}

// span is a time as it is written, "" for none.
func span(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return d.String()
}

func (p *Proposal) point(name Name, l *Line) {
	switch d := &p.Decision; name {
	case CapabilityChecked, ConfirmationChecked:
		l.Rule, l.Where = d.Rule, d.Where
		if name == CapabilityChecked && d.Gate == diag.Authorize || name == ConfirmationChecked && d.Gate == diag.Confirm {
			l.Gate, l.Code = d.Gate, d.Code.String()
		}
	case ProposalDecided:
		l.Gate, l.Code, l.Rule, l.Where = d.Gate, d.Code.String(), d.Rule, d.Where
		l.Decision = d.Line()
	}
}

// Line gives the decision as it is written.
func (d *Decision) Line() *DecisionLine {
	l := &DecisionLine{
		Effect: d.Effect, Gate: d.Gate, Code: d.Code.String(), Check: d.Check,
		Rule: d.Rule, Where: d.Where, More: d.More,
	}
	if d.Refusal != nil {
		l.Message, l.Hint, l.Retry = d.Refusal.Message, d.Refusal.Hint, d.Code.Retry
		if len(d.Refusal.Details) > 0 {
			l.Details = strictjson.OfObject(d.Refusal.Details...)
		}
	}
	for _, t := range d.Tried {
		l.Tried = append(l.Tried, RuleLine(t))
	}
	for _, a := range d.Also {
		l.Also = append(l.Also, AlsoLine{Gate: a.Gate, Code: a.Code.String(), Check: a.Check})
	}
	return l
}
