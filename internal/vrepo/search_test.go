package vrepo

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func hits(r SearchResult) string {
	var all []string
	for _, h := range r.Hits {
		clipped := ""
		if h.Clipped {
			clipped = " clipped"
		}
		all = append(all, fmt.Sprintf("%s:%d:%d %q%s", h.Path, h.Line, h.Column, h.Text, clipped))
	}
	if r.Truncated {
		all = append(all, "truncated")
	}
	return strings.Join(all, "; ")
}

func TestSearch(t *testing.T) {
	long := strings.Repeat("x", 500) + "Needle" + strings.Repeat("y", 500)
	s := mustNew(t,
		Entry{Path: "src/b.go", Content: "sum\nno\n\tsum sum\r\nSUM\n"},
		Entry{Path: "a.md", Content: "no\nthe sum"},
		Entry{Path: ".env", Content: "KEY=sum\n"},
		Entry{Path: "latin", Content: "sum \xE9\n"},
		Entry{Path: "bin", Content: "sum\x00\n"},
		Entry{Path: "utf16", Content: "\xFF\xFEs\x00u\x00m\x00"},
		Entry{Path: "wide", Content: "漢字 café = 1\n"},
		Entry{Path: "min.js", Content: long + "\nshort Needle\n"},
		Entry{Path: "bom", Content: "\uFEFFmark\n"},
	)
	readable := func(path string) bool { return path != ".env" }
	for _, c := range []struct {
		name string
		r    SearchRequest
		want string
	}{
		{"order, one a line, first column", SearchRequest{Query: "sum", Limit: 8}, `a.md:2:5 "the sum"; src/b.go:1:1 "sum"; src/b.go:3:2 "\tsum sum\r"`},
		{"case matters", SearchRequest{Query: "SUM", Limit: 8}, `src/b.go:4:1 "SUM"`},
		{"limit", SearchRequest{Query: "sum", Limit: 2}, `a.md:2:5 "the sum"; src/b.go:1:1 "sum"; truncated`},
		{"limit met exactly", SearchRequest{Query: "sum", Limit: 3}, `a.md:2:5 "the sum"; src/b.go:1:1 "sum"; src/b.go:3:2 "\tsum sum\r"`},
		{"limit 0", SearchRequest{Query: "sum"}, "truncated"},
		{"E67 unreadable leaves no trace", SearchRequest{Query: "KEY", Limit: 8}, ""},
		{"E67 not even a count", SearchRequest{Query: "KEY"}, ""},
		{"column in code points", SearchRequest{Query: "é", Limit: 8}, `wide:1:7 "漢字 café = 1"`},
		{"empty query", SearchRequest{Query: "", Limit: 8}, ""},
		{"line feed in the query", SearchRequest{Query: "sum\nno", Limit: 8}, ""},
		{"half a code point", SearchRequest{Query: "\xA9", Limit: 8}, ""},
		{"carriage return", SearchRequest{Query: "sum\r", Limit: 8}, `src/b.go:3:6 "\tsum sum\r"`},
		{"byte order mark counts", SearchRequest{Query: "mark", Limit: 8}, `bom:1:2 "` + `\ufeffmark"`},
		{"E101 clip around the match", SearchRequest{Query: "Needle", Limit: 8, ClipRunes: 16}, `min.js:1:501 "xxxxxNeedleyyyyy" clipped; min.js:2:7 "short Needle"`},
		{"clip within the match", SearchRequest{Query: "Needle", Limit: 1, ClipRunes: 3}, `min.js:1:501 "Nee" clipped; truncated`},
		{"resume", SearchRequest{Query: "sum", Limit: 8, AfterPath: "src/b.go", AfterLine: 1}, `src/b.go:3:2 "\tsum sum\r"`},
		{"resume behind the last line", SearchRequest{Query: "sum", Limit: 8, AfterPath: "a.md", AfterLine: 99}, `src/b.go:1:1 "sum"; src/b.go:3:2 "\tsum sum\r"`},
		{"resume behind a file that is gone", SearchRequest{Query: "sum", Limit: 8, AfterPath: "b", AfterLine: 3}, `src/b.go:1:1 "sum"; src/b.go:3:2 "\tsum sum\r"`},
		{"resume in an unreadable file", SearchRequest{Query: "KEY", Limit: 8, AfterPath: ".env", AfterLine: 0}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.r.Readable = readable
			if got := hits(s.Search(c.r)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if got := s.Search(SearchRequest{Query: "sum", Limit: 8}); got.Files != 3 || len(got.Hits) != 4 {
		t.Errorf("nil Readable: got %d files, %s", got.Files, hits(got))
	}
}

func TestClipAround(t *testing.T) {
	for _, c := range []struct {
		line, match string
		limit       int
		want        string
		clipped     bool
	}{
		{"abc", "b", 0, "abc", false},
		{"abc", "b", 3, "abc", false},
		{"abcdefg", "d", 3, "cde", true},
		{"abcdefg", "a", 3, "abc", true},
		{"abcdefg", "g", 3, "efg", true},
		{"abcdefg", "b", 4, "abcd", true},
		{"abcdefg", "f", 4, "defg", true},
		{"ééé", "é", 3, "ééé", false},
		{"éééé", "éé", 3, "ééé", true},
		{"漢漢漢a漢漢漢", "a", 3, "漢a漢", true},
		{"abcdefg", "cdef", 2, "cd", true},
		{"ab", "ab", 1, "a", true},
	} {
		got, clipped := clipAround(c.line, strings.Index(c.line, c.match), len(c.match), c.limit)
		if got != c.want || clipped != c.clipped {
			t.Errorf("%q around %q to %d: got %q %v, want %q %v", c.line, c.match, c.limit, got, clipped, c.want, c.clipped)
		}
	}
}

// naiveSearch splits every line of every file.
func naiveSearch(s *Snapshot, r SearchRequest) SearchResult {
	var result SearchResult
	if r.Query == "" || strings.Contains(r.Query, "\n") || !utf8.ValidString(r.Query) {
		return result
	}
	files := map[string]bool{}
	for _, f := range s.Files() {
		if !utf8.ValidString(f.Text()) || strings.Contains(f.Text(), "\x00") || r.Readable != nil && !r.Readable(f.Path()) {
			continue
		}
		for i, line := range strings.Split(f.Text(), "\n") {
			at := strings.Index(line, r.Query)
			if at < 0 || f.Path() < r.AfterPath || f.Path() == r.AfterPath && i+1 <= r.AfterLine {
				continue
			}
			if len(result.Hits) == r.Limit {
				result.Truncated = true
				return result
			}
			files[f.Path()] = true
			result.Files = len(files)
			hit := Hit{Path: f.Path(), Line: i + 1, Column: utf8.RuneCountInString(line[:at]) + 1}
			hit.Text, hit.Clipped = clipAround(line, at, len(r.Query), r.ClipRunes)
			result.Hits = append(result.Hits, hit)
		}
	}
	return result
}

func TestSearchEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []Entry
		for i := range rapid.IntRange(0, 6).Draw(t, "files") {
			content := textOf(30).Draw(t, "content") + rapid.SampledFrom([]string{"", "", "", "\xFF", "\x00"}).Draw(t, "tail")
			entries = append(entries, Entry{Path: fmt.Sprintf("f%d", i), Content: content})
		}
		s, faults := New(entries)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		unreadable := fmt.Sprintf("f%d", rapid.IntRange(0, 6).Draw(t, "unreadable"))
		r := SearchRequest{
			Query:     rapid.SampledFrom([]string{"a", "aa", "ab", "é", "漢", " ", "\r", "word", "a\n", "longer words ", "\U0001F680", ""}).Draw(t, "query"),
			Readable:  func(path string) bool { return path != unreadable },
			Limit:     rapid.IntRange(0, 9).Draw(t, "limit"),
			ClipRunes: rapid.IntRange(0, 9).Draw(t, "clip"),
		}
		if rapid.Bool().Draw(t, "resume") {
			r.AfterPath = fmt.Sprintf("f%d", rapid.IntRange(0, 6).Draw(t, "after"))
			r.AfterLine = rapid.IntRange(0, 9).Draw(t, "after line")
		}
		if got, want := s.Search(r), naiveSearch(s, r); !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %s\nwant %s", hits(got), hits(want))
		}
	})
}

// bigRepo is large enough that a search goes on in parallel.
func bigRepo(t testing.TB, files, size int) *Snapshot {
	entries := make([]Entry, files)
	for i := range entries {
		text := sourceLike(size)
		if i%3 == 0 {
			text = strings.ReplaceAll(text, "NEEDLE", "needle")
		}
		if i%7 == 0 {
			text += "\xFF"
		}
		entries[i] = Entry{Path: fmt.Sprintf("dir%d/file%03d.ts", i%5, i), Content: text}
	}
	return mustNew(t, entries...)
}

func TestParallelSearchEqualsNaive(t *testing.T) {
	s := bigRepo(t, 120, 70_000)
	asked := map[string]int{}
	for _, c := range []struct {
		query string
		limit int
	}{
		{"NEEDLE a - b", 8}, {"NEEDLE a - b", 1000}, {"NEEDLE a - b", 40}, {"absent text", 8}, {"value_000900", 1000}, {"number, b", 8},
	} {
		for range 5 {
			clear(asked)
			r := SearchRequest{Query: c.query, Limit: c.limit, Readable: func(path string) bool {
				asked[path]++
				return !strings.HasPrefix(path, "dir1/")
			}}
			got := s.Search(r)
			for path, n := range asked {
				if n > 1 {
					t.Fatalf("Readable was asked %d times about %s", n, path)
				}
			}
			if want := naiveSearch(s, r); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q, limit %d: got %d hits, truncated %v, want %d, %v", c.query, c.limit, len(got.Hits), got.Truncated, len(want.Hits), want.Truncated)
			}
		}
	}
}

// Hits read with a cursor, put together, are all hits.
func TestSearchResumes(t *testing.T) {
	s := bigRepo(t, 30, 70_000)
	all := s.Search(SearchRequest{Query: "value_0000", Limit: 1 << 20})
	var got []Hit
	r := SearchRequest{Query: "value_0000", Limit: 7}
	for {
		part := s.Search(r)
		got = append(got, part.Hits...)
		if !part.Truncated {
			break
		}
		last := part.Hits[len(part.Hits)-1]
		r.AfterPath, r.AfterLine = last.Path, last.Line
	}
	if len(all.Hits) == 0 || !reflect.DeepEqual(got, all.Hits) {
		t.Errorf("got %d hits, want %d", len(got), len(all.Hits))
	}
}
