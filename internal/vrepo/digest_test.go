package vrepo

import "testing"

func TestDigestNamesTheContents(t *testing.T) {
	snapshot := func(entries ...Entry) *Snapshot {
		s, faults := New(entries)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return s
	}
	base := snapshot(Entry{Path: "a", Content: "1"}, Entry{Path: "b", Content: "2"})
	for name, other := range map[string]*Snapshot{
		"content": snapshot(Entry{Path: "a", Content: "2"}, Entry{Path: "b", Content: "1"}),
		"mode":    snapshot(Entry{Path: "a", Content: "1", Executable: true}, Entry{Path: "b", Content: "2"}),
		"path":    snapshot(Entry{Path: "a", Content: "1"}, Entry{Path: "c", Content: "2"}),
		"fewer":   snapshot(Entry{Path: "a", Content: "1"}),
	} {
		if other.Digest() == base.Digest() {
			t.Errorf("another %s has the same digest", name)
		}
	}
	if same := snapshot(Entry{Path: "b", Content: "2"}, Entry{Path: "a", Content: "1"}); same.Digest() != base.Digest() {
		t.Error("the order of entries changes the digest")
	}
}

func TestFolderTwins(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  int // faults
	}{
		{[]string{"a/x", "a/y", "a/b/z", "b/x"}, 0},
		{[]string{"Secret/a", "secret/b"}, 1},
		{[]string{"caf\u00e9/a", "cafe\u0301/b"}, 1},
		{[]string{"a/B/c", "a/b/d", "a/B/e"}, 1},
		{[]string{"x", "A/y", "a/y2"}, 1},
	} {
		entries := make([]Entry, len(c.paths))
		for i, p := range c.paths {
			entries[i] = Entry{Path: p, Content: p}
		}
		if _, faults := New(entries); len(faults) != c.want {
			t.Errorf("%q: got %d faults, want %d: %+v", c.paths, len(faults), c.want, faults)
		}
	}
	base, _ := New([]Entry{{Path: "Secret/a"}})
	if _, faults := base.With([]Entry{{Path: "secret/b"}}, nil); len(faults) != 1 {
		t.Errorf("a change: got %+v", faults)
	}
}
