package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"harness/internal/model"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// AlphabetOf makes the alphabet of a scenario: out of its files, its script, what it
// expects, and what its tools take.
func AlphabetOf(s *scenarios.Scenario) *Alphabet {
	b := &spelling{cfg: s.Config, world: worldOf(s.Config), names: map[string]bool{}, said: map[string]bool{}}
	b.readScript(s.Config.Script)
	b.searches()
	b.reads()
	b.edits(s.Expect)
	b.others()
	b.declared()
	b.finishes()
	b.broken()
	b.add(Symbol{Name: "cancel the run", Tool: "cancel", form: order})
	if len(b.list) > mostSymbols {
		b.left = append(b.left, fmt.Sprintf("%d of %d symbols", len(b.list)-mostSymbols, len(b.list)))
		b.list = append(b.list[:mostSymbols-1], b.list[len(b.list)-1])
	}
	return &Alphabet{Symbols: b.list, Left: b.left}
}

// spelling is an alphabet in the making.
type spelling struct {
	cfg   *runner.Config
	world *world
	calls []scriptedCall // of the script
	list  []Symbol
	left  []string
	names map[string]bool
	said  map[string]bool // what is said already, by its bytes
	cut   bool            // that files are left out was said
}

// scriptedCall is an item of a script, taken apart if it is a call.
type scriptedCall struct {
	value strictjson.Value // zero for bytes that are no JSON
	raw   []byte           // nil if the value holds references
	tool  string
	args  strictjson.Value
}

func (b *spelling) readScript(s *model.Script) {
	if s == nil {
		return
	}
	for _, item := range s.Items() {
		c := scriptedCall{value: item.Value, raw: item.Raw}
		if c.value.IsZero() {
			c.value, _ = strictjson.Parse(item.Raw) // zero where it has a fault
		}
		c.tool, c.args = callOf(c.value)
		b.calls = append(b.calls, c)
	}
}

// callOf takes a call apart, as far as it is one: the flat form and the full one.
func callOf(v strictjson.Value) (tool string, args strictjson.Value) {
	kind, _ := v.Get("type")
	if kind.Str() == "call" {
		name, _ := v.Get("tool")
		args, _ = v.Get("arguments")
		return name.Str(), args
	}
	return kind.Str(), v
}

// with is a call with another value of one argument.
func (c *scriptedCall) with(name string, value strictjson.Value) strictjson.Value {
	args := replaced(c.args, name, value)
	if !isFlat(c.value) {
		return replaced(c.value, "arguments", args)
	}
	return args
}

func replaced(v strictjson.Value, name string, value strictjson.Value) strictjson.Value {
	members := slices.Clone(v.Members())
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
		}
	}
	return strictjson.OfObject(members...)
}

// add adds a symbol. Names are shortened, and stay distinct all the same.
func (b *spelling) add(s Symbol) {
	name := s.Name
	for n := 2; b.names[s.Name]; n++ {
		s.Name = fmt.Sprintf("%s (%d)", name, n)
	}
	b.names[s.Name] = true
	b.list = append(b.list, s)
}

// isNew notes what is said; false if it is said already.
func (b *spelling) isNew(text string) bool {
	known := b.said[text]
	b.said[text] = true
	return !known
}

// say adds a fixed output, unless it is said already.
func (b *spelling) say(name, tool string, raw []byte) {
	if b.isNew(string(raw)) {
		b.add(Symbol{Name: name, Tool: tool, raw: raw})
	}
}

// sayCall adds a call of a tool of the repository.
func (b *spelling) sayCall(name, tool string, args ...strictjson.Member) {
	args = append(args, strictjson.Member{Name: "type", Value: strictjson.OfString(tool)})
	b.say(name, tool, strictjson.AppendCanonical(nil, strictjson.OfObject(args...)))
}

func textOf(name, text string) strictjson.Member {
	return strictjson.Member{Name: name, Value: strictjson.OfString(text)}
}

// searches are for words of the script, and for one that stands in a file which may
// not be read.
func (b *spelling) searches() {
	var words []string
	for _, c := range b.calls {
		if query, _ := c.args.Get("query"); c.tool == "search" && query.Str() != "" {
			words = append(words, query.Str())
		}
	}
	if len(words) == 0 {
		words = append(words, b.world.word(b.world.open, nil))
	}
	words = append(words[:min(len(words), mostWords)], b.world.word(b.world.closed, b.world.open))
	for _, word := range words {
		if word != "" && len(word) <= b.cfg.Machine.Limits.Query {
			b.sayCall("search "+strictjson.Quote(word), "search", textOf("query", word))
		}
	}
}

// paths are the files to be tried, at most mostFiles: those that may be edited first,
// then those that may be read.
func (b *spelling) paths() []string {
	list := slices.Concat(b.world.editable, b.world.open, b.world.closed)
	var paths []string
	for _, p := range list {
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	if len(paths) > mostFiles && !b.cut {
		b.cut = true
		b.left = append(b.left, fmt.Sprintf("%d of %d files", len(paths)-mostFiles, len(paths)))
	}
	if len(paths) > mostFiles {
		kept := paths[: mostFiles-1 : mostFiles-1]
		paths = append(kept, paths[len(paths)-1]) // one of those that may not be read, if there is any
	}
	return paths
}

func (b *spelling) reads() {
	paths := b.paths()
	for _, p := range append(paths, "no/such/file", "../"+first(paths, "file")) {
		b.sayCall("read "+strictjson.Quote(p), "read", textOf("path", p))
	}
}

func first(list []string, other string) string {
	if len(list) == 0 {
		return other
	}
	return list[0]
}

// edits are proposals for every file, with every kind of hash, and texts out of the
// script, of what is expected, and of kinds that must be refused.
func (b *spelling) edits(expect *scenarios.Expect) {
	for _, p := range b.paths() {
		texts := b.texts(p, expect)
		for _, h := range b.hashes(p) {
			for _, text := range texts {
				h.before, h.after = text[0], text[1]
				b.add(Symbol{Name: h.name(), Tool: "propose_edit", form: proposed, edit: h})
			}
		}
	}
}

// hashes are what a proposal for a file can give as its hash.
func (b *spelling) hashes(p string) []edit {
	list := []edit{{path: p, of: p, hash: hashNow}}
	for _, other := range slices.Concat(b.world.open, b.world.closed) {
		if other != p {
			list = append(list, edit{path: p, of: other, hash: hashForeign})
			break
		}
	}
	list = append(list, edit{path: p, of: p, hash: hashNever})
	if len(b.world.versions[p]) > 1 {
		list = append(list, edit{path: p, of: p, hash: hashStale})
	}
	return list
}

func (e *edit) name() string {
	of := "its hash"
	switch e.hash {
	case hashForeign:
		of = "the hash of " + strictjson.Quote(e.of)
	case hashNever:
		of = "a hash that never was"
	case hashStale:
		of = "its hash before it changed"
	}
	return fmt.Sprintf("propose_edit %s, %s: %s for %s", strictjson.Quote(e.path), of, strictjson.Quote(e.after), strictjson.Quote(e.before))
}

// texts are what is replaced in a file, and by what.
func (b *spelling) texts(p string, expect *scenarios.Expect) [][2]string {
	var texts [][2]string
	add := func(before, after string) {
		if pair := [2]string{before, after}; !slices.Contains(texts, pair) {
			texts = append(texts, pair)
		}
	}
	for _, c := range b.calls {
		before, _ := c.args.Get("before")
		after, given := c.args.Get("after")
		if c.tool == "propose_edit" && given && before.Str() != "" && len(texts) < mostTexts {
			add(before.Str(), after.Str())
		}
	}
	if expect != nil {
		for i := range expect.Edits.Items {
			if e := &expect.Edits.Items[i]; e.Path.Value == p && e.Before.Value != "" && e.After.Set() && len(texts) < mostTexts {
				add(e.Before.Value, e.After.Value)
			}
		}
	}
	if word := b.world.word([]string{p}, nil); len(texts) == 0 && word != "" {
		add(word, "x")
	}
	if len(texts) > 0 {
		known := texts[0]
		add("", known[1])
		add(known[0], "")
		add(known[0], known[0])
	}
	if twice := b.world.twice(p); twice != "" {
		add(twice, "x")
	}
	return texts
}

// others are what else stands in the script, as it stands there: bytes that are no
// action, calls of the repository's tools with further arguments, and finishes.
func (b *spelling) others() {
	for i := range b.calls {
		c := &b.calls[i]
		switch {
		case c.value.IsZero():
			b.say("say "+clip(strictjson.Quote(string(c.raw))), "", c.raw)
		case b.isDeclared(c.tool), b.isProposed(c):
		default:
			b.sayValue(c.tool, c.value, c.raw)
		}
	}
}

// isProposed reports whether a call is a plain proposal for one of the files, which
// are all tried.
func (b *spelling) isProposed(c *scriptedCall) bool {
	p, _ := c.args.Get("path")
	return c.tool == "propose_edit" && isFlat(c.value) && len(c.args.Members()) == 5 && slices.Contains(b.paths(), p.Str())
}

// sayValue adds a value as a scripted model would say it: raw, or with references.
func (b *spelling) sayValue(tool string, v strictjson.Value, raw []byte) {
	text := string(strictjson.AppendCanonical(nil, v))
	name := "say " + clip(text)
	if raw != nil {
		b.say(name, tool, raw)
	} else if b.isNew(text) {
		b.add(Symbol{Name: name, Tool: tool, form: scripted, script: model.NewScript([]model.Item{{Value: v, Repeat: 1}})})
	}
}

// clip shortens what a name says.
func clip(text string) string {
	const most = 120
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "… (" + strconv.Itoa(len(text)) + " bytes)"
}

func (b *spelling) isDeclared(name string) bool {
	tool, ok := b.cfg.Machine.Registry.Lookup(name, "")
	if !ok {
		return false
	}
	_, is := tool.(tools.Outside)
	return is
}

func (b *spelling) finishes() {
	summary := textOf("summary", "done")
	b.sayCall("finish", tools.FinishName, summary)
	b.add(Symbol{Name: "finish, citing the last answer", Tool: tools.FinishName, form: finished, cites: citesAnswer})
	b.add(Symbol{Name: "finish, citing a refusal", Tool: tools.FinishName, form: finished, cites: citesRefusal})
	b.sayCall("finish, citing nothing that is there", tools.FinishName, cited("o99"), summary)
}

func cited(id string) strictjson.Member {
	return strictjson.Member{Name: "citations", Value: strictjson.OfArray(strictjson.OfString(id))}
}

// broken are outputs that no model may say: an unknown field, an argument of the
// wrong type, a range and a cursor that are none, a tool that is not there, and no
// action at all.
func (b *spelling) broken() {
	p := textOf("path", first(slices.Concat(b.world.open, b.world.closed), "no/such/file"))
	number := func(name string, n int64) strictjson.Member {
		return strictjson.Member{Name: name, Value: strictjson.OfInt(n)}
	}
	b.sayCall("read with an unknown field", "read", p, textOf("reveal", "yes"))
	b.sayCall("read from line 2 to line 1", "read", p, number("startLine", 2), number("endLine", 1))
	b.sayCall("read from line 99999", "read", p, number("startLine", 99999))
	b.sayCall("read with a cursor that is none", "read", p, textOf("cursor", "x"))
	b.sayCall("read with a cursor of another version", "read", p, textOf("cursor", "0@"+never[:12]))
	b.sayCall("search with a query that is no text", "search", number("query", 7))
	b.sayCall("search with a cursor that is none", "search", textOf("query", "a"), textOf("cursor", "x"))
	if len(b.world.editable) > 0 {
		p := b.world.editable[0]
		if word := b.world.word([]string{p}, nil); word != "" {
			b.add(Symbol{Name: "propose_edit with a NUL", Tool: "propose_edit", form: proposed, edit: edit{path: p, of: p, before: word, after: "\x00"}})
		}
	}
	b.say("call a tool that is not there", "", []byte(`{"arguments":{},"tool":"no_such_tool","type":"call"}`))
	b.say("say no JSON", "", []byte(`{"type":"read"`))
}
