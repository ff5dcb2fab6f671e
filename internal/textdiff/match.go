package textdiff

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// comparison finds the lines two texts have in common, in order.
//
// Only lines that stand in both texts can be common, so all others are set
// aside first; what is left is small in most real cases and is compared
// exactly. If it is too large, lines that are unique in both texts cut it into
// pieces, as in a patience diff, and each piece is compared alone while the
// budget lasts.
type comparison struct {
	a, b   []string
	budget int
	found  []match
}

// line is a line that stands in both texts: its number in its own text, and an
// id that is equal for equal lines.
type line struct{ at, id int }

func (c *comparison) run() (found []match, exact bool) {
	if len(c.a) == 0 || len(c.b) == 0 {
		return nil, true
	}
	if c.budget <= 0 {
		return nil, false
	}
	left, right := shared(c.a, c.b)
	if c.affords(left, right) {
		c.compare(left, right)
		return c.found, true
	}
	c.cut(left, right)
	return c.found, false
}

// affords reports whether the budget covers an exact comparison, and takes it.
// The division avoids an overflow of the product.
func (c *comparison) affords(left, right []line) bool {
	if len(left) == 0 || len(right) == 0 {
		return true
	}
	if len(left) > c.budget/len(right) {
		return false
	}
	c.budget -= len(left) * len(right)
	return true
}

// shared returns the lines of a and of b that also stand in the other. Ids
// count from 0 in the order of first appearance in a.
func shared(a, b []string) (left, right []line) {
	const onlyInA = -1
	ids := make(map[string]int, len(a))
	for _, text := range a {
		ids[text] = onlyInA
	}
	right = make([]line, 0, len(b))
	for i, text := range b {
		if _, ok := ids[text]; ok {
			right = append(right, line{at: i})
		}
	}
	inB := make(map[string]struct{}, len(right))
	for _, l := range right {
		inB[b[l.at]] = struct{}{}
	}
	left = make([]line, 0, min(len(a), len(right)))
	next := 0
	for i, text := range a {
		if _, ok := inB[text]; !ok {
			continue
		}
		if ids[text] == onlyInA {
			ids[text] = next
			next++
		}
		left = append(left, line{at: i, id: ids[text]})
	}
	for i, l := range right {
		right[i].id = ids[b[l.at]]
	}
	return left, right
}

// compare adds the matches of a smallest difference of left and right.
//
// The library compares runes. Each line becomes the rune of a small number, so
// invalid UTF-8 in a line never reaches it; the numbers stay in range because
// the budget admits at most its square root of distinct lines. Without a time
// limit its answer does not depend on the machine.
func (c *comparison) compare(left, right []line) {
	if len(left) == 0 || len(right) == 0 {
		return
	}
	numbers := make(map[int]rune, min(len(left), len(right)))
	number := func(lines []line) []rune {
		runes := make([]rune, len(lines))
		for i, l := range lines {
			r, ok := numbers[l.id]
			if !ok {
				r = nthRune(len(numbers))
				numbers[l.id] = r
			}
			runes[i] = r
		}
		return runes
	}
	library := diffmatchpatch.DiffMatchPatch{}
	i, j := 0, 0
	for _, d := range library.DiffMainRunes(number(left), number(right), false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		case diffmatchpatch.DiffEqual:
			for range n {
				c.add(left[i].at, right[j].at)
				i++
				j++
			}
		}
	}
}

// nthRune numbers the runes that survive a trip through a string: all but the
// surrogates.
func nthRune(n int) rune {
	const surrogates, after = 0xD800, 0xE000
	if n >= surrogates {
		n += after - surrogates
	}
	return rune(n)
}

// cut splits the comparison at the longest ascending run of lines that are
// unique in both texts. Such a line is very likely the same line.
func (c *comparison) cut(left, right []line) {
	i, j := 0, 0
	for _, p := range ascending(uniquePairs(left, right)) {
		c.piece(left[i:p.left], right[j:p.right])
		c.add(left[p.left].at, right[p.right].at)
		i, j = p.left+1, p.right+1
	}
	c.piece(left[i:], right[j:])
}

// piece compares what stands between two anchors. Equal ends are matched
// whatever the budget; the rest is left as replaced if the budget is used up.
func (c *comparison) piece(left, right []line) {
	for len(left) > 0 && len(right) > 0 && left[0].id == right[0].id {
		c.add(left[0].at, right[0].at)
		left, right = left[1:], right[1:]
	}
	tail := 0
	for tail < len(left) && tail < len(right) &&
		left[len(left)-1-tail].id == right[len(right)-1-tail].id {
		tail++
	}
	restLeft, restRight := left[:len(left)-tail], right[:len(right)-tail]
	if c.affords(restLeft, restRight) {
		c.compare(restLeft, restRight)
	}
	for i := range tail {
		c.add(left[len(restLeft)+i].at, right[len(restRight)+i].at)
	}
}

// add records that line a of one text is line b of the other, which stand
// behind all recorded before.
func (c *comparison) add(a, b int) {
	if n := len(c.found); n > 0 {
		if last := &c.found[n-1]; last.a+last.n == a && last.b+last.n == b {
			last.n++
			return
		}
	}
	c.found = append(c.found, match{a, b, 1})
}

// pair is a place in left and a place in right that hold the same line.
type pair struct{ left, right int }

// uniquePairs pairs the lines that stand exactly once on both sides, in the
// order of left.
func uniquePairs(left, right []line) []pair {
	const none, many = -1, -2
	once := func(lines []line) []int {
		var at []int
		for i, l := range lines {
			for len(at) <= l.id {
				at = append(at, none)
			}
			if at[l.id] == none {
				at[l.id] = i
			} else {
				at[l.id] = many
			}
		}
		return at
	}
	var pairs []pair
	inLeft, inRight := once(left), once(right)
	for i, l := range left {
		if inLeft[l.id] == i && l.id < len(inRight) && inRight[l.id] >= 0 {
			pairs = append(pairs, pair{i, inRight[l.id]})
		}
	}
	return pairs
}

// ascending is a longest subsequence of pairs whose right ends ascend.
func ascending(pairs []pair) []pair {
	tails := make([]int, 0, len(pairs)) // tails[n] ends the best run of n+1 pairs
	before := make([]int, len(pairs))   // the pair that stands before pair i in its run
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, p.right, func(t, right int) int {
			return cmp.Compare(pairs[t].right, right)
		})
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	run := make([]pair, len(tails))
	if len(tails) == 0 {
		return run
	}
	for n, i := len(tails)-1, tails[len(tails)-1]; n >= 0; n, i = n-1, before[i] {
		run[n] = pairs[i]
	}
	return run
}
