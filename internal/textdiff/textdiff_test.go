package textdiff

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// render writes ops as "=a -b +c", for comparison.
func render(ops []Op) string {
	var parts []string
	for _, op := range ops {
		sign := map[Kind]string{Equal: "=", Delete: "-", Insert: "+"}[op.Kind]
		parts = append(parts, sign+strings.Join(op.Lines, ","))
	}
	return strings.Join(parts, " ")
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, " ")
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"both empty", "", "", ""},
		{"equal", "a b", "a b", "=a,b"},
		{"all new", "", "a b", "+a,b"},
		{"all gone", "a b", "", "-a,b"},
		{"nothing in common", "a b", "c d", "-a,b +c,d"},
		{"replaced inside", "a b c", "a x c", "=a -b +x =c"},
		{"delete stands first", "x a", "a y", "-x =a +y"},
		{"two changes", "a b c d e", "a x c y e", "=a -b +x =c -d +y =e"},
		{"inserted", "a c", "a b c", "=a +b =c"},
		{"repeated lines", "a a a", "a a", "=a,a -a"},
		{"moved", "a b c", "c a b", "+c =a,b -c"},
		{"only in one text", "p a q b r", "s a t b u", "-p +s =a -q +t =b -r +u"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ops, exact := Lines(lines(c.a), lines(c.b))
			if got := render(ops); got != c.want || !exact {
				t.Errorf("got %q, exact %v, want %q", got, exact, c.want)
			}
		})
	}
}

func TestLinesWithin(t *testing.T) {
	a, b := lines("1 a x b y c 2"), lines("1 c y b x a 2")
	ops, exact := LinesWithin(0, a, b)
	if got, want := render(ops), "=1 -a,x,b,y,c +c,y,b,x,a =2"; got != want || exact {
		t.Errorf("no work: got %q, exact %v, want %q", got, exact, want)
	}
	ops, exact = LinesWithin(24, a, b)
	if exact {
		t.Errorf("work below the product: got exact")
	}
	checkOps(t, a, b, ops)
	ops, exact = LinesWithin(25, a, b)
	if !exact {
		t.Errorf("work equal to the product: got not exact")
	}
	checkOps(t, a, b, ops)
}

// checkOps checks that ops turn a into b and are in normal form.
func checkOps(t interface {
	Helper()
	Fatalf(string, ...any)
}, a, b []string, ops []Op) {
	t.Helper()
	var left, right []string
	last := Kind(0)
	for _, op := range ops {
		if len(op.Lines) == 0 {
			t.Fatalf("an empty operation in %s", render(ops))
		}
		if op.Kind == last || op.Kind == Delete && last == Insert {
			t.Fatalf("%v follows %v in %s", op.Kind, last, render(ops))
		}
		last = op.Kind
		switch op.Kind {
		case Equal:
			left, right = append(left, op.Lines...), append(right, op.Lines...)
		case Delete:
			left = append(left, op.Lines...)
		case Insert:
			right = append(right, op.Lines...)
		default:
			t.Fatalf("an operation of no kind")
		}
	}
	if !slices.Equal(left, a) || !slices.Equal(right, b) {
		t.Fatalf("the operations do not turn %.200q into %.200q: %.300s", a, b, render(ops))
	}
}

func equalLines(ops []Op) int {
	n := 0
	for _, op := range ops {
		if op.Kind == Equal {
			n += len(op.Lines)
		}
	}
	return n
}

// longestCommon is the length of a longest common subsequence, by the table.
func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

// anyLines draws lines of a small alphabet, some of them not UTF-8.
func anyLines(max int) *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom([]string{
		"a\n", "b\n", "c\n", "d\n", "\n", "a\r\n", "a", "\xff\n", "\xfe\n", "a\xffb\n", "a\xfeb\n", "\xed\xa0\x80\n", "\uFFFD\n", "",
	}), 0, max)
}

func TestOpsTurnOneIntoTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyLines(40).Draw(t, "a"), anyLines(40).Draw(t, "b")
		ops, exact := Lines(a, b)
		checkOps(t, a, b, ops)
		if !exact || equalLines(ops) != longestCommon(a, b) {
			t.Fatalf("exact %v: got %d equal lines, want %d", exact, equalLines(ops), longestCommon(a, b))
		}
		again, _ := Lines(a, b)
		if !reflect.DeepEqual(again, ops) {
			t.Fatalf("two answers: %s and %s", render(ops), render(again))
		}
		work := rapid.IntRange(0, 60).Draw(t, "work")
		bounded, exact := LinesWithin(work, a, b)
		checkOps(t, a, b, bounded)
		if exact && equalLines(bounded) != equalLines(ops) {
			t.Fatalf("work %d: says exact with %d equal lines of %d", work, equalLines(bounded), equalLines(ops))
		}
	})
}

// Invalid UTF-8 is told apart byte by byte.
func TestInvalidUTF8(t *testing.T) {
	ops, _ := Lines([]string{"a\xffb", "same"}, []string{"a\xfeb", "same"})
	if got, want := render(ops), "-a\xffb +a\xfeb =same"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the work does not reach for an exact answer, lines unique in both texts
// still keep scattered changes apart.
func TestLargeTextsWithScatteredChanges(t *testing.T) {
	a := numbered("line", 100_000)
	b := slices.Clone(a)
	for i := 0; i < len(b); i += 100 {
		b[i] = fmt.Sprintf("changed %d\n", i)
	}
	ops, exact := Lines(a, b)
	checkOps(t, a, b, ops)
	if got, want := equalLines(ops), 99_000; got != want {
		t.Errorf("got %d equal lines, want %d (exact %v)", got, want, exact)
	}
}

// A piece between unique lines is compared exactly while the work lasts.
func TestPiecesBetweenUniqueLines(t *testing.T) {
	a := lines("x x u1 y z y u2 x z x")
	b := lines("z x u1 z y z u2 z x z")
	ops, exact := LinesWithin(60, a, b)
	checkOps(t, a, b, ops)
	if got, want := equalLines(ops), longestCommon(a, b); exact || got != want {
		t.Errorf("got %d equal lines, exact %v, want %d: %s", got, exact, want, render(ops))
	}
}

func numbered(word string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s %d\n", word, i)
	}
	return all
}

// hostileTexts are pairs that make a plain comparison slow.
func hostileTexts(n int) map[string][2][]string {
	some := numbered("line", n)
	reversed := slices.Clone(some)
	slices.Reverse(reversed)
	shuffled := slices.Clone(some)
	for i := range shuffled {
		j := (i*7919 + 13) % n
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	}
	few := func(period int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = string(rune('a'+i*i%period%26)) + "\n"
		}
		return all
	}
	return map[string][2][]string{
		"rewritten":      {some, numbered("other", n)},
		"reversed":       {some, reversed},
		"shuffled":       {some, shuffled},
		"few kinds":      {few(7), few(11)},
		"one kind":       {slices.Repeat([]string{"a\n"}, n), append([]string{"b\n"}, slices.Repeat([]string{"a\n"}, n/2)...)},
		"wide and short": {some, append([]string{"b\n"}, some[n/2], some[n/4], some[n/3], "c\n")},
	}
}

func TestHostileTexts(t *testing.T) {
	for name, c := range hostileTexts(100_000) {
		t.Run(name, func(t *testing.T) {
			ops, _ := Lines(c[0], c[1])
			checkOps(t, c[0], c[1], ops)
		})
	}
}

// The numbers that the work bound admits survive the trip through a string.
func TestNumbersOfLinesAreRunes(t *testing.T) {
	const most = 1 << 16 // the square root of maxWork
	if most*most != maxWork {
		t.Fatalf("got maxWork %d, want %d", maxWork, most*most)
	}
	seen := map[rune]bool{}
	for n := range most + 1 {
		r := nthRune(n)
		if back := []rune(string(r)); len(back) != 1 || back[0] != r || seen[r] {
			t.Fatalf("number %d becomes %U and comes back as %U", n, r, back)
		}
		seen[r] = true
	}
}

// Lines beyond 16-bit numbers, with an exact comparison.
func TestManyDistinctLines(t *testing.T) {
	const n = 60_000
	a := numbered("line", n)
	b := append([]string{"new\n"}, a...)
	a = append(a, "old\n")
	b[n/2], b[n/3] = b[n/3], b[n/2]
	ops, exact := LinesWithin(1<<62, a, b)
	checkOps(t, a, b, ops)
	if got, want := equalLines(ops), n-2; got != want || !exact {
		t.Errorf("got %d equal lines, exact %v, want %d", got, exact, want)
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\n", []string{"a\n"}},
		{"a\nb", []string{"a\n", "b"}},
		{"\n\n", []string{"\n", "\n"}},
		{"a\r\nb\rc\n", []string{"a\r\n", "b\rc\n"}},
	} {
		got := Split(c.text)
		if !slices.Equal(got, c.want) || strings.Join(got, "") != c.text {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[Kind]string{0: "unset", Equal: "equal", Delete: "delete", Insert: "insert", 9: "unset"} {
		if got := kind.String(); got != want {
			t.Errorf("Kind(%d): got %q, want %q", kind, got, want)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	for _, n := range []int{2_000, 25_000, 100_000} {
		for name, c := range hostileTexts(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					Lines(c[0], c[1])
				}
			})
		}
	}
}
