package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// maxDepth is how deep mappings and lists may stand inside one another.
const maxDepth = 100

// parseTree reads a file's one document into nodes and checks what holds for
// every node, whatever it stands for. It is nil if nothing more can be said.
func parseTree(data []byte, found *findings) *yaml.Node {
	if !checkText(data, found) {
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(limits{}))
	if err != nil {
		found.add(diag.Pos{Line: 1, Col: 1}, YAMLSyntax, err.Error(), "")
		return nil
	}
	var document, second yaml.Node
	err = loader.Load(&document)
	if err == nil {
		if err = loader.Load(&second); err == nil {
			found.add(place(&second), YAMLUnsupportedFeature, "a second document starts here", "put each scenario into a file of its own, or use `cases:`")
			return nil
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		found.syntax(err, data)
		return nil
	case len(document.Content) == 0 || isNull(document.Content[0]):
		found.add(diag.Pos{Line: 1, Col: 1}, EmptyFile, "the file holds no document", "")
		return nil
	}
	directive(data, found)
	t := treeCheck{found: found}
	t.node(document.Content[0], 1)
	return document.Content[0]
}

// limits bounds the reader's recursion.
type limits struct{}

const tooDeep = "nested too deep"

// CheckDepth bounds nesting, in brackets and by indentation.
func (limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return errors.New(tooDeep)
	}
	return nil
}

// CheckAlias allows all: aliases are refused afterwards, and never expanded.
func (limits) CheckAlias(int, int) error { return nil }

// place is where a node starts.
func place(n *yaml.Node) diag.Pos { return diag.Pos{Line: n.Line, Col: n.Column} }

// syntax reports why the file cannot be read.
func (f *findings) syntax(err error, data []byte) {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		f.add(diag.Pos{Line: 1, Col: 1}, YAMLSyntax, err.Error(), "")
		return
	}
	pos := diag.Pos{Line: max(e.Mark.Line, 1), Col: max(e.Mark.Column, 1)}
	if last := bytes.Count(data, []byte("\n")) + 1; pos.Line > last {
		// The reader ends a last line that has no line break.
		pos = diag.At(string(data), len(data))
	}
	start := diag.Pos{Line: e.ContextMark.Line, Col: e.ContextMark.Column}
	message, code := e.Message, YAMLSyntax
	switch {
	case message == tooDeep:
		f.add(pos, YAMLTooLarge, fmt.Sprintf("mappings and lists are nested more than %d deep", maxDepth), "write a flatter document")
		return
	case strings.HasPrefix(message, "unknown anchor"):
		f.add(pos, YAMLUnsupportedFeature, message+"; aliases are not supported", "write the value out")
		return
	case e.ContextMsg == "while scanning a simple key" && !start.IsZero():
		// The reader notices at the start of a later line.
		pos = start
	case e.ContextMsg != "":
		message += " " + e.ContextMsg
		if !start.IsZero() && start != pos {
			message += " that starts at " + start.String()
		}
	}
	f.add(pos, code, message, syntaxHint(e.Message, characterAt(data, pos)))
}

// characterAt is the text at a place, up to the end of its line.
func characterAt(data []byte, pos diag.Pos) string {
	for range pos.Line - 1 {
		_, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			return ""
		}
		data = rest
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	col := 1
	for i := range string(line) {
		if col == pos.Col {
			return string(line[i:])
		}
		col++
	}
	return ""
}

// syntaxHint explains the mistakes that people make most.
func syntaxHint(message, text string) string {
	switch {
	case strings.HasPrefix(message, "found a tab character where an indentation"):
		return "a block whose first line starts with a tab needs its indentation said: write |2 for two spaces"
	case strings.HasPrefix(text, "\t"):
		return "indent with spaces; YAML takes no tabs there"
	case strings.HasPrefix(text, "@"), strings.HasPrefix(text, "`"), strings.HasPrefix(text, "%"):
		return "put text that starts with " + text[:1] + " in quotes"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		return "put text that holds `: ` in quotes, or look at the indentation"
	case strings.HasPrefix(message, "could not find expected ':'"):
		return "a key needs `: ` and a value behind it"
	case strings.HasPrefix(message, "found unknown escape character"):
		return `in double quotes a backslash starts an escape: write \\ or use single quotes`
	case strings.HasPrefix(message, "found invalid Unicode character escape"):
		return "an escape names one code point; the halves of a surrogate pair are none"
	case strings.HasPrefix(message, "did not find expected ',' or"):
		return "inside { } and [ ] a text that holds `: ` or a comma must be quoted"
	case strings.HasPrefix(message, "did not find expected key"), strings.HasPrefix(message, "did not find expected '-'"):
		return "look at this line's indentation, and at quotes: a quoted value ends at its closing quote"
	default:
		return ""
	}
}

// directive reports a directive, which could change what plain values mean.
func directive(data []byte, found *findings) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	for line := 1; ; line++ {
		text, rest, more := bytes.Cut(data, []byte("\n"))
		if bytes.HasPrefix(text, []byte("%")) {
			found.add(diag.Pos{Line: line, Col: 1}, YAMLUnsupportedFeature, "a directive stands here", "leave it out; files are read as YAML 1.2")
			return
		}
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' || !more {
			return
		}
		data = rest
	}
}

// treeCheck looks at every node once.
type treeCheck struct {
	found *findings
	seen  map[string]*yaml.Node // scratch for mappings with many keys
}

func (t *treeCheck) node(n *yaml.Node, depth int) {
	if depth > maxDepth {
		t.found.add(place(n), YAMLTooLarge, fmt.Sprintf("mappings and lists are nested more than %d deep", maxDepth), "write a flatter document")
		return
	}
	if n.Anchor != "" {
		t.found.add(place(n), YAMLUnsupportedFeature, "an anchor stands here; anchors and aliases are not supported", "write the value out where it is needed")
	}
	if hasForeignTag(n) {
		t.found.add(place(n), YAMLUnsupportedFeature, "the tag "+strictjson.Quote(n.Tag)+" is not supported", "leave it out; quotes make a text")
	}
	switch n.Kind {
	case yaml.AliasNode:
		t.found.add(place(n), YAMLUnsupportedFeature, "an alias stands here; anchors and aliases are not supported", "write the value out")
	case yaml.ScalarNode:
		retag(n, false)
	case yaml.MappingNode:
		t.keys(n)
		for i := 1; i < len(n.Content); i += 2 {
			t.node(n.Content[i], depth+1)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			t.node(item, depth+1)
		}
	}
}

// keys checks that a mapping's keys are texts, each given once.
func (t *treeCheck) keys(n *yaml.Node) {
	const few = 8
	many := len(n.Content) > 2*few
	if many {
		t.seen = make(map[string]*yaml.Node, len(n.Content)/2)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		retag(key, true)
		if !isKey(key) {
			t.badKey(key)
			continue
		}
		if key.Anchor != "" {
			t.found.add(place(key), YAMLUnsupportedFeature, "an anchor stands here; anchors and aliases are not supported", "leave it out")
		}
		if first := t.first(n.Content[:i], key, many); first != nil {
			t.found.add(place(key), DuplicateYAMLKey,
				fmt.Sprintf("the key %s was already given at %s", strictjson.Quote(key.Value), place(first)), "keep one of the two")
		} else if many {
			t.seen[key.Value] = key
		}
	}
}

// first finds the same key among those before it.
func (t *treeCheck) first(before []*yaml.Node, key *yaml.Node, many bool) *yaml.Node {
	if many {
		return t.seen[key.Value]
	}
	for i := 0; i < len(before); i += 2 {
		if before[i].Value == key.Value && isKey(before[i]) {
			return before[i]
		}
	}
	return nil
}

func (t *treeCheck) badKey(key *yaml.Node) {
	switch {
	case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
		t.found.add(place(key), YAMLUnsupportedFeature, "merge keys (<<) are not supported", "write the keys out; for variations of one scenario there is `cases:`")
	case key.Kind == yaml.ScalarNode && !hasForeignTag(key):
		t.found.add(place(key), WrongType, "a key must be a text, got "+describe(key), "put it in quotes")
	case key.Kind == yaml.ScalarNode:
		t.found.add(place(key), YAMLUnsupportedFeature, "the tag "+strictjson.Quote(key.Tag)+" is not supported", "leave it out")
	default:
		t.found.add(place(key), WrongType, "a key must be a text, got "+describe(key), "")
	}
}

// isKey reports whether a node can be a key: a text.
func isKey(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// hasForeignTag reports whether a node has a tag in the file other than !!str
// on a scalar.
func hasForeignTag(n *yaml.Node) bool {
	if n.Tag == "!" {
		return true
	}
	return n.Style&yaml.TaggedStyle != 0 && (n.Kind != yaml.ScalarNode || n.Tag != "!!str")
}
