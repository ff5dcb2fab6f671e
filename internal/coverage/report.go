package coverage

import (
	"cmp"
	"slices"
)

// Report is what a suite shows of its boundary, and what it does not.
type Report struct {
	Kinds     []KindCount // in the order of [Kinds]
	All       Count
	Points    []Point // by kind, then by their places
	Scenarios []Contribution
}

// KindCount is the count of one kind.
type KindCount struct {
	Kind Kind
	Count
}

// Count counts points.
type Count struct {
	Total   int
	Seen    int
	Excused int // never seen, with a reason
}

// Missing is the number of points never seen and not excused.
func (c Count) Missing() int { return c.Total - c.Seen - c.Excused }

// Percent is the part of the points that are seen of those not excused, cut to one
// decimal: only where nothing is missing it is 100. Of no points nothing is
// missing.
func (c Count) Percent() float64 {
	if of := c.Total - c.Excused; of > 0 {
		return float64(1000*c.Seen/of) / 10
	}
	return 100
}

// Reaches reports whether at least so many percent are seen, exactly.
func (c Count) Reaches(percent float64) bool {
	return float64(100*c.Seen) >= percent*float64(c.Total-c.Excused)
}

// Point is one thing that a suite can show.
type Point struct {
	ID    string // as excuses name it
	Kind  Kind
	Where string // its place in a scenario, "grants.yaml:18:10", or its file; "" if it has none
	About string // what it is, in a few words
	Seen  int    // the number of scenarios that show it
	Near  string // of a rule never seen: how near it came
	// Excuse is why it may be missing, for one never seen.
	Excuse string
}

// Missing reports whether the point is never seen and not excused.
func (p *Point) Missing() bool { return p.Seen == 0 && p.Excuse == "" }

// Contribution is what one scenario adds.
type Contribution struct {
	ID     string
	Seen   int      // points that it shows
	Unique []string // the ids of those that no other shows
}

// Missing lists the points never seen and not excused.
func (r *Report) Missing() []Point {
	return slices.DeleteFunc(slices.Clone(r.Points), func(p Point) bool { return !p.Missing() })
}

// Report sums up what was seen so far.
func (c *Collector) Report() *Report {
	c.nameRules()
	sorted := slices.Clone(c.points)
	kinds := Kinds()
	slices.SortFunc(sorted, func(a, b *point) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)), a.order.compare(b.order), cmp.Compare(a.id, b.id))
	})
	r := &Report{Points: make([]Point, len(sorted)), Scenarios: make([]Contribution, len(c.runs))}
	for i, run := range c.runs {
		r.Scenarios[i] = Contribution{ID: run.id, Seen: run.n}
	}
	for i, p := range sorted {
		r.Points[i] = Point{ID: p.id, Kind: p.kind, Where: p.where, About: p.about, Seen: p.seen}
		switch {
		case p.seen == 0 && p.rule != nil:
			r.Points[i].Near = p.rule.near()
		case p.seen == 1:
			r.Scenarios[p.by].Unique = append(r.Scenarios[p.by].Unique, p.id)
		}
	}
	r.count()
	return r
}

// nameRules gives rules their names, which depend on who shares them. Those that
// would have one name say their places too.
func (c *Collector) nameRules() {
	taken := map[string]int{}
	for _, p := range c.points {
		if p.rule != nil {
			p.id = p.rule.id(p.where)
			taken[p.id]++
		}
	}
	for _, p := range c.points {
		if p.rule != nil && taken[p.id] > 1 {
			p.id += " " + word(p.where)
		}
	}
}

// near says how near a rule came to deciding.
func (u *ruleUse) near() string {
	switch {
	case u.matched:
		return "matched, and did not decide"
	case u.tried:
		return "tried, and never matched"
	case u.unsure:
		return "not among the rules that decisions list"
	default:
		return "never tried"
	}
}

// count counts the points.
func (r *Report) count() {
	r.All = Count{}
	r.Kinds = make([]KindCount, len(Kinds()))
	for i, kind := range Kinds() {
		n := KindCount{Kind: kind}
		for j := range r.Points {
			if p := &r.Points[j]; p.Kind == kind {
				n.add(p)
			}
		}
		r.Kinds[i] = n
		r.All.Total += n.Total
		r.All.Seen += n.Seen
		r.All.Excused += n.Excused
	}
}

func (c *Count) add(p *Point) {
	c.Total++
	switch {
	case p.Seen > 0:
		c.Seen++
	case p.Excuse != "":
		c.Excused++
	}
}
