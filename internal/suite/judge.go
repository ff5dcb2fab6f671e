package suite

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/textdiff"
)

// Judge compares what came of a run with what its scenario expects. A run whose
// script or tools broke down shows nothing, which is an error unless it is
// expected; a script that does not fit the run fails whatever else is expected.
// Where nothing is expected, a run has to end well.
func Judge(s *scenarios.Scenario, r *runner.Result) (report.Verdict, []report.Finding) {
	return judgeRun(s, r, false)
}

// judgeRun is Judge for a scenario that may have a golden, which says how it ends.
func judgeRun(s *scenarios.Scenario, r *runner.Result, golden bool) (report.Verdict, []report.Finding) {
	j := &judge{scenario: s, result: r, expect: s.Expect}
	if j.expect == nil {
		j.expect = &scenarios.Expect{}
	}
	if j.brokeDown() {
		return report.Error, j.findings
	}
	j.script()
	j.end()
	j.edits()
	j.decisions()
	j.calls()
	j.outside()
	j.never()
	if s.Expect == nil && !golden && !r.Status.Good() {
		j.findings = append(j.findings, report.Finding{
			Clause: "status", Message: "no expectation, and " + r.Status.String() + " is no good end",
		})
	}
	if len(j.findings) > 0 {
		return report.Fail, j.findings
	}
	return report.Pass, nil
}

// judge collects findings.
type judge struct {
	scenario *scenarios.Scenario
	result   *runner.Result
	expect   *scenarios.Expect
	findings []report.Finding
}

// where is a place in the scenario's file, as traces write it.
func (j *judge) where(pos diag.Pos) string {
	return path.Base(strings.ReplaceAll(j.scenario.File, `\`, "/")) + ":" + pos.String()
}

func (j *judge) differs(clause string, pos diag.Pos, want, got string) {
	j.findings = append(j.findings, report.Finding{Clause: clause, Where: j.where(pos), Want: want, Got: got})
}

// brokeDown finds a run that ended because something in the scenario or the
// program was at fault, not the model.
func (j *judge) brokeDown() bool {
	r := j.result
	if r.Reason == nil || j.expect.StopReason.Value == r.Reason.Name {
		return false
	}
	switch {
	case r.Reason == model.Failed:
		f := r.Failure()
		j.findings = append(j.findings, report.Finding{Clause: "model", Where: f.Where, Got: r.Reason.Name, Message: f.Message})
	case r.Reason == machine.ToolFailed:
		j.findings = append(j.findings, report.Finding{Clause: "tool", Got: r.Reason.Name, Message: r.Reason.Means})
	default:
		return false
	}
	return true
}

// script asks whether the script and the run fit: nothing left over, and no
// answer missing.
func (j *judge) script() {
	r := j.result
	if r.Unused > 0 && !j.scenario.AllowUnused {
		j.findings = append(j.findings, report.Finding{
			Clause: "unused", Where: r.UnusedAt, Want: "every answer of the script asked for", Got: strconv.Itoa(r.Unused) + " left over",
			Message: "the run ended before the script did; model.allowUnused says that this is meant",
		})
	}
	if r.Unmade > 0 {
		j.findings = append(j.findings, report.Finding{
			Clause: "changes", Where: r.UnmadeAt, Want: "every change made", Got: strconv.Itoa(r.Unmade) + " never made",
			Message: "the run ended before they were due, so nothing was tested with them",
		})
	}
	if r.Unstruck > 0 {
		j.findings = append(j.findings, report.Finding{
			Clause: "faults", Where: r.UnstruckAt, Want: "every fault struck", Got: strconv.Itoa(r.Unstruck) + " never struck",
			Message: "the tool was not called so often, or ended before, so nothing was tested with them",
		})
	}
	if r.Unsaid > 0 {
		j.findings = append(j.findings, report.Finding{
			Clause: "human", Where: r.UnsaidAt, Want: "every answer asked for", Got: strconv.Itoa(r.Unsaid) + " left over",
			Message: "the run never asked so often, so nothing was tested with them",
		})
	}
	if r.Reason == model.ScriptExhausted && !j.expect.StopReason.Set() {
		j.findings = append(j.findings, report.Finding{
			Clause: "script", Want: "an answer for every asking", Got: r.Reason.Name, Message: r.Reason.Do,
		})
	}
}

// end compares how the run ended and what it used.
func (j *judge) end() {
	e, r := j.expect, j.result
	if got := r.Status.String(); e.Status.Set() && e.Status.Value != got {
		j.differs("status", e.Status.Pos, e.Status.Value, got)
	}
	if got := r.Reason.String(); e.StopReason.Set() && e.StopReason.Value != got {
		j.differs("stopReason", e.StopReason.Pos, e.StopReason.Value, got)
	}
	j.count("steps", e.Steps, r.Steps)
	j.count("toolCalls", e.ToolCalls, r.ToolCalls)
	j.count("rejections", e.Rejections, r.Rejections)
	if e.RepoUnchanged.Set() && e.RepoUnchanged.Value != r.RepoUnchanged {
		j.differs("repoUnchanged", e.RepoUnchanged.Pos, strconv.FormatBool(e.RepoUnchanged.Value), strconv.FormatBool(r.RepoUnchanged))
	}
}

func (j *judge) count(clause string, want scenarios.Number, got int) {
	if want.Set() && want.Value != got {
		j.differs(clause, want.Pos, strconv.Itoa(want.Value), strconv.Itoa(got))
	}
}

// edits compares all edits, in their order.
func (j *judge) edits() {
	list, got := j.expect.Edits, j.result.Edits
	if !list.Set() {
		return
	}
	if len(list.Items) != len(got) {
		paths := make([]string, len(got))
		for i := range got {
			paths[i] = got[i].Path
		}
		j.differs("edits", list.Pos, editCount(len(list.Items)), strings.TrimSuffix(editCount(len(got))+": "+strings.Join(paths, ", "), ": "))
	}
	for i := range min(len(list.Items), len(got)) {
		j.edit("edits["+strconv.Itoa(i)+"]", &list.Items[i], &got[i])
	}
}

func editCount(n int) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "1 edit"
	}
	return strconv.Itoa(n) + " edits"
}

func (j *judge) edit(clause string, want *scenarios.ExpectEdit, got *runner.Edit) {
	j.text(clause+".path", want.Path, got.Path)
	j.count(clause+".line", want.Line, got.Line)
	j.text(clause+".before", want.Before, got.Before)
	j.text(clause+".after", want.After, got.After)
	if want.ResultHash.Set() {
		j.text(clause+".resultHash", want.ResultHash, got.Change().ResultHash())
	}
	if want.Stale.Set() && want.Stale.Value != got.Stale {
		j.differs(clause+".stale", want.Stale.Pos, strconv.FormatBool(want.Stale.Value), strconv.FormatBool(got.Stale))
	}
	j.text(clause+".patch", want.Patch, got.Change().Patch())
	j.notes(clause+".notes", &want.Notes, got.Change().Notes())
	j.text(clause+".preview", want.Preview, got.Change().Result())
}

// notes asks for each text in one of the notes; an empty list, for no notes.
func (j *judge) notes(clause string, want *scenarios.List[scenarios.Text], got []string) {
	if want.Set() && len(want.Items) == 0 && len(got) > 0 {
		j.differs(clause, want.Pos, "none", strings.Join(got, "; "))
	}
	for _, w := range want.Items {
		if !slices.ContainsFunc(got, func(note string) bool { return strings.Contains(note, w.Value) }) {
			j.differs(clause, w.Pos, w.Value, orNone(strings.Join(got, "; ")))
		}
	}
}

// text compares a text; one of several lines is shown as a difference.
func (j *judge) text(clause string, want scenarios.Text, got string) {
	switch {
	case !want.Set() || want.Value == got:
	case strings.Contains(want.Value, "\n") || strings.Contains(got, "\n"):
		j.findings = append(j.findings, report.Finding{
			Clause: clause, Where: j.where(want.Pos), Diff: clip(textdiff.Unified(want.Value, got, 3)),
		})
	default:
		shownWant, shownGot := shown(want.Value, got)
		j.differs(clause, want.Pos, shownWant, shownGot)
	}
}

// orNone is a text as a finding shows it.
func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// shown gives two different texts so that the difference shows: as they are if
// they are short and plain, else quoted, around the first place that differs.
func shown(want, got string) (string, string) {
	if plainWord(want) && plainWord(got) {
		return want, got
	}
	const around = 60
	same := 0
	for same < min(len(want), len(got)) && want[same] == got[same] {
		same++
	}
	return window(want, same-around, same+around), window(got, same-around, same+around)
}

// plainWord reports whether a text can stand in a finding as it is.
func plainWord(text string) bool {
	const longest = 100
	for i := range len(text) {
		if text[i] <= ' ' && text[i] != ' ' || text[i] > '~' {
			return false
		}
	}
	return text != "" && text != "none" && len(text) <= longest && strings.TrimSpace(text) == text
}

// window quotes a part of a text in ASCII.
func window(text string, from, to int) string {
	from, to = max(from, 0), min(to, len(text))
	quoted := strconv.QuoteToASCII(text[from:to])
	if from > 0 {
		quoted = "…" + quoted
	}
	if to < len(text) {
		quoted += "…"
	}
	return quoted
}

// clip bounds a text that a finding shows, on a code point.
func clip(text string) string {
	const most = 8000
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// decided is what was decided on one action, and what its tool said.
type decided struct {
	step     int
	effect   event.Effect
	gate     diag.Gate
	code     *diag.Code
	tool     string
	resource string
	refusal  *event.Refusal
	why      string // of a call that failed
}

// says is what the model may be told about a refusal.
func (d *decided) says() string {
	if d.refusal == nil {
		return d.why
	}
	return d.refusal.Message + "\n" + d.refusal.Hint
}

// decisions gathers the decisions of a run, in order.
func decisions(r *runner.Result) []decided {
	var list []decided
	for i := range r.Events {
		switch e := &r.Events[i]; {
		case e.Name == event.ProposalDecided:
			d := &e.Proposal().Decision
			list = append(list, decided{
				step: int(e.Step), effect: d.Effect, gate: d.Gate, code: d.Code,
				tool: e.Tool, resource: e.Resource, refusal: d.Refusal,
			})
		case e.Name == event.ToolCompleted && e.Refusal() != nil && len(list) > 0:
			last := &list[len(list)-1]
			last.gate, last.code, last.refusal = e.Refusal().Gate, e.Refusal().Code, e.Refusal()
		case e.Name == event.ToolCompleted && e.Code != nil && len(list) > 0:
			last := &list[len(list)-1]
			last.gate, last.code = e.Code.Gate, e.Code
			if c, ok := e.About.(*event.Completion); ok {
				last.why = c.Why
			}
		}
	}
	return list
}

// decisions compares the decisions on the steps that are named.
func (j *judge) decisions() {
	if len(j.expect.Decisions.Items) == 0 {
		return
	}
	all := decisions(j.result)
	for i := range j.expect.Decisions.Items {
		j.decision("decisions["+strconv.Itoa(i)+"]", &j.expect.Decisions.Items[i], all)
	}
}

func (j *judge) decision(clause string, want *scenarios.ExpectDecision, all []decided) {
	d := chosen(want, all)
	if d == nil {
		j.findings = append(j.findings, report.Finding{
			Clause: clause + ".step", Where: j.where(want.Step.Pos), Want: strconv.Itoa(want.Step.Value), Got: "none",
			Message: fmt.Sprintf("nothing was decided at that step; the run has %d", j.result.Steps),
		})
		return
	}
	j.effect(clause+".decision", want.Decision, d)
	j.text(clause+".gate", want.Gate, string(d.gate))
	j.text(clause+".code", want.Code, d.code.String())
	j.text(clause+".tool", want.Tool, d.tool)
	j.text(clause+".resource", want.Resource, d.resource)
	if want.Says.Set() && !strings.Contains(d.says(), want.Says.Value) {
		j.differs(clause+".says", want.Says.Pos, want.Says.Value, orNone(d.says()))
	}
}

// chosen is the decision that an expectation is about: of several at one step the
// last, unless it expects that a person was asked.
func chosen(want *scenarios.ExpectDecision, all []decided) *decided {
	var last *decided
	for i := range all {
		if all[i].step != want.Step.Value {
			continue
		}
		if last = &all[i]; want.Decision.Value == string(event.Confirm) && last.effect == event.Confirm {
			return last
		}
	}
	return last
}

// effect compares what was decided. Gates may allow a call that its tool then
// refuses, which is easily taken for a denial.
func (j *judge) effect(clause string, want scenarios.Text, got *decided) {
	if !want.Set() || want.Value == string(got.effect) {
		return
	}
	f := report.Finding{Clause: clause, Where: j.where(want.Pos), Want: want.Value, Got: string(got.effect)}
	if got.effect == event.Allow && got.refusal != nil {
		f.Message = fmt.Sprintf("the gates allowed the call; its tool refused: decision is allow, with gate %s and the code", got.gate)
	}
	j.findings = append(j.findings, f)
}
