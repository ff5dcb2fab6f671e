package report

import (
	"strings"

	"harness/internal/strictjson"
	"harness/internal/tools"
)

// ToolsRecord is a catalogue of tools as a client of the Model Context Protocol
// sees them.
type ToolsRecord struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"` // "Tools"
	Tools      []ToolRecord `json:"tools"`
}

// ToolRecord is one tool. Annotations are hints: what they say of a tool is not
// checked by whoever reads them.
type ToolRecord struct {
	Name         string           `json:"name"`
	Description  string           `json:"description"`
	InputSchema  strictjson.Value `json:"inputSchema"`
	OutputSchema strictjson.Value `json:"outputSchema,omitzero"`
	Annotations  ToolAnnotations  `json:"annotations"`
	Meta         ToolMeta         `json:"_meta"`
}

// ToolAnnotations are hints for clients.
type ToolAnnotations struct {
	ReadOnlyHint    bool `json:"readOnlyHint"`
	DestructiveHint bool `json:"destructiveHint"`
	IdempotentHint  bool `json:"idempotentHint"`
	OpenWorldHint   bool `json:"openWorldHint"`
}

// ToolMeta is what the protocol has no fields for.
type ToolMeta struct {
	Version          string             `json:"version"`
	Capability       string             `json:"capability,omitempty"`
	SideEffect       tools.SideEffect   `json:"sideEffect"`
	Confirmation     tools.Confirmation `json:"confirmation"`
	DefinitionDigest string             `json:"definitionDigest,omitempty"`
}

// never is the confirmation of a contract that asks for none.
const never tools.Confirmation = "never"

// ToolsDocument is a catalogue of tools in their order.
func ToolsDocument(registry *tools.Registry) *ToolsRecord {
	d := &ToolsRecord{APIVersion: APIVersion, Kind: "Tools", Tools: make([]ToolRecord, len(registry.Tools()))}
	for i, t := range registry.Tools() {
		d.Tools[i] = toolRecord(t)
	}
	return d
}

func toolRecord(t tools.Tool) ToolRecord {
	c := t.Contract()
	_, outside := t.(tools.Outside)
	d := ToolRecord{
		Name: c.Name, Description: description(c), InputSchema: c.Input.JSON(), OutputSchema: outputSchema(t),
		// That what a write changes is only added, and never replaced, no contract
		// says: so none is called harmless.
		Annotations: ToolAnnotations{
			ReadOnlyHint:    c.SideEffect == tools.ReadOnly,
			DestructiveHint: c.SideEffect != tools.ReadOnly,
			IdempotentHint:  c.SideEffect == tools.ReadOnly || c.SideEffect == tools.IdempotentWrite,
			OpenWorldHint:   outside,
		},
		Meta: ToolMeta{Version: c.Version, Capability: c.Capability, SideEffect: c.SideEffect, Confirmation: c.Confirmation},
	}
	if d.Meta.Confirmation == "" {
		d.Meta.Confirmation = never
	}
	if !c.Definition.IsZero() {
		d.Meta.DefinitionDigest = c.Definition.String()
	}
	return d
}

// description is what a model reads about a tool.
func description(c *tools.Contract) string {
	text := strings.TrimSpace(c.Purpose)
	if c.NotFor != "" {
		text += "\nNot for: " + strings.TrimSpace(c.NotFor)
	}
	return text
}
