//go:build !wasip1

package chat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
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
	sendAs(p.w, "a", annClaims, requestFrame("R1", nil, user("u1", "code: await tools.rest({})")))
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
