package scenarios

import (
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// decoder reads nodes into parts. A part is a struct whose fields carry the
// key's name (`yaml`), its struct rules (`validate`) and its meaning (`means`);
// the JSON Schema is made from the same tags.
type decoder struct {
	found *findings
	path  []step
}

// step leads from a mapping to a value, or from a list to an item.
type step struct {
	key   string
	index int // of an item, if key is ""
}

// custom is a value that reads its own nodes.
type custom interface {
	decode(d *decoder, n *yaml.Node)
}

// shape is what is known of a part's type.
type shape struct {
	names  []string
	fields [][]int // where reflection finds the fields of those names
	ruled  bool    // some field has struct rules
}

// shapeOf reads the tags of a part.
func shapeOf[T any]() *shape {
	s := &shape{}
	s.collect(reflect.TypeFor[T](), nil)
	return s
}

func (s *shape) collect(t reflect.Type, outer []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(outer[:len(outer):len(outer)], i)
		if name, named := f.Tag.Lookup("yaml"); named {
			rules := f.Tag.Get("validate")
			s.names, s.fields = append(s.names, name), append(s.fields, index)
			s.ruled = s.ruled || rules != "" && rules != "-"
		} else if f.Anonymous && f.Type != reflect.TypeFor[part]() {
			s.collect(f.Type, index)
		}
	}
}

// find is the place of a key among the names, -1 if it is none.
func (s *shape) find(name string) int {
	for i, n := range s.names {
		if n == name {
			return i
		}
	}
	return -1
}

// fault reports a fault of the value the decoder is at. The message completes
// "PATH …".
func (d *decoder) fault(n *yaml.Node, code *diag.Code, message, hint string) {
	d.faultAt(place(n), code, message, hint)
}

func (d *decoder) faultAt(pos diag.Pos, code *diag.Code, message, hint string) {
	if d.found.full() {
		d.found.skip()
		return
	}
	d.found.add(pos, code, d.name()+" "+message, hint)
}

// name is the path of the value the decoder is at, as in
// "cases[2].task.budget.steps".
func (d *decoder) name() string {
	if len(d.path) == 0 {
		return "the file"
	}
	var b strings.Builder
	for _, s := range d.path {
		switch {
		case s.key == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + showKey(s.key))
		default:
			b.WriteString(showKey(s.key))
		}
	}
	return b.String()
}

// showKey is a key in a path; one with anything but name characters is quoted.
func showKey(key string) string {
	for i := range len(key) {
		if c := key[i] | 0x20; (c < 'a' || c > 'z') && (key[i] < '0' || key[i] > '9') {
			return strictjson.Quote(key)
		}
	}
	return key
}

func (d *decoder) in(key string) { d.path = append(d.path, step{key: key}) }
func (d *decoder) at(index int)  { d.path = append(d.path, step{index: index}) }
func (d *decoder) out()          { d.path = d.path[:len(d.path)-1] }

// skipped reports whether a node was refused before it is read.
func skipped(n *yaml.Node) bool { return n.Kind == yaml.AliasNode || hasForeignTag(n) }

func wanted(what string, n *yaml.Node) string { return "must be " + what + ", got " + describe(n) }

// value reads a node into what a field points to.
func (d *decoder) value(dest any, n *yaml.Node) {
	switch v := dest.(type) {
	case *Text:
		d.text(v, n)
	case *Number:
		d.number(v, n)
	case *Flag:
		d.flag(v, n)
	case *Span:
		d.span(v, n)
	case custom:
		v.decode(d, n)
	case mapping:
		d.mapping(v, n)
	default:
		d.pointer(reflect.ValueOf(dest).Elem(), n)
	}
}

// pointer reads a mapping into a new part.
func (d *decoder) pointer(v reflect.Value, n *yaml.Node) {
	v.Set(reflect.New(v.Type().Elem()))
	d.value(v.Interface(), n)
}

func (d *decoder) text(v *Text, n *yaml.Node) {
	v.Pos = place(n)
	if v.bad = !isText(n) || skipped(n); !v.bad {
		v.Value = n.Value
	} else if !skipped(n) {
		d.fault(n, WrongType, wanted("a text", n), textHint(n))
	}
}

func (d *decoder) number(v *Number, n *yaml.Node) {
	v.Pos = place(n)
	if v.bad = skipped(n); v.bad {
		return
	}
	value, fault, hint := intOf(n)
	if v.Value, v.bad = value, fault != ""; v.bad {
		code := WrongType
		if isPlain(n) && isDecimal(n.Value) {
			code = InvalidValue
		}
		d.fault(n, code, fault, hint)
	}
}

func (d *decoder) flag(v *Flag, n *yaml.Node) {
	v.Pos = place(n)
	value, ok := boolOf(n)
	if v.Value, v.bad = value, !ok; v.bad && !skipped(n) {
		d.fault(n, WrongType, wanted("true or false", n), boolHint(n))
	}
}

// decode reads a list, item by item.
func (l *List[T]) decode(d *decoder, n *yaml.Node) {
	l.Pos = place(n)
	if n.Kind != yaml.SequenceNode || skipped(n) {
		l.bad = true
		d.notA("a list", n, "write [ … ], or one item a line after `- `")
		return
	}
	l.Items = make([]T, len(n.Content))
	for i, item := range n.Content {
		d.at(i)
		d.value(&l.Items[i], item)
		d.out()
	}
}

// notA reports a node of the wrong kind, unless it was refused before.
func (d *decoder) notA(what string, n *yaml.Node, hint string) {
	if skipped(n) {
		return
	}
	if isNull(n) {
		hint = "leave the key out if there is nothing to say"
	}
	d.fault(n, WrongType, wanted(what, n), hint)
}

// mapping reads a mapping into a part, then asks its struct rules.
func (d *decoder) mapping(dest mapping, n *yaml.Node) {
	isMapping := n.Kind == yaml.MappingNode && !skipped(n)
	dest.stand(place(n), !isMapping)
	if !isMapping {
		d.notA("a mapping", n, "")
		return
	}
	v := reflect.ValueOf(dest).Elem()
	s := dest.shape()
	var seen uint64
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !isKey(key) {
			continue
		}
		f := s.find(key.Value)
		if f < 0 {
			d.unknown(key, s.names)
			continue
		}
		if seen&(1<<f) != 0 {
			continue
		}
		seen |= 1 << f
		d.in(key.Value)
		d.value(v.FieldByIndex(s.fields[f]).Addr().Interface(), value)
		d.out()
	}
	if s.ruled {
		d.rules(dest)
	}
	if c, ok := dest.(checked); ok {
		c.check(d)
	}
}

// unknown reports a key that means nothing where it stands.
func (d *decoder) unknown(key *yaml.Node, names []string) {
	if d.found.full() {
		d.found.skip()
		return
	}
	message := "unknown key " + strictjson.Quote(key.Value)
	if len(d.path) > 0 {
		message += " in " + d.name()
	}
	d.found.add(place(key), UnknownKey, message, nearHint(key.Value, names, "the keys are "))
}

// nearHint names the nearest of some names, and lists them if they are few.
func nearHint(name string, names []string, list string) string {
	hint := ""
	if near := nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	const most = 32
	if list == "" || len(names) == 0 || len(names) > most {
		return hint
	}
	if hint != "" {
		hint += " "
	}
	return hint + list + strings.Join(names, ", ")
}

// nearest is the name that one was meant for, or the only one that it begins.
func nearest(name string, names []string) string {
	if near := diag.Nearest(name, names); near != "" || name == "" {
		return near
	}
	whole := ""
	for _, n := range names {
		if strings.HasPrefix(n, name) {
			if whole != "" {
				return ""
			}
			whole = n
		}
	}
	return whole
}
