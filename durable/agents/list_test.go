package agents_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBriefListHasNoResults checks that a brief list has no results, because pages ask
// for it repeatedly.
func TestBriefListHasNoResults(t *testing.T) {
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

// TestListSaysHowLongARunTook checks that the time is measured by the agent's clock, because a
// page's clock may be wrong.
func TestListSaysHowLongARunTook(t *testing.T) {
	const began = 1_700_000_000_000 // the clock of a new world
	before := []string{"connect a", "say a R1 u1: tool=research chunks=1000 delay=100", "tick 3s"}
	type timed struct{ StartedAt, CompletedAt, Elapsed int64 }
	took := func(actions ...string) timed {
		var got struct{ Result []timed }
		answer := called(t, "runs", `[]`, append(before, actions...)...)
		if err := json.Unmarshal([]byte(answer), &got); err != nil || len(got.Result) != 1 {
			t.Fatalf("%v: %s", err, answer)
		}
		return got.Result[0]
	}
	if r := took(); r.Elapsed <= 0 || r.Elapsed != began+3000-r.StartedAt {
		t.Errorf("at work: %+v", r)
	}
	if r := took("cancel a R1", "jump 1m"); r.Elapsed <= 0 || r.Elapsed != r.CompletedAt-r.StartedAt {
		t.Errorf("over: %+v", r)
	}
}
