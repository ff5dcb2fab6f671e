package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harness/internal/diag"
	"harness/internal/report"
)

// update rewrites what is generated. Commit a changed page or archive only if
// you know why it changed.
var update = flag.Bool("update", false, "rewrite generated pages and the expected parts of archives")

const docs = "../../docs"

// TestGeneratedPages holds the reference pages to the program.
func TestGeneratedPages(t *testing.T) {
	pages, err := codePages()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"commands.md": commandsPage(newRoot(newSession(nil, Streams{Out: io.Discard, Err: io.Discard}))),
		"codes.md":    codesPage(pages),
	} {
		path := filepath.Join(docs, name)
		if *update {
			if err := os.MkdirAll(docs, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, []byte(want)) {
			t.Errorf("docs/%s is stale: go test ./internal/cli -run TestGeneratedPages -update writes it", name)
		}
	}
}

// commandsPage is the reference of the command line.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n")
	b.WriteString("Generated from the program by `go test ./internal/cli -run TestGeneratedPages -update`.\n\n")
	b.WriteString(root.Long + "\n\n")
	for _, group := range root.Groups() {
		b.WriteString("**" + group.Title + "**\n\n| command | what it does |\n|---|---|\n")
		for _, v := range verbs(root, group.ID) {
			fmt.Fprintf(&b, "| [`%s`](#harness-%s) | %s |\n", v.name, v.name, cell(v.text))
		}
		b.WriteByte('\n')
	}
	b.WriteString("## Exit codes\n\nThe same for every command.\n\n| code | means |\n|---|---|\n")
	for _, e := range Exits() {
		fmt.Fprintf(&b, "| %d | %s |\n", e, cell(e.Means()))
	}
	b.WriteString("\n## Settings\n\nA flag stands over its variable, which stands over the key of the same name in\n`harness.yaml` in the working directory.\n\n")
	b.WriteString("| flag | variable | key | values | default | what it says |\n|---|---|---|---|---|---|\n")
	for _, s := range allSettings() {
		fmt.Fprintf(&b, "| `--%s` | `%s` | `%s` | %s | %s | %s |\n", s.key, s.env(), s.key, s.values(), s.initial, cell(s.use))
	}
	b.WriteString("\n" + reflow(widthLine))
	b.WriteString("\nThe examples below work in a folder that holds a scenario of your own, and two recorded runs:\n\n```console\n$ harness new --from workflow/sum sum.yaml\n$ harness run sum.yaml --format json > before.json\n$ harness run sum.yaml --format json > after.json\n```\n")
	for _, c := range root.Commands() {
		if !c.Hidden {
			b.WriteString(commandSection(c))
		}
	}
	return b.String()
}

func commandSection(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## harness %s\n\n%s.\n\n", c.Name(), c.Short)
	fmt.Fprintf(&b, "```text\n%s\n```\n\n", c.UseLine())
	if c.Long != "" {
		b.WriteString(c.Long + "\n\n")
	}
	if line := linesSentence(c); line != "" {
		b.WriteString(line + "\n\n")
	}
	fmt.Fprintf(&b, "```console\n$ %s\n```\n", c.Example)
	var rows strings.Builder
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		for _, r := range flagRows(only(f)) {
			fmt.Fprintf(&rows, "| `%s` | %s |\n", r.name, cell(r.text))
		}
	})
	if rows.Len() > 0 {
		b.WriteString("\n| flag | what it does |\n|---|---|\n" + rows.String())
	}
	return b.String()
}

// only is a set of one flag.
func only(f *pflag.Flag) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.AddFlag(f)
	return set
}

// codesPage is the reference of the codes.
func codesPage(pages []report.CodePage) string {
	var b strings.Builder
	b.WriteString("# Codes\n\n")
	b.WriteString("Generated from the program by `go test ./internal/cli -run TestGeneratedPages -update`.\n")
	b.WriteString("`harness explain CODE` prints one of these.\n")
	for _, class := range []diag.Class{diag.Rejection, diag.Stop, diag.Wait, diag.Input, diag.Note} {
		section := ""
		for _, p := range pages {
			if p.Code.Class == class {
				section += codeSection(p)
			}
		}
		if section != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n%s", class, classMeans(class), section)
		}
	}
	return b.String()
}

func classMeans(c diag.Class) string {
	switch c {
	case diag.Rejection:
		return "Refuses one action, which is not carried out, and obeys `task.onRejection`."
	case diag.Stop:
		return "Ends the run, or keeps a command from completing."
	case diag.Wait:
		return "Needs a person before the run can go on."
	case diag.Input:
		return "A fault of a file, a flag or an argument: nothing was run."
	default:
		return "Informs, and changes nothing."
	}
}

func codeSection(p report.CodePage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s\n\nDo: %s\n", p.Code.Name, p.Code.Means, p.Code.Do)
	var facts []string
	if p.Code.Gate != "" {
		facts = append(facts, "gate `"+string(p.Code.Gate)+"`")
	}
	if p.Code.Retry != "" {
		facts = append(facts, "retry `"+string(p.Code.Retry)+"`")
	}
	if p.Scenario != "" {
		facts = append(facts, "shown by `"+p.Scenario+"`")
	}
	if len(facts) > 0 {
		b.WriteString("\n" + strings.Join(facts, " · ") + "\n")
	}
	return b.String()
}

// cell keeps text from ending a table's cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
