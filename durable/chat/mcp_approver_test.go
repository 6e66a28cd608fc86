//go:build !wasip1

package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestAnswerOverMCPNeedsTheApproversScopes has one token begin a call that the person has to approve, and another
// token of the same person answer: the scopes of the request that brings the answer count, and the question stays open.
func TestAnswerOverMCPNeedsTheApproversScopes(t *testing.T) {
	const whole, lacking = `{"sub":"ann","scopes":["pay","approve"]}`, `{"sub":"ann","scopes":["pay"]}`
	pay := agent.NewTool("pay", "", echo).NeedsApproval(nil).Requires("pay").Approver("approve")
	expose := &agent.Expose{Tools: []string{"pay"}, Tasks: []string{"pay"}}
	const call, refused = `"name":"pay","arguments":{"word":"a"}`, "the approval of this call needs the scope approve"
	responses := map[string]string{"accepts": `{"action":"accept"}`, "declines": `{"action":"decline"}`, "cancels": `{"action":"cancel"}`}
	for name, response := range responses {
		t.Run("a repeated request "+name, func(t *testing.T) {
			p := exposed(t, agent.Agent{Tools: []agent.Tool{pay}, Expose: &agent.Expose{Tools: []string{"pay"}}})
			p.capabilities, p.claims = hasForms, whole
			asked := p.ask("tools/call", call)
			p.claims = lacking
			if got := p.repeat(call, asked, response); !strings.Contains(got, refused) {
				t.Errorf("it is answered %s", got)
			}
			p.claims = whole
			if got := p.repeat(call, asked, `{"action":"accept"}`); !strings.Contains(got, `"structuredContent":{"word":"a"}`) {
				t.Errorf("the person with the scope is answered %s", got)
			}
		})
		t.Run("a task "+name, func(t *testing.T) {
			p := exposed(t, agent.Agent{Tools: []agent.Tool{pay}, Expose: expose})
			p.capabilities, p.claims = takesTasks, whole
			id, _ := taskOf(t, p.ask("tools/call", call))
			task := fmt.Sprintf(`"taskId":%q`, id)
			key := keysOf(t, p.ask("tasks/get", task))[0]
			p.claims = lacking
			if got := p.ask("tasks/update", fmt.Sprintf(`%s,"inputResponses":{%q:%s}`, task, key, response)); !strings.Contains(got, refused) {
				t.Errorf("it is answered %s", got)
			}
			want(t, p.status(id), "input_required")
			p.claims = whole
			p.ask("tasks/update", fmt.Sprintf(`%s,"inputResponses":{%q:{"action":"accept"}}`, task, key))
			want(t, p.status(id), "completed")
		})
		t.Run("a session "+name, func(t *testing.T) {
			o := initialized(t, agent.Agent{Tools: []agent.Tool{pay}, Expose: &agent.Expose{Tools: []string{"pay"}}}, `{"elicitation":{}}`)
			o.http("DELETE", "") // another session, which is that of the person
			o.session, o.claims = "", whole
			m := sessionID.FindStringSubmatch(o.rpc(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"p","version":"1"}}}`))
			if m == nil {
				t.Fatal("there is no session")
			}
			o.session = m[1]
			id := questionIn(t, o.call(1, "pay", `{"word":"a"}`), "elicitation/create")
			o.claims = lacking
			if got := o.rpc(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":%s}`, id, response)); !strings.Contains(got, refused) || !strings.Contains(got, "400") {
				t.Errorf("it is answered %s", got)
			}
			if strings.Contains(o.all, `"structuredContent"`) || strings.Contains(o.all, "denied") {
				t.Errorf("the call has gone on: %s", o.all)
			}
			o.claims = whole
			o.rpc(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, id))
			has(t, o.all, `"structuredContent":{"word":"a"}`)
		})
	}
}
