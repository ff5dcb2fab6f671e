package suite

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// many is n small scenario files, each with an id of its own.
func many(b *testing.B, n int) []Source {
	b.Helper()
	text, err := os.ReadFile(shippedFolder + "/workflow/sum.yaml")
	if err != nil {
		b.Fatal(err)
	}
	list := make([]Source, n)
	for i := range list {
		list[i] = Source{
			Name: fmt.Sprintf("%d.yaml", i),
			Data: []byte(strings.Replace(string(text), "id: workflow/sum", fmt.Sprintf("id: workflow/sum-%d", i), 1)),
		}
	}
	return list
}

// BenchmarkSuite measures loading, running and tracing many files. Its yardstick
// is the YAML library, into nodes, on as many workers.
func BenchmarkSuite(b *testing.B) {
	sources := many(b, 1000)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("nodes/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				parallel(workers, len(sources), func(i int) {
					l, err := yaml.NewLoader(bytes.NewReader(sources[i].Data))
					if err != nil {
						b.Error(err)
						return
					}
					var n yaml.Node
					if err := l.Load(&n); err != nil {
						b.Error(err)
					}
				})
			}
		})
		b.Run(fmt.Sprintf("load/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				if _, found := LoadWith(workers, sources); found.Failed() {
					b.Fatal(found)
				}
			}
		})
		b.Run(fmt.Sprintf("all/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				list, found := LoadWith(workers, sources)
				if found.Failed() {
					b.Fatal(found)
				}
				for _, c := range Run(list, workers) {
					if len(Golden(c.Result)) == 0 {
						b.Fatal("an empty golden")
					}
				}
			}
		})
	}
}
