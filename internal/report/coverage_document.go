package report

import "harness/internal/coverage"

// KindCoverage is the kind of the document about a coverage.
const KindCoverage = "Coverage"

// CoverageRecord is how much of a boundary a suite shows, as a document.
type CoverageRecord struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	CoverageCount
	Kinds     []CoverageKind         `json:"kinds"`
	NeverSeen []CoveragePoint        `json:"neverSeen" jsonschema:"points that no scenario shows, and that are not excused"`
	Excuses   []CoveragePoint        `json:"excuses,omitempty" jsonschema:"points that no scenario shows, with the reason"`
	Scenarios []CoverageContribution `json:"scenarios" jsonschema:"what each shows, in their order"`
}

// CoverageCount counts points. The percentage is that of the points seen among those
// not excused, cut to one decimal.
type CoverageCount struct {
	Points  int     `json:"points"`
	Seen    int     `json:"seen"`
	Excused int     `json:"excused"`
	Missing int     `json:"missing"`
	Percent float64 `json:"percent"`
}

// CoverageKind is the count of one kind of points.
type CoverageKind struct {
	Kind coverage.Kind `json:"kind"`
	CoverageCount
}

// CoveragePoint is a point that no scenario shows.
type CoveragePoint struct {
	ID     string        `json:"id" jsonschema:"as excuses name it"`
	Kind   coverage.Kind `json:"kind"`
	Where  string        `json:"where,omitempty" jsonschema:"its place in a scenario, FILE:LINE:COL, or its file"`
	About  string        `json:"about,omitempty"`
	Near   string        `json:"near,omitempty" jsonschema:"of a rule: how near it came to deciding"`
	Reason string        `json:"reason,omitempty" jsonschema:"why it is excused"`
}

// CoverageContribution is what one scenario adds.
type CoverageContribution struct {
	ID     string   `json:"id"`
	Seen   int      `json:"seen" jsonschema:"points that it shows"`
	Unique []string `json:"unique,omitempty" jsonschema:"points that no other scenario shows"`
}

// CoverageDocument is a coverage as a document.
func CoverageDocument(r *coverage.Report) *CoverageRecord {
	d := &CoverageRecord{
		APIVersion: APIVersion, Kind: KindCoverage, CoverageCount: coverageCount(r.All),
		Kinds: make([]CoverageKind, len(r.Kinds)), NeverSeen: []CoveragePoint{},
		Scenarios: make([]CoverageContribution, len(r.Scenarios)),
	}
	for i, k := range r.Kinds {
		d.Kinds[i] = CoverageKind{k.Kind, coverageCount(k.Count)}
	}
	for i := range r.Points {
		p := &r.Points[i]
		point := CoveragePoint{ID: p.ID, Kind: p.Kind, Where: p.Where, About: p.About, Near: p.Near, Reason: p.Excuse}
		switch {
		case p.Missing():
			d.NeverSeen = append(d.NeverSeen, point)
		case p.Seen == 0:
			d.Excuses = append(d.Excuses, point)
		}
	}
	for i, s := range r.Scenarios {
		d.Scenarios[i] = CoverageContribution(s)
	}
	return d
}

func coverageCount(c coverage.Count) CoverageCount {
	return CoverageCount{Points: c.Total, Seen: c.Seen, Excused: c.Excused, Missing: c.Missing(), Percent: c.Percent()}
}
