package term

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/width"
)

// tabWidth is what a tab counts: the most columns it can advance, so that a
// text measured short enough is so wherever it starts.
const tabWidth = 8

// Width is the number of terminal columns that text takes on one line: 2 for
// East Asian wide and fullwidth characters and for emoji, 0 for what combines
// with the character before it, 1 for others and for each byte that is not
// UTF-8. A tab counts 8; other controls count nothing, so escape first.
func Width(text string) int {
	if plain(text) {
		return len(text)
	}
	total := 0
	for cluster := range clusters(text) {
		total += clusterWidth(cluster)
	}
	return total
}

// plain reports whether text is printable ASCII only: a column for each byte.
func plain(text string) bool {
	for i := range len(text) {
		if !printable(text[i]) {
			return false
		}
	}
	return true
}

func printable(b byte) bool { return ' ' <= b && b <= '~' }

// clusters yields the grapheme clusters of text in order. A byte that is not
// UTF-8 is one by itself: the segmenter would glue it to its neighbours.
func clusters(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			// Most text is ASCII, where no segmenter is needed.
			n := plainClusters(text)
			for i := range n {
				if !yield(text[i : i+1]) {
					return
				}
			}
			text = text[n:]
			n = otherClusters(text)
			if !segment(text[:n], yield) {
				return
			}
			text = text[n:]
		}
	}
}

// plainClusters is the number of leading bytes of text that are a cluster each:
// printable ASCII with nothing behind it that could combine with it.
func plainClusters(text string) int {
	for i := range len(text) {
		if !printable(text[i]) || i+1 < len(text) && text[i+1] >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// otherClusters is the length of the part of text that needs the segmenter: up
// to between two printable ASCII characters, where a cluster always ends.
func otherClusters(text string) int {
	for i := 1; i < len(text); i++ {
		if printable(text[i-1]) && printable(text[i]) {
			return i
		}
	}
	return len(text)
}

// segment yields the clusters of text, until yield says to stop.
func segment(text string, yield func(string) bool) bool {
	for len(text) > 0 {
		valid := validPrefix(text)
		for g := graphemes.FromString(text[:valid]); g.Next(); {
			if !yield(g.Value()) {
				return false
			}
		}
		text = text[valid:]
		if len(text) > 0 {
			if !yield(text[:1]) {
				return false
			}
			text = text[1:]
		}
	}
	return true
}

// validPrefix is the length in bytes of the longest prefix that is UTF-8.
func validPrefix(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// clusterWidth is the number of columns of one grapheme cluster. A cluster that
// is drawn as one wide glyph (emoji of several parts, flags, Hangul syllables)
// takes 2, whatever its parts would take.
func clusterWidth(cluster string) int {
	first, size := utf8.DecodeRuneInString(cluster)
	if size == len(cluster) {
		return runeWidth(first)
	}
	flag := 0x1F1E6 <= first && first <= 0x1F1FF
	if runeWidth(first) == 2 || flag || strings.Contains(cluster, "\uFE0F") {
		return 2
	}
	total := 0
	for _, r := range cluster {
		total += runeWidth(r)
	}
	return total
}

// runeWidth is the number of columns of one character by itself.
func runeWidth(r rune) int {
	switch {
	case r == '\t':
		return tabWidth
	case r < ' ', 0x7F <= r && r < 0xA0:
		return 0
	case r < 0x300:
		if r == 0xAD {
			return 0
		}
		return 1
	case 0x1160 <= r && r <= 0x11FF, 0xD7B0 <= r && r <= 0xD7FF:
		return 0 // Hangul vowels and finals, drawn into the consonant before
	case combines(r):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// combines reports whether a character takes no column of its own.
func combines(r rune) bool {
	return unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// Clip shortens text to the given columns, ending a text that was cut in
// ellipsis. The result is never wider than columns and never ends inside a
// grapheme cluster; where not even the ellipsis fits, it is what fits of that.
func Clip(text string, columns int, ellipsis string) string {
	end, cut := clipAt(text, columns, ellipsis)
	if !cut {
		return text
	}
	return text[:end] + clipEllipsis(columns, ellipsis)
}

// clipAt gives where [Clip] cuts: the byte offset at which the ellipsis goes,
// and whether a cut is needed.
func clipAt(text string, columns int, ellipsis string) (end int, cut bool) {
	if len(text) <= columns && plain(text) {
		return len(text), false
	}
	room := columns - Width(ellipsis) // for the text before the ellipsis
	total, offset := 0, 0
	for cluster := range clusters(text) {
		total += clusterWidth(cluster)
		if total > max(columns, 0) {
			return end, true
		}
		offset += len(cluster)
		if total <= room {
			end = offset
		}
	}
	return len(text), false
}

// clipEllipsis is what fits of the ellipsis in the given columns.
func clipEllipsis(columns int, ellipsis string) string {
	total, end := 0, 0
	for cluster := range clusters(ellipsis) {
		total += clusterWidth(cluster)
		if total > columns {
			break
		}
		end += len(cluster)
	}
	return ellipsis[:end]
}
