package suite

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"harness/internal/report"
	"harness/internal/scenarios"
)

// Memory is what is remembered of the last test of a folder: by stable id, with what
// the scenario was then.
type Memory struct {
	Cases map[string]Remembered `json:"cases"`
}

// Remembered is one scenario of the last test.
type Remembered struct {
	Verdict report.Verdict `json:"verdict"`
	Digest  string         `json:"digest"` // of its file and what that includes
	Golden  string         `json:"golden"` // of its golden; "" for none
}

// MemoryPath is where the last test of a working directory is remembered: in the
// user's cache, so that nothing is written beside the scenarios.
func MemoryPath(folder string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(folder))
	return filepath.Join(cache, "harness", "test", hex.EncodeToString(digest[:8])+".json"), nil
}

// ReadMemory reads what is remembered; nothing if there was no test.
func ReadMemory(path string) (*Memory, error) {
	m := &Memory{Cases: map[string]Remembered{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(data, m)
	}
	if m.Cases == nil {
		m.Cases = map[string]Remembered{}
	}
	return m, err
}

// Note remembers cases; others stay as they were. What was skipped is as new as it was.
func (m *Memory) Note(cases []report.Case, digests map[string]string) {
	for i := range cases {
		c := &cases[i]
		if last, known := m.Cases[c.Scenario.ID]; c.Verdict == report.Skip {
			if known {
				last.Verdict = report.Skip
				m.Cases[c.Scenario.ID] = last
			}
			continue
		}
		m.Cases[c.Scenario.ID] = Remembered{Verdict: c.Verdict, Digest: digests[c.Scenario.File], Golden: c.Golden}
	}
}

// Write writes what is remembered, all or nothing.
func (m *Memory) Write(path string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return WriteFile(path, append(data, '\n'))
}

// Rerun gives the ids that a rerun chooses: "failed" those that were red, "error"
// those that could not show whether they pass, "new" those that were not tested or
// whose file, golden or included files have changed since. New ones belong to every
// rerun: nobody knows of them that they pass.
func (m *Memory) Rerun(kind string, list []*scenarios.Scenario, digests map[string]string) map[string]bool {
	ids := map[string]bool{}
	for _, s := range list {
		last, known := m.Cases[s.ID]
		switch {
		case !known || last.Digest != digests[s.File] || last.Golden != goldenHash(s):
			ids[s.ID] = true
		case kind == "error":
			ids[s.ID] = last.Verdict == report.Error
		case kind == "failed":
			ids[s.ID] = last.Verdict == report.Fail || last.Verdict == report.XPass || last.Verdict == report.Error || last.Verdict == report.Skip
		}
	}
	return ids
}

// goldenHash is the hash of a scenario's golden as it is now; "" for none.
func goldenHash(s *scenarios.Scenario) string {
	data, err := readGolden(GoldenPath(s.File, s.Case))
	if err != nil {
		return ""
	}
	return hashOf(data)
}

func hashOf(data []byte) string {
	if data == nil {
		return ""
	}
	d := sha256.Sum256(data)
	return hex.EncodeToString(d[:])
}

// Digests names the files by their bytes and by those of what they include.
func Digests(sources []Source) map[string]string {
	digests := make(map[string]string, len(sources))
	texts := make([]string, len(sources))
	parallel(runtime.GOMAXPROCS(0), len(sources), func(i int) {
		texts[i] = hashOf(slices.Concat(append([][]byte{sources[i].Data}, sources[i].included()...)...))
	})
	for i := range sources {
		digests[sources[i].Name] = texts[i]
	}
	return digests
}

// WriteFile writes a file, all or nothing, and makes the folders above it. One that
// is there keeps its permissions, and a link keeps pointing to what it points to. What
// is no regular file, such as a pipe or a device, is written as it is.
func WriteFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	kind, err := os.Stat(path)
	if err == nil && !kind.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o666)
	}
	temporary := filepath.Join(filepath.Dir(path), ".harness-"+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil && kind != nil {
		err = os.Chmod(temporary, kind.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}
