// Package hostile is a root that harms the others in its isolate: its client sends large and odd
// frames, and its events trap. The only rule about it is how little it costs the others.
package hostile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Root is a hostile root. Its methods do nothing if it is nil.
type Root struct {
	Config
	// conn is the connection of its client, or "". conns and frames count.
	conn          durable.ConnID
	conns, frames int
	fetches       []fetch
	gone          bool
	trees         map[string]*tree
}

// Config is what a hostile root needs of its isolate.
type Config struct {
	World *durabletest.World
	// Storage returns the storage of an object.
	Storage func(object string) *durabletest.SQLite
	// Address is where its client connects.
	Address string
	// Report is told when it harms the others, which Others returns.
	Report *check.Report
	Others func() []Other
}

// Other is another root in the isolate.
type Other struct {
	World *durabletest.World
	// Traps counts its own events that have trapped.
	Traps int
}

type fetch struct{ slot, name string }

// New returns a hostile root.
func New(c Config) *Root {
	r := &Root{Config: c, trees: map[string]*tree{}}
	r.World.Hold(r.witness)
	return r
}

// attacks are the kinds of attacks, see [Root.Attack].
var attacks = dice.Options{
	{"trap", 20},
	{"markup", 6},
	{"tools", 4},
	{"list", 4},
	{"odd", 6},
	{"binary", 2},
	{"say", 6},
	{"deep", 2},
	{"result", 2},
	{"come", 4},
	{"flood", 2},
	{"crowd", 2},
	{"clear", 2},
}

// Choose returns an attack.
func Choose(d dice.Dice) (kind string, size int) {
	size = 1 + d.Under(40_000)
	if d.Chance(6) {
		size = d.Under(400_000)
	}
	kind = d.Pick(attacks)
	switch kind {
	case "trap":
		size = d.Under(12)
	case "flood":
		size = maxFrames + d.Under(maxFrames)
	case "crowd":
		size = 40_000 + d.Under(400_000)
	}
	return kind, size
}

// Attack makes its client send something of a size, or its next event trap at a statement:
//
//	trap    an event traps
//	markup  a call of a method with a text that JSON makes six times as long
//	tools   tools in the browser with long descriptions
//	list    very many messages
//	odd     no frame at all
//	deep    deeply nested JSON
//	binary  bytes
//	result  the result of a call that nobody has made
//	say     a question
//	come    a new connection
//	flood   so many frames at once
//	crowd   forty sockets that are shown states of that size
//	clear   a conversation is cleared twice
func (r *Root) Attack(kind string, size int) {
	if r == nil || r.gone {
		return
	}
	if r.conn == "" || kind == "come" {
		r.come()
	}
	switch kind {
	case "flood":
		r.flood(size)
		return
	case "crowd":
		r.crowd(size)
		return
	case "clear":
		r.clear()
		return
	}
	m := durable.SocketMessage{Conn: r.conn, Text: r.frame(kind, size)}
	switch kind {
	case "come":
		return
	case "binary":
		m = durable.SocketMessage{Conn: r.conn, Binary: true, Data: make([]byte, size)}
	case "trap":
		storage := r.Storage(r.World.Object(""))
		storage.FailAt(size)
		defer storage.Calm()
	}
	r.World.Tell(m)
	r.deliverAll()
}

// frame returns what its client sends.
func (r *Root) frame(kind string, size int) string {
	r.frames++
	long := strings.Repeat("<", size)
	chat := func(messages, more string) string {
		body := `{"messages":` + messages + `,"trigger":"submit-message"` + more + `}`
		return encode(map[string]any{
			"id": fmt.Sprint("h", r.frames), "type": "cf_agent_use_chat_request", "init": map[string]string{"method": "POST", "body": body},
		})
	}
	message := func(n int, text string) string {
		return fmt.Sprintf(`{"id":"h%d-%d","role":"user","parts":[{"type":"text","text":%q}]}`, r.frames, n, text)
	}
	switch kind {
	case "markup":
		return encode(contract.RPC{Type: "rpc", ID: fmt.Sprint(r.frames), Method: "runs", Args: []any{map[string]string{"status": long}}})
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
		panic("hostile: " + err.Error())
	}
	return string(body)
}

// deliverAll delivers everything that is on its way. Its model refuses all requests.
func (r *Root) deliverAll() {
	for range 100 {
		fetches := r.fetches
		r.fetches = nil
		for _, f := range fetches {
			r.World.Fetched(f.slot, f.name, durable.FetchResponded{Fetch: f.name, Status: 400})
			r.World.Fetched(f.slot, f.name, durable.FetchEnded{Fetch: f.name})
		}
		lanes := r.World.Lanes()
		for _, lane := range lanes {
			r.World.Deliver(lane)
		}
		if len(fetches)+len(lanes) == 0 {
			return
		}
	}
}

// witness sees the events of its objects.
func (r *Root) witness(e durabletest.HandledEvent) {
	r.isBounded(e)
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.Fetch:
			r.fetches = append(r.fetches, fetch{e.Slot, c.Fetch})
		case durable.Close:
			if c.Conn == r.conn {
				r.conn = ""
			}
		}
	}
	if e.Trap != nil {
		r.isContained(e)
		r.conn = ""
	}
}

// DueBefore says whether a timer of its objects is due before a time. bounded is false if there is
// no such time.
func (r *Root) DueBefore(at int64, bounded bool) bool {
	if r == nil || r.gone {
		return false
	}
	due, ok := r.World.Due()
	return ok && (!bounded || due < at)
}

// Tick lets that timer go off.
func (r *Root) Tick() {
	r.World.Tick()
	r.deliverAll()
}

// Crash takes its memory and its connection, because the process has died. What the host knew of traps was in the memory
// of the process too: containment begins anew.
func (r *Root) Crash() {
	if r != nil {
		r.World.Crash()
		clear(r.trees)
		r.conn, r.fetches = "", nil
	}
}

// Leave ends it: nothing happens to it any more.
func (r *Root) Leave() {
	if r != nil {
		r.Crash()
		r.gone = true
	}
}
