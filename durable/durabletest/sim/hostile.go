package sim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// hostile is a root that does harm to those beside it: a client sends it large and odd frames,
// and its events trap. Nothing of it is checked but what it costs the others.
type hostile struct {
	first *Sim
	world *durabletest.World
	// conn is the connection of its client, or "". conns and frames count.
	conn          durable.ConnID
	conns, frames int
	fetches       []fetchAt
	gone          bool
	harm          map[string]*trapRecord
}

// trapRecord is how much an object has done by its traps.
type trapRecord struct {
	// last is when it has trapped last; moved says that it must live by itself since.
	last        int64
	ever, moved bool
}

type fetchAt struct{ slot, fetch string }

// attacks are the kinds of them.
var attacks = []choice{
	{"trap", 20}, {"markup", 6}, {"tools", 4}, {"list", 4}, {"odd", 6}, {"binary", 2}, {"say", 6}, {"deep", 2}, {"result", 2}, {"come", 4},
}

func chooseAttack(d dice) string {
	size := 1 + d.under(40_000)
	if d.chance(6) {
		size = d.under(400_000)
	}
	kind := d.pick(attacks)
	if kind == "trap" {
		size = d.under(12)
	}
	return line("attack", kind, fmt.Sprint(size))
}

// invite adds a hostile root to the isolate.
func (s *Sim) invite() {
	if s.first != nil || s.hostile != nil {
		return
	}
	s.hostile = &hostile{first: s, harm: map[string]*trapRecord{}}
	s.hostile.world = s.world.Beside(s.root, "hostile")
	s.hostile.world.Hold(s.hostile.witness)
}

// enemy returns the hostile root of the isolate, or nil.
func (s *Sim) enemy() *hostile { return s.everyone()[0].hostile }

// attack has its client send something of a size, or its next event trap at a statement:
//
//	trap    an event traps
//	markup  a call of a method with a text that JSON makes six times as long
//	tools   tools in the browser with long descriptions
//	list    very many messages
//	odd     no frame at all
//	deep    JSON in JSON
//	binary  bytes
//	result  the result of a call that nobody has made
//	say     a question
//	come    a new connection
func (h *hostile) attack(kind string, size int) {
	if h == nil || h.gone {
		return
	}
	if h.conn == "" || kind == "come" {
		h.conns++
		h.conn = durable.ConnID(fmt.Sprintf("hostile%d", h.conns))
		h.world.Tell(durable.SocketOpened{Conn: h.conn, URL: address + "?_pk=x"})
	}
	m := durable.SocketMessage{Conn: h.conn, Text: h.frame(kind, size)}
	switch kind {
	case "come":
		return
	case "binary":
		m = durable.SocketMessage{Conn: h.conn, Binary: true, Data: make([]byte, size)}
	case "trap":
		storage := h.first.storage(h.world.Object(""))
		storage.FailAt(size)
		defer storage.Calm()
	}
	h.world.Tell(m)
	h.follow()
}

// frame returns what its client sends.
func (h *hostile) frame(kind string, size int) string {
	h.frames++
	long := strings.Repeat("<", size)
	chat := func(messages, more string) string {
		body := `{"messages":` + messages + `,"trigger":"submit-message"` + more + `}`
		return encode(map[string]any{
			"id": fmt.Sprint("h", h.frames), "type": "cf_agent_use_chat_request", "init": map[string]string{"method": "POST", "body": body},
		})
	}
	message := func(n int, text string) string {
		return fmt.Sprintf(`{"id":"h%d-%d","role":"user","parts":[{"type":"text","text":%q}]}`, h.frames, n, text)
	}
	switch kind {
	case "markup":
		return encode(rpc{Type: "rpc", ID: fmt.Sprint(h.frames), Method: "runs", Args: []any{map[string]string{"status": long}}})
	case "tools":
		return chat(`[`+message(0, "hello")+`]`, `,"clientTools":[{"name":"t","description":"`+long+`"}]`)
	case "list":
		var list []string
		for n := range size / 100 {
			list = append(list, message(n, "hello"))
		}
		return chat(`[`+strings.Join(list, ",")+`]`, "")
	case "odd":
		return `{"type":"` + long
	case "deep":
		return `{"type":"rpc","id":"d","method":"runs","args":` + strings.Repeat("[", size) + strings.Repeat("]", size) + `}`
	case "result":
		return `{"type":"cf_agent_tool_result","toolCallId":"` + long + `","toolName":"t","output":"` + long + `","autoContinue":true}`
	}
	return chat(`[`+message(0, "tell me of "+long[:min(size, 2_000)])+`]`, "")
}

func encode(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("sim: " + err.Error())
	}
	return string(body)
}

// follow lets everything arrive that is under way. Its model refuses everything.
func (h *hostile) follow() {
	for range 100 {
		fetches := h.fetches
		h.fetches = nil
		for _, f := range fetches {
			h.world.Fetched(f.slot, f.fetch, durable.FetchResponded{Fetch: f.fetch, Status: 400})
			h.world.Fetched(f.slot, f.fetch, durable.FetchEnded{Fetch: f.fetch})
		}
		lanes := h.world.Lanes()
		for _, lane := range lanes {
			h.world.Deliver(lane)
		}
		if len(fetches)+len(lanes) == 0 {
			return
		}
	}
}

// witness sees what has happened to its objects.
func (h *hostile) witness(e durabletest.HandledEvent) {
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.Fetch:
			h.fetches = append(h.fetches, fetchAt{e.Slot, c.Fetch})
		case durable.Close:
			if c.Conn == h.conn {
				h.conn = ""
			}
		}
	}
	if e.Trap != nil {
		h.trapped(e)
		h.conn = ""
	}
}

// falls says whether something of it falls due before a time, if there is one.
func (h *hostile) falls(before int64, bounded bool) bool {
	if h == nil || h.gone {
		return false
	}
	at, ok := h.world.Due()
	return ok && (!bounded || at < before)
}

func (h *hostile) tick() {
	h.world.Tick()
	h.follow()
}

// crash takes its memory and its connection with the process.
func (h *hostile) crash() {
	if h != nil {
		h.world.Crash()
		h.conn, h.fetches = "", nil
	}
}

// leave ends it: nothing happens to it any more.
func (h *hostile) leave() {
	if h != nil {
		h.crash()
		h.gone = true
	}
}
