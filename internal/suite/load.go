package suite

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// Load parses every source and selects the scenarios they name, in the order of
// the sources. If the list holds more than notes, there are no scenarios.
func Load(sources []Source) ([]*scenarios.Scenario, diag.List) {
	return LoadWith(runtime.GOMAXPROCS(0), sources)
}

// LoadWith is [Load] with a number of workers, which only its speed depends on.
func LoadWith(workers int, sources []Source) ([]*scenarios.Scenario, diag.List) {
	files := parseAll(workers, sources)
	var found diag.List
	for _, f := range files.list {
		found = append(found, f.found...)
	}
	found = append(found, files.duplicates()...)
	found = append(found, files.shared()...)
	var selected []*scenarios.Scenario
	chosen := map[*scenarios.Scenario]bool{}
	for i := range sources {
		list, fault := files.of(&sources[i]).pick(&sources[i])
		if fault != nil {
			found = append(found, *fault)
		}
		for _, s := range list {
			if !chosen[s] {
				chosen[s] = true
				selected = append(selected, s)
			}
		}
	}
	found.Sort()
	// What is wrong with a file that several include is said once.
	found = slices.CompactFunc(found, func(a, b diag.Diagnostic) bool {
		return a.File == b.File && a.Pos == b.Pos && a.Code == b.Code && a.Message == b.Message
	})
	if found.Failed() {
		return nil, found
	}
	return selected, found
}

// file is one parsed file.
type file struct {
	source    *Source
	scenarios []*scenarios.Scenario
	found     diag.List
}

// files is the parsed files, each once.
type files struct {
	list   []*file
	byName map[string]*file
}

func (f *files) of(s *Source) *file { return f.byName[filepath.Clean(s.Name)] }

func parseAll(workers int, sources []Source) *files {
	f := &files{byName: make(map[string]*file, len(sources))}
	for i := range sources {
		if s := &sources[i]; f.of(s) == nil {
			one := &file{source: s}
			f.list, f.byName[filepath.Clean(s.Name)] = append(f.list, one), one
		}
	}
	// The largest first, so that no worker is left with one at the end.
	order := slices.Clone(f.list)
	slices.SortStableFunc(order, func(a, b *file) int { return len(b.source.Data) - len(a.source.Data) })
	parallel(workers, len(order), func(i int) {
		one := order[i]
		one.scenarios, one.found = scenarios.ParseWith(one.source.Name, one.source.Data, one.source.Compiled, one.source.Open)
	})
	return f
}

// parallel calls work for every number below n, on some workers. It returns when
// all is done. A panic in a worker is raised in the caller, where it is caught.
func parallel(workers, n int, work func(i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			work(i)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	var fault atomic.Value
	for range workers {
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					fault.CompareAndSwap(nil, &r)
				}
			}()
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	group.Wait()
	if r, ok := fault.Load().(*any); ok {
		panic(*r)
	}
}

// duplicates reports ids that stand in two files. Within a file ids are distinct.
func (f *files) duplicates() diag.List {
	var found diag.List
	first := map[string]*scenarios.Scenario{}
	for _, one := range f.list {
		for _, s := range one.scenarios {
			if other := first[s.ID]; other != nil {
				found = append(found, diag.Diagnostic{
					File: s.File, Pos: s.IDPos, Code: DuplicateID,
					Message: fmt.Sprintf("the id %s stands at %s:%s too", s.ID, other.File, other.IDPos),
					Hint:    "give each scenario an id of its own",
				})
				continue
			}
			first[s.ID] = s
		}
	}
	return found
}

// shared reports scenarios that would have one golden between them.
func (f *files) shared() diag.List {
	var found diag.List
	first := map[string]*scenarios.Scenario{}
	for _, one := range f.list {
		for _, s := range one.scenarios {
			path := filepath.Clean(GoldenPath(s.File, s.Case))
			if other := first[path]; other != nil && other.ID != s.ID && s.File != "-" {
				found = append(found, diag.Diagnostic{
					File: s.File, Pos: s.Pos, Code: GoldenShared,
					Message: fmt.Sprintf("its golden would be %s, which is that of %s at %s:%s too", filepath.ToSlash(path), other.ID, other.File, other.Pos),
					Hint:    "name the file or the case otherwise",
				})
				continue
			}
			first[path] = s
		}
	}
	return found
}

// pick selects what a source names of its file.
func (f *file) pick(s *Source) ([]*scenarios.Scenario, *diag.Diagnostic) {
	switch {
	case f.scenarios == nil:
		return nil, nil
	case s.Case != "":
		return f.byID(s)
	case s.Line > 0:
		return f.byLine(s)
	default:
		return f.scenarios, nil
	}
}

// byID finds the scenario of a case's id, or of a whole id or its last segment.
func (f *file) byID(s *Source) ([]*scenarios.Scenario, *diag.Diagnostic) {
	names := make([]string, len(f.scenarios))
	for i, one := range f.scenarios {
		if names[i] = path.Base(one.ID); names[i] == s.Case || one.ID == s.Case {
			return f.scenarios[i : i+1], nil
		}
	}
	hint := casesHint(names)
	if near := diag.Nearest(s.Case, names); near != "" {
		hint = "did you mean " + s.Name + "#" + near + "?"
	}
	return nil, &diag.Diagnostic{
		File: s.Name, Code: ScenarioNotFound, Message: fmt.Sprintf("the file has no case %+q", s.Case), Hint: hint,
	}
}

// casesHint names the cases of a file, the first of them if it has many.
func casesHint(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("it has %s, and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "it has " + strings.Join(names, ", ")
}

// byLine finds the case that a line belongs to: the last that starts at it or
// above it. Lines above all cases are about all of them.
func (f *file) byLine(s *Source) ([]*scenarios.Scenario, *diag.Diagnostic) {
	if lines := bytes.Count(s.Data, []byte("\n")) + 1; s.Line > lines {
		return nil, &diag.Diagnostic{
			File: s.Name, Code: ScenarioNotFound, Message: fmt.Sprintf("the file has %d lines, and no line %d", lines, s.Line),
		}
	}
	for i := len(f.scenarios) - 1; i >= 0; i-- {
		if one := f.scenarios[i]; one.Case != "" && one.Pos.Line <= s.Line {
			return f.scenarios[i : i+1], nil
		}
	}
	return f.scenarios, nil
}
