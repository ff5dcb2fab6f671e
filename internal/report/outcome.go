package report

import (
	"strings"

	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/textdiff"
)

// outcome says what a call that succeeded gave back.
func (p *page) outcome(s *Step) string {
	o := s.Observation
	switch {
	case s.Edit != nil:
		return p.join(p.stat(s.Edit), "base holds")
	case o == nil && s.outside:
		return "answer not passed on"
	case o == nil:
		return "done"
	case s.outside:
		return p.gist(o)
	case o.Trust == event.UntrustedSearchResult:
		return matchesFound(o.Content())
	case o.Trust == event.UntrustedFile:
		return p.linesShown(o.Content())
	}
	return "answered with " + count(o.Size, "code point")
}

// The bounds of the gist of an answer.
const (
	gistMost    = 36 // columns
	gistMembers = 3
)

// gist is the first few members of what a tool answered.
func (p *page) gist(o *event.Observation) string {
	members := o.Content().Members()
	if len(members) == 0 {
		return "an empty answer"
	}
	parts := make([]string, 0, gistMembers+1)
	for i, m := range members {
		if i == gistMembers {
			parts = append(parts, p.style.Ellipsis())
			break
		}
		parts = append(parts, p.clip(m.Name, subjectColumns)+" "+p.glance(m.Value))
	}
	text := p.clip(strings.Join(parts, ", "), gistMost)
	if o.Cut {
		text += ", cut"
	}
	return text
}

// glance is a value in a word or two.
func (p *page) glance(v strictjson.Value) string {
	switch v.Kind() {
	case strictjson.String:
		return p.quoted(v.Str(), subjectColumns)
	case strictjson.Array:
		return "(" + count(len(v.Items()), "item") + ")"
	case strictjson.Object:
		return "(" + count(len(v.Members()), "member") + ")"
	default:
		return p.clip(string(strictjson.AppendCanonical(nil, v)), subjectColumns)
	}
}

// stat counts the lines that an edit adds and removes.
func (p *page) stat(e *event.Edit) string {
	added, removed := e.Change().Stat()
	return "+" + number(added) + " " + p.style.Minus() + number(removed)
}

// matchesFound counts the hits in a search's observation.
func matchesFound(content strictjson.Value) string {
	hits, _ := content.Get("matches")
	more, _ := content.Get("truncated")
	files := map[string]bool{}
	for _, hit := range hits.Items() {
		path, _ := hit.Get("path")
		files[path.Str()] = true
	}
	text := countOf(len(hits.Items()), "match", "matches")
	if len(files) > 0 {
		text += " in " + count(len(files), "file")
	}
	if more.Bool() {
		text += ", more exist"
	}
	return text
}

// linesShown says how much of a file a read has shown, and of which version.
func (p *page) linesShown(content strictjson.Value) string {
	shown, _ := content.Get("content")
	first, total := wholeOf(content, "startLine"), wholeOf(content, "totalLines")
	lines := len(textdiff.Split(shown.Str()))
	text := count(total, "line")
	cut, _ := content.Get("truncated")
	switch {
	case lines == total:
	case lines <= 1:
		text = "line " + number(first) + " of " + number(total)
	default:
		text = "lines " + number(first) + "-" + number(first+lines-1) + " of " + number(total)
	}
	if cut.Bool() {
		text += ", cut"
	}
	hash, _ := content.Get("baseHash")
	return p.join(text, "sha256 "+p.digest(hash.Str()))
}

func wholeOf(content strictjson.Value, name string) int {
	v, _ := content.Get(name)
	n, _ := v.Int()
	return int(n)
}
