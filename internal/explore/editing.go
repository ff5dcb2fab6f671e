package explore

import (
	"slices"
	"strings"

	"harness/internal/event"
	"harness/internal/strictjson"
)

// accepts looks at an edit that was accepted.
func (s *step) accepts(e *event.Edit) {
	f, ok := s.repo.File(e.Path)
	places := 0
	if ok {
		places = occurrences(f.Text(), e.Before)
	}
	switch {
	case s.decided == nil || s.decided.Action == nil || !s.asked(e):
		s.breaks(editing, "the edit of %s is not what was proposed", e.Path)
	case slices.ContainsFunc(s.was.Edits, func(o *event.Edit) bool { return o.Path == e.Path }):
		s.breaks(editing, "%s has an edit already", e.Path)
	case !ok || s.sum(f) != e.BaseHash:
		s.breaks(editing, "%s does not have the hash that the edit names", e.Path)
	case len(s.readsOf(e)) == 0:
		s.breaks(editing, "no read of %s returned the hash that the edit names", e.Path)
	case places != 1 || !strings.HasPrefix(f.Text()[e.Offset:], e.Before):
		s.breaks(editing, "%s stands in %s %d times", strictjson.Quote(e.Before), e.Path, places)
	case s.cfg.Machine.EditShownOnly && !s.wasShown(e):
		s.breaks(editing, "%s stands in %s, and no read has shown it", strictjson.Quote(e.Before), e.Path)
	case e.Before == e.After:
		s.breaks(editing, "the edit of %s changes nothing", e.Path)
	case strings.Contains(e.After, "\x00"):
		s.breaks(editing, "the edit puts a NUL into %s", e.Path)
	}
}

// asked reports whether an edit is what the model has proposed.
func (s *step) asked(e *event.Edit) bool {
	is := func(name, want string) bool {
		v, _ := s.decided.Action.Args.Get(name)
		return v.Str() == want
	}
	return is("path", e.Path) && is("baseHash", e.BaseHash) && is("before", e.Before) && is("after", e.After)
}

// occurrences counts the places where a text begins, those that overlap too.
func occurrences(text, part string) int {
	n := 0
	for i := range len(text) + 1 {
		if strings.HasPrefix(text[i:], part) {
			n++
		}
	}
	return n
}

// readsOf are the reads of this run that returned the hash of an edit for its path, by
// what the model was told.
func (s *step) readsOf(e *event.Edit) []*event.Read {
	var list []*event.Read
	for _, o := range s.was.Observations {
		if o.Outcome == event.CallSucceeded && o.Read != nil && o.Read.Path == e.Path &&
			string(member(o.JSON, "baseHash")) == `"`+e.BaseHash+`"` {
			list = append(list, o.Read)
		}
	}
	return list
}

// wasShown reports whether every byte that an edit replaces was shown, by one read or
// by several.
func (s *step) wasShown(e *event.Edit) bool {
	reads := s.readsOf(e)
	for at := e.Offset; at < e.Offset+len(e.Before); at++ {
		if !slices.ContainsFunc(reads, func(r *event.Read) bool { return r.From <= at && at < r.To }) {
			return false
		}
	}
	return true
}

// finishes looks at a finish that was accepted.
func (s *step) finishes() {
	s.final = true
	if s.decided == nil || s.decided.Action == nil || s.decided.Decision.Effect != event.Allow {
		s.breaks(decision, "a finish is accepted without a decision that allows it")
		return
	}
	citations, _ := s.decided.Action.Args.Get("citations")
	for _, c := range citations.Items() {
		if !slices.ContainsFunc(s.was.Observations, func(o *event.Observation) bool {
			return o.ID == c.Str() && o.Outcome == event.CallSucceeded
		}) {
			s.breaks(citing, "the finish cites %s, which names no observation of a succeeded call", strictjson.Quote(c.Str()))
		}
	}
	if fault := s.cfg.Machine.Finish.Contract().Input.Unknown(s.decided.Action.Args); fault != nil {
		s.breaks(arguments, "a finish is accepted, though %s", fault.Message)
	} else if fault := s.cfg.Machine.Finish.Contract().Input.Violation(s.decided.Action.Args); fault != nil {
		s.breaks(arguments, "a finish is accepted, though %s", fault.Message)
	}
}
