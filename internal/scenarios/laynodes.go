package scenarios

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"harness/internal/strictjson"
)

// at is the value of a mapping's key, nil if it has none.
func at(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// put sets the value of a mapping's key.
func put(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, plainText(key), value)
}

func cutKey(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

// takeCase lays one of a file's cases over the file.
func takeCase(root *yaml.Node, id string) error {
	cases := at(root, "cases")
	cutKey(root, "cases")
	if id == "" && cases == nil {
		return nil
	}
	if cases != nil {
		for _, one := range cases.Content {
			if own := at(one, "id"); own != nil && own.Value == id {
				whole := id
				if of := at(root, "id"); of != nil {
					whole = of.Value + "/" + id
				}
				layNode(root, one, topKeys)
				put(root, "id", plainText(whole))
				return nil
			}
		}
	}
	return fmt.Errorf("the file has no case %s", strictjson.Quote(id))
}

// laid says how the value of a key is laid over another one.
type laid uint8

const (
	replaced  laid = iota
	keyByKey       // and so are the mappings below
	entries        // key by key, each value whole, and null takes one out
	twoLevels      // mappings of entries
)

func topKeys(key string) laid {
	switch key {
	case "repo", "task", "principal", "limits", "budget", "completion":
		return keyByKey
	case "files":
		return entries
	case "world":
		return twoLevels
	default:
		return replaced
	}
}

func everyCollection(string) laid { return entries }

// layNode lays a mapping over another, as lay does with what was read from them.
func layNode(under, over *yaml.Node, how func(string) laid) {
	for i := 0; i+1 < len(over.Content); i += 2 {
		key, value := over.Content[i].Value, over.Content[i+1]
		below := at(under, key)
		switch {
		case below == nil || below.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode:
			put(under, key, value)
		case how(key) == keyByKey:
			layNode(below, value, how)
		case how(key) == entries:
			layEntries(below, value)
		case how(key) == twoLevels:
			layNode(below, value, everyCollection)
		default:
			put(under, key, value)
		}
	}
}

// layEntries lays entries over others; null takes one out. Of one that is not there
// null stays: it may stand in a file that is included.
func layEntries(under, over *yaml.Node) {
	for i := 0; i+1 < len(over.Content); i += 2 {
		key, value := over.Content[i].Value, over.Content[i+1]
		if isNull(value) && at(under, key) != nil {
			cutKey(under, key)
			continue
		}
		put(under, key, value)
	}
}
