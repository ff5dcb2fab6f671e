package explore

import (
	"strings"

	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner"
)

// Alphabet is what a model can say in a search, and a person order between two steps.
type Alphabet struct {
	Symbols []Symbol
	// Left says in words what was left out, so that there are no more.
	Left []string
}

// Symbol is one thing to say. What it comes to can depend on the state.
type Symbol struct {
	// Name says in words what it is; names are distinct.
	Name string
	// Tool is what it is about: a tool, "finish", "cancel", or "" for an output that
	// is none of them.
	Tool string

	form   form
	raw    []byte        // of fixed
	script *model.Script // of scripted, with one item
	edit   edit          // of proposed
	cites  cites         // of finished
}

// form is how a symbol is made to an output.
type form uint8

const (
	fixed    form = iota
	scripted      // an item with references
	proposed      // an edit whose hash depends on the state
	finished      // a finish whose citation does
	order         // nothing is said: a person orders the run to stop
)

// edit is a proposal without its hash.
type edit struct {
	path, of      string // the file, and the file whose hash is given
	hash          hashKind
	before, after string
}

// hashKind is which hash a proposal gives.
type hashKind uint8

const (
	hashNow     hashKind = iota // of the file as it is
	hashForeign                 // of another file
	hashNever                   // of nothing that ever was
	hashStale                   // of the file as it was before it changed
)

// cites is what a finish cites.
type cites uint8

const (
	citesAnswer  cites = iota // the last observation of a succeeded call
	citesRefusal              // the last of any other
)

// The bounds of an alphabet.
const (
	mostSymbols = 400
	mostFiles   = 8 // of a repository
	mostWords   = 4 // queries of one kind
	mostTexts   = 4 // replacements out of scripts
	mostOthers  = 6 // other values of one argument
)

// never is the hash of nothing that ever was, as far as anybody knows.
var never = strings.Repeat("0", 64)

// Keep is the alphabet of the symbols whose names are to be kept.
func (a *Alphabet) Keep(keep func(Symbol) bool) *Alphabet {
	kept := &Alphabet{Left: a.Left}
	for _, s := range a.Symbols {
		if keep(s) {
			kept.Symbols = append(kept.Symbols, s)
		}
	}
	return kept
}

// Answer is what a person can say to a question.
type Answer struct {
	Name  string
	Reply runner.Reply
}

// DefaultAnswers are an approval, a refusal, and an approval that is for another run.
func DefaultAnswers() []Answer {
	other := "another-run"
	return []Answer{
		{"approve", runner.Reply{Verdict: event.Approved, By: "explorer"}},
		{"decline", runner.Reply{Verdict: event.Declined, By: "explorer"}},
		{"approve for another run", runner.Reply{Verdict: event.Approved, By: "explorer", Run: &other}},
	}
}
