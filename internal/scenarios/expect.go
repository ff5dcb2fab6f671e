package scenarios

import (
	"strings"
	"sync"

	"harness/internal/diag"
	"harness/internal/event"
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
	Decision Text   `yaml:"decision" validate:"required,oneof=allow deny" means:"What was decided."`
	Gate     Text   `yaml:"gate" validate:"-" means:"The gate that refused."`
	Code     Text   `yaml:"code" validate:"-" means:"The code of the refusal, or of the tool's own."`
	Tool     Text   `yaml:"tool" validate:"-" means:"The tool, or finish."`
	Resource Text   `yaml:"resource" validate:"-" means:"What the call was about."`
	Says     Text   `yaml:"says" validate:"-" means:"A text that the refusal's message or hint holds."`
}

func (p *Expect) check(d *decoder) {
	choose(d, "status", &p.Status, InvalidValue, endStatuses(), "state that a run ends in", "they are ")
	choose(d, "stopReason", &p.StopReason, BadReference, endCodes(), "code that a run ends with", "")
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
		!p.Edits.Set() && len(p.Decisions.Items) == 0 && len(p.Never.Items) == 0
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
	choose(d, "code", &p.Code, BadReference, decisionCodes(), "code of a gate or a tool", "")
	choose(d, "tool", &p.Tool, BadReference, toolNames(), "tool", "the tools are ")
	if p.Says.ok() && p.Says.Value == "" {
		refuse(d, "says", &p.Says, InvalidValue, "must not be empty: every text holds the empty one", "")
	}
}

// endStatuses names the states that a run can end in.
var endStatuses = sync.OnceValue(func() []string {
	var names []string
	for _, s := range event.Statuses() {
		if s.Terminal() {
			names = append(names, s.String())
		}
	}
	return names
})

// endCodes names the codes that can be a run's stop reason.
var endCodes = sync.OnceValue(func() []string {
	var names []string
	for _, c := range runCodes() {
		if c.Class == diag.Stop || c.Class == diag.Rejection {
			names = append(names, c.Name)
		}
	}
	return names
})

// decisionCodes names the codes that a decision or a tool's own refusal can have.
var decisionCodes = sync.OnceValue(func() []string {
	var names []string
	for _, c := range runCodes() {
		if c.Gate != "" {
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
