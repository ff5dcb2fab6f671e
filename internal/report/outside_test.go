package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/strictjson"
	"harness/internal/term"
	"harness/internal/tools"
)

// TestOutsideWorldsEndAsMeant: the worlds that the other tests render show what
// they are for.
func TestOutsideWorldsEndAsMeant(t *testing.T) {
	want := map[string]string{
		"approved": "claimed_complete FINISH_CLAIMED", "nobody-answers": "waiting_confirmation USER_CONFIRMATION_REQUIRED",
		"worthless-then-real": "claimed_complete FINISH_CLAIMED", "declined": "failed FINAL_CITATION_VALIDATION_FAILED",
		"cancelled-while-asked": "cancelled CANCEL_REQUESTED", "per-run": "claimed_complete FINISH_CLAIMED",
		"third-attempt": "claimed_complete FINISH_CLAIMED", "nobody-knows": "failed TOOL_UNKNOWN", "no-look-up": "failed TOOL_UNKNOWN",
		"late": "claimed_complete FINISH_CLAIMED", "reads-back-other": "failed TOOL_POSTCONDITION_FAILED",
		"malformed": "failed TOOL_OUTPUT_INVALID", "crashed": "failed TOOL_FAILED", "told-to-stop": "cancelled CANCEL_REQUESTED",
		"goes-on": "cancelled CANCEL_REQUESTED", "cancelled-between": "cancelled CANCELLED_WITH_NO_ACTIVE_TOOL",
		"stays-paused": "paused ", "proven": "completed FINAL_ANSWER_VALIDATED", "unproven": "failed COMPLETION_UNVERIFIED",
		"cited": "completed FINAL_ANSWER_VALIDATED", "handed-over": "failed HANDOFF_REQUESTED", "cannot-be-asked": "failed CHECK_FAILED",
		"too-dear": "failed COST_BUDGET_EXCEEDED",
	}
	for name, end := range want {
		r := named(name).run(t).Result
		if got := r.Status.String() + " " + r.Reason.String(); got != end {
			t.Errorf("%s: got %s, want %s", name, got, end)
		}
	}
}

// TestWhatIsSaidOfOutside: what a person must see of each way to go, and what must
// not be claimed.
func TestWhatIsSaidOfOutside(t *testing.T) {
	for name, want := range map[string][]string{
		"approved":              {`asked c1: create_ticket, approved by bob after 2s ("looks right")`, "applied create_ticket on service/checkout"},
		"nobody-answers":        {"WAITS confirm USER_CONFIRMATION_REQUIRED", "Question c1", `arguments service "checkout"`, "severity 2", "the queue of checkout", "until 1m", "cost 5", "until 1m after the start", "Without" /* in explain */},
		"worthless-then-real":   {"c9 approved by mallory at 1s", "worth nothing, CONFIRMATION_UNKNOWN", "worth nothing, CONFIRMATION_OTHER_TENANT", "c1 approved by bob after 5s"},
		"postponed":             {"POSTPONED", "postponed by bob after 2s", "Question c1 was left open"},
		"postponed-twice":       {"Question c1 asked at step 1 · put off, and still open", "Question c2 asked at step 2 after 2s · the run waits for the answer"},
		"cancelled-while-asked": {"UNANSWERED", "while a question was open", "c1: no answer"},
		"changed-while-asked":   {"services/checkout changed meanwhile, by someone else", "CONFIRMATION_OPERANDS_CHANGED"},
		"answer-lost":           {"attempt 1: no answer in 2s, told to stop at 2.3s, outcome unknown", "looked up create_ticket/checkout after 50ms: happened", "receipt of o2 returned, nothing was done again", "looked up: happened"},
		"third-attempt":         {"attempt 1: failed at once, TOOL_UNAVAILABLE", "attempt 2 follows after 100ms", "attempt 3 follows after 200ms", "attempt 3: answered after 500ms", "3 attempts"},
		"nobody-knows":          {"UNKNOWN execute TOOL_TIMEOUT", "looked up create_ticket/checkout after 50ms: unclear", "unknown create_ticket on service/checkout", "Handoff TOOL_UNKNOWN", "trusted o1 find_service", "forbidden repeat create_ticket/checkout"},
		"late":                  {"late answer at 4s: succeeded (evidence only)"},
		"goes-on":               {"told to stop at 1s", "stopped the tool under way was told to stop, and went on to its end.", "1 effect that was applied is still there."},
		"call-cancelled":        {"bob cancelled the call at 300ms", "FAILED execute TOOL_CANCELLED"},
		"told-to-stop":          {"stopped the tool under way was told to stop, and did before its effect.", "undone nothing, and there was nothing to undo."},
		"cancelled-between":     {"(person) the run cancelled by bob at 300ms", "stopped no tool had to be told to stop."},
		"paused-and-resumed":    {"paused by bob", "resumed by bob"},
		"revoked":               {"(person) tickets revoked", "GRANT_REVOKED"},
		"redefined":             {"(person) create_ticket redefined", "(outside) tickets/search changed by someone else", "c4 WORTHLESS CONFIRMATION_UNKNOWN approved by mallory"},
		"proven":                {"the proof asked for holds", "the verifier of task.completion holds"},
		"unproven":              {"UNPROVEN verify COMPLETION_UNVERIFIED"},
		"cited":                 {"its citations hold"},
		"reads-back-other":      {"FAILED verify TOOL_POSTCONDITION_FAILED", "its effect unverified", "it exists, and nobody could ask whether it is what was promised"},
	} {
		c := named(name).run(t)
		text := flat(runText(t, c, 100, false, Detail{})) + flat(runText(t, c, 100, false, Detail{Explain: true}))
		for _, part := range want {
			if !strings.Contains(text, flat(part)) {
				t.Errorf("%s: got\n%s\nwant %q in it", name, runText(t, c, 100, false, Detail{}), part)
			}
		}
		if strings.Contains(text, "undone nothing") != cancelling(c.Result) {
			t.Errorf("%s: something is said about undoing in a run that is not cancelled, or nothing in one that is", name)
		}
	}
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestExplainTellsOutside: the narration names who approved, which grant allowed,
// and what a look-up means, and keeps what each gate proves apart.
func TestExplainTellsOutside(t *testing.T) {
	for name, want := range map[string][]string{
		"approved": {
			"Grant tickets (service/*) allows it", "Its limits: until step 9; 6 calls, of which this is the 1st; tenant acme",
			"The run acts for alice of tenant acme, which no argument changes: they have the permission tickets.open.",
			"Approved by bob (\"looks right\") as c1.", "The dispatch uses it up.", "Does not prove that they were right.",
			"The same event uses up approval c1, counts as a call of grant tickets and reserves 5.", "is as it was",
		},
		"worthless-then-real": {"c9 approved by mallory at 1s (\"looks right\"): CONFIRMATION_UNKNOWN", "the run went on waiting"},
		"per-run":             {"It stands for every such call until the run ends.", "rests on approval c1", "of which this is the 1st"},
		"expired":             {"CONFIRMATION_EXPIRED", "Nothing was done."},
		"answer-lost":         {"So nothing is done a second time", "This action was done before, and o2 was its answer.", "No tool call is made, so none is spent."},
		"third-attempt":       {"These are tool calls 1 to 3 of 64, and 1 to 3 of 7 of this tool.", "The contract allows 3 attempts in all.", "every gate is asked again"},
		"nobody-knows":        {"So nothing more is tried: it could be done twice.", "A person has to go on from here;"},
		"unproven":            {"The verifier of task.completion does not hold", "The final answer is refused"},
		"handed-over":         {"The condition of task.handoff does not hold.", "From here on a person has to decide."},
		"goes-on":             {"That asks; whether it had an effect is looked at afterwards."},
	} {
		text := flat(runText(t, named(name).run(t), 100, false, Detail{Explain: true}))
		for _, part := range want {
			if !strings.Contains(text, flat(part)) {
				t.Errorf("%s: got\n%s\nwant %q in it", name, text, part)
			}
		}
	}
}

// TestNothingSensitiveIsShown: a value that no report may show is in none, whatever
// form the call had, and whether it was allowed, refused, or no call at all.
func TestNothingSensitiveIsShown(t *testing.T) {
	for _, name := range []string{"secret", "secret-waits"} {
		c := named(name).run(t)
		for form, text := range everyRendering(t, c, term.Options{Color: term.Never, Width: 80}) {
			if strings.Contains(text, pin) {
				t.Errorf("%s of %s shows it:\n%s", form, name, text)
			}
		}
		if text := runText(t, c, 80, false, Detail{Verbose: true}); !strings.Contains(text, tools.Redacted) || !strings.Contains(text, "not word for word") {
			t.Errorf("%s: got\n%s\nwant it to say that something is left out", name, text)
		}
	}
}

// TestSpansHoldNoContents: whatever a run is about, its spans name tools as their
// contracts do, and nothing of what models, persons or tools said.
func TestSpansHoldNoContents(t *testing.T) {
	secrets := []string{"checkout", "T-1", "looks right", "bob", "mallory", "alice", "acme", "latency", "tenant-9", "src/", "slow", pin, "unlok", "shell"}
	for _, w := range worlds() {
		c := w.run(t)
		text := encoded(t, Trace(c.Result))
		for _, s := range secrets {
			if strings.Contains(text, s) {
				t.Errorf("%s: a span holds %q\n%s", w.id, s, text)
			}
		}
	}
}

// TestSpansAreATree: every span has an id of its own and the run for a parent, and
// none is over before it began.
func TestSpansAreATree(t *testing.T) {
	hex := regexp.MustCompile(`^[0-9a-f]{16}$`)
	for _, w := range worlds() {
		d := Trace(w.run(t).Result)
		seen, names := map[string]bool{}, map[string]bool{}
		for i, s := range d.Spans {
			parent := d.Spans[0].ID
			if i == 0 {
				parent = ""
			}
			start, _ := time.ParseDuration(s.Start)
			end, err := time.ParseDuration(s.End)
			if !hex.MatchString(s.ID) || s.Parent != parent || seen[s.ID] || names[s.Name] || err != nil || start > end {
				t.Errorf("%s: span %d: got %+v", w.id, i, s)
			}
			seen[s.ID], names[s.Name] = true, true
		}
	}
}

// TestSpanNames: the parts of a run have the names that they are looked up by.
func TestSpanNames(t *testing.T) {
	for name, want := range map[string]string{
		"sum":                 "run planner.step.1 policy.evaluate.1 tool.search.1 planner.step.2 policy.evaluate.2 tool.read.2 planner.step.3 policy.evaluate.3 tool.propose_edit.3 planner.step.4 policy.evaluate.4 final.validate",
		"unknown-action":      "run planner.step.1 policy.evaluate.1",
		"exhausted":           "run planner.step.1 policy.evaluate.1 tool.read.1 planner.step.2",
		"cites-nothing":       "run planner.step.1 policy.evaluate.1 tool.read.1 planner.step.2 policy.evaluate.2 tool.propose_edit.2 planner.step.3 policy.evaluate.3 final.validate",
		"worthless-then-real": "run planner.step.1 policy.evaluate.1 confirmation.c1 policy.evaluate.1.2 tool.create_ticket.1 planner.step.2 policy.evaluate.2 final.validate",
		"third-attempt":       "run planner.step.1 policy.evaluate.1 tool.create_ticket.1 policy.evaluate.1.2 tool.create_ticket.1.2 policy.evaluate.1.3 tool.create_ticket.1.3 planner.step.2 policy.evaluate.2 final.validate",
		"late":                "run planner.step.1 policy.evaluate.1 tool.create_ticket.1 receipt.lookup.1 planner.step.2 policy.evaluate.2 final.validate",
	} {
		var got []string
		for _, s := range Trace(named(name).run(t).Result).Spans {
			got = append(got, s.Name)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: got  %s\nwant %s", name, text, want)
		}
	}
}

// TestIdentitiesAreApart: another attempt at a run has another trace and other
// spans, and the same run id.
func TestIdentitiesAreApart(t *testing.T) {
	first, again := named("approved").run(t), named("approved").run(t)
	again.Result.Config.Machine.Identity.Attempt = 3
	a, b := Document(first), Document(again)
	if a.RunID != b.RunID || a.Attempt == b.Attempt || a.Trace.TraceID == b.Trace.TraceID || a.Trace.TraceID == a.RunID {
		t.Errorf("got %s %d %s and %s %d %s", a.RunID, a.Attempt, a.Trace.TraceID, b.RunID, b.Attempt, b.Trace.TraceID)
	}
	for i := range a.Trace.Spans {
		if a.Trace.Spans[i].ID == b.Trace.Spans[i].ID {
			t.Errorf("%s has one id in both attempts", a.Trace.Spans[i].Name)
		}
	}
	if same := Document(named("approved").run(t)); same.Trace.TraceID != a.Trace.TraceID {
		t.Errorf("the same attempt has two traces: %s, %s", same.Trace.TraceID, a.Trace.TraceID)
	}
}

// TestDocumentOfOutside: what came of acts, questions and orders stands in the
// document.
func TestDocumentOfOutside(t *testing.T) {
	d := Document(named("answer-lost").run(t))
	if want := (ActDocument{Action: "create_ticket/checkout", Tool: "create_ticket", Resource: "service/checkout", Effect: event.EffectApplied, Reconciled: "happened", Attempts: 1}); len(d.Acts) != 1 || d.Acts[0] != want {
		t.Errorf("acts: got %+v, want %+v", d.Acts, want)
	}
	if got := d.Decisions[1]; got.Outcome != event.CallSucceeded || got.Receipt != "" {
		t.Errorf("what a look-up found out: got %+v", got)
	}
	if got := d.Decisions[2]; got.Outcome != 0 || got.Receipt != "o2" {
		t.Errorf("what was done before: got %+v", got)
	}
	d = Document(named("third-attempt").run(t))
	if got := d.Decisions[0].Attempts; len(got) != 3 || got[0].Code != "TOOL_UNAVAILABLE" || got[2].Outcome != event.CallSucceeded || got[2].Took != "500ms" || got[2].Attempt != 3 {
		t.Errorf("attempts: got %+v", got)
	}
	d = Document(named("worthless-then-real").run(t))
	if got := d.Confirmations; len(got) != 1 || got[0].State != stateUsed || got[0].By != "bob" || got[0].Verdict != event.Approved || d.Decisions[0].Confirmation != "c1" {
		t.Errorf("confirmations: got %+v", got)
	}
	d = Document(named("paused-and-resumed").run(t))
	if got := d.Orders; len(got) != 2 || got[0].Kind != event.PauseRun || got[1].Kind != event.ResumeRun || got[0].By != "bob" || got[0].At != "300ms" {
		t.Errorf("orders: got %+v", got)
	}
	for name, want := range map[string]string{"proven": "true", "unproven": "false", "approved": "none"} {
		if got := Document(named(name).run(t)).Verified; got != want {
			t.Errorf("%s: got verified %s, want %s", name, got, want)
		}
	}
	if d := Document(sum().run(t)); d.Acts != nil || d.Confirmations != nil || d.Orders != nil || d.Handoff != nil || d.Cost != 0 || d.Unsaid != nil {
		t.Errorf("a run of the repository alone: got %+v", d)
	}
}

// TestAnswersNobodyAskedFor are told, like answers of a script.
func TestAnswersNobodyAskedFor(t *testing.T) {
	c := desk{}.world("unasked", says(runner.Reply{Where: "desk.yaml:30:1", Verdict: event.Approved}), openTicket, finishDesk).run(t)
	if got := Document(c).Unsaid; got == nil || got.Items != 1 || got.Where != "desk.yaml:30:1" {
		t.Errorf("got %+v", got)
	}
	if text := runText(t, c, 80, false, Detail{}); !strings.Contains(text, "1 answer of a person was never asked for, from desk.yaml:30:1 on.") {
		t.Errorf("got\n%s", text)
	}
}

// TestLateEventsBelongToTheirStep: an event that comes when other steps are under
// way stands with the step it names, and with no other.
func TestLateEventsBelongToTheirStep(t *testing.T) {
	c := named("late").run(t)
	events := c.Result.Events
	at := slices.IndexFunc(events, func(e event.Event) bool { return e.Name == event.ToolLate })
	last := slices.IndexFunc(events, func(e event.Event) bool { return e.Name == event.ProposalReceived && e.Step == 2 })
	if at < 0 || last < 0 || events[at].Step != 1 {
		t.Fatalf("the run has no late event of step 1: %d %d", at, last)
	}
	early := slices.Clone(events[:last+1]) // as a driver would record it that gets the answer then
	early = append(early, events[at])
	c.Result.Events = append(early, slices.Delete(slices.Clone(events[last+1:]), at-last-1, at-last)...)
	for _, s := range Steps(c.Result) {
		late := 0
		for _, e := range s.Events {
			if int(e.Step) != s.Step {
				t.Errorf("step %d holds an event of step %d", s.Step, e.Step)
			}
			if e.Name == event.ToolLate {
				late++
			}
		}
		if want := 2 - s.Step; late != want {
			t.Errorf("step %d: got %d late events, want %d", s.Step, late, want)
		}
	}
	if text := runText(t, c, 80, false, Detail{}); !strings.Contains(text, "late answer at 4s: succeeded (evidence only)\n  2  finish") {
		t.Errorf("got\n%s", text)
	}
}

// TestAnyEventsAreRendered: whatever order events come in, however many are
// missing or stand twice, something is said, on lines that are not too wide.
func TestAnyEventsAreRendered(t *testing.T) {
	var pool []*Case
	for _, w := range worlds() {
		pool = append(pool, w.run(t))
	}
	rapid.Check(t, func(r *rapid.T) {
		from, with := rapid.SampledFrom(pool).Draw(r, "world"), rapid.SampledFrom(pool).Draw(r, "other")
		c, result := *from, *from.Result
		all := slices.Concat(from.Result.Events, with.Result.Events)
		picked := rapid.SliceOfN(rapid.IntRange(0, len(all)-1), 0, 60).Draw(r, "events")
		result.Events = make([]event.Event, len(picked))
		for i, at := range picked {
			result.Events[i] = all[at]
			if rapid.IntRange(0, 9).Draw(r, "bare") == 0 && safeBare(all[at].Name) {
				result.Events[i].About = nil
			}
		}
		result.Status = rapid.SampledFrom(event.Statuses()).Draw(r, "status")
		c.Result = &result
		width := rapid.IntRange(least, 130).Draw(r, "width")
		for name, d := range map[string]Detail{"run": {}, "explain": {Explain: true}, "verbose": {Explain: true, Verbose: true}} {
			checkWidth(r, name, runText(t, &c, width, rapid.Bool().Draw(r, "ascii"), d), width)
		}
		checkWidth(r, "spans", written(t, width, false, func(s *term.Stream) error { return WriteSpans(s, &c) }), width)
		if err := EncodeJSON(&bytes.Buffer{}, Document(&c)); err != nil {
			r.Fatal(err)
		}
	})
}

// safeBare reports whether an event may lack what it is about and still be written
// as a line: the event package itself needs the rest.
func safeBare(n event.Name) bool {
	return n != event.ModelFailed && n != event.ProposalReceived
}

func checkWidth(r *rapid.T, name, text string, width int) {
	inDiff := false
	for line := range strings.SplitSeq(text, "\n") {
		inDiff = strings.HasPrefix(line, "  --- a/") || inDiff && line != ""
		if got := term.Width(line); got > width && !inDiff && longestWord(line)+14 < width {
			r.Fatalf("%s: got a line of %d columns, want at most %d\n%s", name, got, width, line)
		}
	}
}

// TestHostileOutside: names, reasons, answers and arguments from outside cannot
// lead a terminal astray.
func TestHostileOutside(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := func(name string) string { return strings.ToValidUTF8(hostileText().Draw(r, name), "?") }
		yes := runner.Reply{Verdict: rapid.SampledFrom([]event.Verdict{event.Approved, event.Declined, event.Postponed}).Draw(r, "verdict"), By: text("by"), Reason: text("reason"), After: time.Second}
		forged := yes
		forged.Request = text("request") + "x"
		service := string(strictjson.AppendString(nil, "s"+text("service")))
		w := desk{confirmation: tools.PerCall}.world("hostile-outside", func(cfg *runner.Config) {
			says(forged, yes)(cfg)
			m := cfg.Machine
			m.Identity.Principal = &tools.Principal{ID: text("principal"), Tenant: "acme", Permissions: []string{"tickets.open", text("permission")}}
			cfg.Changes = []runner.Change{
				{AfterStep: 1, Order: &event.Order{Kind: event.Redefine, By: text("who"), Reason: text("why"), What: text("what")}},
				{AfterStep: 1, World: []runner.WorldChange{{Collection: "tickets", Key: text("key"), Value: parsed(`{}`)}}},
			}
		}, `{"type":"create_ticket","service":`+service+`}`, openTicket, finishSum)
		o := term.Options{Color: term.Never, Width: rapid.IntRange(1, 130).Draw(r, "width"), ASCII: rapid.Bool().Draw(r, "ascii")}
		for name, said := range everyRendering(t, w.run(t), o) {
			if strings.Contains(name, ".json") {
				continue
			}
			if fault := tame(said, false); fault != "" {
				r.Fatalf("%s: %q", name, fault)
			}
			if o.ASCII && strings.ContainsFunc(said, func(r rune) bool { return r >= 0x80 }) {
				r.Fatalf("%s: not ASCII: %q", name, said)
			}
		}
	})
}

// TestToolsAsAClientSeesThem: hints claim no more harmlessness than the contract.
func TestToolsAsAClientSeesThem(t *testing.T) {
	registry := named("approved").run(t).Result.Config.Machine.Registry
	got := map[string]ToolAnnotations{}
	for _, tool := range ToolsDocument(registry).Tools {
		got[tool.Name] = tool.Annotations
	}
	for name, want := range map[string]ToolAnnotations{
		"read":          {ReadOnlyHint: true, IdempotentHint: true},
		"find_service":  {ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: true},
		"create_ticket": {DestructiveHint: true, IdempotentHint: true, OpenWorldHint: true},
		"unlock":        {DestructiveHint: true, OpenWorldHint: true},
	} {
		if got[name] != want {
			t.Errorf("%s: got %+v, want %+v", name, got[name], want)
		}
	}
}

// TestSchemasInWords: any schema that a tool may have is put into words, a
// reference to itself included, and bounded.
func TestSchemasInWords(t *testing.T) {
	many := &strings.Builder{}
	many.WriteString(`{"type":"object","properties":{`)
	for i := range 80 {
		if i > 0 {
			many.WriteByte(',')
		}
		many.WriteString(`"f` + number(i) + `":{"enum":[1,2,3,4,5,6,7,8,9,10]}`)
	}
	many.WriteString(`}}`)
	for name, c := range map[string]struct{ schema, want string }{
		"empty":     {`{"type":"object"}`, "an object without known fields"},
		"any":       {`{"properties":{"a":{}},"required":["a"]}`, "a any value"},
		"constant":  {`{"properties":{"a":{"const":"x"}}}`, `a "x" · optional`},
		"numbers":   {`{"properties":{"a":{"type":"number","exclusiveMinimum":0,"maximum":9,"multipleOf":3}}}`, "a number · at most 9 · more than 0 · a multiple of 3 · optional"},
		"types":     {`{"properties":{"a":{"type":["string","null"],"pattern":"^x"}}}`, "a string or null · matches ^x · optional"},
		"reference": {`{"$defs":{"d":{"type":"object","properties":{"b":{"$ref":"#/$defs/d"}}}},"properties":{"a":{"$ref":"#/$defs/d"}}}`, "a.b.b.b.b object"},
		"combined":  {`{"properties":{"a":{"type":"string","anyOf":[{"minLength":1}]}}}`, "a string · with more conditions · optional"},
		"many":      {many.String(), "and 20 more fields"},
	} {
		got := flat(written(t, 80, false, func(s *term.Stream) error {
			newPage(s).shape("takes", parsed(c.schema))
			return nil
		}))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %q in it", name, got, c.want)
		}
	}
}

// TestSpan: durations are short.
func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Millisecond: "1ms", 90 * time.Second: "1m30s", time.Minute: "1m", time.Hour: "1h", 24 * time.Hour: "24h",
		time.Hour + time.Second: "1h0m1s", 10 * time.Minute: "10m",
	} {
		if got := span(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

// TestLimitsOfGrants: a free grant has none, and the others name each of theirs.
func TestLimitsOfGrants(t *testing.T) {
	free := policy.Grant{ID: "g", Capability: "repo:propose", Pattern: "a", Calls: policy.Unlimited}
	if got := newPage(look(&bytes.Buffer{}, 80, false)).within(&free); len(got) != 1 || got[0] != "edit a" {
		t.Errorf("got %q", got)
	}
	none := policy.Grant{ID: "g", Capability: "x:y", Pattern: "a", Until: 2, Tenant: "t"}
	if got, want := strings.Join(newPage(look(&bytes.Buffer{}, 80, false)).within(&none), "|"), "x:y a|until step 2|0 calls|tenant t"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
