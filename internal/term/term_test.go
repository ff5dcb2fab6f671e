package term_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"harness/internal/term"
)

func TestParseChoice(t *testing.T) {
	for _, want := range []term.Choice{term.Auto, term.Always, term.Never} {
		got, ok := term.ParseChoice(want.String())
		if !ok || got != want {
			t.Errorf("ParseChoice(%q) = %v, %v; want %v, true", want.String(), got, ok, want)
		}
	}
	for _, word := range []string{"", "Auto", "yes", "unset", "always "} {
		if got, ok := term.ParseChoice(word); ok || got != 0 {
			t.Errorf("ParseChoice(%q) = %v, %v; want unset, false", word, got, ok)
		}
	}
	if got := term.Choice(0).String(); got != "unset" {
		t.Errorf("zero choice is %q; want %q", got, "unset")
	}
}

func TestReadEnv(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want term.Env
	}{
		"nothing set":      {nil, term.Env{}},
		"empty is not set": {map[string]string{"NO_COLOR": "", "FORCE_COLOR": ""}, term.Env{}},
		"any value counts": {map[string]string{"NO_COLOR": "0"}, term.Env{NoColor: true}},
		"force":            {map[string]string{"FORCE_COLOR": "1"}, term.Env{ForceColor: true}},
		"force by level":   {map[string]string{"FORCE_COLOR": "3"}, term.Env{ForceColor: true}},
		"force off":        {map[string]string{"FORCE_COLOR": "0"}, term.Env{}},
		"force false":      {map[string]string{"FORCE_COLOR": "false"}, term.Env{}},
		"terminal":         {map[string]string{"TERM": "dumb"}, term.Env{Term: "dumb"}},
	}
	for name, test := range tests {
		got := term.ReadEnv(func(key string) string { return test.env[key] })
		if got != test.want {
			t.Errorf("%s: got %+v; want %+v", name, got, test.want)
		}
	}
}

func TestColorOfNoTerminal(t *testing.T) {
	no, force := term.Env{NoColor: true}, term.Env{ForceColor: true}
	tests := map[string]struct {
		options term.Options
		want    bool
	}{
		"unset":                    {term.Options{}, false},
		"auto":                     {term.Options{Color: term.Auto}, false},
		"always":                   {term.Options{Color: term.Always}, true},
		"always beats NO_COLOR":    {term.Options{Color: term.Always, Env: no}, true},
		"always beats a dumb TERM": {term.Options{Color: term.Always, Env: term.Env{Term: "dumb"}}, true},
		"never beats FORCE_COLOR":  {term.Options{Color: term.Never, Env: force}, false},
		"FORCE_COLOR":              {term.Options{Env: force}, true},
		"FORCE_COLOR beats dumb":   {term.Options{Env: term.Env{ForceColor: true, Term: "dumb"}}, true},
		"NO_COLOR beats FORCE_COLOR": {
			term.Options{Env: term.Env{ForceColor: true, NoColor: true}}, false},
	}
	for name, test := range tests {
		s := term.NewStream(io.Discard, test.options)
		if got := s.Style().Color(); got != test.want {
			t.Errorf("%s: colour is %v; want %v", name, got, test.want)
		}
		if s.IsTerminal() {
			t.Errorf("%s: io.Discard is taken for a terminal", name)
		}
	}
}

func TestWidthOfStream(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tests := map[string]struct {
		w     io.Writer
		width int
		want  int
	}{
		"buffer":          {&bytes.Buffer{}, 0, 80},
		"buffer, fixed":   {&bytes.Buffer{}, 40, 40},
		"negative":        {&bytes.Buffer{}, -1, 80},
		"file":            {file, 0, 80},
		"file, fixed":     {file, 132, 132},
		"closed terminal": {closedFile(t), 0, 80},
	}
	for name, test := range tests {
		s := term.NewStream(test.w, term.Options{Width: test.width})
		if got := s.Width(); got != test.want {
			t.Errorf("%s: width is %d; want %d", name, got, test.want)
		}
		if got, want := s.Unread(), test.width <= 0; got != want {
			t.Errorf("%s: unread is %v; want %v", name, got, want)
		}
		if s.IsTerminal() {
			t.Errorf("%s: taken for a terminal", name)
		}
	}
}

func closedFile(t *testing.T) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	return file
}

// full takes room bytes and then fails.
type full struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	f.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestWriteStopsAtFirstError(t *testing.T) {
	w := &full{room: 5}
	s := term.NewStream(w, term.Options{})
	for _, text := range []string{"abc", "defg", "h"} {
		io.WriteString(s, text)
	}
	if got := s.Err(); !errors.Is(got, errFull) {
		t.Errorf("Err() = %v; want %v", got, errFull)
	}
	if got, want := w.String(), "abcde"; got != want {
		t.Errorf("written %q; want %q", got, want)
	}
	if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, errFull) {
		t.Errorf("Write after the error = %d, %v; want 0, %v", n, err, errFull)
	}
}

// short breaks io.Writer's rule: it writes less and says nothing.
type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestShortWriteIsAnError(t *testing.T) {
	s := term.NewStream(short{}, term.Options{})
	if _, err := s.Write([]byte("abcd")); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v; want %v", err, io.ErrShortWrite)
	}
}
