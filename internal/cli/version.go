package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// VersionOptions has no choices of its own.
type VersionOptions struct {
	*session
}

// versionDocument is what the program was built from, for programs.
type versionDocument struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Version    string `json:"version"`
	Revision   string `json:"revision,omitempty"`
	Modified   bool   `json:"modified,omitempty"`
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

func newVersion(s *session, run func(*VersionOptions) error) *cobra.Command {
	if run == nil {
		run = runVersion
	}
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version and what it was built from",
		Example: "harness version --format json",
		GroupID: program,
		Args:    arguments(0, 0),
		RunE:    func(*cobra.Command, []string) error { return run(&VersionOptions{session: s}) },
	}
}

func runVersion(o *VersionOptions) error {
	v := built()
	if o.set.Format == JSON {
		return o.printJSON(v)
	}
	fmt.Fprintf(o.out, "harness %s %s %s\n", v.Version, v.Go, v.Platform)
	if v.Revision != "" {
		state := "unmodified"
		if v.Modified {
			state = "modified"
		}
		fmt.Fprintf(o.out, "built from %s, %s\n", v.Revision, state)
	}
	return nil
}

// built reads what the linker recorded. A program built without a module's
// version calls itself "devel".
func built() versionDocument {
	v := versionDocument{
		APIVersion: apiVersion, Kind: "Version", Version: "devel",
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if named := build.Main.Version; named != "" && named != "(devel)" {
		v.Version = named
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
