package strictjson

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAppendMembers(t *testing.T) {
	got := []byte{'{'}
	got = AppendText(got, "a", "x\n")
	got = AppendInt(got, "b", -7)
	got = AppendBool(got, "c", true)
	got = append(AppendName(got, "d"), '{')
	got = append(AppendText(got, "e", ""), '}', '}')
	want := OfObject(
		Member{"d", OfObject(Member{"e", OfString("")})}, Member{"c", OfBool(true)},
		Member{"b", OfInt(-7)}, Member{"a", OfString("x\n")},
	)
	if w := string(AppendCanonical(nil, want)); string(got) != w {
		t.Errorf("got %s, want %s", got, w)
	}
}

// Sorting changes the order of members, and so nothing of the encoding.
func TestSortedKeepsTheEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var members []Member
		for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 6, rapid.ID[string]).Draw(t, "names") {
			members = append(members, Member{name, OfArray(OfObject(Member{"b", OfInt(1)}, Member{"a", OfString(name)}))})
		}
		v := OfObject(members...)
		sorted := Sorted(v)
		if got, want := string(AppendCanonical(nil, sorted)), string(AppendCanonical(nil, v)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		for i := 1; i < len(sorted.Members()); i++ {
			if compareNames(sorted.Members()[i-1].Name, sorted.Members()[i].Name) >= 0 {
				t.Fatalf("%q is not before %q", sorted.Members()[i-1].Name, sorted.Members()[i].Name)
			}
		}
	})
}

func TestRunes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if got, want := Runes([]byte(text)), utf8.RuneCountInString(text); got != want {
			t.Fatalf("%q: got %d, want %d", text, got, want)
		}
	})
}
