package repotools

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"harness/internal/diag"
	"harness/internal/strictjson"
	"harness/internal/tools"
	"harness/internal/vrepo"
)

// propose proposes an edit of a file as it is now.
func propose(t *testing.T, view *tools.View, path, before, after string) (*diag.Code, *tools.Fault, tools.Outcome) {
	t.Helper()
	f, ok := view.Snapshot.File(path)
	if !ok {
		t.Fatalf("no file %s", path)
	}
	return perform(t, view, newProposeEdit(*view.Limits), fmt.Sprintf(`{"path":%s,"baseHash":%s,"before":%s,"after":%s}`,
		quoted(path), quoted(f.Hash()), quoted(before), quoted(after)))
}

func TestProposeEditRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text, before string
		code               *diag.Code
		message, hint      string
		details            string
	}{
		{"E29 lines", "foo\nfoo\nfoo\n", "foo\nfoo\n", TargetNotUnique, "before occurs 2 times, at lines 1, 2", "", `{"lines":[1,2]}`},
		{"E29 one line", "aaa\n", "aa", TargetNotUnique, "before occurs 2 times, at line 1 (columns 1, 2)", "", `{"columns":[1,2],"lines":[1,1]}`},
		{"E29 some on one line", "x=1\né x=1 x=1\n", "x=1", TargetNotUnique, "before occurs 3 times, at lines 1, 2 (columns 3, 7)", "", `{"columns":[1,3,7],"lines":[1,2,2]}`},
		{"E29 four on one line", "xxxx\nx\n", "x", TargetNotUnique, "before occurs 5 times, at lines 1 (columns 1, 2, 3 and more), 2", "", `{"columns":[1,2,3,4,1],"lines":[1,1,1,1,2]}`},
		{"E29 half a million", strings.Repeat("a", 500_000), "a", TargetNotUnique, "before occurs at least 9 times, at line 1 (columns 1, 2, 3 and more)", "", `{"columns":[1,2,3,4,5,6,7,8,9],"lines":[1,1,1,1,1,1,1,1,1]}`},
		{"E31 several", "x=1\nx=1\n", "x=1", TargetNotUnique, "before occurs 2 times, at lines 1, 2", "", `{"lines":[1,2]}`},
		{"E37 empty target", "abc", "", EmptyTarget, "before is empty, so it names no place", "an empty file holds none and cannot be edited", `{}`},
		{"E38 empty file", "", "", EmptyTarget, "before is empty, so it names no place", "an empty file holds none and cannot be edited", `{}`},
		{"empty file", "", "a", TargetNotFound, "before does not occur in the file", "the file is empty: it holds no text to replace, so it cannot be edited", `{}`},
		{"E45 escaped twice", "foo\nbar\n", `foo\nbar`, TargetNotFound, "before does not occur in the file", "would match once if `\\n` is a line break, at line 1: `before` is escaped twice, escape it once", `{}`},
		{"no change", "a\n", "a", NoChange, "before and after are equal", "", `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			view := world(t, vrepo.Entry{Path: "a.txt", Content: c.text})
			f, _ := view.Snapshot.File("a.txt")
			view.Reads.Add(readOf(f, 0, len(c.text)))
			after := "X"
			if c.code == NoChange {
				after = c.before
			}
			code, fault, _ := propose(t, view, "a.txt", c.before, after)
			if code != c.code {
				t.Fatalf("got code %v, want %v", code, c.code)
			}
			if fault.Message != c.message || !strings.HasSuffix(fault.Hint, c.hint) || c.hint == "" && fault.Hint != "" {
				t.Errorf("got  %q, hint %q\nwant %q, hint %q", fault.Message, fault.Hint, c.message, c.hint)
			}
			if got := string(strictjson.AppendCanonical(nil, strictjson.OfObject(fault.Details...))); got != c.details {
				t.Errorf("got details %s, want %s", got, c.details)
			}
		})
	}
}

// A file that was read under a path of other case or form is named, as it was
// read; one that was not read is not.
func TestReadRequiredNamesTheTwin(t *testing.T) {
	view := world(t, vrepo.Entry{Path: "src/a.go", Content: "x\n"})
	f, _ := view.Snapshot.File("src/a.go")
	args := fmt.Sprintf(`{"path":"SRC/A.go","baseHash":%q,"before":"x","after":"y"}`, f.Hash())
	code, fault, _ := perform(t, view, newProposeEdit(*view.Limits), args)
	if code != ReadRequired || fault.Hint != "" {
		t.Fatalf("got %v, hint %q, want %v without a hint", code, fault.Hint, ReadRequired)
	}
	view.Reads.Add(readOf(f, 0, 2))
	code, fault, _ = perform(t, view, newProposeEdit(*view.Limits), args)
	if want := `a read returned it for "src/a.go", from which "SRC/A.go" differs in letter case`; code != ReadRequired || fault.Hint != want {
		t.Fatalf("got %v, hint %q, want %v, hint %q", code, fault.Hint, ReadRequired, want)
	}
}

// E55: the hint of text that was not shown names the reads that show it. To do
// as it says leads to the edit, in as many reads as it says.
func TestNotShownHintLeadsThere(t *testing.T) {
	long := strings.Repeat("0123456789", 290)
	lines := strings.Repeat("a line\n", 400)
	for _, c := range []struct {
		name, text, before string
		reads              []string // arguments of reads made before
		hint               string
	}{
		{"line above what was read", "one\ntwo\nthree\nfour\n", "one", []string{`"startLine":3`}, "read startLine 1, endLine 1"},
		{"nothing shown of the text", lines + "target\nmore\n" + lines, "target\nmore", []string{`"startLine":1`}, "read startLine 401, endLine 402"},
		{"between two reads", "one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nfour", []string{`"startLine":1,"endLine":1`, `"startLine":4`}, "read startLine 2, endLine 4"},
		{"end of a line cut off", long[:1500] + "target\n", "target", []string{`"startLine":1`}, `read with cursor "1000@HASH"`},
		{"in the middle of the text", long[:990] + "a long target\n" + lines, "a long target", []string{`"startLine":1`}, `read with cursor "1000@HASH"`},
		{"on a later page", long + "target\n", "target", []string{`"startLine":1`}, `read with cursor "1000@HASH", and then with the cursor that each read returns: 2 reads reach the text`},
		{"long line never read", "x\n" + long + "target\n", "target", []string{`"startLine":1,"endLine":1`}, "read startLine 2, and then with the cursor that each read returns: 3 reads reach the text"},
		{"very long line", strings.Repeat(long, 10) + "target", "target", []string{`"startLine":1`}, `read with cursor "1000@HASH", and then with the cursor that each read returns: more than 20 reads reach the text`},
		{"line that grows when encoded", strings.Repeat("\x01", 1200) + "target", "target", []string{`"startLine":1`}, `read with cursor "229@HASH", and then with the cursor that each read returns: 5 reads reach the text`},
	} {
		t.Run(c.name, func(t *testing.T) {
			view := world(t, vrepo.Entry{Path: "a.txt", Content: c.text})
			f, _ := view.Snapshot.File("a.txt")
			for _, args := range c.reads {
				if code, fault, _ := perform(t, view, newRead(*view.Limits), `{"path":"a.txt",`+args+`}`); code != nil {
					t.Fatalf("read %s: %v: %s", args, code, fault.Message)
				}
			}
			code, fault, _ := propose(t, view, "a.txt", c.before, "X")
			if code != TargetNotShown {
				t.Fatalf("got code %v, want %v", code, TargetNotShown)
			}
			if want := strings.ReplaceAll(c.hint, "HASH", f.Hash()[:cursorHash]); fault.Hint != want {
				t.Fatalf("got  %q\nwant %q", fault.Hint, want)
			}
			followHint(t, view, fault.Hint)
			if code, fault, outcome := propose(t, view, "a.txt", c.before, "X"); code != nil || outcome.Edit == nil {
				t.Errorf("after %q got %v: %v, want the edit", c.hint, code, fault)
			}
		})
	}
}

var (
	lineHint   = regexp.MustCompile(`^read startLine (\d+)(?:, endLine (\d+)$)?`)
	cursorHint = regexp.MustCompile(`^read with cursor "([^"]+)"`)
	countHint  = regexp.MustCompile(`: (\d+) reads reach the text$`)
)

// followHint makes the reads that a hint asks for: as many as it says, all there
// are if it says more than can be counted.
func followHint(t *testing.T, view *tools.View, hint string) {
	t.Helper()
	args, reads := "", 1
	if m := lineHint.FindStringSubmatch(hint); m != nil {
		args = `"startLine":` + m[1]
		if m[2] != "" {
			args += `,"endLine":` + m[2]
		}
	} else if m := cursorHint.FindStringSubmatch(hint); m != nil {
		args = `"cursor":` + quoted(m[1])
	} else {
		t.Fatalf("%q names no read", hint)
	}
	if m := countHint.FindStringSubmatch(hint); m != nil {
		fmt.Sscan(m[1], &reads)
	} else if strings.Contains(hint, "more than") {
		reads = 1000
	}
	for range reads {
		code, fault, outcome := perform(t, view, newRead(*view.Limits), `{"path":"a.txt",`+args+`}`)
		if code != nil {
			t.Fatalf("read %s: %v: %s", args, code, fault.Message)
		}
		v, err := strictjson.Parse(outcome.JSON)
		if err != nil {
			t.Fatal(err)
		}
		if cursor := text(v, "cursor"); cursor != "" {
			args = `"cursor":` + quoted(cursor)
		} else {
			return
		}
	}
}
