package scenarios

import (
	"sync"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/tools"
	"harness/internal/tools/repotools"
)

// toolKit is the registered tools under given limits, and what follows from them
// alone.
type toolKit struct {
	registry *tools.Registry
	finish   *tools.Finish
	table    *policy.Table
	names    []string // of the tools and of finish
	observed []string // fields that some observation can have
	read     []string // fields that an observation of what was read can have
}

// standardKit is the tools under the default limits, which most scenarios have.
var standardKit = sync.OnceValues(func() (*toolKit, error) { return newToolKit(tools.DefaultLimits(), nil, 0) })

// toolKitFor is the tools under some limits, with the declared ones, and a finish
// that has to cite so many observations.
func toolKitFor(l tools.Limits, declared []tools.Tool, citations int) (*toolKit, error) {
	if l == tools.DefaultLimits() && len(declared) == 0 && citations == 0 {
		return standardKit()
	}
	return newToolKit(l, declared, citations)
}

func newToolKit(l tools.Limits, declared []tools.Tool, citations int) (*toolKit, error) {
	registry, err := tools.New(append(repotools.All(l), declared...)...)
	if err != nil {
		return nil, err
	}
	finish := tools.NewFinish(l).Demanding(citations)
	k := &toolKit{registry: registry, finish: finish, table: policy.NewTable(registry, finish)}
	k.names = append(registry.Names(), tools.FinishName)
	for _, t := range registry.Tools() {
		k.observed = append(k.observed, t.Contract().Output...)
		if t.Contract().Capability == repotools.CapRead {
			k.read = append(k.read, t.Contract().Output...)
		}
	}
	k.read = append(k.read, cutFields()...)
	k.observed = append(append(k.observed, refusalFields()...), cutFields()...)
	return k, nil
}

// refusalFields are the fields of an observation that tells of a refusal.
func refusalFields() []string {
	return []string{"code", "gate", "message", "operationApplied", "retry", "hint", "details"}
}

// cutFields are the fields of an observation that had to be shortened.
func cutFields() []string { return []string{"cut", "cut[]"} }

// toolNames names what a call can name.
var toolNames = sync.OnceValue(func() []string {
	kit, err := standardKit()
	if err != nil {
		return []string{tools.FinishName}
	}
	return kit.names
})

// granted names the actions that some rule or grant allows, and finish: what a
// refusal may point a model to.
func (k *toolKit) granted(rules *policy.Rules, grants *policy.Grants) []string {
	names := make([]string, 0, len(k.names))
	for _, t := range k.registry.Tools() {
		if c := t.Contract(); rules.Scope(c.Capability).Effect != event.Deny || grants.Covers(c.Capability) {
			names = append(names, c.Name)
		}
	}
	return append(names, tools.FinishName)
}

// RepositoryTools is the tools that every scenario has, under the default limits.
func RepositoryTools() (*tools.Registry, error) {
	kit, err := standardKit()
	if err != nil {
		return nil, err
	}
	return kit.registry, nil
}
