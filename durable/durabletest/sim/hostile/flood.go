package hostile

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// What its sockets may cost: the frames of one in a second, and the bytes that an event sends. An event
// sends one frame in any case, and the socket whose frame it is an answer.
const (
	maxFrames = 100
	maxSent   = 8<<20 + 2_000_000
)

// come opens a new connection.
func (r *Root) come() {
	r.conns++
	r.conn = durable.ConnID(fmt.Sprintf("hostile%d", r.conns))
	r.World.Tell(durable.SocketOpened{Conn: r.conn, URL: r.Address + "?_pk=x"})
}

// flood sends more frames at once than a socket may. The socket has to be closed before the last.
func (r *Root) flood(frames int) {
	conn := r.conn
	for range frames + 1 {
		r.World.Tell(durable.SocketMessage{Conn: conn, Text: `{"type":"cf_agent_stream_resume_request","probeId":"p"}`})
	}
	r.Report.Checks++
	if r.conn == conn {
		r.Report.Fail("cost", "%d frames at once are handled", frames+1)
	}
	r.deliverAll()
}

// crowd opens forty sockets, and has one set states of a size that are shown to the others.
func (r *Root) crowd(size int) {
	for range 40 {
		r.come()
	}
	for i := range 8 {
		state := `{"type":"cf_agent_state","state":"` + fmt.Sprint(i) + strings.Repeat("x", size) + `"}`
		r.World.Tell(durable.SocketMessage{Conn: r.conn, Text: state})
	}
	r.deliverAll()
}

// clear clears its conversation twice. The second time there is nothing to clear.
func (r *Root) clear() {
	for range 2 {
		r.World.Tell(durable.SocketMessage{Conn: r.conn, Text: `{"type":"cf_agent_chat_clear"}`})
		r.deliverAll()
	}
}

// isBounded checks that an event of it sends no more than an event may.
func (r *Root) isBounded(e durabletest.HandledEvent) {
	sent := 0
	for _, command := range e.Commands {
		if send, ok := command.(durable.Send); ok {
			sent += len(send.Text) * len(send.To)
		}
	}
	r.Report.Checks++
	if sent > maxSent {
		r.Report.Fail("cost", "%T has sent %d bytes", e.Event, sent)
	}
}
