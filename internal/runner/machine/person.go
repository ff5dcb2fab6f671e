package machine

import (
	"strconv"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// person is what a turn knows of the person who is asked about it.
type person struct {
	validated bool // that the arguments fit was recorded; it is once, however often it is decided
	// asked is the question that the run waits with, answer what was said to it and
	// has to be measured.
	asked  *event.Confirmation
	answer *event.Answer
}

// needsPerson reports whether the call needs a person at some point.
func (t *turn) needsPerson() bool {
	d := t.proposal.Decision
	return t.call.Tool != nil && t.call.Tool.Contract().Confirmation != "" || d.Confirmation != "" || d.Gate == diag.Confirm
}

// mustInspect reports whether what the call would touch has to be looked at before
// a person is asked, or an approval is measured.
func (m *Machine) mustInspect(t *turn) bool {
	o, d := t.outside, &t.proposal.Decision
	return o != nil && !o.inspected && o.tool.Contract().Inspects && (d.Gate == diag.Confirm || d.Confirmation != "")
}

// inspect has what the call would touch looked at.
func (m *Machine) inspect(t *turn) {
	t.known = true
	e := t.event(event.InspectionStarted)
	m.record(&e)
	m.next = Effect{Kind: Inspect, Step: int(t.step), Call: &t.call}
}

// inspected goes on with what was found. What cannot be looked at cannot be
// approved.
func (m *Machine) inspected(f *event.Facts) {
	t := m.turn
	o := t.outside
	o.inspected, o.operands, o.touches, o.more, o.unseen = true, f.Operands, f.Touches, f.More, f.Fault
	e := t.event(event.CallInspected)
	e.About = f
	m.record(&e)
	if t.person.answer != nil {
		m.measure(t)
		return
	}
	m.resolve(t)
}

// ask puts the command to a person.
func (m *Machine) ask(t *turn) {
	m.recordDecision(t)
	m.record(&event.Event{
		Name: event.ConfirmationRequested, Step: t.step, Call: 1, Tool: t.action.Tool, Resource: t.call.Resource,
		Code: policy.UserConfirmationRequired, About: m.question(t),
	})
	m.transition(event.WaitingConfirmation)
	m.next = Effect{Kind: AskPerson, Step: int(t.step), Confirmation: t.person.asked}
}

// question makes the question about a turn's command.
func (m *Machine) question(t *turn) *event.Confirmation {
	contract := t.call.Tool.Contract()
	c := &event.Confirmation{
		ID:   "c" + strconv.Itoa(len(m.state.Standing.Confirmations)+1),
		Step: int(t.step), Binding: t.request.Binding(), PerRun: t.request.PerRun(),
		Act: t.call.Act, Action: &t.action, Arguments: Shown(t.action.Args, contract.Sensitive), SideEffect: string(contract.SideEffect),
		Risks: risks(contract), Cost: contract.Cost, Asked: m.now, Expires: Forever,
	}
	if id := m.cfg.Identity; id != nil {
		c.Expires = m.now + min(id.ConfirmFor, m.cfg.Budgets.Deadline-m.now)
	}
	if t.outside != nil {
		c.Touches, c.More = t.outside.touches, t.outside.more
	}
	t.person.asked = c
	return c
}

// Shown is arguments without what no report may show.
func Shown(args strictjson.Value, sensitive []string) strictjson.Value {
	if len(sensitive) == 0 {
		return args
	}
	members := append([]strictjson.Member(nil), args.Members()...)
	for i := range members {
		for _, name := range sensitive {
			if members[i].Name == name {
				members[i].Value = strictjson.OfString(tools.Redacted)
			}
		}
	}
	return strictjson.OfObject(members...)
}

// risks says what the contract lets a person expect.
func risks(c *tools.Contract) []string {
	var list []string
	switch c.SideEffect {
	case tools.ReadOnly:
		list = append(list, "it reads, and changes nothing")
	case tools.IdempotentWrite:
		list = append(list, "it writes; the same action again has no second effect")
	case tools.CompensableWrite:
		list = append(list, "it writes; what it did can be compensated, not undone")
	case tools.Irreversible:
		list = append(list, "it cannot be taken back")
	}
	if c.SideEffect != tools.ReadOnly && !c.Lookup {
		list = append(list, "if its answer is lost, nobody can look up whether it happened")
	}
	if c.Confirmation == tools.PerRun {
		list = append(list, "one approval stands for every such call of this run")
	}
	return list
}

// answered takes what a person said: to the question the run waits for, or to one
// that was postponed.
func (m *Machine) answered(a *event.Answer) {
	t := m.turn
	switch {
	case m.state.Phase != Waiting:
		m.answeredLater(a)
	case a.Request != t.person.asked.ID && m.answersAnother(a):
		m.answeredLater(a)
		m.next = Effect{Kind: AskPerson, Step: int(t.step), Confirmation: t.person.asked}
	case a.Verdict == event.Postponed && a.Request == t.person.asked.ID:
		m.postponed(t, a)
	default:
		t.person.answer = a
		if t.outside != nil && t.outside.tool.Contract().Inspects && a.Verdict == event.Approved {
			m.inspect(t)
			return
		}
		m.measure(t)
	}
}

// answersAnother reports whether an answer fits another question that is open.
func (m *Machine) answersAnother(a *event.Answer) bool {
	asked := m.state.Standing.Asked(a.Request)
	return asked != nil && asked.State == policy.AskedOpen && a.Binding == asked.Binding
}

// answeredLater takes an answer while the run does something else. Whether an
// approval fits is measured when its command is proposed again.
func (m *Machine) answeredLater(a *event.Answer) {
	asked := m.state.Standing.Asked(a.Request)
	code := policy.ConfirmationUnknown
	switch {
	case asked == nil:
	case asked.State == policy.AskedUsed || asked.State == policy.AskedClosed:
		code = policy.ConfirmationUsed
	case m.now > asked.Expires || m.state.Phase == Over:
		code = policy.ConfirmationExpired
	case a.Binding != asked.Binding:
		code = policy.ConfirmationMismatch
	default:
		code = nil
	}
	m.recordAnswer(a, code)
	m.next = m.waiting()
}

func (m *Machine) recordAnswer(a *event.Answer, code *diag.Code) {
	m.record(&event.Event{Name: event.ConfirmationAnswered, Step: m.step(), Code: code, About: a})
}

// postponed lets the run go on without the command; the question stays open. That
// is no refusal, so the model is told whatever a refusal would do.
func (m *Machine) postponed(t *turn, a *event.Answer) {
	m.recordAnswer(a, nil)
	m.transition(event.Running)
	t.told = event.Observation{
		Step: int(t.step), Call: 1, Tool: t.action.Tool, Trust: event.FromPolicy, JSON: t.proposal.Decision.Refusal.JSON(),
	}
	m.observe(&t.told)
	m.endStep(t.told.Step)
}

// measure compares an answer with the command, by every gate, on the state as it is
// now. One that is worth nothing leaves the run waiting.
func (m *Machine) measure(t *turn) {
	a := t.person.answer
	t.renew()
	command := m.decide(t)
	d := &t.proposal.Decision
	worthless := d.Effect == event.Deny && d.Gate == diag.Confirm && d.Code.Class == diag.Note
	var code *diag.Code
	if d.Effect == event.Deny && d.Gate == diag.Confirm && d.Code != policy.ConfirmationDeclined {
		code = d.Code
	}
	m.recordAnswer(a, code)
	t.person.answer = nil
	if worthless {
		refused := t.event(event.ConfirmationChecked)
		refused.Code = d.Code
		refused.About = &event.Refusal{Gate: d.Gate, Code: d.Code, Message: d.Refusal.Message, Hint: d.Refusal.Hint}
		m.record(&refused)
		m.next = Effect{Kind: AskPerson, Step: int(t.step), Confirmation: t.person.asked}
		return
	}
	m.transition(event.Running)
	m.proceed(t, command)
}
