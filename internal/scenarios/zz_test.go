package scenarios

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"harness/internal/runner"
)

func TestZZ(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("ZZ"))
	if err != nil {
		t.Skip()
	}
	list, found := Parse("a.yaml", data)
	for _, f := range found {
		fmt.Println(f.Pos, f.Code, f.Message, f.Hint)
	}
	for _, s := range list {
		r := runner.Run(s.Config)
		for i := range r.Events {
			b, _ := json.Marshal(r.Events[i].Line())
			fmt.Println(string(b))
		}
		fmt.Println(r.Status, r.Reason, r.Standing.Cost, r.Standing.Acts, r.Handoff)
		for _, o := range r.Observations {
			fmt.Println(o.ID, o.Trust, string(o.JSON))
		}
	}
}
