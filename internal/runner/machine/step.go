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
	first    event.Proposal
	proposal *event.Proposal // the first, or a later one where it was decided anew
	action   action.Action
	call     tools.Call
	view     tools.View
	request  policy.Request
	told     event.Observation // what came of it
	step     int32
	known    bool     // what it is about: its events name tool and resource
	outside  *outside // what a tool that lies outside needs besides
	person   person
}

// renew makes place for another decision: what was recorded does not change.
func (t *turn) renew() {
	again := *t.proposal
	t.proposal = &again
}

// event is an event about the turn.
func (t *turn) event(name event.Name) event.Event {
	e := event.Event{Name: name, Step: t.step}
	if t.known {
		e.Call, e.Tool, e.Resource = 1, t.action.Tool, t.call.Resource
	}
	return e
}

// propose takes the model's bytes through the gates.
func (m *Machine) propose(raw []byte) {
	step := int32(m.state.Used.Steps + 1)
	t := &turn{output: event.Output{Raw: raw}, step: step}
	t.first.Output = &t.output
	t.proposal = &t.first
	m.record(&event.Event{Name: event.ProposalReceived, Step: step, Size: int32(len(raw)), About: &t.output})
	act, fault := m.parse(raw)
	if fault != nil {
		t.proposal.Decision = policy.ParseDenied(fault)
		m.reject(t)
		return
	}
	t.action, t.proposal.Action = act, &t.action
	m.turn = t
	m.bind(t)
	m.resolve(t)
}

// resolve decides about a turn's command and does what was decided, once it is
// known what the call would touch.
func (m *Machine) resolve(t *turn) {
	command := m.decide(t)
	if m.mustInspect(t) {
		m.inspect(t)
		return
	}
	m.proceed(t, command)
}

// proceed does what was decided.
func (m *Machine) proceed(t *turn, command *policy.Command) {
	d := &t.proposal.Decision
	t.known = true
	m.recordGates(t)
	switch {
	case d.Effect == event.Confirm:
		m.ask(t)
	case d.Effect != event.Allow && d.Code.Class == diag.Stop:
		m.recordDecision(t)
		m.stop(event.Failed, d.Code)
	case d.Effect != event.Allow && m.doubtful(t):
		m.recordDecision(t) // a further attempt may not be made, and an earlier one may have an effect
		m.giveUp(t)
	case d.Effect != event.Allow:
		m.reject(t)
	case t.action.Kind == action.Finish:
		m.recordDecision(t)
		m.finish(t)
	default:
		m.recordDecision(t)
		m.dispatch(t, command)
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

// bind finds what a parsed action is about.
func (m *Machine) bind(t *turn) {
	t.call.Args = t.action.Args
	if t.action.Kind == action.Finish {
		t.call.Tool = m.cfg.Finish
	} else if tool, ok := m.cfg.Registry.Lookup(t.action.Tool, t.action.Version); ok {
		t.call.Tool = tool
		t.action.Version = tool.Contract().Version // what was meant: the same action has one digest
		if _, is := tool.(tools.Outside); is {
			m.bindOutside(t)
		}
	}
}

// decide asks the table, on the state as it is now.
func (m *Machine) decide(t *turn) *policy.Command {
	t.call.Memo = nil
	t.view = tools.View{
		Snapshot: m.state.Snapshot, Reads: m.state.Reads, Edits: m.state.Edits,
		Limits: &m.cfg.Limits, EditShownOnly: m.cfg.EditShownOnly,
		Allowed: m.allowed, Citable: m.citable,
	}
	t.request = policy.Request{
		Action: &t.action, Call: &t.call, View: &t.view,
		Rules: m.cfg.Rules, Budgets: &m.cfg.Budgets, Used: &m.state.Used,
		Terms: m.terms, Standing: &m.state.Standing, Step: t.step, Now: m.now,
	}
	if o := t.outside; o != nil {
		t.request.Approved = o.approved
		t.request.Person = &policy.Person{Operands: o.operands, Unseen: o.unseen, Answer: t.person.answer}
	} else if t.person.answer != nil {
		t.request.Person = &policy.Person{Answer: t.person.answer}
	}
	decision, command := m.cfg.Table.Decide(&t.request)
	t.proposal.Decision = decision
	return command
}

// recordGates records which of the named stages the action got through.
func (m *Machine) recordGates(t *turn) {
	d := &t.proposal.Decision
	order := len(diag.Gates())
	if d.Effect != event.Allow {
		order = d.Gate.Order()
	}
	stage := t.event(event.SchemaValidated)
	if order > diag.Schema.Order() && !t.person.validated {
		m.record(&stage)
	}
	if t.action.Tool == tools.FinishName {
		return
	}
	t.person.validated = true
	stage.About = t.proposal
	if order >= diag.Authorize.Order() {
		stage.Name = event.CapabilityChecked
		m.record(&stage)
	}
	if t.needsPerson() && order >= diag.Confirm.Order() {
		stage.Name = event.ConfirmationChecked
		m.record(&stage)
	}
}

func (m *Machine) recordDecision(t *turn) {
	decided := t.event(event.ProposalDecided)
	decided.About = t.proposal
	m.record(&decided)
}

// reject refuses an action: the run ends, or the model is told and goes on.
func (m *Machine) reject(t *turn) {
	m.recordDecision(t)
	m.refused(t, 0, t.proposal.Decision.Refusal)
}

// refused ends the step of a refusal, whether a gate refused or the tool.
func (m *Machine) refused(t *turn, outcome event.Outcome, refusal *event.Refusal) {
	step, tool := int(t.step), t.action.Tool
	if m.cfg.OnRejection == StopRun {
		m.stop(event.Rejected, refusal.Code)
		return
	}
	m.observe(&event.Observation{
		Step: step, Call: 1, Tool: tool, Outcome: outcome,
		Trust: event.FromPolicy, JSON: refusal.JSON(),
	})
	if m.state.Used.Rejections > m.cfg.Budgets.Rejections {
		m.stop(event.Failed, MaxRejectionsReached)
		return
	}
	m.endStep(step)
}

// dispatch hands a command to the driver. It was decided on this very state.
func (m *Machine) dispatch(t *turn, command *policy.Command) {
	if t.outside != nil {
		m.dispatchOutside(t, command)
		return
	}
	started := t.event(event.ToolStarted)
	started.About = t.proposal
	m.record(&started)
	m.next = Effect{Kind: CallTool, Step: int(t.step), Command: command, Deadline: Forever}
}

// finishCall takes a tool's answer.
func (m *Machine) finishCall(o tools.Outcome) {
	t := m.turn
	o = checked(o)
	if t.outside != nil {
		m.finishOutside(t, o)
		return
	}
	completed := t.event(event.ToolCompleted)
	completed.Outcome, completed.Code = o.Status, o.Code
	if o.Refusal != nil {
		completed.Code, completed.About = o.Refusal.Code, o.Refusal
	}
	m.record(&completed)
	switch {
	case m.state.Status == event.Cancelling:
		m.stop(event.Cancelled, CancelRequested)
	case o.Status == event.CallRejected:
		m.refused(t, o.Status, o.Refusal)
	case o.Status == event.CallSucceeded:
		m.succeeded(t, o)
	default:
		m.stop(event.Failed, o.Code)
	}
}

// succeeded tells the model what came of a call, and ends the step.
func (m *Machine) succeeded(t *turn, o tools.Outcome) {
	step := int(t.step)
	m.recordEffects(step, o)
	t.told = event.Observation{
		Step: step, Call: 1, Tool: t.action.Tool, Outcome: event.CallSucceeded, Trust: o.Trust, JSON: o.JSON, Read: o.Read,
	}
	m.observe(&t.told)
	m.endStep(step)
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
	return tools.Outcome{Status: event.CallFailed, Code: ToolFailed, Why: o.Why}
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
	if reason := m.circles(); reason != nil {
		m.stop(event.Failed, reason)
		return
	}
	m.turn = nil
	m.afterStep(step)
}

// circles is the reason to stop if the run is going in circles. What a contract
// declares as polling has a limit of its own.
func (m *Machine) circles() *diag.Code {
	if t := m.turn; t != nil && t.call.Tool != nil && t.call.Tool.Contract().Poll > 0 && t.proposal.Decision.Effect == event.Allow {
		if m.state.repeats(len(m.state.window)) >= t.call.Tool.Contract().Poll {
			return PollLimitReached
		}
		return nil
	}
	if m.state.repeats(m.cfg.Budgets.Window) >= m.cfg.Budgets.Repeats {
		return RepeatedProposal
	}
	return nil
}

// finish ends the run on the model's word: what it leaves is to be reviewed, or
// a claim, unless the task demands a proof.
func (m *Machine) finish(t *turn) {
	summary, _ := t.action.Args.Get("summary")
	text := summary.Str()
	m.record(&event.Event{
		Name: event.FinalValidated, Step: m.step(), Call: 1, Tool: tools.FinishName,
		About: &event.Words{Summary: text}, Size: int32(utf8.RuneCountInString(text)),
	})
	if c := m.cfg.Completion; c != nil && c.Verify {
		m.record(&event.Event{Name: event.CompletionStarted, Step: m.step()})
		m.next = Effect{Kind: Evaluate, Step: int(m.step()), Question: GoalReached}
		return
	}
	m.finished()
}

// finished ends a run whose finish was accepted.
func (m *Machine) finished() {
	switch {
	case len(m.state.Edits) > 0:
		m.stop(event.NeedsReview, EditsProposed)
	case m.cfg.Completion != nil:
		m.stop(event.Completed, FinalAnswerValidated)
	default:
		m.stop(event.ClaimedComplete, FinishClaimed)
	}
}
