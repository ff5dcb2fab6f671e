package cli

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/scenarios"
	"harness/internal/suite"
	shippedsuite "harness/scenarios"
)

// shipped loads the embedded scenarios of a folder; "." is all of them.
func shipped(folder string) ([]*scenarios.Scenario, error) {
	sources, found := suite.FromFS(shippedsuite.FS, folder)
	if err := found.Err(); err != nil {
		return nil, err
	}
	list, found := suite.Load(sources)
	return list, found.Err()
}

// shippedOne loads the embedded scenario that a person means by name. A file
// that does not hold the name cannot hold the scenario, so it is not parsed.
func shippedOne(folder, name string) (*scenarios.Scenario, error) {
	sources, found := suite.FromFS(shippedsuite.FS, folder)
	if err := found.Err(); err != nil {
		return nil, err
	}
	last := []byte(path.Base(name))
	likely := slices.DeleteFunc(slices.Clone(sources), func(s suite.Source) bool { return !bytes.Contains(s.Data, last) })
	list, found := suite.Load(likely)
	if err := found.Err(); err != nil {
		return nil, err
	}
	one, err := pick(list, name)
	if err == nil {
		return one, nil
	}
	// A name that is none is compared with all there are.
	list, found = suite.Load(sources)
	if err := found.Err(); err != nil {
		return nil, err
	}
	return pick(list, name)
}

// pick finds the scenario with this id, or the only one whose id ends in name.
func pick(list []*scenarios.Scenario, name string) (*scenarios.Scenario, error) {
	var ends []*scenarios.Scenario
	names := make([]string, 0, 2*len(list))
	for _, s := range list {
		if s.ID == name {
			return s, nil
		}
		if strings.HasSuffix(s.ID, "/"+name) {
			ends = append(ends, s)
		}
		names = append(names, s.ID, path.Base(s.ID))
	}
	switch len(ends) {
	case 1:
		return ends[0], nil
	case 0:
		return nil, usage(UnknownName, hintNear(name, names, "harness list prints the shipped scenarios"), "there is no shipped scenario %s", quote(name))
	default:
		ids := make([]string, len(ends))
		for i, s := range ends {
			ids[i] = s.ID
		}
		return nil, usage(UnknownName, "one of: "+strings.Join(ids, ", "), "%s could be %s", quote(name), count(len(ends), "scenario"))
	}
}

// shippedNames lists the last elements of the ids in a folder, for completion.
func shippedNames(folder string) []string {
	ids := shippedIn(folder)
	for i, id := range ids {
		ids[i] = path.Base(id)
	}
	return ids
}

// shippedIDs lists the ids of the shipped scenarios, for completion.
func shippedIDs() []string { return shippedIn(".") }

func shippedIn(folder string) []string {
	list, err := shipped(folder)
	if err != nil {
		return nil
	}
	ids := make([]string, len(list))
	for i, s := range list {
		ids[i] = s.ID
	}
	return ids
}

// load finds and loads what paths name, and prints the notes about it. Anything
// more than a note keeps everything from being run.
func (s *session) load(paths []string) ([]*scenarios.Scenario, error) {
	if err := onceStdin(paths); err != nil {
		return nil, err
	}
	s.listen()
	sources, found := suite.Find(paths, s.in)
	list, more := suite.Load(sources)
	found = append(found, more...)
	if err := found.Err(); err != nil {
		return nil, err
	}
	// Notes change nothing, and nor does it if they cannot be written.
	_ = s.diagnose(s.err, found)
	if len(list) == 0 {
		return nil, emptySelection(paths)
	}
	return list, nil
}

func emptySelection(paths []string) error {
	return diag.List{{
		Code:    EmptySelection,
		Message: "no scenario in " + clip(strings.Join(paths, ", ")),
		Hint:    "harness list PATH shows what a path holds; harness new --from workflow/sum FILE makes a first one",
	}}
}

// onceStdin refuses a second "-": standard input can be read once.
func onceStdin(words []string) error {
	n := 0
	for _, w := range words {
		if w == "-" {
			n++
		}
	}
	if n > 1 {
		return usage(Usage, "name - once", "standard input is named %d times", n)
	}
	return nil
}
