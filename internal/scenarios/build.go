package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/prompt"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// builder makes scenarios from a file's parts. What several cases have in common
// is made and checked once, and shared.
type builder struct {
	found *findings
	name  string // the file's own name, for places in traces
	file  *document
	start *vrepo.Snapshot // of the file's own repository
	work  int             // what patterns and cases have cost so far
	// refused are paths that cannot be, so that nobody is told they are missing.
	refused map[string]bool

	open     Opener       // nil if nothing can be included
	codes    []*diag.Code // that the scenario declares
	vague    bool         // what is declared has faults, so nothing is said about what depends on it
	includes memo[diag.Pos, []*toolsFile]
	outsides memo[outsideKey, *outside]
	kits     memo[kitKey, *toolKit]
	worlds   memo[worldKey, *world]
	granted  memo[grantKey, *grants]
	prompts  memo[promptKey, *prompt.Fixed]
	scripts  memo[diag.Pos, *model.Script]
	tagged   memo[diag.Pos, []string]
	refs     memo[refsKey, bool]
}

// worldKey says what a world is made from.
type worldKey struct{ files, changes diag.Pos }

// kitKey says what a kit is made from.
type kitKey struct {
	limits    tools.Limits
	outside   *outside
	citations int
}

// promptKey says what the fixed part of a prompt is made from.
type promptKey struct {
	goal   diag.Pos
	rules  *policy.Rules
	grants diag.Pos
	kit    *toolKit
}

// refsKey says what a script's references are checked against.
type refsKey struct {
	script diag.Pos
	world  *world
}

// maxWork bounds the files looked at for patterns, cases and changes.
const maxWork = 1_000_000

// charge counts work. It is false, and reported, once there was too much.
func (b *builder) charge(pos diag.Pos, files int) bool {
	b.work += files
	if b.work <= maxWork {
		return true
	}
	if b.work-files <= maxWork {
		b.found.add(pos, YAMLTooLarge, "the patterns, cases and changes of this file ask for too many comparisons of paths", "split the file, or name fewer files")
	}
	return false
}

// where is a place as traces write it.
func (b *builder) where(pos diag.Pos) string { return b.name + ":" + pos.String() }

// build makes the file's scenarios. If there is any fault, what it returns is
// not fit to run.
func (b *builder) build() []*Scenario {
	b.start, _ = vrepo.New(nil)
	if repo := b.file.Repo; repo != nil {
		b.start = b.snapshot(b.start, &repo.Files)
	}
	b.requiredHead()
	if !b.file.Cases.Set() {
		b.requiredAlone()
		return []*Scenario{b.scenario(&b.file.entry, b.file.Pos, "")}
	}
	cases := b.file.Cases.Items
	if len(cases) == 0 && !b.file.Cases.bad {
		b.found.add(b.file.Cases.Pos, InvalidValue, "cases must not be empty", "leave the key out if the file is one scenario")
	}
	whole := make([]entry, len(cases))
	for i := range cases {
		whole[i] = lay(&b.file.entry, &cases[i].entry)
	}
	b.requiredOfCases(whole)
	b.distinct()
	list := make([]*Scenario, len(cases))
	for i := range cases {
		list[i] = b.scenario(&whole[i], cases[i].Pos, cases[i].ID.Value)
	}
	return list
}

// distinct reports cases of the same id.
func (b *builder) distinct() {
	first := make(map[string]diag.Pos, len(b.file.Cases.Items))
	for _, c := range b.file.Cases.Items {
		if !c.ID.ok() {
			continue
		}
		if pos, ok := first[c.ID.Value]; ok {
			b.found.add(c.ID.Pos, InvalidValue,
				fmt.Sprintf("the case id %s was already given at %s", strictjson.Quote(c.ID.Value), pos), "give each case an id of its own")
			continue
		}
		first[c.ID.Value] = c.ID.Pos
	}
}

// knownClauses are the clauses that an expectFail names.
func (b *builder) knownClauses(p *expectFailPart) []string {
	names := clauseNames()
	for _, t := range p.Clauses.Items {
		if !slices.Contains(names, t.Value) {
			b.found.add(t.Pos, InvalidValue, "expectFail.clauses names no key of expect, nor invariants or golden: "+strictjson.Quote(t.Value), nearHint(t.Value, names, "the keys are "))
		}
	}
	if p.Clauses.Set() && len(p.Clauses.Items) == 0 {
		b.found.add(p.Clauses.Pos, InvalidValue, "expectFail.clauses is empty, so nothing would be known to fail", "leave it out, or name keys of expect")
	}
	return written(p.Clauses.Items)
}

// scenario makes one scenario of a complete entry.
func (b *builder) scenario(e *entry, pos diag.Pos, caseID string) *Scenario {
	s := &Scenario{
		ID: b.file.ID.Value, Case: caseID, Title: e.Title.Value, Teaches: strings.TrimSpace(e.Teaches.Value),
		Tags: b.tags(e.Tags), File: b.found.file, Pos: pos, IDPos: b.file.ID.Pos, Expect: e.Expect,
	}
	if p := e.ExpectFail; p != nil {
		s.ExpectFail = &ExpectFail{Reason: p.Reason.Value, Issue: p.Issue.Value, Clauses: b.knownClauses(p)}
	}
	if p := e.NullAgent; p != nil {
		s.NullAgent = p.Passes.Value
	}
	s.Points = e.Points.or(0)
	if b.file.Cases.Set() {
		s.ID += "/" + caseID
		s.Table = b.file.Title.Value
	}
	w, o := b.world(e), b.outside(e)
	b.vague = o.broken
	for i := range e.Invariants.Items {
		p := &e.Invariants.Items[i]
		if program := b.compileTest(itemName("invariants", i), p, runner.EndVariables(o.world)); program != nil {
			s.Invariants = append(s.Invariants, Hold{Pos: p.Pos, Program: program})
		}
	}
	g := b.grants(e, w, o)
	s.Read, s.Edit = g.read, g.edit
	b.checkRules(e.Rules.Items, o)
	if p := e.Principal; p != nil && !p.bad && !p.ID.Set() {
		b.found.add(p.Pos, MissingKey, "the key principal.id is missing", "say on whose behalf the run acts")
	}
	grants := b.runGrants(e, o)
	demanded, verifier, handoff := b.completion(e, o)
	kit := b.kit(e, o)
	h := b.happenings(e, w, o, grants)
	perTool := b.perTool(e.Task, o)
	replies := b.replies(e)
	b.expectations(e, s, o)
	if e.Model != nil {
		s.AllowUnused = e.Model.AllowUnused.or(false)
		if kit != nil && w.start != nil {
			b.checkRefs(&e.Model.Script, kit, w)
		}
	}
	if b.found.failed() || e.Task == nil || e.Model == nil || kit == nil {
		return s
	}
	s.Goal = e.Task.Goal.Value
	cfg := b.machine(e, kit, g, grants)
	cfg.Budgets.PerTool = perTool
	if o.declared() || len(replies) > 0 || grants != nil || e.Principal != nil || confirms(g.rules) || demanded != nil || handoff != nil {
		cfg.Completion, cfg.AsksHandoff = demanded, handoff != nil
		cfg.Grants, cfg.Identity = grants, b.identity(e, s, g.rules, grants)
	}
	s.Config = &runner.Config{
		ID: s.ID, Title: s.Title, Snapshot: w.start, Changes: h.steps, Timed: h.timed,
		Script: b.script(&e.Model.Script), Machine: cfg, Human: replies, Verifier: verifier, Handoff: handoff,
	}
	if o.declared() {
		s.Config.World = o.blueprint
	}
	return s
}

// confirms reports whether some rule demands a person.
func confirms(r *policy.Rules) bool {
	return slices.ContainsFunc(r.All(), func(r policy.Rule) bool { return r.Effect == event.Confirm })
}

// machine makes the configuration of a run's state machine.
func (b *builder) machine(e *entry, kit *toolKit, g *grants, grants *policy.Grants) *machine.Config {
	cfg := &machine.Config{
		Registry: kit.registry, Finish: kit.finish, Table: kit.table, ActionTypes: kit.granted(g.rules, grants),
		Rules: g.rules, Budgets: e.Task.budgets(), Limits: e.Limits.limits(), Goal: e.Task.Goal.Value,
		OnRejection: machine.StopRun, EditShownOnly: e.Task.EditShownOnly.or(true),
	}
	if e.Task.OnRejection.Value == "observe" {
		cfg.OnRejection = machine.Observe
	}
	key := promptKey{goal: e.Task.Goal.Pos, rules: g.rules, grants: e.Grants.Pos, kit: kit}
	fixed, ok := b.prompts.get(key)
	if !ok {
		fixed = b.prompts.put(key, prompt.New(e.Task.Goal.Value, g.rules, grants, kit.registry))
	}
	cfg.Prompt = fixed
	return cfg
}

// kit is the tools of a scenario; nil if there can be none, which is reported.
func (b *builder) kit(e *entry, o *outside) *toolKit {
	key := kitKey{limits: e.Limits.limits()}
	if e.Task != nil && e.Task.Completion != nil {
		key.citations = e.Task.Completion.Citations.or(0)
	}
	if len(o.tools) > 0 {
		key.outside = o
	}
	if k, ok := b.kits.get(key); ok {
		return k
	}
	k, err := toolKitFor(key.limits, o.tools, key.citations)
	if err != nil {
		b.found.add(b.file.Pos, InvalidValue, "the tools do not go together: "+err.Error(), "")
		return nil
	}
	return b.kits.put(key, k)
}

// limits are the defaults with what the file gives.
func (p *limitsPart) limits() tools.Limits {
	l := tools.DefaultLimits()
	if p == nil {
		return l
	}
	return tools.Limits{
		Query: p.Query.or(l.Query), Path: p.Path.or(l.Path), Content: p.Content.or(l.Content),
		Before: p.Before.or(l.Before), After: p.After.or(l.After), Summary: p.Summary.or(l.Summary),
		Observation: p.Observation.or(l.Observation), Hits: p.Hits.or(l.Hits), HitText: p.HitText.or(l.HitText),
		Output: p.Output.or(l.Output), Answer: p.Answer.or(l.Answer),
	}
}

// budgets are the defaults with what the file gives.
func (p *taskPart) budgets() policy.Budgets {
	d := policy.DefaultBudgets()
	if p.Budget == nil {
		return d
	}
	g := p.Budget
	return policy.Budgets{
		Steps: g.Steps.Value, ToolCalls: g.ToolCalls.or(d.ToolCalls), Rejections: g.Rejections.or(d.Rejections),
		Repeats: g.Repeats.or(d.Repeats), Window: g.Window.or(d.Window), ContextChars: g.ContextChars.or(d.ContextChars),
		Cost: g.Cost.or(d.Cost), Output: g.Output.or(d.Output), Deadline: g.Deadline.or(d.Deadline),
	}
}

// tags are a scenario's tags.
func (b *builder) tags(list List[Text]) []string {
	if tags, ok := b.tagged.get(list.Pos); ok {
		return tags
	}
	return b.tagged.put(list.Pos, written(list.Items))
}

// script prepares a scripted model's answers.
func (b *builder) script(p *scriptPart) *model.Script {
	if s, ok := b.scripts.get(p.Pos); ok {
		return s
	}
	for i := range p.items {
		p.items[i].Where = b.where(p.at[i])
	}
	return b.scripts.put(p.Pos, model.NewScript(p.items))
}

// world is a repository at the start, and what happens to it.
type world struct {
	start   *vrepo.Snapshot // nil if it could not be made
	changes []runner.Change // in the order in which they happen
	later   []*vrepo.File   // what changes put there
	names   map[string]bool // of those
}

// all is every file that is there at some time, in the order of their paths.
func (w *world) all() []*vrepo.File {
	if len(w.later) == 0 {
		return w.start.Files()
	}
	files := slices.Concat(w.start.Files(), w.later)
	slices.SortFunc(files, func(a, b *vrepo.File) int { return strings.Compare(a.Path(), b.Path()) })
	return files
}

// has reports whether a file of this path is there at some time.
func (w *world) has(path string) bool {
	_, ok := w.start.File(path)
	return ok || w.names[path]
}

// world makes a scenario's repository and tries its changes.
func (b *builder) world(e *entry) *world {
	key := worldKey{changes: e.Changes.Pos}
	if e.Repo != nil {
		key.files = e.Repo.Files.Pos
	}
	if w, ok := b.worlds.get(key); ok {
		return w
	}
	w := b.worlds.put(key, &world{start: b.start})
	if own := b.file.Repo; e.Repo != nil && (own == nil || own.Files.Pos != key.files) && b.start != nil {
		if !b.charge(key.files, len(b.start.Files())) {
			w.start = nil
			return w
		}
		w.start = b.snapshot(b.start, &e.Repo.Files)
	}
	b.changes(w, e.Changes.Items)
	return w
}

// changes tries the changes one after the other, so that the run finds no fault.
func (b *builder) changes(w *world, parts []changePart) {
	ordered := make([]*changePart, 0, len(parts))
	for i := range parts {
		if parts[i].Files.Set() {
			ordered = append(ordered, &parts[i])
		}
	}
	slices.SortStableFunc(ordered, func(a, b *changePart) int { return a.AfterStep.Value - b.AfterStep.Value })
	if len(ordered) > 0 {
		w.names = map[string]bool{}
	}
	now := w.start
	for _, p := range ordered {
		w.changes = append(w.changes, runner.Change{Where: b.where(p.Pos), AfterStep: p.AfterStep.Value, Set: p.Files.set, Remove: p.Files.removed})
		if now == nil || !b.charge(p.Pos, len(now.Files())) {
			now = nil
			continue
		}
		if now = b.snapshot(now, &p.Files); now == nil {
			continue
		}
		for _, entry := range p.Files.set {
			if f, ok := now.File(entry.Path); ok {
				w.later, w.names[entry.Path] = append(w.later, f), true
			}
		}
	}
}
