// Command parse reads every YAML file of a folder and parses it into nodes, on as many
// workers as its second argument says, and does nothing else: what any program that
// tests scenarios has to do.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v4"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, number string) error {
	debug.SetGCPercent(400) // as the program sets it
	workers, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				var document yaml.Node
				data, err := os.ReadFile(names[i])
				if err == nil {
					err = yaml.Unmarshal(data, &document)
				}
				if err != nil {
					panic(err)
				}
			}
		})
	}
	group.Wait()
	return nil
}
