package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools/repotools"
	"harness/internal/vrepo"
)

// observes looks at what the model is told.
func (s *step) observes(o *event.Observation) {
	for i := range s.world.secrets {
		secret := &s.world.secrets[i]
		if bytes.Contains(o.JSON, secret.encoded) && !bytes.Contains(s.raw, secret.encoded) {
			s.breaks(hidden, "%s shows a line of %s, which may not be read", o.ID, secret.path)
		}
	}
	if o.Outcome != event.CallSucceeded || s.call.tool == nil {
		return
	}
	switch {
	case s.promises[o.Tool] != nil:
		s.promised(o)
	case o.Tool == "search":
		s.shows(o)
	case o.Read != nil:
		s.reads(o)
	}
}

// shows looks at the hits of a search.
func (s *step) shows(o *event.Observation) {
	if s.hits[string(o.JSON)] == s.repo {
		return
	}
	v, err := strictjson.Parse(o.JSON)
	if err != nil {
		s.breaks(reading, "%s is no JSON: %s", o.ID, err.Message)
		return
	}
	matches, _ := v.Get("matches")
	for _, hit := range matches.Items() {
		path, _ := hit.Get("path")
		text, _ := hit.Get("text")
		rules := s.cfg.Machine.Rules
		if !rules.Allows(repotools.CapSearch, path.Str()) || !rules.Allows(repotools.CapRead, path.Str()) {
			s.breaks(rights, "%s has a hit in %s, which may not be searched or read", o.ID, strictjson.Quote(path.Str()))
		}
		if f, ok := s.repo.File(path.Str()); !ok || !strings.Contains(f.Text(), text.Str()) {
			s.breaks(reading, "%s shows %s, which does not stand in %s", o.ID, strictjson.Quote(text.Str()), strictjson.Quote(path.Str()))
		}
	}
	if s.broken.ID == "" {
		s.hits[string(o.JSON)] = s.repo
	}
}

// member is a part of a canonical object, as it is encoded; nil if there is none.
func member(canonical []byte, name string) []byte {
	v, _ := strictjson.Find(canonical, strictjson.Step{Name: name})
	return v
}

// reads looks at what a read shows.
func (s *step) reads(o *event.Observation) {
	f, ok := s.repo.File(o.Read.Path)
	if !ok {
		s.breaks(reading, "%s shows %s, which is not there", o.ID, strictjson.Quote(o.Read.Path))
		return
	}
	from, to, text := o.Read.From, o.Read.To, f.Text()
	if from < 0 || to < from || to > len(text) {
		s.breaks(reading, "%s shows the bytes from %d to %d of %s, which has %d", o.ID, from, to, o.Read.Path, len(text))
		return
	}
	shown := text[from:to]
	s.buf = strictjson.AppendString(s.buf[:0], shown)
	line := strings.Count(text[:from], "\n") + 1
	path, _ := s.call.args.Get("path")
	switch {
	case !utf8.ValidString(shown) || strings.Contains(shown, "\x00"):
		s.breaks(reading, "%s shows %s, which is no text", o.ID, o.Read.Path)
	case !bytes.Equal(member(o.JSON, "content"), s.buf) && !o.Cut:
		s.breaks(reading, "%s does not show what stands in %s there", o.ID, o.Read.Path)
	case o.Read.Path != path.Str():
		s.breaks(reading, "%s shows %s, and %s was asked for", o.ID, o.Read.Path, strictjson.Quote(path.Str()))
	case o.Read.Hash != s.sum(f) || string(member(o.JSON, "baseHash")) != `"`+s.sum(f)+`"`:
		s.breaks(reading, "%s gives %s another hash than that of its bytes", o.ID, o.Read.Path)
	case string(member(o.JSON, "startLine")) != strconv.Itoa(line):
		s.breaks(reading, "%s says that it begins at line %s, and it begins at line %d", o.ID, member(o.JSON, "startLine"), line)
	default:
		s.asWanted(o, f, line)
	}
}

// asWanted asks whether a read begins and ends where it was asked to.
func (s *step) asWanted(o *event.Observation, f *vrepo.File, line int) {
	from, shown := o.Read.From, f.Text()[o.Read.From:o.Read.To]
	cursor, byCursor := s.call.args.Get("cursor")
	start, byLine := s.call.args.Get("startLine")
	end, bounded := s.call.args.Get("endLine")
	wanted, last := 1, line+strings.Count(strings.TrimSuffix(shown, "\n"), "\n")
	if byLine {
		n, _ := start.Int()
		wanted = int(n)
	}
	offset, hash, _ := strings.Cut(cursor.Str(), "@")
	bound, _ := end.Int()
	switch {
	case byCursor && (strconv.Itoa(from) != offset || !strings.HasPrefix(s.sum(f), hash)):
		s.breaks(reading, "%s goes on at byte %d of this version, and the cursor was %s", o.ID, from, strictjson.Quote(cursor.Str()))
	case (byLine || !byCursor) && (line != wanted || from > 0 && f.Text()[from-1] != '\n'):
		s.breaks(reading, "%s begins at line %d, and line %d was asked for", o.ID, line, wanted)
	case bounded && shown != "" && int64(last) > bound:
		s.breaks(reading, "%s ends with line %d, and was to end with line %d", o.ID, last, bound)
	case bounded && byLine && bound < int64(wanted):
		s.breaks(reading, "%s is of lines %d to %d, which are none", o.ID, wanted, bound)
	}
}

// sum is the SHA-256 of a file's bytes.
func (j *judge) sum(f *vrepo.File) string {
	if known, ok := j.sums[f]; ok {
		return known
	}
	sum := sha256.Sum256([]byte(f.Text()))
	j.sums[f] = hex.EncodeToString(sum[:])
	return j.sums[f]
}

func isWorldChange(e event.Event) bool { return e.Name == event.WorldChanged }

// promised asks whether the answer of a declared tool is what the tool promises.
func (s *step) promised(o *event.Observation) {
	p := s.promises[o.Tool]
	v, err := strictjson.Parse(o.JSON)
	switch {
	case err != nil:
		s.breaks(answering, "%s is no JSON: %s", o.ID, err.Message)
		return
	case o.Cut || s.returned || slices.ContainsFunc(s.events, isWorldChange):
		return // it is not as it was given, or things have moved on since
	case p.output != nil && p.output.Unknown(v) != nil:
		s.breaks(answering, "%s answers what it may not: %s", o.Tool, p.output.Unknown(v).Message)
	case p.output != nil && p.output.Violation(v) != nil:
		s.breaks(answering, "%s answers what it may not: %s", o.Tool, p.output.Violation(v).Message)
	}
	w := s.walk.World()
	if p.postcondition == nil || w == nil {
		return
	}
	holds, fault := p.postcondition.Eval(s.call.args, s.principal().Value(), strictjson.OfInt(int64(w.Attempts(o.Tool))),
		strictjson.OfString(s.call.act), w.Value(), v)
	if fault != nil || !holds.Bool() {
		s.breaks(answering, "%s promises %s, which is not true", o.Tool, p.postcondition.Source())
	}
}
