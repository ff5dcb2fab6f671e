// Package schema holds the published JSON Schemas. They are generated from the
// Go types that read and write the documents; tests fail when they are stale.
package schema

import "embed"

// FS holds NAME.schema.json for scenario, result and trace.
//
//go:embed *.schema.json
var FS embed.FS
