package suite

import (
	"os"
	"path/filepath"
	"testing"

	"harness/internal/scenarios"
)

// TestCompiledForms: every shipped file has a compiled form, and it is that of
// the file as it is.
func TestCompiledForms(t *testing.T) {
	files, err := filepath.Glob(shippedFolder + "/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shipped scenarios: %v", err)
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
