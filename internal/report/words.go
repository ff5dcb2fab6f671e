package report

import (
	"strconv"
	"strings"
	"time"

	"harness/internal/event"
	"harness/internal/runner/machine"
)

// whyMost is how much of a reason is shown that is not the program's own text alone,
// in columns.
const whyMost = 400

// by names a person; one who gave no name is nobody in particular.
func (p *page) by(name string) string {
	if name == "" {
		return ""
	}
	return " by " + p.clip(name, subjectMost)
}

// because is what a person gave as a reason, in quotes and parentheses.
func (p *page) because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + p.inQuotes(reason) + ")"
}

// inQuotes is what a person gave as a reason, "" for none.
func (p *page) inQuotes(reason string) string {
	if reason == "" {
		return ""
	}
	return p.quoted(reason, 2*quoteMost)
}

// visible is a text that can be seen: a blank one stands in quotes.
func (p *page) visible(text string) string {
	if strings.TrimSpace(text) == "" {
		return p.quoted(text, quoteMost)
	}
	return text
}

// sentence ends a text with a full stop, unless it has an end.
func sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// sameWords reports whether two texts say the same, but for a full stop or a capital.
func sameWords(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, ". "), strings.TrimRight(b, ". "))
}

// series is a list in a sentence: "a, b and c".
func series(parts []string) string {
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// order says who ordered what.
func (p *page) order(o *event.Order) string {
	who := p.clip(o.By, subjectMost)
	if who == "" {
		who = "somebody"
	}
	what := p.clip(o.What, subjectMost)
	switch o.Kind {
	case event.CancelRun:
		return who + " cancelled the run"
	case event.CancelCall:
		return who + " cancelled the call"
	case event.PauseRun:
		return who + " paused the run"
	case event.ResumeRun:
		return who + " resumed the run"
	case event.Revoke:
		return who + " revoked the grant " + what
	case event.Redefine:
		return who + " redefined " + what
	default:
		return who + " ordered something else"
	}
}

// places lists paths, or counts them if they are many.
func (p *page) places(paths []string) string {
	text := strings.Join(paths, ", ")
	if len(paths) == 0 {
		return "nothing"
	}
	if len(paths) > 2 {
		return p.clip(paths[0], subjectMost) + " and " + countOf(len(paths)-1, "other entry", "other entries")
	}
	return p.clip(text, quoteMost)
}

// took is how long something took, in words.
func took(d time.Duration) string {
	if d <= 0 {
		return " at once"
	}
	return " after " + span(d)
}

// after is a time that passed, "" for none.
func after(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " after " + span(d)
}

// at is a virtual time, "" for the start.
func at(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " at " + span(d)
}

// span is a duration without what is zero at its end: "1h", not "1h0m0s".
func span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// until is a time by which something has to be done.
func until(d time.Duration) string {
	if d == machine.Forever {
		return "no end"
	}
	return span(d) + " after the start"
}

// ordinal is "2nd" for 2.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
