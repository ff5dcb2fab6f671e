package repotools

import (
	_ "embed"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

//go:embed search.md
var searchText string

type search struct{ contract tools.Contract }

func newSearch(l tools.Limits) *search {
	return &search{tools.Contract{
		Name: "search", Version: "1", Purpose: purpose(searchText),
		Capability: CapSearch, Scoped: true, SideEffect: tools.ReadOnly,
		Input: tools.Fields{
			{Name: "query", Type: strictjson.String, Required: true, Min: 1, Max: l.Query},
			{Name: "cursor", Type: strictjson.String, Min: 1, Max: l.Path + 12},
		},
		Output: []string{"matches", "matches[].path", "matches[].line", "matches[].column", "matches[].text", "matches[].clipped", "truncated", "cursor"},
	}}
}

// searchCall is a search with its cursor taken apart.
type searchCall struct {
	query     string
	cursor    string
	afterPath string
	afterLine int
	cursorOK  bool
}

func (s *search) Contract() *tools.Contract { return &s.contract }

func (s *search) Bind(call *tools.Call) {
	args := call.Args
	c := &searchCall{query: text(args, "query"), cursor: text(args, "cursor"), cursorOK: true}
	if c.cursor != "" {
		c.afterPath, c.afterLine, c.cursorOK = parseSearchCursor(c.cursor)
	}
	call.Bound = c
}

func (s *search) Checks() []tools.Check {
	return []tools.Check{
		{ID: "search.cursor", Gate: diag.Semantic, Code: BadCursor, Decide: func(call *tools.Call, _ *tools.View) *tools.Fault {
			if call.Bound.(*searchCall).cursorOK {
				return nil
			}
			return &tools.Fault{Message: "the cursor is none that search returned"}
		}},
	}
}

func (s *search) Execute(call *tools.Call, view *tools.View) tools.Outcome {
	c := call.Bound.(*searchCall)
	found := view.Snapshot.Search(vrepo.SearchRequest{
		Query: c.query, Limit: view.Limits.Hits, ClipRunes: view.Limits.HitText,
		AfterPath: c.afterPath, AfterLine: c.afterLine,
		// What may not be read leaves no trace in a search.
		Readable: func(path string) bool { return view.Allowed(CapSearch, path) && view.Allowed(CapRead, path) },
	})
	shown := searchContent(found)
	// Whole hits are dropped until the observation fits; the cursor reaches them.
	for len(found.Hits) > 1 && !fits(shown, view.Limits.Observation) {
		found.Hits, found.Truncated = found.Hits[:len(found.Hits)-1], true
		shown = searchContent(found)
	}
	return succeeded(event.UntrustedSearchResult, shown)
}

// searchContent is the observation of the hits.
func searchContent(found vrepo.SearchResult) []byte {
	b := append(make([]byte, 0, 64+160*len(found.Hits)), '{')
	if n := len(found.Hits); found.Truncated && n > 0 {
		last := found.Hits[n-1]
		b = strictjson.AppendText(b, "cursor", strconv.Itoa(last.Line)+":"+last.Path)
	}
	b = append(strictjson.AppendName(b, "matches"), '[')
	for i, h := range found.Hits {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendHit(b, h)
	}
	b = append(b, ']')
	return append(strictjson.AppendBool(b, "truncated", found.Truncated), '}')
}

func appendHit(b []byte, h vrepo.Hit) []byte {
	b = append(b, '{')
	if h.Clipped {
		b = strictjson.AppendBool(b, "clipped", true)
	}
	b = strictjson.AppendInt(b, "column", h.Column)
	b = strictjson.AppendInt(b, "line", h.Line)
	b = strictjson.AppendText(b, "path", h.Path)
	return append(strictjson.AppendText(b, "text", h.Text), '}')
}

// parseSearchCursor reads "line:path", the place of the last hit shown.
func parseSearchCursor(cursor string) (path string, line int, ok bool) {
	number, path, found := strings.Cut(cursor, ":")
	line, err := strconv.Atoi(number)
	ok = found && err == nil && line > 0 && strconv.Itoa(line) == number && vrepo.CheckPath(path) == nil
	return path, line, ok
}
