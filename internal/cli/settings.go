package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"harness/internal/diag"
	"harness/internal/term"
)

// Format says how results are printed. The zero value is unset and invalid.
type Format uint8

// The formats.
const (
	_ Format = iota
	Text
	JSON
	JSONL
)

// Settings are the choices that hold for every command.
type Settings struct {
	Format  Format
	Color   term.Choice
	ASCII   bool
	Explain bool
	Verbose int // 0 to 2
	// What follows is for suites.
	Parallel  int // 0 is one for each processor
	NullAgent bool
	Strict    bool // a golden that belongs to no scenario is a failure
	Detail    string
	Threshold int // percent

	sources []effective
}

// effective is one setting's effective value and where it comes from.
type effective struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Default string `json:"default"`
	Env     string `json:"env"`
}

// setting is one key, its flag and its environment variable. Its values are the
// choices, else the numbers up to most, else true and false.
type setting struct {
	key     string
	of      flagGroup
	short   string
	choices []string
	most    int
	initial string
	use     string
}

// flagGroup says which commands have a setting's flag.
type flagGroup uint8

// The groups of flags.
const (
	ofAll    flagGroup = iota
	ofRuns             // commands that run something
	ofTests            // test
	ofSuites           // commands that run many scenarios many times
)

func allSettings() []setting {
	return []setting{
		{key: "format", choices: []string{"text", "json", "jsonl"}, initial: "text", use: "how results are printed; jsonl is one document a line"},
		{key: "color", choices: []string{"auto", "always", "never"}, initial: "auto", use: "when to use colour"},
		{key: "ascii", initial: "false", use: "print 7-bit characters only"},
		{key: "explain", initial: "false", use: "show the rules tried for each decision, and what else would have refused"},
		{key: "verbose", short: "v", of: ofRuns, choices: []string{"0", "1", "2"}, initial: "0", use: "show more: several scenarios in full, or one with what the model said and was told; -vv for both"},
		{key: "parallel", short: "p", of: ofSuites, most: 1024, initial: "0", use: "scenarios at the same time; 0 is one for each processor. Results do not depend on it"},
		{key: "null-agent", of: ofTests, initial: "false", use: "each scenario must fail for an agent that finishes at once; else it tests nothing that an agent does"},
		{key: "unreferenced", of: ofTests, choices: []string{"warn", "fail"}, initial: "warn", use: "what goldens that belong to no scenario are"},
		{key: "detail", of: ofTests, choices: []string{"none", "actual", "full"}, initial: "full", use: "what failures show: nothing but that they failed, what came, or what was wanted too"},
		{key: "coverage-threshold", of: ofTests, most: 100, initial: "0", use: "the percentage of the boundary that has to be covered; 0 is any"},
	}
}

func (s setting) env() string {
	return "HARNESS_" + strings.ReplaceAll(strings.ToUpper(s.key), "-", "_")
}

// values says what the setting takes.
func (s setting) values() string {
	switch {
	case s.choices != nil:
		return strings.Join(s.choices, ", ")
	case s.most > 0:
		return "0 to " + strconv.Itoa(s.most)
	default:
		return "true, false"
	}
}

// wanted is what a value has to be, after "want".
func (s setting) wanted() string {
	switch {
	case s.choices != nil:
		return "one of " + s.values()
	case s.most > 0:
		return "a number from " + s.values()
	default:
		return "true or false"
	}
}

// check gives the setting's value as text, or what is wrong with it.
func (s setting) check(value string) (string, error) {
	if s.most > 0 {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > s.most {
			return "", errors.New("want " + s.wanted())
		}
		return strconv.Itoa(n), nil
	}
	if s.choices == nil {
		b, err := strconv.ParseBool(value)
		if err != nil {
			return "", errors.New("want " + s.wanted())
		}
		return strconv.FormatBool(b), nil
	}
	for _, c := range s.choices {
		if value == c {
			return value, nil
		}
	}
	want := "want " + s.wanted()
	if near := diag.Nearest(value, s.choices); near != "" {
		want += "; did you mean " + near + "?"
	}
	return "", errors.New(want)
}

// bind gives a command the setting's flag.
func (s setting) bind(flags *pflag.FlagSet) {
	switch {
	case s.of == ofRuns:
		flags.CountP(s.key, s.short, s.use)
	case s.most == 0 && s.choices == nil:
		flags.BoolP(s.key, s.short, false, s.use)
	default:
		flags.VarP(&choice{setting: s, value: s.initial}, s.key, s.short, s.use)
	}
}

// bindSettings gives a command the flags of groups.
func bindSettings(cmd *cobra.Command, groups ...flagGroup) {
	for _, s := range allSettings() {
		if !slices.Contains(groups, s.of) {
			continue
		}
		flags := cmd.Flags()
		if s.of == ofAll {
			flags = cmd.PersistentFlags()
		}
		s.bind(flags)
		if s.choices != nil && s.of != ofRuns {
			offer(cmd, s.key, func() []string { return s.choices })
		}
	}
}

// choice is the value of a flag that takes one of several words or numbers.
type choice struct {
	setting
	value string
	to    *string // where a flag that is no setting is kept
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string {
	if c.choices == nil {
		return "N"
	}
	return strings.Join(c.choices, "|")
}

func (c *choice) Set(value string) error {
	checked, err := c.check(value)
	if err == nil {
		c.value = checked
		if c.to != nil {
			*c.to = checked
		}
	}
	return err
}

// resolve finds the effective settings: flag over environment over file.
func resolve(flags *pflag.FlagSet) (*Settings, error) {
	file, err := readSettings()
	if err != nil {
		return nil, err
	}
	v := viper.New()
	if err := v.MergeConfigMap(file.values); err != nil {
		return nil, err
	}
	set := &Settings{}
	var found diag.List
	for _, s := range allSettings() {
		o, d := s.resolve(v, flags.Lookup(s.key), file)
		if d != nil {
			found = append(found, *d)
			continue
		}
		set.sources = append(set.sources, o)
	}
	if found != nil {
		return nil, found
	}
	set.adopt(term.ReadEnv(os.Getenv))
	return set, nil
}

// resolve finds one setting's value and its source.
func (s setting) resolve(v *viper.Viper, flag *pflag.Flag, file *fileSettings) (effective, *diag.Diagnostic) {
	v.SetDefault(s.key, s.initial)
	if err := v.BindEnv(s.key, s.env()); err != nil {
		return effective{}, &diag.Diagnostic{Code: InternalError, Message: err.Error()}
	}
	if flag != nil {
		if err := v.BindPFlag(s.key, flag); err != nil {
			return effective{}, &diag.Diagnostic{Code: InternalError, Message: err.Error()}
		}
	}
	o := effective{Key: s.key, Source: "default", Default: s.initial, Env: s.env()}
	switch {
	case flag != nil && flag.Changed:
		o.Source = "--" + s.key
	case os.Getenv(s.env()) != "":
		o.Source = s.env()
	case file.values[s.key] != nil:
		o.Source = settingsFile
	}
	value, err := s.check(fmt.Sprint(v.Get(s.key)))
	if err == nil {
		o.Value = value
		return o, nil
	}
	d := &diag.Diagnostic{Code: InvalidSetting, Hint: err.Error()}
	d.Message = fmt.Sprintf("%s is no value for %s", quote(v.GetString(s.key)), s.key)
	if o.Source == settingsFile {
		d.File, d.Pos = settingsFile, file.place(s.key)
	} else {
		d.Message = o.Source + ": " + d.Message
	}
	return o, d
}

// adopt turns the effective values into the settings' own types. The common
// variables for colour stand, like all variables, over the file.
func (s *Settings) adopt(env term.Env) {
	if o := s.from("color"); o.Source == settingsFile || o.Source == "default" {
		switch {
		case env.NoColor:
			o.Value, o.Source = term.Never.String(), "NO_COLOR"
		case env.ForceColor:
			o.Value, o.Source = term.Always.String(), "FORCE_COLOR"
		}
	}
	formats := map[string]Format{"text": Text, "json": JSON, "jsonl": JSONL}
	s.Format = formats[s.value("format")]
	s.Color, _ = term.ParseChoice(s.value("color"))
	s.ASCII = s.value("ascii") == "true"
	s.Explain = s.value("explain") == "true"
	// Values were checked, so an error can only leave the zero of a guess.
	s.Verbose, _ = strconv.Atoi(s.value("verbose"))
	s.Parallel, _ = strconv.Atoi(s.value("parallel"))
	s.NullAgent = s.value("null-agent") == "true"
	s.Strict = s.value("unreferenced") == "fail"
	s.Detail = s.value("detail")
	s.Threshold, _ = strconv.Atoi(s.value("coverage-threshold"))
}

func (s *Settings) from(key string) *effective {
	for i := range s.sources {
		if s.sources[i].Key == key {
			return &s.sources[i]
		}
	}
	return &effective{}
}

func (s *Settings) value(key string) string  { return s.from(key).Value }
func (s *Settings) source(key string) string { return s.from(key).Source }

// look is how streams are to look under the settings.
func (s *Settings) look() term.Options {
	return term.Options{Color: s.Color, ASCII: s.ASCII, Env: term.ReadEnv(os.Getenv), Width: columnsOf(os.Getenv("COLUMNS"))}
}

// widthLine is said of the width of all output.
const widthLine = "Text is as wide as the terminal. COLUMNS, from 20 to 1000, sets another width; without it and without a terminal, listings and tables are neither cut nor wrapped."

// columnsOf is a width asked for, 0 if none is.
func columnsOf(text string) int {
	const least, most = 20, 1000
	if n, err := strconv.Atoi(text); err == nil && least <= n && n <= most {
		return n
	}
	return 0
}

// guessSettings reads what it can from the arguments and the environment, for a
// command line that could not be understood: its faults are to be printed in the
// format asked for, too.
func guessSettings(args []string) Settings {
	set := Settings{}
	for _, s := range allSettings() {
		value := s.initial
		if checked, err := s.check(os.Getenv(s.env())); err == nil {
			value = checked
		}
		if checked, err := s.check(argument(args, s.key)); err == nil {
			value = checked
		}
		set.sources = append(set.sources, effective{Key: s.key, Value: value})
	}
	set.adopt(term.ReadEnv(os.Getenv))
	return set
}

// argument is the value of the last --name among the arguments.
func argument(args []string, name string) string {
	value := ""
	for i, a := range args {
		switch {
		case a == "--":
			return value
		case a == "--"+name && i+1 < len(args):
			value = args[i+1]
		case a == "--"+name:
			value = "true"
		case strings.HasPrefix(a, "--"+name+"="):
			value = a[len(name)+3:]
		}
	}
	return value
}
