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
// begun as goldens begin, that belong to none
// of the scenarios.
func UnreferencedGoldens(folder string, list []*scenarios.Scenario) ([]string, error) {
	owned := make(map[string]bool, len(list))
	for _, s := range list {
		owned[filepath.Clean(GoldenPath(s.File, s.Case))] = true
	}
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
