package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// followers are the connections that follow the conversation at the root.
type followers struct {
	// offered are those who were greeted, each with the request whose stream it was offered
	// and has not taken up, or "".
	offered map[durable.ConnID]string
	// lives counts how often the root was opened. probes are in which of them those came that were
	// answered, by socket and name.
	lives  int
	probes map[string]int
}

func newFollowers() followers {
	return followers{offered: map[durable.ConnID]string{}, probes: map[string]int{}}
}

// checkedFrame is what checks read of a frame.
type checkedFrame struct {
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
	// transcript is the text of a transcript, which is not read.
	transcript string
}

// sent is a frame that an object sends.
type sent struct {
	to    []durable.ConnID
	frame checkedFrame
}

// read reads a frame. Of the long ones, transcripts, the type will do.
func (s *Sim) read(text string) (f checkedFrame) {
	if strings.HasPrefix(text, `{"type":"cf_agent_chat_messages"`) && json.Valid([]byte(text)) {
		return checkedFrame{Type: "cf_agent_chat_messages", transcript: text}
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		s.fail("client", "a frame is no JSON: %.80s", text)
	}
	return f
}

// readAll reads what an object sends in an event, once for all checks.
func (s *Sim) readAll(commands []durable.Command) (all []sent) {
	for _, c := range commands {
		if send, ok := c.(durable.Send); ok {
			all = append(all, sent{send.To, s.read(send.Text)})
		}
	}
	return all
}

// left returns the sockets that the root still has after an event. One that it closes is owed nothing more, also where
// the process dies before the close is performed: the platform has it until then, and the object has committed that it
// is closed.
func (s *Sim) left(commands []durable.Command) []durable.ConnID {
	conns := s.world.Connected()
	for _, c := range commands {
		if end, ok := c.(durable.Close); ok {
			conns = slices.DeleteFunc(conns, func(conn durable.ConnID) bool { return conn == end.Conn })
		}
	}
	return conns
}

// nobodyIsForgotten is I5 for those who are there: each of them hears every chunk, unless it
// was offered the stream and has yet to take it up, and has every probe answered.
func nobodyIsForgotten(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	if h.Opened {
		s.checks.lives++
	}
	s.attendTo(h)
	for _, send := range s.checks.sent {
		switch f := send.frame; {
		case f.Type == "cf_agent_stream_resuming":
			if conn := send.to[0]; s.checks.met[conn] == "" { // otherwise it is the helper's that it has
				s.checks.offered[conn] = f.ID
			}
		case f.Type == "cf_agent_use_chat_response" && f.Seq != nil && !f.Replay && s.checks.met[send.to[0]] == "":
			s.reachesAll(send.to, f)
		}
	}
	s.admit(h.Event)
}

// admit follows who hears everything from now on: what opening had to say came before.
func (s *Sim) admit(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		if s.checks.met[e.Conn] == "" && s.checks.offered[e.Conn] == "" {
			s.checks.offered[e.Conn] = ""
		}
	case durable.SocketMessage:
		if f := s.read(e.Text); f.Type == "cf_agent_stream_resume_ack" && s.checks.offered[e.Conn] == f.ID {
			s.checks.offered[e.Conn] = ""
		}
	}
}

// attendTo follows who goes, and who asks for a stream.
func (s *Sim) attendTo(h durabletest.HandledEvent) {
	switch e := h.Event.(type) {
	case durable.SocketClosed:
		delete(s.checks.offered, e.Conn)
	case durable.SocketMessage:
		f := s.read(e.Text)
		if slices.Contains(s.checks.conns, e.Conn) && s.checks.met[e.Conn] == "" && f.Type == "cf_agent_stream_resume_request" {
			s.answersProbe(e.Conn, f.ProbeID)
		}
	}
}

// answersProbe holds that a probe is answered at once and once, with its name. One that crossed an
// offer was answered by that.
func (s *Sim) answersProbe(conn durable.ConnID, probe string) {
	key := string(conn) + " " + probe
	answered := slices.ContainsFunc(s.checks.sent, func(f sent) bool { return f.frame.ProbeID == probe && slices.Contains(f.to, conn) })
	switch life, again := s.checks.probes[key]; {
	case again && answered && life == s.checks.lives: // who has lost its memory does not know
		s.fail("client", "the probe %s of %s is answered twice", probe, conn)
		return
	case again:
		return
	}
	s.checks.probes[key] = s.checks.lives
	if !answered && s.checks.offered[conn] == "" {
		s.fail("client", "the probe %s of %s is not answered", probe, conn)
	}
}

func (s *Sim) reachesAll(to []durable.ConnID, f checkedFrame) {
	for _, conn := range s.checks.conns {
		offered, there := s.checks.offered[conn]
		if there && offered != f.ID && !slices.Contains(to, conn) {
			s.fail("I5", "number %d of %s is kept from %s, who was offered %q", *f.Seq, f.ID, conn, offered)
		}
	}
}

// endsComeLast is the order that clients need: the transcript with the answer in it comes
// before the answer's end, since it would wipe what a person types after that, unless
// another stream begins. A transcript behind the beginning of that stream belongs to it,
// whether it comes in the same event or in a later one: one that shows what was queued
// meanwhile, for example. One that has a message more than the last of the event is of what
// came after the end: code has put that message into the chat, to be answered later. Who gets
// none is told the answer's message behind the end. What a helper says to its own page in several
// events reaches that page in one of its parent's, so the order is looked at where the object
// speaks to its pages itself.
func endsComeLast(s *Sim, _ durabletest.HandledEvent) {
	shown, wiped, idle := map[durable.ConnID]bool{}, map[durable.ConnID]bool{}, map[durable.ConnID]bool{}
	ended, last := map[durable.ConnID]string{}, map[durable.ConnID]checkedFrame{}
	for _, send := range s.checks.sent {
		f := send.frame
		for _, conn := range send.to {
			switch {
			case f.Type == "cf_agent_chat_messages" && len(f.messages()) == 0:
				shown[conn], wiped[conn], last[conn] = true, false, f
			case f.Type == "cf_agent_chat_messages":
				shown[conn], wiped[conn] = true, idle[conn] && (wiped[conn] || !f.showsMore(last[conn]))
				last[conn] = f
			case f.Type == "cf_agent_message_updated" && ended[conn] != "":
				shown[conn] = true
			case f.Type != "cf_agent_use_chat_response" || f.Replay:
			case f.Done && f.Outcome == "completed":
				ended[conn], wiped[conn], idle[conn] = f.ID, false, true
			case f.Seq != nil:
				wiped[conn], idle[conn] = false, false
			}
		}
	}
	for _, conn := range slices.Sorted(maps.Keys(wiped)) {
		if wiped[conn] && s.checks.met[conn] == "" {
			s.fail("client", "%s hears a transcript behind the end of an answer", conn)
		}
	}
	for _, conn := range slices.Sorted(maps.Keys(ended)) {
		if !shown[conn] {
			s.fail("client", "%s hears the end of %s and never of its message", conn, ended[conn])
		}
	}
}

// showsMore says whether a transcript has a message that an earlier one, if there is one, had not.
func (f checkedFrame) showsMore(before checkedFrame) bool {
	had := before.messages()
	return len(had) > 0 && slices.ContainsFunc(f.messages(), func(id string) bool { return !slices.Contains(had, id) })
}

// messages returns the ids of a transcript's messages.
func (f checkedFrame) messages() (ids []string) {
	var list struct{ Messages []struct{ ID string } }
	_ = json.Unmarshal([]byte(f.transcript), &list) // "" where there is none
	for _, m := range list.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// streamsMakeSense is that what comes over a link is what was sent over it.
func streamsMakeSense(s *Sim, h durabletest.HandledEvent) {
	e, ok := h.Event.(durable.StreamData)
	if !ok {
		return
	}
	for _, c := range h.Commands {
		switch c := c.(type) {
		case durable.Log:
			if c.Level == durable.Warn && strings.Contains(c.Message, "stream broke") {
				s.fail("I5", "%s cannot be read: %v", e.Stream, c.Fields)
			}
		case durable.Close:
			if c.Code == 1011 {
				s.fail("I5", "%s cannot be read: %s", e.Stream, c.Reason)
			}
		}
	}
}
