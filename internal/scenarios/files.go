package scenarios

import (
	"encoding/base64"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// filesPart is paths and what they are to hold.
type filesPart struct {
	Pos     diag.Pos
	bad     bool
	set     []vrepo.Entry
	setAt   []diag.Pos // of the keys
	removed []string
	goneAt  []diag.Pos
}

// Set reports whether the files were given.
func (f filesPart) Set() bool { return !f.Pos.IsZero() }

// ValidatorValue is how the struct rules see the files.
func (f filesPart) ValidatorValue() any {
	if !f.Set() {
		return (*bool)(nil)
	}
	return &f.bad
}

func (f filesPart) refused() bool      { return f.bad }
func (f filesPart) position() diag.Pos { return f.Pos }

// at is the place of the entry with the index that vrepo counts by: the entries
// set, then those removed.
func (f *filesPart) at(index int) diag.Pos {
	if index < len(f.set) {
		return f.setAt[index]
	}
	return f.goneAt[index-len(f.set)]
}

// path is the path with such an index.
func (f *filesPart) path(index int) string {
	if index < len(f.set) {
		return f.set[index].Path
	}
	return f.removed[index-len(f.set)]
}

func (f *filesPart) decode(d *decoder, n *yaml.Node) {
	f.Pos = place(n)
	if f.bad = n.Kind != yaml.MappingNode || skipped(n); f.bad {
		d.notA("a mapping", n, "")
		return
	}
	count := len(n.Content) / 2
	f.set, f.setAt = make([]vrepo.Entry, 0, count), make([]diag.Pos, 0, count)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if isKey(key) {
			d.in(key.Value)
			f.file(d, key, v)
			d.out()
		}
	}
}

// file reads one path and its content. A file that was refused still stands as
// an empty one, so that nothing else is said to be missing.
func (f *filesPart) file(d *decoder, key, n *yaml.Node) {
	if isNull(n) && n.Value != "" {
		f.removed = append(f.removed, key.Value)
		f.goneAt = append(f.goneAt, place(key))
		return
	}
	e := vrepo.Entry{Path: key.Value}
	switch {
	case skipped(n):
	case n.Kind == yaml.MappingNode:
		e.Content, e.Executable = d.fileForm(n)
	case isText(n):
		if n.Style&yaml.FoldedStyle != 0 {
			d.fault(n, FoldedContent, "is a folded block, which joins its lines", "write | instead of > to keep them")
		}
		e.Content = n.Value
	case isNull(n):
		d.fault(n, WrongType, "has no content", `write "" for an empty file, or null to remove the file`)
	default:
		d.fault(n, WrongType, wanted("a text, a mapping with content, or null", n), textHint(n))
	}
	f.set = append(f.set, e)
	f.setAt = append(f.setAt, place(key))
}

// fileForm reads a file written as a mapping.
func (d *decoder) fileForm(n *yaml.Node) (content string, executable bool) {
	var form fileForm
	d.mapping(&form, n)
	switch {
	case form.bad:
	case form.Content.Set() && form.ContentBase64.Set():
		d.fault(n, InvalidValue, "has content and contentBase64", "keep one of the two")
	case !form.Content.Set() && !form.ContentBase64.Set():
		d.fault(n, MissingKey, "needs the key content or contentBase64", `write content: "" for an empty file`)
	case form.ContentBase64.ok():
		d.in("contentBase64")
		content = d.base64(form.ContentBase64)
		d.out()
	default:
		content = form.Content.Value
	}
	return content, form.Executable.or(false)
}

// base64 decodes a value, or reports that it is none. Line breaks in it mean
// nothing; anything else that is not of the alphabet is refused.
func (d *decoder) base64(v Text) string {
	raw, err := base64.StdEncoding.Strict().DecodeString(v.Value)
	if err == nil {
		return string(raw)
	}
	hint := "use the standard alphabet, with = at the end up to a multiple of 4"
	if strings.ContainsAny(v.Value, "-_") {
		hint = "use + and / of the standard alphabet instead of - and _"
	}
	d.faultAt(v.Pos, InvalidValue, "is no Base64: "+strings.TrimPrefix(err.Error(), "illegal base64 data "), hint)
	return ""
}

// snapshot lays files over a snapshot, and reports paths that cannot be. Those
// are left out of what it returns, so that the rest can be checked; it is nil if
// even that cannot be.
func (b *builder) snapshot(base *vrepo.Snapshot, f *filesPart) *vrepo.Snapshot {
	next, faults := base.With(f.set, f.removed)
	if len(faults) == 0 {
		return next
	}
	wrong := make(map[int]bool, len(faults))
	for _, fault := range faults {
		wrong[fault.Index] = true
		b.pathFault(f, fault)
	}
	next, _ = base.With(without(f.set, wrong, 0), without(f.removed, wrong, len(f.set)))
	return next
}

// without leaves out the elements whose index, counted from first, is wrong.
func without[T any](list []T, wrong map[int]bool, first int) []T {
	var rest []T
	for i, v := range list {
		if !wrong[first+i] {
			rest = append(rest, v)
		}
	}
	return rest
}

func (b *builder) pathFault(f *filesPart, fault vrepo.EntryFault) {
	if b.found.full() {
		b.found.skip()
		return
	}
	if fault.Other >= 0 && f.path(fault.Other) == fault.Path {
		return // a key given twice, which has been reported
	}
	if b.refused == nil {
		b.refused = map[string]bool{}
	}
	b.refused[fault.Path] = true
	message := fmt.Sprintf("the path %s %s", strictjson.Quote(fault.Path), fault.Reason)
	if fault.Other >= 0 {
		message += fmt.Sprintf(" (at %s)", f.at(fault.Other))
	}
	b.found.add(f.at(fault.Index), InvalidValue, message, fault.Hint)
}
