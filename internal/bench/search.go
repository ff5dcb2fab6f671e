package main

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"harness/internal/explore"
	"harness/internal/scenarios"
)

// searches measures what goes through many runs: exploring a small world, and testing
// the shipped suite against every weakened boundary.
func searches(t *table, dir string) error {
	data, err := os.ReadFile(sumScenario)
	if err != nil {
		return err
	}
	list, found := scenarios.Parse(sumScenario, data)
	if err := found.Err(); err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	transitions := 0
	highest := best(func() float64 {
		start := time.Now()
		transitions = explore.Run(list[0], explore.Options{Depth: 4}).Transitions
		return float64(transitions) / time.Since(start).Seconds()
	})
	t.add("explore", fmt.Sprintf("the sum world to depth 4 (%d transitions), a second on one core", transitions),
		">= 100,000", fmt.Sprintf("%.0f", highest), highest >= 100_000)

	path, err := build(dir, "./cmd/harness")
	if err != nil {
		return err
	}
	mutate := &process{name: "mutate", args: []string{path, "mutate", "scenarios", "-p", "2", "--excuses", "scenarios/excuses.yaml"}}
	if err := interleave(3, mutate); err != nil {
		return err
	}
	seconds := mutate.median() / 1e9
	t.add("mutate", "the shipped suite against every mutant, 2 workers", "<= 60 s", fmt.Sprintf("%.2f s", seconds), seconds <= 60)
	return nil
}
