package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// attention is who follows the conversation at the root.
type attention struct {
	// offered are those who were greeted, each with the request whose stream it was offered
	// and has not taken up, or "".
	offered map[durable.ConnID]string
	// probes are when those came that were answered, by socket and name.
	probes map[string]int64
	// wokenAt is when the root was last opened.
	wokenAt int64
}

func newAttention() attention {
	return attention{offered: map[durable.ConnID]string{}, probes: map[string]int64{}}
}

// spoken is what checks read of a frame.
type spoken struct {
	Type     string          `json:"type"`
	ID       string          `json:"id"`
	ProbeID  string          `json:"probeId"`
	Body     string          `json:"body"`
	Seq      *int64          `json:"seq"`
	Done     bool            `json:"done"`
	Replay   bool            `json:"replay"`
	Outcome  string          `json:"outcome"`
	Sequence int64           `json:"sequence"`
	Event    json.RawMessage `json:"event"`
	// transcript is the text of a transcript, which is not read.
	transcript string
}

// sent is a frame that an object sends.
type sent struct {
	to    []durable.ConnID
	frame spoken
}

// read reads a frame. Of the long ones, transcripts, the type will do.
func (s *Sim) read(text string) (f spoken) {
	if strings.HasPrefix(text, `{"type":"cf_agent_chat_messages"`) && json.Valid([]byte(text)) {
		return spoken{Type: "cf_agent_chat_messages", transcript: text}
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

// nobodyIsForgotten is I5 for those who are there: each of them hears every chunk, unless it
// was offered the stream and has yet to take it up, and has every probe answered.
func nobodyIsForgotten(s *Sim, h durabletest.Happening) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	if h.Opened {
		s.watch.wokenAt = s.world.Now()
	}
	s.attendTo(h)
	for _, send := range s.watch.sent {
		switch f := send.frame; {
		case f.Type == "cf_agent_stream_resuming":
			if conn := send.to[0]; s.watch.met[conn] == "" { // otherwise it is the helper's that it has
				s.watch.offered[conn] = f.ID
			}
		case f.Type == "cf_agent_use_chat_response" && f.Seq != nil && !f.Replay && s.watch.met[send.to[0]] == "":
			s.reachesAll(send.to, f)
		}
	}
	s.admit(h.Event)
}

// admit follows who hears everything from now on: what opening had to say came before.
func (s *Sim) admit(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		if s.watch.met[e.Conn] == "" && s.watch.offered[e.Conn] == "" {
			s.watch.offered[e.Conn] = ""
		}
	case durable.SocketMessage:
		if f := s.read(e.Text); f.Type == "cf_agent_stream_resume_ack" && s.watch.offered[e.Conn] == f.ID {
			s.watch.offered[e.Conn] = ""
		}
	}
}

// attendTo follows who goes, and who asks for a stream.
func (s *Sim) attendTo(h durabletest.Happening) {
	switch e := h.Event.(type) {
	case durable.SocketClosed:
		delete(s.watch.offered, e.Conn)
	case durable.SocketMessage:
		f := s.read(e.Text)
		if slices.Contains(s.world.Connected(), e.Conn) && s.watch.met[e.Conn] == "" && f.Type == "cf_agent_stream_resume_request" {
			s.answersProbe(e.Conn, f.ProbeID)
		}
	}
}

// answersProbe holds that a probe is answered at once and once, with its name. One that crossed an
// offer was answered by that.
func (s *Sim) answersProbe(conn durable.ConnID, probe string) {
	key := string(conn) + " " + probe
	answered := slices.ContainsFunc(s.watch.sent, func(f sent) bool { return f.frame.ProbeID == probe && slices.Contains(f.to, conn) })
	switch at, again := s.watch.probes[key]; {
	case again && answered && at > s.watch.wokenAt: // who has lost its memory does not know
		s.fail("client", "the probe %s of %s is answered twice", probe, conn)
		return
	case again:
		return
	}
	s.watch.probes[key] = s.world.Now()
	if !answered && s.watch.offered[conn] == "" {
		s.fail("client", "the probe %s of %s is not answered", probe, conn)
	}
}

func (s *Sim) reachesAll(to []durable.ConnID, f spoken) {
	for _, conn := range s.world.Connected() {
		offered, there := s.watch.offered[conn]
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
// none is told the answer's message behind the end.
func endsComeLast(s *Sim, _ durabletest.Happening) {
	shown, wiped, idle := map[durable.ConnID]bool{}, map[durable.ConnID]bool{}, map[durable.ConnID]bool{}
	ended, last := map[durable.ConnID]string{}, map[durable.ConnID]spoken{}
	for _, send := range s.watch.sent {
		f := send.frame
		for _, conn := range send.to {
			switch {
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
		if wiped[conn] {
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
func (f spoken) showsMore(before spoken) bool {
	had := before.messages()
	return len(had) > 0 && slices.ContainsFunc(f.messages(), func(id string) bool { return !slices.Contains(had, id) })
}

// messages returns the ids of a transcript's messages.
func (f spoken) messages() (ids []string) {
	var list struct{ Messages []struct{ ID string } }
	_ = json.Unmarshal([]byte(f.transcript), &list) // "" where there is none
	for _, m := range list.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// streamsMakeSense is that what comes over a link is what was sent over it.
func streamsMakeSense(s *Sim, h durabletest.Happening) {
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
