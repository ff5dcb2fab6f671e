package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"harness/internal/event"
	"harness/internal/term"
)

// Recorded is what a document of an earlier run says of one scenario.
type Recorded struct {
	ID         string
	Verdict    Verdict
	Status     string
	StopReason string
	Decisions  []any // as JSON holds them; nil if the document has none
}

// recorded is a document of one result, several, or a session, as far as it is
// compared.
type recorded struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Results    []recordedResult  `json:"results"`
	Cases      []recordedSession `json:"cases"`
	recordedResult
}

type recordedResult struct {
	ID         string  `json:"id"`
	Verdict    Verdict `json:"verdict"`
	Status     string  `json:"status"`
	StopReason string  `json:"stopReason"`
	Decisions  []any   `json:"decisions"`
}

type recordedSession struct {
	recordedResult
	Result *recordedResult `json:"result"`
}

// ReadRecorded reads a document that the program has written with --format json:
// the cases in it, in their order.
func ReadRecorded(data []byte) ([]Recorded, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var doc recorded
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("it is no JSON document: %w", err)
	}
	if doc.APIVersion != APIVersion {
		return nil, fmt.Errorf("its apiVersion is %q, and not %q", doc.APIVersion, APIVersion)
	}
	var list []Recorded
	switch doc.Kind {
	case KindResult:
		list = append(list, Recorded(doc.recordedResult))
	case KindResults:
		for _, r := range doc.Results {
			list = append(list, Recorded(r))
		}
	case KindSession:
		for _, c := range doc.Cases {
			if c.Result != nil {
				c.Decisions = c.Result.Decisions
			}
			list = append(list, Recorded(c.recordedResult))
		}
	default:
		return nil, fmt.Errorf("its kind is %q, which holds no results", doc.Kind)
	}
	seen := map[string]bool{}
	for _, r := range list {
		if r.ID == "" || r.Verdict == "" {
			return nil, errors.New("a case has no id or no verdict")
		}
		if seen[r.ID] {
			return nil, fmt.Errorf("the id %q stands in it twice", r.ID)
		}
		seen[r.ID] = true
	}
	return list, nil
}

// Comparison is what differs between two runs of scenarios.
type Comparison struct {
	Same    int
	Differ  []Difference // in the order of the first, then what only the second has
	Regress int          // of those, how many got worse
}

// Difference is a scenario that is not in both as the same.
type Difference struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // "missing", "new", "verdict", "end" or "decisions"
	Worse   bool   `json:"worse"`
	Path    string `json:"path"` // "verdict", "stopReason", "decisions[2].decision.code"
	Before  string `json:"before"`
	After   string `json:"after"`
	Verdict string `json:"verdict"` // the second's; "" for a missing one
	// Decision is the first that differs, if any does.
	Decision *DecisionDifference `json:"decision,omitempty"`
}

// DecisionDifference is where the decisions on two runs part.
type DecisionDifference struct {
	Step   int    `json:"step"` // from 1
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Looser is whether the second lets through what the first did not: it allows, or
	// asks a person, where the first denied.
	Looser bool `json:"looser"`
}

// Compare compares two runs, scenario by scenario: its verdict, its end, and its
// decisions up to the first that differs.
func Compare(before, after []Recorded) *Comparison {
	c := &Comparison{}
	later := map[string]*Recorded{}
	for i := range after {
		later[after[i].ID] = &after[i]
	}
	for i := range before {
		a := &before[i]
		b := later[a.ID]
		delete(later, a.ID)
		if b == nil {
			c.add(Difference{ID: a.ID, Kind: "missing", Worse: true, Path: "id", Before: a.ID})
		} else if d, same := differ(a, b); same {
			c.Same++
		} else {
			c.add(d)
		}
	}
	for i := range after {
		if b := &after[i]; later[b.ID] != nil {
			c.add(Difference{ID: b.ID, Kind: "new", Worse: red(b.Verdict), Path: "id", After: b.ID, Verdict: string(b.Verdict)})
		}
	}
	return c
}

func (c *Comparison) add(d Difference) {
	c.Differ = append(c.Differ, d)
	if d.Worse {
		c.Regress++
	}
}

// red reports whether a verdict is not as expected.
func red(v Verdict) bool { return v == Fail || v == Error || v == XPass }

// differ gives the first thing in which two runs of a scenario differ. Another
// verdict outranks another end, and that another decision; but where decisions
// differ, the first of them is why. A decision that lets more through is worse, if
// the verdict does not say that it is better.
func differ(a, b *Recorded) (Difference, bool) {
	d := Difference{ID: a.ID, Verdict: string(b.Verdict), Worse: red(b.Verdict) && !red(a.Verdict) || b.Verdict == Skip && a.Verdict == Pass}
	switch {
	case a.Verdict != b.Verdict:
		d.Kind, d.Path, d.Before, d.After = "verdict", "verdict", string(a.Verdict), string(b.Verdict)
	case a.Status != b.Status:
		d.Kind, d.Path, d.Before, d.After = "end", "status", a.Status, b.Status
	case a.StopReason != b.StopReason:
		d.Kind, d.Path, d.Before, d.After = "end", "stopReason", a.StopReason, b.StopReason
	}
	if a.Decisions != nil && b.Decisions != nil {
		if d.Decision = decisionDifference(a.Decisions, b.Decisions); d.Decision != nil {
			d.Worse = d.Worse || d.Decision.Looser && (red(b.Verdict) || !red(a.Verdict))
			if d.Kind == "" {
				d.Kind, d.Path, d.Before, d.After = "decisions", d.Decision.Path, d.Decision.Before, d.Decision.After
			}
		}
	}
	return d, d.Kind == ""
}

// decisionDifference gives the first difference in what was asked for and what was
// decided; if there is none, the first in how it came to that; nil if there is none
// either.
func decisionDifference(a, b []any) *DecisionDifference {
	for i := range min(len(a), len(b)) {
		for _, path := range [...]string{"tool", "resource", "decision.effect", "decision.code", "decision.gate"} {
			before, after := memberText(a[i], path), memberText(b[i], path)
			if before != after {
				return &DecisionDifference{
					Step: i + 1, Path: "decisions[" + strconv.Itoa(i) + "]." + path, Before: before, After: after,
					Looser: path == "decision.effect" && isLooser(after, before),
				}
			}
		}
	}
	f, differs := firstDifference("decisions", ofDecision(a), ofDecision(b))
	if !differs {
		return nil
	}
	return &DecisionDifference{Step: f.step, Path: f.path, Before: f.before, After: f.after}
}

// isLooser reports whether a decision lets more through than another. Of what is no
// effect nothing is known.
func isLooser(after, before string) bool {
	now, then := event.Effect(after).Strictness(), event.Effect(before).Strictness()
	return now > 0 && now < then
}

// memberText is the text at a path of names, "" if there is none.
func memberText(v any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	text, _ := v.(string)
	return text
}

// ofDecision is a part of a decision's record without what is none of it: how large
// the context was, and where in a file something stands.
func ofDecision(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = ofDecision(v[i])
		}
		return list
	case map[string]any:
		object := maps.Clone(v)
		for name := range object {
			if name == "context" || name == "where" {
				delete(object, name)
			} else {
				object[name] = ofDecision(object[name])
			}
		}
		return object
	default:
		return v
	}
}

// firstPart is the first place in which two JSON values differ.
type firstPart struct {
	path          string
	before, after string // "" is nothing there
	step          int    // of a decision
}

func firstDifference(path string, a, b any) (firstPart, bool) {
	switch x := a.(type) {
	case []any:
		if y, ok := b.([]any); ok {
			return firstOfLists(path, x, y)
		}
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return firstOfObjects(path, x, y)
		}
	}
	before, after := asJSON(a), asJSON(b)
	return firstPart{path: path, before: before, after: after}, before != after
}

func firstOfLists(path string, a, b []any) (firstPart, bool) {
	for i := range max(len(a), len(b)) {
		at := path + "[" + strconv.Itoa(i) + "]"
		var f firstPart
		differs := true
		switch {
		case i >= len(a):
			f = firstPart{path: at, after: asJSON(b[i])}
		case i >= len(b):
			f = firstPart{path: at, before: asJSON(a[i])}
		default:
			f, differs = firstDifference(at, a[i], b[i])
		}
		if differs {
			if f.step == 0 {
				f.step = i + 1
			}
			return f, true
		}
	}
	return firstPart{}, false
}

func firstOfObjects(path string, a, b map[string]any) (firstPart, bool) {
	keys := make([]string, 0, len(a))
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	for _, k := range keys {
		x, inA := a[k]
		y, inB := b[k]
		at := path + "." + k
		switch {
		case !inA:
			return firstPart{path: at, after: asJSON(y)}, true
		case !inB:
			return firstPart{path: at, before: asJSON(x)}, true
		}
		if f, differs := firstDifference(at, x, y); differs {
			return f, true
		}
	}
	return firstPart{}, false
}

// asJSON is a value as it stands in a document. Values come out of one, so they can
// be written.
func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// WriteComparison writes what differs, a line each.
func WriteComparison(w *term.Stream, c *Comparison) error {
	p := newPage(w)
	t := term.Table{Indent: rowIndent}
	for i := range c.Differ {
		d := &c.Differ[i]
		tone := term.Warn
		if d.Worse {
			tone = term.Bad
		}
		t.Row(tone.Cell(d.Kind), term.Strong.Cell(d.ID), p.differenceCell(d))
	}
	p.wide().print(&t)
	if len(c.Differ) > 0 {
		p.blank()
	}
	kinds := map[string]int{}
	for i := range c.Differ {
		kinds[c.Differ[i].Kind]++
	}
	text := number(c.Same) + " the same, " + number(len(c.Differ)) + " differ, " + number(c.Regress) + " worse"
	for _, kind := range []string{"missing", "new"} {
		if kinds[kind] > 0 {
			text += ", " + number(kinds[kind]) + " " + kind
		}
	}
	p.prose(0, term.Strong, text)
	return w.Err()
}

func (p *page) differenceCell(d *Difference) term.Cell {
	switch d.Kind {
	case "missing":
		return term.Text("only in the first")
	case "new":
		return term.Text("only in the second: " + d.Verdict)
	}
	dot := " " + p.style.Dot() + " "
	cell := term.Text("")
	if d.Kind != "decisions" {
		cell = p.change(cell, d.Path, d.Before, d.After)
	}
	if at := d.Decision; at != nil {
		if d.Kind != "decisions" {
			cell = cell.Add(term.Normal, dot)
		}
		own := strings.TrimPrefix(at.Path, "decisions["+strconv.Itoa(at.Step-1)+"].")
		cell = p.change(cell.Add(term.Normal, "step "+strconv.Itoa(at.Step)+dot), strings.TrimPrefix(own, "decision."), at.Before, at.After)
		if at.Looser {
			cell = cell.Add(term.Bad, dot+"lets more through")
		}
	}
	return cell
}

// change adds what differs at a path.
func (p *page) change(cell term.Cell, path, before, after string) term.Cell {
	return cell.Add(term.Normal, path+" ").Add(term.Removed, orNothing(before)).Add(term.Normal, " "+p.style.Arrow()+" ").Add(term.Added, orNothing(after))
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return bounded(text, shownMost)
}

// ComparisonDocument is a comparison as a document.
type ComparisonDocument struct {
	APIVersion  string       `json:"apiVersion"`
	Kind        string       `json:"kind"` // "Comparison"
	Same        int          `json:"same"`
	Worse       int          `json:"worse"`
	Differences []Difference `json:"differences"`
}

// WriteComparisonJSON writes a comparison as a document.
func WriteComparisonJSON(w io.Writer, c *Comparison) error {
	return EncodeJSON(w, &ComparisonDocument{
		APIVersion: APIVersion, Kind: "Comparison", Same: c.Same, Worse: c.Regress,
		Differences: append([]Difference{}, slices.Clone(c.Differ)...),
	})
}
