package report

import (
	"harness/internal/action"
	"harness/internal/event"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools"
)

// know finds the contract of the step's tool, and what no report may show of the
// step. Of a version that is not registered that is what holds for the name; of
// anything else, what holds for any tool.
func (s *Step) know(cfg *runner.Config) {
	if cfg == nil || cfg.Machine == nil || cfg.Machine.Registry == nil {
		return
	}
	registry := cfg.Machine.Registry
	if a := s.action(); a != nil {
		t, ok := registry.Lookup(a.Tool, a.Version)
		if !ok {
			t, ok = registry.Lookup(a.Tool, "")
		}
		if ok {
			s.contract, s.private = t.Contract(), t.Contract().Sensitive
			_, s.outside = t.(tools.Outside)
			if p, ok := t.(promiser); ok {
				s.ensures = p.Postcondition()
			}
			return
		}
		if a.Kind == action.Finish {
			return
		}
	}
	s.private = privateNames(registry)
}

// promiser is a tool that promises something of the world after a call.
type promiser interface{ Postcondition() string }

// privateNames are the arguments of any tool that no report may show.
func privateNames(registry *tools.Registry) []string {
	var names []string
	for _, t := range registry.Tools() {
		names = append(names, t.Contract().Sensitive...)
	}
	return names
}

// shown is arguments without what no report may show. Where there is anything of the
// kind, a member that the contract does not know may be the same under a name that
// was mistyped, and is kept back too.
func shown(args strictjson.Value, c *tools.Contract, private []string) strictjson.Value {
	if len(private) == 0 || args.Kind() != strictjson.Object {
		return args
	}
	names := private[:len(private):len(private)]
	for _, m := range args.Members() {
		if !declares(c, m.Name) {
			names = append(names, m.Name)
		}
	}
	return machine.Shown(args, names)
}

// declares reports whether a contract knows an argument; nil knows none.
func declares(c *tools.Contract, name string) bool {
	if c == nil {
		return false
	}
	properties, _ := c.Input.JSON().Get("properties")
	_, ok := properties.Get(name)
	return ok
}

// pendingArguments are those of the action that a handoff is about, as far as they
// may be shown: it need not be one that its contract accepts.
func pendingArguments(r *runner.Result, p *event.Pending) strictjson.Value {
	registry := r.Config.Machine.Registry
	if registry == nil {
		return p.Arguments
	}
	if t, ok := registry.Lookup(p.Tool, ""); ok {
		return shown(p.Arguments, t.Contract(), t.Contract().Sensitive)
	}
	return shown(p.Arguments, nil, privateNames(registry))
}

// noise is an output that is no action, as far as it may be shown: where some tool
// has arguments that no report may show, they could stand anywhere in it.
func (s *Step) noise() string {
	if len(s.private) > 0 {
		return "(" + count(len(s.raw()), "byte") + ", not shown)"
	}
	return string(s.raw())
}
