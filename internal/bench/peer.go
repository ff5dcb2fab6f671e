package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// peer is the TypeScript implementation, built in a cache folder of its own.
type peer struct {
	dir     string
	missing string // why it cannot be measured
}

// findPeer copies the peer from its folder and builds it, once.
func findPeer(from string) *peer {
	if _, err := exec.LookPath("node"); err != nil {
		return &peer{missing: "Node is not installed"}
	}
	if _, err := os.Stat(filepath.Join(from, "package.json")); err != nil {
		return &peer{missing: "the peer's folder " + from + " is not there (-peer DIR)"}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return &peer{missing: err.Error()}
	}
	p := &peer{dir: filepath.Join(cache, "harness-bench", "ts")}
	if _, err := os.Stat(filepath.Join(p.dir, "dist", "bench.js")); err == nil {
		return p
	}
	if err := p.install(from); err != nil {
		return &peer{missing: err.Error()}
	}
	return p
}

func (p *peer) install(from string) error {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(p.dir, filepath.Base(file)), data, 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"npm", "install", "--no-audit", "--no-fund"}, {"npx", "tsc", "-p", "."}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = p.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %.200s", args[0], err, out)
		}
	}
	return nil
}

// processes measures the peer's demo beside ours.
func (p *peer) processes(t *table, workflow *process, repeats int) error {
	const compiled, direct = "workflow to the compiled Node peer, whole process", "workflow to the peer under npx tsx, whole process"
	if p.missing != "" {
		t.skip("T2", compiled, p.missing)
		t.skip("T2", direct, p.missing)
		return nil
	}
	node := &process{name: "node", dir: p.dir, args: []string{"node", "dist/demo.js", "workflow"}}
	tsx := &process{name: "npx tsx", dir: p.dir, args: []string{"npx", "tsx", "demo.ts", "workflow"}}
	ours := &process{name: "workflow", args: workflow.args}
	if err := interleave(max(repeats/6, 3), ours, node); err != nil {
		return err
	}
	t.atLeast("T2", compiled, node.median()/ours.median(), 35)
	ours.walls = nil
	if err := interleave(max(repeats/20, 2), ours, tsx); err != nil {
		return err
	}
	t.atLeast("T2", direct, tsx.median()/ours.median(), 200)
	return nil
}

// runsPerSecond is the peer's own figure for the sum workflow in process. It is
// the first line of its bench; the rest is not waited for.
func (p *peer) runsPerSecond() (float64, error) {
	cmd := exec.Command("node", "--expose-gc", "dist/bench.js")
	cmd.Dir = p.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("peer's bench: %w", err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	killErr := cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if err := errors.Join(readErr, killErr); err != nil {
		return 0, fmt.Errorf("peer's bench: %w", err)
	}
	match := regexp.MustCompile(`^sum workflow runs/s \(median of 7\)\s+(\d+)`).FindStringSubmatch(line)
	if match == nil {
		return 0, fmt.Errorf("peer's bench did not print its runs a second first, but %q", line)
	}
	return strconv.ParseFloat(match[1], 64)
}
