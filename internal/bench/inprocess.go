package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/scenarios"
	"harness/internal/vrepo"
)

// loadConfig parses one scenario file.
func loadConfig(file string, data []byte) (*runner.Config, error) {
	list, diagnostics := scenarios.Parse(file, data)
	if err := diagnostics.Err(); err != nil {
		return nil, err
	}
	return list[0].Config, nil
}

// runs measures whole runs in process, on one core and on two.
func runs(t *table, node *peer) error {
	data, err := os.ReadFile(sumScenario)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(sumScenario, data)
	if err != nil {
		return err
	}
	one := best(func() float64 { return rate(cfg, 1) })
	two := best(func() float64 { return rate(cfg, 2) })
	const what = "sum workflow runs a second, one core, to the Node peer"
	if node.missing != "" {
		t.skip("T3", what, node.missing)
	} else if err := besides(t, what, cfg, node); err != nil {
		return err
	}
	t.atLeast("T3", "the same on two cores to one", two/one, 1.6)
	return nil
}

// besides measures our runs and the peer's in turn, so that noise falls on both,
// and takes the median of the ratios.
func besides(t *table, what string, cfg *runner.Config, node *peer) error {
	const rounds = 5
	var ratios [rounds]float64
	for i := range ratios {
		ours := rate(cfg, 1)
		theirs, err := node.runsPerSecond()
		if err != nil {
			return err
		}
		ratios[i] = max(ours, rate(cfg, 1)) / theirs
	}
	slices.Sort(ratios[:])
	t.atLeast("T3", what, ratios[rounds/2], 2.5)
	return nil
}

// best is the best of five: noise only ever slows a run down.
func best(f func() float64) float64 {
	highest := 0.0
	for range 5 {
		highest = max(highest, f())
	}
	return highest
}

// rate is runs a second with that many cores and workers.
func rate(cfg *runner.Config, workers int) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	const each = 30_000
	start := time.Now()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for range each {
				runner.Run(cfg)
			}
		})
	}
	group.Wait()
	return float64(workers*each) / time.Since(start).Seconds()
}

// timed is the median time of a few calls.
func timed(f func()) float64 {
	times := make([]time.Duration, 9)
	for i := range times {
		start := time.Now()
		f()
		times[i] = time.Since(start)
	}
	return median(times)
}

// sourceLike is the peer's own bench file: lines of code with one needle inside.
func sourceLike(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "export const value_%06d = (a: number, b: number) => a * b + 1;\n", i)
	}
	text := b.String()
	middle := strings.IndexByte(text[size/2:], '\n') + size/2 + 1
	return text[:middle] + "NEEDLE a - b\n" + text[middle:]
}

// content measures what works on the bytes of big files.
func content(t *table) error {
	text := sourceLike(10_000_000)
	raw := []byte(text)
	sha := timed(func() { sha256.Sum256(raw) })
	if t.wants("T4") {
		fresh := make([]*vrepo.File, 9)
		for i := range fresh {
			fresh[i] = fileOf(text)
		}
		next := 0
		hash := timed(func() { fresh[next].Hash(); next++ })
		t.atMost("T4", "hash of a file to crypto/sha256, 10 MB", hash/sha, 1.1)
		again := timed(func() { fresh[0].Hash() })
		t.atMost("T4", "the same hash asked again", again/sha, 0.001)
	}
	if t.wants("T5") {
		if err := proposals(t, text, sha); err != nil {
			return err
		}
	}
	if t.wants("T11") {
		hunks(t)
	}
	return nil
}

func fileOf(text string) *vrepo.File {
	snapshot, _ := vrepo.New([]vrepo.Entry{{Path: "f.ts", Content: text}})
	f, _ := snapshot.File("f.ts")
	return f
}

// proposals measures propose_edit through the whole boundary.
func proposals(t *table, text string, sha float64) error {
	cfg, err := loadConfig("bench.yaml", []byte(proposalScenario))
	if err != nil {
		return err
	}
	measure := func(text, before string) float64 { return proposal(cfg, text, before) / sha }
	t.atMost("T5", "propose_edit, 10 MB, hash known, rare byte, to sha256", measure(text, "NEEDLE a - b"), 0.10)
	t.atMost("T5", "propose_edit, 10 MB, hash known, worst needle, to sha256", worst(text, measure), 1.2)
	memchr := timed(func() { strings.IndexByte(text, 0) })
	t.note("T5", "memchr over the same file, to sha256", memchr/sha)
	return nil
}

const proposalScenario = `apiVersion: harness/v1
kind: Scenario
id: bench
title: One proposal in one big file
repo: {files: {f.ts: small}}
task: {goal: bench, read: [f.ts], edit: [f.ts], editShownOnly: false, budget: {steps: 9}}
model: {script: [{type: finish, summary: done}]}
`

// worst tries needles whose every byte is frequent, and texts made to hurt.
func worst(text string, measure func(text, before string) float64) float64 {
	middle := strings.IndexByte(text[len(text)/2:], '\n') + len(text)/2 + 1
	slowest := 0.0
	for _, needle := range []string{"number, c", "eeee", "a * b + 2", "value_0", "=> a * a"} {
		slowest = max(slowest, measure(text[:middle]+needle+"\n"+text[middle:], needle))
	}
	half := strings.Repeat("a", len(text)/2)
	slowest = max(slowest, measure(half+"b"+half, strings.Repeat("a", 999)+"b"))
	pairs := strings.Repeat("ab", len(text)/4)
	return max(slowest, measure(pairs+"aa"+pairs, strings.Repeat("ba", 400)+"a"))
}

// proposal is the median time, in nanoseconds, from the model's bytes to the
// tool's answer recorded, in a run that has read the file.
func proposal(cfg *runner.Config, text, before string) float64 {
	snapshot, _ := vrepo.New([]vrepo.Entry{{Path: "f.ts", Content: text}})
	file, _ := snapshot.File("f.ts")
	read := []byte(`{"type":"read","path":"f.ts"}`)
	edit := []byte(fmt.Sprintf(`{"type":"propose_edit","path":"f.ts","baseHash":%q,"before":%q,"after":"changed"}`, file.Hash(), before))
	times := make([]time.Duration, 9)
	for i := range times {
		m := machine.New(cfg.Machine)
		m.Step(machine.Input{Kind: machine.Start, Snapshot: snapshot})
		call(cfg, m, read)
		start := time.Now()
		call(cfg, m, edit)
		times[i] = time.Since(start)
	}
	return median(times)
}

// call takes one output of a model through the boundary and the tool.
func call(cfg *runner.Config, m *machine.Machine, raw []byte) {
	m.Step(machine.Input{Kind: machine.Proceed})
	_, effect := m.Step(machine.Input{Kind: machine.ModelOutput, Raw: raw})
	m.Step(machine.Input{Kind: machine.ToolResult, Outcome: cfg.Machine.Table.Perform(effect.Command)})
}

// hunks measures the hunk of a proposal once its place is known.
func hunks(t *table) {
	for _, size := range []int{100_000, 10_000_000} {
		text := sourceLike(size)
		f := fileOf(text)
		at := strings.Index(text, "NEEDLE")
		f.LineAt(at)
		edit := vrepo.Edit{Path: "f.ts", Base: f, Offset: at, Before: "NEEDLE a - b", After: strings.Repeat("new line\n", 64<<10/9)}
		micros := timed(func() { edit.Hunk(1600) }) / 1e3
		t.add("T11", fmt.Sprintf("hunk of a 64 KB proposal in a file of %d KB", size/1000), "<= 50 us", fmt.Sprintf("%.1f us", micros), micros <= 50)
	}
}
