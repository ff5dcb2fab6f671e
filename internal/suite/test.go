package suite

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"harness/internal/model"
	"harness/internal/report"
	"harness/internal/runner"
	"harness/internal/scenarios"
	"harness/internal/strictjson"
	"harness/internal/textdiff"
	"harness/internal/tools"
)

// Test says how scenarios are put to the test. The zero value runs each once, on
// one worker, and compares nothing but what they expect.
type Test struct {
	Workers   int
	Goldens   bool // compares the goldens beside the scenarios
	Repeat    int  // runs of each scenario, whose traces must be the same bytes
	MaxFails  int  // red cases after which the rest is skipped; 0 is no limit
	NullAgent bool // a scenario must fail for an agent that finishes at once
	Require   bool // a scenario without a golden fails
	Slim      bool // of cases that pass nothing is kept but that they do
	// Stop is asked before each case: what was not begun then is left out. Progress is
	// told after each, from one goroutine at a time. Either may be nil.
	Stop     func() bool
	Progress func(done, red int)
}

// Run tests scenarios. The cases stand in the order of the scenarios and do not
// depend on the number of workers; whole is false if it was stopped, and the cases
// are those that were done.
func (t *Test) Run(list []*scenarios.Scenario) (cases []report.Case, whole bool) {
	p := &testProgress{test: t, cases: make([]report.Case, len(list)), done: make([]bool, len(list)), cut: len(list)}
	parallel(max(t.Workers, 1), len(list), func(i int) {
		if !p.begins(i) {
			return
		}
		if c, whole := t.one(list[i]); whole {
			p.ends(i, c)
		} else {
			p.stop()
		}
	})
	return p.result(list)
}

// testProgress keeps what was done, and where the rest is skipped.
type testProgress struct {
	test    *Test
	mutex   sync.Mutex
	cases   []report.Case
	done    []bool
	stopped bool
	count   int
	red     int // of all that were done
	cut     int // the first case that is skipped
	seen    int // cases before this one are done, and were counted for the cut
	fails   int // of those
}

func (p *testProgress) begins(i int) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.test.Stop != nil && p.test.Stop() {
		p.stopped = true
	}
	return !p.stopped && i < p.cut
}

func (p *testProgress) stop() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stopped = true
}

// ends files a case. Where the rest is skipped follows from the cases before it
// alone, so it does not depend on which worker was first.
func (p *testProgress) ends(i int, c report.Case) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.cases[i], p.done[i] = c, true
	p.count++
	if !c.OK() {
		p.red++
	}
	for p.seen < len(p.done) && p.done[p.seen] {
		if p.seen < p.cut && !p.cases[p.seen].OK() {
			p.fails++
		}
		p.seen++
		if p.test.MaxFails > 0 && p.fails >= p.test.MaxFails {
			p.cut = min(p.cut, p.seen)
		}
	}
	if p.test.Progress != nil {
		p.test.Progress(p.count, p.red)
	}
}

func (p *testProgress) result(list []*scenarios.Scenario) ([]report.Case, bool) {
	var cases []report.Case
	for i := range list {
		switch {
		case i >= p.cut && !p.stopped:
			cases = append(cases, report.Case{Scenario: list[i], Verdict: report.Skip})
		case i < p.cut && p.done[i]:
			cases = append(cases, p.cases[i])
		}
	}
	return cases, !p.stopped
}

// one tests one scenario; whole is false if it was stopped.
func (t *Test) one(s *scenarios.Scenario) (c report.Case, whole bool) {
	c, golden := t.first(s)
	if c.Verdict == report.Pass {
		repeated, whole := t.repeated(s, c.Result)
		if !whole {
			return c, false
		}
		c.Findings = append(repeated, t.nullAgent(s, golden)...)
		if len(c.Findings) > 0 {
			c.Verdict = report.Fail
		}
	}
	if c = known(c); t.Slim && c.Verdict == report.Pass {
		c.Result = nil
	}
	return c, true
}

// first runs a scenario once and holds it to its expectations and its golden, nil if
// it has none.
func (t *Test) first(s *scenarios.Scenario) (c report.Case, golden []byte) {
	c = report.Case{Scenario: s, Result: runner.Run(s.Config)}
	var err error
	if t.Goldens && s.File != "-" {
		golden, err = readGolden(GoldenPath(s.File, s.Case))
		c.Golden = hashOf(golden)
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		c.Verdict, c.Findings = report.Error, []report.Finding{{Clause: "golden", Where: goldenName(s), Message: "it cannot be read: " + err.Error()}}
		return c, golden
	case s.Expect == nil && golden == nil:
		c.Verdict, c.Findings = report.Error, []report.Finding{{
			Clause: "vacuous", Message: "the scenario expects nothing and has no golden, so it tests nothing; `harness run FILE --expect` prints a block to paste",
		}}
		return c, golden
	}
	c.Verdict, c.Findings = judged(s, c.Result, golden)
	if t.Require && golden == nil && s.File != "-" && c.Verdict != report.Error {
		c.Verdict = report.Fail
		c.Findings = append(c.Findings, report.Finding{Clause: "golden", Where: goldenName(s), Message: "there is none; harness test --update=new writes it"})
	}
	return c, golden
}

// readGolden reads a golden; what is no regular file is none.
func readGolden(name string) ([]byte, error) {
	kind, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !kind.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	return os.ReadFile(name)
}

// judged is [Judge] with a golden, if there is one.
func judged(s *scenarios.Scenario, r *runner.Result, golden []byte) (report.Verdict, []report.Finding) {
	verdict, findings := judgeRun(s, r, golden != nil)
	if golden == nil || verdict == report.Error {
		return verdict, findings
	}
	if got := Golden(r); string(got) != string(golden) {
		f := report.Finding{Clause: "golden", Where: goldenName(s), Diff: clip(textdiff.Unified(string(golden), string(got), 3))}
		if strings.Contains(string(golden), "\r\n") {
			f.Message = "its lines end in CR LF, which something has put there: `*.golden -text` in .gitattributes keeps git from it"
		}
		findings, verdict = append(findings, f), report.Fail
	}
	return verdict, findings
}

// goldenName is where a scenario's golden stands, as reports write it.
func goldenName(s *scenarios.Scenario) string {
	return strings.ReplaceAll(GoldenPath(s.File, s.Case), `\`, "/")
}

// repeated runs a scenario again and compares the traces byte for byte; whole is false
// if it was stopped.
func (t *Test) repeated(s *scenarios.Scenario, first *runner.Result) (found []report.Finding, whole bool) {
	want := ""
	for n := 2; n <= t.Repeat; n++ {
		if t.Stop != nil && t.Stop() {
			return nil, false
		}
		if want == "" {
			want = trace(first)
		}
		if got := trace(runner.Run(s.Config)); got != want {
			return []report.Finding{{
				Clause: "repeat", Message: "run " + strconv.Itoa(n) + " gave another trace than the first", Diff: clip(textdiff.Unified(want, got, 1)),
			}}, true
		}
	}
	return nil, true
}

// trace is a run's events as they are written, a line each.
func trace(r *runner.Result) string {
	var b strings.Builder
	if err := report.WriteEvents(&b, r.Config.ID, r.Events); err != nil {
		panic(err) // a fault of the program: no such writer fails
	}
	return b.String()
}

// nothing is a model that finishes at once.
var nothing = sync.OnceValue(func() *model.Script {
	return model.NewScript([]model.Item{{Repeat: model.Forever, Value: strictjson.OfObject(
		strictjson.Member{Name: "type", Value: strictjson.OfString(tools.FinishName)},
		strictjson.Member{Name: "summary", Value: strictjson.OfString("Nothing was done.")},
	)}})
})

// nullAgent runs a scenario with an agent that finishes at once: what it passes
// tests nothing, unless the scenario says why.
func (t *Test) nullAgent(s *scenarios.Scenario, golden []byte) []report.Finding {
	if !t.NullAgent {
		return nil
	}
	idle := *s.Config
	idle.Script = nothing()
	verdict, _ := judged(s, runner.Run(&idle), golden)
	switch passes := verdict == report.Pass; {
	case passes && s.NullAgent == "":
		return []report.Finding{{
			Clause: "null-agent", Want: "a failure", Got: "a pass",
			Message: "an agent that finishes at once passes too, so the scenario tests nothing that an agent does; nullAgent: {passes: REASON} names one that by its nature does",
		}}
	case !passes && s.NullAgent != "":
		return []report.Finding{{Clause: "nullAgent", Want: "a pass, as it says", Got: "a failure", Message: "take nullAgent out: an agent that does nothing does not pass"}}
	}
	return nil
}

// known turns the verdict of a scenario that is known to fail: a failure is as it
// says, a pass is not.
func known(c report.Case) report.Case {
	f := c.Scenario.ExpectFail
	switch {
	case f == nil:
	case c.Verdict == report.Fail:
		unknown := slices.DeleteFunc(slices.Clone(c.Findings), func(one report.Finding) bool { return f.Covers(one.Clause) })
		if len(unknown) == 0 {
			c.Verdict = report.XFail
			break
		}
		c.Findings = append(unknown, report.Finding{Clause: "expectFail", Message: uncovered(f)})
	case c.Verdict == report.Pass:
		c.Verdict = report.XPass
		c.Findings = []report.Finding{{
			Clause: "expectFail", Want: "a failure: " + f.Reason, Got: "a pass",
			Message: "what " + f.Issue + " tracks is gone; take expectFail out",
		}}
	}
	return c
}

// uncovered says what a known failure does not cover.
func uncovered(f *scenarios.ExpectFail) string {
	if len(f.Clauses) == 0 {
		return f.Issue + " is known to fail, but that covers neither never nor invariants, unless expectFail.clauses names them"
	}
	return f.Issue + " is known to fail " + strings.Join(f.Clauses, ", ") + ", and nothing else"
}
