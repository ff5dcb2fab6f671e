package scenarios

import (
	"bytes"
	"os"
	"testing"

	"go.yaml.in/yaml/v4"
)

func BenchmarkSum(b *testing.B) {
	data, err := os.ReadFile("../../scenarios/workflow/sum.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("nodes", func(b *testing.B) { nodes(b, data) })
	b.Run("Parse", func(b *testing.B) { parse(b, data) })
}

func BenchmarkCases(b *testing.B) {
	data, err := os.ReadFile("/tmp/ytest/cases.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("nodes", func(b *testing.B) { nodes(b, data) })
	b.Run("Parse", func(b *testing.B) { parse(b, data) })
}

// nodes is the yardstick: the YAML library into nodes.
func nodes(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		l, _ := yaml.NewLoader(bytes.NewReader(data))
		var n yaml.Node
		if err := l.Load(&n); err != nil {
			b.Fatal(err)
		}
	}
}

func parse(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		if _, found := Parse("a.yaml", data); found.Failed() {
			b.Fatal(found)
		}
	}
}
