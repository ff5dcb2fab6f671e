package coverage

import "harness/internal/scenarios"

// ExcuseAll notes why points may be missing, and counts anew. It gives the ids of
// the excuses that nobody needs: of points that are seen, or do not exist.
func (r *Report) ExcuseAll(list []scenarios.Excuse) (unneeded []string) {
	at := r.byID()
	for i := range list {
		if p := at[list[i].ID]; p != nil && p.Seen == 0 {
			p.Excuse = list[i].Reason
		} else {
			unneeded = append(unneeded, list[i].ID)
		}
	}
	r.count()
	return unneeded
}

func (r *Report) byID() map[string]*Point {
	at := make(map[string]*Point, len(r.Points))
	for i := range r.Points {
		at[r.Points[i].ID] = &r.Points[i]
	}
	return at
}
