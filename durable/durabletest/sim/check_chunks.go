package sim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// streamCursor is how far a socket is with a stream: the number that comes next.
type streamCursor struct{ next int64 }

type toolEvent struct {
	Kind  string `json:"kind"`
	RunID string `json:"runId"`
	Body  string `json:"body"`
}

// chunksKeepTheirNumbers is I5: a number means the same chunk to everybody for ever, and
// nobody misses one.
func chunksKeepTheirNumbers(s *Sim, _ durabletest.HandledEvent) {
	for _, send := range s.checks.sent {
		f := send.frame
		for _, conn := range send.to {
			switch {
			case f.Type == "agent-tool-event":
				s.heardEvent(conn, f)
			case f.Type == "cf_agent_use_chat_response" && f.Seq != nil:
				s.heardChunk(conn, f)
			}
		}
	}
}

func (s *Sim) heardChunk(conn durable.ConnID, f checkedFrame) {
	stream := s.checks.met[conn] + " " + f.ID
	s.inOrder(conn, stream, *f.Seq)
	s.meansTheSame(numbered(stream, *f.Seq), f.Body)
}

func (s *Sim) heardEvent(conn durable.ConnID, f checkedFrame) {
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
	if takesNone(e) {
		s.takesNoNumber(conn, "run "+e.RunID, f.Sequence)
		s.heardReport(string(conn)+" run "+e.RunID, e.Body)
		return
	}
	s.inOrder(conn, "run "+e.RunID, f.Sequence)
	s.meansTheSame(numbered("run "+e.RunID, f.Sequence), means)
}

// takesNone says of progress and milestones that they take no number.
func takesNone(e toolEvent) bool {
	return e.Kind == "chunk" && (strings.HasPrefix(e.Body, `{"type":"data-agent-progress"`) || strings.HasPrefix(e.Body, `{"type":"data-agent-milestone"`))
}

// takesNoNumber checks that what takes no number has that of what comes next, unless the
// chunks themselves were left out.
func (s *Sim) takesNoNumber(conn durable.ConnID, stream string, number int64) {
	if h := s.checks.heard[string(conn)+" "+stream]; h == nil || number < h.next {
		s.fail("I5", "%s hears of something at %d of %s, and that was before", conn, number, stream)
	}
}

func (s *Sim) meansTheSame(number, body string) {
	if was, ok := s.checks.said[number]; ok && was != body {
		s.fail("I5", "number %s is %.120s, and was %.120s", number, body, was)
	}
	if s.checks.silent[number] {
		s.fail("I5", "number %s was left out for others: %.120s", number, body)
	}
	s.checks.said[number] = body
}

// inOrder holds a socket's numbers of a stream together: a replay begins at 0, and
// otherwise each follows the one before. What is left out is left out for everybody.
func (s *Sim) inOrder(conn durable.ConnID, stream string, number int64) {
	key := string(conn) + " " + stream
	h := s.checks.heard[key]
	if h == nil {
		h = &streamCursor{}
		s.checks.heard[key] = h
	}
	if number != 0 && number < h.next {
		s.fail("I5", "%s hears number %d of %s, where %d was next", conn, number, stream, h.next)
	}
	for n := h.next; n < number; n++ {
		if s.checks.said[numbered(stream, n)] != "" {
			s.fail("I5", "%s does not hear number %d of %s", conn, n, stream)
		}
		s.checks.silent[numbered(stream, n)] = true
	}
	h.next = number + 1
}

func numbered(stream string, number int64) string { return fmt.Sprintf("%s %d", stream, number) }
