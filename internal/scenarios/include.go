package scenarios

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

const kindTools = "Tools"

// Opener gives the bytes of a file that another one includes, named relative to it.
type Opener func(name string) ([]byte, error)

// maxIncludes bounds how many files one scenario takes in.
const maxIncludes = 32

// included reads the files that a scenario includes. What is wrong with them is
// reported under their own names.
func (b *builder) included(list List[Text]) []*toolsFile {
	if f, ok := b.includes.get(list.Pos); ok {
		return f
	}
	var files []*toolsFile
	for i, t := range list.Items {
		switch {
		case !t.ok():
		case i == maxIncludes:
			b.found.add(t.Pos, YAMLTooLarge, "include names more than 32 files", "put the tools into fewer files")
		case i > maxIncludes:
		default:
			if f := b.include(itemName("include", i), t); f != nil {
				files = append(files, f)
			}
		}
	}
	return b.includes.put(list.Pos, files)
}

func (b *builder) include(name string, t Text) *toolsFile {
	if t.Value == "" || strings.HasPrefix(t.Value, "/") || strings.ContainsAny(t.Value, "\\:") {
		b.found.add(t.Pos, InvalidValue, name+" must be a path relative to this file, with / between folders, got "+strictjson.Quote(t.Value), "")
		return nil
	}
	if b.open == nil {
		b.found.add(t.Pos, BadReference, name+" names "+strictjson.Quote(t.Value)+", and this text has no place that it could be relative to", "write the scenario to a file")
		return nil
	}
	data, err := b.open(t.Value)
	if err != nil {
		b.found.add(t.Pos, BadReference, name+" names "+strictjson.Quote(t.Value)+", which cannot be read: "+err.Error(), "")
		return nil
	}
	found := &findings{file: b.sibling(t.Value)}
	file := parseTools(data, found)
	if file != nil {
		file.file = found.file
	}
	b.found.list = append(b.found.list, found.list...)
	b.found.notes = append(b.found.notes, found.notes...)
	b.found.more += found.more
	return file
}

// sibling is the name of a file as diagnostics write it.
func (b *builder) sibling(name string) string {
	slash := strings.LastIndexByte(strings.ReplaceAll(b.found.file, `\`, "/"), '/')
	return b.found.file[:slash+1] + name
}

// kindOf is what a document says it is; "" if it does not say.
func kindOf(root *yaml.Node) string {
	if root.Kind != yaml.MappingNode {
		return ""
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "kind" && isKey(root.Content[i]) {
			return root.Content[i+1].Value
		}
	}
	return ""
}

// parseTools reads a file of kind Tools; nil if nothing can be said about it.
func parseTools(data []byte, found *findings) *toolsFile {
	root := parseTree(data, found)
	if root == nil {
		return nil
	}
	if root.Kind != yaml.MappingNode { // whatever it is, it is not shown: it may be no file of the scenario's
		found.add(place(root), WrongType, "the file is no mapping, so it is no file of tools", "")
		return nil
	}
	return readTools(root, found)
}

func readTools(root *yaml.Node, found *findings) *toolsFile {
	d := &decoder{found: found}
	var f toolsFile
	d.value(&f, root)
	if f.bad {
		return nil
	}
	checkIdentity(f.part, f.APIVersion, f.Kind, kindTools, ", which cannot be included", found)
	return &f
}

// checkTools reads a file of kind Tools by itself and makes its tools; nil if that
// cannot be done, which is reported.
func checkTools(root *yaml.Node, found *findings) *tools.Registry {
	f := readTools(root, found)
	if f == nil {
		return nil
	}
	b := &builder{found: found, name: ownName(found.file), file: &document{}}
	o := b.outside(&entry{Tools: f.Tools, World: f.World, Faults: f.Faults})
	if found.failed() {
		return nil
	}
	registry, err := tools.New(o.tools...)
	if err != nil {
		found.add(f.Pos, InvalidValue, "the tools do not go together: "+err.Error(), "")
		return nil
	}
	return registry
}

// ParseTools reads a file of kind Tools by itself: its tools, without those of the
// repository. If the list holds more than notes, there is no registry; neither is
// there for a file of another kind, which is no fault.
func ParseTools(file string, data []byte) (*tools.Registry, diag.List) {
	found := &findings{file: file}
	root := parseTree(data, found)
	if root == nil || kindOf(root) != kindTools {
		return nil, found.sorted()
	}
	return checkTools(root, found), found.sorted()
}
