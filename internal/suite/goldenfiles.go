package suite

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"harness/internal/scenarios"
)

// ErrUpdateInCI refuses to rewrite goldens where nobody looks at the change.
var ErrUpdateInCI = errors.New("goldens are not rewritten where CI is set")

// UnreferencedGoldens lists the golden files below a folder that belong to none
// of the scenarios.
func UnreferencedGoldens(folder string, list []*scenarios.Scenario) ([]string, error) {
	owned := make(map[string]bool, len(list))
	for _, s := range list {
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
