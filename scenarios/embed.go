// Package scenarios is the shipped suite: scenario files, with their goldens
// beside them.
package scenarios

import "embed"

// FS holds the scenario files, without the goldens. Beside each of the demos stands its
// nodes file: the same document parsed, which spares the parser at every start. It is
// made from the scenario (make golden) and used only while it fits it.
//
//go:embed */*.yaml boundaries/*.nodes workflow/*.nodes
var FS embed.FS
