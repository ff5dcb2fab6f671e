package report

import (
	"encoding/base64"
	"path"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
)

// The identity of the documents.
const (
	APIVersion  = "harness/v1"
	KindResult  = "Result"
	KindResults = "Results"
	KindAnswer  = "Answer"
)

// ResultsDocument is several results and their count.
type ResultsDocument struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Results    []*ResultDocument `json:"results"`
	Summary    Summary           `json:"summary"`
}

// ResultDocument is one run as a document. What does not apply is left out.
type ResultDocument struct {
	APIVersion    string                `json:"apiVersion"`
	Kind          string                `json:"kind"`
	ID            string                `json:"id"`
	RunID         string                `json:"runId,omitempty" jsonschema:"the task's identity: the same for every attempt at it, and no trace id"`
	Attempt       int                   `json:"attempt,omitempty" jsonschema:"of the run, from 1"`
	Title         string                `json:"title,omitempty"`
	Source        string                `json:"source,omitempty" jsonschema:"place of the scenario, FILE:LINE:COL"`
	Verdict       Verdict               `json:"verdict"`
	Expected      bool                  `json:"expected" jsonschema:"whether the scenario says what to expect; without, pass means only that the run ended well"`
	Findings      []FindingDocument     `json:"findings,omitempty" jsonschema:"the expectations that were not met"`
	Status        event.Status          `json:"status"`
	StopReason    string                `json:"stopReason,omitempty" jsonschema:"the code of what ended the run"`
	Verified      string                `json:"verified" jsonschema:"whether the verifier of the task accepts the end; none: no program has compared the result with the goal"`
	Steps         int                   `json:"steps" jsonschema:"askings of the model"`
	ToolCalls     int                   `json:"toolCalls"`
	Rejections    int                   `json:"rejections"`
	Cost          int                   `json:"cost,omitempty" jsonschema:"reserved and settled, of all calls"`
	Budget        BudgetDocument        `json:"budget"`
	RepoUnchanged bool                  `json:"repoUnchanged" jsonschema:"whether nothing that the run did is in the repository"`
	Summary       string                `json:"summary,omitempty" jsonschema:"the model's claim about its work"`
	Edits         []EditDocument        `json:"edits"`
	Decisions     []DecisionDocument    `json:"decisions" jsonschema:"one for each step, in order"`
	Observations  []ObservationDocument `json:"observations" jsonschema:"what the model was told"`
	Acts          []ActDocument         `json:"acts,omitempty" jsonschema:"the business acts that were dispatched, and what is known of their effects"`
	Confirmations []ConfirmationRecord  `json:"confirmations,omitempty" jsonschema:"what persons were asked"`
	Orders        []OrderDocument       `json:"orders,omitempty" jsonschema:"what persons told the run from outside its questions"`
	Handoff       *HandoffDocument      `json:"handoff,omitempty" jsonschema:"what a person needs to take over"`
	Trace         *TraceDocument        `json:"trace" jsonschema:"the spans of the run; they hold no contents"`
	Unused        *UnusedDocument       `json:"unused,omitempty" jsonschema:"script items that were never asked for"`
	Unsaid        *UnusedDocument       `json:"unsaid,omitempty" jsonschema:"answers of persons that were never asked for"`
	Failure       *FailureDocument      `json:"failure,omitempty" jsonschema:"why the model gave no output"`
	Events        []event.Line          `json:"events"`
}

// FindingDocument is an expectation that was not met.
type FindingDocument struct {
	Clause  string `json:"clause"`
	Where   string `json:"where,omitempty"`
	Want    string `json:"want,omitempty"`
	Got     string `json:"got,omitempty"`
	Message string `json:"message,omitempty"`
	Diff    string `json:"diff,omitempty" jsonschema:"instead of want and got: a unified difference, -want +got"`
}

// BudgetDocument is what the run could spend, and what a refusal did.
type BudgetDocument struct {
	Steps        int    `json:"steps"`
	ToolCalls    int    `json:"toolCalls"`
	Rejections   int    `json:"rejections"`
	Repeats      int    `json:"repeats"`
	Window       int    `json:"window"`
	ContextChars int    `json:"contextChars"`
	Cost         int    `json:"cost" jsonschema:"of all calls, in the scenario's unit"`
	Output       int    `json:"output" jsonschema:"bytes of all answers of tools"`
	Deadline     string `json:"deadline" jsonschema:"time since the start, as a Go duration"`
	OnRejection  string `json:"onRejection"`

	PerTool []ToolBudgetDocument `json:"perTool,omitempty"`
}

// ToolBudgetDocument bounds the calls of one tool.
type ToolBudgetDocument struct {
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
}

// EditDocument is one accepted edit, never applied. Text that is not UTF-8
// stands in the Base64 twin of its field.
type EditDocument struct {
	Path          string   `json:"path"`
	BaseHash      string   `json:"baseHash" jsonschema:"SHA-256 of the file's bytes"`
	ResultHash    string   `json:"resultHash" jsonschema:"SHA-256 of the file's bytes with the edit applied"`
	Line          int      `json:"line"`
	Offset        int      `json:"offset" jsonschema:"of the replaced text in the base, in bytes"`
	Added         int      `json:"added" jsonschema:"lines"`
	Removed       int      `json:"removed" jsonschema:"lines"`
	Stale         bool     `json:"stale" jsonschema:"whether the file has changed since the edit was accepted"`
	Notes         []string `json:"notes,omitempty" jsonschema:"what a reader of the patch may not see"`
	Patch         *string  `json:"patch,omitempty" jsonschema:"as git apply takes it"`
	PatchBase64   string   `json:"patchBase64,omitempty"`
	Preview       *string  `json:"preview,omitempty" jsonschema:"the whole file with the edit applied"`
	PreviewBase64 string   `json:"previewBase64,omitempty"`
}

// DecisionDocument is what became of one step.
type DecisionDocument struct {
	Step        int                 `json:"step"`
	Tool        string              `json:"tool,omitempty"`
	Resource    string              `json:"resource,omitempty"`
	Context     int                 `json:"context,omitempty" jsonschema:"code points that the model was given"`
	Decision    *event.DecisionLine `json:"decision,omitempty" jsonschema:"the last of the step; left out if the model gave no output"`
	Outcome     event.Outcome       `json:"outcome,omitempty" jsonschema:"of the tool call, if there was one; what a look-up found out is in it"`
	Code        string              `json:"code,omitempty" jsonschema:"of a call that failed or whose outcome is unknown"`
	Refusal     *RefusalDocument    `json:"refusal,omitempty" jsonschema:"of a gate or of the tool itself, as the model may be told"`
	Proposal    *ProposalDocument   `json:"proposal,omitempty" jsonschema:"what the model wrote beside the action; it has no effect"`
	Observation string              `json:"observation,omitempty"`
	Edit        string              `json:"edit,omitempty" jsonschema:"digest of the edit that was accepted"`

	Confirmation string            `json:"confirmation,omitempty" jsonschema:"id of the question that the step asked, or of the approval that it used"`
	Receipt      string            `json:"receipt,omitempty" jsonschema:"observation that was given again because the action was done before"`
	Attempts     []AttemptDocument `json:"attempts,omitempty" jsonschema:"of the call, where there was more than one"`
}

// ProposalDocument is what the model wrote beside an action. It is recorded and
// gains nothing.
type ProposalDocument struct {
	ID      string   `json:"id,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Sources []string `json:"sources,omitempty" jsonschema:"observations that the model names"`
}

// RefusalDocument is a refusal, by a gate or by the tool.
type RefusalDocument struct {
	Gate             diag.Gate        `json:"gate"`
	Code             string           `json:"code"`
	Message          string           `json:"message"`
	OperationApplied bool             `json:"operationApplied"`
	Retry            diag.Retry       `json:"retry,omitempty"`
	Hint             string           `json:"hint,omitempty"`
	Details          strictjson.Value `json:"details,omitzero"`
}

// ObservationDocument is what the model was told about one step.
type ObservationDocument struct {
	ID      string           `json:"id"`
	Step    int              `json:"step"`
	Tool    string           `json:"tool,omitempty"`
	Trust   event.Trust      `json:"trust"`
	Size    int              `json:"size" jsonschema:"of the canonical encoding of content, in code points"`
	Digest  string           `json:"digest" jsonschema:"SHA-256 of the canonical encoding of content"`
	Cut     bool             `json:"cut,omitempty" jsonschema:"whether content was shortened to fit"`
	Content strictjson.Value `json:"content"`
}

// UnusedDocument counts items of a scenario that were left over.
type UnusedDocument struct {
	Items int    `json:"items"`
	Where string `json:"where" jsonschema:"place of the first"`
}

// FailureDocument says why the model gave no output.
type FailureDocument struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Where   string `json:"where,omitempty"`
}

// Document is a case as a document.
func Document(c *Case) *ResultDocument {
	r := c.Result
	d := &ResultDocument{
		APIVersion: APIVersion, Kind: KindResult,
		ID: c.Scenario.ID, Title: c.Scenario.Title, Source: source(c.Scenario),
		Verdict: c.Verdict, Expected: c.Scenario.Expect != nil,
		RunID: runID(r), Attempt: attemptOf(r),
		Status: r.Status, StopReason: r.Reason.String(), Verified: verified(r),
		Steps: r.Steps, ToolCalls: r.ToolCalls, Rejections: r.Rejections, Budget: budgetDocument(r.Config.Machine),
		RepoUnchanged: r.RepoUnchanged, Summary: r.Summary,
		Edits:        make([]EditDocument, len(r.Edits)),
		Decisions:    decisionDocuments(r),
		Observations: make([]ObservationDocument, len(r.Observations)),
		Events:       make([]event.Line, len(r.Events)),
	}
	for _, f := range c.Findings {
		d.Findings = append(d.Findings, FindingDocument(f))
	}
	for i := range r.Edits {
		d.Edits[i] = editDocument(&r.Edits[i])
	}
	for i, o := range r.Observations {
		d.Observations[i] = observationDocument(o)
	}
	for i := range r.Events {
		d.Events[i] = r.Events[i].Line()
	}
	d.outside(r)
	if r.Unused > 0 {
		d.Unused = &UnusedDocument{Items: r.Unused, Where: r.UnusedAt}
	}
	if r.Unsaid > 0 {
		d.Unsaid = &UnusedDocument{Items: r.Unsaid, Where: r.UnsaidAt}
	}
	if f := r.Failure(); f.Message != "" {
		d.Failure = &FailureDocument{Code: r.Reason.String(), Message: f.Message, Where: f.Where}
	}
	return d
}

// Documents is several cases as one document.
func Documents(cases []Case) *ResultsDocument {
	d := &ResultsDocument{
		APIVersion: APIVersion, Kind: KindResults,
		Results: make([]*ResultDocument, len(cases)), Summary: summaryOf(cases),
	}
	for i := range cases {
		d.Results[i] = Document(&cases[i])
	}
	return d
}

// source is the scenario's place, "FILE:LINE:COL". The file has its own name
// only, so that a result does not depend on the working directory.
func source(s *scenarios.Scenario) string {
	if s.File == "" {
		return ""
	}
	name := path.Base(strings.ReplaceAll(s.File, `\`, "/"))
	if s.Pos.IsZero() {
		return name
	}
	return name + ":" + s.Pos.String()
}

func budgetDocument(cfg *machine.Config) BudgetDocument {
	b := cfg.Budgets
	on := "stop"
	if cfg.OnRejection == machine.Observe {
		on = "observe"
	}
	d := BudgetDocument{
		Steps: b.Steps, ToolCalls: b.ToolCalls, Rejections: b.Rejections,
		Repeats: b.Repeats, Window: b.Window, ContextChars: b.ContextChars,
		Cost: b.Cost, Output: b.Output, Deadline: b.Deadline.String(), OnRejection: on,
	}
	for _, t := range b.PerTool {
		d.PerTool = append(d.PerTool, ToolBudgetDocument{Tool: t.Tool, Calls: t.Calls})
	}
	return d
}

func editDocument(e *runner.Edit) EditDocument {
	change := e.Change()
	d := EditDocument{
		Path: e.Path, BaseHash: e.BaseHash, ResultHash: change.ResultHash(),
		Line: e.Line, Offset: e.Offset, Stale: e.Stale, Notes: change.Notes(),
	}
	d.Added, d.Removed = change.Stat()
	d.Patch, d.PatchBase64 = bytesField(change.Patch())
	d.Preview, d.PreviewBase64 = bytesField(change.Result())
	return d
}

// bytesField is a text for a string field, or for its Base64 twin if JSON
// cannot hold it.
func bytesField(text string) (plain *string, encoded string) {
	if utf8.ValidString(text) {
		return &text, ""
	}
	return nil, base64.StdEncoding.EncodeToString([]byte(text))
}

func decisionDocuments(r *runner.Result) []DecisionDocument {
	steps := Steps(r)
	list := make([]DecisionDocument, len(steps))
	for i := range steps {
		s := &steps[i]
		d := DecisionDocument{Step: s.Step, Tool: s.Tool, Resource: s.Resource, Context: s.Context, Outcome: s.Outcome}
		if s.Decision != nil {
			d.Decision = s.Decision.Line()
		}
		if s.Refusal != nil {
			d.Refusal = refusalDocument(s.Refusal)
		}
		d.Proposal = proposalDocument(s)
		if s.Observation != nil {
			d.Observation = s.Observation.ID
		}
		if s.Edit != nil {
			d.Edit = s.Edit.Digest().String()
		}
		d.Code, d.Receipt, d.Confirmation = s.Code.String(), s.Receipt, confirmationOf(s)
		d.Attempts = attemptDocuments(s)
		list[i] = d
	}
	return list
}

// confirmationOf is the question that a step asked, else the approval that it used.
func confirmationOf(s *Step) string {
	if c := s.question(); c != nil {
		return c.ID
	}
	return s.approval()
}

// proposalDocument is nil if the model wrote nothing beside its action.
func proposalDocument(s *Step) *ProposalDocument {
	a := s.action()
	if a == nil || a.ID == "" && a.Reason == "" && len(a.Sources) == 0 {
		return nil
	}
	return &ProposalDocument{ID: a.ID, Reason: a.Reason, Sources: a.Sources}
}

func refusalDocument(r *event.Refusal) *RefusalDocument {
	d := &RefusalDocument{
		Gate: r.Gate, Code: r.Code.String(), Message: r.Message, Retry: r.Code.Retry, Hint: r.Hint,
	}
	if len(r.Details) > 0 {
		d.Details = strictjson.OfObject(r.Details...)
	}
	return d
}

func observationDocument(o *event.Observation) ObservationDocument {
	return ObservationDocument{
		ID: o.ID, Step: o.Step, Tool: o.Tool, Trust: o.Trust,
		Size: o.Size, Digest: o.Digest().String(), Cut: o.Cut, Content: o.Content(),
	}
}
