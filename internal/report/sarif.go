package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifMost bounds the results: code scanning keeps no more.
	sarifMost = 5000
	// fingerprintName has a version: another way to make fingerprints is another name.
	fingerprintName = "harnessFinding/v1"
)

// The parts of a SARIF log that are written, by their names in the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  *SessionDocument  `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifMessage       `json:"shortDescription"`
		FullDescription      sarifMessage       `json:"fullDescription"`
		Help                 sarifMessage       `json:"help"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifMessage       `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
		Properties          sarifProperties    `json:"properties"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifProperties struct {
		Case    string  `json:"case"`
		Verdict Verdict `json:"verdict"`
		Clause  string  `json:"clause"`
		Want    string  `json:"want,omitempty"`
		Got     string  `json:"got,omitempty"`
	}
)

// WriteSARIF writes a session as SARIF 2.1.0: a result for each finding, first of
// the red cases, then of those that are known to fail, which are suppressed. A rule
// is the code that the finding is about, where there is one, so that its text says
// what it means and what to do; else it is the clause of the expectation. What is
// said beside the cases are notifications, and the run's properties hold the counts.
func WriteSARIF(w io.Writer, s *Session) error {
	g := sarifGatherer{places: map[string]int{}, said: map[string]int{}, rules: []sarifRule{}, results: []sarifResult{}}
	for _, ok := range [...]bool{false, true} {
		for i := range s.Cases {
			if c := &s.Cases[i]; c.OK() == ok && (!ok || c.Verdict == XFail) {
				g.add(c)
			}
		}
	}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "harness", Version: s.Version, Rules: g.rules}},
		ColumnKind:  "unicodeCodePoints",
		Invocations: []sarifInvocation{{ExecutionSuccessful: !s.Interrupted}},
		Results:     g.results,
		Properties:  sessionDocument(s),
	}
	said := remarks(s)
	if g.left > 0 {
		said = append(said, remark{levelWarning, count(g.left, "result") + " more left off"})
	}
	for _, r := range said {
		run.Invocations[0].ToolExecutionNotifications = append(run.Invocations[0].ToolExecutionNotifications,
			sarifNotification{r.level, sarifText(r.text)})
	}
	return EncodeJSON(w, &sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

// sarifGatherer gathers results and the rules they name.
type sarifGatherer struct {
	rules   []sarifRule
	results []sarifResult
	places  map[string]int // of rules, by id
	said    map[string]int // findings of the same case and clause so far
	left    int            // results beyond the limit
}

func (g *sarifGatherer) add(c *Case) {
	list := findingsOf(c)
	for i := range list {
		if len(g.results) == sarifMost {
			g.left += len(list) - i
			return
		}
		g.results = append(g.results, g.result(c, &list[i]))
	}
}

func (g *sarifGatherer) result(c *Case, f *Finding) sarifResult {
	rule := sarifRuleOf(c, f)
	at, known := g.places[rule.ID]
	if !known {
		at = len(g.rules)
		g.places[rule.ID] = at
		g.rules = append(g.rules, rule)
	}
	r := sarifResult{
		RuleID: rule.ID, RuleIndex: at, Level: levelError,
		Message:             sarifText(c.Scenario.ID + ": " + inLong(f)),
		Locations:           []sarifLocation{sarifLocationOf(c, f)},
		PartialFingerprints: map[string]string{fingerprintName: g.fingerprint(c, f)},
		Properties: sarifProperties{
			Case: c.Scenario.ID, Verdict: Verdict(verdictName(c.Verdict)), Clause: f.Clause,
			Want: bounded(f.Want, shownMost), Got: bounded(f.Got, shownMost),
		},
	}
	if c.Verdict == XFail {
		r.Level = levelNote
		r.Suppressions = []sarifSuppression{{"external", "accepted", oneLine(knownFailure(c), shownMost)}}
	}
	return r
}

// fingerprint names a finding by what it is about, not by where it stands or what
// was there instead, so that it stays the same while the file around it changes.
func (g *sarifGatherer) fingerprint(c *Case, f *Finding) string {
	name := c.Scenario.ID + "\x00" + f.Clause
	sum := sha256.Sum256([]byte(name + "\x00" + strconv.Itoa(g.said[name])))
	g.said[name]++
	return hex.EncodeToString(sum[:16])
}

// sarifText is a text as a message. A message may hold links, so what could begin
// the target of one is escaped, as the standard says.
func sarifText(text string) sarifMessage {
	return sarifMessage{strings.ReplaceAll(manyLines(text), "](", `\](`)}
}

// sarifRuleOf is the rule that a finding breaks.
func sarifRuleOf(c *Case, f *Finding) sarifRule {
	rule := sarifRule{DefaultConfiguration: sarifConfiguration{levelError}}
	if code := codeOfFinding(c, f); code != nil {
		rule.ID = code.Name
		rule.ShortDescription = sarifText(firstSentence(code.Means))
		rule.FullDescription = sarifText(code.Means)
		rule.Help = sarifText(code.Means + "\n" + code.Do + "\nharness explain " + code.Name + " says more.")
		return rule
	}
	rule.ID = clauseKind(f.Clause)
	text := clauseMeans(rule.ID)
	rule.ShortDescription, rule.FullDescription = sarifText(text), sarifText(text)
	rule.Help = sarifText(text + "\nA result shows what the scenario wants, what it got, and where the scenario says so.")
	return rule
}

// inLong is a finding in short, and what that leaves out.
func inLong(f *Finding) string {
	text := inShort(f)
	if f.Want != "" && f.Got != "" && f.Message != "" {
		text += "\n" + f.Message
	}
	if f.Diff != "" {
		text += "\n(-want +got)\n" + f.Diff
	}
	return text
}

// clauseMeans says what it means that a clause is not met.
func clauseMeans(kind string) string {
	switch kind {
	case "golden":
		return "The decision trace of the run is not the golden beside the scenario."
	case "vacuous":
		return "The scenario expects nothing and has no golden, so it tests nothing."
	case "null-agent":
		return "An agent that finishes at once passes the scenario, so it tests nothing that an agent does."
	case "nullAgent":
		return "The scenario says that an agent passes which does nothing, and it does not pass."
	case "expectFail":
		return "The scenario says that it fails, and it passes."
	case "repeat":
		return "The same scenario gave another trace when it was run again."
	case "script", "unused", "changes", "faults", "human":
		return "What the scenario scripts and what the run asked for do not fit together."
	case "never":
		return "A text that must appear nowhere is in what the run put out."
	case "holds":
		return "An expression that must hold at the end does not."
	}
	return "The run came to something else than the scenario expects: " + kind + "."
}

// sarifLocationOf is where a finding stands. Without a file, it has only the name of
// its case.
func sarifLocationOf(c *Case, f *Finding) sarifLocation {
	l := sarifLocation{LogicalLocations: []sarifLogical{{c.Scenario.ID}}}
	at := spotOfFinding(c, f)
	if at.file == "" {
		return l
	}
	l.PhysicalLocation = &sarifPhysical{ArtifactLocation: sarifArtifact{fileURI(at.file)}}
	if at.pos.Line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{at.pos.Line, at.pos.Col}
	}
	return l
}

// fileURI is a path as a URI: relative as it is, with "file://" if it is absolute.
func fileURI(file string) string {
	const hexDigits = "0123456789ABCDEF"
	drive := len(file) > 2 && file[1] == ':' && file[2] == '/' && 'a' <= file[0]|0x20 && file[0]|0x20 <= 'z'
	var b strings.Builder
	switch {
	case drive:
		b.WriteString("file:///" + file[:2])
		file = file[2:]
	case strings.HasPrefix(file, "/"):
		b.WriteString("file://")
	}
	for i := range len(file) {
		c := file[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}
