package report

import (
	"strconv"
	"time"

	"harness/internal/action"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// TraceDocument is a run as spans, for systems that follow work across services.
// The trace id belongs to one attempt at a run; the run's own id is another thing.
type TraceDocument struct {
	TraceID string         `json:"traceId" jsonschema:"of this attempt at the run, 32 hexadecimal digits"`
	Spans   []SpanDocument `json:"spans" jsonschema:"the run itself first, then its parts as they began"`
}

// SpanDocument is one part of a run. Times are virtual.
type SpanDocument struct {
	ID         string         `json:"id" jsonschema:"16 hexadecimal digits"`
	Parent     string         `json:"parent,omitempty"`
	Name       string         `json:"name"`
	Start      string         `json:"start" jsonschema:"since the start of the run, as a Go duration"`
	End        string         `json:"end"`
	Attributes SpanAttributes `json:"attributes"`
}

// SpanAttributes is all that a span may say: names and versions of registered
// tools, codes, outcomes, sizes, digests, counts and virtual durations. Arguments,
// resources, contents, reasons and words of persons or models are in no span.
type SpanAttributes struct {
	Tool       string            `json:"tool,omitempty" jsonschema:"as its contract spells it"`
	Version    string            `json:"version,omitempty"`
	Definition string            `json:"definition,omitempty" jsonschema:"digest of the tool's definition"`
	Outcome    string            `json:"outcome,omitempty"`
	Code       string            `json:"code,omitempty"`
	Effect     event.EffectState `json:"effect,omitempty"`
	Late       string            `json:"late,omitempty" jsonschema:"outcome of an answer that nobody waited for any more"`
	Digest     string            `json:"digest,omitempty" jsonschema:"of what was said, decided about, or sent"`
	Attempt    int               `json:"attempt,omitempty" jsonschema:"of the call, from 1"`
	Context    int               `json:"context,omitempty" jsonschema:"code points that the model was given"`
	Size       int               `json:"size,omitempty" jsonschema:"of what came back, in bytes"`
	Cost       int               `json:"cost,omitempty"`
	Worthless  int               `json:"worthless,omitempty" jsonschema:"answers that counted for nothing"`
	Steps      int               `json:"steps,omitempty"`
	ToolCalls  int               `json:"toolCalls,omitempty"`
	Rejections int               `json:"rejections,omitempty"`
	Took       string            `json:"took,omitempty" jsonschema:"as a Go duration"`
}

// rootSpan is the name of the span that all others are part of.
const rootSpan = "run"

// part is a span that is being put together.
type part struct {
	name       string
	start, end time.Duration
	open       bool // its end has not been seen
	attributes SpanAttributes
}

// tracer makes spans of events.
type tracer struct {
	result  *runner.Result
	parts   []part
	named   map[string]int // how many spans have a name
	context *event.Event   // of the step to come
	// The places of the spans that are open; -1 for none.
	call, lookup, question, final int
}

// Trace is a run as spans: a projection of its events and nothing else.
func Trace(r *runner.Result) *TraceDocument {
	t := tracer{result: r, named: map[string]int{}, call: -1, lookup: -1, question: -1, final: -1}
	t.begin(rootSpan, 0, SpanAttributes{
		Outcome: r.Status.String(), Code: r.Reason.String(), Steps: r.Steps, ToolCalls: r.ToolCalls, Rejections: r.Rejections,
	})
	if r.Standing != nil {
		t.parts[0].attributes.Cost = r.Standing.Cost
	}
	var last time.Duration
	stopped := false
	for i := range r.Events {
		e := &r.Events[i]
		if !stopped {
			last = e.At
		}
		stopped = stopped || e.Name == event.RunStopped
		t.take(e)
	}
	return t.document(last)
}

// begin opens a span and gives its place.
func (t *tracer) begin(name string, at time.Duration, a SpanAttributes) int {
	t.named[name]++
	if n := t.named[name]; n > 1 {
		name += "." + strconv.Itoa(n)
	}
	t.parts = append(t.parts, part{name: name, start: at, end: at, open: true, attributes: a})
	return len(t.parts) - 1
}

// close ends the span at a place, if there is one; what it points to may then be
// filled in.
func (t *tracer) close(at *int, end time.Duration) *SpanAttributes {
	if *at < 0 {
		return &SpanAttributes{}
	}
	p := &t.parts[*at]
	p.end, p.open = end, false
	*at = -1
	return &p.attributes
}

// whole adds a span that is over.
func (t *tracer) whole(name string, start, end time.Duration, a SpanAttributes) {
	at := t.begin(name, start, a)
	t.close(&at, end)
}

func (t *tracer) take(e *event.Event) {
	step := strconv.Itoa(int(e.Step))
	switch e.Name {
	case event.ContextBuilt:
		t.context = e
	case event.ProposalReceived, event.ModelFailed:
		t.planned("planner.step."+step, e)
	case event.ProposalDecided:
		t.decided(step, e)
	case event.ToolStarted:
		t.started(step, e)
	case event.ToolCompleted:
		t.completed(e)
	case event.ToolLate:
		t.late(e)
	case event.LookupStarted:
		a := t.tool(e.Tool, "")
		a.Attempt = attemptIn(e)
		t.lookup = t.begin("receipt.lookup."+step, e.At, a)
	case event.ReceiptChecked:
		if r, ok := e.About.(*event.Receipt); ok {
			t.close(&t.lookup, e.At).Outcome = r.Answer
		}
	default:
		t.takePerson(e)
	}
}

// takePerson makes spans of what persons are asked, and of the end.
func (t *tracer) takePerson(e *event.Event) {
	switch a := e.About.(type) {
	case *event.Confirmation:
		attributes := t.tool(a.Binding.Tool, a.Binding.Version)
		attributes.Digest, attributes.Cost = a.Binding.Arguments.String(), a.Cost
		t.question = t.begin("confirmation."+a.ID, e.At, attributes)
	case *event.Answer:
		switch {
		case t.question < 0:
		case e.Code != nil:
			t.parts[t.question].attributes.Worthless++
			t.parts[t.question].attributes.Code = e.Code.Name
		case t.parts[t.question].name == "confirmation."+a.Request:
			attributes := t.close(&t.question, e.At)
			attributes.Outcome, attributes.Code = string(a.Verdict), ""
		}
	case *event.Facts:
		if e.Name == event.CompletionChecked && t.final >= 0 {
			p := &t.parts[t.final]
			p.end, p.attributes.Outcome = e.At, "holds"
			if !a.Holds || a.Fault != "" {
				p.attributes.Outcome = "does not hold"
			}
		}
	}
	switch e.Name {
	case event.StateTransitioned:
		if e.From == event.WaitingConfirmation {
			t.close(&t.question, e.At)
		}
	case event.RunStopped:
		if t.final >= 0 {
			t.close(&t.final, e.At).Code = e.Code.String()
		}
	}
}

// planned makes the span of one asking of the model.
func (t *tracer) planned(name string, e *event.Event) {
	start, a := e.At, SpanAttributes{Code: e.Code.String()}
	if t.context != nil && t.context.Step == e.Step {
		start, a.Context = t.context.At, int(t.context.Size)
	}
	t.context = nil
	if o := e.Output(); o != nil {
		a.Size, a.Digest = len(o.Raw), e.Digest().String()
	}
	t.whole(name, start, e.At, a)
}

// decided makes the span of one decision, and begins that of the end.
func (t *tracer) decided(step string, e *event.Event) {
	p := e.Proposal()
	if p == nil {
		return
	}
	a, finish := SpanAttributes{}, false
	if p.Action != nil {
		a = t.tool(e.Tool, p.Action.Version)
		a.Digest = p.Action.Digest().String()
		finish = p.Action.Kind == action.Finish
	}
	a.Outcome, a.Code = string(p.Decision.Effect), p.Decision.Code.String()
	t.whole("policy.evaluate."+step, e.At, e.At, a)
	if verify := p.Decision.Code == tools.FinalCitationValidationFailed; finish && (p.Decision.Effect == event.Allow || verify) {
		t.final = t.begin("final.validate", e.At, SpanAttributes{})
	}
}

// started begins the span of an attempt.
func (t *tracer) started(step string, e *event.Event) {
	version := ""
	if p := e.Proposal(); p != nil && p.Action != nil {
		version = p.Action.Version
	}
	a := t.tool(e.Tool, version)
	if d, ok := e.About.(*event.Dispatch); ok {
		a.Attempt, a.Digest = d.Attempt, d.Arguments.String()
	}
	name := "tool." + step
	if a.Tool != "" {
		name = "tool." + a.Tool + "." + step
	}
	t.call = t.begin(name, e.At, a)
}

func (t *tracer) completed(e *event.Event) {
	a := t.close(&t.call, e.At)
	a.Outcome, a.Code = e.Outcome.String(), e.Code.String()
	if c, ok := e.About.(*event.Completion); ok {
		a.Effect, a.Cost, a.Size = c.Effect, c.Cost, c.Bytes
		if c.Took > 0 {
			a.Took = c.Took.String()
		}
	}
}

// late adds to the span of its attempt what came when nobody waited any more.
func (t *tracer) late(e *event.Event) {
	suffix := "." + strconv.Itoa(int(e.Step))
	for i := range t.parts {
		p := &t.parts[i]
		if p.attributes.Tool == e.Tool && p.attributes.Attempt == attemptIn(e) && p.attributes.Outcome != "" && e.Tool != "" &&
			hasPrefix(p.name, "tool."+e.Tool+suffix) {
			p.attributes.Late = e.Outcome.String()
		}
	}
}

// hasPrefix reports whether a name is another one, or that with a number more.
func hasPrefix(name, other string) bool {
	return name == other || len(name) > len(other) && name[:len(other)+1] == other+"."
}

// attemptIn is the attempt that an event is about, 0 for none.
func attemptIn(e *event.Event) int {
	switch a := e.About.(type) {
	case *event.Receipt:
		return a.Attempt
	case *event.Completion:
		return a.Attempt
	default:
		return 0
	}
}

// tool names a tool as its contract does. What is not registered is named by no
// one but the model, and has no name here.
func (t *tracer) tool(name, version string) SpanAttributes {
	registry := t.result.Config.Machine.Registry
	if registry == nil {
		return SpanAttributes{}
	}
	found, ok := registry.Lookup(name, version)
	if !ok {
		return SpanAttributes{}
	}
	c := found.Contract()
	a := SpanAttributes{Tool: c.Name, Version: c.Version}
	if !c.Definition.IsZero() {
		a.Definition = c.Definition.String()
	}
	return a
}

// document gives the spans their ids. Those that are open end with the run.
func (t *tracer) document(end time.Duration) *TraceDocument {
	run, attempt := runID(t.result), attemptOf(t.result)
	d := &TraceDocument{TraceID: traceDigest(run, attempt, "")[:32], Spans: make([]SpanDocument, len(t.parts))}
	root := traceDigest(run, attempt, rootSpan)[:16]
	for i := range t.parts {
		p := &t.parts[i]
		if p.open {
			p.end = max(end, p.start)
		}
		path := rootSpan
		if i > 0 {
			path += "/" + p.name
		}
		d.Spans[i] = SpanDocument{
			ID: traceDigest(run, attempt, path)[:16], Name: p.name, Start: p.start.String(), End: p.end.String(), Attributes: p.attributes,
		}
		if i > 0 {
			d.Spans[i].Parent = root
		}
	}
	return d
}

// traceDigest derives an identity from a run, its attempt and a path of spans.
func traceDigest(run string, attempt int, path string) string {
	return strictjson.DigestOf(strictjson.OfArray(
		strictjson.OfString(run), strictjson.OfInt(int64(attempt)), strictjson.OfString(path))).String()
}
