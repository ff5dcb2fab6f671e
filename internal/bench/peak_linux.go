package main

import (
	"os"
	"syscall"
)

// peakOf is the most memory that a process held, in bytes.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
