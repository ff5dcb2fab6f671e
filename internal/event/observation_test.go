package event

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/strictjson"
)

// Whatever is observed, it fits its limit when it is sealed, stays strict JSON,
// and says what it lost.
func TestSealFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var members []strictjson.Member
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,8}`), 0, 8, rapid.ID[string]).Draw(t, "names") {
			if name == "cut" {
				continue
			}
			v := strictjson.OfString(rapid.StringN(0, 400, -1).Draw(t, "text"))
			if rapid.IntRange(0, 4).Draw(t, "list") == 0 {
				v = strictjson.OfArray(v, strictjson.OfInt(7), v)
			}
			members = append(members, strictjson.Member{Name: name, Value: v})
		}
		limit := rapid.IntRange(200, 1600).Draw(t, "limit")
		content := strictjson.AppendCanonical(nil, strictjson.OfObject(members...))
		o := Observation{JSON: content}
		o.Seal(limit)
		if o.Size > limit || o.Size != utf8.RuneCount(o.JSON) {
			t.Fatalf("size %d of %d code points, the limit is %d: %s", o.Size, utf8.RuneCount(o.JSON), limit, o.JSON)
		}
		v, err := strictjson.Parse(o.JSON)
		if err != nil {
			t.Fatalf("%v: %s", err, o.JSON)
		}
		fits := utf8.RuneCount(content) <= limit
		cut, said := v.Get("cut")
		if fits != (string(o.JSON) == string(content)) || o.Cut == fits || said == fits || said && len(cut.Items()) == 0 {
			t.Fatalf("fits %v, cut %v, says %v: %s", fits, o.Cut, said, o.JSON)
		}
	})
}
