package suite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// Find reads what paths name on the system's files: a file, a folder with all
// below it, a pattern as the shell has them, FILE#CASE, FILE:LINE, or - for
// standard input. A name that exists is taken as it is. What is named twice is
// read once.
func Find(paths []string, stdin io.Reader) ([]Source, diag.List) {
	return find(paths, &finder{stdin: stdin})
}

// FromFS reads a file, or a folder with all below it, of a file system such as
// the embedded suite; "." is all of it.
func FromFS(fsys fs.FS, name string) ([]Source, diag.List) {
	return find([]string{name}, &finder{fsys: fsys})
}

func find(paths []string, f *finder) ([]Source, diag.List) {
	f.seen = map[Source]bool{}
	for _, name := range paths {
		f.path(name)
	}
	onlyEmpty := !slices.ContainsFunc(f.found, func(d diag.Diagnostic) bool { return d.Code != NoScenarios })
	if len(f.sources) == 0 && onlyEmpty {
		return nil, nil // nothing is selected, which is the caller's to report
	}
	f.found.Sort()
	return f.sources, f.found
}

// finder collects sources.
type finder struct {
	fsys    fs.FS // nil for the system's files
	stdin   io.Reader
	sources []Source
	seen    map[identity]bool
	found   diag.List
}
