package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// tab is a browser's tab in the world: the page in it, and the connection that it has.
type tab struct {
	name string
	// path is what its addresses have behind the object's, "" or a helper's.
	path string
	// page is nil until the messages have come that it begins with.
	page *browser.Tab
	// request is the HTTP request that it waits for, conn its socket, or "".
	request string
	conn    durable.ConnID
	// probe is the last probe that it has sent, probed on which connection.
	probe  string
	probed durable.ConnID
	// asked is the last request for an answer that it has sent, askedOn on which connection.
	asked   string
	askedOn durable.ConnID
	// mounts and sockets count, so that no name is used twice.
	mounts, sockets int
	// lost says that something that it had sent was lost on its way.
	lost bool
	// clearing says that it has asked to have the conversation cleared, and that this has
	// not arrived.
	clearing bool
}

const address = "/agents/x/room"

// mount loads the page: first the messages, by HTTP.
func (s *Sim) mount(t *tab) {
	t.mounts++
	t.page, t.conn = nil, ""
	t.request = fmt.Sprintf("%s.%d", t.name, t.mounts)
	request := t.request
	s.inFlight.post(t.name+".get>", func() {
		s.world.Tell(durable.RequestReceived{Request: request, Method: "GET", URL: address + t.path + "/get-messages"})
	})
}

// respond answers an HTTP request. A page that gets no messages begins with none.
func (s *Sim) respond(request string, status int, body []byte) {
	for _, t := range s.tabs {
		if t.request != request {
			continue
		}
		t.request = ""
		s.inFlight.post(t.name+".get<", func() {
			if status != 200 {
				body = nil
			}
			s.show(t, request, body)
		})
	}
}

// show begins the page of a tab with its messages.
func (s *Sim) show(t *tab, request string, messages []byte) {
	t.page = browser.New(request, s.world.Now, messages)
	if s.asking {
		t.page.Tools = clientTools
	}
	if s.mounted != nil {
		s.mounted(t.page, messages)
	}
	s.attend(t)
}

// attend sends what a page has to say, and connects it where it wants that.
func (s *Sim) attend(t *tab) {
	if t.page == nil {
		return
	}
	if t.conn != "" && !t.page.Open() && !t.page.Connecting() { // it has given up
		s.disconnect(t, 1006)
	}
	if t.page.Wants() {
		s.connect(t)
	}
	for _, frame := range t.page.Out() {
		s.post(t, frame)
	}
}

// post sends a frame over a tab's connection.
func (s *Sim) post(t *tab, frame string) {
	conn := t.conn
	if strings.Contains(frame, "cf_agent_stream_resume_request") {
		t.probe, t.probed = frame, conn
	}
	if strings.Contains(frame, "cf_agent_use_chat_request") {
		t.asked, t.askedOn = frame, conn
	}
	s.inFlight.post(string(conn)+">", func() {
		there := slices.Contains(s.world.Connected(), conn)
		took := s.took(func() { s.world.Tell(durable.SocketMessage{Conn: conn, Text: frame}) })
		if there && took {
			s.checks.arrived = append(s.checks.arrived, frame)
			t.clearing = t.clearing && !strings.Contains(frame, "cf_agent_chat_clear")
		} else {
			t.lost = true
		}
	})
}

func (s *Sim) connect(t *tab) {
	t.sockets++
	t.conn = durable.ConnID(fmt.Sprintf("%s%d", t.name, t.sockets))
	t.page.Connect()
	conn, token := t.conn, s.token(t.conn)
	s.inFlight.post(string(conn)+">", func() {
		s.checks.met[conn] = t.path
		s.world.Tell(durable.SocketOpened{Conn: conn, URL: address + t.path + "?_pk=" + t.name + token})
	})
}

// toTab posts something to the tab that has a connection.
func (s *Sim) toTab(conn durable.ConnID, f func(t *tab)) {
	s.inFlight.post(string(conn)+"<", func() {
		if t := s.holder(conn); t != nil {
			f(t)
			s.attend(t)
		}
	})
}

func (s *Sim) holder(conn durable.ConnID) *tab {
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.conn == conn && t.page != nil })
	if i < 0 {
		return nil
	}
	return s.tabs[i]
}

// closed tells a tab that the server has closed its connection; it answers in kind. A page whose token has ended is
// loaded with another one.
func (s *Sim) closed(t *tab, code int) {
	s.disconnect(t, code)
	t.page.Closed(code)
	if code == unauthorized {
		s.reload(t)
	}
}

func (s *Sim) reload(t *tab) {
	s.leave(t)
	s.mount(t)
}

// breakOff breaks the connection of a tab whose page is frozen: it hears all that is on its way to it, and only then
// that the connection is gone.
func (s *Sim) breakOff(t *tab) {
	conn := t.conn
	if conn == "" || !t.connected() {
		return
	}
	t.page.Broke()
	for t.conn == conn && s.inFlight.deliver(string(conn)+"<") {
	}
	if t.conn == conn {
		s.drop(t)
	}
}

// drop breaks a tab's connection. What was under way is lost, and the server hears of it
// when it hears of it.
func (s *Sim) drop(t *tab) {
	t.lost = t.lost || len(s.inFlight.items[string(t.conn)+">"]) > 0
	s.inFlight.lose(string(t.conn) + ">")
	s.disconnect(t, 1006)
	t.page.Closed(1006)
	s.attend(t)
}

// disconnect ends a tab's connection: nothing reaches it any more.
func (s *Sim) disconnect(t *tab, code int) {
	conn := t.conn
	t.conn = ""
	s.inFlight.lose(string(conn) + "<")
	s.inFlight.post(string(conn)+">", func() {
		if _, known := s.checks.met[conn]; known {
			delete(s.checks.met, conn)
			s.world.Tell(durable.SocketClosed{Conn: conn, Code: code})
		}
	})
}

// leave closes a tab, or the page in it.
func (s *Sim) leave(t *tab) {
	s.inFlight.lose(t.name + ".get>")
	s.inFlight.lose(t.name + ".get<")
	t.request, t.page = "", nil
	if t.conn != "" {
		s.disconnect(t, 1001)
	}
}

func (t *tab) hear(s *Sim, text string) {
	t.page.Frame(text)
	if s.log.words != nil {
		s.log.aside(fmt.Sprintf("\t%s hears %.160s\n\t\tand is %s with %s", t.name, text, t.page.Status, outline(t.page.Messages)))
	}
	for _, thrown := range t.page.Thrown {
		s.fail("client", "tab %s cannot read what it was sent: %s", t.name, thrown)
	}
	for _, chunk := range t.page.Repeated {
		s.fail("client", "tab %s is sent a chunk again that it has: %s", t.name, chunk)
	}
}

// connected says whether a tab shows what it hears.
func (t *tab) connected() bool { return t.page != nil && t.page.Open() }
