package scenarios

import (
	"strconv"

	"harness/internal/diag"
)

// need is a key that an entry lacks.
type need struct {
	key   string   // the whole path, "task.budget.steps"
	owner diag.Pos // of the mapping that lacks it
}

// requiredAlone reports what a file without cases must say and does not.
func (b *builder) requiredAlone() {
	for _, n := range b.file.needs(b.file.Pos) {
		b.found.add(n.owner, MissingKey, "the key "+n.key+" is missing", "")
	}
}

// requiredOfCases reports what cases lack once they are laid over the file. What
// every case lacks is the file's to give, and is reported once.
func (b *builder) requiredOfCases(whole []entry) {
	own := b.file.needs(b.file.Pos)
	lacks := make([][]need, len(whole))
	count, all := map[string]int{}, 0
	for i, c := range b.file.Cases.Items {
		if c.bad {
			continue
		}
		all++
		lacks[i] = whole[i].needs(c.Pos)
		for _, n := range lacks[i] {
			count[n.key]++
		}
	}
	for i, c := range b.file.Cases.Items {
		if !c.ID.Set() && !c.bad {
			b.found.add(c.Pos, MissingKey, "the key id is missing from the case", "")
		}
		for _, n := range lacks[i] {
			pos := c.Pos
			if count[n.key] == all {
				pos = ownerOf(own, n.key, b.file.Pos)
			}
			b.found.add(pos, MissingKey, "the key "+n.key+" is missing", "give it here, or in the file or every case")
		}
	}
}

// requiredHead reports what the file itself must say.
func (b *builder) requiredHead() {
	for _, v := range []struct {
		key  string
		text Text
		hint string
	}{
		{"apiVersion", b.file.APIVersion, "write apiVersion: " + apiVersion},
		{"kind", b.file.Kind, "write kind: " + kindScenario},
		{"id", b.file.ID, "write it like id: workflow/rename-file"},
	} {
		if !v.text.Set() {
			b.found.add(b.file.Pos, MissingKey, "the key "+v.key+" is missing", v.hint)
		}
	}
}

// needs lists what a complete entry must have and this one lacks. owner is the
// place of the entry itself.
func (e *entry) needs(owner diag.Pos) []need {
	var list []need
	add := func(missing bool, key string, owner diag.Pos) {
		if missing {
			list = append(list, need{key, owner})
		}
	}
	if add(e.Repo == nil && !e.Tools.Set() && !e.Include.Set(), "repo", owner); e.Repo != nil && !e.Repo.bad {
		add(!e.Repo.Files.Set(), "repo.files", e.Repo.Pos)
	}
	if add(e.Task == nil, "task", owner); e.Task != nil && !e.Task.bad {
		add(!e.Task.Goal.Set(), "task.goal", e.Task.Pos)
		budget := e.Task.Budget
		if add(budget == nil, "task.budget", e.Task.Pos); budget != nil && !budget.bad {
			add(!budget.Steps.Set(), "task.budget.steps", budget.Pos)
		}
	}
	if add(e.Model == nil, "model", owner); e.Model != nil && !e.Model.bad {
		add(!e.Model.Script.Set(), "model.script", e.Model.Pos)
	}
	return list
}

// ownerOf is the place where the file itself lacks a key.
func ownerOf(own []need, key string, file diag.Pos) diag.Pos {
	for _, n := range own {
		if n.key == key {
			return n.owner
		}
	}
	return file
}

// itemName is the path of a list's item.
func itemName(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
