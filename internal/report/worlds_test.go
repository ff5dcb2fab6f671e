package report

import (
	"slices"

	"harness/internal/runner"
	"harness/internal/vrepo"
)

const unreadHash = "0000000000000000000000000000000000000000000000000000000000000000"

// worlds has one world for each way in which a run can end, and for what can
// happen on the way.
func worlds() []world {
	s := sum()
	search := `{"type":"search","query":"sum"}`
	list := []world{
		s,
		s.with("outside-grant", `{"type":"read","path":".env"}`),
		s.with("unknown-action", `{"type":"shell","command":"cat .env"}`),
		s.with("bad-json", `{"type":"read","path":`),
		s.with("unknown-field", `{"type":"read","path":"src/sum.ts","mode":"raw"}`),
		s.with("unread-hash", search, `{"type":"propose_edit","path":"src/sum.ts","baseHash":"`+unreadHash+`","before":"a - b","after":"a + b"}`),
		s.with("not-unique", readSum, proposeSum("number", "string")),
		s.with("nothing-done", `{"type":"finish","summary":"I did it all."}`),
		s.with("cites-nothing", readSum, proposeSum("a - b", "a + b"), `{"type":"finish","summary":"I did it all.","citations":["o7"]}`),
		s.with("exhausted", readSum),
		s.with("no-such-reference", `{"type":"read","path":"${o3.path}"}`),
		s.with("hidden", readSum, proposeSum("L1\n", "\u202eL1  \r\n\tx\u200b \n"), finishSum).on("\ufeffL0\n\tL00\nL1\nL2"),
		s.with("pages", `{"type":"read","path":"src/sum.ts","startLine":2,"endLine":3}`, `{"type":"finish","summary":"Read."}`).on("a\nb\nc\nd\n"),
	}
	return slices.Concat(list, tunedWorlds(s), outsideWorlds())
}

// tunedWorlds are those that need more than a script.
func tunedWorlds(s world) []world {
	search := `{"type":"search","query":"sum"}`
	steps := s.with("out-of-steps", search, search)
	steps.steps = 2
	none := s.with("no-steps")
	none.steps = noSteps
	tiny := s.with("tiny-context", readSum)
	tiny.context = 100
	told := s.with("told-and-goes-on",
		`{"type":"read","path":"secret/key.pem"}`, readSum, proposeSum("a - b", "a * b"), proposeSum("a - b", "a + b"), finishSum)
	told.observe, told.deny = true, []string{"secret/**"}
	refused := s.with("refused-too-often", `{"type":"read","path":"a"}`, `{"type":"read","path":"b"}`)
	refused.observe, refused.rejections = true, 1
	circles := s.with("in-circles", search, search, search)
	stale := s.with("stale", readSum, proposeSum("a - b", "a + b"), finishSum)
	stale.changes = []runner.Change{{AfterStep: 2, Set: []vrepo.Entry{{Path: "src/sum.ts", Content: "export {};\n"}}}}
	wrong := s.with("wrong-end", readSum, `{"type":"read","path":"src/nope.ts"}`, finishSum)
	wrong.verdict = Fail
	wrong.findings = []Finding{
		{Clause: "status", Where: "wrong-end.yaml:31:3", Want: "needs_review", Got: "rejected"},
		{Clause: "unused", Where: "wrong-end.yaml:32:7", Message: "1 script item was never asked for"},
	}
	return []world{steps, none, tiny, told, refused, circles, stale, wrong}
}

// named finds a world by the last part of its id.
func named(name string) world {
	for _, w := range worlds() {
		if _, last := cutLast(w.id); last == name {
			return w
		}
	}
	panic("no world named " + name)
}
