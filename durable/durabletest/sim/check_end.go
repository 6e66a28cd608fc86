package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// answersHaveAFinish is that the chunks of an answer which is complete end with its finish, for
// everybody at the root who has heard them.
func answersHaveAFinish(s *Sim, _ durabletest.HandledEvent) {
	for _, send := range s.checks.sent {
		f := send.frame
		if f.Type != "cf_agent_use_chat_response" || !f.Done || f.Replay || f.Outcome != "completed" {
			continue
		}
		for _, conn := range send.to {
			stream := s.checks.met[conn] + " " + f.ID
			h := s.checks.heard[string(conn)+" "+stream]
			if h == nil || s.checks.met[conn] != "" || s.checks.offered[conn] == f.ID { // it was offered the stream, and hears it later
				continue
			}
			if last := s.checks.said[numbered(stream, h.next-1)]; !strings.HasPrefix(last, `{"type":"finish",`) {
				s.fail("client", "the answer to %s ends for %s with %.120s", f.ID, conn, last)
			}
		}
	}
}
