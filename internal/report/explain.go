package report

import (
	"slices"
	"strings"

	"harness/internal/action"
	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools"
)

// narrator tells a run step by step. What a gate proves is said in full the
// first time only.
type narrator struct {
	*page
	result *runner.Result
	detail Detail
	told   []string // the gates whose worth was told in full
	calls  int      // tool calls of the steps before
	used   []int    // calls that each grant was used for, in the steps before
}

// explain tells one step: what was asked, how it went through the gates, and
// what came of it.
func (n *narrator) explain(s *Step, indent int) {
	n.prose(indent, term.Normal, n.asked(s))
	l := pairs{indent: indent}
	if s.Decision != nil {
		n.gates(&l, s)
		n.happened(&l, s)
		n.decided(&l, s)
		n.failed(&l, s)
	}
	n.answered(&l, s)
	n.pairs(&l)
	n.count(s)
}

// asked says in words what the model asked for.
func (n *narrator) asked(s *Step) string {
	a := s.action()
	switch {
	case s.Decision == nil:
		return "The model was asked and gave no output: " + failureText(s)
	case a == nil:
		return "The model said this, which is no action: " + n.clip(s.noise(), 2*quoteMost)
	}
	text := n.wish(s, a)
	if a.Reason != "" {
		text += " Its reason, which has no effect: " + n.quoted(a.Reason, quoteMost)
	}
	return text
}

// wish says what an action asks for. Arguments that do not fit their contract
// are listed as they came.
func (n *narrator) wish(s *Step, a *action.Action) string {
	misfit := s.Refusal != nil && s.Refusal.Gate == diag.Schema
	switch {
	case misfit, s.outside:
	case a.Kind == action.Finish:
		return "The model says that it is done: " + n.quoted(s.text("summary"), 2*quoteMost)
	case a.Tool == "search":
		return "The model asks to search the files it may read for " + n.quoted(s.text("query"), quoteMost) + "."
	case a.Tool == "read":
		return "The model asks to read " + s.text("path") + linesAsked(s) + "."
	case a.Tool == "propose_edit":
		return "The model proposes to replace " + n.quoted(s.text("before"), quoteMost) + " by " +
			n.quoted(s.text("after"), quoteMost) + " in " + s.text("path") +
			", in the version whose SHA-256 is " + n.digest(n.clip(s.text("baseHash"), quoteMost)) + "."
	}
	return "The model asks for " + n.clip(a.Tool, quoteMost) + n.arguments(s) + "."
}

func failureText(s *Step) string {
	words := s.failure()
	if words.Where != "" {
		return words.Message + " (" + words.Where + ")."
	}
	return words.Message + "."
}

func linesAsked(s *Step) string {
	if suffix := lineSuffix(s); suffix != "" {
		return ", lines " + suffix[1:]
	}
	return ""
}

// arguments lists the arguments of a step's action, a few of them and each clipped.
func (n *narrator) arguments(s *Step) string {
	const most = 6
	members := s.arguments().Members()
	if len(members) == 0 {
		return " without arguments"
	}
	parts := make([]string, 0, most+1)
	for i, m := range members {
		if i == most {
			parts = append(parts, "and "+count(len(members)-most, "more argument"))
			break
		}
		parts = append(parts, n.clip(m.Name, subjectColumns)+" "+n.clip(string(strictjson.AppendCanonical(nil, m.Value)), quoteMost))
	}
	return " with " + strings.Join(parts, ", ")
}

// gates tells the gates that the action got through: those that have nothing
// new to say on one line, the others with what passing them is worth.
func (n *narrator) gates(l *pairs, s *Step) {
	var known []string
	for _, gate := range n.passed(s) {
		proof := n.proof(gate, s)
		words, kind := proof.again, gateKind(gate, s)
		if !slices.Contains(n.told, kind) {
			n.told = append(n.told, kind)
			words = proof.first
		}
		if words == "" {
			known = append(known, string(gate))
			continue
		}
		n.known(l, known)
		known = nil
		l.add(term.Good, n.style.Tick()+" "+string(gate), term.Text(words))
	}
	n.known(l, known)
}

// gateKind names a gate by what passing it proves: of a finish, verify says
// something else than of a call.
func gateKind(gate diag.Gate, s *Step) string {
	if gate == diag.Verify && s.Tool == tools.FinishName {
		return tools.FinishName
	}
	return string(gate)
}

// known adds gates that were explained before.
func (n *narrator) known(l *pairs, gates []string) {
	if len(gates) > 0 {
		l.add(term.Good, n.style.Tick()+" passed", term.Text(strings.Join(gates, ", ")))
	}
}

// passed lists the gates that had a question to ask about the action and let it
// pass.
func (n *narrator) passed(s *Step) []diag.Gate {
	var passed []diag.Gate
	for _, gate := range diag.Gates() {
		if s.Refusal != nil && gate == s.Refusal.Gate {
			break
		}
		if gate == diag.Parse || len(n.codes(gate, s)) > 0 {
			passed = append(passed, gate)
		}
	}
	if s.allowed() && s.Tool != tools.FinishName && s.Outcome != event.CallSucceeded && s.Refusal == nil {
		passed = slices.DeleteFunc(passed, func(g diag.Gate) bool { return g.Order() >= diag.Execute.Order() })
	}
	return passed
}

// codes lists what a gate can refuse an action of the step's tool with. Finish
// is no tool call, so of the common gates only schema asks about it.
func (n *narrator) codes(gate diag.Gate, s *Step) []string {
	var codes []string
	checks := n.result.Config.Machine.Table.Checks()
	for i := range checks {
		if c := &checks[i]; c.Gate == gate && asks(c, s) {
			codes = append(codes, c.Code.Name)
		}
	}
	return codes
}

// asks reports whether a check has a question about a step's action. Those about
// acts, grants and persons have none about a call that has nothing of the kind.
func asks(c *policy.Check, s *Step) bool {
	switch {
	case c.Tool != "":
		return c.Tool == s.Tool
	case s.Tool == tools.FinishName:
		return c.Gate == diag.Schema
	case s.Decision != nil && c.ID == s.Decision.Check:
		return true
	case c.Gate == diag.Confirm:
		return s.needsPerson()
	case c.Gate == diag.Authorize, c.Gate == diag.Guard:
		return s.outside
	default:
		return true
	}
}

// proof is what passing a gate is worth.
type proof struct {
	first string // with what it does not prove; said once
	again string // what is particular to a step; may be empty
}

// proof says what it means that the step's action passed a gate.
func (n *narrator) proof(gate diag.Gate, s *Step) proof {
	none := noneOf(n.codes(gate, s))
	exists, good := "the file exists", "the change"
	if s.outside {
		exists, good = "what they name exists", "the call"
	}
	switch gate {
	case diag.Parse:
		return proof{first: "Proves that the output is exactly one JSON object of a known form; nothing was repaired or guessed. Does not prove any right."}
	case diag.Schema:
		return proof{first: "Proves that every argument is one that the contract of " + s.Tool + " declares, of its type and within its size. Does not prove that the values make sense."}
	case diag.Semantic:
		return proof{
			first: "Proves that the values make sense by themselves: " + none + ". Does not prove that " + exists + ", or may be touched.",
			again: upper(none) + ".",
		}
	case diag.Authorize:
		granted := n.granted(s) + n.identified(s)
		return proof{first: granted + " Proves the right to do it. Does not prove that it is wise.", again: granted}
	case diag.Guard:
		return proof{
			first: "Proves that the state of the run allows it now: " + none + ". Does not prove that " + good + " is any good.",
			again: upper(none) + ".",
		}
	case diag.Budget:
		spent := n.spent(s)
		return proof{first: spent + " A budget bounds the damage. It does not prove that the call is of use.", again: spent}
	case diag.Execute:
		return proof{
			first: "Proves that the tool, which may look at content, accepts it: " + none + ". Does not prove that what it found is true, or the change right.",
			again: upper(none) + ".",
		}
	case diag.Verify:
		if s.Tool == tools.FinishName {
			return proof{first: "Proves that every observation cited comes from a call that succeeded. Does not prove that the summary follows from it, or that anything is done."}
		}
		return proof{
			first: "Proves that what must be true is true: " + none + ". Does not prove anything that no check asks.",
			again: upper(none) + ".",
		}
	}
	return n.confirmed(s)
}

// noneOf says that none of a gate's refusals applies.
func noneOf(codes []string) string {
	switch len(codes) {
	case 0:
		return "it had nothing to ask"
	case 1:
		return codes[0] + " does not apply"
	}
	return "none of " + strings.Join(codes, ", ") + " applies"
}

// upper is a sentence that begins with a capital letter, unless it begins with a
// code.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// granted names the rule or the grant that allowed the action.
func (n *narrator) granted(s *Step) string {
	d := s.Decision
	if d.Rule == "" {
		return "A rule allows it."
	}
	if at := n.grant(d); at >= 0 {
		return n.grantText(at, d)
	}
	text := "Rule " + d.Rule
	for _, t := range d.Tried {
		if t.Rule == d.Rule && t.Where == d.Where {
			text += " (" + t.Pattern + ")"
			break
		}
	}
	text += " allows it"
	if d.Where != "" {
		text += ", at " + d.Where
	}
	if s.Resource == "" {
		text += ". Each file is asked about while the tool works, and one that may not be read leaves no trace, not even in a count"
	}
	return text + "."
}

// decided tells a refusal: what it means, which rules were asked, and what else
// would have refused.
func (n *narrator) decided(l *pairs, s *Step) {
	if s.Refusal == nil {
		return
	}
	code := s.Refusal.Code
	tone, mark := term.Bad, n.style.Cross()
	if s.open() != "" {
		tone, mark = term.Warn, n.style.Dot()
	}
	l.add(tone, mark+" "+string(s.Refusal.Gate), term.Strong.Cell(code.Name).Add(term.Normal, ": "+s.Refusal.Message+"."))
	l.add(term.Dim, "  means", term.Text(n.ours(code.Means)))
	if s.Refusal.Hint != "" {
		l.add(term.Dim, "  hint", term.Text(s.Refusal.Hint))
	}
	l.add(term.Dim, "  do", term.Text(n.ours(code.Do)))
	if code.Class == diag.Rejection {
		l.addTexts(term.Dim, "  retry", retryText(code.Retry))
	}
	if d := s.Decision; d.Code != nil {
		if d.Gate == diag.Authorize {
			n.rules(l, d)
		}
		if later := n.notAsked(s); later != "" {
			l.add(term.Dim, "  not asked", term.Text(later))
		}
		if len(d.Also) > 0 {
			l.add(term.Dim, "  also", term.Text("It would have been refused by "+alsoText(d.Also)+" too."))
		}
	}
}

// rules lists the rules that were asked.
func (n *narrator) rules(l *pairs, d *event.Decision) {
	const most = 8
	for i, t := range d.Tried {
		label := ""
		if i == 0 {
			label = "  rules"
		}
		if i == most {
			l.add(term.Dim, label, term.Text("and "+number(len(d.Tried)-most+d.More)+" more"))
			return
		}
		l.add(term.Dim, label, ruleCell(t))
	}
	if d.More > 0 {
		l.add(term.Dim, "", term.Text("and "+number(d.More)+" more"))
	}
}

// ruleCell is one rule and whether it matched.
func ruleCell(t event.RuleTried) term.Cell {
	cell := term.Text(t.Rule + " " + string(t.Effect) + " " + t.Pattern)
	switch {
	case t.Matched:
		cell = cell.Add(term.Strong, ": matches")
	case t.Note != "":
		cell = cell.Add(term.Normal, ": no match, "+t.Note)
	default:
		cell = cell.Add(term.Normal, ": no match")
	}
	if t.Where != "" {
		cell = cell.Add(term.Dim, " ("+t.Where+")")
	}
	return cell
}

// notAsked names the gates behind the one that refused.
func (n *narrator) notAsked(s *Step) string {
	if s.action() == nil {
		return "everything else: there is no action to ask about."
	}
	var later []string
	for _, gate := range diag.Gates() {
		if gate.Order() > s.Decision.Gate.Order() && len(n.codes(gate, s)) > 0 {
			later = append(later, string(gate))
		}
	}
	if len(later) == 0 {
		return ""
	}
	return strings.Join(later, ", ") + ": after the first refusal nothing more runs."
}

func alsoText(also []event.AlsoFailed) string {
	parts := make([]string, len(also))
	for i, a := range also {
		parts[i] = string(a.Gate) + " " + a.Code.String()
	}
	return strings.Join(parts, ", ")
}
