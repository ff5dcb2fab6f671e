package action

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"harness/internal/strictjson"
)

// The members of a call, and the types that are no tool's name.
const (
	fieldType      = "type"
	fieldTool      = "tool"
	fieldVersion   = "version"
	fieldArguments = "arguments"
	fieldID        = "id"
	fieldReason    = "reason"
	fieldSources   = "sources"

	typeCall   = "call"
	typeFinish = "finish"
)

// Limits of a call's labels, in code points and items.
const (
	maxLabel   = 80 // tool, version, id
	maxReason  = 1000
	maxSources = 32
	maxSource  = 40
)

// Parse reads one action. The shapes are
//
//	{"type": "call", "tool": NAME, "arguments": {…}, "version"?, "id"?, "reason"?, "sources"?}
//	{"type": NAME, …arguments}      the same for a registered tool, without labels
//	{"type": "finish", …arguments}
//
// isTool says which names are registered tools; it must not be nil. names lists
// the types a model may use, for hints. On a fault the action is the zero Action.
//
// A call of an unknown tool in the full form is no fault here: the schema gate
// knows tools and versions.
func Parse(raw []byte, isTool func(name string) bool, names []string) (Action, *Fault) {
	doc, err := strictjson.Parse(raw)
	if err != nil {
		fault := &Fault{Code: err.Code, Pos: err.Pos(raw), Message: err.Message, Hint: err.Hint}
		if fault.Hint == "" && err.Code == strictjson.BadJSON {
			fault.Hint = `send one JSON object, such as {"type": "read", "path": "README.md"}, and nothing around it`
		}
		return Action{}, fault
	}
	t := text{raw: raw, names: names}
	if doc.Kind() != strictjson.Object {
		return Action{}, t.bad("", "an action must be an object, got "+article(doc), t.shapeHint(doc))
	}
	name, found := doc.Get(fieldType)
	if !found {
		return Action{}, t.bad("", "type is missing", t.shapeHint(doc))
	}
	if name.Kind() != strictjson.String {
		return Action{}, t.wrongKind(fieldType, "a string", name)
	}
	switch name := name.Str(); {
	case name == typeCall:
		return t.call(doc)
	case name == typeFinish:
		return Action{Kind: Finish, Tool: name, Args: argumentsOf(doc), Flat: true}, nil
	case isTool(name):
		return Action{Kind: Call, Tool: name, Args: argumentsOf(doc), Flat: true}, nil
	default:
		return Action{}, t.unknown(name)
	}
}

// argumentsOf is a flat action without its type.
func argumentsOf(doc strictjson.Value) strictjson.Value {
	members := doc.Members()
	at := slices.IndexFunc(members, func(m strictjson.Member) bool { return m.Name == fieldType })
	switch at { // at an end, as usual: no copy
	case 0:
		return strictjson.OfObject(members[1:]...)
	case len(members) - 1:
		return strictjson.OfObject(members[:at]...)
	}
	return strictjson.OfObject(slices.Concat(members[:at], members[at+1:])...)
}

// call reads the full form.
func (t text) call(doc strictjson.Value) (Action, *Fault) {
	a := Action{Kind: Call}
	for _, m := range doc.Members() {
		if fault := t.field(&a, m); fault != nil {
			return Action{}, fault
		}
	}
	for _, field := range []string{fieldTool, fieldArguments} {
		if _, found := doc.Get(field); !found {
			return Action{}, t.bad("", field+" is missing from the call", callHint)
		}
	}
	return a, nil
}

// field reads one member of a call into a.
func (t text) field(a *Action, m strictjson.Member) (fault *Fault) {
	switch m.Name {
	case fieldType:
	case fieldTool:
		a.Tool, fault = t.label(m, maxLabel)
	case fieldVersion:
		a.Version, fault = t.version(m)
	case fieldID:
		a.ID, fault = t.label(m, maxLabel)
	case fieldReason:
		a.Reason, fault = t.label(m, maxReason)
	case fieldSources:
		a.Sources, fault = t.sources(m)
	case fieldArguments:
		a.Args = m.Value
		if m.Value.Kind() != strictjson.Object {
			fault = t.wrongKind(m.Name, "an object", m.Value)
		}
	default:
		fault = t.unknownField(m.Name)
	}
	return fault
}

// label reads a string of at most limit code points.
func (t text) label(m strictjson.Member, limit int) (string, *Fault) {
	s := m.Value.Str()
	if m.Value.Kind() != strictjson.String {
		return "", t.wrongKind(m.Name, "a string", m.Value)
	}
	if n := excess(s, limit); n > 0 {
		return "", t.bad(m.Name, fmt.Sprintf("%s must have at most %d code points, got %d", m.Name, limit, n), "")
	}
	return s, nil
}

// excess is the number of code points of s if that is over limit, else 0.
func excess(s string, limit int) int {
	if len(s) <= limit {
		return 0
	}
	if n := utf8.RuneCountInString(s); n > limit {
		return n
	}
	return 0
}

// version reads a version. An empty one is refused, since an action without a
// version asks for any.
func (t text) version(m strictjson.Member) (string, *Fault) {
	version, fault := t.label(m, maxLabel)
	if fault == nil && version == "" {
		fault = t.bad(m.Name, "version must not be empty", "leave version out to ask for any")
	}
	return version, fault
}

func (t text) sources(m strictjson.Member) ([]string, *Fault) {
	if m.Value.Kind() != strictjson.Array {
		return nil, t.wrongKind(m.Name, "an array of strings", m.Value)
	}
	items := m.Value.Items()
	if len(items) > maxSources {
		return nil, t.bad(m.Name, fmt.Sprintf("sources must have at most %d items, got %d", maxSources, len(items)), "")
	}
	sources := make([]string, len(items))
	for i, item := range items {
		sources[i] = item.Str()
		if item.Kind() != strictjson.String {
			return nil, t.bad(m.Name, fmt.Sprintf("sources[%d] must be a string, got %s", i, article(item)), "")
		}
		if n := excess(sources[i], maxSource); n > 0 {
			return nil, t.bad(m.Name, fmt.Sprintf("sources[%d] must have at most %d code points, got %d", i, maxSource, n), "")
		}
	}
	return sources, nil
}
