package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"harness/internal/diag"
	"harness/internal/scenarios"
)

// settingsFile is sought in the working directory only.
const settingsFile = "harness.yaml"

// mostSettings is how large the file may be, in bytes.
const mostSettings = 1 << 20

// fileSettings is what the settings file says.
type fileSettings struct {
	text   []byte
	values map[string]any
}

// readSettings reads the settings file; none is no settings.
func readSettings() (*fileSettings, error) {
	text, err := readRegular(settingsFile, mostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return &fileSettings{}, nil
	}
	if err != nil {
		return nil, diag.List{{File: settingsFile, Code: SettingsUnreadable, Message: plain(err)}}
	}
	values, found := scenarios.ParseSettings(settingsFile, text, settingKinds())
	return &fileSettings{text: text, values: values}, found.Err()
}

// place finds the value of a key that the file sets, if the key begins a line.
func (f *fileSettings) place(key string) diag.Pos {
	line := 0
	for text := range bytes.Lines(f.text) {
		line++
		rest, found := bytes.CutPrefix(text, []byte(key+":"))
		if value := bytes.TrimLeft(rest, " "); found && len(value) < len(rest) {
			return diag.Pos{Line: line, Col: len(text) - len(value) + 1}
		}
	}
	return diag.Pos{}
}

// readRegular reads a file that must not be a folder, a pipe or a device, whose
// end may never come.
func readRegular(name string, most int64) ([]byte, error) {
	kind, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !kind.Mode().IsRegular() {
		return nil, errors.New("is no regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("has more than %d MiB", most>>20)
	}
	return text, err
}

// settingKinds says which keys the file may have, and of which type.
func settingKinds() map[string]scenarios.Kind {
	kinds := map[string]scenarios.Kind{}
	for _, s := range allSettings() {
		switch {
		case s.most > 0 || s.of == ofRuns:
			kinds[s.key] = scenarios.IntSetting
		case s.choices == nil:
			kinds[s.key] = scenarios.BoolSetting
		default:
			kinds[s.key] = scenarios.TextSetting
		}
	}
	return kinds
}
