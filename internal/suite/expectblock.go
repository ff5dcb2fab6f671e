package suite

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"harness/internal/event"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/term"
)

// ExpectBlock is an `expect:` block, in YAML, that the run meets.
func ExpectBlock(r *runner.Result) []byte {
	var b strings.Builder
	if r.Unused > 0 {
		fmt.Fprintf(&b, "# The script has answers left over, from %s on: shorten it, or say allowUnused: true in model.\n", r.UnusedAt)
	}
	if r.Unmade > 0 {
		fmt.Fprintf(&b, "# Changes were never made, from %s on: take them out.\n", r.UnmadeAt)
	}
	if r.Unsaid > 0 {
		fmt.Fprintf(&b, "# Persons were never asked so often, from %s on: take those answers out.\n", r.UnsaidAt)
	}
	fmt.Fprintf(&b, "expect:\n  status: %s\n", r.Status)
	if r.Reason != nil {
		fmt.Fprintf(&b, "  stopReason: %s\n", r.Reason)
	}
	fmt.Fprintf(&b, "  steps: %d\n  toolCalls: %d\n  rejections: %d\n  repoUnchanged: %t\n", r.Steps, r.ToolCalls, r.Rejections, r.RepoUnchanged)
	writeEdits(&b, r.Edits)
	writeOutside(&b, r)
	writeDecisions(&b, decisions(r), r.Config.Machine.ActionTypes)
	return []byte(b.String())
}

// writeOutside writes what came of calls outside the repository, of questions to
// persons, and of proofs. A run that has nothing of the kind expects nothing of it.
func writeOutside(b *strings.Builder, r *runner.Result) {
	if r.Verified != machine.NotAsked {
		fmt.Fprintf(b, "  verified: %q\n", strconv.FormatBool(r.Verified == machine.Holds))
	}
	if r.Standing == nil {
		return
	}
	if r.Standing.Cost != 0 {
		fmt.Fprintf(b, "  cost: %d\n", r.Standing.Cost)
	}
	if n := len(r.Standing.Confirmations); n > 0 {
		fmt.Fprintf(b, "  questions: %d\n", n)
	}
	if !reachesOutside(r) {
		return
	}
	fmt.Fprintf(b, "  handoff: %t\n", r.Handoff != nil)
	writeEffects(b, r.Standing.Acts)
}

func writeEffects(b *strings.Builder, acts []policy.Act) {
	if len(acts) == 0 {
		b.WriteString("  effects: []\n")
		return
	}
	b.WriteString("  effects:\n")
	for i := range acts {
		a := &acts[i].Act
		fmt.Fprintf(b, "    - {tool: %s, action: %s, effect: %s", quoteYAML(a.Tool), quoteYAML(a.ID), a.Effect)
		if a.Reconciled != "" {
			fmt.Fprintf(b, ", reconciled: %s", quoteYAML(a.Reconciled))
		}
		fmt.Fprintf(b, ", attempts: %d}\n", a.Attempts)
	}
}

// longestPreview is how many bytes of a result are written out; a longer one is
// named by its hash.
const longestPreview = 4000

func writeEdits(b *strings.Builder, edits []runner.Edit) {
	if len(edits) == 0 {
		b.WriteString("  edits: []\n")
		return
	}
	b.WriteString("  edits:\n")
	for i := range edits {
		e := &edits[i]
		fmt.Fprintf(b, "    - path: %s\n      line: %d\n", quoteYAML(e.Path), e.Line)
		switch result := e.Change().Result(); {
		case len(result) > longestPreview:
			fmt.Fprintf(b, "      resultHash: %q\n", e.Change().ResultHash())
		case utf8.ValidString(result):
			fmt.Fprintf(b, "      preview: %s\n", quoteYAML(result))
		default:
			fmt.Fprintf(b, "      previewBase64: %q\n", base64.StdEncoding.EncodeToString([]byte(result)))
		}
		if e.Stale {
			b.WriteString("      stale: true\n")
		}
	}
}

func writeDecisions(b *strings.Builder, list []decided, tools []string) {
	if len(list) == 0 {
		return
	}
	b.WriteString("  decisions:\n")
	for i, d := range list {
		if !expected(list, i) {
			continue
		}
		fmt.Fprintf(b, "    - {step: %d, decision: %s", d.step, d.effect)
		if d.code != nil {
			fmt.Fprintf(b, ", gate: %s", d.gate)
		}
		if d.code != nil && d.code.Gate != "" { // else it says that a check is at fault, which is no gate's answer
			fmt.Fprintf(b, ", code: %s", d.code)
		}
		// A name that the model made up is no tool that can be expected.
		if slices.Contains(tools, d.tool) {
			fmt.Fprintf(b, ", tool: %s", quoteYAML(d.tool))
		}
		if d.resource != "" {
			fmt.Fprintf(b, ", resource: %s", quoteYAML(d.resource))
		}
		b.WriteString("}\n")
	}
}

// expected reports whether an expectation can be about a decision: it is the last
// at its step, or the first that asks for a person.
func expected(list []decided, at int) bool {
	d := &list[at]
	if at == len(list)-1 || list[at+1].step != d.step {
		return true
	}
	if d.effect != event.Confirm {
		return false
	}
	return !slices.ContainsFunc(list[:at], func(o decided) bool { return o.step == d.step && o.effect == event.Confirm })
}

// quoteYAML is a text as a YAML scalar in double quotes, or plain where every
// reader takes it for the same text.
func quoteYAML(text string) string {
	if isPlainYAML(text) {
		return text
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			b.WriteRune(utf8.RuneError) // text is valid UTF-8, or written as Base64
		case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && term.EscapeLine(string(r)) == string(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlainYAML reports whether a text is a letter with letters, digits, and the
// marks that paths have after it, and no word that YAML readers take for
// something else.
func isPlainYAML(text string) bool {
	if text == "" || len(text) > 100 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '/' && c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
