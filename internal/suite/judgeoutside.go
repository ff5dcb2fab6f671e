package suite

import (
	"encoding/json"
	"strconv"
	"strings"

	"harness/internal/event"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
)

// outside compares what concerns effects outside, persons and proofs.
func (j *judge) outside() {
	e, r := j.expect, j.result
	if got := verifiedText(r.Verified); e.Verified.Set() && e.Verified.Value != got {
		j.differs("verified", e.Verified.Pos, e.Verified.Value, got)
	}
	j.count("cost", e.Cost, r.Standing.Cost)
	j.count("questions", e.Questions, len(r.Standing.Confirmations))
	if got := r.Handoff != nil; e.Handoff.Set() && e.Handoff.Value != got {
		j.differs("handoff", e.Handoff.Pos, strconv.FormatBool(e.Handoff.Value), strconv.FormatBool(got))
	}
	j.effects()
	j.events()
	j.holds()
}

func verifiedText(v machine.Verified) string {
	switch v {
	case machine.Holds:
		return "true"
	case machine.Refuted:
		return "false"
	default:
		return "none"
	}
}

// effects compares all acts, in their order.
func (j *judge) effects() {
	list, got := j.expect.Effects, j.result.Standing.Acts
	if !list.Set() {
		return
	}
	if len(list.Items) != len(got) {
		ids := make([]string, len(got))
		for i := range got {
			ids[i] = got[i].ID
		}
		j.differs("effects", list.Pos, strconv.Itoa(len(list.Items)), strings.TrimSuffix(strconv.Itoa(len(got))+": "+strings.Join(ids, ", "), ": "))
	}
	for i := range min(len(list.Items), len(got)) {
		want, act, clause := &list.Items[i], &got[i], "effects["+strconv.Itoa(i)+"]"
		j.text(clause+".tool", want.Tool, act.Tool)
		j.text(clause+".action", want.Action, act.ID)
		j.text(clause+".effect", want.Effect, string(act.Effect))
		j.text(clause+".reconciled", want.Reconciled, act.Reconciled)
		j.count(clause+".attempts", want.Attempts, act.Attempts)
	}
}

// events looks for the named events in the trace, in order, others between them.
func (j *judge) events() {
	at := 0
	for i, t := range j.expect.Events.Items {
		name, code, _ := strings.Cut(t.Value, " ")
		found := false
		for ; at < len(j.result.Events) && !found; at++ {
			e := &j.result.Events[at]
			found = e.Name.String() == name && (code == "" || eventCode(e) == code)
		}
		if !found {
			j.findings = append(j.findings, report.Finding{
				Clause: "events[" + strconv.Itoa(i) + "]", Where: j.where(t.Pos), Want: t.Value, Got: "not in the trace",
				Message: "or not behind the one expected before it; `harness run FILE --format jsonl` prints the trace",
			})
			return
		}
	}
}

// eventCode is the code that an event shows: its own, or that of its decision.
func eventCode(e *event.Event) string {
	if p := e.Proposal(); e.Code == nil && p != nil {
		return p.Decision.Code.String()
	}
	return e.Code.String()
}

// holds asks the expressions.
func (j *judge) holds() {
	if len(j.scenario.Holds) > 0 {
		j.ask("holds", j.scenario.Holds, holdValues(j.result))
	}
	if len(j.scenario.Invariants) > 0 {
		j.ask("invariants", j.scenario.Invariants, runner.EndValues(j.result))
	}
}

func (j *judge) ask(clause string, list []scenarios.Hold, values []strictjson.Value) {
	for i := range list {
		h := &list[i]
		f := report.Finding{Clause: clause + "[" + strconv.Itoa(i) + "]", Where: j.where(h.Pos), Want: h.Program.Source()}
		switch v, err := h.Program.Eval(values...); {
		case err != nil:
			f.Got, f.Message = "no answer", err.Error()
		case v.Bool():
			continue
		default:
			f.Got = "false"
		}
		j.findings = append(j.findings, f)
	}
}

// holdValues are the values of [scenarios.HoldVariables].
func holdValues(r *runner.Result) []strictjson.Value {
	values := append(runner.EndValues(r), strictjson.OfString(r.Status.String()), strictjson.OfString(r.Reason.String()))
	for _, n := range []int{r.Steps, r.ToolCalls, r.Rejections, r.Standing.Cost} {
		values = append(values, strictjson.OfInt(int64(n)))
	}
	return append(values, proposals(r), handoffValue(r))
}

// proposals are what the model wrote beside its actions.
func proposals(r *runner.Result) strictjson.Value {
	var items []strictjson.Value
	step := int32(0)
	for i := range r.Events {
		e := &r.Events[i]
		if e.Name != event.ProposalDecided || e.Step == step || e.Proposal().Action == nil {
			continue // it was decided before
		}
		step = e.Step
		a := e.Proposal().Action
		sources := make([]strictjson.Value, len(a.Sources))
		for i, id := range a.Sources {
			sources[i] = strictjson.OfString(id)
		}
		items = append(items, strictjson.OfObject(
			strictjson.Member{Name: "step", Value: strictjson.OfInt(int64(step))},
			strictjson.Member{Name: "id", Value: strictjson.OfString(a.ID)},
			strictjson.Member{Name: "reason", Value: strictjson.OfString(a.Reason)},
			strictjson.Member{Name: "sources", Value: strictjson.OfArray(sources...)},
		))
	}
	return strictjson.OfArray(items...)
}

// handoffValue is the handoff as a result has it, null if there is none.
func handoffValue(r *runner.Result) strictjson.Value {
	text, err := json.Marshal(report.Handoff(r))
	if err != nil {
		return strictjson.Value{}
	}
	v, fault := strictjson.Parse(text)
	if fault != nil {
		return strictjson.Value{}
	}
	return v
}
