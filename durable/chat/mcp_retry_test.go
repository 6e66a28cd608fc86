package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
)

// away is a world whose server answers what a list says, one entry a request, and works behind its end. An entry is a
// status with the header retry-after behind it, if there is one, or "lost" or "unsent" for a fetch that fails.
type away struct {
	*remoteWorld
	list []string
	// last is the entry of the last request by which a server is asked what it is. The handshake behind it fares the same.
	last string
	// at are the times of the requests that begin a try, in milliseconds since the first one.
	at    []int64
	begun int64
}

func newAway(t *testing.T, list ...string) *away {
	w := &away{list: list}
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("seek", "", func(c *agent.Context, _ struct{}) (string, error) {
		r, err := c.MCP("docs").Call("search", struct{}{})
		return r.Text, err
	})}
	w.remoteWorld = newRemote(t, a, w.serve)
	w.do("connect a")
	return w
}

func (w *away) serve(q rpc) (int, string) {
	if q.Method == "server/discover" {
		if w.begun == 0 {
			w.begun = w.Now()
		}
		w.at = append(w.at, w.Now()-w.begun)
	}
	if len(w.list) == 0 && q.Method != "initialize" {
		return docs(func(rpc) (int, string) { return 200, said("found") })(q)
	}
	what := w.last
	if q.Method != "initialize" {
		what, w.list = w.list[0], w.list[1:]
	}
	if q.Method == "server/discover" {
		w.last = what
	}
	var status int
	var wait string
	switch {
	case what == "lost", what == "unsent":
		w.Fetched("", q.Fetch, durable.FetchFailed{Fetch: q.Fetch, Error: "reset", Unsent: what == "unsent"})
		return 0, ""
	case what == "half": // the answer breaks off
		w.Fetched("", q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: 200, Header: map[string]string{"content-type": "application/json"}})
		w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(`{"jsonrpc":`)})
		w.Fetched("", q.Fetch, durable.FetchFailed{Fetch: q.Fetch, Error: "reset"})
		return 0, ""
	case what == "silent":
		return 0, ""
	case what == "ok":
		return docs(nil)(q)
	}
	_, _ = fmt.Sscan(what, &status, &wait)
	w.Fetched("", q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: status, Header: map[string]string{"retry-after": wait}})
	w.Fetched("", q.Fetch, durable.FetchEnded{Fetch: q.Fetch})
	return 0, ""
}

// run serves what is asked and has all happen that is due within a time, in milliseconds.
func (w *away) run(time int64) {
	until := w.Now() + time
	for {
		if w.remoteWorld.serve() {
			continue
		}
		if at, ok := w.Due(); !ok || at > until {
			break
		}
		w.Tick()
	}
	w.Advance(until)
}

// TestServerIsAskedAgain checks when a server is asked again that cannot be reached or does not work now, that a turn
// waits for it, and what becomes of it in the end.
func TestServerIsAskedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		list   []string
		at     []int64
		states string
		words  string
	}{
		"it works at once":             {nil, []int64{0}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"a connection is lost":         {[]string{"lost"}, []int64{0, 1000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"an answer breaks off":         {[]string{"half", "502"}, []int64{0, 1000, 6000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"it works the third time":      {[]string{"503", "504"}, []int64{0, 1000, 6000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"the list is lost":             {[]string{"ok", "lost", "ok", "503"}, []int64{0, 1000, 6000}, "[not-connected connecting discovering connecting discovering connecting ready]", "tools [seek docs_search"},
		"it never works":               {[]string{"503", "lost", "504"}, []int64{0, 1000, 6000}, "[not-connected connecting failed]", "with the status 504"},
		"it is never reached":          {[]string{"503", "503", "lost"}, []int64{0, 1000, 6000}, "[not-connected connecting failed]", "the server cannot be reached: reset"},
		"it is asked too often":        {[]string{"429"}, []int64{0, 1000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"it asks for a pause":          {[]string{"429 8"}, []int64{0, 8000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"it asks for a short pause":    {[]string{"503", "503 2"}, []int64{0, 1000, 6000}, "[not-connected connecting ready]", "tools [seek docs_search"},
		"it asks for an hour":          {[]string{"503 3600"}, []int64{0, 60000}, "[not-connected connecting ready]", `The tools of the server \"docs\" are not available now.`},
		"no request can be made":       {[]string{"unsent"}, []int64{0}, "[not-connected connecting failed]", "the server cannot be reached: reset"},
		"it fails for good":            {[]string{"500"}, []int64{0}, "[not-connected connecting failed]", "does not work at the moment"},
		"it does not answer in time":   {[]string{"silent"}, []int64{0}, "[not-connected connecting failed]", "has not answered within a minute"},
		"the second try is not heard":  {[]string{"503", "silent"}, []int64{0, 1000}, "[not-connected connecting failed]", "has not answered within a minute"},
		"another failure comes behind": {[]string{"503", "302"}, []int64{0, 1000}, "[not-connected connecting failed]", "redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newAway(t, c.list...)
			act(t, w.World, "say a R1 u1: hello")
			w.run(10_000)
			if !strings.Contains(w.text(), `"done":true,"outcome":"completed"`) {
				t.Error("the turn waits for more than ten seconds")
			}
			w.run(100_000)
			if !slices.Equal(w.at, c.at) {
				t.Errorf("asked at %v, want %v", w.at, c.at)
			}
			if got := fmt.Sprint(w.states()); got != c.states {
				t.Errorf("the states are %s, want %s", got, c.states)
			}
			w.wants(c.words)
		})
	}
}

// TestRestSurvivesLoss checks that a loss of memory between two tries changes nothing: nobody is asked at the wake, nor
// by the turn that comes meanwhile, which waits for the next try.
func TestRestSurvivesLoss(t *testing.T) {
	w := newAway(t, "503", "503 8")
	w.do(`frame a {"type":"rpc","id":"1","method":"reconnectMcpServer","args":["docs"]}`)
	w.run(1_000)
	w.do("evict", "connect b", "get /agents/x/room/get-messages")
	w.run(4_000)
	if got := fmt.Sprint(w.at); got != "[0 1000]" || !strings.Contains(w.lastFrame(), `"state":"connecting"`) {
		t.Fatalf("asked at %s: %s", got, w.lastFrame())
	}
	act(t, w.World, "say b R1 u1: hello")
	w.run(5_000)
	if got := fmt.Sprint(w.at); got != "[0 1000 9000]" {
		t.Errorf("asked at %s", got)
	}
	w.wants("tools [seek docs_search", `"done":true,"outcome":"completed"`)
}

// TestCodeWaitsForNextTry checks that a call of code waits until a server is reached, also behind a loss of memory.
func TestCodeWaitsForNextTry(t *testing.T) {
	for _, lose := range []bool{false, true} {
		w := newAway(t, "503 30")
		act(t, w.World, "say a R1 u1: call seek {}")
		w.run(12_000)
		if lose {
			w.do("evict", "connect b")
		}
		w.run(30_000)
		if got := fmt.Sprint(w.at); got != "[0 30000]" {
			t.Errorf("lose %v: asked at %s", lose, got)
		}
		w.wants(`it is \"found\"`)
	}
}

// TestPersonDoesNotWaitForNextTry checks that a server is asked at once by hand, as often as any other one.
func TestPersonDoesNotWaitForNextTry(t *testing.T) {
	for _, lose := range []bool{false, true} {
		w := newAway(t, "503", "503 40", "503", "503", "503")
		byHand := `{"type":"rpc","id":"1","method":"reconnectMcpServer","args":["docs"]}`
		w.do("frame a " + byHand)
		w.run(2_000)
		if lose {
			w.do("evict", "connect a")
		}
		w.do("frame a " + byHand)
		w.run(100_000)
		if got := fmt.Sprint(w.at); got != "[0 1000 2000 3000 8000]" || w.state() != "failed" {
			t.Errorf("lose %v: asked at %s, the state is %s", lose, got, w.state())
		}
	}
}
