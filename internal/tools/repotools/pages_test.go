package repotools

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// pieces are what texts are drawn from: plain, escaped, wide, and line ends.
var pieces = []string{"a", "word ", "\n", "\r\n", "\t", "\"", "\\", "\x01", "求", "\U0001F680", "needle", strings.Repeat("long ", 60)}

func drawn(t *rapid.T, texts ...string) *tools.View {
	entries := make([]vrepo.Entry, len(texts))
	for i, text := range texts {
		entries[i] = vrepo.Entry{Path: fmt.Sprintf("f%d.txt", i), Content: text}
	}
	snapshot, faults := vrepo.New(entries)
	if len(faults) > 0 {
		t.Fatalf("repository: %v", faults)
	}
	limits := tools.DefaultLimits()
	limits.Content = rapid.IntRange(1, 1500).Draw(t, "content limit")
	limits.Observation = rapid.IntRange(500, 2000).Draw(t, "observation limit")
	limits.Hits = rapid.IntRange(1, 9).Draw(t, "hits limit")
	limits.HitText = rapid.IntRange(1, 200).Draw(t, "hit text limit")
	return &tools.View{
		Snapshot: snapshot, Limits: &limits, EditShownOnly: true,
		Allowed: func(string, string) bool { return true },
	}
}

func drawnText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, label), "")
}

// ask lets a tool work on arguments, all of its checks asked.
func ask(t *rapid.T, tool tools.Tool, view *tools.View, args ...strictjson.Member) tools.Outcome {
	call := &tools.Call{Tool: tool, Args: strictjson.OfObject(args...)}
	tool.Bind(call)
	for _, c := range tool.Checks() {
		if fault := c.Decide(call, view); fault != nil {
			t.Fatalf("%s refuses: %s", c.ID, fault.Message)
		}
	}
	o := tool.Execute(call, view)
	if size := utf8.RuneCount(o.JSON); size > view.Limits.Observation {
		t.Fatalf("observation of %d code points, the limit is %d: %s", size, view.Limits.Observation, o.JSON)
	}
	return o
}

func content(t *rapid.T, o tools.Outcome) strictjson.Value {
	v, err := strictjson.Parse(o.JSON)
	if err != nil {
		t.Fatalf("observation is no strict JSON: %v: %s", err, o.JSON)
	}
	if canonical := strictjson.AppendCanonical(nil, v); string(canonical) != string(o.JSON) {
		t.Fatalf("observation is not canonical:\n%s\n%s", o.JSON, canonical)
	}
	return v
}

// However a file is cut into pages, the pages are the file, byte for byte, and
// what is recorded as shown is what was shown.
func TestPagesOfAReadAreTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawnText(t, "text")
		view := drawn(t, want)
		args := []strictjson.Member{textMember("path", "f0.txt")}
		var got strings.Builder
		for range len(want) + 2 {
			o := ask(t, newRead(*view.Limits), view, args...)
			v := content(t, o)
			shown, _ := v.Get("content")
			if o.Read.To-o.Read.From != len(shown.Str()) || want[o.Read.From:o.Read.To] != shown.Str() {
				t.Fatalf("recorded %d to %d as shown, which is not %q", o.Read.From, o.Read.To, shown.Str())
			}
			got.WriteString(shown.Str())
			cursor, more := v.Get("cursor")
			if truncated, _ := v.Get("truncated"); truncated.Bool() != more {
				t.Fatalf("truncated and cursor disagree: %s", o.JSON)
			}
			if !more {
				break
			}
			args = []strictjson.Member{textMember("path", "f0.txt"), textMember("cursor", cursor.Str())}
		}
		if got.String() != want {
			t.Fatalf("got %q, want %q", got.String(), want)
		}
	})
}

// However the hits are cut into pages, each line with the text is hit once, in
// order.
func TestPagesOfASearchAreAllHits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := []string{drawnText(t, "first"), drawnText(t, "second"), drawnText(t, "third")}
		view := drawn(t, texts...)
		var want []string
		for i, text := range texts {
			for n, line := range strings.Split(text, "\n") {
				if strings.Contains(line, "needle") {
					want = append(want, fmt.Sprintf("f%d.txt:%d", i, n+1))
				}
			}
		}
		var got []string
		args := []strictjson.Member{textMember("query", "needle")}
		for range len(want) + 2 {
			o := ask(t, newSearch(*view.Limits), view, args...)
			v := content(t, o)
			matches, _ := v.Get("matches")
			for _, hit := range matches.Items() {
				path, _ := hit.Get("path")
				line, _ := hit.Get("line")
				n, _ := line.Int()
				got = append(got, fmt.Sprintf("%s:%d", path.Str(), n))
			}
			cursor, more := v.Get("cursor")
			if !more {
				break
			}
			args = []strictjson.Member{textMember("query", "needle"), textMember("cursor", cursor.Str())}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// An accepted edit is a splice, and its observation holds what it says.
func TestProposalIsASplice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.SampledFrom(pieces).Draw(t, "before")+"MARK", drawnText(t, "after")
		base := drawnText(t, "head") + before + drawnText(t, "tail")
		view := drawn(t, base)
		f, _ := view.Snapshot.File("f0.txt")
		view.Reads.Add(event.Read{Path: "f0.txt", Hash: f.Hash(), From: 0, To: len(base)})
		o := ask(t, newProposeEdit(*view.Limits), view,
			textMember("path", "f0.txt"), textMember("baseHash", f.Hash()), textMember("before", before), textMember("after", after))
		at := strings.Index(base, before)
		if got, want := o.Edit.Change().Result(), base[:at]+after+base[at+len(before):]; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		offset, _ := content(t, o).Get("offset")
		if n, _ := offset.Int(); int(n) != at {
			t.Fatalf("offset: got %d, want %d", n, at)
		}
	})
}
