package term_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"harness/internal/term"
)

// boundaries is a table of the kind that the command of this name prints.
func boundaries() *term.Table {
	why := func(code, text string) term.Cell { return term.Strong.Cell(code).Add(term.Normal, "  "+text) }
	t := &term.Table{Indent: 2}
	t.Head("case", "ends as", "step", "gate", "why")
	t.Row(term.Text("read-outside-grant"), term.Bad.Cell("rejected"), term.Text("1"),
		term.Text("authorize"), why("PATH_NOT_READABLE", ".env is in no grant"))
	t.Row(term.Text("tiny-context"), term.Warn.Cell("failed"), term.Text("0"),
		term.Text("budget"), why("CONTEXT_BUDGET_EXCEEDED", "model not asked"))
	t.Row(term.Text("…"))
	return t
}

func TestTable(t *testing.T) {
	plain := term.NewStyle(false, false)
	tests := map[string]struct {
		table *term.Table
		style term.Style
		width int
		want  string
	}{
		"80 columns wrap": {boundaries(), plain, 80, `
  case                ends as   step  gate       why
  read-outside-grant  rejected  1     authorize  PATH_NOT_READABLE  .env is in
                                                 no grant
  tiny-context        failed    0     budget     CONTEXT_BUDGET_EXCEEDED  model
                                                 not asked
  …
`},
		"wide enough": {boundaries(), plain, 120, `
  case                ends as   step  gate       why
  read-outside-grant  rejected  1     authorize  PATH_NOT_READABLE  .env is in no grant
  tiny-context        failed    0     budget     CONTEXT_BUDGET_EXCEEDED  model not asked
  …
`},
		"clip": {with(boundaries(), term.ClipLast), plain, 80, `
  case                ends as   step  gate       why
  read-outside-grant  rejected  1     authorize  PATH_NOT_READABLE  .env is in …
  tiny-context        failed    0     budget     CONTEXT_BUDGET_EXCEEDED  model…
  …
`},
		"keep": {with(boundaries(), term.KeepLast), plain, 65, `
  case            ends as   step  gate       why
  read-outside-…  rejected  1     authorize  PATH_NOT_READABLE  .env is in no grant
  tiny-context    failed    0     budget     CONTEXT_BUDGET_EXCEEDED  model not asked
  …
`},
		"ascii": {with(boundaries(), term.ClipLast), term.NewStyle(false, true), 78, `
  case                ends as   step  gate       why
  read-outside-grant  rejected  1     authorize  PATH_NOT_READABLE  .env is...
  tiny-context        failed    0     budget     CONTEXT_BUDGET_EXCEEDED  m...
  <U+2026>
`},
		"right": {numbers(), plain, 80, `
name  steps
a         9
世界     10
none
`},
		"hostile cells": {hostile(), plain, 80, `
a<U+000A>b       <U+001B>[31mx
<U+202E>c<0xFF>  y
`},
		"empty": {&term.Table{}, plain, 80, "\n"},
	}
	for name, test := range tests {
		got := "\n" + test.table.Render(test.style, test.width)
		if got != test.want {
			t.Errorf("%s:\ngot:%s\nwant:%s", name, got, test.want)
		}
	}
}

func with(t *term.Table, o term.Overflow) *term.Table {
	t.Overflow = o
	return t
}

func numbers() *term.Table {
	t := &term.Table{Right: []int{1}}
	t.Head("name", "steps")
	t.Row(term.Text("a"), term.Text("9"))
	t.Row(term.Text("世界"), term.Text("10"))
	t.Row(term.Text("none"), term.Text(""))
	return t
}

func hostile() *term.Table {
	t := &term.Table{}
	t.Row(term.Text("a\nb"), term.Text("\x1b[31mx  "))
	t.Row(term.Text("\u202ec\xff"), term.Text("y"))
	return t
}

func TestTablePaintsWrappedCells(t *testing.T) {
	table := &term.Table{}
	table.Row(term.Text("k"), term.Strong.Cell("CODE").Add(term.Dim, "  some words"))
	got := table.Render(term.NewStyle(true, false), 14)
	want := "k  \x1b[1mCODE\x1b[22m\x1b[2m  some\x1b[22m\n   \x1b[2mwords\x1b[22m\n"
	if got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestTablePrint(t *testing.T) {
	var b bytes.Buffer
	s := term.NewStream(&b, term.Options{Color: term.Always, Width: 20})
	table := &term.Table{}
	table.Row(term.Good.Cell("ok"), term.Text("case"))
	if err := table.Print(s); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "\x1b[32mok\x1b[0m  case\n"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestCellAddLeavesTheCellAlone(t *testing.T) {
	base := term.Text("a").Add(term.Good, "b")
	one, two := base.Add(term.Bad, "c"), base.Add(term.Dim, "d")
	if one[2].Text != "c" || two[2].Text != "d" || len(base) != 2 {
		t.Errorf("got %v, %v, %v; want cells that share nothing", base, one, two)
	}
}

func TestTableProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(-1, 100).Draw(t, "width")
		overflow := rapid.SampledFrom([]term.Overflow{term.WrapLast, term.ClipLast}).Draw(t, "overflow")
		plain := &term.Table{Indent: 2, Right: []int{1}, Overflow: overflow}
		toned := &term.Table{Indent: 2, Right: []int{1}, Overflow: overflow}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			var row, painted []term.Cell
			for range rapid.IntRange(0, 5).Draw(t, "cells") {
				text := anyText().Draw(t, "text")
				row = append(row, term.Text(text))
				painted = append(painted, term.Good.Cell(text))
			}
			plain.Row(row...)
			toned.Row(painted...)
		}
		got := plain.Render(term.NewStyle(false, false), width)
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			// Five columns of eight, four gutters and the indent always fit in 50.
			if w := term.Width(line); w > max(width, 50) {
				t.Fatalf("%q is %d columns; want at most %d", line, w, max(width, 50))
			}
			if strings.HasSuffix(line, " ") {
				t.Fatalf("%q ends in a space", line)
			}
		}
		stripped := strings.NewReplacer("\x1b[32m", "", "\x1b[0m", "").Replace(
			toned.Render(term.NewStyle(true, false), width))
		if stripped != got {
			t.Fatalf("colour changes the layout:\n%q\n%q", stripped, got)
		}
	})
}

// A table of one column has no other column to shrink.
func TestTableOfOneColumnInNoRoom(t *testing.T) {
	table := &term.Table{Indent: 2}
	table.Row(term.Text("wider than the page"))
	for width := range 10 {
		got := table.Render(term.NewStyle(false, false), width)
		if want := "  wider\n  than the\n  page\n"; got != want {
			t.Errorf("width %d: got %q; want %q", width, got, want)
		}
	}
}
