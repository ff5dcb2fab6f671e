package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// wantedReport is a report that was asked for.
type wantedReport struct {
	kind report.Kind
	path string // "" is standard output
}

func reportNames() []string {
	var names []string
	for _, k := range report.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// readReports reads KIND=PATH, and KIND alone for what belongs on standard output.
func readReports(texts []string, format Format) ([]wantedReport, error) {
	var list []wantedReport
	var found diag.List
	paths := map[string]bool{}
	for _, text := range texts {
		name, path, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(report.Kinds(), func(k report.Kind) bool { return k.Name == name })
		fault, hint := "", "write --report junit=out/junit.xml"
		switch {
		case i < 0:
			fault, hint = quote(name)+" is no kind of report", hintNear(name, reportNames(), "want one of "+strings.Join(reportNames(), ", "))
		case path == "" && report.Kinds()[i].Extension != "":
			fault = name + " needs a path"
		case path == "" && format != Text:
			fault, hint = name+" belongs on standard output, which is taken by --format", "write --report "+name+"=PATH"
		case path == "-":
			fault, hint = name+" belongs in a file: standard output is taken by the result", "harness test --format json prints the result itself as JSON"
		case slices.Contains([]string{".yaml", ".yml", ".golden"}, strings.ToLower(filepath.Ext(path))):
			fault, hint = quote(path)+" is named like a scenario or a golden", "write --report junit=out/junit.xml"
		case path != "" && paths[filepath.Clean(path)]:
			fault, hint = quote(path)+" is named for two reports", "give each a file of its own"
		default:
			paths[filepath.Clean(path)] = path != ""
			list = append(list, wantedReport{report.Kinds()[i], path})
			continue
		}
		found = append(found, diag.Diagnostic{Code: InvalidFlag, Message: "--report: " + fault, Hint: hint})
	}
	return list, found.Err()
}

// tell writes the reports, prints the result, and gives what the test earned.
func (t *tested) tell() error {
	if t.NoFail {
		t.session.Notes = append(t.session.Notes, "--no-fail: failures leave the exit code at 0")
	}
	earned := t.exit()
	t.session = t.session.Disclose(report.Disclosure(t.set.Detail))
	if err := t.print(); err != nil {
		return err
	}
	if err := t.writeReports(t.allReports()); err != nil {
		return err
	}
	return earned
}

// print prints the result in the session's format.
func (t *tested) print() error {
	switch t.set.Format {
	case JSON:
		return report.WriteSessionJSON(t.out, t.session)
	case JSONL:
		return report.WriteSessionJSONL(t.out, t.session)
	}
	out := t.stdout()
	d := report.TestDetail{
		Quiet: t.Quiet, Passes: t.set.Verbose > 0, Why: t.set.Detail == "full", Reds: t.set.Verbose > 0 || t.set.Explain, All: t.set.Verbose > 1 || t.set.Verbose > 0 && len(t.session.Cases) == 1, Run: report.Detail{Explain: t.set.Explain, Verbose: t.set.Verbose > 1},
	}
	return report.WriteSession(out, t.session, d)
}

// allReports are those that were asked for, and those that belong to a job.
func (t *tested) allReports() []wantedReport {
	if !inGitHub() || t.set.Format != Text {
		return t.reports
	}
	return append(slices.Clone(t.reports), t.githubReports()...)
}

// writeReports writes every report of a list, all or nothing each. One that
// fails keeps none of the others from being written.
func (t *tested) writeReports(list []wantedReport) error {
	var lost diag.List
	for _, r := range list {
		var b bytes.Buffer
		err := r.kind.Write(&b, t.session)
		switch {
		case err != nil:
		case r.path == "":
			t.unquote()
			_, err = io.Copy(t.out, &b)
		case r.path == os.Getenv(stepSummary) && r.kind.Name == "md":
			err = appendFile(r.path, b.Bytes())
		default:
			err = suite.WriteFile(r.path, b.Bytes())
		}
		if err != nil {
			lost = append(lost, diag.Diagnostic{File: r.path, Code: WriteFailed, Message: plain(err)})
		}
	}
	return lost.Err()
}

// stepSummary names the file that GitHub shows below a step.
const stepSummary = "GITHUB_STEP_SUMMARY"

// githubReports are those that belong to a step of GitHub, unless they were asked for.
func (t *tested) githubReports() []wantedReport {
	var list []wantedReport
	for _, k := range report.Kinds() {
		path := ""
		switch asked := slices.ContainsFunc(t.reports, func(r wantedReport) bool { return r.kind.Name == k.Name }); {
		case k.Name == "github" && !asked:
		case k.Name == "md" && os.Getenv(stepSummary) != "":
			path = os.Getenv(stepSummary)
		default:
			continue
		}
		list = append(list, wantedReport{k, path})
	}
	return list
}

// appendFile adds to a file that other steps have written to.
func appendFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// readExcuses reads a file of kind Excuses; nil if none is named.
func (s *session) readExcuses(name string) (*scenarios.Excuses, error) {
	if name == "" {
		return nil, nil
	}
	data, err := readRegular(name, scenarios.MaxSize)
	if err != nil {
		return nil, diag.List{{File: name, Code: InputUnreadable, Message: plain(err)}}
	}
	excuses, found := scenarios.ParseExcuses(name, data)
	return excuses, found.Err()
}
