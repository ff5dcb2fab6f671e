package explore

import (
	"fmt"
	"slices"

	"harness/internal/expression"
	"harness/internal/runner"
	"harness/internal/tools/fixture"
)

// Invariant is an expression over [runner.EndVariables] that must hold in every
// state.
type Invariant struct {
	// Name is what the violation is called.
	Name    string
	Program *expression.Program
}

// Compile reads an invariant for a scenario.
func Compile(cfg *runner.Config, name, source string) (*Invariant, *expression.Fault) {
	world := (&fixture.Blueprint{}).Type()
	if cfg.World != nil {
		world = cfg.World.Type()
	}
	program, fault := expression.Compile(source, runner.EndVariables(world), expression.Of(expression.Bool))
	if fault != nil {
		return nil, fault
	}
	if len(program.Names()) == 0 {
		return nil, &expression.Fault{Message: "it looks at nothing of the run, so it tests nothing"}
	}
	return &Invariant{Name: name, Program: program}, nil
}

func (i *Invariant) uses(variable string) bool { return slices.Contains(i.Program.Names(), variable) }

// asksInvariants asks what the scenario's owner demands. What cannot be answered does
// not hold.
func (s *step) asksInvariants() {
	if len(s.invariants) == 0 || s.broken.ID != "" {
		return
	}
	values := s.walk.EndValues()
	for _, i := range s.invariants {
		holds, err := i.Program.Eval(values...)
		switch {
		case err != nil:
			s.breaks(i.Name, "%s could not be answered: %v", i.Program.Source(), err)
		case !holds.Bool():
			s.breaks(i.Name, "%s does not hold", i.Program.Source())
		}
	}
}

// String says what was violated, and how.
func (b Broken) String() string { return fmt.Sprintf("%s: %s", b.ID, b.Words) }
