//go:build !wasip1

package chat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// TestOfferedToWhoAsks has code of the author withhold a tool by the claims of who asks. A turn of Ann is under way
// meanwhile: its claims do not count for Tom's request.
func TestOfferedToWhoAsks(t *testing.T) {
	pay := agent.NewTool("pay", "", echo)
	rest := agent.NewTool("rest", "", func(c *agent.Context, _ struct{}) (string, error) { return "", flow.Sleep(c, time.Minute) })
	p := exposed(t, agent.Agent{Tools: []agent.Tool{pay, agent.Code(rest)}, Expose: &agent.Expose{
		Tools: []string{"pay"}, Withhold: func(c *agent.Conversation, _ string) bool { return !c.Claims().Has("money:send") },
	}})
	act(t, p.w, "connect a")
	body := string(limit.MustMarshal(map[string]any{"messages": messagesOf([]words{user("u1", "code: await tools.rest({})")})}))
	frame := map[string]any{"type": "cf_agent_use_chat_request", "id": "R1", "init": map[string]any{"method": "POST", "body": body}}
	p.w.Tell(durable.SocketMessage{Conn: "a", Text: string(limit.MustMarshal(frame)), Claims: annClaims})
	for by, offered := range map[string]bool{annClaims: true, tomClaims: false, maxClaims: true} {
		p.claims = by
		if got := p.ask("tools/list", ""); strings.Contains(got, `"name":"pay"`) != offered {
			t.Errorf("%s is offered %s", by, got)
		}
		if got := p.ask("tools/call", `"name":"pay","arguments":{"word":"a"}`); strings.Contains(got, "structuredContent") != offered {
			t.Errorf("%s calls it and is answered %s", by, got)
		}
	}
}
