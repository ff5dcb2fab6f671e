package vrepo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitApply applies the patches of edits, each of another file, with the real
// git, and returns what the files then hold.
func gitApply(t *testing.T, edits []Edit) []string {
	t.Helper()
	dir := t.TempDir()
	var patch strings.Builder
	for _, e := range edits {
		name := filepath.Join(dir, filepath.FromSlash(e.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if e.Base.Executable() {
			mode = 0o755
		}
		if err := os.WriteFile(name, []byte(e.Base.Text()), mode); err != nil {
			t.Fatal(err)
		}
		patch.WriteString(e.Patch())
	}
	if patch.Len() > 0 {
		git := exec.Command("git", "-c", "core.autocrlf=false", "-c", "core.fsmonitor=false", "apply", "--whitespace=nowarn", "-")
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		git.Stdin = strings.NewReader(patch.String())
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s\n%q", err, out, patch.String())
		}
	}
	results := make([]string, len(edits))
	for i, e := range edits {
		name := filepath.Join(dir, filepath.FromSlash(e.Path))
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stat, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if executable := stat.Mode()&0o100 != 0; executable != e.Base.Executable() {
			t.Errorf("E69: %s: executable is %v after the patch", e.Path, executable)
		}
		results[i] = string(content)
	}
	return results
}

func checkGitApply(t *testing.T, edits []Edit) {
	t.Helper()
	for i, got := range gitApply(t, edits) {
		e := edits[i]
		if got != e.Result() {
			t.Errorf("%q: git gives %q, want %q\npatch %q", e.Path, got, e.Result(), e.Patch())
		}
		if (&content{text: got}).Hash() != e.ResultHash() {
			t.Errorf("%q: git's file has another hash than the result", e.Path)
		}
	}
}

// Every name that CheckPath accepts can be patched (E92), and a mode is kept
// without being named (E69).
func TestGitAppliesPatchesOfOddNames(t *testing.T) {
	var edits []Edit
	for i, name := range []string{
		"plain.txt", "sp ace.txt", `q"uote.txt`, "café.txt", "cafe\u0301/x.txt", "漢字.txt", " leading", "a  b", `"quoted"`, "'single'",
		"dir with space/file", "dir/with \"both\" é", "-dash", "a b/c d", "semi;colon", "$dollar", "new..name", ".env", ".github/x", "~", "a~1",
		"@@ -1 +1 @@", "b", "dev/null", "\u200Bzero", "x\U0001F680y", "100%", "a&b", "(x)[y]{z}", "trailing\u00A0x",
	} {
		if fault := CheckPath(name); fault != nil {
			t.Fatalf("CheckPath(%q): %s", name, fault.Reason)
		}
		e := editOf(t, "one\ntwo\nthree", "two", "2")
		e.Path = name
		e.Base.executable = i%2 == 1
		edits = append(edits, e)
		if patch := e.Patch(); strings.Contains(patch, "mode") || strings.Contains(patch, "\nindex ") {
			t.Errorf("got a mode line in %q", patch)
		}
	}
	checkGitApply(t, edits)
}

func TestQuoteName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"a/plain", "a/plain"},
		{"a/sp ace", "a/sp ace"},
		{`a/q"uote`, `"a/q\"uote"`},
		{"a/café", `"a/caf\303\251"`},
		{"a/t\tab\n", `"a/t\tab\n"`},
		{"a/\x01\x7f", `"a/\001\177"`},
		{`a/b\c`, `"a/b\\c"`},
	} {
		if got := quoteName(c.name); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// Any edit gives a patch that git applies to the same bytes, and the edits of a
// whole snapshot can be applied at once.
func TestGitAppliesAnyEdit(t *testing.T) {
	const batches, size = 12, 150
	for batch := range batches {
		edits := make([]Edit, size)
		for i := range edits {
			edits[i] = anyEdit().Example(batch*size + i)
			edits[i].Path = fmt.Sprintf("d%d/f%d", i%7, i)
		}
		checkGitApply(t, edits)
	}
}

// Bytes that are not UTF-8 pass through a patch as they are (E14, E89).
func TestGitAppliesRawBytes(t *testing.T) {
	var edits []Edit
	for i, c := range [][3]string{
		{"caf\xE9\nx\n\xFF\xFE\n", "x", "y"},
		{"a\r\nb\r\nc\r", "b", "B\r"},
		{"\x01\x02\x1b[31m\n", "\x02", "\x03"},
		{"\uFEFFa\r\n", "\uFEFF", ""},
		{strings.Repeat("same\n", 50) + "x" + strings.Repeat("\nsame", 50), "x", "y\ny"},
		{"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "-a", "-A"},
		{"-- \n-\n+\n\\ No newline at end of file\n", "+", "++"},
		{"\n", "\n", ""},
		{"\n\n\n", "\n\n\n", "x"},
		{strings.Repeat("a", 100_000) + "x" + strings.Repeat("b", 100_000), "x", "y"},
	} {
		e := editOf(t, c[0], c[1], c[2])
		e.Path = fmt.Sprintf("f%d", i)
		edits = append(edits, e)
	}
	checkGitApply(t, edits)
}
