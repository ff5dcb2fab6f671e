package vrepo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, text, needle string
		limit              int
		want               []int
		more               bool
	}{
		{"once", "x = 1\n", "= 1", 5, []int{2}, false},
		{"absent", "x = 1\n", "= 2", 5, nil, false},
		{"E29 overlapping", "foo\nfoo\nfoo\n", "foo\nfoo\n", 5, []int{0, 4}, false},
		{"E29 overlapping letters", "aaa", "aa", 5, []int{0, 1}, false},
		{"E31 several", "x=1\nx=1\n", "x=1", 5, []int{0, 4}, false},
		{"E37 empty needle", "abc", "", 5, nil, false},
		{"E41 whole text", "abc", "abc", 5, []int{0}, false},
		{"longer than the text", "abc", "abcd", 5, nil, false},
		{"empty text", "", "a", 5, nil, false},
		{"limit reached exactly", "aa", "a", 2, []int{0, 1}, false},
		{"limit exceeded", "aaa", "a", 2, []int{0, 1}, true},
		{"limit 1", "abab", "ab", 1, []int{0}, true},
		{"limit below 1", "abab", "ab", 0, []int{0}, true},
		{"at the end", "xab", "ab", 1, []int{1}, false},
		{"E16 quotes differ", "it’s", "it's", 5, nil, false},
		{"E20 spaces differ", "in\u00A0it", "in it", 5, nil, false},
		{"E01 endings differ", "a\r\nb\r\n", "a\nb", 5, nil, false},
		{"E12 byte order mark", "\uFEFFhello\n", "hello", 5, []int{3}, false},
		{"E40 markers are data", "Title\n=======\n", "=======", 5, []int{6}, false},
		{"NUL", "a\x00b\x00", "\x00", 5, []int{1, 3}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fileOf(c.text).Find(c.needle, c.limit)
			if got.Count != len(c.want) || !slices.Equal(got.Offsets, c.want) || got.More != c.more {
				t.Errorf("got %+v, want %v, more %v", got, c.want, c.more)
			}
		})
	}
}

// naive finds every occurrence, one place after another.
func naive(text, needle string) []int {
	var all []int
	for i := 0; needle != "" && i+len(needle) <= len(text); i++ {
		if text[i:i+len(needle)] == needle {
			all = append(all, i)
		}
	}
	return all
}

func TestFindEqualsNaiveScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"a", "ab", "abc", "ab\n", "zq\x00é"}).Draw(t, "alphabet")
		word := func(max int) string {
			return rapid.StringOfN(rapid.SampledFrom([]rune(alphabet)), 0, max, -1).Draw(t, "word")
		}
		unit, needleUnit := word(6), word(6)
		text := strings.Repeat(unit, rapid.IntRange(0, 60).Draw(t, "times")) + word(30) + strings.Repeat(unit, rapid.IntRange(0, 60).Draw(t, "times"))
		needle := rapid.SampledFrom([]string{
			word(5), strings.Repeat(needleUnit, 20) + word(3), strings.Repeat(unit, 30), strings.Repeat(unit, 12) + word(2) + strings.Repeat(unit, 12),
		}).Draw(t, "needle")
		if n := len(text); n > 0 && rapid.Bool().Draw(t, "part of the text") {
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			needle = text[from:rapid.IntRange(from+1, n).Draw(t, "to")]
		}
		checkFind(t, text, needle, rapid.IntRange(1, 300).Draw(t, "limit"))
	})
}

func checkFind(t interface {
	Helper()
	Fatalf(string, ...any)
}, text, needle string, limit int) {
	t.Helper()
	want := naive(text, needle)
	got := fileOf(text).Find(needle, limit)
	shown := want[:min(limit, len(want))]
	if got.Count != len(shown) || !slices.Equal(got.Offsets, shown) || got.More != (len(want) > limit) {
		t.Fatalf("%.40q in %.40q: got %d (more %v), want %d of %d", needle, text, got.Count, got.More, len(shown), len(want))
	}
}

// Texts of two letters have the most false starts.
func TestTwoWayEqualsNaiveScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := func(most int) string {
			return rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 1, most, -1).Draw(t, "bits")
		}
		unit := bits(9)
		needle := bits(5) + strings.Repeat(unit, rapid.IntRange(1, 20).Draw(t, "times")) + bits(5)
		var text strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "parts") {
			switch rapid.IntRange(0, 2).Draw(t, "part") {
			case 0:
				text.WriteString(bits(9))
			case 1:
				text.WriteString(strings.Repeat(unit, rapid.IntRange(1, 30).Draw(t, "times")))
			case 2:
				text.WriteString(needle[:rapid.IntRange(1, len(needle)).Draw(t, "head")])
			}
		}
		p := newPattern(needle)
		var got []int
		for at := p.indexTwoWay(text.String(), 0); at >= 0; at = p.indexTwoWay(text.String(), at+1) {
			got = append(got, at)
		}
		if want := naive(text.String(), needle); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: got %v, want %v", needle, text.String(), got, want)
		}
	})
}

func TestCommonEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 30, -1)
		shared, a, b := bits.Draw(t, "shared"), bits.Draw(t, "a"), bits.Draw(t, "b")
		check := func(a, b string) {
			head, tail := 0, 0
			for head < min(len(a), len(b)) && a[head] == b[head] {
				head++
			}
			for tail < min(len(a), len(b)) && a[len(a)-1-tail] == b[len(b)-1-tail] {
				tail++
			}
			if got := commonPrefix(a, b); got != head {
				t.Fatalf("commonPrefix(%q, %q) = %d, want %d", a, b, got, head)
			}
			if got := commonSuffix(a, b); got != tail {
				t.Fatalf("commonSuffix(%q, %q) = %d, want %d", a, b, got, tail)
			}
		}
		check(shared+a, shared+b)
		check(a+shared, b+shared)
	})
}

// Every stage of the search gives the same answer as the naive scan.
func TestEveryStageEqualsNaiveScan(t *testing.T) {
	texts := []string{
		strings.Repeat("a", 500),
		strings.Repeat("ab", 300),
		strings.Repeat("abcab", 120) + "d" + strings.Repeat("abcab", 120),
		strings.Repeat(strings.Repeat("ab", 40)+"b", 8),
		sourceLike(4000),
	}
	for i, text := range texts {
		for _, needle := range []string{
			"a", "ab", "ba", "b", strings.Repeat("a", 40), strings.Repeat("ab", 35), strings.Repeat("ab", 35) + "b", "abcab" + "d",
			text[100:300], text[:90] + "x", "z" + text[:90], text[200:], "b => a", "NEEDLE a - b",
		} {
			p := newPattern(needle)
			for stage, index := range map[string]func(string, int) int{"rare": p.index, "two-way": p.indexTwoWay} {
				var got []int
				for at := index(text, 0); at >= 0; at = index(text, at+1) {
					got = append(got, at)
				}
				if want := naive(text, needle); !slices.Equal(got, want) {
					t.Errorf("text %d, needle %.20q, %s: got %v, want %v", i, needle, stage, got, want)
				}
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("aaa", "aa", 5)
	f.Add(strings.Repeat("ab", 200), strings.Repeat("ab", 50)+"b", 3)
	f.Add("foo\nfoo\nfoo\n", "foo\nfoo\n", 9)
	for _, c := range hostile(3000) {
		f.Add(c[0], c[1], 4)
	}
	f.Fuzz(func(t *testing.T, text, needle string, limit int) {
		checkFind(t, text, needle, max(1, limit%1000))
	})
}

// Even texts made to defeat the search get all its stages to agree.
func TestHostileTextsAreSearchedRight(t *testing.T) {
	for name, c := range hostile(20000) {
		t.Run(name, func(t *testing.T) {
			text, needle := c[0], c[1]
			checkFind(t, text, needle, 3)
			half := len(text) / 2
			checkFind(t, text[:half]+needle+text[half:], needle, 3)
		})
	}
}

func ExampleFile_Find() {
	s, _ := New([]Entry{{Path: "a.txt", Content: "foo\nfoo\nfoo\n"}})
	f, _ := s.File("a.txt")
	m := f.Find("foo\nfoo\n", 8)
	fmt.Println(m.Count, f.LineAt(m.Offsets[0]), f.LineAt(m.Offsets[1]))
	// Output: 2 1 2
}
