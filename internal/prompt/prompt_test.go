package prompt

import (
	"testing"

	"harness/internal/strictjson"
)

// The view pastes the instruction between quotes, and counts its bytes as code points.
func TestInstructionIsWrittenAsItStands(t *testing.T) {
	if got := string(strictjson.AppendString(nil, Instruction)); got != `"`+Instruction+`"` {
		t.Errorf("JSON writes it as %s", got)
	}
	for _, r := range Instruction {
		if r > 127 {
			t.Errorf("%q is no ASCII", r)
		}
	}
}
