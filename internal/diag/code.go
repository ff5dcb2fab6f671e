package diag

// Class says what a code does to a run, or to a command.
type Class string

// The classes. The zero value is unset and invalid.
const (
	// Rejection refuses one action and obeys task.onRejection.
	Rejection Class = "rejection"
	// Stop ends the run.
	Stop Class = "stop"
	// Wait needs a person before the run can go on.
	Wait Class = "wait"
	// Input is a fault of a file, a flag or an argument: nothing was run.
	Input Class = "input"
	// Note informs and changes nothing.
	Note Class = "note"
)

// Gate is a stage of the decision pipeline, in the order of [Gates].
type Gate string

// The gates.
const (
	Parse     Gate = "parse"
	Schema    Gate = "schema"
	Semantic  Gate = "semantic"
	Authorize Gate = "authorize"
	Guard     Gate = "guard"
	Budget    Gate = "budget"
	Confirm   Gate = "confirm"
	Execute   Gate = "execute"
	Verify    Gate = "verify"
)

// Gates lists the gates in the order in which they are asked; the first that
// fails decides.
func Gates() []Gate {
	return []Gate{Parse, Schema, Semantic, Authorize, Guard, Budget, Confirm, Execute, Verify}
}

// Order is the gate's place in [Gates], from 0; -1 for a gate that is none.
func (g Gate) Order() int {
	switch g {
	case Parse:
		return 0
	case Schema:
		return 1
	case Semantic:
		return 2
	case Authorize:
		return 3
	case Guard:
		return 4
	case Budget:
		return 5
	case Confirm:
		return 6
	case Execute:
		return 7
	case Verify:
		return 8
	default:
		return -1
	}
}

// Retry tells the caller of a refused action what could make it succeed.
type Retry string

// The kinds of retry. The zero value is unset and invalid for a rejection.
const (
	Never       Retry = "never"
	AfterRead   Retry = "after_read"
	NewRequest  Retry = "new_request"
	SameRequest Retry = "same_request"
)

// Code is a stable, searchable name for one condition, defined once with its
// text. Codes are compared by pointer inside the program and by Name outside.
type Code struct {
	// Name is UPPER_SNAKE and never changes once released.
	Name string
	// Class says what the code does.
	Class Class
	// Gate is where the code arises; empty for codes outside the pipeline.
	Gate Gate
	// Retry is set for rejections.
	Retry Retry
	// Means is one or two sentences: what happened, in the reader's words.
	Means string
	// Do is what to do about it.
	Do string
}

// Declare makes a code that a scenario declares for a tool of its own. All others
// are variables of the package that raises them.
func Declare(name string, class Class, gate Gate, means string) *Code {
	c := &Code{Name: name, Class: class, Gate: gate, Means: means, Do: "The scenario declares this code; look at the tool that it declares."}
	if class == Rejection {
		c.Retry = NewRequest
	}
	return c
}

func (c *Code) String() string {
	if c == nil {
		return ""
	}
	return c.Name
}

// MarshalText writes the code's name, so a code is a string in JSON.
func (c *Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
