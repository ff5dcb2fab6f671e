package event

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// arrows is the state diagram, written out.
var arrows = []string{
	"created running",
	"running waiting_confirmation", "running paused", "running cancelling",
	"running needs_review", "running claimed_complete", "running completed", "running rejected", "running failed",
	"waiting_confirmation running", "waiting_confirmation cancelling",
	"paused running", "paused cancelling",
	"cancelling cancelled", "cancelling failed",
}

func TestCanBecome(t *testing.T) {
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			arrow := fmt.Sprintf("%s %s", from, to)
			if got, want := from.CanBecome(to), slices.Contains(arrows, arrow); got != want {
				t.Errorf("%s: got %v, want %v", arrow, got, want)
			}
		}
	}
}

// Every status stands in the diagram of the docs.
func TestDiagramNamesEveryStatus(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, diagram, _ := strings.Cut(string(page), "## The state diagram")
	for _, s := range Statuses() {
		if !strings.Contains(diagram, s.String()) {
			t.Errorf("%s does not stand in the diagram", s)
		}
	}
}

func TestTerminalAndGood(t *testing.T) {
	for _, s := range Statuses() {
		leaves := slices.ContainsFunc(arrows, func(a string) bool { return strings.HasPrefix(a, s.String()+" ") })
		if s.Terminal() == leaves {
			t.Errorf("%s: terminal is %v, and an arrow leaves it: %v", s, s.Terminal(), leaves)
		}
		if s.Good() && !s.Terminal() {
			t.Errorf("%s is good and not terminal", s)
		}
	}
}
