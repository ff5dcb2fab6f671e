// Command bench measures harness against its yardsticks, side by side in one
// run, and prints one table of ratios with targets and verdicts. Only ratios are
// worth comparing between machines.
//
// Usage: go run ./internal/bench [-peer DIR] [-only T1,T5] [-quick]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is one figure of the table.
type row struct {
	target  string // T1 …
	what    string
	limit   string // as printed
	figure  string
	verdict string
}

// table collects the rows in the order measured.
type table struct {
	rows []row
	only []string
}

// wants reports whether a target is selected.
func (t *table) wants(target string) bool { return len(t.only) == 0 || slices.Contains(t.only, target) }

// atMost adds a ratio that must not exceed its limit.
func (t *table) atMost(target, what string, ratio, limit float64) {
	t.add(target, what, fmt.Sprintf("<= %.4gx", limit), fmt.Sprintf("%.3gx", ratio), ratio <= limit)
}

// atLeast adds a ratio that must reach its limit.
func (t *table) atLeast(target, what string, ratio, limit float64) {
	t.add(target, what, fmt.Sprintf(">= %.4gx", limit), fmt.Sprintf("%.3gx", ratio), ratio >= limit)
}

func (t *table) add(target, what, limit, figure string, ok bool) {
	verdict := "ok"
	if !ok {
		verdict = "MISSED"
	}
	t.rows = append(t.rows, row{target, what, limit, figure, verdict})
}

// note adds a figure for comparison, without a target.
func (t *table) note(target, what string, ratio float64) {
	t.rows = append(t.rows, row{target, what, "-", fmt.Sprintf("%.3gx", ratio), "for comparison"})
}

// skip says why a figure could not be measured.
func (t *table) skip(target, what, why string) {
	t.rows = append(t.rows, row{target, what, "-", "-", "not measured: " + why})
}

func (t *table) print() (missed int) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "target\twhat\tlimit\tmeasured\tverdict")
	for _, r := range t.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.target, r.what, r.limit, r.figure, r.verdict)
		if r.verdict == "MISSED" {
			missed++
		}
	}
	w.Flush()
	return missed
}

func main() {
	peer := flag.String("peer", filepath.Join("..", "shared", "bench", "ts"), "folder of the TypeScript peer")
	only := flag.String("only", "", "targets to measure, comma-separated; empty is all")
	quick := flag.Bool("quick", false, "fewer repetitions")
	flag.Parse()
	debug.SetGCPercent(400) // as the program sets it
	t := &table{}
	if *only != "" {
		t.only = strings.Split(*only, ",")
	}
	if err := measure(t, *peer, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if missed := t.print(); missed > 0 {
		fmt.Printf("%d of %d figures missed their target\n", missed, len(t.rows))
	}
}

func measure(t *table, peerDir string, quick bool) error {
	dir, err := os.MkdirTemp("", "harness-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	repeats := 80
	if quick {
		repeats = 20
	}
	peer := findPeer(peerDir)
	if t.wants("T1") || t.wants("T2") {
		if err := processes(t, dir, peer, repeats); err != nil {
			return err
		}
	}
	if t.wants("T3") {
		if err := runs(t, peer); err != nil {
			return err
		}
	}
	if err := content(t); err != nil {
		return err
	}
	if t.wants("policy") {
		if err := policies(t); err != nil {
			return err
		}
	}
	if t.wants("T8") || t.wants("T10") {
		if err := suites(t, dir, peer, max(repeats/8, 5)); err != nil {
			return err
		}
	}
	if t.wants("explore") || t.wants("mutate") {
		if err := searches(t, dir); err != nil {
			return err
		}
	}
	if t.wants("T12") {
		growth(t)
	}
	return nil
}
