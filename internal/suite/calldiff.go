package suite

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// pathStep leads into a JSON value: to a member of an object, or to an item of an array.
type pathStep struct {
	name  string
	index int
	item  bool
}

// difference is a place where two values differ. One that is unset is not there.
type difference struct {
	path      []pathStep
	want, got strictjson.Value
}

// hidden is the difference as far as it may be shown: in which argument it is.
func (d difference) hidden() difference {
	h := difference{path: d.path[:1]}
	if len(d.path) > 1 || !d.want.IsZero() {
		h.want = strictjson.OfString(tools.Redacted)
	}
	if len(d.path) > 1 || !d.got.IsZero() {
		h.got = strictjson.OfString(tools.Redacted)
	}
	return h
}

// fits reports whether a call is what an item of the list says.
func fits(want *scenarios.ExpectCall, got *call) bool {
	if want.Tool.Value != got.tool || !outcomeFits(want, got) {
		return false
	}
	_, differ := argsDiffer(want, got)
	return !differ
}

func outcomeFits(want *scenarios.ExpectCall, got *call) bool {
	return !want.Outcome.Set() || want.Outcome.Value == got.outcome.String()
}

// argsDiffer finds the first place where the arguments of a call are not what an item
// says: first what it gives, in the order of the file, then what the call has besides.
func argsDiffer(want *scenarios.ExpectCall, got *call) (difference, bool) {
	var first difference
	found := false
	compareArgs(want, got, func(d difference) bool {
		first, found = d, true
		return false
	})
	return first, found
}

// mostDifferences bounds the places that are counted to tell what is nearest.
const mostDifferences = 1000

// differences counts the places in which a call differs from an item, up to a bound.
func differences(want *scenarios.ExpectCall, got *call) int {
	n := 0
	if !outcomeFits(want, got) {
		n++
	}
	compareArgs(want, got, func(difference) bool {
		n++
		return n < mostDifferences
	})
	return n
}

// compareArgs tells of each place where the arguments of a call are not what an item
// says, until it is told to stop.
func compareArgs(want *scenarios.ExpectCall, got *call, tell func(difference) bool) {
	c := comparison{tell: tell}
	switch want.Way() {
	case scenarios.Ignore:
		return
	case scenarios.Fields:
		c.namesOnly = true
	case scenarios.Subset:
		c.open = true
	}
	c.objects(want.Args.Value, got.args, nil)
}

// comparison walks through two values side by side. Its methods are false once
// nothing more is to be told.
type comparison struct {
	namesOnly bool // the values of the arguments do not count
	open      bool // objects may have further members
	tell      func(difference) bool
}

// objects compares the members of two objects, those that are wanted first.
func (c *comparison) objects(want, got strictjson.Value, at []pathStep) bool {
	there := lookup(got)
	for _, m := range want.Members() {
		path := append(at[:len(at):len(at)], pathStep{name: m.Name})
		v, ok := there(m.Name)
		switch {
		case !ok:
			if !c.tell(difference{path: path, want: m.Value}) {
				return false
			}
		case c.namesOnly:
		case !c.values(m.Value, v, path):
			return false
		}
	}
	if c.open {
		return true
	}
	wanted := lookup(want)
	for _, m := range got.Members() {
		if _, ok := wanted(m.Name); !ok && !c.tell(difference{path: append(at[:len(at):len(at)], pathStep{name: m.Name}), got: m.Value}) {
			return false
		}
	}
	return true
}

// values compares two values. What lies in an array is compared whole.
func (c *comparison) values(want, got strictjson.Value, at []pathStep) bool {
	switch kind := want.Kind(); {
	case kind == got.Kind() && kind == strictjson.Object:
		return c.objects(want, got, at)
	case kind == got.Kind() && kind == strictjson.Array:
		whole := comparison{tell: c.tell}
		return whole.arrays(want.Items(), got.Items(), at)
	case want == got: // neither holds others, so this compares kind and content
		return true
	default:
		return c.tell(difference{path: at, want: want, got: got})
	}
}

func (c *comparison) arrays(want, got []strictjson.Value, at []pathStep) bool {
	for i := range max(len(want), len(got)) {
		path := append(at[:len(at):len(at)], pathStep{index: i, item: true})
		more := true
		switch {
		case i >= len(want):
			more = c.tell(difference{path: path, got: got[i]})
		case i >= len(got):
			more = c.tell(difference{path: path, want: want[i]})
		default:
			more = c.values(want[i], got[i], path)
		}
		if !more {
			return false
		}
	}
	return true
}

// lookup looks for members by name, in an object of many without going through all
// of them each time.
func lookup(v strictjson.Value) func(string) (strictjson.Value, bool) {
	const few = 16
	members := v.Members()
	if len(members) <= few {
		return v.Get
	}
	byName := make(map[string]strictjson.Value, len(members))
	for _, m := range members {
		byName[m.Name] = m.Value
	}
	return func(name string) (strictjson.Value, bool) {
		found, ok := byName[name]
		return found, ok
	}
}

// positionPath is a path as far as places in a file are known by it.
func positionPath(path []pathStep) []strictjson.Step {
	steps := make([]strictjson.Step, 0, len(path))
	for _, s := range path {
		if !s.item && s.name == "" {
			break
		}
		steps = append(steps, strictjson.Step{Name: s.name, Index: s.index})
	}
	return steps
}

// pathText is a path as a clause has it: ".to[0].name"; a name with anything but name
// characters is quoted.
func pathText(path []pathStep) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case s.item:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case isWord(s.name):
			b.WriteString("." + s.name)
		default:
			b.WriteString("[" + strictjson.Quote(s.name) + "]")
		}
	}
	return b.String()
}

// isWord reports whether a name is nothing but ASCII letters, digits and _.
func isWord(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return name != ""
}

// private reports whether no report may show an argument. Where a contract hides any,
// one that it does not declare may be the same under a name that was mistyped.
func private(c *tools.Contract, name string) bool {
	if c == nil || len(c.Sensitive) == 0 {
		return false
	}
	properties, _ := c.Input.JSON().Get("properties")
	_, declared := properties.Get(name)
	return !declared || slices.Contains(c.Sensitive, name)
}

// redacted is arguments without what no report may show.
func redacted(args strictjson.Value, c *tools.Contract) strictjson.Value {
	var names []string
	for _, m := range args.Members() {
		if private(c, m.Name) {
			names = append(names, m.Name)
		}
	}
	return machine.Shown(args, names)
}

// asciiJSON is a value as canonical JSON with nothing but ASCII, so that texts which
// look alike are told apart; what is not there is no JSON.
func asciiJSON(v strictjson.Value) string {
	if v.IsZero() {
		return "not there"
	}
	text := strictjson.AppendCanonical(nil, v)
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r < 0x7F:
			b.WriteByte(byte(r))
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			writeEscape(&b, high)
			writeEscape(&b, low)
		default:
			writeEscape(&b, r)
		}
	}
	return b.String()
}

func writeEscape(b *strings.Builder, r rune) {
	const digits = "0123456789abcdef"
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(digits[r>>shift&0xF])
	}
}

// shownJSON gives two different values so that the difference shows: as they are if
// they are short, else around the first place that differs.
func shownJSON(want, got strictjson.Value) (string, string) {
	const around, short = 60, 160
	w, g := asciiJSON(want), asciiJSON(got)
	if len(w) <= short && len(g) <= short {
		return w, g
	}
	same := 0
	for same < min(len(w), len(g)) && w[same] == g[same] {
		same++
	}
	return cutOut(w, same-around, same+around), cutOut(g, same-around, same+around)
}

// cutOut is a part of an ASCII text, with "…" for what stands around it.
func cutOut(text string, from, to int) string {
	from, to = max(from, 0), min(to, len(text))
	part := text[from:to]
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return part
}

// shortJSON is a value as JSON, cut if it is long.
func shortJSON(v strictjson.Value) string { return cutOut(asciiJSON(v), 0, 160) }

// namesText names the members of an object.
func namesText(v strictjson.Value) string {
	if len(v.Members()) == 0 {
		return "no argument"
	}
	names := make([]string, len(v.Members()))
	for i, m := range v.Members() {
		names[i] = asciiJSON(strictjson.OfString(m.Name))
	}
	return cutOut(strings.Join(names, ", "), 0, 160)
}
