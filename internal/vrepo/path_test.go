package vrepo

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestCheckPath(t *testing.T) {
	for _, good := range []string{
		"a", "src/sum.ts", ".env", ".gitignore", "a/.github/x", "..a", "a..b", "...a", "café.txt", "cafe\u0301.txt",
		"sp ace.txt", " leading", `q"uote.txt`, "~", "a~1", "漢字/仮名", "-rf", "git", "x.git", ".gi", ".gitx", "a\uFFFDb", "con",
	} {
		if fault := CheckPath(good); fault != nil {
			t.Errorf("CheckPath(%q) = %v, want nil", good, *fault)
		}
	}
	for _, c := range []struct{ path, reason, hint string }{
		{"", "is empty", "name a file"},
		{"/etc/passwd", "starts with `/`", "write etc/passwd"},
		{"//", "starts with `/`", "name a file"},
		{"a/", "ends with `/`", "a"},
		{"../x", "`..` segment", "cannot leave"},
		{"a/../b", "`..` segment", ""},
		{"run-output/../../etc/passwd", "`..` segment", ""},
		{"..", "`..` segment", ""},
		{"./a", "`.` segment", "leave it out"},
		{"a/.", "`.` segment", ""},
		{"a//b", "empty segment", "one /"},
		{`src\a.go`, "`\\`", "use /"},
		{"C:/x", "`:`", "drive"},
		{"a:b", "`:`", "stream"},
		{"a.", "ends with a dot", ""},
		{"a./b", "ends with a dot", ""},
		{"...", "ends with a dot", ""},
		{"a ", "ends with a space", ""},
		{"a /b", "ends with a space", ""},
		{"a\x00b", "U+0000", ""},
		{"a\tb", "U+0009", ""},
		{"a\nb", "U+000A", ""},
		{"a\x7fb", "U+007F", ""},
		{"a\u0085b", "U+0085", ""},
		{"a\xffb", "not valid UTF-8 at byte 1", ""},
		{".git", "`.git` segment", ""},
		{".git/config", "`.git` segment", "out of reach"},
		{".GIT/config", "`.git` segment", ""},
		{"sub/.Git", "`.git` segment", ""},
		{".g\u200Cit/config", "`.git` segment", ""},
		{"\uFEFF.git", "`.git` segment", ""},
		{"GIT~1/config", "`.git` segment", ""},
	} {
		fault := CheckPath(c.path)
		if fault == nil {
			t.Errorf("CheckPath(%q) = nil, want a fault that says %q", c.path, c.reason)
			continue
		}
		if !strings.Contains(fault.Reason, c.reason) || !strings.Contains(fault.Hint, c.hint) {
			t.Errorf("CheckPath(%q) = %q, %q, want %q, %q", c.path, fault.Reason, fault.Hint, c.reason, c.hint)
		}
	}
}

// What CheckPath accepts is safe by other people's rules too, and its verdict
// does not depend on the Unicode form.
func FuzzCheckPath(f *testing.F) {
	for _, seed := range []string{
		"a/b.go", "../a", "a/../b", `a\b`, ".git/config", ".g\u200Cit", "caf\u00e9", "cafe\u0301", "\u212A", "a\u037Eb", "a. ", "a:b", "/", "NUL", "a\u0344b", "\u1FEF",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if fault := CheckPath(p); fault != nil {
			if fault.Reason == "" {
				t.Fatalf("CheckPath(%q): a fault without a reason", p)
			}
			return
		}
		if !utf8.ValidString(p) || !filepath.IsLocal(p) || path.Clean(p) != p || path.IsAbs(p) {
			t.Fatalf("CheckPath accepts %q", p)
		}
		for _, segment := range strings.Split(p, "/") {
			if segment == ".." || strings.EqualFold(segment, ".git") {
				t.Fatalf("CheckPath accepts %q", p)
			}
		}
		if strings.ContainsAny(p, "\\:\x00\n\r\t\x7f") {
			t.Fatalf("CheckPath accepts %q", p)
		}
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			other := form.String(p)
			if fault := CheckPath(other); fault != nil {
				t.Fatalf("CheckPath accepts %q and refuses its other form %q: %s", p, other, fault.Reason)
			}
			if foldPath(other) != foldPath(p) {
				t.Fatalf("foldPath tells %q from its other form", p)
			}
		}
		if foldPath(strings.ToUpper(p)) != foldPath(p) && isASCII(p) {
			t.Fatalf("foldPath tells %q from its upper case", p)
		}
	})
}
