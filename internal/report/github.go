package report

import (
	"io"
	"strconv"
	"strings"

	"harness/internal/diag"
	"harness/internal/term"
)

// What GitHub shows: of a step, ten errors and ten warnings; of a message, 4,096
// UTF-16 units.
const (
	annotationsMost = 10
	annotationMost  = 2000 // code points
)

// WriteGitHub writes a session as workflow commands of GitHub Actions, which become
// annotations of the files: an error for each red case, at most ten, what is red
// beside the cases before them; then one warning that counts those left off. What
// else has to be said is one warning and one notice. A session in which all is well
// writes nothing.
func WriteGitHub(w io.Writer, s *Session) error {
	var b strings.Builder
	shown, left, leftIDs := 0, 0, []string(nil)
	if red := remarksAt(s, levelError); red != "" {
		annotate(&b, "error", spot{}, "harness test", red)
		shown++
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		switch {
		case c.OK():
		case shown < annotationsMost:
			annotateCase(&b, c)
			shown++
		default:
			left++
			leftIDs = append(leftIDs, c.Scenario.ID)
		}
	}
	if left > 0 {
		annotate(&b, "warning", spot{}, number(left)+" more not as expected",
			number(left)+" more of "+count(len(s.Cases), "case")+" are not as expected: "+strings.Join(leftIDs, ", "))
	}
	if text := remarksAt(s, levelWarning); text != "" {
		annotate(&b, "warning", spot{}, "harness test", text)
	}
	if text := remarksAt(s, levelNote); text != "" {
		annotate(&b, "notice", spot{}, "harness test", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotateCase writes the error of a red case, at its first finding.
func annotateCase(b *strings.Builder, c *Case) {
	list := findingsOf(c)
	message := headline(c) + "\n" + findingTexts(c) + strings.Join(rerunCommands(c), "\n")
	annotate(b, "error", spotOfFinding(c, &list[0]), strings.ToUpper(verdictName(c.Verdict))+" "+c.Scenario.ID, message)
}

// annotate writes one workflow command. Nothing in its texts can end it, or begin
// another.
func annotate(b *strings.Builder, level string, at spot, title, message string) {
	b.WriteString("::" + level + " ")
	if at.file != "" {
		b.WriteString("file=" + commandProperty(term.EscapeLine(at.file)) + ",")
		if !at.pos.IsZero() {
			b.WriteString("line=" + strconv.Itoa(at.pos.Line) + ",col=" + strconv.Itoa(at.pos.Col) + ",")
		}
	}
	b.WriteString("title=" + commandProperty(oneLine(title, headlineMost)) + "::")
	message = bounded(term.EscapeText(bounded(message, annotationMost)), annotationMost)
	b.WriteString(commandData(strings.TrimSuffix(message, "\n")) + "\n")
}

// commandData is a text as what a command says.
func commandData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// commandProperty is a text as the value of a command's property.
func commandProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}

// WriteGitHubDiagnostics writes diagnostics as annotations, at most ten.
func WriteGitHubDiagnostics(w io.Writer, found diag.List) error {
	var b strings.Builder
	shown := 0
	for _, d := range found {
		if d.IsNote() {
			continue
		}
		if shown++; shown > annotationsMost {
			continue
		}
		message := d.Message
		if d.Hint != "" {
			message += "\n" + d.Hint
		}
		annotate(&b, "error", spot{strings.ReplaceAll(d.File, `\`, "/"), d.Pos}, d.Code.String(), message)
	}
	if left := shown - annotationsMost; left > 0 {
		annotate(&b, "warning", spot{}, "harness", count(left, "more fault"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
