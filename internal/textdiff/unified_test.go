package textdiff

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestUnified(t *testing.T) {
	const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, c := range []struct {
		name, want, got string
		context         int
		diff            string // without the legend
	}{
		{"equal", "a\n", "a\n", 3, ""},
		{"one line", "a\n", "b\n", 3, "@@ -1 +1 @@\n-a\n+b\n"},
		{"context", ten, strings.Replace(ten, "5", "V", 1), 2, "@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+V\n 6\n 7\n"},
		{"no context", ten, strings.Replace(ten, "5", "V", 1), 0, "@@ -5 +5 @@\n-5\n+V\n"},
		{"negative context", ten, strings.Replace(ten, "5", "V", 1), -1, "@@ -5 +5 @@\n-5\n+V\n"},
		{"two hunks", ten, strings.NewReplacer("2", "B", "9", "I").Replace(ten), 1, "@@ -1,3 +1,3 @@\n 1\n-2\n+B\n 3\n@@ -8,3 +8,3 @@\n 8\n-9\n+I\n 10\n"},
		{"near changes share a hunk", ten, strings.NewReplacer("4", "D", "7", "G").Replace(ten), 1, "@@ -3,6 +3,6 @@\n 3\n-4\n+D\n 5\n 6\n-7\n+G\n 8\n"},
		{"from nothing", "", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", 3, "@@ -1 +0,0 @@\n-a\n"},
		{"carriage return", "a\r\n", "a\n", 3, "@@ -1 +1 @@\n-a␍\n+a\n"},
		{"trailing spaces", "a\n", "a  \n", 3, "@@ -1 +1 @@\n-a\n+a··\n"},
		{"trailing spaces before a carriage return", "a \r\n", "a\r\n", 3, "@@ -1 +1 @@\n-a·␍\n+a␍\n"},
		{"spaces inside stay", "a b c\n", "a b  c\n", 3, "@@ -1 +1 @@\n-a b c\n+a b  c\n"},
		{"tab", "\ta\n", "    a\n", 3, "@@ -1 +1 @@\n-→a\n+    a\n"},
		{"context stays as it is", "\tx \r\na\n", "\tx \r\nb\n", 3, "@@ -1,2 +1,2 @@\n \tx \r\n-a\n+b\n"},
		{"no newline", "a\n", "a", 3, "@@ -1 +1 @@\n-a\n+a\n\\ no newline at the end\n"},
		{"no newline on either side", "a\nb", "a\nc", 3, "@@ -1,2 +1,2 @@\n a\n-b\n\\ no newline at the end\n+c\n\\ no newline at the end\n"},
		{"no-break space", "a b\n", "a\u00A0b\n", 3, "@@ -1 +1 @@\n-a b\n+a<U+00A0>b\n"},
		{"bidi, zero width, escape", "a\n", "\u202Ea\u200B\x1b[2K\n", 3, "@@ -1 +1 @@\n-a\n+<U+202E>a<U+200B><U+001B>[2K\n"},
		{"invalid UTF-8", "a\xffb\n", "a\xfeb\uFFFD\n", 3, "@@ -1 +1 @@\n-a<0xFF>b\n+a<0xFE>b\uFFFD\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.diff
			if want != "" {
				want = "--- want\n+++ got\n" + want
			}
			if got := Unified(c.want, c.got, c.context); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestUnifiedCuts(t *testing.T) {
	want := strings.Join(numbered("old", 300), "")
	got := strings.Join(numbered("new", 250), "")
	diff := Unified(want, got, 3)
	if n := strings.Count(diff, "\n-old") + strings.Count(diff, "\n+new"); n != MaxUnified {
		t.Errorf("got %d changed lines, want %d", n, MaxUnified)
	}
	if end := "… 350 more lines are not shown (-100 +250)\n"; !strings.HasSuffix(diff, end) {
		t.Errorf("got the end %q, want %q", diff[strings.LastIndex(diff[:len(diff)-1], "\n")+1:], end)
	}
	whole := Unified(strings.Join(numbered("old", 100), ""), strings.Join(numbered("new", 100), ""), 3)
	if strings.Contains(whole, "…") {
		t.Errorf("a diff of exactly %d lines says it was cut", MaxUnified)
	}
}

// A golden of 100,000 lines, each changed, is compared in bounded work, and the
// answer says that it is not the smallest.
func TestUnifiedOfLargeGoldens(t *testing.T) {
	texts := hostileTexts(100_000)["shuffled"]
	diff := Unified(strings.Join(texts[0], ""), strings.Join(texts[1], ""), 3)
	if !strings.Contains(diff, "more lines are not shown") || !strings.Contains(diff, "too many changes") {
		t.Errorf("the diff does not say that it was cut: %q", diff[max(0, len(diff)-300):])
	}
	if n := strings.Count(diff, "\n"); n > 2*MaxUnified {
		t.Errorf("got %d lines", n)
	}
}

// The diff is empty exactly if the texts are equal, and its changed lines hold
// nothing that a terminal would act on or hide.
func TestUnifiedShowsEveryDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.Join(anyLines(12).Draw(t, "want"), "")
		got := strings.Join(anyLines(12).Draw(t, "got"), "")
		diff := Unified(want, got, rapid.IntRange(0, 4).Draw(t, "context"))
		if (diff == "") != (want == got) {
			t.Fatalf("%q against %q: got %q", want, got, diff)
		}
		changes := false
		for line := range strings.SplitSeq(strings.TrimPrefix(diff, "--- want\n+++ got\n"), "\n") {
			if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
				changes = true
				if strings.ContainsAny(line, "\r\t") || strings.HasSuffix(line, " ") || !utf8.ValidString(line) {
					t.Fatalf("got the changed line %q", line)
				}
			}
		}
		if diff != "" && !changes {
			t.Fatalf("got no changed line in %q", diff)
		}
	})
}
