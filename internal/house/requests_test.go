package house_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"harness/internal/suite"
	shipped "harness/scenarios"
)

// requestsPage lists what users of neighbouring tools asked for.
const requestsPage = "docs/requests.md"

// lastRequest is the highest number of that page.
const lastRequest = 51

// request is one row of the page, as it is written.
type request struct {
	line    int
	number  string   // R01
	sources []string // owner/repository#number
	need    string
	state   string
	tests   []string // what shows it: an archive, a Go test, or a shipped scenario
	missing string   // what is not there, and why
}

// readRequests gives the rows of the page. One with too few or too many cells is a
// fault: it could hold anything.
func readRequests(text string) ([]request, error) {
	var all []request
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !strings.HasPrefix(line, "| R") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 8 {
			return nil, fmt.Errorf("line %d: got %d cells, want 6", n, len(cells)-2)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, request{
			line: n, number: cells[1], sources: listed(cells[2]), need: cells[3],
			state: cells[4], tests: listed(cells[5]), missing: cells[6],
		})
	}
	return all, nil
}

// listed splits what commas divide; an empty cell lists nothing.
func listed(cell string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, ", ")
}

// issue is how a source is written.
var issue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.-]+/[\w.-]+#[1-9][0-9]*$`) })

// faults says what is wrong with a row by itself. A state is more than a word: what
// works has a test, and what does not has a reason.
func (r request) faults() []string {
	var found []string
	must := func(holds bool, fault string) {
		if !holds {
			found = append(found, fault)
		}
	}
	must(len(r.sources) > 0, "it has no source")
	for _, source := range r.sources {
		must(issue().MatchString(source), "the source "+source+" is no owner/repository#number")
	}
	must(r.need != "", "it says no need")
	tests, missing := len(r.tests) > 0, r.missing != ""
	switch r.state {
	case "works":
		must(tests, "it works, and no test shows it")
		must(!missing, "it works, and something is missing")
	case "in part":
		must(tests, "it works in part, and no test shows that part")
		must(missing, "it works in part, and does not say what is missing")
	case "not yet":
		must(!tests, "a test shows what does not work yet")
		must(missing, "it does not say why not yet")
	default:
		found = append(found, fmt.Sprintf("its state is %q, want works, in part or not yet", r.state))
	}
	return found
}

func TestRequests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, requestsPage))
	if err != nil {
		t.Fatal(err)
	}
	all, err := readRequests(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range misnumbered(all) {
		t.Errorf("%s: %s", requestsPage, fault)
	}
	ids := shippedIDs(t)
	for _, r := range all {
		found := r.faults()
		for _, test := range r.tests {
			if fault := r.unshown(test, ids); fault != "" {
				found = append(found, fault)
			}
		}
		for _, fault := range found {
			t.Errorf("%s:%d: %s: %s", requestsPage, r.line, r.number, fault)
		}
	}
}

// misnumbered says which numbers do not stand there once.
func misnumbered(all []request) []string {
	var found []string
	count := map[string]int{}
	for _, r := range all {
		count[r.number]++
	}
	for i := 1; i <= lastRequest; i++ {
		number := fmt.Sprintf("R%02d", i)
		if n := count[number]; n != 1 {
			found = append(found, fmt.Sprintf("%s stands there %d times, want once", number, n))
		}
		delete(count, number)
	}
	for _, r := range all {
		if count[r.number] > 0 {
			found = append(found, r.number+" is no number of a request")
		}
	}
	return found
}

// unshown says why a test that a row names does not show it.
func (r request) unshown(test string, ids map[string]bool) string {
	name := strings.Trim(test, "`")
	if test != "`"+name+"`" {
		return "the test " + test + " does not stand between backticks"
	}
	if strings.HasSuffix(name, ".txtar") {
		return r.unshownByArchive(name)
	}
	if folder, function, ok := strings.Cut(name, " "); ok {
		return unshownByGo(folder, function)
	}
	if !ids[name] {
		return "no archive, test or shipped scenario is " + name
	}
	return ""
}

// In the archive of the requests each has a part of its own, under its number.
func (r request) unshownByArchive(name string) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return "there is no archive " + name
	}
	if path.Base(name) != "requests.txtar" {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		numbers, _, ok := strings.Cut(line, ":")
		if ok && strings.HasPrefix(line, "# R") && slices.Contains(listed(numbers[len("# "):]), r.number) {
			return ""
		}
	}
	return name + " has no part for it"
}

// unshownByGo looks for a test among the test files of a package.
func unshownByGo(folder, test string) string {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		return err.Error()
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		if strings.Contains(string(text), "\nfunc "+test+"(") {
			return ""
		}
	}
	return folder + " has no test " + test
}

// shippedIDs is the ids of the scenarios that the program ships.
func shippedIDs(t *testing.T) map[string]bool {
	t.Helper()
	sources, found := suite.FromFS(shipped.FS, ".")
	if found.Failed() {
		t.Fatal(found)
	}
	list, found := suite.Load(sources)
	if found.Failed() {
		t.Fatal(found)
	}
	ids := make(map[string]bool, len(list))
	for _, s := range list {
		ids[s.ID] = true
	}
	return ids
}

// What the test of the page would not see, it would not hold.
func TestRequestsAreHeld(t *testing.T) {
	const archive = "`internal/cli/testdata/script/test.txtar`"
	ids := map[string]bool{"policy/one": true}
	for row, want := range map[string]string{
		"| R01 | a/b#1, c/d#22 | n | works | " + archive + " | |":                                     "",
		"| R01 | a/b#1 | n | in part | `policy/one` | the rest |":                                     "",
		"| R01 | a/b#1 | n | not yet | | later |":                                                     "",
		"| R01 | | n | not yet | | later |":                                                           "it has no source",
		"| R01 | #1 | n | not yet | | later |":                                                        "the source #1 is no owner/repository#number",
		"| R01 | a/b#1 | | not yet | | later |":                                                       "it says no need",
		"| R01 | a/b#1 | n | nearly | | later |":                                                      `its state is "nearly", want works, in part or not yet`,
		"| R01 | a/b#1 | n | works | | |":                                                             "it works, and no test shows it",
		"| R01 | a/b#1 | n | works | `policy/one` | the rest |":                                       "it works, and something is missing",
		"| R01 | a/b#1 | n | in part | `policy/one` | |":                                              "it works in part, and does not say what is missing",
		"| R01 | a/b#1 | n | not yet | `policy/one` | later |":                                        "a test shows what does not work yet",
		"| R01 | a/b#1 | n | works | policy/one | |":                                                  "the test policy/one does not stand between backticks",
		"| R01 | a/b#1 | n | works | `policy/two` | |":                                                "no archive, test or shipped scenario is policy/two",
		"| R01 | a/b#1 | n | works | `internal/cli/testdata/script/none.txtar` | |":                   "there is no archive internal/cli/testdata/script/none.txtar",
		"| R99 | a/b#1 | n | works | `internal/cli/testdata/script/requests.txtar` | |":               "internal/cli/testdata/script/requests.txtar has no part for it",
		"| R01 | a/b#1 | n | works | `internal/house TestRequests`, `internal/house TestNothing` | |": "internal/house has no test TestNothing",
	} {
		all, err := readRequests(row + "\n")
		if err != nil || len(all) != 1 {
			t.Errorf("%s: got %d rows and %v, want one", row, len(all), err)
			continue
		}
		found := all[0].faults()
		for _, test := range all[0].tests {
			if fault := all[0].unshown(test, ids); fault != "" {
				found = append(found, fault)
			}
		}
		if got := strings.Join(found, "; "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", row, got, want)
		}
	}
	if _, err := readRequests("| R01 | a/b#1 | n |\n"); err == nil {
		t.Error("a row of three cells is taken, want a fault")
	}
	twice := []request{{number: "R01"}, {number: "R01"}, {number: "R52"}}
	if got := misnumbered(twice); len(got) != lastRequest+1 || got[0] != "R01 stands there 2 times, want once" || got[lastRequest] != "R52 is no number of a request" {
		t.Errorf("R01 twice, R52, and no others: got %q", got)
	}
}
