package scenarios

import (
	"crypto/sha256"
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestCompiledIsTheSame: the nodes of a compiled form are those of the file.
func TestCompiledIsTheSame(t *testing.T) {
	texts := map[string][]byte{"plain": []byte(plain), "family": []byte(family), "every kind": []byte(
		"a: [1, -2.5, true, ~, null, 2026-01-02, 1e400, <<, text, 'q', \"\\0\\u2028é\", !!str 12]\nb: |\n  x\nc: >-\n  y\n\"\": {}\nd: []\n")}
	for name, data := range shippedFiles(t) {
		texts[name] = data
	}
	for name, data := range texts {
		compiled, ok := Compile(data)
		if !ok {
			t.Errorf("%s cannot be compiled", name)
			continue
		}
		found := &findings{}
		want := parseTree(data, found)
		got := readCompiled(data, compiled)
		if got == nil || !sameNodes(got, want) {
			t.Errorf("%s: the compiled form has other nodes", name)
		}
		list, faults := ParseWith("s.yaml", data, compiled, nil)
		plainList, plainFaults := Parse("s.yaml", data)
		if len(list) != len(plainList) || !slices.Equal(faults, plainFaults) {
			t.Errorf("%s: got %d scenarios, %v, want %d, %v", name, len(list), faults, len(plainList), plainFaults)
		}
	}
}

func sameNodes(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Style != b.Style || a.Tag != b.Tag || a.Value != b.Value || place(a) != place(b) {
		return false
	}
	return slices.EqualFunc(a.Content, b.Content, sameNodes)
}

func TestCompiledOfAnotherFileIsNotUsed(t *testing.T) {
	compiled, _ := Compile([]byte(plain))
	list, found := ParseWith("s.yaml", []byte(family), compiled, nil)
	if len(list) != 3 || len(found) > 0 {
		t.Errorf("got %d scenarios, %v", len(list), found)
	}
}

func TestFaultyFilesAreNotCompiled(t *testing.T) {
	for _, text := range []string{"", "a: [", "a: *x", "a: 1\na: 2\n", "\ufeffa: 1\n", "a: 1\r\n", "a: \x01\n"} {
		if _, ok := Compile([]byte(text)); ok {
			t.Errorf("%q was compiled", text)
		}
	}
}

// FuzzCompiled: a damaged form gives no nodes or some, and never a panic.
func FuzzCompiled(f *testing.F) {
	compiled, _ := Compile([]byte(family))
	f.Add(compiled[len(compiledMagic)+sha256.Size:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		digest := sha256.Sum256([]byte(family))
		damaged := append(append([]byte(compiledMagic), digest[:]...), body...)
		ParseWith("s.yaml", []byte(family), damaged, nil)
	})
}
