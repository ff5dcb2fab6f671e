package house_test

import (
	"go/token"
	"strings"
)

// order lists the packages of this module from the top down. A package imports
// only what stands below it, so that no knowledge of files, terminals or suites
// seeps into what decides.
var order = []string{
	"cmd/harness",
	"internal/bench",
	"internal/bench/yardstick/empty",
	"internal/bench/yardstick/floor",
	"internal/bench/yardstick/parse",
	"internal/cli",
	"internal/suite",
	"internal/report",
	"internal/coverage",
	"internal/explore",
	"internal/scenarios",
	"internal/runner",
	"internal/runner/machine",
	"internal/prompt",
	"internal/policy",
	"internal/tools/repotools",
	"internal/tools/fixture",
	"internal/tools",
	"internal/event",
	"internal/model",
	"internal/action",
	"internal/vrepo",
	"internal/expression",
	"internal/strictjson",
	"internal/textdiff",
	"internal/term",
	"internal/diag",
	"scenarios",
	"schema",
	"internal/house",
}

// library is a module, or a part of one, that only one package may import.
type library struct {
	path   string // the import path and all below it
	owner  string // the one package that imports it outside tests
	reason string // why it is kept to that package
}

var libraries = []library{
	{"github.com/spf13/cobra", "internal/cli", "commands must run without their command line"},
	{"github.com/spf13/pflag", "internal/cli", "it is cobra's"},
	{"github.com/spf13/viper", "internal/cli", "it folds case and splits keys at dots: settings only, never scenarios"},
	{"github.com/go-playground/validator/v10", "internal/scenarios", "dear to make, and its words are no diagnostics: one instance, translated in one place"},
	{"go.yaml.in/yaml/v4", "internal/scenarios", "YAML is read through nodes, with positions, by one strict reader"},
	{"github.com/fatih/color", "internal/term", "it decides about colour from the standard output; a stream decides for itself"},
	{"github.com/clipperhouse/uax29/v2", "internal/term", "text is measured by one rule"},
	{"golang.org/x/text/width", "internal/term", "text is measured by one rule"},
	{"golang.org/x/text/unicode/norm", "internal/vrepo", "two paths are the same by one rule"},
	{"golang.org/x/term", "internal/term", "one place asks what a terminal is"},
	{"github.com/sergi/go-diff", "internal/textdiff", "by default it stops at a time limit and its output depends on the machine"},
	{"github.com/bmatcuk/doublestar/v4", "internal/policy", "globs mean one thing in every rule"},
	{"github.com/google/jsonschema-go", "internal/tools/fixture", "schemas of declared tools mean one thing, and faults have words of our own"},
}

// ownerless lists the packages that may import any library, with the reason.
var ownerless = map[string]string{
	"internal/bench/yardstick/floor": "links what the binary links, to be measured against it",
	"internal/bench/yardstick/parse": "parses what the binary parses, to be measured against it",
}

// pure lists the packages that do no input or output and are deterministic:
// same arguments, same result, on every machine. Resume, replay, exploration and
// a distributed driver run them all again and must get the same.
var pure = []string{
	"internal/runner/machine",
	"internal/prompt",
	"internal/policy",
	"internal/tools/repotools",
	"internal/tools/fixture",
	"internal/tools",
	"internal/event",
	"internal/action",
	"internal/expression",
	"internal/strictjson",
	"internal/textdiff",
	"internal/diag",
}

// pureMayImport lists the other packages of this module that a pure package may
// import, with the reason why it stays pure.
var pureMayImport = map[string]string{
	"internal/vrepo": "a snapshot in memory; it may search in parallel, but answers as if it had not",
	"internal/model": "the port's types; what a model does is done by the driver",
}

// ban is something that pure packages must not do.
type ban struct {
	what   string // an import path, with all below it; or path.Name of a package's function, type or variable
	reason string
}

// member splits what names a member of a package into the two.
func (b ban) member() (owner, name string, ok bool) {
	slash := strings.LastIndexByte(b.what, '/')
	owner, name, ok = strings.Cut(b.what[slash+1:], ".")
	return b.what[:slash+1] + owner, name, ok && token.IsExported(name)
}

var banned = []ban{
	{"os", "files, processes and the environment belong to the driver"},
	{"io/fs", "files belong to the driver"},
	{"path/filepath", "its separators differ between systems; resources have slashes, see path"},
	{"net", "the network belongs to the driver"},
	{"syscall", "the system belongs to the driver"},
	{"golang.org/x/sys", "the system belongs to the driver"},
	{"unsafe", "an address is no value"},
	{"runtime", "schedulers and collectors differ from run to run"},
	{"plugin", "code comes with the program"},
	{"log", "it prints the time to a stream that nobody passed in"},
	{"testing", "a test's package in a product's"},
	{"math/rand", "random"},
	{"crypto/rand", "random"},
	{"hash/maphash", "its seed is random"},
	{"sync/atomic", "a shared counter tells which goroutine came first"},
	{"time.Now", "time comes in with the input, as at"},
	{"time.Since", "time comes in with the input, as at"},
	{"time.Until", "time comes in with the input, as at"},
	{"time.After", "waiting is an effect"},
	{"time.AfterFunc", "waiting is an effect"},
	{"time.Sleep", "waiting is an effect"},
	{"time.Tick", "waiting is an effect"},
	{"time.NewTicker", "waiting is an effect"},
	{"time.NewTimer", "waiting is an effect"},
	{"time.Local", "the machine's time zone"},
	{"time.LoadLocation", "reads the machine's files"},
	{"context.WithTimeout", "the clock"},
	{"context.WithTimeoutCause", "the clock"},
	{"context.WithDeadline", "the clock"},
	{"context.WithDeadlineCause", "the clock"},
	{"fmt.Print", "output belongs to the driver"},
	{"fmt.Printf", "output belongs to the driver"},
	{"fmt.Println", "output belongs to the driver"},
}

// templates must not be linked, nor imported by a package of this module: they
// call methods by a name made at run time, so the linker keeps every method of
// every type, and the binary grows by a third.
var templates = []string{"text/template", "html/template"}
