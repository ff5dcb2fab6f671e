package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

const (
	resultSchemaFile = "../../schema/result.schema.json"
	traceSchemaFile  = "../../schema/trace.schema.json"
	sha256Pattern    = "^[0-9a-f]{64}$"
)

// enum is the schema of a closed set.
func enum[T any](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		var name string
		if err := json.Unmarshal(text, &name); err != nil {
			panic(err)
		}
		s.Enum = append(s.Enum, name)
	}
	return s
}

// closedSets are the schemas of the types whose values are known.
func closedSets() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[event.Status]():      enum(event.Statuses()...),
		reflect.TypeFor[event.Outcome]():     enum(event.CallSucceeded, event.CallRejected, event.CallFailed, event.CallUnknown),
		reflect.TypeFor[event.Effect]():      enum(event.Allow, event.Confirm, event.Deny),
		reflect.TypeFor[event.EffectState](): enum(event.EffectApplied, event.EffectNone, event.EffectUnknown, event.EffectUnverified),
		reflect.TypeFor[event.Verdict]():     enum(event.Approved, event.Declined, event.Postponed),
		reflect.TypeFor[event.OrderKind]():   enum(event.CancelRun, event.CancelCall, event.PauseRun, event.ResumeRun, event.Revoke, event.Redefine),
		reflect.TypeFor[event.Trust]():       enum(event.UntrustedFile, event.UntrustedSearchResult, event.UntrustedContent, event.TrustedTool, event.FromPolicy),
		reflect.TypeFor[diag.Gate]():         enum(diag.Gates()...),
		reflect.TypeFor[diag.Retry]():        enum(diag.Never, diag.AfterRead, diag.NewRequest, diag.SameRequest),
		reflect.TypeFor[Verdict]():           enum(Pass, Fail, Error, Skip, XFail, XPass),
		reflect.TypeFor[strictjson.Value]():  {Type: "object"},
	}
}

// infer makes a type's schema, with the shared ones of other types by reference.
func infer[T any](t *testing.T, shared ...string) *jsonschema.Schema {
	t.Helper()
	known := closedSets()
	for _, name := range shared {
		known[sharedType(name)] = &jsonschema.Schema{Ref: "#/$defs/" + name}
	}
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		t.Fatal(err)
	}
	s.PropertyOrder = nil
	refine(s)
	return s
}

func sharedType(name string) reflect.Type {
	switch name {
	case "Event":
		return reflect.TypeFor[event.Line]()
	case "Decision":
		return reflect.TypeFor[event.DecisionLine]()
	case "Result":
		return reflect.TypeFor[ResultDocument]()
	case "Coverage":
		return reflect.TypeFor[CoverageRecord]()
	}
	return nil
}

// refine closes what Go types leave open: what is left out is never null, text
// that names a digest is one, and names from closed sets are listed.
func refine(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	switch len(s.Types) {
	case 0:
		s.Types = nil
	case 1:
		s.Type, s.Types = s.Types[0], nil
	}
	s.PropertyOrder = nil
	refine(s.Items)
	for name, property := range s.Properties {
		refine(property)
		property.Enum = append(property.Enum, closedNames(name)...)
		switch {
		case slices.Contains([]string{"digest", "baseHash", "resultHash", "hash", "edit", "definition"}, name) && property.Type == "string":
			property.Pattern = sha256Pattern
		case property.Type == "integer":
			property.Minimum = jsonschema.Ptr(0.0)
		case strings.HasSuffix(name, "Base64"):
			property.ContentEncoding = "base64"
		}
	}
}

// closedNames are the values of a text whose type in Go is any text.
func closedNames(property string) []any {
	names := func(s *jsonschema.Schema) []any { return s.Enum }
	switch property {
	case "apiVersion":
		return []any{APIVersion}
	case "event":
		return names(enum(event.Names()...))
	case "from", "to":
		return nil // set where they are names: see below
	case "verified":
		return []any{"true", "false", "none"}
	case "state":
		return []any{stateOpen, stateApproved, stateUsed, stateClosed}
	case "sideEffect":
		return []any{string(tools.ReadOnly), string(tools.IdempotentWrite), string(tools.CompensableWrite), string(tools.Irreversible)}
	case "onRejection":
		return []any{"stop", "observe"}
	}
	return nil
}

// eventSchema is the schema of an event's own members.
func closeEvent(s *jsonschema.Schema) *jsonschema.Schema {
	for _, name := range []string{"from", "to"} {
		s.Properties[name] = enum(event.Statuses()...)
	}
	s.Properties["outcome"] = closedSets()[reflect.TypeFor[event.Outcome]()]
	return s
}

// closeTrace says what the ids of a trace look like.
func closeTrace(s *jsonschema.Schema) {
	s.Properties["traceId"].Pattern = "^[0-9a-f]{32}$"
	span := s.Properties["spans"].Items.Properties
	span["id"].Pattern, span["parent"].Pattern = "^[0-9a-f]{16}$", "^[0-9a-f]{16}$"
}

// resultSchema is the schema of every document that is printed with --format json
// about scenarios.
func resultSchema(t *testing.T) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		Title:  "harness result",
		Description: "What is printed with --format json: one run (kind Result), several with their count (Results), what the boundary " +
			"says to one action (Answer); what test says (Session; a line of its jsonl is a Case, the last one the Session), its " +
			"reports Score and Coverage; what mutate (Mutation), explore (Exploration), diff (Comparison) and golden prune (Pruned) say.",
		Defs: map[string]*jsonschema.Schema{
			"Event":    closeEvent(infer[event.Line](t, "Decision")),
			"Decision": infer[event.DecisionLine](t),
		},
	}
	for _, k := range []struct {
		name   string
		schema *jsonschema.Schema
	}{
		{KindResult, infer[ResultDocument](t, "Event", "Decision")}, {KindResults, infer[ResultsDocument](t, "Result")},
		{KindAnswer, infer[AnswerRecord](t, "Event", "Decision")},
		{KindSession, infer[SessionDocument](t, "Result", "Coverage")}, {KindCase, infer[CaseLine](t, "Result")},
		{KindScore, infer[ScoreDocument](t)}, {KindCoverage, infer[CoverageRecord](t)},
		{"Mutation", infer[MutationDocument](t)}, {"Exploration", infer[ExplorationDocument](t)},
		{"Comparison", infer[ComparisonDocument](t)}, {"Pruned", infer[PrunedDocument](t)},
	} {
		k.schema.Properties["kind"].Enum = []any{k.name}
		s.OneOf = append(s.OneOf, &jsonschema.Schema{Ref: "#/$defs/" + k.name})
		s.Defs[k.name] = k.schema
	}
	closeTrace(s.Defs[KindResult].Properties["trace"])
	s.Defs["Mutation"].Properties["mutants"].Items.Properties["state"].Enum = []any{"killed", "survived", "excused", "idle"}
	return s
}

func traceSchema(t *testing.T) *jsonschema.Schema {
	s := closeEvent(infer[TraceLine](t, "Decision"))
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "harness trace"
	s.Description = "One line of a trace: an event, and the run it belongs to."
	s.Defs = map[string]*jsonschema.Schema{"Decision": infer[event.DecisionLine](t)}
	return s
}

func schemaText(t *testing.T, s *jsonschema.Schema) string {
	t.Helper()
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func TestSchemasAreUpToDate(t *testing.T) {
	for file, s := range map[string]*jsonschema.Schema{resultSchemaFile: resultSchema(t), traceSchemaFile: traceSchema(t)} {
		want := schemaText(t, s)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale; go test ./internal/report -run TestSchemasAreUpToDate -update writes it", file)
		}
	}
}

// published reads a schema as users get it.
func published(t testing.TB, file string) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func instance(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDocumentsFitTheirSchemas(t *testing.T) {
	result, trace := published(t, resultSchemaFile), published(t, traceSchemaFile)
	var all []Case
	for _, w := range worlds() {
		c := w.run(t)
		all = append(all, *c)
		if err := result.Validate(instance(t, encoded(t, Document(c)))); err != nil {
			t.Errorf("result of %s: %v", w.id, err)
		}
		var lines bytes.Buffer
		if err := WriteJSONL(&lines, []Case{*c}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(lines.String()) {
			if err := trace.Validate(instance(t, line)); err != nil {
				t.Errorf("trace of %s: %v\n%s", w.id, err, line)
			}
		}
	}
	if err := result.Validate(instance(t, encoded(t, Documents(all)))); err != nil {
		t.Errorf("results: %v", err)
	}
	for _, raw := range []string{`{"type":"read","path":".env"}`, `{"type":"search","query":"sum"}`, `{"type":"finish","summary":"s"}`, "no JSON"} {
		a := runner.Ask(all[0].Scenario.Config, []byte(raw))
		if err := result.Validate(instance(t, encoded(t, AnswerDocument("w", a)))); err != nil {
			t.Errorf("answer to %s: %v", raw, err)
		}
	}
}

// TestSchemasRefuse shows that the schemas are closed.
func TestSchemasRefuse(t *testing.T) {
	result, trace := published(t, resultSchemaFile), published(t, traceSchemaFile)
	c := sum().run(t)
	for name, spoil := range map[string]func(map[string]any){
		"another status":  func(d map[string]any) { d["status"] = "done" },
		"another verdict": func(d map[string]any) { d["verdict"] = "ok" },
		"another kind":    func(d map[string]any) { d["kind"] = "Scenario" },
		"a new member":    func(d map[string]any) { d["score"] = 1.0 },
		"no status":       func(d map[string]any) { delete(d, "status") },
		"a null":          func(d map[string]any) { d["summary"] = nil },
		"a short hash":    func(d map[string]any) { d["edits"].([]any)[0].(map[string]any)["baseHash"] = "0e8c" },
		"another gate": func(d map[string]any) {
			d["decisions"].([]any)[0].(map[string]any)["decision"].(map[string]any)["gate"] = "door"
		},
		"another effect": func(d map[string]any) {
			d["decisions"].([]any)[0].(map[string]any)["decision"].(map[string]any)["effect"] = "may"
		},
		"another trust":    func(d map[string]any) { d["observations"].([]any)[0].(map[string]any)["trust"] = "trusted" },
		"another event":    func(d map[string]any) { d["events"].([]any)[0].(map[string]any)["event"] = "run.begun" },
		"a negative count": func(d map[string]any) { d["steps"] = -1.0 },
		"another proof":    func(d map[string]any) { d["verified"] = "yes" },
		"a content in a span": func(d map[string]any) {
			d["trace"].(map[string]any)["spans"].([]any)[1].(map[string]any)["attributes"].(map[string]any)["arguments"] = "x"
		},
		"another effect of an act": func(d map[string]any) {
			d["acts"] = []any{map[string]any{"action": "a", "tool": "t", "effect": "maybe", "attempts": 1.0}}
		},
	} {
		d := instance(t, encoded(t, Document(c))).(map[string]any)
		spoil(d)
		if err := result.Validate(d); err == nil {
			t.Errorf("%s: the result's schema takes it", name)
		}
	}
	for name, line := range map[string]string{
		"no run":        `{"seq":1,"step":0,"event":"run.started"}`,
		"another event": `{"run":"x","seq":1,"step":0,"event":"run.begun"}`,
		"a new member":  `{"run":"x","seq":1,"step":0,"event":"run.started","price":1}`,
		"another state": `{"run":"x","seq":1,"step":0,"event":"state.transitioned","from":"x","to":"running"}`,
	} {
		if err := trace.Validate(instance(t, line)); err == nil {
			t.Errorf("%s: the trace's schema takes it", name)
		}
	}
}
