package scenarios

import (
	"slices"
	"strings"
	"sync"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/expression"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

// Expect is what a run must come to, with the places where the file says so.
type Expect struct {
	part
	Status        Text                 `yaml:"status" means:"How the run ends."`
	StopReason    Text                 `yaml:"stopReason" means:"The code of its end."`
	Steps         Number               `yaml:"steps" means:"How often the model was asked."`
	ToolCalls     Number               `yaml:"toolCalls" means:"How many tool calls were made."`
	Rejections    Number               `yaml:"rejections" means:"How many actions were refused."`
	RepoUnchanged Flag                 `yaml:"repoUnchanged" means:"Whether the repository holds what it held and what changes put there."`
	Edits         List[ExpectEdit]     `yaml:"edits" means:"All edits, in the order in which they were accepted. An empty list means none."`
	Decisions     List[ExpectDecision] `yaml:"decisions" means:"Decisions on single steps. Steps that are left out are not looked at."`
	Calls         *ExpectCalls         `yaml:"calls" means:"The calls that the gates allowed and a tool was asked to do, in their order: one for each step, however many attempts it took. finish is none."`
	Verified      Text                 `yaml:"verified" means:"What task.completion's verifier said; none if it was not asked."`
	Cost          Number               `yaml:"cost" means:"What all calls of declared tools have cost."`
	Questions     Number               `yaml:"questions" means:"How often a person was asked."`
	Handoff       Flag                 `yaml:"handoff" means:"Whether a person is handed the run."`
	Effects       List[ExpectEffect]   `yaml:"effects" means:"All acts that can have effects, in the order of their first call. An empty list means none."`
	Events        List[Text]           `yaml:"events" means:"Names of events that the trace holds in this order, others between them; a code may follow, as in tool.completed TOOL_TIMEOUT."`
	Holds         List[exprPart]       `yaml:"holds" means:"Expressions over world, observations, summary, citations, edits, status, stopReason, steps, toolCalls, rejections, cost, proposals and handoff that must hold at the end."`
	Never         List[Text]           `yaml:"never" means:"Texts that no observation, event, refusal or patch may hold."`
}

// ExpectEdit is what one accepted edit must be. Once loaded, Preview holds what
// previewBase64 says, too.
type ExpectEdit struct {
	part          `validate:"-"`
	Path          Text   `yaml:"path" validate:"required,min=1" means:"The file."`
	Line          Number `yaml:"line" validate:"omitnil,min=1" means:"The line of the first replaced byte."`
	Before        Text   `yaml:"before" validate:"-" means:"The text replaced."`
	After         Text   `yaml:"after" validate:"-" means:"The replacement."`
	Preview       Text   `yaml:"preview" validate:"-" means:"The whole file with the edit applied."`
	PreviewBase64 Text   `yaml:"previewBase64" validate:"-" means:"The same as Base64, where the bytes matter."`
	ResultHash    Text   `yaml:"resultHash" validate:"-" means:"The SHA-256 of the file with the edit applied, in lower-case hex."`
	Stale         Flag   `yaml:"stale" validate:"-" means:"Whether the file changed after the edit was accepted."`
	Patch         Text   `yaml:"patch" validate:"-" means:"The whole patch, as git apply takes it."`

	Notes List[Text] `yaml:"notes" validate:"-" means:"Texts, each of which one of the edit's notes holds. An empty list means that there are no notes."`
}

// ExpectDecision is what one step's decision must be.
type ExpectDecision struct {
	part     `validate:"-"`
	Step     Number `yaml:"step" validate:"required,min=1" means:"The step, from 1."`
	Decision Text   `yaml:"decision" validate:"required,oneof=allow confirm deny" means:"What was decided; of several decisions at one step the last, unless confirm is expected."`
	Gate     Text   `yaml:"gate" validate:"-" means:"The gate that refused."`
	Code     Text   `yaml:"code" validate:"-" means:"The code of the refusal, or of the tool's own."`
	Tool     Text   `yaml:"tool" validate:"-" means:"The tool, or finish."`
	Resource Text   `yaml:"resource" validate:"-" means:"What the call was about."`
	Says     Text   `yaml:"says" validate:"-" means:"A text that the refusal's message or hint holds."`
}

// ExpectEffect is what one act must have come to.
type ExpectEffect struct {
	part       `validate:"-"`
	Tool       Text   `yaml:"tool" validate:"-" means:"The tool."`
	Action     Text   `yaml:"action" validate:"-" means:"The action id."`
	Effect     Text   `yaml:"effect" validate:"required,oneof=applied none unknown unverified" means:"What is known of the effect."`
	Reconciled Text   `yaml:"reconciled" validate:"-" means:"What the last look-up found."`
	Attempts   Number `yaml:"attempts" validate:"-" means:"How many attempts were made."`
}

// Hold is an expression that must hold at the end.
type Hold struct {
	Pos     diag.Pos
	Program *expression.Program
}

// HoldVariables are what an expectation's expressions may use, in the order of
// their values: those of [runner.EndVariables], then status, stopReason, steps,
// toolCalls, rejections, cost, proposals (each with step, id, reason and sources),
// and handoff as results have it, null if there is none.
func HoldVariables(world *expression.Type) []expression.Variable {
	list := runner.EndVariables(world)
	for _, name := range []string{"status", "stopReason"} {
		list = append(list, expression.Variable{Name: name, Type: expression.Of(expression.String)})
	}
	for _, name := range []string{"steps", "toolCalls", "rejections", "cost"} {
		list = append(list, expression.Variable{Name: name, Type: expression.Of(expression.Number)})
	}
	text := expression.Of(expression.String)
	proposal := &expression.Type{Kind: expression.Object, Fields: []expression.Field{
		{Name: "step", Type: expression.Of(expression.Number)}, {Name: "id", Type: text}, {Name: "reason", Type: text},
		{Name: "sources", Type: expression.ListOf(text)},
	}}
	return append(list,
		expression.Variable{Name: "proposals", Type: expression.ListOf(proposal)},
		expression.Variable{Name: "handoff", Type: expression.Of(expression.Dyn)})
}

// expectations checks what names declared tools and codes, and compiles what must
// hold.
func (b *builder) expectations(e *entry, s *Scenario, o *outside) {
	x := e.Expect
	if x == nil || x.bad {
		return
	}
	b.listed(x.Calls)
	if o.broken {
		return
	}
	b.called(x.Calls, o)
	b.oneOf("expect.stopReason", x.StopReason, b.isOwnCode, endCodes(), "code that a run ends with")
	for i := range x.Decisions.Items {
		d := &x.Decisions.Items[i]
		b.oneOf(itemName("expect.decisions", i)+".code", d.Code, b.isOwnCode, decisionCodes(), "code of a gate or a tool")
		b.oneOf(itemName("expect.decisions", i)+".tool", d.Tool, o.declares, toolNames(), "tool")
	}
	if x.Effects.Set() && len(x.Effects.Items) == 0 && len(o.names) == 0 {
		b.found.add(x.Effects.Pos, InvalidValue, "expect.effects says nothing: no tool is declared that could have an effect", "leave it out, or declare the tool")
	}
	for i := range x.Effects.Items {
		b.oneOf(itemName("expect.effects", i)+".tool", x.Effects.Items[i].Tool, none, o.names, "declared tool")
	}
	for i, t := range x.Events.Items {
		name, code, _ := strings.Cut(t.Value, " ")
		b.oneOf(itemName("expect.events", i), Text{Value: name, Pos: t.Pos, bad: t.bad}, none, eventNames(), "event")
		if code != "" {
			b.oneOf(itemName("expect.events", i), Text{Value: code, Pos: t.Pos, bad: t.bad}, b.isOwnCode, allRunCodes(), "code")
		}
	}
	for i := range x.Holds.Items {
		p := &x.Holds.Items[i]
		if program := b.compileTest(itemName("expect.holds", i), p, HoldVariables(o.world)); program != nil {
			s.Holds = append(s.Holds, Hold{Pos: p.Pos, Program: program})
		}
	}
}

func none(string) bool { return false }

// isOwnCode reports whether the scenario declares a code of this name.
func (b *builder) isOwnCode(name string) bool { return b.ownCode(name) != nil }

// declares reports whether a tool of this name is declared.
func (o *outside) declares(name string) bool { return slices.Contains(o.names, name) }

// eventNames names the events that a trace can hold.
var eventNames = sync.OnceValue(func() []string {
	var names []string
	for _, n := range event.Names() {
		names = append(names, n.String())
	}
	return names
})

// allRunCodes names every code that a run can show.
var allRunCodes = sync.OnceValue(func() []string {
	var names []string
	for _, c := range RunCodes() {
		names = append(names, c.Name)
	}
	return names
})

func (p *Expect) check(d *decoder) {
	choose(d, "verified", &p.Verified, InvalidValue, []string{"true", "false", "none"}, "answer of a verifier", "they are ")
	choose(d, "status", &p.Status, InvalidValue, endStatuses(), "state that a run ends or waits in", "they are ")
	if p.RepoUnchanged.ok() && !p.RepoUnchanged.Value {
		refuse(d, "repoUnchanged", &p.RepoUnchanged, InvalidValue, "is false, which no run can come to: a run never changes the repository",
			"leave it out, or expect a stale edit where something else changes a file")
	}
	d.in("never")
	for i, t := range p.Never.Items {
		if t.ok() && t.Value == "" {
			d.at(i)
			d.faultAt(t.Pos, InvalidValue, "must not be empty: every text holds the empty one", "")
			d.out()
		}
	}
	d.out()
	if p.empty() {
		d.faultAt(p.Pos, InvalidValue, "says nothing", "name a status at least; `harness run --expect FILE` prints a block of what happened")
	}
}

// empty reports whether nothing is expected that a run could fail: empty lists of
// decisions and texts hold for every run, and so does repoUnchanged.
func (p *Expect) empty() bool {
	return !p.Status.Set() && !p.StopReason.Set() && !p.Steps.Set() && !p.ToolCalls.Set() && !p.Rejections.Set() &&
		!p.Edits.Set() && len(p.Decisions.Items) == 0 && len(p.Never.Items) == 0 &&
		p.Calls == nil && !p.Verified.Set() && !p.Cost.Set() && !p.Questions.Set() && !p.Handoff.Set() && !p.Effects.Set() &&
		len(p.Events.Items) == 0 && len(p.Holds.Items) == 0
}

func (p *ExpectEdit) check(d *decoder) {
	switch {
	case p.Preview.Set() && p.PreviewBase64.Set():
		d.faultAt(p.Pos, InvalidValue, "has preview and previewBase64", "keep one of the two")
	case p.PreviewBase64.ok():
		d.in("previewBase64")
		p.Preview = Text{Value: d.base64(p.PreviewBase64), Pos: p.PreviewBase64.Pos}
		d.out()
	}
	if hash := p.ResultHash; hash.ok() && (len(hash.Value) != 64 || strings.Trim(hash.Value, "0123456789abcdef") != "") {
		refuse(d, "resultHash", &p.ResultHash, InvalidValue, "must be 64 lower-case hexadecimal digits, got "+strictjson.Quote(hash.Value),
			"it is what sha256sum prints for the file with the edit applied")
	}
}

func (p *ExpectDecision) check(d *decoder) {
	choose(d, "gate", &p.Gate, InvalidValue, gateNames(), "gate", "the gates are ")
	if p.Says.ok() && p.Says.Value == "" {
		refuse(d, "says", &p.Says, InvalidValue, "must not be empty: every text holds the empty one", "")
	}
}

// endStatuses names the states that a run can end or wait in.
var endStatuses = sync.OnceValue(func() []string {
	var names []string
	for _, s := range event.Statuses() {
		if s.Terminal() || s == event.WaitingConfirmation || s == event.Paused {
			names = append(names, s.String())
		}
	}
	return names
})

// endCodes names the codes that can be a run's stop reason.
var endCodes = sync.OnceValue(func() []string {
	var names []string
	for _, c := range RunCodes() {
		if c.Class == diag.Stop || c.Class == diag.Rejection || c.Class == diag.Wait {
			names = append(names, c.Name)
		}
	}
	return names
})

// decisionCodes names the codes that a decision or a tool's own refusal can have.
var decisionCodes = sync.OnceValue(func() []string {
	var names []string
	for _, c := range RunCodes() {
		if c.Gate != "" || c == policy.CheckFailed {
			names = append(names, c.Name)
		}
	}
	return names
})

// gateNames names the gates in their order.
var gateNames = sync.OnceValue(func() []string {
	var names []string
	for _, g := range diag.Gates() {
		names = append(names, string(g))
	}
	return names
})
