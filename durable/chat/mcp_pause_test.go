package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestPausedHelperAsksNoServer pauses the run of a helper that has servers of its own, while one is asked what it offers:
// what comes next waits until the run goes on, whatever is lost meanwhile.
func TestPausedHelperAsksNoServer(t *testing.T) {
	for _, loss := range []string{"", "evict helper-1", "crash"} {
		clerk := docsAgent()
		clerk.Name, clerk.Helper, clerk.Model = "Clerk", true, obedient{}
		boss := agent.Agent{
			Name: "Boss", Model: obedient{}, Tools: []agent.Tool{delegate("delegate", clerk)},
			Methods: map[string]agent.Method{"pause": agent.PauseRun, "resume": agent.ResumeRun},
		}
		held := true
		answer := docs(func(rpc) (int, string) { return 200, said("found it") })
		w := newRemoteOf(t, func(q rpc) (int, string) {
			if held {
				return 0, ""
			}
			return answer(q)
		}, boss, clerk)
		call := func(method string) {
			w.do(`frame a {"type":"rpc","id":"`+method+`","method":"`+method+`","args":["`+w.runID()+`"]}`, "tick 1s")
			w.wants(`"id":"` + method + `","success":true`)
		}
		w.do("connect a", clerkSearches, "tick 1s")
		call("pause")
		status, result := answer(w.open[0])
		w.respond(w.open[0], status, result)
		if loss != "" {
			w.do(loss, "connect a")
		}
		w.do("tick 2h")
		if got := fmt.Sprint(w.asked); got != "[server/discover]" {
			t.Fatalf("%s: the server was asked %s while the run was paused", loss, got)
		}
		held = false
		call("resume")
		w.do("tick 1m")
		w.wants("found it", `"done":true,"outcome":"completed"`)
		if n := w.calls(); n != 1 {
			t.Errorf("%s: the tool was called %d times", loss, n)
		}
	}
}

// runID returns the id of the run that was begun first.
func (w *remoteWorld) runID() string {
	_, id, _ := strings.Cut(w.text(), `"runId":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}
