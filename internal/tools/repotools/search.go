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

func (s *search) Bind(args strictjson.Value) (any, string) {
	c := &searchCall{query: text(args, "query"), cursor: text(args, "cursor"), cursorOK: true}
	if c.cursor != "" {
		c.afterPath, c.afterLine, c.cursorOK = parseSearchCursor(c.cursor)
	}
	return c, ""
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
	items := make([]strictjson.Value, len(found.Hits))
	for i, h := range found.Hits {
		items[i] = hitValue(h)
	}
	shown := searchContent(found, items)
	// Whole hits are dropped until the observation fits; the cursor reaches them.
	for len(items) > 1 && strictjson.CanonicalSize(shown) > view.Limits.Observation {
		items = items[:len(items)-1]
		found.Truncated = true
		shown = searchContent(found, items)
	}
	return succeeded(event.UntrustedSearchResult, shown)
}

// searchContent is the observation of the hits that fit.
func searchContent(found vrepo.SearchResult, items []strictjson.Value) strictjson.Value {
	members := make([]strictjson.Member, 0, 3)
	if found.Truncated && len(items) > 0 {
		last := found.Hits[len(items)-1]
		members = append(members, textMember("cursor", strconv.Itoa(last.Line)+":"+last.Path))
	}
	members = append(members,
		member("matches", strictjson.OfArray(items...)),
		flagMember("truncated", found.Truncated),
	)
	return strictjson.OfObject(members...)
}

func hitValue(h vrepo.Hit) strictjson.Value {
	members := make([]strictjson.Member, 0, 5)
	if h.Clipped {
		members = append(members, flagMember("clipped", true))
	}
	members = append(members,
		numberMember("column", h.Column),
		numberMember("line", h.Line),
		textMember("path", h.Path),
		textMember("text", h.Text),
	)
	return strictjson.OfObject(members...)
}

// parseSearchCursor reads "line:path", the place of the last hit shown.
func parseSearchCursor(cursor string) (path string, line int, ok bool) {
	number, path, found := strings.Cut(cursor, ":")
	line, err := strconv.Atoi(number)
	ok = found && err == nil && line > 0 && strconv.Itoa(line) == number && vrepo.CheckPath(path) == nil
	return path, line, ok
}
