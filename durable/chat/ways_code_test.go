//go:build !wasip1

package chat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/turn"
)

// coding are the words that have the agent run code of the model.
func coding(js string) string {
	return string(limit.MustMarshal([]ordered{{"code", limit.MustMarshal(map[string]string{"code": js})}}))
}

func withCode(_ *till, root, teller *agent.Agent) {
	root.Tools, teller.Tools = append(root.Tools, agent.Code()), append(teller.Tools, agent.Code())
}

// TestCodeWorksForItsTurn has Ann's code wait for an approval, and go on in the turn of somebody else, whatever was lost:
// it works for her, and that turn for who has asked for it.
func TestCodeWorksForItsTurn(t *testing.T) {
	const pays = `await tools.guarded({to: "boss"}); return await tools.transfer({to: "desk"})`
	for _, loss := range []string{"", "crash", "evict"} {
		for _, by := range []string{tomClaims, maxClaims, annClaims} {
			b := newTill(t, turn.Queue, withCode)
			b.say(annClaims, "u1", coding(pays))
			b.after(time.Minute)
			b.frame("b", by, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": b.asked(), "approved": true})
			if loss != "" {
				act(t, b.w, loss, "connect a", "connect b")
			}
			b.say(tomClaims, "t1", order("transfer tom"))
			b.after(time.Minute)
			b.pays("boss for ann", "desk for ann")
		}
	}
	t.Run("in a helper", func(t *testing.T) {
		b := newTill(t, turn.Queue, withCode)
		b.say(annClaims, "u1", delegating(coding(pays)))
		b.after(time.Minute)
		id := b.asked()
		b.drill("h")
		b.push("h", tomClaims, user("t1", order("transfer tom")))
		b.request("h", tomClaims, nil, user("t2", order("transfer tom")))
		b.after(time.Minute)
		b.frame("h", tomClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": id, "approved": true})
		b.request("h", tomClaims, nil, user("t3", order("transfer tom")))
		b.after(10 * time.Minute)
		b.pays("boss for ann", "desk for ann")
	})
}

// TestCodeOfOthers has Tom's code try every tool that pays, beside Ann's turn and through a helper.
func TestCodeOfOthers(t *testing.T) {
	b := newTill(t, turn.Queue, withCode)
	b.say(annClaims, "u1", order("slow x", "transfer desk"))
	b.say(tomClaims, "t1", coding(`const out = []; for (const n of ["transfer", "guarded", "approved", "refundable"])
		out.push(await tools[n]({to: "tom"}).catch((e) => e.message)); return out`))
	inner := string(limit.MustMarshal(order("transfer tom", "slow x")))
	b.say(tomClaims, "t2", coding(`return await tools.delegate({to: `+inner+`})`))
	b.after(10 * time.Minute)
	b.pays("desk for ann")
	if n := strings.Count(strings.Join(b.out, "\n"), "requires the scope money:send"); n == 0 {
		t.Error("nothing was refused")
	}
}
