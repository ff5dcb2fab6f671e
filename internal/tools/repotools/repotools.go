// Package repotools holds the tools that work on the virtual repository: search,
// read and propose_edit. A tool is one Go file and one text that the model reads.
package repotools

import (
	"strings"

	"harness/internal/diag"
	"harness/internal/event"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// The capabilities that rules grant on paths.
const (
	CapSearch  = "repo:search"
	CapRead    = "repo:read"
	CapPropose = "repo:propose"
)

// All makes the repository tools under the given limits, in the order in which
// the model sees them.
func All(l tools.Limits) []tools.Tool {
	return []tools.Tool{newSearch(l), newRead(l), newProposeEdit(l)}
}

// Capabilities lists the capabilities these tools ask for.
func Capabilities() []string { return []string{CapSearch, CapRead, CapPropose} }

// pathField is the argument that names a file.
func pathField(l tools.Limits) tools.Field {
	return tools.Field{Name: "path", Type: strictjson.String, Required: true, Min: 1, Max: l.Path}
}

// pathCheck is the semantic check that a path is canonical.
func pathCheck(id string, path func(*tools.Call) string) tools.Check {
	return tools.Check{ID: id, Gate: diag.Semantic, Code: InvalidPath, Decide: func(call *tools.Call, _ *tools.View) *tools.Fault {
		if fault := vrepo.CheckPath(path(call)); fault != nil {
			return &tools.Fault{Message: "the path " + fault.Reason, Hint: fault.Hint}
		}
		return nil
	}}
}

// text is the content of a string argument, "" if it is not given.
func text(args strictjson.Value, name string) string {
	v, _ := args.Get(name)
	return v.Str()
}

// number is a whole-number argument, 0 if it is not given.
func number(args strictjson.Value, name string) int {
	v, _ := args.Get(name)
	n, _ := v.Int()
	// Beyond any file's size all numbers mean the same, on every machine.
	return int(min(max(n, 0), 1<<31-1))
}

func member(name string, v strictjson.Value) strictjson.Member {
	return strictjson.Member{Name: name, Value: v}
}

func textMember(name, text string) strictjson.Member {
	return strictjson.Member{Name: name, Value: strictjson.OfString(text)}
}

func numberMember(name string, n int) strictjson.Member {
	return strictjson.Member{Name: name, Value: strictjson.OfInt(int64(n))}
}

func succeeded(trust event.Trust, json []byte) tools.Outcome {
	return tools.Outcome{Status: event.CallSucceeded, Trust: trust, JSON: json}
}

// fits reports whether an encoded observation has at most limit code points.
func fits(json []byte, limit int) bool {
	return len(json) <= limit || strictjson.Runes(json) <= limit
}

func purpose(md string) string { return strings.TrimSpace(md) }
