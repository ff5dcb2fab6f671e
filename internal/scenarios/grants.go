package scenarios

import (
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/tools/repotools"
	"harness/internal/vrepo"
)

// grants is the rules of a run, and the task's patterns as they were written.
type grants struct {
	rules      *policy.Rules
	read, edit []string
}

// grantKey says what grants are made from.
type grantKey struct {
	read, edit, rules diag.Pos
	world             *world
	outside           *outside
}

// grants makes the rules of a scenario and checks them against its repository.
func (b *builder) grants(e *entry, w *world, o *outside) *grants {
	key := grantKey{rules: e.Rules.Pos, world: w, outside: o}
	var task taskPart
	if e.Task != nil {
		task = *e.Task
		key.read, key.edit = task.Read.Pos, task.Edit.Pos
	}
	if g, ok := b.granted.get(key); ok {
		return g
	}
	g := &grants{read: written(task.Read.Items), edit: written(task.Edit.Items)}
	list := make([]policy.Rule, 0, 2*len(g.read)+len(g.edit)+len(e.Rules.Items))
	for i, t := range task.Read.Items {
		rule := b.sugar("task.read", i, t, repotools.CapRead)
		list = append(list, rule)
		rule.Capability = repotools.CapSearch
		list = append(list, rule)
	}
	for i, t := range task.Edit.Items {
		list = append(list, b.sugar("task.edit", i, t, repotools.CapPropose))
	}
	for i := range e.Rules.Items {
		r := &e.Rules.Items[i]
		list = append(list, policy.Rule{
			ID: itemName("rules", i), Where: b.where(r.Resource.Pos),
			Effect: event.Effect(r.Effect.Value), Capability: r.Capability.Value, Pattern: r.Resource.Value,
			When: b.condition(itemName("rules", i)+".when", &r.When, r.Capability.Value, o),
		})
	}
	g.rules = policy.NewRules(list...)
	b.granted.put(key, g)
	if w.start != nil {
		b.checkGrants(&task, e.Rules.Items, w)
	}
	return g
}

// sugar is the rule that an item of the task stands for.
func (b *builder) sugar(key string, i int, t Text, capability string) policy.Rule {
	return policy.Rule{
		ID: itemName(key, i), Where: b.where(t.Pos),
		Effect: event.Allow, Capability: capability, Pattern: t.Value,
	}
}

func written(list []Text) []string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.Value
	}
	return texts
}

// checkGrants reports patterns that cover nothing, and edits of what may not be
// read. The task's are about the repository at the start; a further rule may
// wait for a file that comes later.
func (b *builder) checkGrants(task *taskPart, rules []rulePart, w *world) {
	for i, t := range task.Read.Items {
		b.covers("task.read", i, t, event.Allow, w.start.Files())
	}
	var readable *policy.Rules
	for i, t := range task.Edit.Items {
		if readable == nil {
			readable = readRules(task, rules)
		}
		if b.covers("task.edit", i, t, event.Allow, w.start.Files()) {
			b.editReadable(i, t, readable, w.start.Files())
		}
	}
	for i, r := range rules {
		if r.Effect.ok() && repoCapability(r.Capability.Value) {
			b.covers("rules", i, r.Resource, event.Effect(r.Effect.Value), w.all())
		}
	}
}

// covers reports a pattern that covers none of the files; it is true if it
// covers some. Files stand in the order of their paths.
func (b *builder) covers(key string, i int, t Text, effect event.Effect, files []*vrepo.File) bool {
	if !t.ok() || t.Value == "" || b.refused[t.Value] {
		return false
	}
	glob := policy.IsGlob(t.Value)
	if glob && !b.charge(t.Pos, len(files)*alternatives(t.Value)) {
		return false
	}
	if covered(t.Value, effect, files) != nil {
		return true
	}
	if b.found.full() {
		b.found.skip()
		return false
	}
	name := itemName(key, i)
	switch hidden := covered(t.Value, event.Deny, files); {
	case !glob:
		b.found.add(t.Pos, BadReference,
			name+" names "+strictjson.Quote(t.Value)+", which the repository does not have", b.nearPath(t.Value, files))
	case hidden != nil:
		b.found.add(t.Pos, BadReference,
			name+": the glob "+strictjson.Quote(t.Value)+" covers nothing but sensitive files",
			"a sensitive file needs to be named: "+strictjson.Quote(hidden.Path()))
	default:
		b.found.add(t.Pos, BadReference,
			name+": the glob "+strictjson.Quote(t.Value)+" covers no file of the repository", "** stands for any folders, * for part of a name")
	}
	return false
}

// covered is the first of the files that a pattern covers, nil if there is none.
func covered(pattern string, effect event.Effect, files []*vrepo.File) *vrepo.File {
	if !policy.IsGlob(pattern) {
		i, ok := slices.BinarySearchFunc(files, pattern, func(f *vrepo.File, path string) int { return strings.Compare(f.Path(), path) })
		if !ok {
			return nil
		}
		return files[i]
	}
	one := policy.NewRules(policy.Rule{Effect: effect, Pattern: pattern})
	for _, f := range files {
		if one.Allows("", f.Path()) || effect != event.Allow && one.Decide("", f.Path(), nil).Rule != nil {
			return f
		}
	}
	return nil
}

// nearPath is the hint for a path that does not exist.
func (b *builder) nearPath(path string, files []*vrepo.File) string {
	const most = 1000
	names := make([]string, min(len(files), most))
	for i := range names {
		names[i] = files[i].Path()
	}
	return nearHint(path, names, "the files are ")
}

// readRules is what may be read if no rule denies it.
func readRules(task *taskPart, rules []rulePart) *policy.Rules {
	var list []policy.Rule
	for _, t := range task.Read.Items {
		if t.ok() {
			list = append(list, policy.Rule{Effect: event.Allow, Capability: repotools.CapRead, Pattern: t.Value})
		}
	}
	for _, r := range rules {
		if r.Effect.Value == string(event.Allow) && r.Capability.Value == repotools.CapRead && r.Resource.ok() {
			list = append(list, policy.Rule{Effect: event.Allow, Capability: repotools.CapRead, Pattern: r.Resource.Value})
		}
	}
	return policy.NewRules(list...)
}

// editReadable reports an edit pattern that covers files which may not be read.
func (b *builder) editReadable(i int, t Text, readable *policy.Rules, files []*vrepo.File) {
	if !policy.IsGlob(t.Value) {
		files = []*vrepo.File{covered(t.Value, event.Allow, files)}
	}
	if !b.charge(t.Pos, len(files)*(len(readable.All())+alternatives(t.Value))) {
		return
	}
	edits := policy.NewRules(policy.Rule{Effect: event.Allow, Pattern: t.Value})
	for _, f := range files {
		if edits.Allows("", f.Path()) && !readable.Allows(repotools.CapRead, f.Path()) {
			b.found.add(t.Pos, InvalidValue, itemName("task.edit", i)+" covers "+strictjson.Quote(f.Path())+", which may not be read", "add it to task.read")
			return
		}
	}
}
