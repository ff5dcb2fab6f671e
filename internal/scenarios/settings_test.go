package scenarios

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func settingKinds() map[string]Kind {
	return map[string]Kind{"verbose": BoolSetting, "workers": IntSetting, "format": TextSetting, "timeout": DurationSetting}
}

func TestParseSettings(t *testing.T) {
	got, found := ParseSettings("harness.yaml", []byte("verbose: true\nworkers: 4\nformat: json\ntimeout: 1m30s\n"), settingKinds())
	want := map[string]any{"verbose": true, "workers": 4, "format": "json", "timeout": 90 * time.Second}
	if !maps.Equal(got, want) || len(found) > 0 {
		t.Errorf("got %v, %v, want %v", got, found, want)
	}
}

func TestSettingsMayBeEmpty(t *testing.T) {
	for _, text := range []string{"", "# nothing yet\n", "\ufeff"} {
		got, found := ParseSettings("harness.yaml", []byte(text), settingKinds())
		if got == nil || len(got) > 0 || found.Failed() {
			t.Errorf("%q: got %v, %v, want none and no fault", text, got, found)
		}
	}
}

func TestSettingsFaults(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		hint       string
	}{
		{"unknown key", "verbos: true\n", []string{"1:1 UNKNOWN_KEY"}, "did you mean verbose?"},
		{"wrong letter case", "Format: json\n", []string{"1:1 UNKNOWN_KEY"}, "did you mean format?"},
		{"given twice", "format: json\nformat: text\n", []string{"2:1 DUPLICATE_YAML_KEY"}, ""},
		{"wrong types", "verbose: yes\nworkers: '4'\nformat: 1\ntimeout: 30\n", []string{"1:10 WRONG_TYPE", "2:10 WRONG_TYPE", "3:9 WRONG_TYPE", "4:10 WRONG_TYPE"}, "write true"},
		{"no duration", "timeout: soon\n", []string{"1:10 INVALID_VALUE"}, "90s"},
		{"a duration backwards", "timeout: -3s\n", []string{"1:10 INVALID_VALUE"}, "90s"},
		{"negative", "workers: -1\n", []string{"1:10 INVALID_VALUE"}, ""},
		{"nested", "format: {a: b}\n", []string{"1:9 WRONG_TYPE"}, ""},
		{"a list", "- format\n", []string{"1:1 WRONG_TYPE"}, "key: value"},
		{"no YAML", "format: [\n", []string{"2:1 YAML_SYNTAX"}, ""},
		{"an alias", "format: *x\n", []string{"1:9 YAML_UNSUPPORTED_FEATURE"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := ParseSettings("harness.yaml", []byte(c.text), settingKinds())
			if p := places(found); !slices.Equal(p, c.want) {
				t.Fatalf("got %v, want %v", found, c.want)
			}
			if got != nil {
				t.Errorf("got settings beside faults: %v", got)
			}
			if !strings.Contains(found[0].Hint, c.hint) {
				t.Errorf("got hint %q, want one with %q", found[0].Hint, c.hint)
			}
		})
	}
}
