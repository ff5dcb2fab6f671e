package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
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
					Clause: "never[" + strconv.Itoa(i) + "]", Where: j.where(t.Pos), Want: "in no output", Got: "in " + o.place,
				})
				break
			}
		}
	}
}

// output is something that a run put out.
type output struct{ place, text string }

// said gathers all that a run put out: events, refusals, observations and
// patches.
func said(r *runner.Result) []output {
	var list []output
	for i := range r.Events {
		e := &r.Events[i]
		list = append(list, output{fmt.Sprintf("event %d (%s)", e.Seq, e.Name), line(e)})
		if e.Decision != nil {
			list = append(list, refused(e.Step, e.Decision.Refusal)...)
		}
		list = append(list, refused(e.Step, e.Refusal)...)
	}
	for _, o := range r.Observations {
		list = append(list, output{"observation " + o.ID, string(o.JSON)})
		list = texts(list, "observation "+o.ID, o.Content())
	}
	for i := range r.Edits {
		list = append(list, output{"the patch of " + r.Edits[i].Path, r.Edits[i].Change().Patch()})
	}
	return list
}

// line is an event as it is written.
func line(e *event.Event) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e.Line()); err != nil {
		return err.Error()
	}
	return b.String()
}

func refused(step int, r *event.Refusal) []output {
	if r == nil {
		return nil
	}
	told, _ := strictjson.Parse(r.JSON()) // canonical JSON, so without a fault
	return texts(nil, fmt.Sprintf("the refusal of step %d", step), told)
}

// texts appends every text in a value.
func texts(list []output, place string, v strictjson.Value) []output {
	switch v.Kind() {
	case strictjson.String:
		return append(list, output{place, v.Str()})
	case strictjson.Array:
		for _, item := range v.Items() {
			list = texts(list, place, item)
		}
	case strictjson.Object:
		for _, m := range v.Members() {
			list = texts(append(list, output{place, m.Name}), place, m.Value)
		}
	}
	return list
}
