package vrepo

import (
	"crypto/sha256"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// sourceLike is a text of the given size with one odd line in its middle.
func sourceLike(size int) string {
	var b strings.Builder
	b.Grow(size + 256)
	odd := false
	for i := 0; b.Len() < size; i++ {
		if !odd && b.Len() >= size/2 {
			b.WriteString("NEEDLE a - b\n")
			odd = true
		}
		fmt.Fprintf(&b, "export const value_%06d = (a: number, b: number) => a * b + 1;\n", i)
	}
	return b.String()
}

// hostile are texts and needles that defeat simple searches.
func hostile(size int) map[string][2]string {
	period := strings.Repeat("abcabdacbadcabdda", 235)
	fibonacci, word := "ab", "a"
	for len(fibonacci) < size {
		fibonacci, word = fibonacci+word, fibonacci
	}
	random := rand.New(rand.NewSource(1))
	letters := make([]byte, size)
	for i := range letters {
		letters[i] = "ab"[random.Intn(2)]
	}
	return map[string][2]string{
		"one byte":       {strings.Repeat("a", size), strings.Repeat("a", 999) + "b"},
		"two bytes":      {strings.Repeat("ab", size/2), strings.Repeat("ab", 499) + "aa"},
		"odd middle":     {strings.Repeat("ab", size/2), strings.Repeat("ab", 250) + "b" + strings.Repeat("ab", 250)},
		"period of 17":   {strings.Repeat(period[:17], size/17), period[:3990] + "cc"},
		"runs cut short": {strings.Repeat(strings.Repeat("a", 990)+"b", size/991), strings.Repeat("a", 999) + "b"},
		"many defects":   {strings.Repeat(strings.Repeat("ab", 400)+"b"+strings.Repeat("ab", 300)+"a", size/1402), strings.Repeat("ab", 500)},
		"short period":   {strings.Repeat(strings.Repeat("ab", 100)+"b", size/201), strings.Repeat(strings.Repeat("ab", 100)+"b", 3) + "b"},
		"no period":      {fibonacci, fibonacci[:900] + "a" + fibonacci[:90]},
		"late letters":   {strings.Repeat("ab", 400) + "b" + string(letters), strings.Repeat("ab", 500)},
		"pair every ten": {strings.Repeat("eeeeeeeeZY", size/10), "ZY" + strings.Repeat("e", 9) + "ZY"},
		"runs of forty":  {strings.Repeat(strings.Repeat("a", 40)+"b", size/41), strings.Repeat("a", 500) + "b" + strings.Repeat("a", 499)},
		"sixty three":    {strings.Repeat("ab", size/2), strings.Repeat("ab", 31) + "b"},
	}
}

func benchmarkFind(b *testing.B, text, needle string) {
	b.SetBytes(int64(len(text)))
	c := &content{text: text}
	for b.Loop() {
		c.Find(needle, 8)
	}
}

func BenchmarkSHA256(b *testing.B) {
	text := []byte(sourceLike(10e6))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sha256.Sum256(text)
	}
}

func BenchmarkHash(b *testing.B) {
	text := sourceLike(10e6)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		(&content{text: text}).Hash()
	}
}

func BenchmarkFind(b *testing.B) {
	text := sourceLike(10e6)
	for name, needle := range map[string]string{
		"rare byte":      "NEEDLE a - b",
		"frequent start": "number, c",
		"frequent all":   "a: number, b: numbea",
		"spaces":         "   ",
		"digits":         "value_999999",
		"one letter off": "export const value_000000 = (a: number, b: number) => a * b + 2;\n",
		"fifteen lines":  text[3300:4300] + "x",
		"bytes of file":  "rebmun :a",
		"short":          "ab",
		"CJK":            "漢字",
	} {
		b.Run(name, func(b *testing.B) { benchmarkFind(b, text, needle) })
	}
}

func BenchmarkFindHostile(b *testing.B) {
	for name, c := range hostile(10e6) {
		b.Run(name, func(b *testing.B) { benchmarkFind(b, c[0], c[1]) })
	}
}

func BenchmarkHunk(b *testing.B) {
	text := sourceLike(10e6)
	big := strings.Repeat("a new line of some length\n", 64<<10/26)
	for name, c := range map[string]struct {
		text, before, after string
		limit               int
	}{
		"one word":       {text, "NEEDLE a - b", "NEEDLE a + b", 1000},
		"40 lines of 60": {text, text[6600:10560], strings.ReplaceAll(text[6600:10560], "1 = (a", "1 = (c"), 4000},
		"64 KB new":      {text, "NEEDLE a - b\n", big, 1 << 20},
		"short lines":    {text, "NEEDLE a - b", strings.Repeat("new line\n", 64<<10/9), 1600},
		"same ends, cut": {text, text[6600 : 6600+32<<10], text[6600:22000] + big[:32<<10] + text[22000:6600+32<<10], 1600},
		"64 KB new, cut": {text, "NEEDLE a - b\n", big, 1000},
		"64 KB replaced": {text, text[6600 : 6600+32<<10], big[:32<<10], 1 << 20},
		"one long line":  {strings.Repeat("x", 5e6) + "NEEDLE" + strings.Repeat("y", 5e6), "NEEDLE", "THREAD", 1000},
		"blank lines":    {strings.Repeat("\n", 5e6) + "NEEDLE" + strings.Repeat("\n", 5e6), "NEEDLE", "THREAD", 1000},
		"60 other lines": {text, text[6600:10560], big[:60*26], 4000},
	} {
		b.Run(name, func(b *testing.B) {
			f := fileOf(c.text)
			e := Edit{Path: "a.ts", Base: f, Offset: f.Find(c.before, 1).Offsets[0], Before: c.before, After: c.after}
			e.Line()
			for b.Loop() {
				e.Hunk(c.limit)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	s := bigRepo(b, 1000, 100_000)
	for name, query := range map[string]string{
		"absent, rare byte":      "zzqqxxabsent",
		"absent, frequent start": "eeeeabsentee",
		"frequent":               "return",
		"eight early hits":       "number",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(100e6)
			for b.Loop() {
				s.Search(SearchRequest{Query: query, Limit: 8, ClipRunes: 200})
			}
		})
	}
}

// BenchmarkPropose is what one proposal costs on a file that was read before.
func BenchmarkPropose(b *testing.B) {
	f := fileOf(sourceLike(10e6))
	f.Lines()
	f.EOL()
	b.SetBytes(int64(f.Size()))
	for b.Loop() {
		m := f.Find("NEEDLE a - b", 8)
		e := Edit{Path: "a.ts", Base: f, Offset: m.Offsets[0], Before: "NEEDLE a - b", After: "NEEDLE a + b"}
		e.Hunk(1000)
		e.Notes()
		e.Stat()
	}
}
