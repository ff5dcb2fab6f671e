package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/term"
	"harness/internal/tools"
)

// gates tells that an action got through gates: those that have nothing new to say on
// one line, the others with what passing them is worth.
func (n *narrator) gates(l *pairs, s *Step, d *event.Decision, passed []diag.Gate) {
	var known []string
	for _, gate := range passed {
		proof := n.proof(gate, s, d)
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

// asking lists the gates from one up to another, that one left out, which have a
// question to ask about the action.
func (n *narrator) asking(s *Step, from, to int) []diag.Gate {
	var list []diag.Gate
	for _, gate := range diag.Gates() {
		if o := gate.Order(); o >= from && o < to && (gate == diag.Parse || len(n.codes(gate, s)) > 0) {
			list = append(list, gate)
		}
	}
	return list
}

// codes lists what a gate can refuse an action of the step's tool with. Finish
// is no tool call, so of the common gates only schema asks about it.
func (n *narrator) codes(gate diag.Gate, s *Step) []string {
	var codes []string
	n.checks(gate, s, func(c *policy.Check) { codes = append(codes, c.Code.Name) })
	return codes
}

// checks goes through the questions that a gate has about an action, in order.
func (n *narrator) checks(gate diag.Gate, s *Step, each func(*policy.Check)) {
	all := n.result.Config.Machine.Table.Checks()
	for i := range all {
		if c := &all[i]; c.Gate == gate && asks(c, s) {
			each(c)
		}
	}
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

// proof says what it means that the step's action passed a gate, in a decision.
func (n *narrator) proof(gate diag.Gate, s *Step, d *event.Decision) proof {
	questions := n.questions(gate, s)
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
			first: "Proves that the values make sense by themselves: " + questions + ". Does not prove that " + exists + ", or may be touched.",
			again: upper(questions) + ".",
		}
	case diag.Authorize:
		granted := n.granted(s, d) + n.identified(s)
		return proof{first: granted + " Proves the right to do it. Does not prove that it is wise.", again: granted}
	case diag.Guard:
		return proof{
			first: "Proves that the state of the run allows it now: " + questions + ". Does not prove that " + good + " is any good.",
			again: upper(questions) + ".",
		}
	case diag.Budget:
		spent := n.spent(s)
		return proof{first: spent + " A budget bounds the damage. It does not prove that the call is of use.", again: spent}
	case diag.Execute:
		return proof{
			first: "Proves that the tool, which may look at content, accepts it: " + questions + ". Does not prove that what it found is true, or the change right.",
			again: upper(questions) + ".",
		}
	case diag.Verify:
		if s.Tool == tools.FinishName {
			return proof{first: "Proves that every observation cited comes from a call that succeeded. Does not prove that the summary follows from it, or that anything is done."}
		}
		return proof{
			first: "Proves that what must be true is true: " + questions + ". Does not prove anything that no check asks.",
			again: upper(questions) + ".",
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
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if first == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// granted names the rule or the grant that allowed the action.
func (n *narrator) granted(s *Step, d *event.Decision) string {
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
