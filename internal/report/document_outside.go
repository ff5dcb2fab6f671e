package report

import (
	"time"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
)

// ActDocument is one business act, and what is known of its effect.
type ActDocument struct {
	Action     string            `json:"action" jsonschema:"the action id: the same for every attempt and every proposal of it"`
	Tool       string            `json:"tool"`
	Resource   string            `json:"resource,omitempty"`
	Effect     event.EffectState `json:"effect"`
	Reconciled string            `json:"reconciled,omitempty" jsonschema:"what a look-up of the receipt found"`
	Attempts   int               `json:"attempts"`
}

// ConfirmationRecord is what a person was asked, and what became of it.
type ConfirmationRecord struct {
	ID         string           `json:"id"`
	Step       int              `json:"step"`
	Tool       string           `json:"tool"`
	Version    string           `json:"version"`
	Resource   string           `json:"resource,omitempty"`
	Action     string           `json:"action,omitempty" jsonschema:"the action id"`
	Arguments  strictjson.Value `json:"arguments" jsonschema:"without what no report may show"`
	Digest     string           `json:"digest" jsonschema:"SHA-256 of the whole arguments"`
	PerRun     bool             `json:"perRun,omitempty" jsonschema:"whether an approval stands for every such call of the run"`
	SideEffect string           `json:"sideEffect"`
	Risks      []string         `json:"risks,omitempty"`
	Touches    []string         `json:"touches,omitempty" jsonschema:"what else the call would touch"`
	More       int              `json:"moreTouched,omitempty" jsonschema:"how many things are left off touches"`
	Cost       int              `json:"cost,omitempty"`
	Principal  string           `json:"principal,omitempty"`
	Tenant     string           `json:"tenant,omitempty"`
	Asked      string           `json:"asked" jsonschema:"virtual time, as a Go duration"`
	Expires    string           `json:"expires,omitempty" jsonschema:"virtual time after which an answer counts for nothing; left out if there is none"`
	State      string           `json:"state"`
	Verdict    event.Verdict    `json:"verdict,omitempty" jsonschema:"of the answer that counts"`
	By         string           `json:"by,omitempty"`
	Reason     string           `json:"reason,omitempty"`
}

// OrderDocument is what a person told the run.
type OrderDocument struct {
	Kind   event.OrderKind `json:"kind"`
	At     string          `json:"at" jsonschema:"virtual time, as a Go duration"`
	Step   int             `json:"step" jsonschema:"the latest when it came"`
	By     string          `json:"by,omitempty"`
	Reason string          `json:"reason,omitempty"`
	What   string          `json:"what,omitempty" jsonschema:"the grant or tool that it is about"`
}

// HandoffDocument is what a person needs to take a run over.
type HandoffDocument struct {
	RunID        string                `json:"runId"`
	Reason       string                `json:"reason"`
	Status       event.Status          `json:"status"`
	Version      int                   `json:"version" jsonschema:"sequence number of the last event that it includes"`
	Goal         string                `json:"goal,omitempty"`
	Pending      *PendingDocument      `json:"pending,omitempty" jsonschema:"the action that it is about"`
	Acts         []ActDocument         `json:"acts,omitempty" jsonschema:"all that can have effects"`
	Edits        int                   `json:"edits,omitempty" jsonschema:"candidates that wait for a review"`
	Observations []ObservationDocument `json:"observations,omitempty" jsonschema:"the last ones that a tool vouches for"`
	Last         string                `json:"last,omitempty" jsonschema:"id of the last observation of all"`
	Safe         []string              `json:"safe" jsonschema:"what may be done next"`
	Forbidden    []string              `json:"forbidden" jsonschema:"what no program may do by itself"`
}

// PendingDocument is the action that a handoff is about.
type PendingDocument struct {
	Tool         string           `json:"tool,omitempty" jsonschema:"left out if what was said is no action"`
	Version      string           `json:"version,omitempty"`
	Resource     string           `json:"resource,omitempty"`
	Action       string           `json:"action,omitempty" jsonschema:"the action id"`
	Arguments    strictjson.Value `json:"arguments,omitzero" jsonschema:"without what no report may show"`
	Digest       string           `json:"digest" jsonschema:"SHA-256 of the whole action, or of what was said"`
	Capability   string           `json:"capability,omitempty"`
	Confirmation string           `json:"confirmation,omitempty" jsonschema:"id of the open question"`
	Proposals    int              `json:"proposals" jsonschema:"how often it was proposed"`
}

// AttemptDocument is one dispatch of a call.
type AttemptDocument struct {
	Attempt int               `json:"attempt"`
	Action  string            `json:"action,omitempty" jsonschema:"the action id"`
	Started string            `json:"started" jsonschema:"virtual time, as a Go duration"`
	Took    string            `json:"took,omitempty" jsonschema:"left out if it has not ended"`
	Outcome event.Outcome     `json:"outcome,omitempty"`
	Code    string            `json:"code,omitempty"`
	Effect  event.EffectState `json:"effect,omitempty"`
	Cost    int               `json:"cost,omitempty"`
	Late    event.Outcome     `json:"late,omitempty" jsonschema:"of an answer that came when nobody waited for it any more"`
}

// runID is the identity of the task that a run works on.
func runID(r *runner.Result) string {
	if id := r.Config.Machine.Identity; id != nil && id.Run != "" {
		return id.Run
	}
	return r.Config.ID
}

// attemptOf is the how-manieth attempt at its task a run is, from 1.
func attemptOf(r *runner.Result) int {
	if id := r.Config.Machine.Identity; id != nil && id.Attempt > 0 {
		return id.Attempt
	}
	return 1
}

func verified(r *runner.Result) string {
	switch r.Verified {
	case machine.Holds:
		return "true"
	case machine.Refuted:
		return "false"
	default:
		return "none"
	}
}

// outside fills in what concerns effects outside, persons and the trace.
func (d *ResultDocument) outside(r *runner.Result) {
	if r.Standing != nil {
		d.Cost = r.Standing.Cost
		d.Acts = actDocuments(acts(r.Standing))
		d.Confirmations = ConfirmationRecords(r)
	}
	d.Orders, d.Handoff, d.Trace = orderDocuments(r), Handoff(r), Trace(r)
}

func actDocuments(list []event.Act) []ActDocument {
	var docs []ActDocument
	for i := range list {
		a := &list[i]
		docs = append(docs, ActDocument{
			Action: a.ID, Tool: a.Tool, Resource: a.Resource, Effect: a.Effect, Reconciled: a.Reconciled, Attempts: a.Attempts,
		})
	}
	return docs
}

// ConfirmationRecords lists what persons were asked in a run.
func ConfirmationRecords(r *runner.Result) []ConfirmationRecord {
	if r.Standing == nil {
		return nil
	}
	var list []ConfirmationRecord
	for i := range r.Standing.Confirmations {
		list = append(list, confirmationRecord(&r.Standing.Confirmations[i]))
	}
	return list
}

func confirmationRecord(asked *policy.Asked) ConfirmationRecord {
	c := asked.Confirmation
	d := ConfirmationRecord{
		ID: c.ID, Step: c.Step, Tool: c.Binding.Tool, Version: c.Binding.Version, Resource: c.Binding.Resource, Action: c.Act,
		Arguments: c.Arguments, Digest: c.Binding.Arguments.String(), PerRun: c.PerRun,
		SideEffect: c.SideEffect, Risks: c.Risks, Touches: c.Touches, More: c.More, Cost: c.Cost,
		Principal: c.Binding.Principal, Tenant: c.Binding.Tenant, Asked: c.Asked.String(), Expires: moment(c.Expires),
		State: stateText(asked.State),
	}
	if a := asked.Answer; a != nil {
		d.Verdict, d.By, d.Reason = a.Verdict, a.By, a.Reason
	}
	return d
}

// moment is a time, "" for one that never comes.
func moment(d time.Duration) string {
	if d == machine.Forever {
		return ""
	}
	return d.String()
}

// The states of a question in documents.
const (
	stateOpen     = "open"
	stateApproved = "approved"
	stateUsed     = "used"
	stateClosed   = "closed"
)

func stateText(s policy.AskedState) string {
	switch s {
	case policy.AskedGranted:
		return stateApproved
	case policy.AskedUsed:
		return stateUsed
	case policy.AskedClosed:
		return stateClosed
	default:
		return stateOpen
	}
}

func orderDocuments(r *runner.Result) []OrderDocument {
	var list []OrderDocument
	for i := range r.Events {
		e := &r.Events[i]
		if o, ok := e.About.(*event.Order); ok {
			list = append(list, OrderDocument{Kind: o.Kind, At: e.At.String(), Step: int(e.Step), By: o.By, Reason: o.Reason, What: o.What})
		}
	}
	return list
}

// Handoff is what a person needs to take a run over, nil if nobody has to.
func Handoff(r *runner.Result) *HandoffDocument {
	h := r.Handoff
	if h == nil {
		return nil
	}
	d := &HandoffDocument{
		RunID: runID(r), Reason: h.Reason.String(), Status: h.Status, Version: h.Version, Goal: h.Goal,
		Acts: actDocuments(h.Acts), Edits: h.Edits, Safe: h.Safe, Forbidden: h.Forbidden,
	}
	for _, o := range h.Observations {
		d.Observations = append(d.Observations, observationDocument(o))
	}
	if h.Last != nil {
		d.Last = h.Last.ID
	}
	if p := h.Pending; p != nil {
		d.Pending = &PendingDocument{
			Tool: p.Tool, Version: p.Version, Resource: p.Resource, Action: p.Act, Arguments: pendingArguments(r, p), Digest: p.Digest.String(),
			Capability: p.Capability, Confirmation: p.Confirmation, Proposals: p.Proposals,
		}
	}
	return d
}

// attemptDocuments lists the attempts of a step's call, if there was more than one.
func attemptDocuments(s *Step) []AttemptDocument {
	if len(s.Attempts) < 2 {
		return nil
	}
	list := make([]AttemptDocument, len(s.Attempts))
	for i := range s.Attempts {
		a := &s.Attempts[i]
		d := AttemptDocument{Attempt: a.Number, Started: a.Started.At.String()}
		if sent, ok := a.Started.About.(*event.Dispatch); ok {
			d.Action = sent.Act
		}
		if e := a.Ended; e != nil {
			d.Took, d.Outcome, d.Code = (e.At - a.Started.At).String(), e.Outcome, e.Code.String()
			if c, ok := e.About.(*event.Completion); ok {
				d.Effect, d.Cost = c.Effect, c.Cost
			}
		}
		if a.Late != nil {
			d.Late = a.Late.Outcome
		}
		list[i] = d
	}
	return list
}
