package scenarios

import "harness/internal/diag"

// Given is a value that a file gives, and its place. The zero value was not
// given.
type Given[T any] struct {
	Value T
	Pos   diag.Pos
	// bad is set if what was given was refused: Value means nothing then, and
	// one fault has been reported.
	bad bool
}

// The scalars of a scenario.
type (
	Text   = Given[string]
	Number = Given[int]
	Flag   = Given[bool]
)

// Set reports whether the value was given.
func (g Given[T]) Set() bool { return !g.Pos.IsZero() }

// ok reports whether there is a value to look at.
func (g Given[T]) ok() bool { return g.Set() && !g.bad }

// or is the value, or another one where none was given.
func (g Given[T]) or(other T) T {
	if g.ok() {
		return g.Value
	}
	return other
}

// ValidatorValue is how the struct rules see the value: as a pointer, nil if
// there is nothing to look at.
func (g Given[T]) ValidatorValue() any {
	if !g.ok() {
		return (*T)(nil)
	}
	return &g.Value
}

func (g Given[T]) refused() bool      { return g.bad }
func (g Given[T]) position() diag.Pos { return g.Pos }

// List is a list that a file gives, and its place. The zero value was not given,
// which an empty list is not.
type List[T any] struct {
	Items []T
	Pos   diag.Pos
	bad   bool
}

// Set reports whether the list was given.
func (l List[T]) Set() bool { return !l.Pos.IsZero() }

// ValidatorValue is how the struct rules see the list.
func (l List[T]) ValidatorValue() any {
	if !l.Set() || l.bad {
		return (*[]T)(nil)
	}
	return &l.Items
}

func (l List[T]) refused() bool      { return l.bad }
func (l List[T]) position() diag.Pos { return l.Pos }

// value is what every kind of field of a part can be asked.
type value interface {
	Set() bool
	refused() bool
	position() diag.Pos
}

// part is what every mapping of a known shape starts with: its place.
type part struct {
	Pos diag.Pos
	bad bool // it was no mapping, which has been reported
}

func (p *part) stand(at diag.Pos, bad bool) { p.Pos, p.bad = at, bad }

// mapping is a part that a mapping is read into.
type mapping interface {
	stand(at diag.Pos, bad bool)
	shape() *shape
}
