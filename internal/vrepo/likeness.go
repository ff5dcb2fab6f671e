package vrepo

import "math/bits"

// signature is the set of the pairs of neighbouring bytes of a text, hashed.
type signature [4]uint64

func signatureOf(s string) signature {
	var sig signature
	for i := 0; i+1 < len(s); i++ {
		h := (uint32(s[i])*31 + uint32(s[i+1])) * 2654435761 >> 24
		sig[h>>6] |= 1 << (h & 63)
	}
	return sig
}

func (s signature) size() int { return s.common(s) }

func (s signature) common(t signature) int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// likeness is how well a text fits the part of a line that it fits best.
type likeness struct {
	line     foldedLine
	from     int // where the part starts, in the folded line
	distance int // the least number of byte edits
}

// likenessOf finds the part of text that needle turns into with the fewest
// edits; of several, the first to end.
func likenessOf(needle, text string) likeness {
	// For each head of needle, the distance to the nearest part that ends here,
	// and where that part starts.
	type cell struct{ distance, from int }
	row := make([]cell, len(needle)+1)
	for i := range row {
		row[i].distance = i
	}
	last := len(needle)
	best := row[last]
	for j := range len(text) {
		diagonal := row[0]
		row[0].from = j + 1
		for i := 1; i <= last; i++ {
			next := diagonal
			if needle[i-1] != text[j] {
				next.distance++
			}
			diagonal = row[i]
			if above := row[i]; above.distance+1 < next.distance {
				next = cell{above.distance + 1, above.from}
			}
			if left := row[i-1]; left.distance+1 < next.distance {
				next = cell{left.distance + 1, left.from}
			}
			row[i] = next
		}
		if row[last].distance < best.distance {
			best = row[last]
		}
	}
	return likeness{from: best.from, distance: best.distance}
}
