package machine_test

import (
	"testing"

	"harness/internal/model"
	"harness/internal/policy"
	"harness/internal/runner"
	"harness/internal/runner/machine"
	"harness/internal/strictjson"
)

// BenchmarkSumRun is the four-step run of a prepared scenario, events and
// decision records included.
func BenchmarkSumRun(b *testing.B) {
	budgets := policy.DefaultBudgets()
	budgets.Steps = 6
	cfg := &runner.Config{Machine: config(b, budgets, machine.StopRun), Snapshot: snapshot(b, versions[0])}
	var items []model.Item
	for _, text := range []string{
		`{"type":"search","query":"sum"}`, `{"type":"read","path":"src/sum.ts"}`,
		`{"type":"propose_edit","path":"src/sum.ts","baseHash":"${last.baseHash}","before":"a - b","after":"a + b"}`,
		`{"type":"finish","summary":"sum now adds"}`,
	} {
		v, err := strictjson.Parse([]byte(text))
		if err != nil {
			b.Fatal(err)
		}
		items = append(items, model.Item{Repeat: 1, Value: v})
	}
	cfg.Script = model.NewScript(items)
	b.ReportAllocs()
	for b.Loop() {
		if r := runner.Run(cfg); len(r.Edits) != 1 {
			b.Fatal(r.Status, r.Reason)
		}
	}
}
