package explore

// Apart has states that are known gone on from again, as if they were others.
func Apart(o Options) Options {
	o.apart = true
	return o
}
