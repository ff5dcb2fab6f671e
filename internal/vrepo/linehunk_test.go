package vrepo

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The short way gives what the general way gives, or leaves it to it.
func TestLineHunkIsTheHunk(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "bc", " ", "\n", "\n\n", "\r\n", "é", strings.Repeat("long ", 20), "\t"})
		join := func(label string) string { return strings.Join(rapid.SliceOfN(word, 0, 14).Draw(t, label), "") }
		prefix, suffix := join("prefix"), join("suffix")
		before := "MARK" + rapid.SampledFrom([]string{"", "x", " y"}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", "z", "MARK", "MARKx ", "long long long"}).Draw(t, "after")
		if before == after {
			return
		}
		s, faults := New([]Entry{{Path: "f", Content: prefix + before + suffix}})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f, _ := s.File("f")
		e := Edit{Path: "f", Base: f, Offset: len(prefix), Before: before, After: after}
		short, ok := e.lineHunk(rapid.SampledFrom([]int{0, 40, 200, 5000}).Draw(t, "limit"))
		if !ok {
			return
		}
		taken++
		_, header, _ := strings.Cut(e.Patch(), "\n+++ b/f\n")
		if short != header {
			t.Fatalf("got\n%q\nwant\n%q", short, header)
		}
	})
	if taken == 0 {
		t.Error("the short way was never taken")
	}
}
