package house_test

import (
	"slices"
	"testing"
)

func TestEveryPackageHasItsPlace(t *testing.T) {
	for i, name := range order {
		if slices.Index(order, name) != i {
			t.Errorf("%s stands twice in order", name)
		}
		if find(t, name) == nil {
			t.Errorf("%s stands in order but does not exist", name)
		}
	}
	for _, p := range allPackages(t) {
		if !slices.Contains(order, p.path) {
			t.Errorf("%s has no place in order: put it above all that it imports", p.path)
		}
	}
}

func TestImportsGoDown(t *testing.T) {
	for _, p := range allPackages(t) {
		place := slices.Index(order, p.path)
		for name, pos := range p.imports() {
			target, ours := inModule(name)
			if !ours || place < 0 {
				continue
			}
			if slices.Index(order, target) <= place {
				t.Errorf("%s: %s must not import %s, which does not stand below it in order", pos, p.path, target)
			}
		}
	}
}

func TestLibrariesHaveOneOwner(t *testing.T) {
	used := map[string]bool{}
	for name := range ownerless {
		if find(t, name) == nil {
			t.Errorf("%s stands in ownerless but does not exist", name)
		}
	}
	for _, p := range allPackages(t) {
		if ownerless[p.path] != "" {
			continue
		}
		for name, pos := range p.imports() {
			if _, ours := inModule(name); ours || isStandard(name) {
				continue
			}
			i := slices.IndexFunc(libraries, func(l library) bool { return below(name, l.path) })
			if i < 0 {
				t.Errorf("%s: %s has no owner: add it to libraries, and to docs/dependencies.md", pos, name)
				continue
			}
			used[libraries[i].path] = true
			if owner := libraries[i].owner; p.path != owner {
				t.Errorf("%s: only %s imports %s: %s", pos, owner, name, libraries[i].reason)
			}
		}
	}
	for _, l := range libraries {
		if l.reason == "" {
			t.Errorf("%s has no reason", l.path)
		}
		if !used[l.path] {
			t.Errorf("%s stands in libraries, but no package imports it", l.path)
		}
	}
}

func TestPurePackagesExist(t *testing.T) {
	for _, name := range pure {
		if find(t, name) == nil {
			t.Errorf("%s stands in pure but does not exist", name)
		}
	}
	for name := range pureMayImport {
		if find(t, name) == nil {
			t.Errorf("%s stands in pureMayImport but does not exist", name)
		}
	}
}

func TestPurePackagesImportPureOnes(t *testing.T) {
	for _, p := range purePackages(t) {
		for name, pos := range p.imports() {
			target, ours := inModule(name)
			if ours && !slices.Contains(pure, target) && pureMayImport[target] == "" {
				t.Errorf("%s: %s must stay pure, and %s is not", pos, p.path, target)
			}
		}
	}
}

func TestTemplatesAreNotImported(t *testing.T) {
	for _, p := range allPackages(t) {
		for name, pos := range p.imports() {
			if slices.Contains(templates, name) {
				t.Errorf("%s: %s keeps the linker from dropping unused methods", pos, name)
			}
		}
	}
}

// purePackages is the packages that stand in pure and exist.
func purePackages(t *testing.T) []*pkg {
	t.Helper()
	var list []*pkg
	for _, p := range allPackages(t) {
		if slices.Contains(pure, p.path) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		t.Fatal("no pure package found")
	}
	return list
}
