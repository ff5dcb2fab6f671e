package strictjson

import (
	"strconv"
	"strings"
	"testing"
)

const proposeEdit = `{"type":"propose_edit","path":"src/sum.ts","baseHash":"0e8c42b1d3f5a6978899aabbccddeeff00112233445566778899aabbccddeeff","before":"(a: number, b: number) => a - b;","after":"(a: number, b: number) => a + b;"}`

const proposeEditEscaped = `{"type":"propose_edit","path":"src/sum.ts","baseHash":"0e8c42b1d3f5a6978899aabbccddeeff00112233445566778899aabbccddeeff","before":"if (a) {\n\treturn \"x\";\n}\n","after":"if (a) {\n\treturn \"y\";\n}\n"}`

func benchmarkParse(b *testing.B, text string) {
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseEdit(b *testing.B)        { benchmarkParse(b, proposeEdit) }
func BenchmarkParseEditEscaped(b *testing.B) { benchmarkParse(b, proposeEditEscaped) }
func BenchmarkParseMixed(b *testing.B) {
	benchmarkParse(b, `[`+strings.Repeat(`{"id":17,"ok":true,"score":0.25,"tags":["a","b"],"note":null},`, 2000)+`0]`)
}
func BenchmarkParseManyKeys(b *testing.B) { benchmarkParse(b, manyKeys(40000)) }
func BenchmarkParseLongString(b *testing.B) {
	benchmarkParse(b, `"`+strings.Repeat("é text ", 100000)+`"`)
}

func BenchmarkRefuseLongNumber(b *testing.B) {
	data := []byte(strings.Repeat("9", maxSize))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data); err == nil {
			b.Fatal("accepted")
		}
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"key` + strconv.Itoa(i) + `":0`)
	}
	b.WriteByte('}')
	return b.String()
}

func benchmarkValue(b *testing.B, use func(Value)) {
	v, err := Parse([]byte(proposeEdit))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		use(v)
	}
}

func BenchmarkDigestEdit(b *testing.B) { benchmarkValue(b, func(v Value) { DigestOf(v) }) }
func BenchmarkSizeEdit(b *testing.B)   { benchmarkValue(b, func(v Value) { CanonicalSize(v) }) }
func BenchmarkAppendEdit(b *testing.B) {
	buf := make([]byte, 0, 1024)
	benchmarkValue(b, func(v Value) { AppendCanonical(buf, v) })
}

func BenchmarkFitString(b *testing.B) {
	s := strings.Repeat("line of text\n", 100000)
	for b.Loop() {
		FitString(s, 1600)
	}
}
