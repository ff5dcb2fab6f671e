package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// FuzzCommandLine gives the program any arguments, parted by NUL: it never
// breaks an invariant, and its exit code is one of the table's.
func FuzzCommandLine(f *testing.F) {
	for _, seed := range []string{
		"", "workflow", "boundaries\x00--case\x00loop", "run\x00-", "boundaries\x00--call\x00{\"type\":\"read\",\"path\":\".env\"}",
		"boundaries\x00--call\x00-", "--format\x00json\x00nonsense", "-vvv", "--\x00run", "help\x00\xff", "new\x00--from\x00sum",
		"explain\x00BAD_HASH", "__complete\x00run\x00", "schema\x00../x", "run\x00[", "run\x00x#y", "version\x00--color=\x1b[31m", "__complete", "__completeNoDesc",
	} {
		f.Add(seed, "")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line, stdin string) {
		t.Chdir(dir) // not f.Chdir: a failing input is kept below the package
		args := strings.Split(line, "\x00")
		for _, a := range args {
			if strings.HasPrefix(a, "/") || strings.Contains(a, "..") {
				t.Skip("leaves the folder")
			}
		}
		var out, stderr bytes.Buffer
		code := Run(args, Streams{In: strings.NewReader(stdin), Out: &out, Err: &stderr})
		if code < AsExpected || code > CouldNotComplete {
			t.Errorf("got exit code %d", code)
		}
		if strings.Contains(stderr.String(), InternalError.Name) {
			t.Errorf("got %s", stderr.String())
		}
		if code == InvalidInput && stderr.Len() == 0 && out.Len() == 0 {
			t.Error("got exit code 2 without a word")
		}
	})
}

// FuzzSettings puts any bytes into the settings file: it is taken or refused,
// and nothing else.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{"", "ascii: true\n", "color: loud\n", "format: json\n", "verbose: -1\n", "verbose: 99999999999999999999\n", "{ascii: true}", "a: &a 1\nb: *a\n", "\xff\xfe", "---\n---\n"} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		t.Chdir(dir) // not f.Chdir: a failing input is kept below the package
		if err := os.WriteFile(settingsFile, text, 0o666); err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		switch code := Run([]string{"config"}, Streams{Out: &out, Err: &stderr}); code {
		case AsExpected:
			if out.Len() == 0 || stderr.Len() > 0 {
				t.Errorf("taken: got output %q and diagnostics %q", out.String(), stderr.String())
			}
		case InvalidInput:
			if out.Len() > 0 || stderr.Len() == 0 {
				t.Errorf("refused: got output %q and diagnostics %q", out.String(), stderr.String())
			}
		default:
			t.Errorf("got exit code %d: %s", code, stderr.String())
		}
	})
}
