package suite

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// Find reads what paths name on the system: a file, a folder with all below it,
// a pattern as a shell has them, FILE#CASE, FILE:LINE, or - for standard input.
// A name that exists is taken as it is. What is named twice is read once.
func Find(paths []string, stdin io.Reader) ([]Source, diag.List) {
	return find(paths, &finder{stdin: stdin})
}

// FromFS reads a file, or a folder with all below it, of a file system such as
// the embedded suite; "." is all of it.
func FromFS(fsys fs.FS, name string) ([]Source, diag.List) {
	return find([]string{name}, &finder{fsys: fsys})
}

func find(paths []string, f *finder) ([]Source, diag.List) {
	f.seen = map[identity]bool{}
	for _, name := range paths {
		f.path(name)
	}
	f.readAll()
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
	named   []identity // the files named, in order; read once all are known
	input   []byte     // of standard input, if that is named
}

// identity is what makes two sources the same.
type identity struct {
	name, id string
	line     int
}

func (f *finder) fault(name string, code *diag.Code, message, hint string) {
	f.found = append(f.found, diag.Diagnostic{File: name, Code: code, Message: message, Hint: hint})
}

// path takes one argument.
func (f *finder) path(name string) {
	if f.isInput(name) {
		f.readInput()
		return
	}
	kind, err := f.stat(name)
	switch {
	case err == nil:
		f.take(name, kind, identity{})
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
		f.part(name)
	default:
		f.unreadable(name, err)
	}
}

// part takes a name that is no file's own: a part of a file, or a pattern.
func (f *finder) part(name string) {
	file, part, ok := cutPart(name)
	if ok {
		kind, err := f.stat(file)
		if err == nil && !kind.IsDir() {
			f.take(file, kind, part)
			return
		}
		name = file
	}
	if strings.ContainsAny(name, "*?[") && !ok {
		f.pattern(name)
		return
	}
	f.fault(name, ScenarioNotFound, "there is no such file or folder", f.near(name))
}

// cutPart parts FILE#CASE, FILE:LINE and FILE:LINE:COLUMN.
func cutPart(name string) (file string, part identity, ok bool) {
	if i := strings.LastIndexByte(name, '#'); i > 0 && i < len(name)-1 {
		return name[:i], identity{id: name[i+1:]}, true
	}
	file, line, ok := cutNumber(name)
	if !ok {
		return "", identity{}, false
	}
	if rest, number, more := cutNumber(file); more {
		file, line = rest, number
	}
	return file, identity{line: line}, true
}

// cutNumber parts a name from a number behind its last colon.
func cutNumber(name string) (rest string, number int, ok bool) {
	i := strings.LastIndexByte(name, ':')
	if i <= 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(name[i+1:])
	return name[:i], number, err == nil && number > 0
}

// take takes a name that exists.
func (f *finder) take(name string, kind fs.FileInfo, part identity) {
	switch {
	case kind.IsDir():
		f.folder(name)
	case isScenarioName(name) || path.Ext(f.slash(name)) == "":
		f.file(name, part)
	case path.Ext(f.slash(name)) == ".golden": // it stands beside its scenario, and a shell's pattern names both
	default:
		f.fault(name, NotAScenarioFile, "the name of a scenario file ends in .yaml or .yml", "")
	}
}

func isScenarioName(name string) bool {
	switch strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/"))) {
	case ".yaml", ".yml":
		return true
	default:
		return false
	}
}

// folder takes every scenario file below a folder, in the order of their paths.
func (f *finder) folder(name string) {
	names := f.below(name, nil)
	if len(names) == 0 {
		f.fault(name, NoScenarios, "the folder holds no scenario file", "")
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(f.slash(a), f.slash(b)) })
	for _, n := range names {
		f.file(n, identity{})
	}
}

// below appends the names of the scenario files below a folder. Links to folders
// are not followed, so it always ends.
func (f *finder) below(folder string, names []string) []string {
	entries, err := f.readFolder(folder)
	if err != nil {
		f.unreadable(folder, err)
	}
	for _, e := range entries {
		name := f.join(folder, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), ".") || e.Name() == "harness.yaml":
		case e.IsDir():
			names = f.below(name, names)
		case f.isLinkedFolder(name, e):
			f.fault(name, LinkNotFollowed, "the link leads to a folder and is not followed", "name the folder itself, if its scenarios are meant")
		case isScenarioName(name) && f.isFile(name, e):
			names = append(names, name)
		}
	}
	return names
}

func (f *finder) isLinkedFolder(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return false
	}
	kind, err := f.stat(name)
	return err == nil && kind.IsDir()
}

// isFile reports whether an entry is a file or a link to one.
func (f *finder) isFile(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	kind, err := f.stat(name)
	return err != nil || kind.Mode().IsRegular() // a dangling link is reported when it is read
}

// pattern takes what a pattern matches: folders, and scenario files.
func (f *finder) pattern(pattern string) {
	names, err := f.glob(pattern)
	if err != nil {
		f.fault(pattern, ScenarioNotFound, "the pattern is malformed: "+err.Error(), "")
		return
	}
	matched := false
	for _, name := range names {
		if kind, err := f.stat(name); err == nil && (kind.IsDir() || isScenarioName(name)) {
			f.take(name, kind, identity{})
			matched = true
		}
	}
	if !matched {
		f.fault(pattern, NoScenarios, "the pattern matches no scenario file", "")
	}
}

// file reads one file.
func (f *finder) file(name string, part identity) {
	part.name = name
	if f.fsys == nil {
		part.name = filepath.Clean(name)
		if whole, err := filepath.Abs(name); err == nil {
			part.name = whole // one file may be named in two ways
		}
	}
	if !f.seen[part] {
		f.seen[part] = true
		part.name = name
		f.named = append(f.named, part)
	}
}

// readAll reads the files named, several at a time: most of it is waiting.
func (f *finder) readAll() {
	texts, faults := make([][]byte, len(f.named)), make([]error, len(f.named))
	parallel(runtime.GOMAXPROCS(0), len(f.named), func(i int) {
		if f.isInput(f.named[i].name) {
			return
		}
		texts[i], faults[i] = f.read(f.named[i].name)
	})
	for i, part := range f.named {
		name, data := part.name, texts[i]
		switch why := noScenario(name, data); {
		case f.isInput(name):
			f.sources = append(f.sources, Source{Name: name, Data: f.input})
		case faults[i] != nil:
			f.unreadable(name, faults[i])
		case why != "":
			f.fault(name, NotAScenarioFile, why, "")
		default:
			o := &opened{}
			f.sources = append(f.sources, Source{
				Name: name, Data: data, Case: part.id, Line: part.line, Compiled: f.compiled(name), Open: f.opener(name, o), opened: o,
			})
		}
	}
}

// opened is what a file has included so far, in order.
type opened struct {
	mutex sync.Mutex
	names []string
	texts [][]byte
}

// Whole reports whether all scenarios of a file are meant. It is false for standard input.
func (s *Source) Whole() bool { return s.Name != "-" && s.Case == "" && s.Line == 0 }

// included is the bytes of what a file has included.
func (s *Source) included() [][]byte {
	if s.opened == nil {
		return nil
	}
	s.opened.mutex.Lock()
	defer s.opened.mutex.Unlock()
	return s.opened.texts
}

// Includes are the names of the files that the source has included.
func (s *Source) Includes() []string {
	if s.opened == nil {
		return nil
	}
	s.opened.mutex.Lock()
	defer s.opened.mutex.Unlock()
	return s.opened.names
}

// opener gives the files that one includes, and notes them.
func (f *finder) opener(name string, o *opened) scenarios.Opener {
	return func(other string) ([]byte, error) {
		file := f.join(f.folderOf(name), other)
		data, err := f.read(file)
		if err == nil {
			o.mutex.Lock()
			o.names, o.texts = append(o.names, file), append(o.texts, data)
			o.mutex.Unlock()
		}
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return data, err
	}
}

func (f *finder) folderOf(name string) string {
	if f.fsys != nil {
		return path.Dir(name)
	}
	return filepath.Dir(name)
}

// noScenario says why a file cannot be one, where that is plain from a look at
// it; "" if it may be one. Of UTF-16, which has NUL bytes, the parser says so.
func noScenario(name string, data []byte) string {
	utf16 := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
	switch {
	case !utf16 && bytes.IndexByte(data, 0) >= 0:
		return "it holds NUL bytes, so it is no text"
	case !isScenarioName(name) && !bytes.Contains(data, []byte("apiVersion")):
		return "its name does not end in .yaml or .yml, and it has no apiVersion"
	}
	return ""
}

// compiled is what lies beside a file of an embedded suite; nil if nothing does.
func (f *finder) compiled(name string) []byte {
	if f.fsys == nil {
		return nil
	}
	data, err := fs.ReadFile(f.fsys, CompiledPath(name))
	if err != nil {
		return nil
	}
	return data
}

// CompiledPath is where the compiled form of an embedded file is kept.
func CompiledPath(file string) string {
	return strings.TrimSuffix(file, path.Ext(file)) + ".nodes"
}

// isInput reports whether a name is that of standard input.
func (f *finder) isInput(name string) bool { return name == "-" && f.fsys == nil }

// readInput reads standard input.
func (f *finder) readInput() {
	if f.seen[identity{name: "-"}] {
		return
	}
	f.seen[identity{name: "-"}] = true
	data, err := readLimited(f.stdin)
	if err != nil {
		f.unreadable("-", err)
		return
	}
	f.input, f.named = data, append(f.named, identity{name: "-"})
}

// readLimited reads as much as shows that there is too much.
func readLimited(r io.Reader) ([]byte, error) {
	if r == nil {
		return nil, errors.New("there is no standard input")
	}
	return io.ReadAll(io.LimitReader(r, scenarios.MaxSize+1))
}

func (f *finder) unreadable(name string, err error) {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	f.fault(name, ScenarioUnreadable, "it cannot be read: "+err.Error(), "")
}

// near is the hint for a name that does not exist: the nearest in its folder.
func (f *finder) near(name string) string {
	folder, base := path.Split(f.slash(name))
	entries, err := f.readFolder(path.Clean(folder))
	if err != nil {
		return ""
	}
	const most = 1000
	stems, names := []string{}, map[string]string{}
	for _, e := range entries[:min(len(entries), most)] {
		if s := stem(e.Name()); e.IsDir() || isScenarioName(e.Name()) {
			stems, names[s] = append(stems, s), e.Name()
		}
	}
	if near := diag.Nearest(stem(base), stems); near != "" {
		return "did you mean " + folder + names[near] + "?"
	}
	return ""
}

// stem is a name without the ending that all scenario files have, so that it does
// not make names alike.
func stem(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml")
}

// The file system, the system's or another.

func (f *finder) stat(name string) (fs.FileInfo, error) {
	if f.fsys != nil {
		return fs.Stat(f.fsys, name)
	}
	return os.Stat(name)
}

func (f *finder) readFolder(name string) ([]fs.DirEntry, error) {
	if f.fsys != nil {
		return fs.ReadDir(f.fsys, name)
	}
	return os.ReadDir(name)
}

func (f *finder) glob(pattern string) ([]string, error) {
	if f.fsys != nil {
		return fs.Glob(f.fsys, pattern)
	}
	return filepath.Glob(pattern)
}

func (f *finder) join(folder, name string) string {
	if f.fsys != nil {
		return path.Join(folder, name)
	}
	return filepath.Join(folder, name)
}

func (f *finder) slash(name string) string {
	if f.fsys != nil {
		return name
	}
	return filepath.ToSlash(name)
}

func (f *finder) read(name string) ([]byte, error) {
	if f.fsys != nil {
		return fs.ReadFile(f.fsys, name)
	}
	kind, err := os.Stat(name)
	if err == nil && kind.Mode().IsRegular() && kind.Size() <= scenarios.MaxSize {
		return os.ReadFile(name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readLimited(file)
}
