package cli

import (
	"errors"
	"strconv"

	"harness/internal/diag"
)

// Exit is the process's exit code, which means the same for every command.
type Exit int

// The exit codes.
const (
	AsExpected       Exit = 0
	ScenarioFailed   Exit = 1
	InvalidInput     Exit = 2
	NothingSelected  Exit = 3
	CouldNotComplete Exit = 4
)

// Exits lists the exit codes.
func Exits() []Exit {
	return []Exit{AsExpected, ScenarioFailed, InvalidInput, NothingSelected, CouldNotComplete}
}

// Means says what the exit code stands for.
func (e Exit) Means() string {
	switch e {
	case AsExpected:
		return "everything ended as expected, or the question was answered"
	case ScenarioFailed:
		return "at least one scenario did not end as expected"
	case InvalidInput:
		return "a flag, an argument, a setting or a file is invalid; nothing was run"
	case NothingSelected:
		return "no scenario was selected"
	case CouldNotComplete:
		return "the work could not be completed: output, interrupt, internal error, or a verdict of error where nothing failed"
	default:
		return "unknown"
	}
}

// said is the error of a command that has printed everything there is to say,
// and has only its exit code left.
type said Exit

func (s said) Error() string { return Exit(s).Means() }

// emptySelection is the error of paths that together hold no scenario.
type emptySelection struct{ diag.List }

func (e emptySelection) Unwrap() error { return e.List }

// exitOf maps what a command returned to the exit code.
func exitOf(err error) Exit {
	var (
		printed said
		found   diag.List
	)
	switch {
	case err == nil:
		return AsExpected
	case errors.As(err, new(emptySelection)):
		return NothingSelected
	case errors.As(err, &printed):
		return Exit(printed)
	case errors.As(err, &found):
		return exitOfList(found)
	default:
		return CouldNotComplete
	}
}

// exitOfList is the exit code of diagnostics: work that was cut short outranks
// input that kept it from starting.
func exitOfList(found diag.List) Exit {
	code := AsExpected
	for _, d := range found {
		switch {
		case d.IsNote():
		case d.Code == nil || d.Code.Class != diag.Input:
			return CouldNotComplete
		default:
			code = InvalidInput
		}
	}
	return code
}

// exitRows is the table of exit codes.
func exitRows() []row {
	var rows []row
	for _, e := range Exits() {
		rows = append(rows, row{strconv.Itoa(int(e)), e.Means()})
	}
	return rows
}
