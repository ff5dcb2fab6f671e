// Command harness runs the program side of an AI agent: it decides what a model
// may do, and shows why.
package main

import (
	"os"

	"harness/internal/cli"
)

func main() { os.Exit(cli.Main()) }
