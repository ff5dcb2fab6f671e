package explore

// choices are what was chosen in one step, packed.
type choices uint64

const (
	choiceBits  = 5
	mostChoices = 64 / choiceBits
	mostOptions = 1 << choiceBits
)

// odometer goes through every way in which a step can go on: the first time the first
// option is taken wherever there is a choice, and the last choice is changed first.
type odometer struct {
	chosen  []uint8
	options []uint8
	at      int // of the next choice
	cut     bool
}

// begin starts with a step of which nothing is known.
func (o *odometer) begin() { o.chosen, o.options, o.at = o.chosen[:0], o.options[:0], 0 }

// again has the step take the ways that were taken before.
func (o *odometer) again(c choices) {
	o.begin()
	for range mostChoices {
		o.chosen, o.options = append(o.chosen, uint8(c%mostOptions)), append(o.options, 1)
		c >>= choiceBits
	}
}

// choose gives the option to take of so many.
func (o *odometer) choose(options int) int {
	if o.at >= mostChoices || options > mostOptions {
		o.cut = o.cut || options > 1
		return 0
	}
	if o.at == len(o.chosen) {
		o.chosen, o.options = append(o.chosen, 0), append(o.options, uint8(options))
	}
	o.at++
	return int(o.chosen[o.at-1])
}

// next changes the last choice that has an option left; false if none has.
func (o *odometer) next() bool {
	for last := len(o.chosen) - 1; last >= 0; last-- {
		if o.chosen[last]+1 < o.options[last] {
			o.chosen[last]++
			o.chosen, o.options, o.at = o.chosen[:last+1], o.options[:last+1], 0
			return true
		}
	}
	return false
}

// choices are those that the step came to.
func (o *odometer) choices() choices {
	var c choices
	for i := o.at - 1; i >= 0; i-- {
		c = c<<choiceBits | choices(o.chosen[i])
	}
	return c
}
