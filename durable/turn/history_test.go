package turn

import (
	"fmt"
	"strings"
	"testing"
)

// TestToldNext goes on with an answer again and again: each turn is told the answers before it, and the oldest of
// too many are left out.
func TestToldNext(t *testing.T) {
	first := Turn{Place: 5}.NextHistory()
	if first != "6" {
		t.Errorf("a turn that goes on is told %q", first)
	}
	second := Turn{Place: 9, History: first}.NextHistory()
	if before, answers := second.Before(); second != "6,9" || before != 6 || fmt.Sprint(answers) != "[9]" {
		t.Errorf("the next one is told %q: %d and %v", second, before, answers)
	}
	told := first
	for place := int64(10); place < 10+2*maxAnswers; place++ {
		told = Turn{Place: place, History: told}.NextHistory()
	}
	before, answers := told.Before()
	if before != 6 || len(answers) != maxAnswers || answers[0] != 10+maxAnswers || answers[maxAnswers-1] != 9+2*maxAnswers {
		t.Errorf("the last one is told %d and %v", before, answers)
	}
}

// TestDamagedTold tells of nothing that was not meant.
func TestDamagedTold(t *testing.T) {
	for text, want := range map[History]string{"": "0 []", "6": "6 []", "6,x,9": "6 []", "6,-1": "6 []", "x": "0 []"} {
		before, answers := text.Before()
		if got := fmt.Sprint(before, answers); got != want && !strings.HasPrefix(got, want) {
			t.Errorf("%q tells of %s, want %s", text, got, want)
		}
	}
}
