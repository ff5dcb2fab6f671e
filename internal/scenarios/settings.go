package scenarios

import (
	"maps"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"harness/internal/diag"
)

// Kind is the type of a setting. The zero value is unset and invalid.
type Kind uint8

// The kinds. A setting's value is a bool, an int, a string or a time.Duration.
const (
	_ Kind = iota
	BoolSetting
	IntSetting // from 0
	TextSetting
	DurationSetting // as in "1m30s", from 0
)

// ParseSettings reads a flat mapping of known keys by the rules of scenario
// files. If the list holds more than notes, there are no settings. A file that
// holds nothing sets nothing.
func ParseSettings(file string, data []byte, keys map[string]Kind) (map[string]any, diag.List) {
	found := &findings{file: file}
	root := parseTree(data, found)
	if root == nil && len(found.list) == 1 && found.list[0].Code == EmptyFile {
		found.list = nil
		return map[string]any{}, found.sorted()
	}
	if root == nil {
		return nil, found.sorted()
	}
	d := &decoder{found: found}
	settings := d.settings(root, keys)
	if found.failed() {
		return nil, found.sorted()
	}
	return settings, found.sorted()
}

func (d *decoder) settings(root *yaml.Node, keys map[string]Kind) map[string]any {
	if root.Kind != yaml.MappingNode || skipped(root) {
		d.notA("a mapping", root, "write one `key: value` a line")
		return nil
	}
	names := slices.Sorted(maps.Keys(keys))
	settings := make(map[string]any, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, v := root.Content[i], root.Content[i+1]
		switch {
		case !isKey(key):
		case keys[key.Value] == 0:
			d.unknown(key, names)
		default:
			d.in(key.Value)
			settings[key.Value] = d.setting(v, keys[key.Value])
			d.out()
		}
	}
	return settings
}

// setting reads one value; what it returns means nothing if there is a fault.
func (d *decoder) setting(n *yaml.Node, kind Kind) any {
	switch kind {
	case BoolSetting:
		var v Flag
		d.flag(&v, n)
		return v.Value
	case IntSetting:
		var v Number
		d.number(&v, n)
		return v.Value
	case DurationSetting:
		var v Text
		d.text(&v, n)
		duration, err := time.ParseDuration(v.Value)
		if v.ok() && (err != nil || duration < 0) {
			d.fault(n, InvalidValue, "must be a duration from 0, got "+describe(n), "write it with its unit, as in 90s or 1m30s")
		}
		return duration
	default:
		var v Text
		d.text(&v, n)
		return v.Value
	}
}
