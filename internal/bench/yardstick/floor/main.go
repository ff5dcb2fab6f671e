// Command floor links what harness links, makes one of each, parses one scenario
// file given as its argument, and does nothing else: the cost of the libraries.
package main

import (
	"fmt"
	"os"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/fatih/color"
	"github.com/go-playground/validator/v10"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/sergi/go-diff/diffmatchpatch"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v4"
	"golang.org/x/term"
	"golang.org/x/text/width"
)

// settings is checked once, so that the validator has worked.
type settings struct {
	ID string `validate:"required"`
}

func main() {
	root := &cobra.Command{Use: "floor", Args: cobra.ExactArgs(1), RunE: run}
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}

func run(_ *cobra.Command, args []string) error {
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return err
	}
	config := viper.New()
	config.SetDefault("format", "text")
	if err := validator.New().Struct(settings{ID: config.GetString("format")}); err != nil {
		return err
	}
	text, err := (&jsonschema.Schema{Type: "string"}).Resolve(nil)
	if err != nil {
		return err
	}
	diff := diffmatchpatch.New()
	diff.DiffTimeout = 0
	bold := color.New(color.Bold)
	bold.DisableColor()
	_, err = fmt.Println(bold.Sprint("ok"), document.Kind, len(diff.DiffMain("a", "b", false)),
		doublestar.MatchUnvalidated("src/**", args[0]), graphemes.FromString("ok").Next(),
		width.LookupRune('o').Kind(), text.Validate("ok"), term.IsTerminal(int(os.Stdout.Fd())))
	return err
}
