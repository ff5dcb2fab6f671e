package suite

import (
	"os"
	"path/filepath"
	"testing"

	"harness/internal/scenarios"
)

// TestCompiledForms: every file of the demos has a compiled form, and it is that of
// the file as it is. Others have none: they are not read at a start.
func TestCompiledForms(t *testing.T) {
	var files []string
	for _, folder := range []string{"boundaries", "workflow"} {
		some, err := filepath.Glob(shippedFolder + "/" + folder + "/*.yaml")
		if err != nil || len(some) == 0 {
			t.Fatalf("no scenarios in %s: %v", folder, err)
		}
		files = append(files, some...)
	}
	if forms, _ := filepath.Glob(shippedFolder + "/*/*.nodes"); len(forms) != len(files) && !*update {
		t.Errorf("got %d compiled forms of %d files", len(forms), len(files))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := scenarios.Compile(data)
		if !ok {
			t.Errorf("%s cannot be compiled", name)
			continue
		}
		if *update {
			if os.Getenv("CI") != "" {
				t.Fatal(ErrUpdateInCI)
			}
			if err := os.WriteFile(CompiledPath(name), want, 0o644); err != nil {
				t.Fatal(err)
			}
			t.Logf("wrote %s", CompiledPath(name))
		}
		if got, err := os.ReadFile(CompiledPath(name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is stale: go test ./internal/suite -run TestCompiledForms -update writes it anew", CompiledPath(name))
		}
	}
}
