package report

import (
	"slices"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/runner"
	"harness/internal/term"
)

// Group is cases under one title, usually those of one scenario file.
type Group struct {
	Title string
	Cases []Case
}

// tableLeast is the width below which the table becomes a list.
const tableLeast = 64

// WriteTable writes a line for each case: how it ended, and which step, gate and
// code decided. A case that did not end as its scenario says is marked, with the
// reason below it. The last lines count the cases and say how one is shown in
// full, which depends on where they came from.
func WriteTable(w *term.Stream, groups []Group, inFull string) error {
	p := newPage(w)
	p.width = max(p.width, w.Width()) // there is no prose to keep short
	v := tableView{page: p, room: p.wide().width, short: lastPartsDiffer(groups)}
	lines := make([][]tableLine, len(groups))
	for i, g := range groups {
		for j := range g.Cases {
			lines[i] = append(lines[i], v.caseLine(&g.Cases[j]))
		}
	}
	widths := v.measure(slices.Concat(lines...))
	if v.room >= tableLeast {
		v.put(&tableLine{
			name: "case", status: "ends as", step: "step, gate", code: "why",
			tone: term.Dim, statusTone: term.Dim, codeTone: term.Dim,
		}, widths)
	}
	for i := range groups {
		v.group(&groups[i], lines[i], widths)
	}
	p.blank()
	p.count(groups, inFull)
	return w.Err()
}

// tableView prints groups of cases.
type tableView struct {
	*page
	room  int    // of a row, in columns
	last  string // the heading that was printed last
	short bool   // the last part of an id is enough to name a case
}

// lastPartsDiffer reports whether no two cases have the same last part of their
// ids.
func lastPartsDiffer(groups []Group) bool {
	seen := map[string]bool{}
	for _, g := range groups {
		for i := range g.Cases {
			_, name := cutLast(g.Cases[i].Scenario.ID)
			if seen[name] {
				return false
			}
			seen[name] = true
		}
	}
	return true
}

// cutLast cuts an id before its last part.
func cutLast(id string) (folder, name string) {
	if i := strings.LastIndexByte(id, '/'); i >= 0 {
		return id[:i], id[i+1:]
	}
	return "", id
}

// name is how a case is called in the table.
func (v *tableView) name(c *Case) string {
	if _, name := cutLast(c.Scenario.ID); v.short {
		return name
	}
	return c.Scenario.ID
}

// group prints the cases of one group below its title.
func (v *tableView) group(g *Group, lines []tableLine, widths tableWidths) {
	v.heading(g)
	for i := range lines {
		if v.room >= tableLeast {
			v.put(&lines[i], widths)
		} else {
			v.stacked(&lines[i])
		}
		v.shortfall(&g.Cases[i])
	}
}

// heading is the group's part of the ids, and its title, below it if both do not
// fit on a line. A group with the heading of the last goes on in it.
func (v *tableView) heading(g *Group) {
	folder := ""
	if len(g.Cases) > 0 && v.short {
		folder, _ = cutLast(g.Cases[0].Scenario.ID)
	}
	heading := folder + "\n" + g.Title
	if heading == v.last {
		return
	}
	v.last = heading
	v.blank()
	const between = 3
	folder, title := v.style.EscapeLine(folder), v.style.EscapeLine(g.Title)
	switch {
	case folder == "" && title == "":
	case folder == "":
		v.prose(0, term.Normal, title)
	case title == "":
		v.prose(0, term.Strong, folder)
	case term.Width(folder)+between+term.Width(title) <= v.room:
		v.raw(v.style.Strong(folder) + strings.Repeat(" ", between) + title + "\n")
	default:
		v.prose(0, term.Strong, folder)
		v.prose(rowIndent, term.Normal, title)
	}
}

// tableLine is one case in the table.
type tableLine struct {
	mark                           string
	name, status, step, gate, code string
	words                          string
	tone, markTone                 term.Tone
	statusTone, codeTone           term.Tone
}

func (v *tableView) caseLine(c *Case) tableLine {
	d := decisive(c.Result)
	return tableLine{
		mark: verdictWord(c.Verdict), markTone: markTone(c), name: v.style.EscapeLine(v.name(c)),
		status: c.Result.Status.String(), statusTone: markTone(c),
		step: strconv.Itoa(d.step), gate: gateWord(d.gate), code: d.code.String(),
		words: v.style.EscapeLine(v.ours(d.words)), codeTone: term.Strong,
	}
}

// tableWidths are the widths of the columns, but for the last.
type tableWidths struct{ mark, name, status, step, gate int }

// The widths that a column keeps on a page where room is short; a longer text
// pushes the rest of its line aside.
const (
	roomy      = 100
	nameMost   = 20
	statusMost = 12
)

func (v *tableView) measure(lines []tableLine) tableWidths {
	w := tableWidths{name: len("case"), status: len("ends as"), gate: len("gate")}
	for _, l := range lines {
		w.mark = max(w.mark, term.Width(l.mark))
		w.name = max(w.name, term.Width(l.name))
		w.status = max(w.status, term.Width(l.status))
		w.step = max(w.step, term.Width(l.step))
		w.gate = max(w.gate, term.Width(l.gate))
	}
	if v.room < roomy {
		w.name, w.status = min(w.name, nameMost), min(w.status, statusMost)
	}
	return w
}

// leastWords is the room below which a code stands alone.
const leastWords = 20

// put prints a line in columns. A text that is wider than its column takes from
// the space of the next. Name and code are never cut, since they are what a
// reader types: words go first, then the code goes on a line of its own.
func (v *tableView) put(l *tableLine, w tableWidths) {
	cells := []struct {
		tone  term.Tone
		text  string
		width int
	}{
		{l.markTone, l.mark, w.mark}, {l.tone, l.name, w.name}, {l.statusTone, l.status, w.status},
		{l.tone, l.step, w.step}, {l.tone, l.gate, w.gate},
	}
	var b strings.Builder
	start, at := rowIndent, 0 // of the column, and of the line so far
	pad := func() {
		from := start
		if at > 0 {
			from = max(start, at+gap)
		}
		b.WriteString(strings.Repeat(" ", from-at))
		at = from
	}
	for _, c := range cells {
		if c.text != "" {
			pad()
			b.WriteString(v.style.Paint(c.tone, c.text))
			at += term.Width(c.text)
		}
		start += c.width + gap
	}
	pad()
	if at+term.Width(l.code) > v.room {
		v.raw(strings.TrimRight(b.String(), " ") + "\n")
		b.Reset()
		at = rowIndent + w.mark + gap + 2
		b.WriteString(strings.Repeat(" ", at))
	}
	b.WriteString(v.style.Paint(l.codeTone, l.code))
	if room := v.room - at - term.Width(l.code) - gap; room >= leastWords {
		b.WriteString(strings.Repeat(" ", gap) + term.Clip(l.words, room, v.style.Ellipsis()))
	}
	v.raw(strings.TrimRight(b.String(), " ") + "\n")
}

// stacked prints a case on a page too narrow for columns.
func (v *tableView) stacked(l *tableLine) {
	where := l.status + ", step " + l.step
	if l.gate != noGate {
		where += ", " + l.gate
	}
	t := term.Table{Indent: rowIndent}
	t.Row(l.markTone.Cell(l.mark), term.Strong.Cell(l.name))
	t.Row(nil, term.Text(where))
	t.Row(nil, term.Text(l.code))
	t.Row(nil, term.Dim.Cell(l.words))
	v.print(&t)
}

func markTone(c *Case) term.Tone {
	switch {
	case c.Verdict == Skip:
		return term.Dim
	case c.Verdict == XFail:
		return term.Warn
	case c.OK():
		return term.Good
	}
	return term.Bad
}

// noGate stands for the gate of a code that no gate raises.
const noGate = "-"

func gateWord(g diag.Gate) string {
	if g == "" {
		return noGate
	}
	return string(g)
}

// shortfall says below its row why a case is not as expected.
func (p *page) shortfall(c *Case) {
	const most = 3
	for i := range c.Findings {
		if i == most {
			p.prose(6, term.Dim, "and "+count(len(c.Findings)-most, "more finding"))
			return
		}
		p.finding(&c.Findings[i], 6)
	}
}

// count writes the last lines of the table.
func (p *page) count(groups []Group, inFull string) {
	all, bad, silent := 0, 0, false
	for _, g := range groups {
		for i := range g.Cases {
			all++
			silent = silent || g.Cases[i].Scenario.Expect == nil
			if !g.Cases[i].OK() {
				bad++
			}
		}
	}
	tone, text := term.Good, countOf(all, "case, ended as its scenario says.", "cases, each ended as its scenario says.")
	switch {
	case all == 0:
		tone, text = term.Bad, "No case was run."
	case bad > 0 && silent:
		tone, text = term.Bad, count(all, "case")+", "+number(bad)+" did not end well or as expected."
	case silent:
		text = count(all, "case") + ", all ended well or as expected."
	case bad > 0:
		tone = term.Bad
		text = count(all, "case") + ", " + countOf(bad, "did not end as its scenario says.", "did not end as their scenarios say.")
	}
	p.prose(2, tone, text)
	if all > 0 {
		p.prose(2, term.Dim, inFull+" shows one in full")
	}
}

// decision is what decided a run: the step, the gate and code, and a few words.
type decision struct {
	step  int
	gate  diag.Gate
	code  *diag.Code
	words string
}

// decisive finds what a case is about: what ended the run, or, if the run ended
// well, the first refusal that it got over.
func decisive(r *runner.Result) decision {
	d := decision{step: r.Steps, code: r.Reason, words: endingOf(r).short}
	if r.Reason != nil {
		d.gate = r.Reason.Gate
	}
	steps := Steps(r)
	if r.Status.Good() {
		for i := range steps {
			if s := &steps[i]; s.Refusal != nil {
				return decision{s.Step, s.Refusal.Gate, s.Refusal.Code, "refused, then it went on: " + r.Status.String()}
			}
		}
		return d
	}
	if len(steps) == 0 {
		return d
	}
	last := &steps[len(steps)-1]
	if last.Refusal != nil && last.Refusal.Code == r.Reason {
		d.gate, d.words = last.Refusal.Gate, last.Refusal.Message
	}
	if words := last.failure(); words.Message != "" {
		d.words = words.Message
	}
	return d
}
