package policy

import "testing"

// What a tool is called decides nothing: a check of a tool named confirm is none of
// those that ask for a person.
func TestPartsAreNotOfTools(t *testing.T) {
	checks := []*Check{
		{ID: "confirm.allowed", Tool: "confirm"}, {ID: "grant.resource", Tool: "grant"},
		{ID: "grant.covers"}, {ID: "grant.expiry"}, {ID: "confirm.asked"}, {ID: "confirm.unused"},
	}
	for prefix, want := range map[string]span{grantPrefix: {2, 4}, personPrefix: {4, 6}, "none.": {6, 6}} {
		if got := part(checks, prefix); got != want {
			t.Errorf("%s stands at %v, want %v", prefix, got, want)
		}
	}
}

func TestOwners(t *testing.T) {
	owners := map[string]bool{}
	for _, name := range Owners() {
		owners[name] = true
	}
	for _, name := range []string{"schema", "budget", "grant", "confirm"} {
		if !owners[name] {
			t.Errorf("%s is missing from %v", name, Owners())
		}
	}
}
