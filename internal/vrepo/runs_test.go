package vrepo

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/textdiff"
)

// The lines of a long edit are those that a comparison gives which only looks at
// both ends; one that holds few lines counts the same number.
func TestLongRuns(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "\n", "a", "long\r\n"})
	text := func(t *rapid.T, name string) string {
		return strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, name), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		shared := text(t, "shared")
		e := Edit{
			Before: text(t, "before") + shared + text(t, "rest of before"),
			After:  text(t, "after") + shared + text(t, "rest of after"),
		}
		around := edges{lead: rapid.SampledFrom([]string{"", "x", "a"}).Draw(t, "lead"), trail: rapid.SampledFrom([]string{"", "\n", "a\n"}).Draw(t, "trail")}
		before, after := around.blocks(e.Before), around.blocks(e.After)
		if got, want := strings.Join(before.lines(), ""), around.lead+e.Before+around.trail; got != want {
			t.Fatalf("got the lines %q, want %q", got, want)
		}
		whole := longRuns(before, after, math.MaxInt)
		ops, _ := textdiff.LinesWithin(0, before.lines(), after.lines())
		if len(ops) != len(whole) {
			t.Fatalf("%q to %q: got %v, want %v", e.Before, e.After, whole, ops)
		}
		for i, op := range ops {
			r := whole[i]
			want := op.Lines
			if op.Kind == textdiff.Equal && i == 0 {
				want = want[max(0, len(want)-contextLines):]
			} else if op.Kind == textdiff.Equal {
				want = want[:min(len(want), contextLines)]
			}
			if r.kind != op.Kind || r.count() != len(op.Lines) || !reflect.DeepEqual(r.lines, want) {
				t.Fatalf("%q to %q: run %d: got %v %q of %d, want %v %q of %d", e.Before, e.After, i, r.kind, r.lines, r.count(), op.Kind, want, len(op.Lines))
			}
		}
		room := rapid.IntRange(0, 12).Draw(t, "room")
		for i, r := range longRuns(before, after, room) {
			size := utf8.RuneCountInString(strings.Join(r.lines, ""))
			if r.count() != whole[i].count() || r.kind != textdiff.Equal && r.more > 0 && size < room {
				t.Fatalf("room %d: got %q and %d more lines, want %d", room, r.lines, r.more, whole[i].count())
			}
		}
	})
}

// A hunk that is cut is the head of the whole one, however many lines the edit
// has.
func TestHunkOfManyLinesIsCut(t *testing.T) {
	e := editOf(t, "above\nNEEDLE\nbelow\n", "NEEDLE", strings.Repeat("new line\n", 7000))
	whole, clipped := e.Hunk(1 << 20)
	if clipped || !strings.HasPrefix(whole, "@@ -1,3 +1,7003 @@\n above\n-NEEDLE\n+new line\n") {
		t.Fatalf("got clipped %v, %.60q", clipped, whole)
	}
	short, clipped := e.Hunk(1600)
	want := "@@ -2 +2,7001 @@\n-NEEDLE\n" + strings.Repeat("+new line\n", 157) + cutMark + "\n"
	if !clipped || short != want {
		t.Errorf("got clipped %v, %d bytes\n%.80q\nwant %d bytes\n%.80q", clipped, len(short), short, len(want), want)
	}
}
