package repotools

import (
	"testing"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// world is a view of some files, all of which may be read and edited.
func world(t *testing.T, entries ...vrepo.Entry) *tools.View {
	t.Helper()
	s, faults := vrepo.New(entries)
	if len(faults) > 0 {
		t.Fatalf("New: %v", faults)
	}
	limits := tools.DefaultLimits()
	return &tools.View{
		Snapshot: s, Limits: &limits, EditShownOnly: true,
		Allowed: func(string, string) bool { return true },
	}
}

// perform asks a tool's checks in their order and then executes the call. It
// gives the code and the fault of the first check that refuses.
func perform(t *testing.T, view *tools.View, tool tools.Tool, args string) (*diag.Code, *tools.Fault, tools.Outcome) {
	t.Helper()
	v, err := strictjson.Parse([]byte(args))
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	call := &tools.Call{Tool: tool, Args: v}
	tool.Bind(call)
	for _, c := range tool.Checks() {
		if fault := c.Decide(call, view); fault != nil {
			return c.Code, fault, tools.Outcome{}
		}
	}
	outcome := tool.Execute(call, view)
	if outcome.Read != nil {
		view.Reads.Add(*outcome.Read)
	}
	return nil, nil, outcome
}

// quoted writes a text as JSON.
func quoted(text string) string {
	return string(strictjson.AppendCanonical(nil, strictjson.OfString(text)))
}

func readOf(f *vrepo.File, from, to int) event.Read {
	return event.Read{Path: f.Path(), Hash: f.Hash(), From: from, To: to}
}
