package report

import (
	"strings"

	"harness/internal/action"
	"harness/internal/strictjson"
	"harness/internal/term"
)

// payloadLines bounds how many lines of one payload are shown.
const payloadLines = 40

// payloads writes what the model was given, said and was told at a step, word
// for word.
func (n *narrator) payloads(s *Step, indent int) {
	l := pairs{indent: indent}
	if s.Context > 0 {
		l.add(term.Dim, "context", term.Text(number(s.Context)+" of "+number(n.result.Config.Machine.Budgets.ContextChars)+" code points"))
	}
	n.said(&l, s)
	o := s.Observation
	if o == nil {
		n.pairs(&l)
		return
	}
	l.add(term.Dim, "told", term.Text(n.join(o.ID, string(o.Trust), count(o.Size, "code point"), "sha256 "+n.digest(o.Digest().String()))))
	n.pairs(&l)
	n.members(o.Content().Members(), indent+2)
}

// members writes an observation member by member: short texts beside their
// names, texts of several lines as a block.
func (n *narrator) members(members []strictjson.Member, indent int) {
	left := payloadLines
	var l pairs
	flush := func() {
		l.indent = indent
		n.pairs(&l)
		l.rows = nil
	}
	for _, m := range members {
		if left <= 0 {
			flush()
			n.prose(indent, term.Warn, n.style.Ellipsis()+" more is not shown; the JSON result has it whole")
			return
		}
		text := string(strictjson.AppendCanonical(nil, m.Value))
		if m.Value.Kind() == strictjson.String {
			text = m.Value.Str()
		}
		if !strings.Contains(text, "\n") && !n.hash(text, indent) {
			l.addTexts(term.Dim, m.Name, n.clip(text, left*n.width/2))
			left--
			continue
		}
		flush()
		left -= n.block(m.Name, text, indent, left)
	}
	flush()
}

// hash reports whether a text is a hash that has room on a line of its own, but
// might be broken beside its name.
func (n *narrator) hash(text string, indent int) bool {
	const digits = 64
	return len(text) == digits && strings.Trim(text, "0123456789abcdef") == "" && n.width-indent-2 >= digits
}

// block writes a text of several lines, at most most of them, and gives how many
// it took.
func (n *narrator) block(name, text string, indent, most int) int {
	n.prose(indent, term.Dim, name)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if i == most {
			n.prose(indent, term.Warn, n.style.Ellipsis()+" "+count(len(lines)-i, "more line"))
			break
		}
		ink := strings.TrimRight(line, " ")
		safe := n.style.EscapeLine(ink) + strings.Repeat("<U+0020>", min(len(line)-len(ink), 8))
		n.raw(strings.TrimRight(strings.Repeat(" ", indent)+n.style.Dim("|")+" "+n.clip(safe, max(n.width-indent-2, 8)), " ") + "\n")
	}
	return min(len(lines), most)
}

// said adds what the model said, word for word. Where the tool has arguments that
// no report may show it is the action in canonical form, with those masked.
func (n *narrator) said(l *pairs, s *Step) {
	most := payloadLines * n.width / 2
	switch a := s.action(); {
	case s.raw() == nil:
		return
	case a == nil:
		l.add(term.Dim, "said", term.Text(n.clip(s.noise(), most)))
	case len(s.private) == 0:
		l.add(term.Dim, "said", term.Text(n.clip(string(s.raw()), most)))
	default:
		l.add(term.Dim, "said", term.Text(n.clip(string(masked(a, s.arguments())), most)))
		l.add(term.Dim, "", term.Warn.Cell("not word for word: "+strings.Join(s.private, ", ")+" may not be shown"))
	}
}

// masked is an action in canonical form, with the arguments as given.
func masked(a *action.Action, args strictjson.Value) []byte {
	members := []strictjson.Member{
		{Name: "type", Value: strictjson.OfString("call")},
		{Name: "tool", Value: strictjson.OfString(a.Tool)},
		{Name: "arguments", Value: args},
	}
	for _, label := range []strictjson.Member{
		{Name: "version", Value: strictjson.OfString(a.Version)},
		{Name: "id", Value: strictjson.OfString(a.ID)},
		{Name: "reason", Value: strictjson.OfString(a.Reason)},
	} {
		if label.Value.Str() != "" {
			members = append(members, label)
		}
	}
	return strictjson.AppendCanonical(nil, strictjson.OfObject(members...))
}
