package expression

// The limits of a source.
const (
	maxSource = 2000 // code points
	maxDepth  = 50   // brackets, calls, signs and branches inside each other
)

// The limits of an evaluation. They are counts and not times, so that the same
// values reach them on every machine.
const (
	maxSteps    = 100_000 // elementary steps
	maxText     = 1 << 20 // bytes of a string that is made
	maxElements = 100_000 // of a list that is made; parts, at any depth, of a result
	maxNesting  = 64      // of a result; as deep as strictjson reads

	// textPerStep and elementsPerStep are what one step looks at or copies.
	textPerStep     = 256
	elementsPerStep = 16
)
