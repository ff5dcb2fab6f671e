package suite

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"harness/internal/scenarios"
)

// Selection chooses scenarios. The zero value chooses all.
type Selection struct {
	Run, Skip *regexp.Regexp // of ids; nil matches all, and none
	// Tags are alternatives, each a list that has to hold as a whole: "slow", or "!slow"
	// for a scenario without it.
	Tags [][]string
	// Rerun says what IDs are; both are empty for any.
	Rerun string
	IDs   map[string]bool
}

// ParseTags reads "a,!b", in which a comma means and.
func ParseTags(text string) ([]string, error) {
	var list []string
	for tag := range strings.SplitSeq(text, ",") {
		tag = strings.TrimSpace(tag)
		if strings.TrimPrefix(tag, "!") == "" {
			return nil, fmt.Errorf("%q has an empty tag", text)
		}
		list = append(list, tag)
	}
	return list, nil
}

// Choose gives the scenarios chosen, in their order.
func (s *Selection) Choose(list []*scenarios.Scenario) []*scenarios.Scenario {
	var chosen []*scenarios.Scenario
	for _, one := range list {
		if s.chooses(one) {
			chosen = append(chosen, one)
		}
	}
	return chosen
}

func (s *Selection) chooses(one *scenarios.Scenario) bool {
	switch {
	case s.Run != nil && !s.Run.MatchString(one.ID), s.Skip != nil && s.Skip.MatchString(one.ID):
		return false
	case s.IDs != nil && !s.IDs[one.ID]:
		return false
	case len(s.Tags) == 0:
		return true
	}
	return slices.ContainsFunc(s.Tags, func(all []string) bool {
		return !slices.ContainsFunc(all, func(tag string) bool {
			name, without := strings.CutPrefix(tag, "!")
			return slices.Contains(one.Tags, name) == without
		})
	})
}

// String says how scenarios are chosen, "" for all.
func (s *Selection) String() string {
	var parts []string
	if s.Run != nil {
		parts = append(parts, "--run "+s.Run.String())
	}
	if s.Skip != nil {
		parts = append(parts, "--skip "+s.Skip.String())
	}
	for _, tags := range s.Tags {
		parts = append(parts, "--tag "+strings.Join(tags, ","))
	}
	if s.IDs != nil {
		parts = append(parts, "--rerun "+s.Rerun)
	}
	return strings.Join(parts, " ")
}

// Shuffle gives the scenarios in an order that the seed and their ids decide, the
// same on every machine and whatever order they were in.
func Shuffle(list []*scenarios.Scenario, seed uint64) []*scenarios.Scenario {
	shuffled := slices.Clone(list)
	slices.SortStableFunc(shuffled, func(a, b *scenarios.Scenario) int { return strings.Compare(a.ID, b.ID) })
	random := rand.New(rand.NewPCG(seed, 0x6861726e657373))
	random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled
}
