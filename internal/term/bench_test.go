package term_test

import (
	"testing"

	"harness/internal/term"
)

func BenchmarkTable(b *testing.B) {
	table := boundaries()
	style := term.NewStyle(false, false)
	for b.Loop() {
		table.Render(style, 80)
	}
}

func BenchmarkEscapeLine(b *testing.B) {
	for name, text := range map[string]string{
		"ASCII":   "export const sum = (a: number, b: number) => a + b;",
		"Chinese": "模型提出，程序决定；沉默即拒绝。",
		"hostile": "\x1b[31m\u202e\xff\r",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				term.EscapeLine(text)
			}
		})
	}
}

func BenchmarkWidth(b *testing.B) {
	for name, text := range map[string]string{
		"ASCII":   "export const sum = (a: number, b: number) => a + b;",
		"Chinese": "模型提出，程序决定；沉默即拒绝。",
		"mixed":   "export const sum → a − b … e\u0301",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				term.Width(text)
			}
		})
	}
}
