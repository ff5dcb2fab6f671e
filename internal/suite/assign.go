package suite

// assignment gives some of one side partners of their own on the other.
type assignment struct {
	right []int // the partner of each on the left, -1 for none
	left  []int // the partner of each on the right, -1 for none
}

// firstLeft is the first on the left that is left over, -1 if all have a partner.
func (a assignment) firstLeft() int {
	for i, partner := range a.right {
		if partner < 0 {
			return i
		}
	}
	return -1
}

// assign gives as many on the left as possible a partner of their own out of those
// that fit it, the earlier ones first: whoever comes in its turn gets one if those
// before it can still have theirs. Taking the first that fits would be too few, since
// it may be the only one for somebody else. fitting holds numbers below rights.
func assign(fitting [][]int, rights int) assignment {
	a := assignment{right: make([]int, len(fitting)), left: make([]int, rights)}
	for i := range a.right {
		a.right[i] = -1
	}
	for i := range a.left {
		a.left[i] = -1
	}
	seen := make([]int, rights) // the turn in which one was asked, from 1
	for i := range fitting {
		a.place(i, i+1, fitting, seen)
	}
	return a
}

// place finds a partner for one on the left; whoever has it looks for another. Each on
// the right is asked once in a turn, which bounds work and depth.
func (a assignment) place(i, turn int, fitting [][]int, seen []int) bool {
	for _, k := range fitting[i] {
		if seen[k] == turn {
			continue
		}
		seen[k] = turn
		if a.left[k] < 0 || a.place(a.left[k], turn, fitting, seen) {
			a.left[k], a.right[i] = i, k
			return true
		}
	}
	return false
}
