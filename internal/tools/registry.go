package tools

import (
	"fmt"
	"unicode/utf8"

	"harness/internal/strictjson"
)

// Registry gives tools their names. It does not change after New.
type Registry struct {
	tools     []Tool
	catalogue []byte
	size      int // of the catalogue, in code points
}

// New registers tools, in the order in which the model will see them. Two tools
// of one name, or a tool named like a part of the envelope, are a fault of the
// program or of the scenario that declares them.
func New(tools ...Tool) (*Registry, error) {
	for i, t := range tools {
		switch name := t.Contract().Name; name {
		case "call", "batch", FinishName:
			return nil, fmt.Errorf("a tool cannot be named %q: that is the type of an envelope", name)
		}
		for _, other := range tools[:i] {
			if t.Contract().Name == other.Contract().Name {
				return nil, fmt.Errorf("tool %q is registered twice", t.Contract().Name)
			}
		}
	}
	r := &Registry{tools: tools}
	r.catalogue = strictjson.AppendCanonical(nil, r.list())
	r.size = utf8.RuneCount(r.catalogue)
	return r, nil
}

// Lookup finds a tool by name and version; an empty version is any.
func (r *Registry) Lookup(name, version string) (Tool, bool) {
	for _, t := range r.tools {
		if c := t.Contract(); c.Name == name && (version == "" || version == c.Version) {
			return t, true
		}
	}
	return nil, false
}

// Has reports whether a tool has this name.
func (r *Registry) Has(name string) bool {
	_, ok := r.Lookup(name, "")
	return ok
}

// Tools lists the tools in order; callers must not modify the list.
func (r *Registry) Tools() []Tool { return r.tools }

// Names lists the tools' names in order.
func (r *Registry) Names() []string {
	names := make([]string, len(r.tools))
	for i, t := range r.tools {
		names[i] = t.Contract().Name
	}
	return names
}

// Catalogue is the tools as a model sees them, as canonical JSON; callers must
// not modify it.
func (r *Registry) Catalogue() []byte { return r.catalogue }

// CatalogueSize is the number of code points of the catalogue.
func (r *Registry) CatalogueSize() int { return r.size }

func (r *Registry) list() strictjson.Value {
	items := make([]strictjson.Value, len(r.tools))
	for i, t := range r.tools {
		c := t.Contract()
		items[i] = strictjson.OfObject(
			strictjson.Member{Name: "name", Value: strictjson.OfString(c.Name)},
			strictjson.Member{Name: "version", Value: strictjson.OfString(c.Version)},
			strictjson.Member{Name: "purpose", Value: strictjson.OfString(c.About())},
			strictjson.Member{Name: "input", Value: c.Input.JSON()},
		)
	}
	return strictjson.OfArray(items...)
}
