package explore

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
	"harness/internal/tools/fixture"
	"harness/internal/tools/repotools"
	"harness/internal/vrepo"
)

// world is a scenario's repository at all times: what changes put there included.
type world struct {
	snapshots []*vrepo.Snapshot
	// versions are the hashes that a file has, in the order in which it has them.
	versions map[string][]string
	// open are the files that some rule or grant lets be read, closed those that none
	// does, editable those that edits may be proposed for.
	open, closed, editable []string
	secrets                []secret
}

// secret is a text that stands in files that may not be read, and in no other.
type secret struct {
	path    string
	encoded []byte // as JSON spells it
}

func worldOf(cfg *runner.Config) *world {
	w := &world{snapshots: []*vrepo.Snapshot{cfg.Snapshot}, versions: map[string][]string{}}
	for _, list := range [][]runner.Change{cfg.Changes, cfg.Timed} {
		for i := range list {
			now := w.snapshots[len(w.snapshots)-1]
			if next, faults := now.With(list[i].Set, list[i].Remove); len(faults) == 0 && next != nil {
				w.snapshots = append(w.snapshots, next)
			}
		}
	}
	for _, s := range w.snapshots {
		for _, f := range s.Files() {
			w.file(cfg.Machine, f)
		}
	}
	w.secrets = w.findSecrets(cfg)
	return w
}

func (w *world) file(cfg *machine.Config, f *vrepo.File) {
	path, hash := f.Path(), f.Hash()
	known := w.versions[path]
	if len(known) == 0 || known[len(known)-1] != hash {
		w.versions[path] = append(known, hash)
	}
	if len(known) > 0 {
		return
	}
	switch {
	case !mayReach(cfg, repotools.CapRead, path):
		w.closed = append(w.closed, path)
	default:
		w.open = append(w.open, path)
		if mayReach(cfg, repotools.CapPropose, path) {
			w.editable = append(w.editable, path)
		}
	}
}

// mayReach reports whether some call could be allowed a capability on a resource:
// whatever conditions, persons, times and numbers of calls say.
func mayReach(cfg *machine.Config, capability, resource string) bool {
	may := false
	for _, r := range cfg.Rules.All() {
		conditional := r.When != nil
		if r.When = nil; r.Capability != capability || policy.NewRules(r).Decide(capability, resource, nil).Rule == nil {
			continue
		}
		if r.Effect == event.Deny && !conditional {
			return false
		}
		may = may || r.Effect != event.Deny
	}
	for _, g := range cfg.Grants.All() {
		may = may || covers(&g, capability, resource)
	}
	return may
}

// covers reports whether a grant is for a resource, whatever else it asks.
func covers(g *policy.Grant, capability, resource string) bool {
	return g.Capability == capability &&
		policy.NewRules(policy.Rule{Effect: event.Allow, Capability: capability, Pattern: g.Pattern}).Allows(capability, resource)
}

// The length of a text by which a file is recognised.
const (
	leastSecret = 6
	mostSecret  = 40
)

// findSecrets takes the lines of files that may not be read, as far as nothing else
// that the model is shown, or says, has them too.
func (w *world) findSecrets(cfg *runner.Config) []secret {
	elsewhere := func(text string) bool { return strings.Contains(cfg.Machine.Goal, text) || w.stands(w.open, text) }
	var list []secret
	for _, s := range w.snapshots {
		for _, path := range w.closed {
			f, ok := s.File(path)
			if !ok || f.Encoding() != vrepo.UTF8 {
				continue
			}
			for line := range strings.Lines(f.Text()) {
				text := strings.TrimSpace(line)
				if len(text) > mostSecret {
					text = strings.ToValidUTF8(text[:mostSecret], "")
				}
				if len(text) < leastSecret || elsewhere(text) {
					continue
				}
				spelled := strictjson.AppendString(nil, text)
				one := secret{path, spelled[1 : len(spelled)-1]}
				if !slices.ContainsFunc(list, func(o secret) bool { return bytes.Equal(o.encoded, one.encoded) }) {
					list = append(list, one)
				}
			}
		}
	}
	return list
}

// stands reports whether a text stands in one of some files at some time.
func (w *world) stands(paths []string, text string) bool {
	for _, s := range w.snapshots {
		for _, p := range paths {
			if f, ok := s.File(p); ok && strings.Contains(f.Text(), text) {
				return true
			}
		}
	}
	return false
}

// word is the longest word in one of some files that stands in none of others, "" if
// there is none.
func (w *world) word(paths, others []string) string {
	for _, p := range paths {
		longest := ""
		for _, s := range w.snapshots {
			f, ok := s.File(p)
			if !ok || f.Encoding() != vrepo.UTF8 {
				continue
			}
			for word := range strings.FieldsFuncSeq(f.Text(), isGap) {
				if len(word) > len(longest) && len(word) <= mostSecret && !w.stands(others, word) {
					longest = word
				}
			}
		}
		if len(longest) > 2 {
			return longest
		}
	}
	return ""
}

func isGap(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// twice is a text that stands in a file at the start more than once: a word, or else
// a character; "" if there is none.
func (w *world) twice(path string) string {
	f, ok := w.snapshots[0].File(path)
	if !ok || f.Encoding() != vrepo.UTF8 {
		return ""
	}
	text := f.Text()
	for word := range strings.FieldsFuncSeq(text, isGap) {
		if len(word) > 2 && strings.Count(text, word) > 1 {
			return word
		}
	}
	for i, r := range text {
		if size := utf8.RuneLen(r); r > ' ' && strings.Contains(text[i+size:], text[i:i+size]) {
			return text[i : i+size]
		}
	}
	return ""
}

// worldsOf are the worlds outside that a search starts from: as the scenario has it
// and, if something goes wrong there, the same world in which nothing does.
func worldsOf(cfg *runner.Config) []*fixture.Blueprint {
	list := []*fixture.Blueprint{cfg.World}
	if w := cfg.World; w != nil && len(w.Faults) > 0 {
		well := *w
		well.Faults = nil
		list = append(list, &well)
	}
	return list
}
