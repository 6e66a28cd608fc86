package people

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// Attend sends the frames of a page, and connects the page if it wants to.
func (p *People) Attend(t *Tab) {
	if t.Page == nil {
		return
	}
	if t.Conn != "" && !t.Page.Open() && !t.Page.Connecting() { // it has given up
		p.disconnect(t, 1006)
	}
	if t.Page.Wants() {
		p.connect(t)
	}
	for _, frame := range t.Page.Out() {
		p.send(t, frame)
	}
}

func (p *People) connect(t *Tab) {
	t.sockets++
	t.Conn = durable.ConnID(fmt.Sprintf("%s%d", t.Name, t.sockets))
	t.Page.Connect()
	conn, token := t.Conn, p.token(t.Conn)
	p.Lanes.Post(t.Out(), func() {
		p.View.Sockets[conn] = t.Path
		p.World.Tell(durable.SocketOpened{Conn: conn, URL: Address + t.Path + "?_pk=" + t.Name + token})
	})
}

// token returns what the front door adds to the address of a socket whose token ends. In a world
// that comes to rest, tokens do not end.
func (p *People) token(conn durable.ConnID) string {
	if p.Mode.Tokens == 0 || p.Mode.Settling {
		return ""
	}
	until := p.World.Now() + p.Mode.Tokens
	p.View.TokenEnds[conn] = until
	return fmt.Sprintf("&_until=%d", until)
}

// send sends a frame over a tab's connection.
func (p *People) send(t *Tab, frame string) {
	conn := t.Conn
	if strings.Contains(frame, "cf_agent_stream_resume_request") {
		t.probe, t.probeConn = frame, conn
	}
	if strings.Contains(frame, "cf_agent_use_chat_request") {
		t.chatRequest, t.requestConn = frame, conn
	}
	p.Lanes.Post(t.Out(), func() {
		there := slices.Contains(p.World.Connected(), conn)
		took := p.Took(func() { p.World.Tell(durable.SocketMessage{Conn: conn, Text: frame}) })
		if there && took {
			p.View.Arrived = append(p.View.Arrived, frame)
			t.Clearing = t.Clearing && (t.Path != "" || !strings.Contains(frame, clearFrame))
		} else {
			t.Lost = true
		}
	})
}

// clearFrame is in a request to clear a conversation.
const clearFrame = "cf_agent_chat_clear"

// Clears says whether a call of a helper passes on a request to clear its conversation. The root passes frames of pages
// on to helpers, which do not take them any more if the connection has broken meanwhile.
func Clears(call []byte) bool { return bytes.Contains(call, []byte(clearFrame)) }

// IsClear says whether a frame of a page is a request to clear its conversation.
func IsClear(frame string) bool { return strings.Contains(frame, clearFrame) }

// Cleared notes that a helper has done what a call has passed on.
func (p *People) Cleared(call []byte) {
	for _, t := range p.Tabs {
		t.Clearing = t.Clearing && (t.Conn == "" || !bytes.Contains(call, []byte(t.Conn)))
	}
}

// Opened tells a tab that its connection is open.
func (p *People) Opened(conn durable.ConnID) {
	p.postTo(conn, func(t *Tab) { t.Page.Opened() })
}

// Send sends a frame to the tab that has a connection.
func (p *People) Send(conn durable.ConnID, text string) {
	p.postTo(conn, func(t *Tab) { p.hear(t, text) })
}

// Close tells a tab that the server has closed its connection. A page whose token has ended is
// loaded again with another one.
func (p *People) Close(conn durable.ConnID, code int) {
	p.postTo(conn, func(t *Tab) {
		if code == violation {
			p.View.Fail("cost", "the socket of tab %s is closed for what it costs", t.Name)
		}
		p.disconnect(t, code)
		t.Page.Closed(code)
		if code == check.Unauthorized {
			p.reload(t)
		}
	})
}

// violation is the code of a socket that is closed for what it costs. No tab costs that much.
const violation = 1008

// postTo posts something to the tab that has a connection.
func (p *People) postTo(conn durable.ConnID, f func(t *Tab)) {
	p.Lanes.Post(string(conn)+"<", func() {
		if t := p.TabOf(conn); t != nil {
			f(t)
			p.Attend(t)
		}
	})
}

// TabOf returns the tab that has a connection, or nil.
func (p *People) TabOf(conn durable.ConnID) *Tab {
	i := slices.IndexFunc(p.Tabs, func(t *Tab) bool { return t.Conn == conn && t.Page != nil })
	if i < 0 {
		return nil
	}
	return p.Tabs[i]
}

func (p *People) hear(t *Tab, text string) {
	t.Page.Frame(text)
	t.readLink(text)
	if p.Log.HasReader() {
		p.Log.Aside("\t%s hears %.160s\n\t\tand is %s with %s", t.Name, text, t.Page.Status, browser.Outline(t.Page.Messages))
	}
	for _, thrown := range t.Page.Thrown {
		p.View.Fail("client", "tab %s cannot read what it was sent: %s", t.Name, thrown)
	}
	for _, chunk := range t.Page.Repeated {
		p.View.Fail("client", "tab %s is sent a chunk twice: %s", t.Name, chunk)
	}
}

// breakOff breaks the connection of a tab whose page is frozen: the page hears everything that is
// on its way to it before it hears that the connection is gone.
func (p *People) breakOff(t *Tab) {
	conn := t.Conn
	if conn == "" || !t.Connected() {
		return
	}
	t.Page.Broke()
	for t.Conn == conn && p.Lanes.Deliver(string(conn)+"<") {
	}
	if t.Conn == conn {
		p.drop(t)
	}
}

// Drop breaks the tab's connection that a lane belongs to.
func (p *People) Drop(lane string) {
	if t := p.TabOf(durable.ConnID(strings.TrimRight(lane, "<>"))); t != nil {
		p.drop(t)
	}
}

// drop breaks a tab's connection. Everything on its way is lost. The server hears of it later.
func (p *People) drop(t *Tab) {
	t.Lost = t.Lost || p.Lanes.Waits(t.Out())
	p.Lanes.Drop(t.Out())
	p.disconnect(t, 1006)
	t.Page.Closed(1006)
	p.Attend(t)
}

// disconnect ends a tab's connection: nothing reaches the tab any more.
func (p *People) disconnect(t *Tab, code int) {
	conn := t.Conn
	t.Conn = ""
	p.Lanes.Drop(string(conn) + "<")
	p.Lanes.Post(string(conn)+">", func() {
		if _, known := p.View.Sockets[conn]; known {
			delete(p.View.Sockets, conn)
			p.World.Tell(durable.SocketClosed{Conn: conn, Code: code})
		}
	})
}

// Crash breaks all connections and requests, because the process has died.
func (p *People) Crash() {
	for _, t := range p.Tabs {
		if t.Conn != "" {
			p.drop(t)
		}
		if t.request != "" {
			p.Lanes.Drop(t.Name + ".get>")
			p.Respond(t.request, 502, nil)
		}
	}
	clear(p.View.Sockets)
	for _, lane := range p.Lanes.Names() { // also of tabs that have given up
		if strings.HasSuffix(lane, ">") {
			p.Lanes.Drop(lane)
		}
	}
	for _, t := range p.Tabs {
		p.Attend(t)
	}
}
