package machine

import (
	"fmt"
	"unicode/utf8"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// turn is what one proposal is worked on with. It lives as long as the events
// that point into it, and is allocated in one piece.
type turn struct {
	output   event.Output
	proposal event.Proposal
	action   action.Action
	call     tools.Call
	view     tools.View
	request  policy.Request
	told     event.Observation // what came of it
}

// propose takes the model's bytes through the gates.
func (m *Machine) propose(raw []byte) {
	step := int32(m.state.Used.Steps + 1)
	t := &turn{output: event.Output{Raw: raw}}
	t.proposal.Output = &t.output
	d := &t.proposal.Decision
	m.record(&event.Event{Name: event.ProposalReceived, Step: step, Size: int32(len(raw)), About: &t.output})
	act, fault := m.parse(raw)
	decided := event.Event{Step: step, About: &t.proposal}
	if fault != nil {
		*d = policy.ParseDenied(fault)
		m.reject(decided, d)
		return
	}
	t.action, t.proposal.Action = act, &t.action
	command := m.decide(t)
	decided.Call, decided.Tool, decided.Resource = 1, act.Tool, t.call.Resource
	m.recordGates(&decided, d)
	switch {
	case d.Effect != event.Allow && d.Code.Class == diag.Stop:
		m.recordDecision(decided)
		m.stop(event.Failed, d.Code)
	case d.Effect != event.Allow:
		m.reject(decided, d)
	case act.Kind == action.Finish:
		m.recordDecision(decided)
		m.finish(&t.action)
	default:
		m.recordDecision(decided)
		m.dispatch(decided, t, command)
	}
}

// parse reads an action from the model's bytes, if they are not too many.
func (m *Machine) parse(raw []byte) (action.Action, *action.Fault) {
	if limit := m.cfg.Limits.Output; len(raw) > limit {
		return action.Action{}, &action.Fault{
			Code:    strictjson.JSONTooLarge,
			Message: fmt.Sprintf("the output has %d bytes, at most %d are allowed", len(raw), limit),
		}
	}
	return action.Parse(raw, m.cfg.Registry.Has, m.cfg.ActionTypes)
}

// decide asks the table about a parsed action, on the state as it is now.
func (m *Machine) decide(t *turn) *policy.Command {
	t.call.Args = t.action.Args
	if t.action.Kind == action.Finish {
		t.call.Tool = m.cfg.Finish
	} else if tool, ok := m.cfg.Registry.Lookup(t.action.Tool, t.action.Version); ok {
		t.call.Tool = tool
		t.action.Version = tool.Contract().Version // what was meant: the same action has one digest
	}
	t.view = tools.View{
		Snapshot: m.state.Snapshot, Reads: m.state.Reads, Edits: m.state.Edits,
		Limits: &m.cfg.Limits, EditShownOnly: m.cfg.EditShownOnly,
		Allowed: m.allowed, Citable: m.citable,
	}
	t.request = policy.Request{
		Action: &t.action, Call: &t.call, View: &t.view,
		Rules: m.cfg.Rules, Budgets: &m.cfg.Budgets, Used: &m.state.Used,
	}
	decision, command := m.cfg.Table.Decide(&t.request)
	t.proposal.Decision = decision
	return command
}

// recordGates records which of the named stages the action got through.
func (m *Machine) recordGates(decided *event.Event, d *event.Decision) {
	order := len(diag.Gates())
	if d.Effect != event.Allow {
		order = d.Gate.Order()
	}
	stage := event.Event{Step: decided.Step, Call: decided.Call, Tool: decided.Tool, Resource: decided.Resource}
	if order > diag.Schema.Order() {
		stage.Name = event.SchemaValidated
		m.record(&stage)
	}
	if order >= diag.Authorize.Order() && decided.Tool != tools.FinishName {
		stage.Name, stage.About = event.CapabilityChecked, decided.About
		m.record(&stage)
	}
}

func (m *Machine) recordDecision(decided event.Event) {
	decided.Name = event.ProposalDecided
	m.record(&decided)
}

// reject refuses an action: the run ends, or the model is told and goes on.
func (m *Machine) reject(decided event.Event, d *event.Decision) {
	m.recordDecision(decided)
	m.refused(int(decided.Step), max(int(decided.Call), 1), decided.Tool, 0, d.Refusal)
}

// refused ends the step of a refusal, whether a gate refused or the tool.
func (m *Machine) refused(step, call int, tool string, outcome event.Outcome, refusal *event.Refusal) {
	if m.cfg.OnRejection == StopRun {
		m.stop(event.Rejected, refusal.Code)
		return
	}
	m.observe(&event.Observation{
		Step: step, Call: call, Tool: tool, Outcome: outcome,
		Trust: event.FromPolicy, JSON: refusal.JSON(),
	})
	if m.state.Used.Rejections > m.cfg.Budgets.Rejections {
		m.stop(event.Failed, MaxRejectionsReached)
		return
	}
	m.endStep(step)
}

// dispatch hands a command to the driver. It was decided on this very state.
func (m *Machine) dispatch(decided event.Event, t *turn, command *policy.Command) {
	started := decided
	started.Name = event.ToolStarted
	m.record(&started)
	m.calling = t
	m.next = Effect{Kind: CallTool, Step: int(decided.Step), Command: command}
}

// finishCall takes a tool's answer.
func (m *Machine) finishCall(o tools.Outcome) {
	t, step := m.calling, m.state.Used.Steps
	m.calling = nil
	name := t.call.Tool.Contract().Name
	o = checked(o)
	completed := event.Event{
		Name: event.ToolCompleted, Step: int32(step), Call: 1,
		Tool: name, Resource: t.call.Resource, Outcome: o.Status, Code: o.Code,
	}
	if o.Refusal != nil {
		completed.Code, completed.About = o.Refusal.Code, o.Refusal
	}
	m.record(&completed)
	switch o.Status {
	case event.CallRejected:
		m.refused(step, 1, name, o.Status, o.Refusal)
	case event.CallSucceeded:
		m.recordEffects(step, o)
		t.told = event.Observation{Step: step, Call: 1, Tool: name, Outcome: o.Status, Trust: o.Trust, JSON: o.JSON, Read: o.Read}
		m.observe(&t.told)
		m.endStep(step)
	default:
		m.stop(event.Failed, o.Code)
	}
}

// checked replaces an answer that no tool may give by a stable failure.
func checked(o tools.Outcome) tools.Outcome {
	valid := false
	switch o.Status {
	case event.CallSucceeded:
		valid = len(o.JSON) > 0 && o.JSON[0] == '{' && o.Trust != ""
	case event.CallRejected:
		valid = o.Refusal != nil
	case event.CallFailed, event.CallUnknown:
		valid = o.Code != nil
	}
	if valid {
		return o
	}
	return tools.Outcome{Status: event.CallFailed, Code: ToolFailed}
}

func (m *Machine) recordEffects(step int, o tools.Outcome) {
	if o.Read != nil {
		m.record(&event.Event{Name: event.FileRead, Step: int32(step), Call: 1, About: o.Read})
	}
	if o.Edit != nil {
		m.record(&event.Event{Name: event.EditAccepted, Step: int32(step), Call: 1, About: o.Edit})
	}
}

func (m *Machine) observe(o *event.Observation) {
	o.ID = event.ObservationID(o.Step, o.Call)
	o.Seal(m.cfg.Limits.Observation)
	m.record(&event.Event{Name: event.ObservationRecorded, Step: int32(o.Step), Call: int32(o.Call), Tool: o.Tool, About: o})
}

// endStep looks for a loop, which is no gate: it ends the run whatever was asked.
func (m *Machine) endStep(step int) {
	m.record(&event.Event{Name: event.StepEnded, Step: int32(step)})
	if m.state.repeats(m.cfg.Budgets.Window) >= m.cfg.Budgets.Repeats {
		m.stop(event.Failed, RepeatedProposal)
		return
	}
	m.next = Effect{Kind: Yield, Step: step}
}

// finish ends the run on the model's word: what it leaves is to be reviewed, or
// a claim.
func (m *Machine) finish(act *action.Action) {
	summary, _ := act.Args.Get("summary")
	text := summary.Str()
	m.record(&event.Event{
		Name: event.FinalValidated, Step: m.step(), Call: 1, Tool: tools.FinishName,
		About: &event.Words{Summary: text}, Size: int32(utf8.RuneCountInString(text)),
	})
	if len(m.state.Edits) > 0 {
		m.stop(event.NeedsReview, EditsProposed)
		return
	}
	m.stop(event.ClaimedComplete, FinishClaimed)
}
