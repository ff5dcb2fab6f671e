package machine

import (
	"strconv"
	"time"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Forever is a deadline that is never reached.
const Forever = time.Duration(1<<63 - 1)

// The answers of a look-up, as receipts write them.
const (
	answerHappened    = "happened"
	answerNotHappened = "did not happen"
	answerUnclear     = "unclear"
)

// outside is what a turn needs besides if its tool lies outside the repository.
type outside struct {
	tool   tools.Outside
	writes bool
	// operands is what the call would touch, as it was looked at last.
	inspected bool
	operands  strictjson.Digest
	touches   []string
	more      int    // left off touches
	unseen    string // why it could not be

	approved string // the question whose approval the attempt before was dispatched with

	attempt  int
	cost     int // reserved for the attempt
	started  time.Duration
	deadline time.Duration // of the attempt
	wake     time.Duration // of the next attempt
	signal   signal
	// ending is why the run stops once the effect is known; nil if it goes on. broken is
	// what is wrong with what happened.
	ending, broken *diag.Code
}

// signal is whether the tool under way was told to stop, and why.
type signal uint8

const (
	notSignalled signal = iota
	callStopped         // the call alone; the run goes on
	runStopped          // the run is being cancelled
	timeOver            // the attempt's time is over
)

// bindOutside prepares a call of a tool that lies outside: its action id is its own
// unless the contract gives a key.
func (m *Machine) bindOutside(t *turn) {
	tool := t.call.Tool.(tools.Outside)
	t.outside = &outside{tool: tool, writes: tool.Contract().SideEffect != tools.ReadOnly}
	if m.cfg.Identity != nil {
		t.call.Principal = m.cfg.Identity.Principal
		t.call.Act = m.cfg.Identity.Run + "#"
	}
	t.call.Act += strconv.Itoa(int(t.step))
}

// takeOutside takes the inputs that concern effects outside, persons and proofs.
func (m *Machine) takeOutside(in *Input) {
	switch in.Kind {
	case Inspected:
		m.inspected(in.Facts)
	case Answered:
		m.answered(in.Answer)
	case LookedUp:
		m.lookedUp(in.Found)
	case Evaluated:
		m.evaluated(in.Facts)
	case Ordered:
		m.ordered(in.Order)
	case Tick:
		m.tick()
	}
}

// fits reports whether an input can be taken now, beyond its kind.
func (m *Machine) fits(in *Input) bool {
	switch in.Kind {
	case Ordered:
		return m.orderFits(in.Order)
	case ToolResult:
		return in.Late == nil // else the call is no longer waited for
	default:
		return true
	}
}

// dispatchOutside starts an attempt, or returns the receipt of an act that is done.
func (m *Machine) dispatchOutside(t *turn, command *policy.Command) {
	o := t.outside
	if receipt := t.request.Receipt(); receipt != nil {
		m.returnReceipt(t, receipt)
		return
	}
	c := o.tool.Contract()
	if act := m.state.Standing.Act(t.call.Act); o.attempt == 0 && act != nil {
		o.attempt = act.Attempts // a later proposal of the same act goes on counting
	}
	o.attempt++
	o.approved = t.proposal.Decision.Confirmation
	o.cost, o.started, o.signal = c.Cost, m.now, notSignalled
	o.deadline = m.cfg.Budgets.Deadline
	if c.Timeout > 0 {
		o.deadline = min(o.deadline, m.now+c.Timeout)
	}
	t.call.Attempt = o.attempt
	started := t.event(event.ToolStarted)
	d := &t.proposal.Decision
	started.About = &event.Dispatch{
		Proposal: t.proposal, Act: t.call.Act, Attempt: o.attempt, Arguments: strictjson.DigestOf(t.call.Args),
		Writes: o.writes, Cost: c.Cost, Confirmation: d.Confirmation, Deadline: o.deadline,
	}
	m.record(&started)
	m.next = Effect{Kind: CallTool, Step: int(t.step), Command: command, Call: &t.call, Deadline: o.deadline}
}

// returnReceipt answers a proposal of an act that is done with what it answered.
func (m *Machine) returnReceipt(t *turn, receipt *event.Observation) {
	returned := t.event(event.ReceiptReturned)
	returned.About = &event.Receipt{Act: t.call.Act, Answer: receipt.ID, Bytes: len(receipt.JSON)}
	m.record(&returned)
	if m.state.Standing.Output > m.cfg.Budgets.Output {
		m.stop(event.Failed, policy.OutputBudgetExceeded)
		return
	}
	t.told = *receipt
	t.told.Step = int(t.step)
	m.observe(&t.told)
	m.endStep(t.told.Step)
}

// finishOutside takes the answer of an attempt.
func (m *Machine) finishOutside(t *turn, o tools.Outcome) {
	out := t.outside
	if out.signal == timeOver && o.Status == event.CallFailed {
		o.Code, o.Retryable = ToolTimeout, true // it stopped because its time was over
	}
	c := &event.Completion{
		Act: t.call.Act, Attempt: out.attempt, Refusal: o.Refusal, Why: o.Why, Retryable: o.Retryable,
		Reserved: out.cost, Cost: o.Cost, Bytes: len(o.JSON), Effect: t.effectOf(&o), Took: m.now - out.started,
	}
	if o.Status == event.CallUnknown {
		c.InFlight = out.writes
	}
	if o.Status == event.CallUnknown || o.Code == ToolTimeout || o.Code == ToolFailed {
		c.Cost = out.cost // what was reserved stays so: nobody knows what it did cost
	}
	completed := t.event(event.ToolCompleted)
	completed.Outcome, completed.Code, completed.About = o.Status, o.Code, c
	if o.Refusal != nil {
		completed.Code = o.Refusal.Code
	}
	m.record(&completed)
	m.settle(t, o)
}

// effectOf is what an outcome says about the effect; "" for a tool without any.
func (t *turn) effectOf(o *tools.Outcome) event.EffectState {
	switch {
	case !t.outside.writes:
		return ""
	case o.Status == event.CallSucceeded:
		return event.EffectApplied
	case o.Status == event.CallUnknown, o.Code == ToolFailed:
		return event.EffectUnknown
	case o.Code != nil && o.Code.Gate == diag.Verify:
		return event.EffectUnverified
	default:
		return event.EffectNone
	}
}

// settle goes on from the outcome of an attempt.
func (m *Machine) settle(t *turn, o tools.Outcome) {
	out := t.outside
	switch {
	case o.Status == event.CallUnknown:
		m.doubt(t)
	case o.Status == event.CallFailed && out.writes && t.effectOf(&o) != event.EffectNone:
		// Something is wrong with what happened: the run ends once it is known what did.
		out.broken = o.Code
		m.doubt(t)
	case o.Retryable && m.retry(t):
	case o.Status != event.CallSucceeded && m.doubtful(t):
		m.doubt(t) // this attempt did nothing, but an earlier one may have
	case m.state.Status == event.Cancelling:
		m.told(t, o)
		m.stop(event.Cancelled, out.ending)
	case o.Status == event.CallRejected:
		m.refused(t, o.Status, o.Refusal)
	case o.Status == event.CallSucceeded:
		m.deliver(t, o)
	case o.Retryable, out.signal == callStopped:
		m.failed(t, o.Code)
	default:
		m.stop(event.Failed, o.Code)
	}
}

// deliver tells the model what a call has answered, if the budget has room for it.
func (m *Machine) deliver(t *turn, o tools.Outcome) {
	m.validated(t)
	if m.state.Standing.Output > m.cfg.Budgets.Output {
		m.stop(event.Failed, policy.OutputBudgetExceeded)
		return
	}
	m.succeeded(t, o)
}

// validated records that an answer is what the contract promises.
func (m *Machine) validated(t *turn) {
	e := t.event(event.ResultValidated)
	m.record(&e)
}

// told records what came of a call in a run that goes no further.
func (m *Machine) told(t *turn, o tools.Outcome) {
	if o.Status != event.CallSucceeded {
		return
	}
	m.validated(t)
	t.told = event.Observation{
		Step: int(t.step), Call: 1, Tool: t.action.Tool, Outcome: event.CallSucceeded, Trust: o.Trust, JSON: o.JSON,
	}
	m.observe(&t.told)
}

// failed tells the model of a call that is known not to have happened, once no
// further attempt is made.
func (m *Machine) failed(t *turn, code *diag.Code) {
	b := strictjson.AppendText([]byte{'{'}, "code", code.Name)
	b = strictjson.AppendText(b, "message", code.Means)
	b = strictjson.AppendBool(b, "operationApplied", false)
	b = append(strictjson.AppendText(b, "status", event.CallFailed.String()), '}')
	t.told = event.Observation{
		Step: int(t.step), Call: 1, Tool: t.action.Tool, Outcome: event.CallFailed, Trust: event.FromPolicy, JSON: b,
	}
	m.observe(&t.told)
	m.endStep(t.told.Step)
}

// retry plans a further attempt, if the contract and the deadline allow one.
func (m *Machine) retry(t *turn) bool {
	out, rule := t.outside, t.outside.tool.Contract().Retry
	if out.attempt >= rule.Attempts || out.signal == callStopped || out.signal == runStopped {
		return false
	}
	wait, factor := rule.Backoff, time.Duration(max(rule.Factor, 1))
	for most, i := max(wait, 24*time.Hour), 1; i < out.attempt && wait < most; i++ {
		wait = min(wait, most/factor) * factor
	}
	if wait >= m.cfg.Budgets.Deadline-m.now {
		return false
	}
	out.wake = m.now + wait
	e := t.event(event.RetryScheduled)
	e.About = &event.Dispatch{Proposal: t.proposal, Act: t.call.Act, Attempt: out.attempt + 1, Deadline: out.wake}
	m.record(&e)
	m.next = Effect{Kind: Sleep, Deadline: out.wake}
	return true
}

// again decides about the same command anew, on the state as it is now, and
// dispatches a further attempt. What was approved is looked at again, too.
func (m *Machine) again(t *turn) {
	next, own := *t, *t.outside // the command of the attempt before still rests on its own turn
	m.turn, t = &next, &next
	t.outside, own.inspected = &own, false
	t.renew()
	m.resolve(t)
}

// tick looks at what the time has brought.
func (m *Machine) tick() {
	t := m.turn
	switch {
	case m.state.Phase == Waiting && m.now >= m.cfg.Budgets.Deadline:
		m.transition(event.Cancelling)
		m.stop(event.Cancelled, policy.DeadlineReached)
	case m.state.Phase == Sleeping && m.now >= t.outside.wake:
		m.wakeUp(t)
	case m.state.Phase == Calling && t.outside != nil && m.now >= t.outside.deadline:
		m.overdue(t)
	default:
		m.next = m.waiting()
	}
}

// wakeUp goes on after a back-off. What an attempt may have left behind is looked
// for before another is made.
func (m *Machine) wakeUp(t *turn) {
	if m.doubtful(t) && t.outside.tool.Contract().Lookup {
		m.lookUp(t)
		return
	}
	m.again(t)
}

// doubtful reports whether an attempt of the turn's act may still have an effect.
func (m *Machine) doubtful(t *turn) bool {
	act := m.state.Standing.Act(t.call.Act)
	return act != nil && act.Doubtful
}

// overdue takes an attempt whose time is over. Where it was the run's time, the tool
// is told to stop first, and has what is left of its own.
func (m *Machine) overdue(t *turn) {
	out := t.outside
	if c := out.tool.Contract(); m.now >= m.cfg.Budgets.Deadline && m.state.Status == event.Running {
		out.ending = policy.DeadlineReached
		m.transition(event.Cancelling)
		m.signal(t, runStopped)
		if own := out.started + c.Timeout; c.Timeout > 0 && own > m.now {
			out.deadline = own
			m.next = Effect{Kind: Signal, Call: &t.call, Deadline: own}
			return
		}
	}
	switch {
	case !out.writes:
		m.finishOutside(t, tools.Outcome{Status: event.CallFailed, Code: ToolTimeout, Retryable: true})
	case out.signal == notSignalled:
		// A tool that stops, and says so, has done nothing. From one that says nothing
		// the effect may still come, whatever a look-up finds now.
		m.signal(t, timeOver)
		m.next = Effect{Kind: Signal, Call: &t.call, Deadline: m.now}
	default:
		m.finishOutside(t, tools.Outcome{Status: event.CallUnknown, Code: ToolTimeout})
	}
}

// signal records that the tool under way is told to stop.
func (m *Machine) signal(t *turn, why signal) {
	t.outside.signal = why
	e := t.event(event.ToolSignalled)
	e.About = &event.Receipt{Act: t.call.Act, Attempt: t.outside.attempt}
	m.record(&e)
}

// late records an answer that was no longer waited for: evidence, and nothing else.
func (m *Machine) late(in *Input) {
	o := checked(in.Outcome)
	e := event.Event{
		Name: event.ToolLate, Step: in.Late.Step, Call: 1, Tool: in.Late.Tool, Resource: in.Late.Resource, Outcome: o.Status, Code: o.Code,
		About: &event.Completion{Act: in.Late.Act, Attempt: in.Late.Attempt, Refusal: o.Refusal, Bytes: len(o.JSON)},
	}
	m.record(&e)
}
