package suite

import (
	"os"
	"strings"

	"harness/internal/report"
	"harness/internal/textdiff"
)

// Update says which goldens are written. The zero value writes none.
type Update uint8

// The ways to write goldens.
const (
	_             Update = iota
	UpdateFailing        // of chosen cases that fail by their golden, or have nothing that they are tested by
	UpdateNew            // those that are missing
)

// WriteGoldens writes goldens of cases, and gives what it wrote. Cases whose only
// fault was their golden pass then. A known failure is left alone: it is no new norm.
func WriteGoldens(how Update, cases []report.Case) ([]report.Wrote, error) {
	if InCI() {
		return nil, ErrUpdateInCI
	}
	var wrote []report.Wrote
	for i := range cases {
		c := &cases[i]
		if c.Result == nil || c.Scenario.File == "-" || c.Scenario.ExpectFail != nil || !wants(how, c) {
			continue
		}
		path := GoldenPath(c.Scenario.File, c.Scenario.Case)
		before, err := os.ReadFile(path)
		fresh := err != nil
		golden := Golden(c.Result)
		if err := WriteFile(path, golden); err != nil {
			return wrote, err
		}
		w := report.Wrote{Path: path, New: fresh}
		w.Added, w.Removed = changed(string(before), string(golden))
		if !fresh {
			w.Diff = clip(textdiff.Unified(string(before), string(golden), 1))
		}
		wrote = append(wrote, w)
		settle(c, golden)
	}
	return wrote, nil
}

func wants(how Update, c *report.Case) bool {
	_, err := os.Stat(GoldenPath(c.Scenario.File, c.Scenario.Case))
	missing := err != nil
	if how == UpdateNew {
		return missing
	}
	for _, f := range c.Findings {
		if f.Clause == "golden" || f.Clause == "vacuous" {
			return true
		}
	}
	return false
}

// settle judges a case again with the golden that was written.
func settle(c *report.Case, golden []byte) {
	c.Verdict, c.Findings = judged(c.Scenario, c.Result, golden)
	*c = known(*c)
}

// changed counts the lines that differ.
func changed(before, after string) (added, removed int) {
	count := map[string]int{}
	for _, l := range strings.SplitAfter(before, "\n") {
		count[l]++
	}
	for _, l := range strings.SplitAfter(after, "\n") {
		if l == "" {
			continue
		}
		if count[l] > 0 {
			count[l]--
		} else {
			added++
		}
	}
	for l, n := range count {
		if l != "" {
			removed += n
		}
	}
	return added, removed
}

// InCI reports whether nobody looks at what is written.
func InCI() bool {
	ci := os.Getenv("CI")
	return ci != "" && ci != "false" && ci != "0"
}
