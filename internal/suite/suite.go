// Package suite finds scenarios, loads them, runs them in parallel, judges what
// came of them, and keeps their goldens.
//
// Everything is loaded before anything is run, and results stand in the order of
// the scenarios, whatever ran first. Goals: no silent loss (what was named and
// not found is a fault, what was found is run), verdicts that do not depend on
// the machine. Non-goals: printing (see report), deciding exit codes (see cli).
package suite

import (
	"harness/internal/diag"
	"harness/internal/scenarios"
)

// Source is one file to load scenarios from, or a part of one.
type Source struct {
	// Name is the file as it is called in diagnostics; "-" is standard input.
	Name string
	Data []byte
	// Case selects one of the file's scenarios by its id or its case's id, Line
	// the one that stands there; both are zero for all of them.
	Case string
	Line int
	// Compiled is the file's compiled form, if there is one: see
	// [scenarios.Compile].
	Compiled []byte
	// Open gives what the file includes, by names relative to it; nil if it has no
	// place.
	Open scenarios.Opener

	opened *opened // what was included
}

// The codes of files that cannot be loaded.
var (
	ScenarioNotFound = &diag.Code{
		Name: "SCENARIO_NOT_FOUND", Class: diag.Input,
		Means: "No file, folder, pattern, case or line of that name is there.",
		Do:    "Look at the spelling; a folder stands for all scenarios in it, FILE#CASE for one of a file's cases.",
	}
	NotAScenarioFile = &diag.Code{
		Name: "NOT_A_SCENARIO_FILE", Class: diag.Input,
		Means: "The path names something that is no scenario file: by its name, or because it is no text.",
		Do:    "Name a .yaml or .yml file, a folder, or - for standard input.",
	}
	ScenarioUnreadable = &diag.Code{
		Name: "SCENARIO_UNREADABLE", Class: diag.Input,
		Means: "A file or folder could not be read.",
		Do:    "Look at its permissions.",
	}
	NoScenarios = &diag.Code{
		Name: "NO_SCENARIOS", Class: diag.Input,
		Means: "A folder or pattern was named that holds no scenario file, so nothing can be said to be as expected. Nothing was run.",
		Do:    "Leave it out, or put a .yaml file there: `harness new --from workflow/sum FILE` writes a first one. Files and folders whose name starts with a dot, and harness.yaml, are passed over.",
	}
	DuplicateID = &diag.Code{
		Name: "DUPLICATE_ID", Class: diag.Input,
		Means: "Two scenarios have the same id, so results could not be told apart.",
		Do:    "Give each scenario an id of its own.",
	}
)

// The codes of tests that cannot be made.
var (
	NothingSelected = &diag.Code{
		Name: "NOTHING_SELECTED", Class: diag.Input,
		Means: "There are scenarios, and the flags choose none of them, so nothing can be said to be as expected. Nothing was run.",
		Do:    "Look at the spelling of ids and tags, which `harness list PATH` prints; --allow-empty where nothing to test is no fault.",
	}
	UpdateRefused = &diag.Code{
		Name: "UPDATE_REFUSED", Class: diag.Input,
		Means: "Goldens are not rewritten where CI is set: nobody looks at the change there.",
		Do:    "Update them on your own machine, look at the differences, and commit them.",
	}
	GoldenUnreadable = &diag.Code{
		Name: "GOLDEN_UNREADABLE", Class: diag.Stop,
		Means: "A golden, or a folder of goldens, could not be read or written.",
		Do:    "Look at its permissions.",
	}
)

// The codes of folders and files that stand beside each other.
var (
	GoldenShared = &diag.Code{
		Name: "GOLDEN_SHARED", Class: diag.Input,
		Means: "Two scenarios would have the same golden: a case of a file, and a file in the folder of that name.",
		Do:    "Name one of them otherwise.",
	}
	LinkNotFollowed = &diag.Code{
		Name: "LINK_NOT_FOLLOWED", Class: diag.Note,
		Means: "A folder holds a link to a folder. Links to folders are not followed, so that a search always ends, and nothing behind them is read.",
		Do:    "Name the folder behind the link as a path of its own, if its scenarios are meant.",
	}
)

// Codes lists the codes this package defines.
func Codes() []*diag.Code {
	return []*diag.Code{
		ScenarioNotFound, NotAScenarioFile, ScenarioUnreadable, NoScenarios, DuplicateID,
		NothingSelected, UpdateRefused, GoldenUnreadable, GoldenShared, LinkNotFollowed,
	}
}
