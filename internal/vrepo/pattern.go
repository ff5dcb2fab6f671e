package vrepo

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
)

// pattern is a needle prepared for exact search in linear time. It is safe for
// concurrent use.
//
// The search jumps from one occurrence of the needle's rarest byte to the next.
// Where that byte turns out to be frequent, it goes on by the two-way method of
// Crochemore and Perrin, from one occurrence of a window of the needle to the
// next. Each of them moves the needle by more than the window, so the method's
// bound holds for the false starts too, and the first stage may waste only a
// fixed part of the distance it has come.
type pattern struct {
	needle string
	rare   int // place of the rarest byte
	second int // place of the rarest of the other bytes, or rare

	cutOnce sync.Once
	cut     criticalCut
}

// commonBytes are ASCII bytes by their frequency in source code, most frequent
// first: the mean over several large trees of code and documentation.
const commonBytes = " etnsoria\nlcdpuhmf,/._g)(\tb\":y0*-'v=xS1`ETAw2kIRCOLN|34P[]#{}6M;D58F9jB7G\\UVH>z<X&qW+YK!Q?%J@Z$~^\r\f"

// Ranks of the bytes of other scripts, whose first bytes come over and over.
const (
	leadRank = len(commonBytes) - 10 // among the frequent letters
	tailRank = len(commonBytes) / 2
)

// ranks says how frequent each byte is; 0 for bytes that text hardly ever has.
var ranks = sync.OnceValue(func() *[256]uint8 {
	var rank [256]uint8
	for i := range len(commonBytes) {
		rank[commonBytes[i]] = uint8(len(commonBytes) - i)
	}
	for b := 0x80; b < 0x100; b++ {
		rank[b] = uint8(tailRank)
		if b >= 0xC0 {
			rank[b] = uint8(leadRank)
		}
	}
	return &rank
})

func newPattern(needle string) *pattern {
	rank := ranks()
	p := &pattern{needle: needle}
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

// windowSize is the longest needle that strings.Index looks for at one speed
// whatever the text, on every machine that has vector instructions.
const windowSize = 31

// index is the offset of the first occurrence at or after from, else -1. An
// empty needle occurs nowhere.
func (p *pattern) index(text string, from int) int {
	last := len(text) - len(p.needle)
	if p.needle == "" {
		return -1
	}
	const stride = 64 // bytes whose comparison counts as one step of work
	rare, second := p.needle[p.rare], p.needle[p.second]
	work := 0
	for at := from; at <= last; at++ {
		n := strings.IndexByte(text[at+p.rare:last+p.rare+1], rare)
		if n < 0 {
			return -1
		}
		at += n
		if text[at+p.second] == second {
			same := commonPrefix(p.needle, text[at:])
			if same == len(p.needle) {
				return at
			}
			work += 1 + same/stride
		}
		work++
		if work > 16+(at-from)/16 {
			return p.indexTwoWay(text, at+1)
		}
	}
	return -1
}

// indexTwoWay is index where the rarest byte is frequent. The part of the needle
// from its critical cut on is compared first, and forward: where it differs,
// nothing that starts up to there can be an occurrence.
func (p *pattern) indexTwoWay(text string, from int) int {
	last := len(text) - len(p.needle)
	if from > last {
		return -1
	}
	if len(p.needle) <= windowSize {
		if n := strings.Index(text[from:], p.needle); n >= 0 {
			return from + n
		}
		return -1
	}
	p.cutOnce.Do(func() { p.cut = criticalCutOf(p.needle) })
	cut := p.cut
	window := p.needle[cut.at:min(cut.at+windowSize, len(p.needle))]
	known := 0 // bytes of the needle that are known to fit at offset at
	for at := from; at <= last; {
		fits := max(known, cut.at)
		if known == 0 {
			n := strings.Index(text[at+cut.at:last+cut.at+len(window)], window)
			if n < 0 {
				return -1
			}
			at += n
			fits += len(window)
		}
		fits += commonPrefix(p.needle[fits:], text[at+fits:])
		switch {
		case fits < len(p.needle):
			at, known = at+fits-cut.at+1, 0
		case known >= cut.at || p.needle[known:cut.at] == text[at+known:at+cut.at]:
			return at
		default:
			at, known = at+cut.step, cut.kept
		}
	}
	return -1
}

// criticalCut parts a needle where the text on either side repeats itself no
// sooner than the whole needle does.
type criticalCut struct {
	at int
	// step is how far the needle moves where its part from the cut on fits and
	// the part before it does not, and kept how much of it then fits unseen.
	step, kept int
}

func criticalCutOf(needle string) criticalCut {
	at, period := maximalSuffix(needle, false)
	if other, otherPeriod := maximalSuffix(needle, true); other > at {
		at, period = other, otherPeriod
	}
	if needle[:at] == needle[period:period+at] {
		return criticalCut{at, period, len(needle) - period}
	}
	return criticalCut{at, max(at, len(needle)-at+1), 0}
}

// maximalSuffix is the start and the period of the suffix that comes last in
// the order of bytes, or in the reverse order.
func maximalSuffix(s string, reverse bool) (start, period int) {
	period = 1
	same := 0 // bytes that the suffixes from start and from next have in common
	for next := 1; next+same < len(s); {
		a, b := s[start+same], s[next+same]
		switch {
		case a == b && same+1 == period:
			next, same = next+period, 0
		case a == b:
			same++
		case (a > b) != reverse:
			next, same = next+same+1, 0
			period = next - start
		default:
			start, next = next, next+1
			same, period = 0, 1
		}
	}
	return start, period
}

// commonPrefix is how many bytes two texts have in common at their starts.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	x, y := bytesOf(a)[:n], bytesOf(b)[:n]
	const word = 8
	i := 0
	for ; i+word <= n; i += word {
		if d := binary.LittleEndian.Uint64(x[i:]) ^ binary.LittleEndian.Uint64(y[i:]); d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
	}
	for i < n && x[i] == y[i] {
		i++
	}
	return i
}

// commonSuffix is how many bytes two texts have in common at their ends.
func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	x, y := bytesOf(a)[len(a)-n:], bytesOf(b)[len(b)-n:]
	const word = 8
	i := n
	for ; i >= word; i -= word {
		if d := binary.LittleEndian.Uint64(x[i-word:]) ^ binary.LittleEndian.Uint64(y[i-word:]); d != 0 {
			return n - i + bits.LeadingZeros64(d)/8
		}
	}
	for i > 0 && x[i-1] == y[i-1] {
		i--
	}
	return n - i
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
