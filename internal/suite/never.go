package suite

import (
	"bytes"
	"cmp"
	"reflect"
	"sort"
	"strconv"

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
	type needle struct{ plain, escaped []byte }
	needles, found := make([]needle, len(items)), make([]string, len(items))
	for i, t := range items {
		escaped := strictjson.AppendString(nil, t.Value)
		needles[i] = needle{[]byte(t.Value), escaped[1 : len(escaped)-1]}
	}
	said(j.result, func(o output, text []byte) {
		for i, n := range needles {
			if found[i] == "" && (bytes.Contains(text, n.plain) || bytes.Contains(text, n.escaped)) {
				found[i] = o.String()
			}
		}
	})
	for i, t := range items {
		if found[i] != "" {
			j.findings = append(j.findings, report.Finding{
				Clause: "never[" + strconv.Itoa(i) + "]", Where: j.where(t.Pos), Want: "in no output", Got: "in " + found[i],
			})
		}
	}
}

// output is something that a run put out.
type output struct {
	kind string // "event", "observation", …
	step int    // or sequence number; 0 for none
	name string
}

func (o output) String() string {
	switch {
	case o.step == 0:
		return o.kind + " " + o.name
	case o.name == "":
		return o.kind + " " + strconv.Itoa(o.step)
	default:
		return o.kind + " " + strconv.Itoa(o.step) + " (" + o.name + ")"
	}
}

// listener hears one output of a run; the text is its only for the call.
type listener func(o output, text []byte)

// said tells of all that a run put out: events, refusals, observations, patches and
// previews, what persons were asked, the handoff, and the spans.
func said(r *runner.Result, hear listener) {
	var room []byte
	document := func(o output, document any) {
		room = appendTexts(room[:0], reflect.ValueOf(document))
		hear(o, room)
	}
	for i := range r.Events {
		e := &r.Events[i]
		line := e.Line() // whatever fields it has
		document(output{kind: "event", step: int(e.Seq), name: e.Name.String()}, &line)
		if e.Name == event.ProposalDecided {
			refused(e, e.Proposal().Decision.Refusal, hear)
		}
		refused(e, e.Refusal(), hear)
	}
	for _, o := range r.Observations {
		from := output{kind: "observation", name: o.ID}
		hear(from, o.JSON)
		texts(from, o.Content(), hear)
	}
	pages(r, hear)
	for i := range r.Edits {
		change := r.Edits[i].Change()
		hear(output{kind: "the patch of", name: change.Path}, []byte(change.Patch()))
		hear(output{kind: "the preview of", name: change.Path}, []byte(change.Result()))
	}
	// What a run puts before persons, and before the systems that follow it.
	document(output{kind: "the", name: "spans"}, report.Trace(r))
	for _, c := range report.ConfirmationRecords(r) {
		document(output{kind: "confirmation", name: c.ID}, &c)
	}
	if h := report.Handoff(r); h != nil {
		document(output{kind: "the", name: "handoff"}, h)
	}
}

// pages tells of the parts of files that several reads have shown together: a text may
// begin on one page and end on the next.
func pages(r *runner.Result, hear listener) {
	type page struct {
		event.Read
		text string
	}
	var all []page
	for i := range r.Events {
		e := &r.Events[i]
		read, is := e.About.(*event.Read)
		if !is {
			continue
		}
		for _, o := range r.Observations {
			if int32(o.Step) == e.Step {
				content, _ := o.Content().Get("content")
				all = append(all, page{*read, content.Str()})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.From, b.From)) < 0
	})
	for len(all) > 0 {
		text, to, n := []byte(all[0].text), all[0].To, 1
		for ; n < len(all); n++ {
			p := &all[n]
			if p.Path != all[0].Path || p.Hash != all[0].Hash || p.From > to || len(p.text) != p.To-p.From {
				break
			}
			if p.To > to {
				text, to = append(text, p.text[to-p.From:]...), p.To
			}
		}
		if n > 1 {
			hear(output{kind: "the pages of", name: all[0].Path}, text)
		}
		all = all[n:]
	}
}

// appendTexts appends every text below a value, each on its own.
func appendTexts(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			dst = append(append(dst, v.String()...), 0)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			dst = appendTexts(dst, v.Elem())
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			dst = appendTexts(appendTexts(dst, i.Key()), i.Value())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			dst = appendTexts(dst, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			dst = appendTexts(dst, v.Field(i))
		}
	}
	return dst
}

func refused(e *event.Event, r *event.Refusal, hear listener) {
	if r == nil {
		return
	}
	from := output{kind: "the refusal of step", step: int(e.Step)}
	hear(from, r.JSON())
	told, _ := strictjson.Parse(r.JSON()) // canonical JSON, so without a fault
	texts(from, told, hear)
}

// texts tells of every text in a value, as coming from what it is part of.
func texts(from output, v strictjson.Value, hear listener) {
	switch v.Kind() {
	case strictjson.String:
		hear(from, []byte(v.Str()))
	case strictjson.Array:
		for _, item := range v.Items() {
			texts(from, item, hear)
		}
	case strictjson.Object:
		for _, m := range v.Members() {
			hear(from, []byte(m.Name))
			texts(from, m.Value, hear)
		}
	}
}
