package house_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/dependencies.txt")

// systems are what the binary is built for.
var systems = []string{"darwin", "linux", "windows"}

const dependenciesHead = `# The packages of others that the binary harness links, by module and version;
# in brackets the only systems that do. Rewritten by make golden: commit a change
# only if you know why.
`

func TestDependencies(t *testing.T) {
	if len(allPackages(t)) == 0 || find(t, "cmd/harness") == nil {
		t.Fatal("cmd/harness does not exist")
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if _, err := os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err) // read here too, so that go test sees when it changes
		}
	}
	got := dependenciesHead + linkedPackages(t)
	file := filepath.Join(root, "docs", "dependencies.txt")
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("CI rewrites nothing")
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("docs/dependencies.txt is stale; make golden rewrites it (- there, + linked):\n%s",
			changes(string(want), got))
	}
}

// linkedFormat prints a package of another module as "module version\tpackage".
const linkedFormat = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{$.ImportPath}}{{end}}{{end}}"

// linkedPackages lists the modules that the binary links on any system, and
// below each its packages.
func linkedPackages(t *testing.T) string {
	t.Helper()
	on := map[string][]string{} // the systems that link a package, by the line of linkedFormat
	for _, system := range systems {
		env := []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"}
		out, err := run(env, "go", "list", "-deps", tags, "-f", linkedFormat, "./cmd/harness")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimSpace(line); line != "" {
				on[line] = append(on[line], system)
			}
		}
	}
	var lines []string
	for line := range on {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	var b strings.Builder
	last := ""
	for _, line := range lines {
		name, linked, _ := strings.Cut(line, "\t")
		if name != last {
			fmt.Fprintf(&b, "\n%s\n", name)
			last = name
		}
		fmt.Fprintf(&b, "  %s", linked)
		if len(on[line]) < len(systems) {
			fmt.Fprintf(&b, " (%s)", strings.Join(on[line], " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Whoever adds a library says why, and whoever drops one takes the line out.
func TestDependenciesAreDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	in, _, _ := strings.Cut(string(text), "## Considered and refused")
	var described []string
	for line := range strings.Lines(in) {
		if _, rest, ok := strings.Cut(line, "| `"); ok {
			name, _, _ := strings.Cut(rest, "`")
			described = append(described, name)
		}
	}
	imported := map[string]bool{"honnef.co/go/tools": true} // a tool, which nothing imports
	for _, p := range allPackages(t) {
		names := slices.Clone(p.inTests)
		for name := range p.imports() {
			names = append(names, name)
		}
		for _, name := range names {
			if _, ours := inModule(name); ours || isStandard(name) {
				continue
			}
			i := slices.IndexFunc(described, func(library string) bool { return below(name, library) })
			if i < 0 {
				t.Errorf("%s imports %s, which docs/dependencies.md does not describe", p.path, name)
				continue
			}
			imported[described[i]] = true
		}
	}
	for _, name := range described {
		if !imported[name] {
			t.Errorf("docs/dependencies.md describes %s, which nothing imports", name)
		}
	}
}

// changes lists the lines that only one of two texts has.
func changes(from, to string) string {
	var b strings.Builder
	old, now := strings.Split(from, "\n"), strings.Split(to, "\n")
	for _, line := range old {
		if !slices.Contains(now, line) {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			fmt.Fprintf(&b, "+ %s\n", line)
		}
	}
	return b.String()
}

// A library may import a template package as long as nothing of it is reached:
// then the linker drops it. So the symbols of a binary are asked, not the list
// of packages.
func TestTemplatesAreNotLinked(t *testing.T) {
	if len(allPackages(t)) == 0 || find(t, "cmd/harness") == nil {
		t.Fatal("cmd/harness does not exist")
	}
	binary := filepath.Join(t.TempDir(), "harness")
	if _, err := run([]string{"CGO_ENABLED=0"}, "go", "build", "-buildvcs=false", tags, "-o", binary, "./cmd/harness"); err != nil {
		t.Fatal(err)
	}
	out, err := run(nil, "go", "tool", "nm", binary)
	if err != nil {
		t.Fatal(err)
	}
	symbols := string(out)
	if !strings.Contains(symbols, " main.main\n") {
		t.Fatal("the binary's symbols cannot be read")
	}
	for _, name := range templates {
		for _, function := range []string{"(*Template).Execute", "(*Template).Parse"} {
			if strings.Contains(symbols, " "+name+"."+function+"\n") {
				t.Errorf("%s.%s is linked: methods that nobody calls stay in the binary", name, function)
			}
		}
	}
}
