package chat_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTaskIsPolled checks that a task is asked for until it is over, whatever is lost, and that the tool is called
// once.
func TestTaskIsPolled(t *testing.T) {
	for _, lose := range []bool{false, true} {
		polls := 0
		w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
			task := `"taskId":"t1","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,"pollIntervalMs":2000`
			switch {
			case q.Method == "tools/call":
				return 200, `{"resultType":"task","status":"working",` + task + `}`
			case polls < 3:
				polls++
				return 200, `{"resultType":"complete","status":"working",` + task + `}`
			}
			return 200, `{"resultType":"complete","status":"completed",` + task + `,"result":{"content":[{"type":"text","text":"slow words"}]}}`
		}))
		w.lose = lose
		w.do("connect a", `say a R1 u1: call docs_slow {}`)
		for range 20 {
			w.do("tick 2s", "get /agents/x/room/get-messages")
		}
		w.wants(`it is \"slow words\"`)
		if n := strings.Count(fmt.Sprint(w.asked), "tools/call"); n != 1 {
			t.Errorf("lose %v: %d calls, want 1: %q", lose, n, w.asked)
		}
		if n := strings.Count(fmt.Sprint(w.asked), "tasks/cancel"); n != 0 {
			t.Errorf("a task that is over was cancelled")
		}
	}
}

// TestQuestionOfTaskIsAskedOnce checks that a question which a task goes on to tell is put to a person once.
func TestQuestionOfTaskIsAskedOnce(t *testing.T) {
	polls := 0
	w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
		task := `"taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":1000`
		switch {
		case q.Method == "tools/call":
			return 200, `{"resultType":"task","status":"working",` + task + `}`
		case q.Method == "tasks/update":
			return 200, `{"resultType":"complete"}`
		}
		if polls++; polls < 4 {
			return 200, `{"resultType":"complete","status":"input_required",` + task + `,"inputRequests":{"seat":{"method":"elicitation/create","params":{"mode":"form","message":"which seat?",
				"requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}}}`
		}
		return 200, `{"resultType":"complete","status":"completed",` + task + `,"result":{"content":[{"type":"text","text":"seated"}]}}`
	}))
	w.do("connect a", `say a R1 u1: call docs_slow {}`, "tick 2s")
	w.do(fmt.Sprintf(`result a %s {"row":5}`, regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())))
	for range 10 {
		w.do("tick 2s")
	}
	w.wants(`it is \"seated\"`)
	if n := strings.Count(fmt.Sprint(w.asked), "tasks/update"); n != 1 {
		t.Errorf("the server is told %d answers, want 1", n)
	}
}

// TestStopCancelsTask checks that the server is told when a person stops the turn.
func TestStopCancelsTask(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
		task := `"taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"status":"working"`
		if q.Method == "tools/call" {
			return 200, `{"resultType":"task",` + task + `}`
		}
		return 200, `{"resultType":"complete",` + task + `}`
	}))
	w.do("connect a", `say a R1 u1: call docs_slow {}`, "tick 1s", "evict", "get /agents/x/room/get-messages", "cancel a R1", "tick 1s")
	if !slices.Contains(w.asked, "tasks/cancel t1") {
		t.Errorf("asked %q", w.asked)
	}
}
