package scenarios

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// Run with -update to write the schema anew. Commit it only if you know why it
// changed.
var update = flag.Bool("update", false, "write ../../schema/scenario.schema.json")

const schemaFile = "../../schema/scenario.schema.json"

func TestSchemaIsCurrent(t *testing.T) {
	want := encoded(t, newSchema())
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update is refused where CI is set")
		}
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("wrote %s", schemaFile)
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: go test ./internal/scenarios -run TestSchemaIsCurrent -update writes it anew", schemaFile)
	}
}

// encoded is the schema as it is published, its identity first.
func encoded(t *testing.T, s *jsonschema.Schema) []byte {
	t.Helper()
	version, title := s.Schema, s.Title
	s.Schema, s.Title = "", ""
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	head := fmt.Sprintf(`{"$schema":%q,"title":%q,`, version, title)
	if err := json.Indent(&b, append([]byte(head), body[1:]...), "", "\t"); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func TestShippedScenariosFitTheSchema(t *testing.T) {
	schema := publishedSchema(t)
	for name, data := range shippedFiles(t) {
		if err := schema.Validate(asJSON(t, data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefuses: what the loader refuses for its shape, the schema does, too.
func TestSchemaRefuses(t *testing.T) {
	schema := publishedSchema(t)
	for name, text := range map[string]string{
		"unknown key":             plain + "x: 1\n",
		"unknown key below":       with("steps: 3", "steps: 3, x: 1"),
		"unknown kind":            with("kind: Scenario", "kind: Quiz"),
		"id with capitals":        with("a/b", "A"),
		"no id":                   with("id: a/b\n", ""),
		"text for a number":       with("steps: 3", "steps: '3'"),
		"negative":                with("steps: 3", "steps: -3"),
		"too few repeats":         with("steps: 3", "steps: 3, repeats: 1"),
		"number for a text":       with("goal: look", "goal: 12"),
		"empty goal":              with("goal: look", "goal: ''"),
		"unknown way":             with("goal: look", "goal: look\n  onRejection: go"),
		"text for a boolean":      with("goal: look", "goal: look\n  editShownOnly: 'true'"),
		"text for a list":         with("[a.txt]", "a.txt"),
		"file of two contents":    with("hello", "{content: a, contentBase64: YQ==}"),
		"file of none":            with("hello", "{executable: true}"),
		"unknown status":          plain + "expect: {status: fine}\n",
		"nothing expected":        plain + "expect: {}\n",
		"decision without step":   plain + "expect: {decisions: [{decision: deny}]}\n",
		"call without a tool":     plain + "expect: {calls: {list: [{args: {}}]}}\n",
		"unknown way of a trace":  plain + "expect: {calls: {trace: sorted, list: []}}\n",
		"unknown match":           plain + "expect: {calls: {list: [{tool: read, args: {}, match: some}]}}\n",
		"unknown outcome":         plain + "expect: {calls: {list: [{tool: read, outcome: ok}]}}\n",
		"arguments as a list":     plain + "expect: {calls: {list: [{tool: read, args: [path]}]}}\n",
		"hash in capitals":        plain + "expect: {edits: [{path: a, resultHash: " + strings.Repeat("A", 64) + "}]}\n",
		"rule without effect":     plain + "rules: [{capability: repo:read, resource: a.txt}]\n",
		"observation too short":   plain + "limits: {observation: 399}\n",
		"case without id":         plain + "cases: [{title: x}]\n",
		"case of two segments":    plain + "cases: [{id: a/b}]\n",
		"no cases":                plain + "cases: []\n",
		"repeat nothing":          with("summary: done", "summary: done, repeat: 0"),
		"unknown key in a case":   plain + "cases: [{id: a, kind: Scenario}]\n",
		"the same tag twice":      plain + "tags: [a, a]\n",
		"tag with a space":        plain + "tags: ['a b']\n",
		"time without a unit":     with("steps: 3", "steps: 3, deadline: 5"),
		"tool without a name":     plain + "tools: [{purpose: x}]\n",
		"unknown side effect":     plain + "tools: [{name: a, purpose: x, input: {type: object}, output: {type: object}, capability: c, sideEffect: none, behaviour: [{answer: {}}]}]\n",
		"answer without a person": plain + "human: [{says: approve}]\n",
		"unknown answer":          plain + "human: [{says: yes, by: x}]\n",
		"unknown fault":           plain + "faults: [{tool: a, kind: fire}]\n",
		"two previews of a file":  plain + "expect: {edits: [{path: a, preview: x, previewBase64: eA==}]}\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := schema.Validate(asJSON(t, []byte(text))); err == nil {
				t.Errorf("the schema accepts\n%s", text)
			}
			if _, found := Parse("s.yaml", []byte(text)); !found.Failed() {
				t.Errorf("the loader accepts\n%s", text)
			}
		})
	}
	if err := schema.Validate(asJSON(t, []byte(plain))); err != nil {
		t.Errorf("the schema refuses a valid scenario: %v", err)
	}
}

// TestEveryKeySaysWhatItMeans: the tags are the documentation.
func TestEveryKeySaysWhatItMeans(t *testing.T) {
	g := &generator{defs: map[string]*jsonschema.Schema{}}
	g.defs["document"] = g.mapping(reflect.TypeFor[document]())
	for part, s := range g.defs {
		for name, property := range s.Properties {
			if !strings.HasSuffix(property.Description, ".") {
				t.Errorf("%s.%s does not say what it means in a sentence: %q", part, name, property.Description)
			}
		}
		if len(s.Properties) > 64 {
			t.Errorf("%s has %d keys, and the decoder keeps 64 apart", part, len(s.Properties))
		}
	}
	if len(g.defs) < 10 {
		t.Errorf("got %d parts, want all", len(g.defs))
	}
}

func publishedSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// asJSON gives a YAML document as JSON has it.
func asJSON(t *testing.T, data []byte) any {
	t.Helper()
	found := &findings{}
	root := parseTree(data, found)
	if root == nil {
		t.Fatal(found.sorted())
	}
	value := new(scriptPart).value(&decoder{found: found}, root, nil)
	var v any
	if err := json.Unmarshal(strictjson.AppendCanonical(nil, value), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// newSchema makes the schema from the parts' types and tags.
func newSchema() *jsonschema.Schema {
	g := &generator{defs: map[string]*jsonschema.Schema{}}
	root := g.mapping(reflect.TypeFor[document]())
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.Title = "harness scenario"
	root.Description = "A world, a task, a model and expectations: one run, or a table of them."
	root.Required = []string{"apiVersion", "kind", "id"}
	root.AnyOf = []*jsonschema.Schema{
		{Required: []string{"task", "model"}},
		{Required: []string{"cases"}},
	}
	root.Properties["id"].Pattern = "^[a-z0-9-]+(/[a-z0-9-]+)*$"
	root.Properties["cases"].MinItems = ptr(1)
	root.Defs = g.defs
	return root
}

func ptr[T any](v T) *T { return &v }

// generator makes schemas of parts, each once.
type generator struct {
	defs map[string]*jsonschema.Schema
}

// refer is a reference to the definition of a part.
func (g *generator) refer(t reflect.Type) *jsonschema.Schema {
	name := strings.TrimSuffix(strings.TrimSuffix(t.Name(), "Part"), "Entry")
	name = strings.ToLower(name[:1]) + name[1:]
	if g.defs[name] == nil {
		g.defs[name] = &jsonschema.Schema{} // for a part that holds itself
		g.defs[name] = g.define(t)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

func (g *generator) define(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[filesPart]():
		return &jsonschema.Schema{
			Type: "object",
			AdditionalProperties: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
				{Type: "string"}, g.refer(reflect.TypeFor[fileForm]()), {Type: "null"},
			}},
		}
	case reflect.TypeFor[scriptPart]():
		return &jsonschema.Schema{Type: "array", Items: answerSchema()}
	case reflect.TypeFor[anyPart]():
		return &jsonschema.Schema{}
	case reflect.TypeFor[countsPart]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "integer", Minimum: ptr(0.0), Maximum: ptr(100000.0)}}
	}
	s := g.mapping(t)
	switch t {
	case reflect.TypeFor[fileForm]():
		s.OneOf = []*jsonschema.Schema{{Required: []string{"content"}}, {Required: []string{"contentBase64"}}}
	case reflect.TypeFor[Expect]():
		s.MinProperties = ptr(1)
	case reflect.TypeFor[ExpectEdit]():
		s.Not = &jsonschema.Schema{Required: []string{"preview", "previewBase64"}}
		s.Properties["resultHash"].Pattern = "^[0-9a-f]{64}$"
	case reflect.TypeFor[ExpectCall]():
		s.Properties["args"].Type = "object"
	case reflect.TypeFor[caseEntry]():
		s.Required = []string{"id"}
		s.Properties["id"].Pattern = "^[a-z0-9-]+$"
	case reflect.TypeFor[changePart]():
		s.OneOf = []*jsonschema.Schema{{Required: []string{"afterStep"}}, {Required: []string{"at"}}}
	case reflect.TypeFor[budgetPart]():
		setDefaults(s, t, reflect.ValueOf(policy.DefaultBudgets()), "steps")
	case reflect.TypeFor[limitsPart]():
		setDefaults(s, t, reflect.ValueOf(tools.DefaultLimits()), "")
	}
	return s
}

// setDefaults takes defaults from the fields of the same name.
func setDefaults(s *jsonschema.Schema, t reflect.Type, defaults reflect.Value, except string) {
	for i := range defaults.NumField() {
		f, _ := t.FieldByName(defaults.Type().Field(i).Name)
		if name := f.Tag.Get("yaml"); name != except && defaults.Field(i).Kind() == reflect.Int {
			s.Properties[name].Default = json.RawMessage(strconv.FormatInt(defaults.Field(i).Int(), 10))
		}
	}
}

// mapping is the closed object of a part's fields.
func (g *generator) mapping(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	shape := &shape{}
	shape.collect(t, nil)
	for i, name := range shape.names {
		declared := t.FieldByIndex(shape.fields[i])
		rules := declared.Tag.Get("validate")
		property := g.value(declared.Type, rules)
		property.Description = declared.Tag.Get("means")
		if known := knownValues()[t.Name()+"."+name]; known != nil {
			property.Enum = known
		}
		if d, ok := declared.Tag.Lookup("default"); ok {
			property.Default = json.RawMessage(d)
			if property.Type == "string" {
				property.Default = json.RawMessage(strconv.Quote(d))
			}
		}
		if name == "tags" {
			property.UniqueItems, property.Items.Pattern = true, `^[^!, \t\r\n]+$`
		}
		if strings.HasSuffix(name, "Base64") {
			property.ContentEncoding = "base64"
		}
		if hasRule(rules, "required") {
			s.Required = append(s.Required, name)
		}
		s.Properties[name] = property
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	return s
}

// value is the schema of a field.
func (g *generator) value(t reflect.Type, rules string) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Text]():
		s := &jsonschema.Schema{Type: "string"}
		if least := rule(rules, "min"); least != "" {
			s.MinLength = ptr(1)
		}
		for _, word := range strings.Fields(rule(rules, "oneof")) {
			s.Enum = append(s.Enum, word)
		}
		return s
	case reflect.TypeFor[Number]():
		s := &jsonschema.Schema{Type: "integer", Minimum: ptr(0.0)}
		if least := rule(rules, "min"); least != "" {
			s.Minimum = ptr(number(least))
		}
		if most := rule(rules, "max"); most != "" {
			s.Maximum = ptr(number(most))
		}
		return s
	case reflect.TypeFor[Flag]():
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.TypeFor[Span]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	case reflect.TypeFor[exprPart]():
		return &jsonschema.Schema{Type: "string", MinLength: ptr(1)}
	case reflect.TypeFor[anyPart]():
		return &jsonschema.Schema{}
	case reflect.TypeFor[List[exprPart]]():
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: ptr(1)}}
	case reflect.TypeFor[List[Text]]():
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: ptr(1)}}
	}
	if t.Kind() == reflect.Pointer {
		return g.refer(t.Elem())
	}
	if items, ok := t.FieldByName("Items"); ok {
		return &jsonschema.Schema{Type: "array", Items: g.refer(items.Type.Elem())}
	}
	return g.refer(t)
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64)
	return n
}

// rule is the parameter of a struct rule, "" if there is no such rule.
func rule(rules, name string) string {
	for r := range strings.SplitSeq(rules, ",") {
		if param, ok := strings.CutPrefix(r, name+"="); ok {
			return param
		}
	}
	return ""
}

func hasRule(rules, name string) bool {
	for r := range strings.SplitSeq(rules, ",") {
		if r == name {
			return true
		}
	}
	return false
}

// knownValues lists what fields can hold, where the program knows the names.
func knownValues() map[string][]any {
	return map[string][]any{
		"document.apiVersion": {apiVersion},
		"document.kind":       {kindScenario},
		"Expect.status":       anys(endStatuses()),
		"Expect.verified":     {"true", "false", "none"},
		"ExpectDecision.gate": anys(gateNames()),
	}
}

func anys(names []string) []any {
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	return list
}

// answerSchema is one answer of a script: any value. The keys are for editors.
func answerSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: "What the model says: usually an action, but any value is allowed. A text that is wholly ${…} refers to an earlier observation, as in ${last.baseHash} or ${read[\"src/sum.ts\"].baseHash}; $${ stands for a literal ${.",
		Properties: map[string]*jsonschema.Schema{
			"type":      {Description: "The action: a tool, call, or finish.", Examples: append(anys(toolNames()), "call")},
			"raw":       {Description: "Exact output as text, if nothing but repeat stands beside it."},
			"rawBase64": {Description: "Exact output as Base64, if nothing but repeat stands beside it."},
			"repeat": {Description: "How often the answer is given. It is no part of the answer.", Default: json.RawMessage("1"), AnyOf: []*jsonschema.Schema{
				{Type: "integer", Minimum: ptr(1.0)}, {Const: ptr[any]("forever")},
			}},
		},
		PropertyOrder: []string{"type", "raw", "rawBase64", "repeat"},
	}
}
