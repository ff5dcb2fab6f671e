package action

import (
	"fmt"
	"strings"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// The codes of this package. Faults of the JSON itself have the codes of
// strictjson.
var (
	BadAction = &diag.Code{
		Name: "BAD_ACTION", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "The JSON is sound, but it has not the shape of an action: a part is missing, unknown, of the wrong type or too long. Nothing was done.",
		Do:    `Send {"type": NAME, …arguments}, or {"type": "call", "tool": NAME, "arguments": {…}} with version, id, reason and sources where wanted. Arguments are an object, never JSON text inside a string.`,
	}
	UnknownAction = &diag.Code{
		Name: "UNKNOWN_ACTION", Class: diag.Rejection, Gate: diag.Parse, Retry: diag.NewRequest,
		Means: "The type names no action that exists here. It says nothing about rights: no tool of that name was found, so there was none to ask about.",
		Do:    "Use one of the names that the hint lists, spelled exactly so; case and spaces count.",
	}
)

// Codes lists the codes that this package defines.
func Codes() []*diag.Code { return []*diag.Code{BadAction, UnknownAction} }

// Fault says why an output is no action.
type Fault struct {
	Code    *diag.Code
	Pos     diag.Pos // in the raw output
	Message string   // what was expected and what arrived
	Hint    string   // what to write instead; may be empty
}

const callHint = `a call is {"type": "call", "tool": NAME, "arguments": {…}}, with version, id, reason and sources where wanted`

// text is what a fault needs to know: the output, and the names to offer.
type text struct {
	raw   []byte
	names []string
}

// bad is a BAD_ACTION at the value of field, or at the document if field is "".
func (t text) bad(field, message, hint string) *Fault {
	_, at := t.offsets(field)
	return &Fault{Code: BadAction, Pos: t.pos(at), Message: message, Hint: hint}
}

// offsets finds the name and the value of a member; the document's start for "".
func (t text) offsets(field string) (nameAt, valueAt int) {
	if field != "" {
		if nameAt, valueAt, ok := strictjson.MemberOffsets(t.raw, field); ok {
			return nameAt, valueAt
		}
	}
	start := len(t.raw) - len(strings.TrimLeft(string(t.raw), " \t\r\n"))
	return start, start
}

func (t text) pos(offset int) diag.Pos { return diag.At(string(t.raw[:offset]), offset) }

// wrongKind is the fault of a member whose value is not what it must be.
func (t text) wrongKind(field, want string, got strictjson.Value) *Fault {
	hint := ""
	if field == fieldArguments && got.Kind() == strictjson.String {
		hint = "write the object itself; JSON text inside a string is never read"
	}
	return t.bad(field, fmt.Sprintf("%s must be %s, got %s", field, want, article(got)), hint)
}

func (t text) unknownField(name string) *Fault {
	fields := []string{fieldType, fieldTool, fieldVersion, fieldArguments, fieldID, fieldReason, fieldSources}
	nameAt, _ := t.offsets(name)
	return &Fault{
		Code: BadAction, Pos: t.pos(nameAt),
		Message: strictjson.Quote(name) + " is no field of a call",
		Hint:    didYouMean(name, fields) + "a call has: " + strings.Join(fields, ", "),
	}
}

func (t text) unknown(name string) *Fault {
	_, at := t.offsets(fieldType)
	candidates := append(t.names[:len(t.names):len(t.names)], typeCall)
	return &Fault{
		Code: UnknownAction, Pos: t.pos(at),
		Message: strictjson.Quote(name) + " is no action",
		Hint:    didYouMean(name, candidates) + "the actions are: " + t.list(),
	}
}

func didYouMean(name string, candidates []string) string {
	if nearest := diag.Nearest(name, candidates); nearest != "" {
		return "did you mean " + strictjson.Quote(nearest) + "? "
	}
	return ""
}

// shapeHint shows how an action is written, in the form the model seems to mean.
func (t text) shapeHint(doc strictjson.Value) string {
	if _, found := doc.Get(fieldTool); found {
		return callHint
	}
	return `write {"type": NAME, …arguments}; NAME is one of: ` + t.list()
}

// list is the names to offer, so many that a hint stays readable.
func (t text) list() string {
	const most = 20
	if extra := len(t.names) - most; extra > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(t.names[:most], ", "), extra)
	}
	return strings.Join(t.names, ", ")
}

// article is a value's kind in a sentence: "a string", "an object", "null".
func article(v strictjson.Value) string {
	switch kind := v.Kind(); kind {
	case strictjson.Null:
		return kind.String()
	case strictjson.Array, strictjson.Object:
		return "an " + kind.String()
	default:
		return "a " + kind.String()
	}
}
