package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// talker is a model that says as much as its question names, at once.
type talker struct{ pieces, size int }

func (talker) Name() string { return "talker" }

func (m talker) Begin(tx *durable.Tx, id string, _ model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return &talk{talker: m, timer: id}, nil
}

type talk struct {
	talker
	timer string
}

func (a *talk) Take(tx *durable.Tx, _ durable.Event) ([]model.Delta, error) {
	if a.pieces == 0 {
		return []model.Delta{model.Finished{Reason: model.Stop}}, nil
	}
	a.pieces--
	tx.Do(durable.StartTimer{Timer: a.timer, After: 50})
	return []model.Delta{model.TextDelta{Text: strings.Repeat("x", a.size)}}, nil
}

func (*talk) Cancel(*durable.Tx) {}

// hall is a conversation with many sockets.
type hall struct {
	*testing.T
	engine *durabletest.Native
	now    int64
	// timers are when the timers go off that run.
	timers map[string]int64
	conns  []durable.ConnID
	// heard is what each socket was sent last of each type of frame, and count how often. sent is how
	// many bytes the events have sent, and most what one has at most. closed are the codes of closes, and
	// logged the lines of the log.
	heard  map[durable.ConnID]map[string]string
	count  map[durable.ConnID]map[string]int
	sent   int
	most   int
	closed map[durable.ConnID]int
	logged []string
}

func newHall(t *testing.T, sockets int, m model.Model) *hall {
	h := &hall{
		T: t, engine: durabletest.NewNative(1, Class(agent.Agent{
			Name: "Hall", Model: m,
			Methods: map[string]agent.Method{"large": func(*agent.Call) (any, error) { return strings.Repeat("x", 1_000_000), nil }},
		})),
		now: 1_700_000_000_000, timers: map[string]int64{},
		heard: map[durable.ConnID]map[string]string{}, count: map[durable.ConnID]map[string]int{}, closed: map[durable.ConnID]int{},
	}
	for i := range sockets {
		if i%100 == 0 {
			h.now += 2_000
		}
		h.connect(durable.ConnID(fmt.Sprint("s", i)))
	}
	h.now += 2_000
	h.sent, h.most = 0, 0
	return h
}

func (h *hall) connect(conn durable.ConnID) {
	h.step(durable.SocketOpened{Conn: conn, URL: "/agents/hall/room"})
	if h.closed[conn] == 0 {
		h.conns = append(h.conns, conn)
	}
}

// step handles an event and performs its commands.
func (h *hall) step(e durable.Event) {
	h.Helper()
	opened := durable.Opened{Class: "Hall", Name: "room", Conns: h.conns}
	commands, err := h.engine.Step("room", h.now, opened, e)
	if err != nil {
		h.Fatalf("%T: it traps: %.300s", e, err)
	}
	sent := 0
	for _, command := range commands {
		switch c := command.(type) {
		case durable.Send:
			_, rest, _ := strings.Cut(c.Text, `"type":"`)
			kind, _, _ := strings.Cut(rest, `"`)
			for _, id := range c.To {
				if h.heard[id] == nil {
					h.heard[id], h.count[id] = map[string]string{}, map[string]int{}
				}
				h.heard[id][kind] = c.Text
				h.count[id][kind]++
				sent += len(c.Text)
			}
		case durable.Close:
			h.closed[c.Conn] = c.Code
		case durable.StartTimer:
			h.timers[c.Timer] = h.now + c.After
		case durable.StopTimer:
			delete(h.timers, c.Timer)
		case durable.Log:
			h.logged = append(h.logged, c.Message)
		}
	}
	h.sent, h.most = h.sent+sent, max(h.most, sent)
}

// says has a socket send a frame.
func (h *hall) says(conn durable.ConnID, text string) {
	h.Helper()
	h.step(durable.SocketMessage{Conn: conn, Text: text})
}

// pass lets time pass, with the timers that go off.
func (h *hall) pass(ms int64) {
	h.Helper()
	for until := h.now + ms; ; {
		next := ""
		for name, at := range h.timers {
			if at <= until && (next == "" || at < h.timers[next] || at == h.timers[next] && name < next) {
				next = name
			}
		}
		if next == "" {
			h.now = until
			return
		}
		h.now = max(h.now, h.timers[next])
		delete(h.timers, next)
		h.step(durable.TimerFired{Timer: next})
	}
}

// rest lets time pass until nothing is owed, and checks that no second has sent too much.
func (h *hall) rest() {
	h.Helper()
	for range 600 {
		before := h.sent
		h.pass(1_000)
		if sent := h.sent - before; sent > 2*limit.ConversationDown {
			h.Fatalf("%d bytes in a second", sent)
		}
		if len(h.timers) == 0 {
			return
		}
	}
	h.Fatalf("it does not come to rest: %v", h.timers)
}

func (h *hall) clearCounts() {
	for _, counts := range h.count {
		clear(counts)
	}
}

func (h *hall) storage() *durabletest.SQLite {
	storage, err := h.engine.Storage("room")
	if err != nil {
		h.Fatal(err)
	}
	return storage
}

func stateFrame(n, size int) string {
	return fmt.Sprintf(`{"type":"cf_agent_state","state":"%d%s"}`, n, strings.Repeat("x", size))
}

func askFrame(n int, text string) string {
	body := limit.MustMarshal(map[string]any{"trigger": "submit-message", "messages": []any{
		map[string]any{"id": fmt.Sprint("u", n), "role": "user", "parts": []any{map[string]any{"type": "text", "text": text}}},
	}})
	return string(limit.MustMarshal(map[string]any{
		"type": "cf_agent_use_chat_request", "id": fmt.Sprint("R", n), "init": map[string]any{"method": "POST", "body": string(body)},
	}))
}

// fill stores messages of some bytes together.
func (h *hall) fill(bytes int) {
	for i := range 8 {
		body := fmt.Sprintf(`{"id":"m%d","role":"user","parts":[{"type":"text","text":"%s"}]}`, i, strings.Repeat("y", bytes/8))
		h.says("s0", `{"type":"cf_agent_chat_messages","messages":[`+body+`]}`)
		h.rest()
	}
	h.sent, h.most = 0, 0
	h.clearCounts()
}

// TestStatesCoalesce checks that a socket is sent five states a second at most, the first at once, and
// the newest in any case.
func TestStatesCoalesce(t *testing.T) {
	for _, test := range []struct{ states, atOnce, after int }{
		{limit.Shows, limit.Shows, 0}, {limit.Shows + 1, limit.Shows, 1}, {80, limit.Shows, 1},
	} {
		h := newHall(t, 3, talker{})
		for i := range test.states {
			h.says("s0", stateFrame(i, 1))
		}
		if got := h.count["s1"]["cf_agent_state"]; got != test.atOnce || h.count["s0"]["cf_agent_state"] != 0 {
			t.Errorf("%d states: %d were shown at once, and %d to their sender", test.states, got, h.count["s0"]["cf_agent_state"])
		}
		if owed, want := len(h.timers), min(test.after, 1); owed != want {
			t.Errorf("%d states: %d timers", test.states, owed)
		}
		h.pass(200)
		if got := h.count["s1"]["cf_agent_state"] - test.atOnce; got != test.after || h.heard["s1"]["cf_agent_state"] != stateFrame(test.states-1, 1) {
			t.Errorf("%d states: %d were shown later, the last was %s", test.states, got, h.heard["s1"]["cf_agent_state"])
		}
		h.rest()
		if rows, err := h.storage().SQL(`SELECT key FROM setting WHERE key LIKE 'replay/%'`, nil); err != nil || len(rows) > 0 {
			t.Errorf("rows are left: %v, %v", rows, err)
		}
	}
}

// TestStateThatIsOwedSurvivesALoss checks that everybody is sent the newest state although the memory
// is lost before.
func TestStateThatIsOwedSurvivesALoss(t *testing.T) {
	h := newHall(t, 3, talker{})
	for i := range 20 {
		h.says("s0", stateFrame(i, 1))
	}
	h.engine.Evict("room")
	clear(h.timers)
	h.says("s2", `{"type":"cf_agent_stream_resume_request","probeId":"p"}`)
	h.rest()
	for _, id := range []durable.ConnID{"s1", "s2"} {
		if h.heard[id]["cf_agent_state"] != stateFrame(19, 1) {
			t.Errorf("%s was sent %s", id, h.heard[id]["cf_agent_state"])
		}
	}
}

// TestManySocketsAreSentLittleAtOnce checks what frames cost that show something large to very many
// sockets, and that each socket has the newest of it in the end.
func TestManySocketsAreSentLittleAtOnce(t *testing.T) {
	t.Run("states", func(t *testing.T) {
		h := newHall(t, 200, talker{})
		for i := range 3 {
			h.says("s7", stateFrame(i, 900_000))
		}
		if h.most > limit.EventDown || h.sent > limit.ConversationDown {
			t.Errorf("an event has sent %d bytes, all together %d", h.most, h.sent)
		}
		h.rest()
		for _, id := range h.conns {
			if got := h.heard[id]["cf_agent_state"]; id != "s7" && got != stateFrame(2, 900_000) {
				t.Fatalf("%s has the state %.40s", id, got)
			}
		}
		if len(h.closed) > 0 {
			t.Errorf("sockets were closed: %v", h.closed)
		}
	})
	t.Run("questions", func(t *testing.T) {
		h := newHall(t, 100, talker{})
		h.fill(480_000)
		for i := range 6 {
			h.says("s7", askFrame(i, "hi"))
		}
		if h.most > limit.EventDown+1<<20 || h.sent > limit.ConversationDown+1<<20 {
			t.Errorf("an event has sent %d bytes, all together %d", h.most, h.sent)
		}
		h.rest()
		for _, id := range h.conns {
			if got := h.heard[id]["cf_agent_chat_messages"]; id != "s7" && !strings.Contains(got, `"u5"`) {
				t.Fatalf("%s has not heard of the last question: %.80s", id, got)
			}
		}
	})
	t.Run("lists", func(t *testing.T) {
		h := newHall(t, 100, talker{})
		h.fill(480_000)
		for i := range 80 {
			h.says("s7", fmt.Sprintf(`{"type":"cf_agent_chat_messages","messages":[{"id":"p%d","role":"user","parts":[{"type":"text","text":"x"}]}]}`, i))
		}
		if h.most > limit.EventDown+1<<20 || h.sent > limit.ConversationDown+1<<20 {
			t.Errorf("an event has sent %d bytes, all together %d", h.most, h.sent)
		}
		h.rest()
		for _, id := range h.conns {
			if got := h.heard[id]["cf_agent_chat_messages"]; id != "s7" && !strings.Contains(got, `"p79"`) {
				t.Fatalf("%s has not heard of the last list, %v: %.80s ... %s", id, h.count[id], got, got[len(got)-200:])
			}
			if n := h.count[id]["cf_agent_chat_messages"]; n > 40 {
				t.Fatalf("%s was sent %d transcripts", id, n)
			}
		}
	})
	t.Run("an answer", func(t *testing.T) {
		h := newHall(t, 150, talker{pieces: 12, size: 60_000})
		h.says("s7", askFrame(1, "hi"))
		h.rest()
		if h.most > limit.EventDown+1<<20 {
			t.Errorf("%d bytes were sent for a piece", h.most)
		}
		for _, id := range h.conns {
			if got := h.heard[id]["cf_agent_message_updated"]; !strings.Contains(got, strings.Repeat("x", 12*60_000)) {
				t.Fatalf("%s does not have the answer: %.80s", id, got)
			}
			if got := h.heard[id]["cf_agent_use_chat_response"]; !strings.Contains(got, `"done":true`) {
				t.Fatalf("%s was not sent the end: %.80s", id, got)
			}
		}
		if n := h.count["s7"]["cf_agent_use_chat_response"]; n < 12 {
			t.Errorf("the socket that has asked was sent %d chunks", n)
		}
	})
}

// TestRefusalsSendTheTranscriptOnceInAWhile checks that small frames have small answers.
func TestRefusalsSendTheTranscriptOnceInAWhile(t *testing.T) {
	h := newHall(t, 2, talker{})
	h.fill(480_000)
	for i := range limit.SocketFrames {
		h.says("s1", fmt.Sprintf(`{"type":"cf_agent_use_chat_request","id":"r%d","init":{"method":"POST","body":"{\"messages\":[{\"role\":\"assistant\",\"id\":\"a\"}]}"}}`, i))
	}
	if n := h.count["s1"]["cf_agent_chat_messages"]; n != 1 || h.count["s1"]["cf_agent_use_chat_response"] != limit.SocketFrames {
		t.Errorf("%d refusals have sent %d transcripts", h.count["s1"]["cf_agent_use_chat_response"], n)
	}
	if h.pass(900); h.count["s1"]["cf_agent_chat_messages"] != 1 {
		t.Errorf("%d transcripts in the first second", h.count["s1"]["cf_agent_chat_messages"])
	}
	if h.rest(); h.count["s1"]["cf_agent_chat_messages"] != 2 || len(h.closed) > 0 {
		t.Errorf("%d transcripts in the end, and closed: %v", h.count["s1"]["cf_agent_chat_messages"], h.closed)
	}
}

// TestClearOfNothingDoesNothing checks that it sends nothing and writes nothing, and that a clear of
// something still does.
func TestClearOfNothingDoesNothing(t *testing.T) {
	h := newHall(t, 3, talker{})
	h.says("s0", askFrame(1, "hi"))
	h.rest()
	h.says("s1", `{"type":"cf_agent_chat_clear"}`)
	if h.count["s0"]["cf_agent_chat_clear"] != 1 {
		t.Errorf("the conversation was not cleared: %v", h.count["s0"])
	}
	h.sent = 0
	written := h.storage().Used().RowsWritten
	for range 50 {
		h.says("s1", `{"type":"cf_agent_chat_clear"}`)
	}
	if more := h.storage().Used().RowsWritten - written; h.sent > 0 || more > 0 {
		t.Errorf("%d bytes were sent, and %d rows written", h.sent, more)
	}
}

// TestFloodClosesItsSocketAlone checks a flood of one socket, and its lines in the log.
func TestFloodClosesItsSocketAlone(t *testing.T) {
	h := newHall(t, 3, talker{})
	for range 1_500 {
		h.says("s1", `{"type":`)
	}
	h.says("s0", `{"type":"cf_agent_stream_resume_request","probeId":"p"}`)
	if len(h.closed) != 1 || h.closed["s1"] != 1008 || h.heard["s0"]["cf_agent_stream_resume_none"] == "" {
		t.Errorf("closed: %v, and another socket was answered %v", h.closed, h.heard["s0"])
	}
	if len(h.logged) > 2 {
		t.Errorf("%d lines: %q", len(h.logged), h.logged)
	}
	h.step(durable.SocketClosed{Conn: "s1", Code: 1008})
	if len(h.logged) != 3 || !strings.Contains(h.logged[2], "left out") {
		t.Errorf("lines at the end: %q", h.logged)
	}
}

// TestAnswersThatAreLargeAreCounted checks that a socket is closed that asks for too many bytes with
// small frames.
func TestAnswersThatAreLargeAreCounted(t *testing.T) {
	h := newHall(t, 2, talker{})
	for i := range 50 {
		h.says("s1", fmt.Sprintf(`{"type":"rpc","id":"%d","method":"large","args":[]}`, i))
	}
	if h.closed["s1"] != 1008 || h.sent > limit.SocketDown+2_000_000 {
		t.Errorf("closed: %v, and %d bytes were sent", h.closed, h.sent)
	}
}

// TestConnectionsAreRefusedThatCostTooMuch checks that sockets which open and close send no more than
// a second may.
func TestConnectionsAreRefusedThatCostTooMuch(t *testing.T) {
	h := newHall(t, 1, talker{})
	h.fill(480_000)
	for i := range 200 {
		conn := durable.ConnID(fmt.Sprint("c", i))
		h.step(durable.SocketOpened{Conn: conn, URL: "/agents/hall/room"})
		h.step(durable.SocketClosed{Conn: conn, Code: 1000})
	}
	if h.sent > limit.ConversationDown+1<<20 || h.closed["c199"] != 1013 {
		t.Errorf("%d bytes were sent, closed: %v", h.sent, h.closed["c199"])
	}
	h.now += 1_000
	if h.connect("late"); h.closed["late"] != 0 {
		t.Errorf("a socket a second later was closed with %d", h.closed["late"])
	}
}
