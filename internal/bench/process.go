package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// sumScenario is the file that the workflow demo and the floor parse.
const sumScenario = "scenarios/workflow/sum.yaml"

// process is a program measured from start to exit.
type process struct {
	name  string
	dir   string
	args  []string
	walls []time.Duration
	peak  int64 // bytes, the largest seen
}

func (p *process) run() error {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Dir = p.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	p.walls = append(p.walls, time.Since(start))
	if err != nil {
		return fmt.Errorf("%s: %w: %s", p.name, err, stderr.String())
	}
	p.peak = max(p.peak, peakOf(cmd.ProcessState))
	return nil
}

func (p *process) median() float64 { return median(p.walls) }

func median(times []time.Duration) float64 {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return float64(sorted[len(sorted)/2])
}

// build makes a static, stripped program as the Makefile does.
func build(dir, pkg string) (string, error) {
	out := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "validator_novalidatefn", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", pkg, err, text)
	}
	return out, nil
}

// interleave runs the programs in turn, so that noise falls on all alike.
func interleave(repeats int, all ...*process) error {
	for range repeats {
		for _, p := range all {
			if err := p.run(); err != nil {
				return err
			}
		}
	}
	return nil
}

func processes(t *table, dir string, node *peer, repeats int) error {
	var paths [3]string
	for i, pkg := range []string{"./internal/bench/yardstick/empty", "./internal/bench/yardstick/floor", "./cmd/harness"} {
		path, err := build(dir, pkg)
		if err != nil {
			return err
		}
		paths[i] = path
	}
	empty := &process{name: "empty", args: []string{paths[0]}}
	floor := &process{name: "floor", args: []string{paths[1], sumScenario}}
	workflow := &process{name: "workflow", args: []string{paths[2], "workflow"}}
	boundaries := &process{name: "boundaries", args: []string{paths[2], "boundaries"}}
	if err := interleave(repeats, empty, floor, workflow, boundaries); err != nil {
		return err
	}
	t.atMost("T1", "workflow to the floor program, whole process", workflow.median()/floor.median(), 1.25)
	t.atMost("T1", "workflow to an empty program, whole process", workflow.median()/empty.median(), 3.5)
	t.atMost("T1", "boundaries to workflow, whole process", boundaries.median()/workflow.median(), 2)
	if err := node.processes(t, workflow, repeats); err != nil {
		return err
	}
	const mib = 1 << 20
	if workflow.peak == 0 {
		t.skip("T2", "peak memory of workflow", "this system does not tell")
	} else {
		t.add("T2", "peak memory of workflow", "<= 24 MiB", fmt.Sprintf("%.1f MiB", float64(workflow.peak)/mib), workflow.peak <= 24*mib)
	}
	size, err := os.Stat(paths[2])
	if err != nil {
		return err
	}
	t.add("T2", "binary, static and stripped", "<= 12 MB", fmt.Sprintf("%.2f MB", float64(size.Size())/1e6), size.Size() <= 12e6)
	return nil
}
