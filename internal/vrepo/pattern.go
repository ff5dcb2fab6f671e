package vrepo

import "strings"

// pattern is a needle prepared for exact search in linear time.
//
// The search jumps from one occurrence of the needle's rarest byte to the next.
// Where that byte turns out to be frequent it looks for a window of the needle
// instead, and where even that gives many false starts it moves the window to
// the place at which they differ. A text made to defeat all this is searched
// with a failure table, byte by byte. Each stage may waste only a fixed part of
// the distance it has come, so that their sum is linear too.
type pattern struct {
	needle string
	rare   int // place of the rarest byte
	second int // place of the rarest of the other bytes, or rare
}

// commonBytes are ASCII bytes by their frequency in source code, most frequent
// first: the mean over several large trees of code and documentation.
const commonBytes = " etnsoria\nlcdpuhmf,/._g)(\tb\":y0*-'v=xS1`ETAw2kIRCOLN|34P[]#{}6M;D58F9jB7G\\UVH>z<X&qW+YK!Q?%J@Z$~^\r\f"

// Ranks of the bytes of other scripts, whose first bytes come over and over.
const (
	leadRank = len(commonBytes) - 10 // among the frequent letters
	tailRank = len(commonBytes) / 2
)

func newPattern(needle string) pattern {
	var rank [256]int // how frequent; 0 for bytes that text hardly ever has
	for i := range len(commonBytes) {
		rank[commonBytes[i]] = len(commonBytes) - i
	}
	for b := 0x80; b < 0x100; b++ {
		rank[b] = tailRank
		if b >= 0xC0 {
			rank[b] = leadRank
		}
	}
	p := pattern{needle: needle}
	for i := range len(needle) {
		if rank[needle[i]] < rank[needle[p.rare]] {
			p.rare = i
		}
	}
	p.second = p.rare
	for i := range len(needle) {
		if needle[i] == needle[p.rare] {
			continue
		}
		if p.second == p.rare || rank[needle[i]] < rank[needle[p.second]] {
			p.second = i
		}
	}
	return p
}

const (
	// windowSize is short enough for strings.Index to pass near misses at one
	// speed wherever they differ, and long enough to make them few.
	windowSize = 31
	// stride is how many bytes one step of verification compares.
	stride = 64
	// maxWindows is how often the window is moved before the table is built.
	maxWindows = 4
)

// index is the offset of the first occurrence at or after from, else -1. An
// empty needle occurs nowhere.
func (p *pattern) index(text string, from int) int {
	last := len(text) - len(p.needle)
	if p.needle == "" {
		return -1
	}
	rare, second := p.needle[p.rare], p.needle[p.second]
	work := 0
	for at := from; at <= last; at++ {
		n := strings.IndexByte(text[at+p.rare:last+p.rare+1], rare)
		if n < 0 {
			return -1
		}
		at += n
		if text[at+p.second] == second {
			miss, steps := p.mismatch(text, at)
			if miss < 0 {
				return at
			}
			work += steps
		}
		work++
		if work > 16+(at-from)/8 {
			return p.indexWindow(text, at+1)
		}
	}
	return -1
}

// mismatch is the place of the first stride in which the needle differs from
// the text at offset at, -1 if there is none, and how many strides it took.
func (p *pattern) mismatch(text string, at int) (miss, steps int) {
	for from := 0; from < len(p.needle); from += stride {
		steps++
		to := min(from+stride, len(p.needle))
		if p.needle[from:to] != text[at+from:at+to] {
			return from, steps
		}
	}
	return -1, steps
}

// indexWindow is index where the rarest byte is frequent.
func (p *pattern) indexWindow(text string, from int) int {
	last := len(text) - len(p.needle)
	low := max(0, p.rare-windowSize/3)
	moved, work, start := 0, 0, from
	for at := from; at <= last; at++ {
		window := p.needle[low:min(low+windowSize, len(p.needle))]
		n := strings.Index(text[at+low:last+low+len(window)], window)
		if n < 0 {
			return -1
		}
		at += n
		miss, steps := p.mismatch(text, at)
		if miss < 0 {
			return at
		}
		work += 1 + steps
		if work <= 16+(at-start)/64 {
			continue
		}
		if moved == maxWindows {
			return p.indexTable(text, at+1)
		}
		low = p.windowAround(miss, text, at)
		moved, work, start = moved+1, 0, at
	}
	return -1
}

// windowAround is the start of a window with the first byte that differs, in
// the stride at miss, between the needle and the text at offset at. The byte
// comes early in the window: a near miss is told sooner.
func (p *pattern) windowAround(miss int, text string, at int) int {
	for p.needle[miss] == text[at+miss] {
		miss++
	}
	return max(0, miss-windowSize/3)
}

// indexTable is index by the method of Knuth, Morris and Pratt: no text makes
// it slower than a few steps a byte.
func (p *pattern) indexTable(text string, from int) int {
	fallback := p.fallbacks()
	matched := 0
	for i := from; i < len(text); i++ {
		for matched >= 0 && p.needle[matched] != text[i] {
			matched = int(fallback[matched])
		}
		matched++
		if matched == len(p.needle) {
			return i + 1 - matched
		}
	}
	return -1
}

// fallbacks tells, for a needle matched up to place i and no further, how much
// of it is still matched once the needle moves on; -1 moves it past the byte.
func (p *pattern) fallbacks() []int32 {
	table := make([]int32, len(p.needle))
	table[0] = -1
	border := int32(0)
	for i := 1; i < len(p.needle); i++ {
		table[i] = border
		if p.needle[i] == p.needle[border] {
			table[i] = table[border]
		}
		for border >= 0 && p.needle[border] != p.needle[i] {
			border = table[border]
		}
		border++
	}
	return table
}

// Matches is where a needle stands in a file.
type Matches struct {
	// Count is the number of matches found, at most the limit. Matches may
	// overlap: "aa" stands twice in "aaa".
	Count int
	// More says that there are further matches.
	More bool
	// Offsets are the byte offsets of the matches counted, in order.
	Offsets []int
}

// Find looks for needle, byte for byte, and stops when it knows of limit
// matches (at least one) and whether there are more. An empty needle matches
// nothing. The work is linear in the size of the file, for any needle.
func (c *content) Find(needle string, limit int) Matches {
	var m Matches
	p := newPattern(needle)
	limit = max(limit, 1)
	for at := p.index(c.text, 0); at >= 0; at = p.index(c.text, at+1) {
		if m.Count == limit {
			m.More = true
			break
		}
		m.Count++
		m.Offsets = append(m.Offsets, at)
	}
	return m
}
