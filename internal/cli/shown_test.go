package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harness/internal/diag"
)

// unshown are the codes that no shipped scenario can show, and why.
var unshown = map[string]string{}

// Every code that a run can give is shown by a shipped scenario, and every other
// code by a script or a test.
func TestEveryCodeIsShown(t *testing.T) {
	pages, err := codePages()
	if err != nil {
		t.Fatal(err)
	}
	tests := testTexts(t)
	for _, p := range pages {
		name := p.Code.Name
		switch class := p.Code.Class; {
		case p.Scenario != "":
			if reason, ok := unshown[name]; ok {
				t.Errorf("%s is shown by %s; it is no longer excused: %s", name, p.Scenario, reason)
			}
		case unshown[name] != "":
		case (class == diag.Rejection || class == diag.Stop) && p.Code.Gate != "":
			t.Errorf("no shipped scenario shows %s", name)
		case !strings.Contains(tests, name):
			t.Errorf("no scenario, script or test shows %s", name)
		}
	}
}

// testTexts are the scripts and test sources in which a code can be named.
func testTexts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, pattern := range []string{"testdata/script/*.txtar", "../scenarios/*_test.go", "../suite/*_test.go", "../runner/machine/*_test.go", "../policy/*_test.go", "*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(f) != "shown_test.go" {
				b.Write(text)
			}
		}
	}
	return b.String()
}
