package repotools

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

//go:embed propose_edit.md
var proposeEditText string

type proposeEdit struct{ contract tools.Contract }

func newProposeEdit(l tools.Limits) *proposeEdit {
	return &proposeEdit{tools.Contract{
		Name: "propose_edit", Version: "1", Purpose: purpose(proposeEditText),
		Capability: CapPropose, Denied: PathNotEditable, SideEffect: tools.ReadOnly,
		Input: tools.Fields{
			pathField(l),
			{Name: "baseHash", Type: strictjson.String, Required: true},
			{Name: "before", Type: strictjson.String, Required: true, Max: l.Before},
			{Name: "after", Type: strictjson.String, Required: true, Max: l.After},
		},
		Output: []string{"path", "baseHash", "offset", "line", "patch", "patchClipped", "notes", "applied"},
	}}
}

// editCall is a proposal's arguments.
type editCall struct {
	path, baseHash, before, after string
}

// matches is what the target checks worked out about one file: kept in the
// call's memo, so that the file is scanned once.
type matches struct {
	file  *vrepo.File
	found vrepo.Matches
}

// maxMatches is how many places of an ambiguous target are looked for.
const maxMatches = 9

func (p *proposeEdit) Contract() *tools.Contract { return &p.contract }

func (p *proposeEdit) Bind(call *tools.Call) {
	args := call.Args
	c := &editCall{
		path: text(args, "path"), baseHash: text(args, "baseHash"),
		before: text(args, "before"), after: text(args, "after"),
	}
	call.Bound, call.Resource = c, c.path
}

// Checks of propose_edit, in the order in which they are asked.
func (p *proposeEdit) Checks() []tools.Check {
	return []tools.Check{
		pathCheck("propose_edit.path", func(c *tools.Call) string { return c.Bound.(*editCall).path }),
		{ID: "propose_edit.hash", Gate: diag.Semantic, Code: BadHash, Decide: hashShape},
		{ID: "propose_edit.target", Gate: diag.Semantic, Code: EmptyTarget, Decide: targetGiven},
		{ID: "propose_edit.control", Gate: diag.Semantic, Code: ControlCharacter, Decide: noNUL},
		{ID: "propose_edit.read", Gate: diag.Guard, Code: ReadRequired, Decide: hashWasRead},
		{ID: "propose_edit.first", Gate: diag.Guard, Code: EditExists, Decide: firstEdit},
		{ID: "propose_edit.current", Gate: diag.Guard, Code: StaleBase, Decide: baseCurrent},
		{ID: "propose_edit.found", Gate: diag.Execute, Code: TargetNotFound, Decide: targetFound},
		{ID: "propose_edit.unique", Gate: diag.Execute, Code: TargetNotUnique, Decide: targetUnique},
		{ID: "propose_edit.shown", Gate: diag.Execute, Code: TargetNotShown, Decide: targetShown},
		{ID: "propose_edit.changes", Gate: diag.Execute, Code: NoChange, Decide: changesText},
	}
}

func hashShape(call *tools.Call, _ *tools.View) *tools.Fault {
	hash := call.Bound.(*editCall).baseHash
	switch {
	case len(hash) == 64 && isHex(hash):
		return nil
	case len(hash) == 64 && isHex(strings.ToLower(hash)):
		return &tools.Fault{Message: "baseHash has capital letters", Hint: "send the digits as read returned them, in lowercase"}
	default:
		return &tools.Fault{Message: fmt.Sprintf("baseHash must be 64 lowercase hexadecimal digits; its length is %d", len(hash))}
	}
}

func targetGiven(call *tools.Call, _ *tools.View) *tools.Fault {
	if call.Bound.(*editCall).before != "" {
		return nil
	}
	return &tools.Fault{
		Message: "before is empty, so it names no place",
		Hint: "name the text to replace; to insert, give text of the file that stands beside the place in before, and again in after;" +
			" an empty file holds none and cannot be edited",
	}
}

func noNUL(call *tools.Call, _ *tools.View) *tools.Fault {
	at := strings.IndexByte(call.Bound.(*editCall).after, 0)
	if at < 0 {
		return nil
	}
	return &tools.Fault{Message: fmt.Sprintf("after holds U+0000 at byte %d", at)}
}

func hashWasRead(call *tools.Call, view *tools.View) *tools.Fault {
	c := call.Bound.(*editCall)
	if view.Reads.Has(c.path, c.baseHash) {
		return nil
	}
	fault := &tools.Fault{Message: "no read of this file returned this baseHash"}
	if twin, ok := view.Snapshot.Twin(c.path); ok && view.Reads.Has(twin.Path(), c.baseHash) {
		asked, read, difference := vrepo.Apart(c.path, twin.Path())
		fault.Hint = fmt.Sprintf("a read returned it for %s, from which %s differs in %s", read, asked, difference)
	}
	return fault
}

func firstEdit(call *tools.Call, view *tools.View) *tools.Fault {
	if view.EditOf(call.Bound.(*editCall).path) == nil {
		return nil
	}
	return &tools.Fault{Message: "this file already has an accepted edit"}
}

func baseCurrent(call *tools.Call, view *tools.View) *tools.Fault {
	c := call.Bound.(*editCall)
	f, ok := view.Snapshot.File(c.path)
	switch {
	case !ok:
		return &tools.Fault{Message: "the file has been removed since it was read"}
	case f.Hash() != c.baseHash:
		return &tools.Fault{
			Message: "the file has changed since it was read with this hash",
			Details: []strictjson.Member{textMember("currentHash", f.Hash())},
		}
	default:
		return nil
	}
}

// locate scans the file once for a call; nil if there is no such file.
func locate(call *tools.Call, view *tools.View) *matches {
	if m, ok := call.Memo.(*matches); ok {
		return m
	}
	c := call.Bound.(*editCall)
	f, ok := view.Snapshot.File(c.path)
	if !ok {
		return nil
	}
	m := &matches{file: f, found: f.Find(c.before, maxMatches)}
	call.Memo = m
	return m
}

func targetFound(call *tools.Call, view *tools.View) *tools.Fault {
	m := locate(call, view)
	if m != nil && m.found.Count > 0 {
		return nil
	}
	fault := &tools.Fault{Message: "before does not occur in the file"}
	if m == nil {
		return fault
	}
	c := call.Bound.(*editCall)
	// A hint may quote only what this run was shown.
	shown := func(from, to int) bool { return view.Reads.Shown(c.path, c.baseHash, from, to) }
	fault.Hint = strings.Join(m.file.Explain(c.before, c.after, shown), "; ")
	return fault
}

func targetUnique(call *tools.Call, view *tools.View) *tools.Fault {
	m := locate(call, view)
	if m == nil || m.found.Count == 1 {
		return nil
	}
	count := strconv.Itoa(m.found.Count)
	if m.found.More {
		count = "at least " + count
	}
	places := placesOf(m.file, m.found.Offsets)
	return &tools.Fault{
		Message: fmt.Sprintf("before occurs %s times, at %s", count, places.words(m.found.More)),
		Details: places.details(),
	}
}

func targetShown(call *tools.Call, view *tools.View) *tools.Fault {
	m := locate(call, view)
	if m == nil || m.found.Count == 0 || !view.EditShownOnly {
		return nil
	}
	c := call.Bound.(*editCall)
	at := m.found.Offsets[0]
	if view.Reads.Shown(c.path, c.baseHash, at, at+len(c.before)) {
		return nil
	}
	line, column := m.file.LineAt(at), m.file.ColumnAt(at)
	w := wayTo{view: view, file: m.file, from: at, to: at + len(c.before)}
	return &tools.Fault{
		Message: fmt.Sprintf("before stands at line %d, column %d, and no read has shown all of it", line, column),
		Hint:    w.words(),
		Details: []strictjson.Member{numberMember("column", column), numberMember("line", line)},
	}
}

func changesText(call *tools.Call, _ *tools.View) *tools.Fault {
	if c := call.Bound.(*editCall); c.before != c.after {
		return nil
	}
	return &tools.Fault{Message: "before and after are equal"}
}

func (p *proposeEdit) Execute(call *tools.Call, view *tools.View) tools.Outcome {
	m := locate(call, view)
	if m == nil || m.found.Count == 0 {
		return tools.Outcome{}
	}
	c := call.Bound.(*editCall)
	e := &event.Edit{
		Path: c.path, BaseHash: c.baseHash, Offset: m.found.Offsets[0],
		Before: c.before, After: c.after, Base: m.file,
	}
	e.Line = m.file.LineAt(e.Offset)
	outcome := succeeded(event.UntrustedContent, editContent(e, view.Limits.Observation))
	outcome.Edit = e
	return outcome
}

// editContent is the observation of an accepted edit, its hunk clipped to fit.
func editContent(e *event.Edit, limit int) []byte {
	change := e.Change()
	b := append(make([]byte, 0, 640), '{')
	b = strictjson.AppendBool(b, "applied", false)
	b = strictjson.AppendText(b, "baseHash", e.BaseHash)
	b = strictjson.AppendInt(b, "line", e.Line)
	if notes := change.Notes(); len(notes) > 0 {
		values := make([]strictjson.Value, len(notes))
		for i, n := range notes {
			values[i] = strictjson.OfString(n)
		}
		b = strictjson.AppendCanonical(strictjson.AppendName(b, "notes"), strictjson.OfArray(values...))
	}
	b = strictjson.AppendInt(b, "offset", e.Offset)
	const rest = len(`,"patch":"","patchClipped":true,"path":}`)
	room := limit - rest - strictjson.Runes(b) - strictjson.StringSize(e.Path)
	hunk, clipped := change.Hunk(max(room, 0))
	// Text grows when it is encoded, so the cut is measured on the encoded form.
	if fit := strictjson.FitString(hunk, room+len(`""`)); fit < len(hunk) {
		hunk, clipped = hunk[:fit], true
	}
	b = strictjson.AppendText(b, "patch", hunk)
	if clipped {
		b = strictjson.AppendBool(b, "patchClipped", true)
	}
	return append(strictjson.AppendText(b, "path", e.Path), '}')
}
