package house_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOnePackageComment(t *testing.T) {
	for _, p := range allPackages(t) {
		var with []string
		for _, file := range p.files {
			if file.tree.Doc == nil {
				continue
			}
			with = append(with, file.name)
			want := "Package " + file.tree.Name.Name + " "
			if file.tree.Name.Name == "main" {
				want = "Command " + filepath.Base(p.path) + " "
			}
			if text := file.tree.Doc.Text(); !strings.HasPrefix(strings.ReplaceAll(text, "\n", " "), want) {
				t.Errorf("%s: the package comment must begin with %q", file.name, want)
			}
		}
		if len(with) != 1 {
			t.Errorf("%s has %d package comments %v; want one", p.path, len(with), with)
		}
	}
}

// What replaces a module is not seen by those who install with go install.
func TestNoReplacedModule(t *testing.T) {
	for _, name := range []string{"go.mod", ".ci/tools.mod"} {
		if _, err := os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err) // read here too, so that go test sees when it changes
		}
		out, err := run(nil, "go", "mod", "edit", "-json", name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Replace, Exclude []json.RawMessage }
		if err := json.NewDecoder(bytes.NewReader(out)).Decode(&file); err != nil {
			t.Fatal(err)
		}
		if n := len(file.Replace) + len(file.Exclude); n != 0 {
			t.Errorf("%s has %d replace or exclude lines; want none", name, n)
		}
	}
}
