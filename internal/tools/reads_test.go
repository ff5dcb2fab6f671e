package tools

import (
	"testing"

	"pgregory.net/rapid"

	"harness/internal/event"
)

// Shown answers as a plain set of bytes would.
func TestReadsShownIsASetOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 40
		var reads Reads
		var shown [size]bool
		for range rapid.IntRange(0, 12).Draw(t, "reads") {
			from := rapid.IntRange(0, size-1).Draw(t, "from")
			to := rapid.IntRange(from, size).Draw(t, "to")
			reads.Add(event.Read{Path: "f", Hash: "h", From: from, To: to})
			for i := from; i < to; i++ {
				shown[i] = true
			}
		}
		from := rapid.IntRange(0, size-1).Draw(t, "ask from")
		to := rapid.IntRange(from+1, size).Draw(t, "ask to")
		want := true
		for i := from; i < to; i++ {
			want = want && shown[i]
		}
		if got := reads.Shown("f", "h", from, to); got != want {
			t.Fatalf("Shown(%d, %d) = %v, want %v of %v", from, to, got, want, shown)
		}
	})
}

func TestReadsKeepVersionsApart(t *testing.T) {
	var reads Reads
	reads.Add(event.Read{Path: "f", Hash: "old", From: 0, To: 9})
	for _, c := range []struct {
		path, hash string
		want       bool
	}{{"f", "old", true}, {"f", "new", false}, {"g", "old", false}} {
		if got := reads.Has(c.path, c.hash); got != c.want {
			t.Errorf("Has(%s, %s) = %v, want %v", c.path, c.hash, got, c.want)
		}
		if got := reads.Shown(c.path, c.hash, 0, 9); got != c.want {
			t.Errorf("Shown(%s, %s) = %v, want %v", c.path, c.hash, got, c.want)
		}
	}
}
