package suite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"harness/internal/report"
	"harness/internal/textdiff"
)

// GoldenDiff is a golden that is not what its run gives.
type GoldenDiff struct {
	Path    string
	Missing bool   // there is no such file
	Diff    string // -want +got
	got     []byte
}

// ErrUpdateInCI refuses to rewrite goldens where nobody looks at the change.
var ErrUpdateInCI = errors.New("goldens are not rewritten where CI is set: update them on your machine and commit the change")

// CompareGoldens compares the goldens of cases with the files beside their
// scenarios, byte for byte. What agrees is left out.
func CompareGoldens(cases []report.Case) ([]GoldenDiff, error) {
	var diffs []GoldenDiff
	for i := range cases {
		s := cases[i].Scenario
		d := GoldenDiff{Path: GoldenPath(s.File, s.Case), got: Golden(cases[i].Result)}
		want, err := os.ReadFile(d.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.Missing = true
		case err != nil:
			return nil, err
		case string(want) == string(d.got):
			continue
		}
		d.Diff = textdiff.Unified(string(want), string(d.got), 3)
		diffs = append(diffs, d)
	}
	return diffs, nil
}

// UpdateGoldens writes every golden that is missing or differs, and returns those
// it wrote, with what changed. Commit a changed golden only if you know why it
// changed.
func UpdateGoldens(cases []report.Case) ([]GoldenDiff, error) {
	if ci := os.Getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return nil, ErrUpdateInCI
	}
	diffs, err := CompareGoldens(cases)
	if err != nil {
		return nil, err
	}
	for i, d := range diffs {
		if err := os.MkdirAll(filepath.Dir(d.Path), 0o755); err != nil {
			return diffs[:i], err
		}
		if err := os.WriteFile(d.Path, d.got, 0o644); err != nil {
			return diffs[:i], err
		}
	}
	return diffs, nil
}

// UnreferencedGoldens lists the golden files below a folder that belong to none
// of the cases.
func UnreferencedGoldens(folder string, cases []report.Case) ([]string, error) {
	owned := make(map[string]bool, len(cases))
	for i := range cases {
		s := cases[i].Scenario
		owned[filepath.Clean(GoldenPath(s.File, s.Case))] = true
	}
	var left []string
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Ext(name) == ".golden" && !owned[filepath.Clean(name)] {
			left = append(left, name)
		}
		return err
	})
	slices.Sort(left)
	return left, err
}
