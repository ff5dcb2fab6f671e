package event

import (
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
	if digest := e.Digest(); !digest.IsZero() && e.Name != CapabilityChecked {
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
	}
}

func (p *Proposal) point(name Name, l *Line) {
	switch d := &p.Decision; name {
	case CapabilityChecked:
		l.Gate, l.Code, l.Rule, l.Where = d.Gate, d.Code.String(), d.Rule, d.Where
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
