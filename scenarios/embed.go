// Package scenarios is the shipped suite: scenario files, with their goldens
// beside them.
package scenarios

import "embed"

// FS holds the scenario files, without the goldens.
//
//go:embed */*.yaml
var FS embed.FS
