package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// tree writes files below a new working directory.
func tree(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("text of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// names lists sources as they could be named.
func names(sources []Source) []string {
	var list []string
	for _, s := range sources {
		name := filepath.ToSlash(s.Name)
		if s.Case != "" {
			name += "#" + s.Case
		}
		if s.Line > 0 {
			name += ":" + string(rune('0'+s.Line))
		}
		list = append(list, name)
	}
	return list
}

func codes(found diag.List) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.File+" "+d.Code.Name)
	}
	return list
}

func TestFind(t *testing.T) {
	files := []string{
		"a.yaml", "b.yml", "c.txt", "plain", "odd#name.yaml", "odd:3", "[x].yaml",
		"dir/z.yaml", "dir/a.yaml", "dir/a/b.yaml", "dir/.hidden.yaml", "dir/.git/c.yaml", "dir/harness.yaml", "dir/notes.md",
		"empty/notes.md",
	}
	for _, c := range []struct {
		name  string
		paths []string
		want  []string
		found []string
	}{
		{"files in the order named", []string{"b.yml", "a.yaml"}, []string{"b.yml", "a.yaml"}, nil},
		{"a folder with all below it, in order", []string{"dir"}, []string{"dir/a.yaml", "dir/a/b.yaml", "dir/z.yaml"}, nil},
		{"a folder with a slash", []string{"dir/a/"}, []string{"dir/a/b.yaml"}, nil},
		{"a file named twice", []string{"a.yaml", "./a.yaml", "a.yaml"}, []string{"a.yaml"}, nil},
		{"a file and its folder", []string{"dir/z.yaml", "dir"}, []string{"dir/z.yaml", "dir/a.yaml", "dir/a/b.yaml"}, nil},
		{"a hidden file that is named", []string{"dir/.hidden.yaml"}, []string{"dir/.hidden.yaml"}, nil},
		{"a file without an ending and without a version", []string{"plain"}, nil, []string{"plain NOT_A_SCENARIO_FILE"}},
		{"a case", []string{"a.yaml#x"}, []string{"a.yaml#x"}, nil},
		{"a line", []string{"a.yaml:7"}, []string{"a.yaml:7"}, nil},
		{"a line and a column", []string{"a.yaml:7:12"}, []string{"a.yaml:7"}, nil},
		{"a case and its file", []string{"a.yaml#x", "a.yaml"}, []string{"a.yaml#x", "a.yaml"}, nil},
		{"names that look like parts", []string{"odd#name.yaml", "[x].yaml"}, []string{"odd#name.yaml", "[x].yaml"}, nil},
		{"a pattern", []string{"dir/*.yaml"}, []string{"dir/.hidden.yaml", "dir/a.yaml", "dir/harness.yaml", "dir/z.yaml"}, nil},
		{"a pattern of folders", []string{"d*"}, []string{"dir/a.yaml", "dir/a/b.yaml", "dir/z.yaml"}, nil},
		{"standard input", []string{"-"}, []string{"-"}, nil},
		{"a missing file", []string{"a.yml", "a.yaml"}, []string{"a.yaml"}, []string{"a.yml SCENARIO_NOT_FOUND"}},
		{"a case of a missing file", []string{"x.yaml#y"}, nil, []string{"x.yaml SCENARIO_NOT_FOUND"}},
		{"a case of a folder", []string{"dir#y"}, nil, []string{"dir SCENARIO_NOT_FOUND"}},
		{"no case at all", []string{"a.yaml#"}, nil, []string{"a.yaml# SCENARIO_NOT_FOUND"}},
		{"another kind of file", []string{"c.txt"}, nil, []string{"c.txt NOT_A_SCENARIO_FILE"}},
		{"the empty name", []string{""}, nil, []string{" SCENARIO_NOT_FOUND"}},
		{"an empty folder beside others", []string{"empty", "a.yaml"}, []string{"a.yaml"}, []string{"empty NO_SCENARIOS"}},
		{"a pattern that matches nothing beside others", []string{"x*", "a.yaml"}, []string{"a.yaml"}, []string{"x* NO_SCENARIOS"}},
		{"a malformed pattern", []string{"[x"}, nil, []string{"[x SCENARIO_NOT_FOUND"}},
		{"nothing but an empty folder", []string{"empty"}, nil, []string{"empty NO_SCENARIOS"}},
		{"nothing but empty patterns", []string{"x*", "y*"}, nil, []string{"x* NO_SCENARIOS", "y* NO_SCENARIOS"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree(t, files...)
			sources, found := Find(c.paths, strings.NewReader("piped"))
			if got := names(sources); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := codes(found); !slices.Equal(got, c.found) {
				t.Errorf("got %q, want %q", got, c.found)
			}
			for _, s := range sources {
				want := "text of " + filepath.ToSlash(filepath.Clean(s.Name))
				if s.Name == "-" {
					want = "piped"
				}
				if string(s.Data) != want {
					t.Errorf("%s holds %q", s.Name, s.Data)
				}
			}
		})
	}
}

func TestFindHints(t *testing.T) {
	tree(t, "dir/sums.yaml")
	_, found := Find([]string{"dir/sum.yaml"}, nil)
	if len(found) != 1 || found[0].Hint != "did you mean dir/sums.yaml?" {
		t.Errorf("got %v", found)
	}
	// A common ending does not make names alike.
	_, found = Find([]string{"dir/nope.yaml"}, nil)
	if len(found) != 1 || found[0].Hint != "" {
		t.Errorf("got %v, want no hint", found)
	}
}

func TestFindUnreadable(t *testing.T) {
	tree(t, "a.yaml")
	if err := os.Symlink("nowhere.yaml", "dangling.yaml"); err != nil {
		t.Skip(err)
	}
	_, found := Find([]string{".", "-"}, nil)
	if got, want := codes(found), []string{"- SCENARIO_UNREADABLE", "dangling.yaml SCENARIO_UNREADABLE"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, found = Find([]string{"a.yaml/b.yaml"}, nil)
	if got, want := codes(found), []string{"a.yaml/b.yaml SCENARIO_UNREADABLE"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFindFollowsNoFolderLinks(t *testing.T) {
	tree(t, "dir/a.yaml")
	if err := os.Symlink(".", "dir/loop"); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("a.yaml", "dir/link.yaml"); err != nil {
		t.Skip(err)
	}
	sources, found := Find([]string{"dir"}, nil)
	if got, want := names(sources), []string{"dir/a.yaml", "dir/link.yaml"}; !slices.Equal(got, want) || len(found) != 1 || found[0].Code != LinkNotFollowed || found[0].File != "dir/loop" {
		t.Errorf("got %q, %v, want %q and a note on dir/loop", got, found, want)
	}
}

func TestFromFS(t *testing.T) {
	fsys := fstest.MapFS{"x/b.yaml": {Data: []byte("b")}, "x/a.yaml": {Data: []byte("a")}, "y/c.yaml": {Data: []byte("c")}, "y/embed.go": {}}
	for _, c := range []struct {
		name  string
		want  []string
		found []string
	}{
		{".", []string{"x/a.yaml", "x/b.yaml", "y/c.yaml"}, nil},
		{"x", []string{"x/a.yaml", "x/b.yaml"}, nil},
		{"y/c.yaml", []string{"y/c.yaml"}, nil},
		{"z", nil, []string{"z SCENARIO_NOT_FOUND"}},
		{"/x", nil, []string{"/x SCENARIO_NOT_FOUND"}},
		{"-", nil, []string{"- SCENARIO_NOT_FOUND"}},
	} {
		sources, found := FromFS(fsys, c.name)
		if got := names(sources); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := codes(found); !slices.Equal(got, c.found) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.found)
		}
	}
}

func TestFromFSTakesCompiledForms(t *testing.T) {
	text := []byte(scenario("a/b", answers(finish)))
	compiled, ok := scenarios.Compile(text)
	if !ok {
		t.Fatal("not compiled")
	}
	fsys := fstest.MapFS{"x/a.yaml": {Data: text}, "x/a.nodes": {Data: compiled}, "x/b.nodes": {}}
	sources, found := FromFS(fsys, "x")
	if len(sources) != 1 || len(found) > 0 || string(sources[0].Compiled) != string(compiled) {
		t.Fatalf("got %v, %v", names(sources), found)
	}
	list, found := Load(sources)
	if len(list) != 1 || list[0].ID != "a/b" || len(found) > 0 {
		t.Errorf("got %v, %v", list, found)
	}
}

func TestFilesThatAreNoScenarios(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"program":     {"\x7fELF\x00\x00", []string{"program NOT_A_SCENARIO_FILE"}},
		"zeros.yaml":  {"a: \x00", []string{"zeros.yaml NOT_A_SCENARIO_FILE"}},
		"words":       {"just text", []string{"words NOT_A_SCENARIO_FILE"}},
		"utf16.yaml":  {"\xff\xfea\x00", nil}, // the parser says more
		"no-ending":   {scenario("a/b", answers(finish)), nil},
		"broken.yaml": {"just text", nil},
	} {
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, found := Find([]string{name}, nil); !slices.Equal(codes(found), c.want) {
			t.Errorf("%s: got %q, want %q", name, codes(found), c.want)
		}
	}
}
