package repotools

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"harness/internal/strictjson"
	"harness/internal/vrepo"
)

// places are where a text stands in a file, in order.
type places []place

type place struct{ line, column int } // from 1, the column in code points

func placesOf(f *vrepo.File, offsets []int) places {
	all := make(places, len(offsets))
	for i, offset := range offsets {
		all[i].line = f.LineAt(offset)
		if i > 0 && all[i].line == all[i-1].line { // the line may be long: count on
			all[i].column = all[i-1].column + utf8.RuneCountInString(f.Text()[offsets[i-1]:offset])
		} else {
			all[i].column = f.ColumnAt(offset)
		}
	}
	return all
}

// shareLine reports whether two places are on one line.
func (p places) shareLine() bool {
	for i := 1; i < len(p); i++ {
		if p[i].line == p[i-1].line {
			return true
		}
	}
	return false
}

// words are the lines, with columns where lines alone do not tell the places
// apart: "lines 3, 5", "line 1 (columns 1, 2)". With more, further places are
// known to follow.
func (p places) words(more bool) string {
	const most = 3 // columns named of one line
	var lines []string
	for i := 0; i < len(p); {
		end := i
		var columns []string
		for ; end < len(p) && p[end].line == p[i].line; end++ {
			columns = append(columns, strconv.Itoa(p[end].column))
		}
		line := strconv.Itoa(p[i].line)
		switch {
		case len(columns) > most, len(columns) > 1 && more && end == len(p):
			line += fmt.Sprintf(" (columns %s and more)", strings.Join(columns[:min(most, len(columns))], ", "))
		case len(columns) > 1:
			line += fmt.Sprintf(" (columns %s)", strings.Join(columns, ", "))
		}
		lines = append(lines, line)
		i = end
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines, ", ")
}

// details are the lines, and the columns where two places share a line.
func (p places) details() []strictjson.Member {
	lines := make([]strictjson.Value, len(p))
	columns := make([]strictjson.Value, len(p))
	for i, at := range p {
		lines[i], columns[i] = strictjson.OfInt(int64(at.line)), strictjson.OfInt(int64(at.column))
	}
	if !p.shareLine() {
		return []strictjson.Member{member("lines", strictjson.OfArray(lines...))}
	}
	return []strictjson.Member{
		member("columns", strictjson.OfArray(columns...)),
		member("lines", strictjson.OfArray(lines...)),
	}
}
