package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// Schema is the shape of a tool's arguments.
type Schema interface {
	// JSON is the schema as JSON Schema 2020-12: one flat closed object.
	JSON() strictjson.Value
	// Unknown finds members that the schema does not know.
	Unknown(args strictjson.Value) *Fault
	// Violation finds members that are missing, of the wrong type or too long.
	Violation(args strictjson.Value) *Fault
}

// Field is one argument.
type Field struct {
	Name     string
	Type     strictjson.Kind // String, Number (a whole number) or Array (of strings)
	Required bool
	Min      int // least number for a Number, least code points for a String
	Max      int // most code points for a String, most elements for an Array; 0 is no limit
	ItemMax  int // most code points of an Array's element
	Means    string
}

// Fields is a schema written as a list of arguments.
type Fields []Field

// JSON gives the fields as JSON Schema.
func (f Fields) JSON() strictjson.Value {
	properties := make([]strictjson.Member, 0, len(f))
	var required []strictjson.Value
	for _, field := range f {
		properties = append(properties, strictjson.Member{Name: field.Name, Value: field.json()})
		if field.Required {
			required = append(required, strictjson.OfString(field.Name))
		}
	}
	return strictjson.OfObject(
		strictjson.Member{Name: "type", Value: strictjson.OfString("object")},
		strictjson.Member{Name: "properties", Value: strictjson.OfObject(properties...)},
		strictjson.Member{Name: "required", Value: strictjson.OfArray(required...)},
		strictjson.Member{Name: "additionalProperties", Value: strictjson.OfBool(false)},
	)
}

func (f Field) json() strictjson.Value {
	var members []strictjson.Member
	add := func(name string, v strictjson.Value) {
		members = append(members, strictjson.Member{Name: name, Value: v})
	}
	limit := func(name string, n int) {
		if n > 0 {
			add(name, strictjson.OfInt(int64(n)))
		}
	}
	switch f.Type {
	case strictjson.Number:
		add("type", strictjson.OfString("integer"))
		add("minimum", strictjson.OfInt(int64(f.Min)))
	case strictjson.Array:
		add("type", strictjson.OfString("array"))
		limit("maxItems", f.Max)
		item := []strictjson.Member{{Name: "type", Value: strictjson.OfString("string")}}
		if f.ItemMax > 0 {
			item = append(item, strictjson.Member{Name: "maxLength", Value: strictjson.OfInt(int64(f.ItemMax))})
		}
		add("items", strictjson.OfObject(item...))
	default:
		add("type", strictjson.OfString("string"))
		limit("minLength", f.Min)
		limit("maxLength", f.Max)
	}
	if f.Means != "" {
		add("description", strictjson.OfString(f.Means))
	}
	return strictjson.OfObject(members...)
}

// Unknown names every member that is no field, with the nearest field.
func (f Fields) Unknown(args strictjson.Value) *Fault {
	var unknown []string
	count := 0
	for _, m := range args.Members() {
		if f.find(m.Name) == nil {
			count++
			if len(unknown) < 3 {
				unknown = append(unknown, strictjson.Quote(m.Name))
			}
		}
	}
	if count == 0 {
		return nil
	}
	names := f.names()
	fault := &Fault{
		Message: "unknown field " + strings.Join(unknown, ", "),
		Hint:    "the fields are " + strings.Join(names, ", "),
	}
	if count > len(unknown) {
		fault.Message += fmt.Sprintf(" and %d more", count-len(unknown))
	}
	if near := diag.Nearest(firstUnknown(f, args), names); near != "" {
		fault.Hint = "did you mean " + near + "? " + fault.Hint
	}
	return fault
}

func firstUnknown(f Fields, args strictjson.Value) string {
	for _, m := range args.Members() {
		if f.find(m.Name) == nil {
			return m.Name
		}
	}
	return ""
}

// Violation reports the first field, in the schema's order, that does not fit.
func (f Fields) Violation(args strictjson.Value) *Fault {
	for i := range f {
		v, given := args.Get(f[i].Name)
		if !given {
			if f[i].Required {
				return &Fault{Message: "field " + f[i].Name + " is missing", Hint: "send " + f[i].Name + ": " + f[i].want()}
			}
			continue
		}
		if fault := f[i].violation(v); fault != nil {
			return fault
		}
	}
	return nil
}

func (f *Field) violation(v strictjson.Value) *Fault {
	if v.Kind() != f.Type {
		fault := f.fault("must be %s, got %s", f.want(), v.Kind())
		if v.Kind() == strictjson.Null && f.Type == strictjson.String {
			fault.Hint = `null is no text; send "" if an empty one is meant`
		}
		return fault
	}
	switch f.Type {
	case strictjson.Number:
		n, whole := v.Int()
		if !whole || n < int64(f.Min) {
			return f.fault("must be %s, got %s", f.want(), strictjson.AppendCanonical(nil, v))
		}
	case strictjson.Array:
		return f.elementViolation(v.Items())
	default:
		// A string has at least one byte a code point, so most need no count.
		n := len(v.Str())
		if f.Max > 0 && n > f.Max || n < f.Min {
			n = utf8.RuneCountInString(v.Str())
		}
		if f.Max > 0 && n > f.Max {
			return f.fault("has %d code points, at most %d are allowed", n, f.Max)
		}
		if n < f.Min {
			return f.fault("must not be empty")
		}
	}
	return nil
}

func (f *Field) elementViolation(items []strictjson.Value) *Fault {
	if f.Max > 0 && len(items) > f.Max {
		return f.fault("has %d elements, at most %d are allowed", len(items), f.Max)
	}
	for i, item := range items {
		if item.Kind() != strictjson.String {
			return f.fault("element %d must be a string, got %s", i+1, item.Kind())
		}
		if f.ItemMax > 0 && utf8.RuneCountInString(item.Str()) > f.ItemMax {
			return f.fault("element %d has more than %d code points", i+1, f.ItemMax)
		}
	}
	return nil
}

func (f *Field) fault(format string, args ...any) *Fault {
	return &Fault{Message: "field " + f.Name + " " + fmt.Sprintf(format, args...)}
}

func (f *Field) want() string {
	switch f.Type {
	case strictjson.Number:
		return fmt.Sprintf("a whole number from %d", f.Min)
	case strictjson.Array:
		return "an array of strings"
	default:
		if f.Max > 0 {
			return fmt.Sprintf("a string of at most %d code points", f.Max)
		}
		return "a string"
	}
}

func (f Fields) find(name string) *Field {
	for i := range f {
		if f[i].Name == name {
			return &f[i]
		}
	}
	return nil
}

func (f Fields) names() []string {
	names := make([]string, len(f))
	for i := range f {
		names[i] = f[i].Name
	}
	return names
}
