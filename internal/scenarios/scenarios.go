// Package scenarios reads scenario files: YAML into what a runner runs, with the
// place of everything that can be at fault. It is the only user of the YAML
// library and of the struct validator.
//
// A file is read in stages: its bytes are looked at, then it is parsed into
// nodes, the nodes are read into parts by our own strict rules, cases are laid
// over the file, and the whole is checked against itself and built. What stops
// the first two stages ends the reading; everything found after that is reported
// at once.
//
// Goals: nothing is guessed, converted or passed over; every fault has a code, a
// line and a column; equal bytes give equal results whatever the file's folder;
// work is linear in the file's size, up to stated limits. Non-goals: finding
// files, running scenarios, writing YAML.
package scenarios

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

const (
	apiVersion   = "harness/v1"
	kindScenario = "Scenario"
)

// Scenario is one run as a file describes it: the file, or one of its cases.
type Scenario struct {
	// ID is the file's id, with "/" and the case's id for a case.
	ID string
	// Case is the case's own id; "" for a file without cases.
	Case    string
	Title   string
	Teaches string
	Tags    []string
	// Table is the title of the file that a case stands in; "" without cases.
	Table string
	// File is the name as it was given, and Pos the place of the document or of
	// the case in it.
	File string
	Pos  diag.Pos
	// IDPos is where the file's id stands.
	IDPos diag.Pos
	// Goal, Read and Edit are the task as it was written, for display.
	Goal       string
	Read, Edit []string
	Config     *runner.Config
	// Expect is nil if the file expects nothing.
	Expect *Expect
	// Holds are the expressions of Expect, compiled over [HoldVariables].
	Holds []Hold
	// Invariants are compiled over [runner.EndVariables].
	Invariants []Hold
	// ExpectFail says that the scenario is known to fail; nil if it is not.
	ExpectFail *ExpectFail
	// NullAgent is why an agent that finishes at once passes; "" if it must not.
	NullAgent string
	Points    int // what passing is worth in a course
	// AllowUnused says that answers of the script may be left over.
	AllowUnused bool
}

// ExpectFail is a known failure.
type ExpectFail struct {
	Reason  string
	Issue   string   // where it is tracked
	Clauses []string // that are known to fail; empty is all but never and invariants
}

// Covers reports whether a clause, such as "decisions[0].code", is known to fail. What is
// left over when a run ends early follows from the rest; that a run is not the same
// twice, or tests nothing, follows from nothing.
func (f *ExpectFail) Covers(clause string) bool {
	if at := strings.IndexAny(clause, ".["); at >= 0 {
		clause = clause[:at]
	}
	switch {
	case slices.Contains([]string{"unused", "changes", "faults", "human", "script"}, clause):
		return true
	case len(f.Clauses) == 0:
		return slices.Contains(clauseNames(), clause) && clause != "never" && clause != "invariants"
	default:
		return slices.Contains(f.Clauses, clause)
	}
}

// clauseNames are those that an expectFail can name.
func clauseNames() []string { return append(slices.Clone(expectShape().names), "invariants", "golden") }

// Parse reads one file: one scenario, or its cases in order; a file of kind Tools
// holds none. The list is sorted; if it holds more than notes, there are no
// scenarios.
func Parse(file string, data []byte) ([]*Scenario, diag.List) { return ParseWith(file, data, nil, nil) }

// ParseWith is [Parse] for a file that may include others, which open gives, and may
// have a compiled form. One that was not made from exactly these bytes is not
// looked at.
func ParseWith(file string, data, compiled []byte, open Opener) ([]*Scenario, diag.List) {
	found := &findings{file: file}
	root := readCompiled(data, compiled)
	if root == nil {
		root = parseTree(data, found)
	}
	switch {
	case root == nil:
		return nil, found.sorted()
	case kindOf(root) == kindTools:
		checkTools(root, found)
		return nil, found.sorted()
	case kindOf(root) == kindExcuses:
		readExcuses(root, found)
		return nil, found.sorted()
	case !isScenario(root, found):
		return nil, found.sorted()
	}
	return parseRoot(root, found, open)
}

// parseRoot reads a document's nodes.
func parseRoot(root *yaml.Node, found *findings, open Opener) ([]*Scenario, diag.List) {
	d := &decoder{found: found, path: make([]step, 0, 16)}
	var doc document
	d.value(&doc, root)
	if doc.bad {
		return nil, found.sorted()
	}
	b := &builder{found: found, name: ownName(found.file), file: &doc, open: open}
	list := b.build()
	if found.failed() {
		return nil, found.sorted()
	}
	return list, found.sorted()
}

// ownName is a file's name without its folders, whatever the system's separator.
func ownName(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// isScenario looks at what the document says it is. Of another kind or version
// nothing more can be said.
func isScenario(root *yaml.Node, found *findings) bool {
	if root.Kind != yaml.MappingNode {
		return true
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, v := root.Content[i], root.Content[i+1]
		known := ""
		switch key.Value {
		case "apiVersion":
			known = apiVersion
		case "kind":
			known = kindScenario
		}
		if known != "" && isKey(key) && isText(v) && v.Value != known {
			found.add(place(v), InvalidValue,
				key.Value+" names "+strictjson.Quote(v.Value)+", which is not known", "a scenario has "+key.Value+": "+known)
			return false
		}
	}
	return true
}
