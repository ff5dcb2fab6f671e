package scenarios

import (
	"fmt"
	"harness/internal/runner"
	"os"
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	files, _ := filepath.Glob("../../scenarios/*/*.yaml")
	n := 0
	for _, f := range append(files, "/tmp/ytest/cases.yaml") {
		data, _ := os.ReadFile(f)
		l, d := Parse(f, data)
		fmt.Println(f, len(l))
		for _, x := range d {
			fmt.Println("  ", x.Error(), "|", x.Hint)
		}
		for _, s := range l {
			r := runner.Run(s.Config)
			n++
			if s.Expect != nil && (s.Expect.Status.Set() && s.Expect.Status.Value != r.Status.String() || s.Expect.StopReason.Set() && s.Expect.StopReason.Value != r.Reason.Name) {
				fmt.Println("   MISMATCH", s.ID, r.Status, r.Reason, r.Steps)
			}
		}
	}
	fmt.Println(n)
}
