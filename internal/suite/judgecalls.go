package suite

import (
	"strconv"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// call is one call that a run dispatched.
type call struct {
	step     int
	tool     string
	args     strictjson.Value
	outcome  event.Outcome // unset if it has none, because the run ended before
	contract *tools.Contract
}

// dispatched gathers the calls that the gates allowed and a tool was asked to do, one
// for each step. What was answered with a receipt was not done, and is none.
func dispatched(r *runner.Result) []call {
	var list []call
	steps := report.Steps(r)
	for i := range steps {
		s := &steps[i]
		if len(s.Attempts) == 0 {
			continue
		}
		p := s.Attempts[0].Started.Proposal()
		if p == nil || p.Action == nil {
			continue
		}
		c := call{step: s.Step, tool: p.Action.Tool, args: p.Action.Args, outcome: s.Outcome}
		if t, ok := r.Config.Machine.Registry.Lookup(c.tool, p.Action.Version); ok {
			c.contract = t.Contract()
		}
		list = append(list, c)
	}
	return list
}

// calls compares the calls of the run with the list. It reports the first difference:
// those behind it mostly follow from it.
func (j *judge) calls() {
	want := j.expect.Calls
	if want == nil {
		return
	}
	c := trajectory{judge: j, want: want.List.Items, at: want.List.Pos, got: dispatched(j.result)}
	switch want.Way() {
	case scenarios.Ordered:
		c.ordered()
	case scenarios.Superset:
		c.superset()
	case scenarios.Subset:
		c.subset()
	default:
		c.exact()
	}
}

// trajectory compares calls with a list of them.
type trajectory struct {
	*judge
	want []scenarios.ExpectCall
	at   diag.Pos // of the list
	got  []call
}

// noCall is what stands where a call is missing.
const noCall = "no further call"

// exact asks for these calls in this order and no others.
func (t *trajectory) exact() {
	for i := range t.want {
		if i == len(t.got) {
			t.missing(i, noCall, "")
			return
		}
		if got := &t.got[i]; !fits(&t.want[i], got) {
			t.unlike(i, got, "at step "+strconv.Itoa(got.step))
			return
		}
	}
	if len(t.got) > len(t.want) {
		extra := &t.got[len(t.want)]
		t.surplus(extra, noCall, "the call at step "+strconv.Itoa(extra.step)+" stands behind the last of the list")
	}
}

// ordered looks for these calls in this order, others between them. The first that
// fits is always the right one to take: it leaves the most for those to come.
func (t *trajectory) ordered() {
	taken := make([]int, len(t.got))
	at := 0
	for i := range t.want {
		from := at
		for at < len(t.got) && !fits(&t.want[i], &t.got[at]) {
			at++
		}
		if at == len(t.got) {
			t.outOfOrder(i, from, taken)
			return
		}
		taken[at] = i + 1
		at++
	}
}

// outOfOrder reports a call that is not among those from a place on. taken is what
// those before it stand for, from 1.
func (t *trajectory) outOfOrder(i, from int, taken []int) {
	why := ""
	for k := range t.got[:from] {
		if fits(&t.want[i], &t.got[k]) {
			why = t.stands(k, taken[k]-1)
		}
	}
	rest := t.got[from:]
	if near := t.nearest(i, rest, func(int) bool { return true }); near >= 0 {
		t.unlike(i, &rest[near], after(why, "the nearest call that follows is at step "+strconv.Itoa(rest[near].step)))
		return
	}
	got := noCall
	if len(rest) > 0 {
		got = rest[0].describe(t.want[i].Outcome.Set())
		why = after(why, "no call of "+t.want[i].Tool.Value+" follows; what stands there is at step "+strconv.Itoa(rest[0].step))
	}
	t.missing(i, got, why)
}

// stands says that a call fits which is not to be had: another item of the list has
// it, or it comes too early.
func (t *trajectory) stands(call, item int) string {
	text := "the call at step " + strconv.Itoa(t.got[call].step) + " fits, "
	if item < 0 {
		return text + "and comes too early"
	}
	return text + "and stands for calls[" + strconv.Itoa(item) + "]"
}

// superset looks for a call of its own for each of the list, in any order.
func (t *trajectory) superset() {
	fitting := make([][]int, len(t.want))
	for i := range t.want {
		// One that so many calls fit is left one whatever the others take.
		for k := 0; k < len(t.got) && len(fitting[i]) < len(t.want); k++ {
			if fits(&t.want[i], &t.got[k]) {
				fitting[i] = append(fitting[i], k)
			}
		}
	}
	a := assign(fitting, len(t.got))
	i := a.firstLeft()
	if i < 0 {
		return
	}
	why := ""
	if len(fitting[i]) > 0 {
		why = t.stands(fitting[i][0], a.left[fitting[i][0]])
	}
	near := t.nearest(i, t.got, func(k int) bool { return a.left[k] < 0 })
	if near < 0 {
		t.missing(i, noCall, why)
		return
	}
	t.unlike(i, &t.got[near], after(why, "the nearest call is at step "+strconv.Itoa(t.got[near].step)))
}

// subset looks for an item of its own for each call. Of more calls than items one is
// left over among the first, so that no further ones need to be looked at.
func (t *trajectory) subset() {
	some := t.got[:min(len(t.got), len(t.want)+1)]
	fitting := make([][]int, len(some))
	for k := range some {
		for i := range t.want {
			if fits(&t.want[i], &some[k]) {
				fitting[k] = append(fitting[k], i)
			}
		}
	}
	a := assign(fitting, len(t.want))
	k := a.firstLeft()
	if k < 0 {
		return
	}
	got := &some[k]
	why := "the call at step " + strconv.Itoa(got.step) + " is none of the list"
	if len(fitting[k]) > 0 {
		i := fitting[k][0]
		why = "calls[" + strconv.Itoa(i) + "] fits the call at step " + strconv.Itoa(got.step) + ", and stands for the one at step " + strconv.Itoa(some[a.left[i]].step)
	}
	if i := t.nearestItem(got, a); i >= 0 {
		t.unlike(i, got, why+"; calls["+strconv.Itoa(i)+"] comes nearest")
		return
	}
	t.surplus(got, "no such call", why)
}

// nearest is the call of the same tool, among those that are free, that differs from
// an item in the fewest places; -1 if there is none.
func (t *trajectory) nearest(i int, calls []call, free func(int) bool) int {
	best, least := -1, 0
	for k := range calls {
		if calls[k].tool != t.want[i].Tool.Value || !free(k) {
			continue
		}
		if n := differences(&t.want[i], &calls[k]); best < 0 || n < least {
			best, least = k, n
		}
	}
	return best
}

// nearestItem is the item of the same tool, among those that stand for no call, that
// differs from a call in the fewest places; -1 if there is none.
func (t *trajectory) nearestItem(got *call, a assignment) int {
	best, least := -1, 0
	for i := range t.want {
		if t.want[i].Tool.Value != got.tool || a.left[i] >= 0 {
			continue
		}
		if n := differences(&t.want[i], got); best < 0 || n < least {
			best, least = i, n
		}
	}
	return best
}

// missing reports an item that no call stands for.
func (t *trajectory) missing(i int, got, why string) {
	want := &t.want[i]
	t.findings = append(t.findings, report.Finding{
		Clause: "calls[" + strconv.Itoa(i) + "]", Where: t.where(want.Pos),
		Want: t.describe(want), Got: got, Message: why,
	})
}

// surplus reports a call that no item stands for.
func (t *trajectory) surplus(got *call, want, why string) {
	if len(t.want) == 0 {
		want, why = "no call", "at step "+strconv.Itoa(got.step)
	}
	t.findings = append(t.findings, report.Finding{
		Clause: "calls", Where: t.where(t.at), Want: want, Got: got.describe(false), Message: why,
	})
}

// unlike reports the first place where a call differs from an item. A call of
// another tool is another call.
func (t *trajectory) unlike(i int, got *call, why string) {
	want := &t.want[i]
	if want.Tool.Value != got.tool {
		t.missing(i, got.describe(want.Outcome.Set()), why)
		return
	}
	clause := "calls[" + strconv.Itoa(i) + "]"
	d, ok := argsDiffer(want, got)
	if !ok {
		t.findings = append(t.findings, report.Finding{
			Clause: clause + ".outcome", Where: t.where(want.Outcome.Pos), Want: want.Outcome.Value, Got: outcomeText(got.outcome), Message: why,
		})
		return
	}
	at := want.At(positionPath(d.path))
	if len(d.path) > 0 && private(got.contract, d.path[0].name) {
		d, why = d.hidden(), after("they differ, and no report may show how", why)
	}
	f := report.Finding{Clause: clause + ".args" + pathText(d.path), Where: t.where(at), Message: why}
	f.Want, f.Got = shownJSON(d.want, d.got)
	if want.Way() == scenarios.Fields && d.got.IsZero() {
		f.Want = "any value"
	}
	t.findings = append(t.findings, f)
}

// after puts a further reason behind another one.
func after(why, more string) string {
	if why == "" {
		return more
	}
	return why + "; " + more
}

func outcomeText(o event.Outcome) string {
	if o == 0 {
		return "no answer"
	}
	return o.String()
}

// describe is a call in a few words, with its outcome if that is asked for.
func (c *call) describe(outcome bool) string {
	text := c.tool + " " + shortJSON(redacted(c.args, c.contract))
	if outcome {
		text += ", " + outcomeText(c.outcome)
	}
	return text
}

// describe is an item of the list in a few words: what it says of the arguments, and
// "…" for what it leaves open.
func (t *trajectory) describe(want *scenarios.ExpectCall) string {
	var contract *tools.Contract
	if tool, ok := t.result.Config.Machine.Registry.Lookup(want.Tool.Value, ""); ok {
		contract = tool.Contract()
	}
	text := want.Tool.Value
	switch args := redacted(want.Args.Value, contract); want.Way() {
	case scenarios.Exact:
		text += " " + shortJSON(args)
	case scenarios.Subset:
		text += " " + shortJSON(args) + " and more"
	case scenarios.Fields:
		text += " with " + namesText(args)
	}
	if want.Outcome.Set() {
		text += ", " + want.Outcome.Value
	}
	return text
}
