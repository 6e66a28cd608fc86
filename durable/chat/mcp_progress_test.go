package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestProgressOfCalls checks that a call shows how far it is, at most five times a second, with the last report at
// the end, and that nothing of it is stored.
func TestProgressOfCalls(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) {
		return 200, "events:" + sse(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":0}}`) + "OPEN"
	}))
	w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
	w.wants(`"progressToken":`, `\"progress\":0`)
	for i := range 100 {
		w.more(w.open[0], sse(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":%d,"total":99,"message":"step %d"}}`, i, i)))
		act(t, w.World, "tick 10ms")
	}
	w.do("tick 1s")
	shown := strings.Count(w.text(), `data-mcp-progress`)
	if shown < 4 || shown > 8 {
		t.Errorf("%d reports in a second", shown)
	}
	w.wants(`\"progress\":99,\"total\":99,\"message\":\"step 99\"`, `\"transient\":true`)
	w.more(w.open[0], sse(`{"jsonrpc":"2.0","id":ID,"result":`+said("written")+`}`))
	w.do("tick 1s")
	w.lines = nil
	w.do("connect b", "get /agents/x/room/get-messages")
	w.wants("written")
	if strings.Contains(w.text(), "data-mcp-progress") {
		t.Error("a report is stored")
	}
}

var shownDoing = regexp.MustCompile(`data-mcp-progress.*?\\"message\\":\\"([^"\\]*)`)

// TestTaskShowsWhatItDoes checks that the words of a task are shown when they change,
// and that code which is run again over its journal shows no old ones.
func TestTaskShowsWhatItDoes(t *testing.T) {
	for _, loss := range []string{"tick 1ms", "evict"} {
		words := []string{"warms up", "page 1", "page 1", "page 2", "page 2", "page 2", "page 2", "page 3"}
		polls := 0
		w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
			now := words[min(polls, len(words)-1)]
			polls++
			if polls == len(words)+2 {
				return 200, `{"resultType":"complete","status":"completed","taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"result":{"content":[{"type":"text","text":"printed"}]}}`
			}
			kind := map[string]string{"tools/call": "task", "tasks/get": "complete"}[q.Method]
			return 200, `{"resultType":"` + kind + `","status":"working","taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":2000,"statusMessage":"` + now + `"}`
		}))
		w.do("connect a", "say a R1 u1: call docs_slow {}", "tick 2s")
		for polls < 5 {
			w.do("tick 1s")
		}
		w.do(loss, "connect b", "get /agents/x/room/get-messages")
		for range 20 {
			w.do("tick 1s")
		}
		w.wants(`it is \"printed\"`)
		var shown []string
		for _, m := range shownDoing.FindAllStringSubmatch(w.text(), -1) {
			shown = append(shown, m[1])
		}
		want := map[string]string{"tick 1ms": "[warms up page 1 page 2 page 3]", "evict": "[warms up page 1 page 2 page 2 page 3]"}[loss]
		if fmt.Sprint(shown) != want {
			t.Errorf("%s: shown is %q", loss, shown)
		}
	}
}
