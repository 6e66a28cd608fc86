package agents_test

import (
	"strings"
	"testing"
)

// TestBriefListLeavesOutWhatRunsBrought: a page asks for it again and again.
func TestBriefListLeavesOutWhatRunsBrought(t *testing.T) {
	before := []string{"connect a", "say a R1 u1: Research otters", "run"}
	for _, test := range []struct {
		args  string
		whole bool
	}{{`[]`, true}, {`[{"limit":5}]`, true}, {`[{"limit":5,"brief":true}]`, false}} {
		answer := called(t, "runs", test.args, before...)
		if !strings.Contains(answer, `"usage":{"inputTokens":`) || !strings.Contains(answer, `"startedAt":1700`) {
			t.Errorf("runs%s does not say what the run took: %s", test.args, answer)
		}
		if got := strings.Contains(answer, `"summary":"### otters`); got != test.whole {
			t.Errorf("runs%s: summary told is %v, want %v", test.args, got, test.whole)
		}
	}
}
