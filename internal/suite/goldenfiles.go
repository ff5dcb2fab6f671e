package suite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"harness/internal/scenarios"
)

// ErrUpdateInCI refuses to rewrite goldens where nobody looks at the change.
var ErrUpdateInCI = errors.New("goldens are not rewritten where CI is set")

// UnreferencedGoldens lists the golden files below a folder, found as scenarios are and
// begun as goldens begin, that are not among the owned.
func UnreferencedGoldens(folder string, owned map[string]bool) ([]string, error) {
	var left []string
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != folder && strings.HasPrefix(e.Name(), ".") && e.IsDir():
			return filepath.SkipDir
		case e.Type().IsRegular() && filepath.Ext(name) == ".golden" && !strings.HasPrefix(e.Name(), ".") && !owned[filepath.Clean(name)] && isGolden(name):
			left = append(left, name)
		}
		return nil
	})
	slices.Sort(left)
	return left, err
}

// UnreferencedBeside lists the goldens that could only be those of a scenario file, and
// are not among the owned.
func UnreferencedBeside(file string, owned map[string]bool) ([]string, error) {
	own := GoldenPath(file, "")
	folder, left := strings.TrimSuffix(own, ".golden"), []string{own}
	if kind, err := os.Stat(folder); err == nil && kind.IsDir() {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name, is := strings.CutSuffix(e.Name(), ".golden"); is {
				left = append(left, GoldenPath(file, name))
			}
		}
	}
	return slices.DeleteFunc(left, func(name string) bool {
		kind, err := os.Lstat(name)
		return owned[filepath.Clean(name)] || err != nil || !kind.Mode().IsRegular() || !isGolden(name)
	}), nil
}

// GoldensOf are the places of the goldens of scenarios.
func GoldensOf(list []*scenarios.Scenario) map[string]bool {
	owned := make(map[string]bool, len(list))
	for _, s := range list {
		owned[filepath.Clean(GoldenPath(s.File, s.Case))] = true
	}
	return owned
}

// isGolden reports whether a file begins as a golden does; one that cannot be read
// does not.
func isGolden(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	const head = "harness golden "
	begin := make([]byte, len(head))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == head
}
