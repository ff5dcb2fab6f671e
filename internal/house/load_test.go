package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	module = "harness"
	root   = "../.."
	// tags are the build tags of the binary. The tests build with them and
	// without cgo, as make lint does, so that each package is compiled once.
	tags = "-tags=validator_novalidatefn"
)

// source is one Go file that is no test.
type source struct {
	name string // from the root, with slashes
	tree *ast.File
}

// pkg is one package of this module, with the files of all systems.
type pkg struct {
	path    string // from the root, with slashes
	files   []source
	inTests []string // import paths of its test files
}

// fset holds the positions of everything that is parsed here.
var fset = token.NewFileSet()

// packages parses the module once. Every file is read in this process, so that
// go test knows what the result depends on and does not reuse an old one.
var packages = sync.OnceValues(func() ([]*pkg, error) {
	found := map[string]*pkg{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skip(name, entry.Name())
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		return parse(found, name)
	})
	var list []*pkg
	for _, p := range found {
		if len(p.files) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return list, err
})

// skip tells the walk to leave out a folder that the go command would, too.
func skip(name, base string) error {
	hidden := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
	if name != root && (hidden || base == "testdata") {
		return fs.SkipDir
	}
	return nil
}

func parse(found map[string]*pkg, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	tree, err := parser.ParseFile(fset, rel, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	dir := path.Dir(rel)
	if found[dir] == nil {
		found[dir] = &pkg{path: dir}
	}
	p := found[dir]
	if strings.HasSuffix(name, "_test.go") {
		for _, spec := range tree.Imports {
			p.inTests = append(p.inTests, importPath(spec))
		}
		return nil
	}
	p.files = append(p.files, source{rel, tree})
	return nil
}

func importPath(spec *ast.ImportSpec) string {
	name, _ := strconv.Unquote(spec.Path.Value)
	return name
}

// allPackages is every package of the module, by path.
func allPackages(t *testing.T) []*pkg {
	t.Helper()
	list, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("no package found")
	}
	return list
}

// find is the package at path, nil if there is none.
func find(t *testing.T, path string) *pkg {
	t.Helper()
	for _, p := range allPackages(t) {
		if p.path == path {
			return p
		}
	}
	return nil
}

// imports gives the import paths of a package, each with its first position.
func (p *pkg) imports() map[string]token.Position {
	all := map[string]token.Position{}
	for _, file := range p.files {
		for _, spec := range file.tree.Imports {
			name := importPath(spec)
			if _, seen := all[name]; !seen {
				all[name] = fset.Position(spec.Pos())
			}
		}
	}
	return all
}

// below reports whether an import path is parent or stands below it.
func below(name, parent string) bool {
	return name == parent || strings.HasPrefix(name, parent+"/")
}

// inModule gives the path from the root of an import of this module.
func inModule(name string) (string, bool) {
	if name == module {
		return ".", true
	}
	return strings.CutPrefix(name, module+"/")
}

// isStandard reports whether an import is of the standard library.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".") && first != module
}

// checked is a package with what the type checker knows of it.
type checked struct {
	*pkg
	types *types.Package
	info  *types.Info
}

// typed checks the types of p, as far as it is built on this system. It is nil,
// and the test has failed, if p does not compile.
func typed(t *testing.T, p *pkg) *checked {
	t.Helper()
	imports, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, file := range p.files {
		dir, base := path.Split(file.name)
		matches, err := build.Default.MatchFile(filepath.Join(root, dir), base)
		if err != nil {
			t.Fatal(err)
		}
		if matches {
			files = append(files, file.tree)
		}
	}
	c, err := check(p, files, imports)
	if err != nil {
		t.Errorf("%s does not compile: %v", p.path, err)
		return nil
	}
	return c
}

// check runs the type checker over the files of a package.
func check(p *pkg, files []*ast.File, imports types.Importer) (*checked, error) {
	c := &checked{pkg: p, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}}
	config := types.Config{Importer: imports}
	var err error
	c.types, err = config.Check(module+"/"+p.path, fset, files, c.info)
	return c, err
}

// compiled gives the types of compiled packages: those that the module imports,
// and those that the bans are about.
var compiled = sync.OnceValues(func() (types.Importer, error) {
	args := []string{"list", "-e", "-export", "-deps", tags, "-json=ImportPath,Export", "./...", "os/exec"}
	for _, b := range banned {
		if owner, _, ok := b.member(); ok {
			args = append(args, owner)
		}
	}
	out, err := run([]string{"CGO_ENABLED=0"}, "go", args...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var entry struct{ ImportPath, Export string }
		err := decoder.Decode(&entry)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		exports[entry.ImportPath] = entry.Export
	}
	open := func(name string) (io.ReadCloser, error) {
		if exports[name] == "" {
			return nil, fmt.Errorf("%s is not compiled", name)
		}
		return os.Open(exports[name])
	}
	return importer.ForCompiler(fset, "gc", open), nil
})

// run runs a command in the root, with additions to the environment, and gives
// its standard output.
func run(env []string, name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir = root
	command.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", command, err, stderr.Bytes())
	}
	return out, nil
}
