package machine

import (
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// mostTrusted is how many observations of trusted tools a handoff names.
const mostTrusted = 3

// handsOver reports whether a person has to go on from an end: an effect is in
// doubt, the run failed after others were applied, it went in circles, no rule could
// be asked, or a budget ran out with something made.
func (m *Machine) handsOver(status event.Status, reason *diag.Code) bool {
	if status != event.Failed && status != event.Cancelled {
		return false
	}
	made := len(m.state.Edits) > 0
	for i := range m.state.Standing.Acts {
		switch m.state.Standing.Acts[i].Effect {
		case event.EffectUnknown, event.EffectUnverified:
			return true
		case event.EffectApplied:
			if made = true; status == event.Failed {
				return true
			}
		}
	}
	switch reason {
	case RepeatedProposal, PollLimitReached, HandoffRequested, ToolUnknown, MaxRejectionsReached:
		return true
	}
	return reason.Gate == diag.Budget && made || reason == policy.CheckFailed
}

// Handoff is the bundle for a run as it stands: what a person needs who is asked, or
// who takes over.
func (m *Machine) Handoff() *event.Handoff {
	if m.state.Handoff != nil {
		return m.state.Handoff
	}
	return m.handoff(m.state.Status, policy.UserConfirmationRequired)
}

func (m *Machine) handoff(status event.Status, reason *diag.Code) *event.Handoff {
	s := &m.state
	h := &event.Handoff{
		Reason: reason, Status: status, Version: m.before + len(m.events), Goal: m.cfg.Goal,
		Observations: trusted(s.Observations), Last: s.last(), Edits: len(s.Edits), Pending: m.pending(reason),
	}
	for i := range s.Standing.Acts {
		h.Acts = append(h.Acts, s.Standing.Acts[i].Act)
	}
	h.Safe, h.Forbidden = m.advice(h)
	return h
}

// trusted lists the last observations that a tool vouches for, oldest first.
func trusted(all []*event.Observation) []*event.Observation {
	var list []*event.Observation
	for i := len(all) - 1; i >= 0 && len(list) < mostTrusted; i-- {
		if all[i].Trust == event.TrustedTool && all[i].Outcome == event.CallSucceeded {
			list = append([]*event.Observation{all[i]}, list...)
		}
	}
	return list
}

// pending is the action that the run was about when it stopped: the one worked on,
// else the last that was proposed; nil if there was none, or if it is done and was not
// what the run stopped for.
func (m *Machine) pending(reason *diag.Code) *event.Pending {
	if last := m.state.last(); last != nil && last.Outcome == event.CallSucceeded && last.Step == m.state.Used.Steps && !stopsForProposals(reason) {
		return nil
	}
	var p *event.Proposal
	count := 0
	if n := len(m.state.window); n > 0 {
		p, count = m.state.window[n-1].proposal, m.state.repeats(len(m.state.window))
	}
	t := m.turn
	if t != nil {
		p, count = t.proposal, max(count, 1)
	}
	switch {
	case p == nil:
		return nil
	case p.Action == nil: // what was said is no action
		return &event.Pending{Digest: strictjson.DigestBytes(p.Output.Raw), Proposals: count}
	case p.Action.Tool == tools.FinishName:
		return nil
	}
	pending := &event.Pending{Tool: p.Action.Tool, Version: p.Action.Version, Arguments: p.Action.Args, Digest: p.Action.Digest(), Proposals: count}
	if tool, ok := m.cfg.Registry.Lookup(p.Action.Tool, p.Action.Version); ok {
		pending.Arguments = Shown(p.Action.Args, tool.Contract().Sensitive)
		pending.Capability = tool.Contract().Capability
	}
	if t != nil {
		pending.Resource, pending.Act = t.call.Resource, t.call.Act
		if t.person.asked != nil && m.state.Status == event.WaitingConfirmation {
			pending.Confirmation = t.person.asked.ID
		}
	}
	return pending
}

// stopsForProposals reports whether a run stops for what was proposed, whatever came of it.
func stopsForProposals(reason *diag.Code) bool {
	return reason == RepeatedProposal || reason == PollLimitReached || reason == MaxRejectionsReached
}

// findOut says how a person can find out whether an effect exists.
func (m *Machine) findOut(a *event.Act) string {
	if tool, ok := m.cfg.Registry.Lookup(a.Tool, ""); ok && tool.Contract().Lookup {
		return "look up " + a.ID + " in the system that " + a.Tool + " writes to, by this id"
	}
	return "find out in the system that " + a.Tool + " writes to whether " + a.ID + " has happened; it keeps no receipt to look up"
}

// advice says what may be done next and what no program may do by itself.
func (m *Machine) advice(h *event.Handoff) (safe, forbidden []string) {
	for i := range h.Acts {
		a := &h.Acts[i]
		switch a.Effect {
		case event.EffectUnknown:
			safe = append(safe, m.findOut(a))
			forbidden = append(forbidden, "repeat "+a.ID+", or make the same change under another id, before it is known whether it exists")
		case event.EffectUnverified:
			remedy := "compensate or isolate it"
			if m.isIrreversible(a) {
				remedy = "isolate it, for it cannot be taken back"
			}
			safe = append(safe, "compare what "+a.ID+" left with what was asked for; "+remedy)
			forbidden = append(forbidden, "take "+a.ID+" for done because its tool said so")
		case event.EffectApplied:
			if m.isIrreversible(a) {
				safe = append(safe, "go on from what "+a.ID+" did; it cannot be taken back")
			} else {
				safe = append(safe, "keep what "+a.ID+" did, or compensate it; it is not undone by itself")
			}
		}
	}
	if h.Edits > 0 {
		safe = append(safe, "review the edits; none is applied")
		forbidden = append(forbidden, "apply an edit without a review")
	}
	switch h.Reason {
	case policy.UserConfirmationRequired:
		safe = append(safe, "approve or decline the question, after looking at the command")
		forbidden = append(forbidden, "answer for the person, or take silence for consent")
	case RepeatedProposal, PollLimitReached, MaxRejectionsReached:
		if h.Pending != nil && isDone(h, h.Pending.Act) {
			safe = append(safe, "tell the model that "+h.Pending.Act+" is done")
			forbidden = append(forbidden, "do "+h.Pending.Act+" again, by hand or by program")
		} else {
			safe = append(safe, "change what the model is told, or do the step by hand")
		}
		forbidden = append(forbidden, "run the same model on the same state again")
	case HandoffRequested:
		safe = append(safe, "decide what is true, then start a run that is told so")
		forbidden = append(forbidden, "choose between contradicting observations without a person")
	case policy.CheckFailed:
		safe = append(safe, "correct the check that could not answer")
		forbidden = append(forbidden, "leave the check out to get on")
	}
	if len(safe) == 0 {
		safe = append(safe, "read the trace, and start a new run with what is missing")
	}
	forbidden = append(forbidden, "set the run's status by hand")
	return safe, forbidden
}

// isIrreversible reports whether the contract of an act's tool says so.
func (m *Machine) isIrreversible(a *event.Act) bool {
	tool, ok := m.cfg.Registry.Lookup(a.Tool, "")
	return ok && tool.Contract().SideEffect == tools.Irreversible
}

// isDone reports whether an act is among those that were applied.
func isDone(h *event.Handoff, act string) bool {
	for i := range h.Acts {
		if h.Acts[i].ID == act {
			return h.Acts[i].Effect == event.EffectApplied
		}
	}
	return false
}
