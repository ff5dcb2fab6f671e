package repotools

import (
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/vrepo"
)

func TestReadRefuses(t *testing.T) {
	utf16 := "\xFF\xFEH\x00i\x00"
	view := world(t,
		vrepo.Entry{Path: "latin.txt", Content: "x = 1;\n// caf\xE9\n"},
		vrepo.Entry{Path: "sjis.txt", Content: "\x83\x65\x83\x58\x83\x67\n"},
		vrepo.Entry{Path: "le.txt", Content: utf16},
		vrepo.Entry{Path: "be.txt", Content: "\xFE\xFF\x00H"},
		vrepo.Entry{Path: "nul.txt", Content: strings.Repeat("a", 10_000) + "\x00b\n"},
		vrepo.Entry{Path: "src/a.go", Content: "package a\n"},
		vrepo.Entry{Path: "caf\u00e9.txt", Content: "x\n"},
		vrepo.Entry{Path: "Secret.txt", Content: "x\n"},
	)
	view.Allowed = func(capability, path string) bool { return capability == CapRead && path != "Secret.txt" }
	for _, c := range []struct {
		name, path    string
		code          *diag.Code
		message, hint string
	}{
		{"E14 Latin-1", "latin.txt", NotUTF8, "the file is not UTF-8: the byte E9 at byte offset 13, in line 2, is not valid there", ""},
		{"E15 Shift-JIS", "sjis.txt", NotUTF8, "the file is not UTF-8: the byte 83 at byte offset 0, in line 1, is not valid there", ""},
		{"E17 UTF-16", "le.txt", UnsupportedEncoding, "the file is UTF-16 text, little end first, by the byte order mark FF FE at its start; only UTF-8 is read", ""},
		{"E17 UTF-16, big end", "be.txt", UnsupportedEncoding, "the file is UTF-16 text, big end first, by the byte order mark FE FF at its start; only UTF-8 is read", ""},
		{"E49 late NUL", "nul.txt", BinaryFile, "the file is binary: it has a NUL at byte offset 10000", ""},
		{"letter case", "SRC/A.go", FileNotFound, "the repository has no file at this path", `the repository has "src/a.go", from which "SRC/A.go" differs in letter case alone`},
		{"Unicode form", "cafe\u0301.txt", FileNotFound, "the repository has no file at this path", `the repository has "caf\u00e9.txt", from which "cafe\u0301.txt" differs in Unicode form alone`},
		{"twin that may not be read", "secret.txt", FileNotFound, "the repository has no file at this path", ""},
		{"no twin", "src/b.go", FileNotFound, "the repository has no file at this path", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, fault, _ := perform(t, view, newRead(*view.Limits), `{"path":`+quoted(c.path)+`}`)
			if code != c.code {
				t.Fatalf("got code %v, want %v", code, c.code)
			}
			if fault.Message != c.message || fault.Hint != c.hint {
				t.Errorf("got  %q, hint %q\nwant %q, hint %q", fault.Message, fault.Hint, c.message, c.hint)
			}
		})
	}
}

// What a read shows is what it records, whatever the limits cut.
func TestReadRecordsWhatItShows(t *testing.T) {
	text := strings.Repeat("tab\tand \"quotes\" \U0001F680\n", 200)
	view := world(t, vrepo.Entry{Path: "a.txt", Content: text})
	for _, limit := range []int{300, 500, 1600, 100_000} {
		view.Limits.Observation, view.Limits.Content = limit, limit
		args, at := `{"path":"a.txt"}`, 0
		for range 1000 {
			code, _, outcome := perform(t, view, newRead(*view.Limits), args)
			if code != nil || outcome.Read == nil || outcome.Read.From != at || !fits(outcome.JSON, limit) {
				t.Fatalf("limit %d: got %v, read %+v of %d bytes", limit, code, outcome.Read, len(outcome.JSON))
			}
			at = outcome.Read.To
			if !strings.Contains(string(outcome.JSON), `"content":`+quoted(text[outcome.Read.From:at])) {
				t.Fatalf("limit %d: got %s, want the content from %d to %d", limit, outcome.JSON, outcome.Read.From, at)
			}
			if at == len(text) {
				break
			}
			f, _ := view.Snapshot.File("a.txt")
			args = `{"path":"a.txt","cursor":` + quoted(readCursor(f, at)) + `}`
		}
		if at != len(text) {
			t.Errorf("limit %d: the cursors end at %d of %d", limit, at, len(text))
		}
	}
}
