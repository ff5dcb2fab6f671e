package report

import (
	"slices"

	"harness/internal/coverage"
)

// The verdicts beside pass, fail and error.
const (
	Skip  Verdict = "skip"  // not run, because the session ended before
	XFail Verdict = "xfail" // failed as its scenario says it does
	XPass Verdict = "xpass" // passed, though its scenario says it fails: red
)

// Session is one run of a suite: what every report is a projection of.
type Session struct {
	Version      string   // of the program
	Cases        []Case   // in the order of the input: those that were run or skipped
	Files        int      // files read
	Found        int      // scenarios in them
	Selected     int      // of those, chosen
	Filter       string   // how they were chosen, in words; "" for all
	Order        string   // "path", or "shuffle=SEED"
	Interrupted  bool     // cut short: Cases are those that were done
	Wrote        []Wrote  // goldens that were written
	Unreferenced []string // goldens that belong to no scenario
	Strict       bool     // they count as failures, and are among them
	Failures     []string // what failed beside the cases, a sentence each
	Notes        []string // what else has to be said
	Repeat       int      // runs of each case; 0 is 1
	// Coverage is how much of the boundary the cases show; nil if it was not measured.
	Coverage *coverage.Report
}

// OK reports whether everything is as expected.
func (s *Session) OK() bool {
	return !s.Interrupted && len(s.Failures) == 0 && !slices.ContainsFunc(s.Cases, func(c Case) bool { return !c.OK() })
}

// Wrote is a golden that was written.
type Wrote struct {
	Path           string
	Added, Removed int // lines
	New            bool
	Diff           string // -want +got, what it was and what it is
}

// Shrank reports whether a golden has lost much, which is seldom meant.
func (w *Wrote) Shrank() bool { return w.Removed > 2*w.Added+5 }

// Summary counts cases by verdict: cases is the sum of the others.
type Summary struct {
	Cases   int `json:"cases"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errors  int `json:"errors"`
	Skipped int `json:"skipped"`
	XFailed int `json:"xfailed"`
	XPassed int `json:"xpassed"`
}

// Summary counts the cases.
func (s *Session) Summary() Summary { return summaryOf(s.Cases) }

func summaryOf(cases []Case) Summary {
	sum := Summary{Cases: len(cases)}
	for i := range cases {
		switch cases[i].Verdict {
		case Pass:
			sum.Passed++
		case Fail:
			sum.Failed++
		case Skip:
			sum.Skipped++
		case XFail:
			sum.XFailed++
		case XPass:
			sum.XPassed++
		default:
			sum.Errors++
		}
	}
	return sum
}

// PrunedDocument is what became of goldens that belong to no scenario.
type PrunedDocument struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"` // "Pruned"
	Removed    bool     `json:"removed"`
	Goldens    []string `json:"goldens"`
}
