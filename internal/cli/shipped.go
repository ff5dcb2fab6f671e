package cli

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/scenarios"
	"harness/internal/suite"
	shippedsuite "harness/scenarios"
)

// shipped loads the embedded scenarios of a file or a folder; "." is all of them.
func shipped(name string) ([]*scenarios.Scenario, error) {
	sources, found := suite.FromFS(shippedsuite.FS, name)
	if err := found.Err(); err != nil {
		return nil, err
	}
	list, found := suite.Load(sources)
	return list, found.Err()
}

// shippedOne loads the embedded scenario that a person means by name; one of the
// folder is meant sooner than others, and others are loaded only if it has none.
func shippedOne(folder, name string) (*scenarios.Scenario, error) {
	for _, where := range []string{folder, "."} {
		list, err := likely(where, name)
		if err != nil {
			return nil, err
		}
		if one, err := pick(list, name); err == nil {
			return one, nil
		}
	}
	// A name that is none is compared with all there are.
	list, err := shipped(".")
	if err != nil {
		return nil, err
	}
	return pick(list, name)
}

// likely loads the embedded file of a folder that is called name, or else those
// that hold the last part of it: no other can hold the scenario, so no other is
// parsed.
func likely(folder, name string) ([]*scenarios.Scenario, error) {
	if own := path.Join(folder, name) + ".yaml"; isFile(own) {
		return shipped(own)
	}
	sources, found := suite.FromFS(shippedsuite.FS, folder)
	if err := found.Err(); err != nil {
		return nil, err
	}
	last := []byte(path.Base(name))
	list, found := suite.Load(slices.DeleteFunc(sources, func(s suite.Source) bool { return !bytes.Contains(s.Data, last) }))
	return list, found.Err()
}

func isFile(name string) bool {
	info, err := fs.Stat(shippedsuite.FS, name)
	return err == nil && info.Mode().IsRegular()
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
	list, _, err := s.loadSources(paths)
	return list, err
}

// loadSources is load, and gives the files too.
func (s *session) loadSources(paths []string) ([]*scenarios.Scenario, []suite.Source, error) {
	if err := onceStdin(paths); err != nil {
		return nil, nil, err
	}
	s.listen()
	sources, found := suite.Find(paths, s.in)
	list, more := suite.LoadWith(s.suiteWorkers(), sources)
	found = append(found, more...)
	if err := empty(list, found, paths); err != nil {
		return nil, nil, err
	}
	if err := found.Err(); err != nil {
		return nil, nil, err
	}
	// Notes change nothing, and nor does it if they cannot be written.
	_ = s.diagnose(s.err, found)
	return list, sources, nil
}

// empty is the error of paths that hold no scenario and have no other fault, so
// that nothing is ever called a success.
func empty(list []*scenarios.Scenario, found diag.List, paths []string) error {
	other := func(d diag.Diagnostic) bool { return d.Code != suite.NoScenarios && !d.IsNote() }
	switch {
	case len(list) > 0 || slices.ContainsFunc(found, other):
		return nil
	case !found.Failed():
		found = diag.List{{Code: suite.NoScenarios, Message: "no scenario in " + clip(strings.Join(paths, ", "))}}
	}
	return emptySelection{found}
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
