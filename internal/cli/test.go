package cli

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"harness/internal/coverage"
	"harness/internal/diag"
	"harness/internal/report"
	"harness/internal/scenarios"
	"harness/internal/suite"
)

// TestOptions says what to test and how.
type TestOptions struct {
	*session
	Paths []string

	Run, Skip string
	Tags      []string
	Rerun     string // "" for all
	List      bool

	FailFast bool
	MaxFails int
	Timeout  time.Duration
	Shuffle  string // "" keeps the order of the paths
	Repeat   int

	Update         string // "" writes no golden
	RequireGoldens bool
	Reports        []string
	Quiet          bool
	Coverage       bool
	Excuses        string // a file
	AllowEmpty     bool
	AllowXPass     bool
	NoFail         bool

	chosen  suite.Selection
	reports []wantedReport
	seed    uint64
}

func newTest(s *session, run func(*TestOptions) error) *cobra.Command {
	if run == nil {
		run = runTest
	}
	o := &TestOptions{session: s}
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Test scenarios: expectations, goldens, reports, coverage",
		Long: `PATH is what run takes. A scenario is held to its expect: block and to the golden
beside it; one that has neither is an error. Everything is loaded before anything is
run, and results stand in the order of the paths whatever ran first.`,
		Example:     "harness test sum.yaml",
		GroupID:     work,
		Annotations: map[string]string{hasLines: "each case, and then the session, one a line"},
		Args:        arguments(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Paths = args
			return run(o)
		},
	}
	o.bindSelection(cmd)
	o.bindWork(cmd)
	bindSettings(cmd, ofRuns, ofSuites, ofTests)
	return cmd
}

func (o *TestOptions) bindSelection(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Run, "run", "", "only ids that match the regular expression `RE`")
	f.StringVar(&o.Skip, "skip", "", "no ids that match the regular expression `RE`")
	f.StringArrayVar(&o.Tags, "tag", nil, "only scenarios with `TAGS`: a,!b is with a and without b; of several flags one has to hold")
	f.Var(&choice{setting: setting{choices: []string{"failed", "error", "new"}}, to: &o.Rerun}, "rerun", "only what failed, or was an error, in the last test of this folder; new and changed scenarios belong to every rerun")
	f.BoolVarP(&o.List, "list", "l", false, "list what is chosen, and run nothing")
	f.BoolVar(&o.AllowEmpty, "allow-empty", false, "nothing chosen is no fault")
}

func (o *TestOptions) bindWork(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.FailFast, "fail-fast", false, "skip the rest after the first red case, like --max-fails 1")
	f.IntVar(&o.MaxFails, "max-fails", 0, "skip the rest after `N` red cases; 0 is never")
	f.DurationVar(&o.Timeout, "timeout", 0, "stop after so long (90s, 10m), as an interrupt does; 0 is never")
	f.StringVar(&o.Shuffle, "shuffle", "", "run in an order that `SEED` decides; alone, in one of its own choice, which is printed")
	f.Lookup("shuffle").NoOptDefVal = "random"
	f.IntVar(&o.Repeat, "repeat", 1, "run each scenario `N` times; the traces must be the same bytes")
	f.VarP(&choice{setting: setting{choices: []string{"failing", "new"}}, to: &o.Update}, "update", "u", "write the goldens of chosen cases: those that differ or are all a case lacks, or with =new only what is missing; refused where CI is set")
	f.Lookup("update").NoOptDefVal = "failing"
	f.BoolVar(&o.RequireGoldens, "require-goldens", false, "a scenario without a golden fails, whatever it expects")
	f.StringArrayVar(&o.Reports, "report", nil, "write a report too, `KIND=PATH`, as often as wanted; kinds: "+strings.Join(reportNames(), ", "))
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "print the last line only")
	f.BoolVar(&o.Coverage, "coverage", false, "measure how much of the boundary the chosen scenarios exercise")
	f.StringVar(&o.Excuses, "excuses", "", "`FILE` of kind Excuses: points of the coverage that need not be shown, each with its reason")
	f.BoolVar(&o.AllowXPass, "allow-xpass", false, "a scenario that passes although it says that it fails is no failure")
	f.BoolVar(&o.NoFail, "no-fail", false, "failures leave the exit code at 0, and the result says so; errors do not")
}

// check reads what the flags say.
func (o *TestOptions) check() error {
	var err error
	var found diag.List
	fault := func(hint, format string, args ...any) {
		found = append(found, diag.Diagnostic{Code: InvalidFlag, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for _, re := range []struct {
		flag, text string
		to         **regexp.Regexp
	}{{"run", o.Run, &o.chosen.Run}, {"skip", o.Skip, &o.chosen.Skip}} {
		if re.text == "" {
			continue
		}
		if *re.to, err = regexp.Compile(re.text); err != nil {
			fault("", "--%s: %v", re.flag, err)
		}
	}
	for _, text := range o.Tags {
		tags, err := suite.ParseTags(text)
		if err != nil {
			fault("write --tag a,!b", "--tag: %v", err)
		}
		o.chosen.Tags = append(o.chosen.Tags, tags)
	}
	if o.MaxFails < 0 || o.Repeat < 1 || o.Timeout < 0 {
		fault("", "--max-fails and --timeout are at least 0, --repeat at least 1")
	}
	if o.FailFast {
		o.MaxFails = 1
	}
	if o.seed, err = seedOf(o.Shuffle); err != nil {
		fault("write --shuffle, or --shuffle=N with a number from 0 on", "--shuffle: %v", err)
	}
	if o.reports, err = readReports(o.Reports, o.set.Format); err != nil {
		found = append(found, asList(err)...)
	}
	return found.Err()
}

// seedOf is the seed of --shuffle.
func seedOf(text string) (uint64, error) {
	switch text {
	case "":
		return 0, nil
	case "random":
		var b [4]byte
		_, err := rand.Read(b[:])
		return uint64(binary.LittleEndian.Uint32(b[:])), err
	default:
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is no seed", quote(text))
		}
		return seed, nil
	}
}

func runTest(o *TestOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	o.stopping = new(atomic.Bool)
	if o.Timeout > 0 {
		defer time.AfterFunc(o.Timeout, func() { o.stopping.Store(true) }).Stop()
	}
	excuses, err := o.readExcuses(o.Excuses)
	if err != nil {
		return err
	}
	all, sources, err := o.loadSources(o.Paths)
	if errors.As(err, new(emptySelection)) && o.AllowEmpty {
		return o.nothing(nil)
	}
	if err != nil {
		return o.notRun(err)
	}
	if err := o.spares(sources); err != nil {
		return err
	}
	memory, err := o.remember(all, sources)
	if err != nil {
		return err
	}
	chosen := o.chosen.Choose(all)
	if o.Shuffle != "" {
		chosen = suite.Shuffle(chosen, o.seed)
	}
	switch {
	case len(chosen) == 0:
		return o.nothing(all)
	case o.List:
		return o.listChosen(chosen)
	}
	t := &tested{TestOptions: o, all: all, sources: sources, session: &report.Session{
		Version: built().Version, Files: countFiles(all), Found: len(all), Selected: len(chosen), Filter: o.chosen.String(), Order: "path",
	}}
	if o.Repeat > 1 {
		t.session.Repeat = o.Repeat
	}
	if o.Shuffle != "" {
		t.session.Order = "shuffle=" + strconv.FormatUint(o.seed, 10)
	}
	t.run(chosen)
	if err := t.goldens(); err != nil {
		return err
	}
	if err := t.measure(excuses); err != nil {
		return err
	}
	t.remember(memory)
	return t.tell()
}

// remember reads what the last test of this folder came to, for --rerun. Without it
// a memory that cannot be read is nothing to stop for.
func (o *TestOptions) remember(all []*scenarios.Scenario, sources []suite.Source) (*suite.Memory, error) {
	path, err := memoryPath()
	var memory *suite.Memory
	if err == nil {
		memory, err = suite.ReadMemory(path)
	}
	if o.Rerun == "" {
		return memory, nil
	}
	if err != nil {
		return nil, diag.List{{File: path, Code: MemoryUnreadable, Message: plain(err)}}
	}
	o.chosen.Rerun, o.chosen.IDs = o.Rerun, memory.Rerun(o.Rerun, all, suite.Digests(sources))
	return memory, nil
}

func memoryPath() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return suite.MemoryPath(folder)
}

// nothing is what comes of a selection that is empty.
func (o *TestOptions) nothing(all []*scenarios.Scenario) error {
	said := "no scenario of " + strconv.Itoa(len(all)) + " is chosen by " + o.chosen.String()
	if len(all) == 0 {
		said = "no scenario in " + clip(strings.Join(o.Paths, ", "))
	}
	if o.AllowEmpty {
		o.note("%s", said)
		if o.List {
			return o.listChosen(nil)
		}
		return (&tested{TestOptions: o, all: all, session: &report.Session{
			Version: built().Version, Found: len(all), Filter: o.chosen.String(), Order: "path", Notes: []string{said},
		}}).tell()
	}
	return o.notRun(emptySelection{diag.List{{Code: suite.NothingSelected, Message: said, Hint: o.nearest(all)}}})
}

// spares refuses reports that would take the place of what is tested.
func (o *TestOptions) spares(sources []suite.Source) error {
	inputs := map[string]bool{}
	for i := range sources {
		for _, name := range append(sources[i].Includes(), sources[i].Name) {
			inputs[filepath.Clean(name)] = true
		}
	}
	for _, r := range o.reports {
		if inputs[filepath.Clean(r.path)] {
			return usage(InvalidFlag, "write --report junit=out/junit.xml", "--report: %s is tested, and would be overwritten", quote(r.path))
		}
	}
	return nil
}

// notRun writes the reports of a test that could not begin, so that none of an earlier
// one is taken for its own.
func (o *TestOptions) notRun(err error) error {
	s := &report.Session{Version: built().Version, Filter: o.chosen.String(), Order: "path"}
	for _, d := range asList(err) {
		if !d.IsNote() {
			s.Failures = append(s.Failures, d.Error())
		}
	}
	t := &tested{TestOptions: o, session: s}
	var list []wantedReport
	for _, r := range t.allReports() {
		if r.path != "" { // the annotations of faults are printed with them
			list = append(list, r)
		}
	}
	if lost := t.writeReports(list); lost != nil {
		return append(asList(err), asList(lost)...)
	}
	return err
}

// nearest is a hint at ids or tags like those that were asked for.
func (o *TestOptions) nearest(all []*scenarios.Scenario) string {
	var ids, tags []string
	for _, s := range all {
		ids = append(ids, s.ID, filepath.Base(s.ID))
		tags = append(tags, s.Tags...)
	}
	for _, text := range o.Tags {
		for tag := range strings.SplitSeq(text, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "!")
			if near := diag.Nearest(tag, tags); near != "" && !slices.Contains(tags, tag) {
				return "did you mean --tag " + near + "?"
			}
		}
	}
	if near := diag.Nearest(o.Run, ids); o.Run != "" && near != "" {
		return "did you mean --run " + near + "?"
	}
	if o.Rerun != "" {
		return "in the last test of this folder nothing of that kind is left, and nothing is new or changed; leave --rerun out to test all"
	}
	return "harness list PATH prints ids and tags"
}

func (o *TestOptions) listChosen(chosen []*scenarios.Scenario) error {
	if o.set.Format == Text {
		return report.WriteList(o.stdout(), chosen)
	}
	return o.printJSON(report.ListDocument(chosen))
}

// countFiles counts the files that scenarios stand in; what they include is none.
func countFiles(list []*scenarios.Scenario) int {
	names := map[string]bool{}
	for _, s := range list {
		names[filepath.Clean(s.File)] = true
	}
	return len(names)
}

// suiteWorkers is how many scenarios run at the same time.
func (s *session) suiteWorkers() int {
	if s.set.Parallel > 0 {
		return s.set.Parallel
	}
	return runtime.GOMAXPROCS(0)
}

// tested is a test as it goes on.
type tested struct {
	*TestOptions
	all     []*scenarios.Scenario
	sources []suite.Source
	session *report.Session
}

// run runs the cases.
func (t *tested) run(chosen []*scenarios.Scenario) {
	live := t.counter(len(chosen))
	how := suite.Test{
		Workers: t.suiteWorkers(), Goldens: true, Repeat: t.Repeat, MaxFails: t.MaxFails,
		NullAgent: t.set.NullAgent, Require: t.RequireGoldens, Slim: t.slim(len(chosen)), Stop: t.stopping.Load, Progress: live.show,
	}
	cases, whole := how.Run(chosen)
	live.end()
	t.session.Cases, t.session.Interrupted = cases, !whole
	if t.AllowXPass {
		t.allowXPass()
	}
}

// slim reports whether nothing is shown of the runs of cases that pass.
func (t *tested) slim(n int) bool {
	return t.set.Format == Text && t.set.Verbose == 0 && len(t.reports) == 0 && n > report.CasesFew &&
		!t.Coverage && t.Excuses == "" && t.set.Threshold == 0 && t.Update == "" && !inGitHub()
}

// allowXPass makes passes of those that pass against their word, and names them.
func (t *tested) allowXPass() {
	var ids []string
	for i := range t.session.Cases {
		if c := &t.session.Cases[i]; c.Verdict == report.XPass {
			c.Verdict, c.Findings = report.Pass, nil
			ids = append(ids, c.Scenario.ID)
		}
	}
	if len(ids) > 0 {
		t.session.Notes = append(t.session.Notes, "--allow-xpass: passed although they say that they fail: "+strings.Join(ids, ", "))
	}
}

// goldens writes goldens if that is asked for, and finds those that nobody owns.
func (t *tested) goldens() error {
	how := map[string]suite.Update{"failing": suite.UpdateFailing, "new": suite.UpdateNew}[t.Update]
	if how != 0 {
		if t.session.Interrupted {
			t.session.Notes = append(t.session.Notes, "no golden was written: the test was cut short")
		} else {
			wrote, err := suite.WriteGoldens(how, t.session.Cases)
			t.session.Wrote = wrote
			if err != nil {
				return goldenFault(err)
			}
		}
	}
	if err := t.unreferenced(); err != nil {
		return err
	}
	if n := len(t.session.Unreferenced); t.set.Strict && n > 0 {
		t.session.Strict = true
		t.fail("goldens that belong to no scenario: " + strings.Join(t.session.Unreferenced, ", "))
	}
	return nil
}

// unreferenced notes the goldens that belong to no scenario: in the folders that were
// named, and beside the files.
func (t *tested) unreferenced() error {
	owned, walked := suite.GoldensOf(t.all), map[string]bool{}
	note := func(at string, in func(string, map[string]bool) ([]string, error)) error {
		left, err := in(at, owned)
		if err != nil {
			return diag.List{{File: at, Code: suite.GoldenUnreadable, Message: plain(err)}}
		}
		for _, name := range left {
			if name = filepath.ToSlash(filepath.Clean(name)); !slices.Contains(t.session.Unreferenced, name) {
				t.session.Unreferenced = append(t.session.Unreferenced, name)
			}
		}
		return nil
	}
	for _, p := range t.Paths {
		if kind, err := os.Stat(p); err == nil && kind.IsDir() {
			walked[filepath.Clean(p)] = true
			if err := note(p, suite.UnreferencedGoldens); err != nil {
				return err
			}
		}
	}
	for i := range t.sources {
		if s := &t.sources[i]; s.Whole() && !isBelow(s.Name, walked) {
			if err := note(s.Name, suite.UnreferencedBeside); err != nil {
				return err
			}
		}
	}
	return nil
}

// isBelow reports whether a file lies in one of some folders, however deep.
func isBelow(name string, folders map[string]bool) bool {
	for at := filepath.Clean(name); ; {
		up := filepath.Dir(at)
		if folders[up] {
			return true
		}
		if up == at || up == "." {
			return folders["."] && !filepath.IsAbs(name)
		}
		at = up
	}
}

func goldenFault(err error) error {
	if errors.Is(err, suite.ErrUpdateInCI) {
		return usage(suite.UpdateRefused, "update them on your machine and commit the change", "%v", err)
	}
	return diag.List{{Code: suite.GoldenUnreadable, Message: err.Error()}}
}

// measure measures the coverage.
func (t *tested) measure(excuses *scenarios.Excuses) error {
	if !t.Coverage && t.set.Threshold == 0 && excuses == nil {
		return nil
	}
	c := coverage.New(scenarios.RunCodes())
	for i := range t.session.Cases {
		c.Add(t.session.Cases[i].Scenario, t.session.Cases[i].Result)
	}
	measured := c.Report()
	t.session.Coverage = measured
	var unneeded []coverage.Unneeded
	if excuses != nil {
		unneeded = measured.ExcuseAll(excuses.Coverage)
	}
	for _, e := range unneeded {
		why := "it is shown"
		if !e.Seen {
			why = "there is no such point"
			if near := diag.Nearest(e.ID, measured.IDs()); near != "" {
				why += "; did you mean " + near + "?"
			}
		}
		t.fail(excuses.File + ":" + strconv.Itoa(e.Pos.Line) + ": the excuse for " + e.ID + " is not needed: " + why)
	}
	if !measured.All.Reaches(float64(t.set.Threshold)) {
		t.fail(fmt.Sprintf("coverage is %.1f %%, below the threshold of %d %%", measured.All.Percent(), t.set.Threshold))
	}
	return nil
}

// fail notes a failure beside the cases.
func (t *tested) fail(text string) { t.session.Failures = append(t.session.Failures, text) }

// remember keeps the verdicts for --rerun. A test that was cut short says nothing
// about what it did not come to, and is not kept.
func (t *tested) remember(memory *suite.Memory) {
	if memory == nil || t.session.Interrupted {
		return
	}
	path, err := memoryPath()
	if err == nil {
		memory.Note(t.session.Cases, suite.Digests(t.sources))
		err = memory.Write(path)
	}
	if err != nil {
		t.note("--rerun will not know of this test: %s", plain(err))
	}
}

// exit is what the test earned.
func (t *tested) exit() error {
	err := verdict(t.session.Cases)
	errors := slices.ContainsFunc(t.session.Cases, func(c report.Case) bool { return c.Verdict == report.Error })
	switch {
	case t.session.Interrupted, t.NoFail && errors:
		return said(CouldNotComplete)
	case t.NoFail:
		return nil
	case len(t.session.Failures) > 0:
		return said(ScenarioFailed)
	}
	return err
}
