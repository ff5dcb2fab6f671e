package scenarios

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A compiled file is the nodes of a YAML file, so that a program which carries
// its scenarios with it need not parse YAML when it starts:
//
//	magic, SHA-256 of the YAML file, then the root node
//	node = kind, style, tag (a byte each), line, column, size (varints), body
//
// size is the length of a scalar's text, which is the body, or the number of
// nodes that follow. It is a cache and nothing more: the digest ties it to the
// one file it was made from, and any other is parsed.
const compiledMagic = "harness nodes 1\n"

// compiledTags are the tags of checked nodes, by their number.
var compiledTags = [...]string{"!!str", "!!map", "!!seq", "!!int", "!!float", "!!bool", "!!null", "!!timestamp"}

// Compile gives the compiled form of a file; false for one that has faults in its
// bytes, its YAML or its nodes, or a note about them.
func Compile(data []byte) ([]byte, bool) {
	found := &findings{}
	root := parseTree(data, found)
	if root == nil || len(found.list)+len(found.notes) > 0 {
		return nil, false
	}
	digest := sha256.Sum256(data)
	return appendNode(append([]byte(compiledMagic), digest[:]...), root), true
}

// appendNode appends a checked node, whose tag is one of those known.
func appendNode(dst []byte, n *yaml.Node) []byte {
	tag := slices.Index(compiledTags[:], n.Tag)
	dst = append(dst, byte(n.Kind), byte(n.Style), byte(tag))
	dst = binary.AppendUvarint(dst, uint64(n.Line))
	dst = binary.AppendUvarint(dst, uint64(n.Column))
	if n.Kind == yaml.ScalarNode {
		dst = binary.AppendUvarint(dst, uint64(len(n.Value)))
		return append(dst, n.Value...)
	}
	dst = binary.AppendUvarint(dst, uint64(len(n.Content)))
	for _, child := range n.Content {
		dst = appendNode(dst, child)
	}
	return dst
}

// readCompiled gives the nodes of a compiled form of data, nil if it is none.
func readCompiled(data, compiled []byte) *yaml.Node {
	if len(compiled) == 0 {
		return nil
	}
	body, ok := strings.CutPrefix(string(compiled), compiledMagic)
	if digest := sha256.Sum256(data); !ok || !strings.HasPrefix(body, string(digest[:])) {
		return nil
	}
	r := compiledReader{rest: body[sha256.Size:]}
	root := r.node(1)
	if r.rest != "" || r.bad {
		return nil
	}
	return root
}

// compiledReader reads nodes. Their texts are parts of one string.
type compiledReader struct {
	rest  string
	bad   bool
	nodes []yaml.Node // made in advance
	links []*yaml.Node
}

func (r *compiledReader) node(depth int) *yaml.Node {
	const head = 3
	if len(r.rest) < head || depth > maxDepth || r.bad {
		r.bad = true
		return nil
	}
	kind, style, tag := yaml.Kind(r.rest[0]), yaml.Style(r.rest[1]), int(r.rest[2])
	r.rest = r.rest[head:]
	line, column, size := r.number(), r.number(), r.number()
	if r.bad = r.bad || tag >= len(compiledTags) || size > len(r.rest); r.bad {
		return nil
	}
	n := r.fresh()
	*n = yaml.Node{Kind: kind, Style: style, Tag: compiledTags[tag], Line: line, Column: column}
	if kind == yaml.ScalarNode {
		n.Value, r.rest = r.rest[:size], r.rest[size:]
		return n
	}
	n.Content = r.slots(size)
	for i := range n.Content {
		n.Content[i] = r.node(depth + 1)
	}
	return n
}

// number reads a varint, and is false for one that no file can hold.
func (r *compiledReader) number() int {
	v, size := uint64(0), 0
	for shift := 0; size < len(r.rest) && shift < 35; shift += 7 {
		c := r.rest[size]
		size++
		v |= uint64(c&0x7F) << shift
		if c < 0x80 {
			r.rest = r.rest[size:]
			return int(v)
		}
	}
	r.bad = true
	return 0
}

// block is how many nodes are made at once: no more than can follow.
func (r *compiledReader) block() int {
	const most, bytes = 256, 10 // of a node, on the average
	return min(most, len(r.rest)/bytes+1)
}

func (r *compiledReader) fresh() *yaml.Node {
	if len(r.nodes) == 0 {
		r.nodes = make([]yaml.Node, r.block())
	}
	n := &r.nodes[0]
	r.nodes = r.nodes[1:]
	return n
}

// slots is room for a node's children.
func (r *compiledReader) slots(n int) []*yaml.Node {
	if n > len(r.links) {
		r.links = make([]*yaml.Node, max(n, r.block()))
	}
	slots := r.links[:n:n]
	r.links = r.links[n:]
	return slots
}
