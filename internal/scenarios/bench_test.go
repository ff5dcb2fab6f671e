package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// table is a file of cases that share one repository, some 25 KB of 60 cases.
func table() []byte {
	var b strings.Builder
	b.WriteString(plain[:strings.Index(plain, "model:")])
	b.WriteString("cases:\n")
	for i := range 60 {
		fmt.Fprintf(&b, `  - id: case-%02d
    title: A file that is in no grant, number %d
    teaches: A file in no grant is refused at authorize, whatever it holds.
    model: {script: [{type: search, query: sum}, {type: read, path: .env}]}
    expect:
      status: rejected
      stopReason: PATH_NOT_READABLE
      steps: 2
      decisions: [{step: 2, decision: deny, gate: authorize, code: PATH_NOT_READABLE, tool: read}]
`, i, i)
	}
	return []byte(b.String())
}

// The yardstick of every benchmark is the YAML library, into nodes.
func BenchmarkParse(b *testing.B) {
	for name, data := range map[string][]byte{
		"one":   shippedFiles(b)["../../scenarios/workflow/sum.yaml"],
		"table": table(),
	} {
		b.Run(name+"/nodes", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l, err := yaml.NewLoader(bytes.NewReader(data))
				if err != nil {
					b.Fatal(err)
				}
				var n yaml.Node
				if err := l.Load(&n); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/ParseCompiled", func(b *testing.B) {
			b.ReportAllocs()
			compiled, _ := Compile(data)
			for b.Loop() {
				if _, found := ParseWith("s.yaml", data, compiled, nil); found.Failed() {
					b.Fatal(found)
				}
			}
		})
		b.Run(name+"/Parse", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, found := Parse("s.yaml", data); found.Failed() {
					b.Fatal(found)
				}
			}
		})
	}
}
