package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// Event is a handled event, and what all rules read of it.
type Event struct {
	durabletest.HandledEvent
	// Turns and Runs are the rows of the object after the event. They are nil if the event trapped.
	Turns []stored.Turn
	Runs  []stored.Run
	// Sent are the frames that the object sends.
	Sent []Sent
	// Conns are the sockets of the root after the event.
	Conns []durable.ConnID
}

// Sent is a frame that an object sends, with its receivers.
type Sent struct {
	To    []durable.ConnID
	Frame Frame
}

// Frame is the fields of a frame that rules look at.
type Frame struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"`
	ProbeID    string          `json:"probeId"`
	Body       string          `json:"body"`
	Seq        *int64          `json:"seq"`
	Done       bool            `json:"done"`
	Replay     bool            `json:"replay"`
	Outcome    string          `json:"outcome"`
	MessageIDs []string        `json:"messageIds"`
	Sequence   int64           `json:"sequence"`
	Event      json.RawMessage `json:"event"`
	// Transcript is the text of a frame that is a transcript. Its other fields are not read.
	Transcript string `json:"-"`
}

// Event reads what rules look at of a handled event.
func (v *View) Event(h durabletest.HandledEvent) Event {
	e := Event{HandledEvent: h}
	if h.Trap == nil && v.Made(h.Object) {
		e.Turns, e.Runs = v.Turns(h.Object), v.Runs(h.Object)
	}
	for _, c := range h.Commands {
		if send, ok := c.(durable.Send); ok {
			e.Sent = append(e.Sent, Sent{send.To, v.Frame(send.Text)})
		}
	}
	e.Conns = v.connsAfter(h.Commands)
	return e
}

// Frame reads a frame.
func (v *View) Frame(text string) (f Frame) {
	if strings.HasPrefix(text, `{"type":"cf_agent_chat_messages"`) && json.Valid([]byte(text)) {
		return Frame{Type: "cf_agent_chat_messages", Transcript: text}
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		v.Fail("client", "a frame is no JSON: %.80s", text)
	}
	return f
}

// connsAfter returns the sockets of the root after an event. A socket that it closes is no longer
// one of them, even if the process dies before the platform closes it: the object has committed
// that it is closed.
func (v *View) connsAfter(commands []durable.Command) []durable.ConnID {
	conns := v.World.Connected()
	for _, c := range commands {
		if end, ok := c.(durable.Close); ok {
			conns = slices.DeleteFunc(conns, func(conn durable.ConnID) bool { return conn == end.Conn })
		}
	}
	return conns
}

// Difference returns two texts from where they begin to differ.
func Difference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(at-80, 0)
	cut := func(s string) string { return s[from:min(from+240, len(s))] }
	return fmt.Sprintf("...%s...\nand storage says ...%s...", cut(got), cut(want))
}
