package event

import (
	"strconv"

	"harness/internal/strictjson"
)

// Observation is what goes back to the model about one call.
type Observation struct {
	ID      string // "o3", or "o3.2" for the second call of step 3
	Step    int
	Call    int
	Tool    string
	Trust   Trust
	Outcome Outcome // of the call; unset when no call was made
	JSON    []byte  // the content: an object in canonical encoding
	Size    int     // of that encoding, in code points
	Read    *Read   // what the content shows of a file, if anything
	Cut     bool    // the content was shortened to fit the limit
}

// Content is the observation's content, an object.
func (o *Observation) Content() strictjson.Value {
	v, _ := strictjson.Parse(o.JSON) // canonical JSON, so without a fault
	return v
}

// ObservationID names the observation of a call; the first call of a step has
// no number of its own.
func ObservationID(step, call int) string {
	id := "o" + strconv.Itoa(step)
	if call > 1 {
		id += "." + strconv.Itoa(call)
	}
	return id
}

// Digest names the content. It covers neither id nor counter, so two equal
// results have one digest.
func (o *Observation) Digest() strictjson.Digest { return strictjson.DigestBytes(o.JSON) }

// Seal measures the content, cuts it to at most limit code points, and sets Size
// and Cut.
func (o *Observation) Seal(limit int) {
	o.Size = strictjson.Runes(o.JSON)
	if o.Size > limit {
		o.JSON, o.Cut = strictjson.AppendCanonical(nil, fit(o.Content(), limit)), true
		o.Size = strictjson.Runes(o.JSON)
	}
}

// fit shortens an object field by field, longest text first, until its encoding
// has at most limit code points. Whatever cannot be shortened is dropped; a
// member "cut" names the fields that lost something.
func fit(object strictjson.Value, limit int) strictjson.Value {
	members := append([]strictjson.Member(nil), object.Members()...)
	cut := make([]strictjson.Value, 0, len(members))
	whole := func() strictjson.Value {
		return strictjson.OfObject(append(members[:len(members):len(members)],
			strictjson.Member{Name: "cut", Value: strictjson.OfArray(cut...)})...)
	}
	for range object.Members() {
		over := strictjson.CanonicalSize(whole()) - limit
		if over <= 0 && len(cut) > 0 {
			break
		}
		longest, size := -1, 0
		for i, m := range members {
			if n := strictjson.CanonicalSize(m.Value); n > size && !contains(cut, m.Name) {
				longest, size = i, n
			}
		}
		if longest < 0 {
			break
		}
		m := members[longest]
		cut = append(cut, strictjson.OfString(m.Name))
		over = strictjson.CanonicalSize(whole()) - limit
		if keep := size - over; m.Value.Kind() == strictjson.String && keep > 2 {
			text := m.Value.Str()
			members[longest].Value = strictjson.OfString(text[:strictjson.FitString(text, keep)])
		} else if over > 0 {
			members = append(members[:longest:longest], members[longest+1:]...)
		}
	}
	return whole()
}

func contains(list []strictjson.Value, name string) bool {
	for _, v := range list {
		if v.Str() == name {
			return true
		}
	}
	return false
}
