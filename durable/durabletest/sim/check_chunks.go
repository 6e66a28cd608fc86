package sim

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// hearing is how far a socket is with a stream: the number that comes next, and whether
// it has been from the beginning.
type hearing struct{ next int64 }

// numbered is what frames with numbers have in common.
type numbered struct {
	Type     string `json:"type"`
	ID       string `json:"id"`
	Body     string `json:"body"`
	Seq      *int64 `json:"seq"`
	Replay   bool   `json:"replay"`
	Sequence int64  `json:"sequence"`
	Event    json.RawMessage
}

type toolEvent struct {
	Kind  string `json:"kind"`
	RunID string `json:"runId"`
	Body  string `json:"body"`
}

// chunksKeepTheirNumbers is I5: a number means the same chunk to everybody for ever, and
// nobody misses one.
func chunksKeepTheirNumbers(s *Sim, h durabletest.Happening) {
	for _, c := range h.Commands {
		send, ok := c.(durable.Send)
		if !ok {
			continue
		}
		var f numbered
		if json.Unmarshal([]byte(send.Text), &f) != nil {
			s.fail("client", "a frame is no JSON: %.80s", send.Text)
			continue
		}
		for _, conn := range send.To {
			switch {
			case f.Type == "agent-tool-event":
				s.heardEvent(conn, f)
			case f.Type == "cf_agent_use_chat_response" && f.Seq != nil:
				s.heardChunk(conn, f)
			}
		}
	}
}

func (s *Sim) heardChunk(conn durable.ConnID, f numbered) {
	stream := s.watch.met[conn] + " " + f.ID
	s.meansTheSame(fmt.Sprintf("%s %d", stream, *f.Seq), f.Body)
	s.inOrder(fmt.Sprintf("%s %s", conn, stream), *f.Seq)
}

func (s *Sim) heardEvent(conn durable.ConnID, f numbered) {
	var e toolEvent
	if json.Unmarshal(f.Event, &e) != nil {
		s.fail("client", "an event is no JSON: %s", f.Event)
		return
	}
	means := e.Body
	if e.Kind != "chunk" {
		means = string(f.Event)
	}
	if e.Kind == "started" && f.Sequence != 0 {
		s.fail("I5", "the run %s begins with number %d", e.RunID, f.Sequence)
	}
	s.meansTheSame(fmt.Sprintf("run %s %d", e.RunID, f.Sequence), means)
	s.inOrder(fmt.Sprintf("%s run %s", conn, e.RunID), f.Sequence)
}

func (s *Sim) meansTheSame(number, body string) {
	if was, ok := s.watch.said[number]; ok && was != body {
		s.fail("I5", "number %s is %.120s, and was %.120s", number, body, was)
	}
	s.watch.said[number] = body
}

// inOrder holds a socket's numbers of a stream together: a replay begins at 0, and
// otherwise each follows the one before.
func (s *Sim) inOrder(stream string, number int64) {
	h := s.watch.heard[stream]
	if h == nil {
		h = &hearing{}
		s.watch.heard[stream] = h
	}
	if number != 0 && number != h.next {
		s.fail("I5", "%s: number %d came where %d was next", stream, number, h.next)
	}
	h.next = number + 1
}
