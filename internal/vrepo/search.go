package vrepo

import (
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// SearchRequest asks for the lines that hold a text.
type SearchRequest struct {
	// Query is looked for byte for byte. One that is empty, holds a line feed
	// or is not valid UTF-8 is on no line.
	Query string
	// Readable says whether a file may be searched; nil means all. It is
	// called on the caller's goroutine, at most once a file.
	Readable func(path string) bool
	// Limit is the largest number of hits.
	Limit int
	// ClipRunes is the largest number of code points of a hit's text; 0 means
	// the whole line.
	ClipRunes int
	// AfterPath and AfterLine, if set, are the last hit of an earlier answer:
	// hits behind it are given.
	AfterPath string
	AfterLine int
}

// Hit is a line that holds the query, at the first place where it does.
type Hit struct {
	Path   string
	Line   int // from 1
	Column int // code points from 1
	// Text is the line without its line feed, or the part of it around the
	// match if Clipped.
	Text    string
	Clipped bool
}

// SearchResult is the answer to a search.
type SearchResult struct {
	Hits []Hit
	// Truncated says that there are more hits than the limit.
	Truncated bool
	// Files is the number of files among the hits.
	Files int
}

// Search finds lines by bytewise path order, then by line, and stops as soon as
// it knows whether there are more than the limit. Only readable UTF-8 files are
// searched, and no other leaves a trace in the answer.
func (s *Snapshot) Search(r SearchRequest) SearchResult {
	if r.Query == "" || strings.IndexByte(r.Query, '\n') >= 0 || !utf8.ValidString(r.Query) {
		return SearchResult{}
	}
	q := &query{SearchRequest: r, pattern: newPattern(r.Query)}
	next, found := s.place(r.AfterPath)
	if found {
		f := s.files[next]
		next++
		if from := f.afterLine(r.AfterLine); from < len(f.text) {
			at := q.pattern.index(f.text, from)
			if at >= 0 && q.admits(f) && !q.collect(f, from, r.AfterLine, at) {
				return q.result
			}
		}
	}
	for f, at := range matching(s.files[next:], q.pattern) {
		if q.admits(f) && !q.collect(f, 0, 0, at) {
			break
		}
	}
	return q.result
}

// afterLine is the offset behind a line, the end if the file has no such line.
func (f *File) afterLine(line int) int {
	if line >= f.Lines() {
		return len(f.text)
	}
	return f.startOf(line + 1)
}

// query is a search under way.
type query struct {
	SearchRequest
	pattern *pattern
	result  SearchResult
}

func (q *query) admits(f *File) bool {
	return f.Encoding() == UTF8 && (q.Readable == nil || q.Readable(f.path))
}

// collect adds the hits of a file from its match at offset at on; the lines
// before offset from are known to be passed. It is false once the limit is
// exceeded.
func (q *query) collect(f *File, from, passed, at int) bool {
	first := true
	for at >= 0 {
		if len(q.result.Hits) >= q.Limit {
			q.result.Truncated = true
			return false
		}
		start := lineStart(f.text[from:], at-from) + from
		passed += strings.Count(f.text[from:start], "\n")
		end := lineEnd(f.text, at)
		hit := Hit{
			Path: f.path, Line: passed + 1,
			Column: utf8.RuneCountInString(f.text[start:at]) + 1,
		}
		hit.Text, hit.Clipped = clipAround(strings.TrimSuffix(f.text[start:end], "\n"), at-start, len(q.Query), q.ClipRunes)
		q.result.Hits = append(q.result.Hits, hit)
		if first {
			q.result.Files++
			first = false
		}
		from, passed = end, passed+1
		at = q.pattern.index(f.text, from)
	}
	return true
}

// clipAround is the part of a line of at most limit code points that has the
// match, of size bytes at offset at, in its middle as far as the line allows.
func clipAround(line string, at, size, limit int) (text string, clipped bool) {
	if limit <= 0 || len(line) <= limit {
		return line, false
	}
	match := utf8.RuneCountInString(line[at : at+size])
	if match >= limit {
		text = cutRunes(line[at:], limit)
		return text, len(text) < len(line)
	}
	room := limit - match
	left := cutRunesBefore(line[:at], room)
	right := cutRunes(line[at+size:], room)
	leftRunes, rightRunes := utf8.RuneCountInString(left), utf8.RuneCountInString(right)
	if leftRunes+rightRunes > room {
		leftRunes = max(min(leftRunes, room/2), room-rightRunes)
		left = cutRunesBefore(left, leftRunes)
		right = cutRunes(right, room-leftRunes)
	}
	from, to := at-len(left), at+size+len(right)
	return line[from:to], from > 0 || to < len(line)
}

const (
	// alone is how many bytes are scanned before goroutines are worth their
	// start, and how many make a chunk for one of them.
	alone = 1 << 20
	// maxWorkers bounds the goroutines of one search.
	maxWorkers = 8
)

// matching yields, in order, the files in which the pattern occurs, with the
// offset of its first occurrence. After the first bytes the scan goes on in
// parallel; as the chunks are yielded in their order, the answer is the same.
func matching(files []*File, p *pattern) iter.Seq2[*File, int] {
	return func(yield func(*File, int) bool) {
		scanned := 0
		for i, f := range files {
			if scanned >= alone {
				matchingParallel(chunks(files[i:]), p, yield)
				return
			}
			if at := p.index(f.text, 0); at >= 0 && !yield(f, at) {
				return
			}
			scanned += len(f.text)
		}
	}
}

// chunk is a run of files that one worker scans.
type chunk struct {
	files []*File
	at    []int // of the first occurrence in each file, -1 for none
	done  chan struct{}
}

func chunks(files []*File) []*chunk {
	var all []*chunk
	start, size := 0, 0
	for i, f := range files {
		size += len(f.text)
		if size >= alone || i == len(files)-1 {
			all = append(all, &chunk{files: files[start : i+1], done: make(chan struct{})})
			start, size = i+1, 0
		}
	}
	return all
}

// matchingParallel scans the chunks with several workers and yields from them
// in order. It returns when the workers have.
func matchingParallel(all []*chunk, p *pattern, yield func(*File, int) bool) {
	var next atomic.Int64
	var stop atomic.Bool
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers, len(all)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)) && !stop.Load(); i = next.Add(1) - 1 {
				all[i].scan(p, &stop)
			}
		})
	}
	defer workers.Wait()
	defer stop.Store(true)
	for _, c := range all {
		<-c.done
		for i, f := range c.files {
			if c.at[i] >= 0 && !yield(f, c.at[i]) {
				return
			}
		}
	}
}

func (c *chunk) scan(p *pattern, stop *atomic.Bool) {
	defer close(c.done)
	c.at = make([]int, len(c.files))
	for i, f := range c.files {
		c.at[i] = -1
		if !stop.Load() {
			c.at[i] = p.index(f.text, 0)
		}
	}
}
