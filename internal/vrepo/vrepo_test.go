package vrepo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustNew(t testing.TB, entries ...Entry) *Snapshot {
	t.Helper()
	s, faults := New(entries)
	if len(faults) > 0 {
		t.Fatalf("New: %v", faults)
	}
	return s
}

func paths(s *Snapshot) string {
	var all []string
	for _, f := range s.Files() {
		all = append(all, f.Path())
	}
	return strings.Join(all, " ")
}

func TestNewOrdersBytewise(t *testing.T) {
	s := mustNew(t, Entry{Path: "b"}, Entry{Path: "a/z"}, Entry{Path: "a.b"}, Entry{Path: "Z"}, Entry{Path: "é"}, Entry{Path: "a-b"})
	if got, want := paths(s), "Z a-b a.b a/z b é"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFileKeepsBytes(t *testing.T) {
	content := "\xEF\xBB\xBFa\r\n\x00\xff"
	s := mustNew(t, Entry{Path: "x", Content: content, Executable: true}, Entry{Path: "empty"})
	f, ok := s.File("x")
	if !ok || f.Text() != content || f.Size() != len(content) || !f.Executable() || f.Path() != "x" {
		t.Errorf("got %v, %+v", ok, f)
	}
	if _, ok := s.File("X"); ok {
		t.Error("File finds a path of other letter case")
	}
	if _, ok := s.File(""); ok {
		t.Error("File finds the empty path")
	}
}

func TestNewFaults(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries string // paths
		want    []string
	}{
		{"bad path", "a ../b", []string{"1/-1 ../b has a `..` segment"}},
		{"E54 backslash", `src\a.go`, []string{"0/-1 src\\a.go has a `\\`"}},
		{"duplicate", "a b a", []string{"2/0 a is named twice"}},
		{"E64 letter case", "README.md readme.MD", []string{`1/0 readme.MD is the same path as "README.md" but for letter case`}},
		{"E64 folder case", "src/a SRC/A", []string{`1/0 SRC/A is the same path as "src/a" but for letter case`}},
		{"E64 beyond ASCII", "Éa éA", []string{`1/0 éA is the same path as "Éa" but for letter case`}},
		{"Kelvin sign", "K k", []string{`1/0 k is the same path as "K" but for letter case`}},
		{"Unicode form", "caf\u00e9 cafe\u0301", []string{"1/0 cafe\u0301 is the same path as \"caf\\u00e9\" but for Unicode form: it is spelled \"cafe\\u0301\""}},
		{"Unicode form and case", "CAF\u00c9/x cafe\u0301/X", []string{"1/0 cafe\u0301/X is the same path as \"CAF\\u00c9/x\" but for letter case and Unicode form: it is spelled \"cafe\\u0301/X\""}},
		{"folder in another Unicode form", "caf\u00e9 cafe\u0301/x", []string{"1/0 cafe\u0301/x needs a folder where \"caf\\u00e9\" is a file, the same but for Unicode form"}},
		{"file in another Unicode form", "d/cafe\u0301/x/y d/caf\u00e9", []string{"1/0 d/caf\u00e9 is a file, and \"d/cafe\u0301/x/y\" needs the folder \"d/cafe\\u0301\", the same but for Unicode form"}},
		{"file and folder", "a a/b", []string{`1/0 a/b needs a folder where "a" is a file`}},
		{"folder and file", "a/b/c a", []string{`1/0 a is a file, and "a/b/c" needs a folder of that name`}},
		{"file and folder of other case", "A a/b", []string{`1/0 a/b needs a folder where "A" is a file, the same but for letter case`}},
		{"similar names", "a a-b a.b a0 ab/c", nil},
		{"all at once", "/x ok ok y/ dir dir/f OK", []string{
			"0/-1 /x starts with `/`", "2/1 ok is named twice", "3/-1 y/ ends with `/`",
			`5/4 dir/f needs a folder where "dir" is a file`,
			`6/1 OK is the same path as "ok" but for letter case`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var entries []Entry
			for _, p := range strings.Fields(c.entries) {
				entries = append(entries, Entry{Path: p})
			}
			s, faults := New(entries)
			checkFaults(t, s, faults, c.want)
		})
	}
}

func checkFaults(t *testing.T, s *Snapshot, faults []EntryFault, want []string) {
	t.Helper()
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%d/%d %s %s", f.Index, f.Other, f.Path, f.Reason))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if (s == nil) != (len(faults) > 0) {
		t.Errorf("got snapshot %v with %d faults", s, len(faults))
	}
}

func TestWith(t *testing.T) {
	base := mustNew(t, Entry{Path: "a", Content: "1"}, Entry{Path: "b", Content: "2"}, Entry{Path: "d/e", Content: "3"})
	a, _ := base.File("a")
	b, _ := base.File("b")
	next, faults := base.With([]Entry{{Path: "b", Content: "2", Executable: true}, {Path: "c", Content: "4"}}, []string{"d/e"})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if got, want := paths(next), "a b c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := paths(base), "a b d/e"; got != want {
		t.Errorf("the base became %q, want %q", got, want)
	}
	if same, _ := next.File("a"); same != a {
		t.Error("an unchanged file is not shared")
	}
	same, _ := next.File("b")
	if same.content != b.content {
		t.Error("E52: equal content does not keep its caches")
	}
	if !same.Executable() || b.Executable() {
		t.Error("the executable bit went to the wrong snapshot")
	}
	changed, _ := mustWith(t, next, Entry{Path: "a", Content: "2"}).File("a")
	if changed.content == a.content || changed.Hash() == a.Hash() {
		t.Error("E51: changed content of the same size kept its hash")
	}
	back, _ := mustWith(t, mustWith(t, base, Entry{Path: "a", Content: "x"}), Entry{Path: "a", Content: "1"}).File("a")
	if back.Hash() != a.Hash() {
		t.Error("A → B → A has another hash than A")
	}
}

func TestTwin(t *testing.T) {
	s := mustNew(t, Entry{Path: "src/A.go"}, Entry{Path: "caf\u00e9.txt"}, Entry{Path: "Stra\u00DFe"}, Entry{Path: "K"})
	for _, c := range []struct{ path, want string }{
		{"SRC/a.go", "src/A.go"},
		{"cafe\u0301.txt", "caf\u00e9.txt"},
		{"CAFE\u0301.TXT", "caf\u00e9.txt"},
		{"\u212A", "K"},
		{"src/A.go", ""},
		{"src/A.g", ""},
		{"strasse", ""},
		{"cafe.txt", ""},
		{"", ""},
	} {
		got := ""
		if f, ok := s.Twin(c.path); ok {
			got = f.Path()
		}
		if got != c.want {
			t.Errorf("Twin(%q) = %q, want %q", c.path, got, c.want)
		}
	}
}

func mustWith(t *testing.T, s *Snapshot, entries ...Entry) *Snapshot {
	t.Helper()
	next, faults := s.With(entries, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return next
}

func TestWithFaults(t *testing.T) {
	base := mustNew(t, Entry{Path: "a"}, Entry{Path: "dir/f"})
	for _, c := range []struct {
		name             string
		changed, removed string
		want             []string
	}{
		{"twin of a kept file", "A", "", []string{`0/-1 A is the same path as "a" but for letter case`}},
		{"rename to other case", "A", "a", nil},
		{"file where a folder is", "dir", "", []string{`0/-1 dir is a file, and "dir/f" needs a folder of that name`}},
		{"folder where a file is", "a/b", "", []string{`0/-1 a/b needs a folder where "a" is a file`}},
		{"folder becomes file", "dir", "dir/f", nil},
		{"removed is unknown", "", "nope", []string{"0/-1 nope is to be removed, but there is no such file"}},
		{"removed twice", "", "a a", []string{"1/-1 a is to be removed, and is named a second time"}},
		{"changed and removed", "a", "a", []string{"1/-1 a is to be removed, and is named a second time"}},
		{"changed twice", "a a", "", []string{"1/0 a is named twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var changed []Entry
			for _, p := range strings.Fields(c.changed) {
				changed = append(changed, Entry{Path: p, Content: "new"})
			}
			s, faults := base.With(changed, strings.Fields(c.removed))
			checkFaults(t, s, faults, c.want)
		})
	}
}

// Any way to a set of files gives the same snapshot, and New and With agree on
// what is at fault.
func TestWithEqualsNew(t *testing.T) {
	names := []string{"a", "A", "b", "a/b", "b/c", "b/c/d", "c-d", "é", "e\u0301", "x/../y"}
	rapid.Check(t, func(t *rapid.T) {
		entry := rapid.Custom(func(t *rapid.T) Entry {
			return Entry{Path: rapid.SampledFrom(names).Draw(t, "path"), Content: rapid.StringN(0, 3, -1).Draw(t, "content")}
		})
		all := rapid.SliceOfN(entry, 0, 6).Draw(t, "entries")
		whole, wholeFaults := New(all)
		step, stepFaults := New(nil)
		for _, e := range all {
			if _, taken := step.File(e.Path); taken {
				return // With replaces where New refuses a duplicate
			}
			next, faults := step.With([]Entry{e}, nil)
			if stepFaults = append(stepFaults, faults...); next != nil {
				step = next
			}
		}
		if (len(wholeFaults) == 0) != (len(stepFaults) == 0) {
			t.Fatalf("New: %v, With: %v", wholeFaults, stepFaults)
		}
		if whole == nil {
			return
		}
		if paths(whole) != paths(step) {
			t.Fatalf("got %q, want %q", paths(step), paths(whole))
		}
		for _, f := range whole.Files() {
			if g, ok := step.File(f.Path()); !ok || g.Hash() != f.Hash() {
				t.Fatalf("%q differs", f.Path())
			}
		}
	})
}
