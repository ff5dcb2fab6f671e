package coverage

import "harness/internal/scenarios"

// Unneeded is an excuse that nobody needs.
type Unneeded struct {
	scenarios.Excuse
	Seen bool // its point is seen; else there is none
}

// ExcuseAll notes why points may be missing, and counts anew. It gives the excuses that
// nobody needs: of points that are seen, or do not exist.
func (r *Report) ExcuseAll(list []scenarios.Excuse) (unneeded []Unneeded) {
	at := r.byID()
	for i := range list {
		if p := at[list[i].ID]; p != nil && p.Seen == 0 {
			p.Excuse = list[i].Reason
		} else {
			unneeded = append(unneeded, Unneeded{list[i], p != nil})
		}
	}
	r.count()
	return unneeded
}

// IDs lists the ids of the points in the order of the report.
func (r *Report) IDs() []string {
	ids := make([]string, len(r.Points))
	for i := range r.Points {
		ids[i] = r.Points[i].ID
	}
	return ids
}

func (r *Report) byID() map[string]*Point {
	at := make(map[string]*Point, len(r.Points))
	for i := range r.Points {
		at[r.Points[i].ID] = &r.Points[i]
	}
	return at
}
