package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"harness/internal/scenarios"
	"harness/internal/suite"
	shippedsuite "harness/scenarios"
)

// NewOptions says which shipped scenario to copy, and where to.
type NewOptions struct {
	*session
	From  string
	File  string // "" is standard output
	Kit   bool
	Force bool
}

func newNew(s *session, run func(*NewOptions) error) *cobra.Command {
	if run == nil {
		run = runNew
	}
	o := &NewOptions{session: s}
	cmd := &cobra.Command{
		Use:   "new --from ID [FILE]",
		Short: "Copy a shipped scenario out of the program, to be changed",
		Long: `Writes FILE, or prints if none is named. Of a file with several cases only the one
named by ID is taken. Nothing is overwritten without --force. With --kit the folder of
FILE gets what a repository of scenarios needs: the schema for editors, a .gitattributes
that keeps goldens as they are, and a job for CI.`,
		Example: "harness new --from workflow/sum my.yaml",
		GroupID: work,
		Args:    arguments(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.File = args[0]
			}
			return run(o)
		},
	}
	cmd.Flags().StringVar(&o.From, "from", "", "the `ID` of a shipped scenario, as harness list prints it")
	cmd.Flags().BoolVar(&o.Kit, "kit", false, "write the schema, .gitattributes and a CI job beside FILE, and the folder if there is none")
	cmd.Flags().BoolVar(&o.Force, "force", false, "overwrite files")
	offer(cmd, "from", shippedIDs)
	return cmd
}

func runNew(o *NewOptions) error {
	if o.From == "" {
		return usage(Usage, "harness list prints the ids of the shipped scenarios", "new needs --from ID")
	}
	text, err := standAlone(o.From)
	if err != nil {
		return err
	}
	if o.File == "" || o.File == "-" {
		if o.Kit {
			return usage(Usage, "name a FILE", "--kit writes files, and needs a place for them")
		}
		_, err := o.out.Write(text)
		return err
	}
	if ext := strings.ToLower(filepath.Ext(o.File)); ext != ".yaml" && ext != ".yml" {
		return usage(Usage, "name it "+strings.TrimSuffix(o.File, filepath.Ext(o.File))+".yaml", "a scenario is read from a .yaml file, and %s is none", quote(o.File))
	}
	if o.Kit {
		return o.writeKit(text)
	}
	if err := o.write(o.File, text); err != nil {
		return err
	}
	o.note("wrote %s; give it an id of its own if it is run together with another copy", o.File)
	o.note("next:")
	o.note("  harness run %s", o.File)
	o.note("  harness schema scenario > %s   # completion in an editor", filepath.Join(filepath.Dir(o.File), schemaFile))
	return nil
}

// write makes a file. Without --force it must not exist, even if it appears in this
// moment.
func (o *NewOptions) write(name string, text []byte) error {
	mode := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if o.Force {
		mode = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, mode, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usage(FileExists, "choose another name, or give --force", "%s exists", name)
	}
	if err != nil {
		return writeFailed(name, err)
	}
	_, err = f.Write(text)
	return writeFailed(name, errors.Join(err, f.Close()))
}

// schemaFile is the schema's name beside a scenario that was taken out.
const schemaFile = "scenario" + schemaSuffix

// standAlone is the text of a shipped scenario as a file of its own.
func standAlone(id string) ([]byte, error) {
	list, err := shipped(".")
	if err != nil {
		return nil, err
	}
	one, err := pick(list, id)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(shippedsuite.FS, one.File)
	if err != nil {
		return nil, err
	}
	text = ownModeline(text)
	if one.Case == "" {
		return text, nil
	}
	return onlyCase(text, one), nil
}

// ownModeline points the editor to a schema beside the file.
func ownModeline(text []byte) []byte {
	const modeline = "# yaml-language-server: $schema="
	if !bytes.HasPrefix(text, []byte(modeline)) {
		return text
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return append([]byte(modeline+schemaFile+"\n"), rest...)
}

// onlyCase leaves out the other cases of a file. The result must load as the one
// scenario; a file laid out in some other way is kept whole.
func onlyCase(text []byte, one *scenarios.Scenario) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	first := one.Pos.Line - 1
	if first < 1 || first >= len(lines) {
		return text
	}
	head := first
	for head > 0 && !bytes.HasPrefix(lines[head-1], []byte("cases:")) {
		head--
	}
	dash := bytes.IndexByte(lines[first], '-')
	if head == 0 || dash < 0 {
		return text
	}
	end := first + 1
	for end < len(lines) && belongs(lines[end], dash) {
		end++
	}
	cut := bytes.Join(append(append([][]byte{}, lines[:head]...), lines[first:end]...), nil)
	list, found := suite.Load([]suite.Source{{Name: one.File, Data: cut}})
	if found.Failed() || len(list) != 1 || list[0].ID != one.ID {
		return text
	}
	return cut
}

// belongs reports whether a line belongs to the list item whose dash stands in
// this column: it is empty, or indented deeper.
func belongs(line []byte, dash int) bool {
	rest := strings.TrimLeft(string(line), " ")
	return strings.TrimSpace(rest) == "" || len(line)-len(rest) > dash
}
