package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// suiteSize is how many scenarios the suite of the bench has.
const suiteSize = 5_000

// suites measures `harness test` on many small files with goldens, whole processes.
func suites(t *table, dir string, node *peer, repeats int) error {
	var paths [2]string
	for i, pkg := range []string{"./internal/bench/yardstick/parse", "./cmd/harness"} {
		path, err := build(dir, pkg)
		if err != nil {
			return err
		}
		paths[i] = path
	}
	// What a test remembers stays in the bench's folder.
	if err := os.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache")); err != nil {
		return err
	}
	plain, goldens := filepath.Join(dir, "plain"), filepath.Join(dir, "goldens")
	for _, folder := range []string{plain, goldens} {
		if err := writeSuite(folder); err != nil {
			return err
		}
	}
	write := &process{name: "goldens", args: []string{paths[1], "test", goldens, "--update=new", "-q"}}
	if err := write.run(); err != nil {
		return err
	}
	parse := &process{name: "parse", args: []string{paths[0], plain, "2"}}
	two := &process{name: "test", args: []string{paths[1], "test", goldens, "-q", "-p", "2"}}
	one := &process{name: "test -p 1", args: []string{paths[1], "test", goldens, "-q", "-p", "1"}}
	if err := interleave(repeats, parse, two, one); err != nil {
		return err
	}
	t.atMost("T8", "test of 5,000 scenarios with goldens to reading and parsing them, 2 workers", two.median()/parse.median(), 1.5)
	t.atLeast("T10", "test of 5,000 scenarios, 1 worker to 2", one.median()/two.median(), 1.5)
	const peer = "test of 5,000 scenarios to the compiled Node peer"
	if node.missing != "" {
		t.skip("T8", peer, node.missing)
		return nil
	}
	theirs := &process{name: "node", dir: node.dir, args: []string{"node", "dist/suite.js", plain}}
	if err := interleave(max(repeats/3, 2), theirs); err != nil {
		return err
	}
	t.atLeast("T8", peer, theirs.median()/two.median(), 6)
	return nil
}

// writeSuite writes as many copies of one scenario, each with an id of its own.
func writeSuite(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	text, err := os.ReadFile(sumScenario)
	if err != nil {
		return err
	}
	for i := range suiteSize {
		id := "bench/sum-" + strconv.Itoa(i)
		one := bytes.Replace(text, []byte("id: workflow/sum"), []byte("id: "+id), 1)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("sum-%04d.yaml", i)), one, 0o644); err != nil {
			return err
		}
	}
	return nil
}
