package suite

import (
	"reflect"
	"strconv"
	"strings"

	"harness/internal/event"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

// never looks for texts that no output of the run may hold. A text is looked for
// as it is and as JSON spells it. What the model itself said does not count.
func (j *judge) never() {
	items := j.expect.Never.Items
	if len(items) == 0 {
		return
	}
	outputs := said(j.result)
	for i, t := range items {
		escaped := string(strictjson.AppendString(nil, t.Value))
		escaped = escaped[1 : len(escaped)-1]
		for _, o := range outputs {
			if strings.Contains(o.text, t.Value) || strings.Contains(o.text, escaped) {
				j.findings = append(j.findings, report.Finding{
					Clause: "never[" + strconv.Itoa(i) + "]", Where: j.where(t.Pos), Want: "in no output", Got: "in " + o.String(),
				})
				break
			}
		}
	}
}

// output is something that a run put out.
type output struct {
	kind string // "event", "observation", …
	name string
	step int // or sequence number; 0 for none
	text string
}

func (o output) String() string {
	if o.step > 0 {
		return o.kind + " " + strconv.Itoa(o.step) + o.name
	}
	return o.kind + " " + o.name
}

// said gathers all that a run put out: events, refusals, observations, patches
// and previews, what persons were asked, the handoff, and the spans.
func said(r *runner.Result) []output {
	list := make([]output, 0, 2*len(r.Events))
	for i := range r.Events {
		e := &r.Events[i]
		list = append(list, output{kind: "event", step: int(e.Seq), name: " (" + e.Name.String() + ")", text: line(e)})
		if e.Name == event.ProposalDecided {
			list = append(list, refused(int(e.Step), e.Proposal().Decision.Refusal)...)
		}
		list = append(list, refused(int(e.Step), e.Refusal())...)
	}
	for _, o := range r.Observations {
		from := output{kind: "observation", name: o.ID, text: string(o.JSON)}
		list = texts(append(list, from), from, o.Content())
	}
	for i := range r.Edits {
		change := r.Edits[i].Change()
		list = append(list,
			output{kind: "the patch of", name: change.Path, text: change.Patch()},
			output{kind: "the preview of", name: change.Path, text: change.Result()})
	}
	return append(list, shownToPersons(r)...)
}

// shownToPersons gathers what a run puts before persons, and before the systems
// that follow it.
func shownToPersons(r *runner.Result) []output {
	list := []output{{kind: "the", name: "spans", text: allTexts(report.Trace(r))}}
	for _, c := range report.ConfirmationRecords(r) {
		list = append(list, output{kind: "confirmation", name: c.ID, text: allTexts(&c)})
	}
	if h := report.Handoff(r); h != nil {
		list = append(list, output{kind: "the", name: "handoff", text: allTexts(h)})
	}
	return list
}

// allTexts is every text in a document, each on its own.
func allTexts(document any) string {
	var b strings.Builder
	writeTexts(&b, reflect.ValueOf(document))
	return b.String()
}

// line is all texts of an event as it is written, whatever fields it has.
func line(e *event.Event) string {
	l := e.Line()
	return allTexts(&l)
}

// writeTexts writes every text below a value, each on its own.
func writeTexts(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			b.WriteString(v.String())
			b.WriteByte(0)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			writeTexts(b, v.Elem())
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			writeTexts(b, i.Key())
			writeTexts(b, i.Value())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			writeTexts(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			writeTexts(b, v.Field(i))
		}
	}
}

func refused(step int, r *event.Refusal) []output {
	if r == nil {
		return nil
	}
	told, _ := strictjson.Parse(r.JSON()) // canonical JSON, so without a fault
	return texts([]output{{kind: "the refusal of step", step: step, text: string(r.JSON())}},
		output{kind: "the refusal of step", step: step}, told)
}

// texts appends every text in a value, as coming from what it is part of.
func texts(list []output, from output, v strictjson.Value) []output {
	switch v.Kind() {
	case strictjson.String:
		from.text = v.Str()
		return append(list, from)
	case strictjson.Array:
		for _, item := range v.Items() {
			list = texts(list, from, item)
		}
	case strictjson.Object:
		for _, m := range v.Members() {
			from.text = m.Name
			list = texts(append(list, from), from, m.Value)
		}
	}
	return list
}
