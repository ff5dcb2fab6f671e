package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"harness/internal/runner"
)

// Script is what takes the place of a scenario's own script.
type Script struct {
	// Case is the scenario's case of a file that has cases; "" for any other file.
	Case string
	// Items is what the model says, output by output.
	Items [][]byte
	// Human is what persons answer, in the order of the questions.
	Human []runner.Reply
	// Cancel is set if a person orders the run to stop: once so many steps are over,
	// or, if CancelAt is not 0, at that time.
	Cancel      bool
	CancelAfter int
	CancelAt    time.Duration
	// Faultless leaves out what goes wrong in the calls of declared tools.
	Faultless bool
	// Title takes the place of the scenario's own, and of what it teaches, if it is not
	// empty.
	Title string
	// Suffix is added to the id after "-explored", so that a file can stand beside its
	// original and others. It is of the letters of ids.
	Suffix string
	// Comment stands at the top, line by line.
	Comment string
	// Invariants are expressions that must hold, beside those of the file.
	Invariants []string
	// From is the folder of the file, as a slash-separated path from where the new one
	// will stand; "" is the same.
	From string
}

const explored = "-explored"

// WithScript writes a scenario file anew with another script. What only fits the old
// one is left out: what was expected, and what persons said. A case is laid over its
// file, and the other cases are left out. What the file includes it still includes.
func WithScript(data []byte, s *Script) ([]byte, error) {
	found := &findings{file: "scenario"}
	root := parseTree(data, found)
	if root == nil || found.failed() || root.Kind != yaml.MappingNode {
		return nil, errors.New("the file is no scenario that could be written anew")
	}
	if err := takeCase(root, s.Case); err != nil {
		return nil, err
	}
	for _, key := range []string{"expect", "expectFail", "nullAgent", "points", "human"} {
		cutKey(root, key)
	}
	if s.Faultless {
		cutKey(root, "faults")
	}
	if s.Title != "" {
		cutKey(root, "teaches")
		put(root, "title", quotedText(s.Title))
	}
	if id := at(root, "id"); id != nil && !strings.HasSuffix(id.Value, explored+s.Suffix) {
		put(root, "id", plainText(id.Value+explored+s.Suffix))
	}
	put(root, "model", s.model())
	if len(s.Human) > 0 {
		put(root, "human", s.human())
	}
	if s.Cancel {
		s.addOrder(root)
	}
	for _, source := range s.Invariants {
		list := listAt(root, "invariants")
		list.Content = append(list.Content, quotedText(source))
	}
	if list := at(root, "include"); list != nil && s.From != "" {
		for _, name := range list.Content {
			name.Value = path.Join(s.From, name.Value)
		}
	}
	root.HeadComment, root.FootComment = "", ""
	if len(root.Content) > 0 {
		root.Content[0].HeadComment = ""
	}
	text, err := yaml.Dump(root, yaml.WithIndent(2), yaml.WithLineWidth(-1), yaml.WithCompactSeqIndent(false))
	if err != nil {
		return nil, fmt.Errorf("the scenario could not be written: %w", err)
	}
	text = append(comment(s.Comment), text...)
	if at(root, "include") == nil { // else nothing can be said without the other files
		if _, faults := Parse("scenario", text); faults.Failed() {
			return nil, fmt.Errorf("what was written is no scenario: %w", faults[0])
		}
	}
	return text, nil
}

// comment is a text as comment lines.
func comment(text string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight("# "+strings.Map(shownInComment, line), " ") + "\n")
	}
	return b.Bytes()
}

// shownInComment drops what may not stand in a file, or would end the comment.
func shownInComment(r rune) rune {
	if r == '\n' || !supported(r, 0) && (r < ' ' || r >= 0x7F) {
		return -1
	}
	return r
}
