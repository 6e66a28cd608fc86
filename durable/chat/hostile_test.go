package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// parent is an object with one run under way. The test plays the run's helper.
type parent struct {
	*testing.T
	engine *durabletest.Native
	opened durable.Opened
}

func newParent(t *testing.T) *parent {
	helper := agent.Agent{Name: "Helper", Helper: true}
	class := Class(agent.Agent{
		Name:     "Parent",
		Handlers: map[string]agent.RunHook{"done": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		Methods: map[string]agent.Method{"begin": func(c *agent.Call) (any, error) {
			return agent.StartDetached(&c.Conversation, helper, "done", struct{}{}, agent.RunID("r"))
		}},
	}, demo.Provider)
	p := &parent{t, durabletest.NewNative(1, class), durable.Opened{Class: "Parent", Name: "room"}}
	p.step(durable.SocketOpened{Conn: "a", URL: "/agents/parent/room"})
	p.step(durable.SocketMessage{Conn: "a", Text: `{"type":"rpc","id":"1","method":"begin","args":[]}`})
	return p
}

// step handles an event, and returns its commands as text.
func (p *parent) step(e durable.Event) string {
	p.Helper()
	commands, err := p.engine.Step("room", 1_700_000_000_000, p.opened, e)
	if err != nil {
		p.Fatalf("%T: it traps: %.300s", e, err)
	}
	return fmt.Sprintf("%q", commands)
}

// says sends the parent frames from the helper.
func (p *parent) says(frames ...wire.Frame) string {
	data := wire.AppendStart(nil)
	for _, f := range frames {
		data = wire.AppendFrame(data, f)
	}
	return p.step(durable.StreamData{Stream: facet.TailPrefix + "r", Data: data})
}

// status returns the run's status and the reason of its failure.
func (p *parent) status() (status, failure string) {
	storage, err := p.engine.Storage("room")
	if err != nil {
		p.Fatal(err)
	}
	rows, err := storage.SQL(`SELECT status, failure FROM run WHERE id = 'r'`, nil)
	if err != nil || len(rows) != 1 {
		p.Fatalf("got %v, %v", rows, err)
	}
	return rows[0].Text(0), rows[0].Text(1)
}

// TestHelperThatSaysTooMuchAtOnceIsStopped sends a chunk that does not fit into the parent's log.
// The run ends with an error text, and its helper is told.
func TestHelperThatSaysTooMuchAtOnceIsStopped(t *testing.T) {
	for name, test := range map[string]struct {
		letter string
		n      int
		taken  bool
	}{
		"at the limit": {"x", limit.Chunk, true}, "at the limit in markup": {"<", limit.Chunk, true},
		"one beyond": {"x", limit.Chunk + 1, false}, "as much as a frame has": {"<", wire.MaxBody, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newParent(t)
			end := wire.Frame{Kind: wire.KindEnd, Index: 1, Body: limit.MustMarshal(facet.End{Outcome: facet.Outcome{Status: string(run.Completed), Summary: "done"}})}
			p.says(wire.Frame{Kind: wire.KindChunk, Body: []byte(strings.Repeat(test.letter, test.n))}, end)
			status, failure := p.status()
			if test.taken && status != string(run.Completed) {
				t.Errorf("got %s: %s", status, failure)
			}
			if want := fmt.Sprintf("the helper has said %d bytes at once, at most 1000000", test.n); !test.taken && (status != string(run.Aborted) || failure != want) {
				t.Errorf("got %s: %s", status, failure)
			}
		})
	}
}

// TestWhatAHelperTellsIsBounded checks the parent's own limits. A helper limits its reports itself,
// but a parent does not rely on that.
func TestWhatAHelperTellsIsBounded(t *testing.T) {
	long := strings.Repeat("<", 600_000)
	data := json.RawMessage(`"` + long + `"`)
	for name, frame := range map[string]wire.Frame{
		"milestone's name": {Kind: wire.KindMilestone, Body: limit.MustMarshal(stream.Milestone{Name: long})},
		"milestone's data": {Kind: wire.KindMilestone, Body: limit.MustMarshal(stream.Milestone{Name: "m", Data: data})},
		"progress":         {Kind: wire.KindProgress, Body: limit.MustMarshal(facet.Progress{Report: facet.Report{N: 1, Progress: run.Progress{Phase: long, Message: long, Data: data}}})},
		"calls":            {Kind: wire.KindWaiting, Body: limit.MustMarshal(facet.Pause{WaitsFor: strings.Split(long[:400_000], "")})},
		"a call":           {Kind: wire.KindWaiting, Body: limit.MustMarshal(facet.Pause{WaitsFor: []string{long}})},
		"end":              {Kind: wire.KindEnd, Body: limit.MustMarshal(facet.End{Outcome: facet.Outcome{Status: string(run.Failed), Summary: long, Failure: long}})},
		"output":           {Kind: wire.KindEnd, Body: limit.MustMarshal(facet.End{Outcome: facet.Outcome{Status: string(run.Completed), Output: data}})},
	} {
		t.Run(name, func(t *testing.T) {
			p := newParent(t)
			if out := p.says(frame); len(out) > 2*limit.Summary+10_000 {
				t.Errorf("browsers are told %d bytes", len(out))
			}
			p.step(durable.SocketMessage{Conn: "a", Text: `{"type":"rpc","id":"2","method":"none","args":[]}`})
		})
	}
}

// TestPushWritesWhatIsNew checks that a list, which is as long as the conversation, changes nothing
// that is stored as it is.
func TestPushWritesWhatIsNew(t *testing.T) {
	p := newParent(t)
	storage, err := p.engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	push := func() (written int) {
		before := storage.Written("message")
		p.step(durable.SocketMessage{Conn: "a", Text: `{"type":"cf_agent_chat_messages","messages":[` + strings.Join(list, ",") + `]}`})
		return storage.Written("message") - before
	}
	message := func(n int, text string) string {
		return fmt.Sprintf(`{"parts":[{"text":%q,"type":"text"}],"id":"u%d","role":"user"}`, text, n)
	}
	for n := range 4 * limit.Fresh {
		if list = append(list, message(n, "<hello>")); len(list)%limit.Fresh == 0 {
			if got := push(); got != limit.Fresh {
				t.Fatalf("%d messages of %d were written, want %d", got, len(list), limit.Fresh)
			}
		}
	}
	list[1] = message(1, "<hello again>")
	list = append(list[:500], list[501:]...)
	if got := push(); got != 2 {
		t.Errorf("a message changed and another was deleted, by %d statements, want 2", got)
	}
	rows, err := storage.SQL(`SELECT COUNT(*), SUM(body LIKE '%again%') FROM message WHERE id != 'u500'`, nil)
	if err != nil || rows[0].Int(0) != int64(len(list)) || rows[0].Int(1) != 1 {
		t.Errorf("got %v, %v", rows, err)
	}
}
