package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"harness/internal/diag"
	"harness/internal/policy"
	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// checked is a part with questions of its own. They are asked once it is read,
// where it stands, and only about what was given.
type checked interface{ check(d *decoder) }

// refuse reports a fault of one of a part's fields, which counts as refused then.
func refuse[T any](d *decoder, key string, v *Given[T], code *diag.Code, message, hint string) {
	d.in(key)
	d.faultAt(v.Pos, code, message, hint)
	d.out()
	v.bad = true
}

// check refuses a window in which there is no room for the repeats: the loop
// detector could never fire.
func (p *budgetPart) check(d *decoder) {
	b := policy.DefaultBudgets()
	repeats, window := p.Repeats.or(b.Repeats), p.Window.or(b.Window)
	switch {
	case repeats <= window, repeats < 2, window < 2:
	case p.Window.ok():
		refuse(d, "window", &p.Window, InvalidValue, fmt.Sprintf("is %d steps, in which nothing can be seen %d times", window, repeats), "a window is at least as large as repeats")
	case p.Repeats.ok():
		refuse(d, "repeats", &p.Repeats, InvalidValue, fmt.Sprintf("is %d, and the window only %d steps", repeats, window), "give budget.window too, at least as large")
	}
}

// choose refuses a text that is none of some names.
func choose(d *decoder, key string, v *Text, code *diag.Code, names []string, what, list string) {
	if v.ok() && !slices.Contains(names, v.Value) {
		refuse(d, key, v, code, "names "+strictjson.Quote(v.Value)+", which is no "+what, nearHint(v.Value, names, list))
	}
}

func (p *document) check(d *decoder) {
	p.checkTags(d)
	if p.ID.ok() && !isID(p.ID.Value) {
		refuse(d, "id", &p.ID, InvalidValue, "must be segments of a-z, 0-9 and - joined by /, got "+strictjson.Quote(p.ID.Value), "write it like workflow/rename-file")
	}
}

func (p *caseEntry) check(d *decoder) {
	p.checkTags(d)
	if p.ID.ok() && (!isID(p.ID.Value) || strings.Contains(p.ID.Value, "/")) {
		refuse(d, "id", &p.ID, InvalidValue, "must be one segment of a-z, 0-9 and -, got "+strictjson.Quote(p.ID.Value), "the file's own id is put before it")
	}
}

// isID reports whether s is segments of a-z, 0-9 and - joined by /, and not
// endless.
func isID(s string) bool {
	const longest = 200
	if len(s) > longest {
		return false
	}
	for segment := range strings.SplitSeq(s, "/") {
		if segment == "" || strings.Trim(segment, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

func (e *entry) checkTags(d *decoder) {
	seen := make(map[string]bool, len(e.Tags.Items))
	d.in("tags")
	for i, t := range e.Tags.Items {
		d.at(i)
		switch {
		case !t.ok():
		case t.Value == "" || strings.ContainsAny(t.Value, "!, \t\r\n"):
			d.faultAt(t.Pos, InvalidValue, "must be a word without spaces, commas and !, got "+strictjson.Quote(t.Value), "")
		case seen[t.Value]:
			d.faultAt(t.Pos, InvalidValue, "stands in the list already", "leave it out")
		default:
			seen[t.Value] = true
		}
		d.out()
	}
	d.out()
}

func (p *taskPart) check(d *decoder) {
	checkPatterns(d, "read", p.Read.Items)
	checkPatterns(d, "edit", p.Edit.Items)
}

func checkPatterns(d *decoder, key string, patterns []Text) {
	d.in(key)
	for i := range patterns {
		if fault, hint := patternFault(patterns[i]); fault != "" {
			d.at(i)
			d.faultAt(patterns[i].Pos, InvalidValue, fault, hint)
			d.out()
			patterns[i].bad = true
		}
	}
	d.out()
}

// maxAlternatives bounds how many patterns one with braces stands for: matching
// tries them all.
const maxAlternatives = 16

// patternFault says what is wrong with a path or glob; "" if nothing is. The
// fault completes "KEY …".
func patternFault(t Text) (fault, hint string) {
	const longest = 400
	switch pattern := t.Value; {
	case !t.ok():
		return "", ""
	case pattern == "":
		return "must not be empty", "name a path, or a glob such as src/**"
	case utf8.RuneCountInString(pattern) > longest:
		return fmt.Sprintf("must have at most %d characters", longest), ""
	case !policy.ValidPattern(pattern):
		return "is no valid glob: " + strictjson.Quote(pattern), "close every [ and {; a backslash takes the next character literally"
	case alternatives(pattern) > maxAlternatives:
		return fmt.Sprintf("stands for more than %d patterns through its braces", maxAlternatives), "write several patterns"
	case !policy.IsGlob(pattern):
		return pathFault(pattern)
	default:
		return "", ""
	}
}

// pathFault says what is wrong with a literal path.
func pathFault(path string) (fault, hint string) {
	if f := vrepo.CheckPath(path); f != nil {
		return "is no path: " + strictjson.Quote(path) + " " + f.Reason, f.Hint
	}
	return "", ""
}

// alternatives is how many patterns one with braces stands for, or a little more.
func alternatives(pattern string) int {
	total := 1
	var open []int
	for i := range len(pattern) {
		switch c := pattern[i]; {
		case c == '{':
			open = append(open, 1)
		case c == ',' && len(open) > 0:
			open[len(open)-1]++
		case c == '}' && len(open) > 0:
			total = min(total*open[len(open)-1], 1<<20)
			open = open[:len(open)-1]
		}
	}
	return total
}

func (p *rulePart) check(d *decoder) {
	if fault, hint := patternFault(p.Resource); fault != "" && p.Resource.Value != "" {
		refuse(d, "resource", &p.Resource, InvalidValue, fault, hint)
	}
}

func (p *changePart) check(d *decoder) {
	if f := &p.Files; f.Set() && !f.bad && len(f.set)+len(f.removed) == 0 {
		d.in("files")
		d.faultAt(f.Pos, InvalidValue, "changes nothing", "name a path and its new content, or null to remove it")
		d.out()
	}
}
