package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"harness/internal/report"
	"harness/schema"
)

// The parts of a kit that are no scenario and no schema. Git must not change the
// bytes of goldens, whatever the system's line ends are.
const (
	kitAttributes = "*.golden -text\n*.yaml text eol=lf\n"
	kitJob        = `# A job for GitHub: copy it to .github/workflows/. Annotations and the step summary
# come by themselves; the exit code is the verdict.
name: boundaries
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # Put the harness binary on the PATH here.
      - run: harness test FOLDER --require-goldens --unreferenced fail --coverage --report junit=out/junit.xml
      - if: always()
        uses: actions/upload-artifact@v4
        with: {name: harness, path: out}
`
)

// writeKit makes the scenario and what belongs beside it. Parts that are there
// already as they should be are left alone.
func (o *NewOptions) writeKit(scenario []byte) error {
	folder := filepath.Dir(o.File)
	tested := folder
	if !filepath.IsLocal(folder) { // where it is in a checkout is not known
		whole, err := filepath.Abs(folder)
		if err != nil {
			return writeFailed(folder, err)
		}
		tested = filepath.Base(whole)
	}
	job := strings.Replace(kitJob, "FOLDER", report.ShellWord(filepath.ToSlash(tested)), 1)
	described, err := fs.ReadFile(schema.FS, schemaFile)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return writeFailed(folder, err)
	}
	for _, part := range []struct {
		name string
		text []byte
	}{
		{o.File, scenario},
		{filepath.Join(folder, schemaFile), described},
		{filepath.Join(folder, ".gitattributes"), []byte(kitAttributes)},
		{filepath.Join(folder, ".harness-ci.yml"), []byte(job)},
	} {
		if old, err := os.ReadFile(part.name); err == nil && bytes.Equal(old, part.text) {
			continue
		}
		if err := o.write(part.name, part.text); err != nil {
			return err
		}
		o.note("wrote %s", part.name)
	}
	o.note("next:")
	o.note("  harness test %s", report.ShellWord(folder))
	o.note("  harness test %s --update=new   # writes goldens, to be looked at and committed", report.ShellWord(folder))
	return nil
}
