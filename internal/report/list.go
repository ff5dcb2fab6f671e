package report

import (
	"maps"
	"slices"
	"strings"

	"harness/internal/scenarios"
	"harness/internal/term"
)

// WriteList writes a line for each scenario, file by file, and at the end how
// many there are and which tags they have.
func WriteList(w *term.Stream, list []*scenarios.Scenario) error {
	p := newPage(w)
	if len(list) == 0 {
		p.prose(0, term.Warn, "no scenarios")
		return w.Err()
	}
	for i := 0; i < len(list); {
		end := i
		for end < len(list) && list[end].File == list[i].File {
			end++
		}
		p.scenarios(list[i:end])
		i = end
	}
	if last := list[len(list)-1]; len(list) == 1 || list[len(list)-2].File != last.File {
		p.blank()
	}
	p.prose(0, term.Strong, count(len(list), "scenario")+" in "+count(len(filesOf(list)), "file"))
	if tags := tagCounts(list); len(tags) > 0 {
		p.wide().prose(0, term.Dim, "tags: "+strings.Join(tags, ", "))
	}
	return w.Err()
}

// scenarios writes the scenarios of one file, and an empty line after those of a
// file with several.
func (p *page) scenarios(list []*scenarios.Scenario) {
	t := term.Table{}
	for _, s := range list {
		title := term.Text(s.Title)
		if len(s.Tags) > 0 {
			title = title.Add(term.Dim, "  ["+strings.Join(s.Tags, ", ")+"]")
		}
		t.Row(term.Accent.Cell(s.ID), title)
	}
	p.wide().print(&t)
	if len(list) > 1 {
		p.blank()
	}
}

func filesOf(list []*scenarios.Scenario) map[string]bool {
	files := map[string]bool{}
	for _, s := range list {
		files[s.File] = true
	}
	return files
}

// tagCounts is every tag with its number of scenarios, by name.
func tagCounts(list []*scenarios.Scenario) []string {
	counts := map[string]int{}
	for _, s := range list {
		for _, tag := range s.Tags {
			counts[tag]++
		}
	}
	tags := slices.Sorted(maps.Keys(counts))
	for i, tag := range tags {
		tags[i] = tag + " (" + number(counts[tag]) + ")"
	}
	return tags
}
