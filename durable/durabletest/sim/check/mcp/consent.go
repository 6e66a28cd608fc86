package mcp

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/servers"
)

// This file is the rule about what people approve: a call that a person was asked about is made of a tool of which the person
// was told what it says now.

// shownIsCalled checks a call of a tool that its server changes. A call that nobody was asked about is not looked at.
func (r *Rules) shownIsCalled(q servers.Request) {
	root := r.World.Object("")
	if q.Server != contract.Bazaar || q.Method != "tools/call" || !r.Made(root) {
		return
	}
	now := ""
	for _, row := range r.Rows(root, `SELECT tool.value ->> 'description' FROM mcp_server JOIN mcp_catalogue ON mcp_catalogue.seq = mcp_server.seq,
		json_each(mcp_catalogue.body, '$.tools') AS tool WHERE mcp_server.id = ? AND tool.value ->> 'name' = ?`, q.Server, q.Tool) {
		now = row.Text(0)
	}
	asked := false
	for _, slot := range r.World.Slots() {
		if !r.Made(r.World.Object(slot)) {
			continue
		}
		for text := range strings.SplitSeq(strings.ReplaceAll(r.Dump(r.World.Object(slot)), `\`, ""), "It is sent ") {
			text = text[:min(len(text), 1_000)]
			if end := strings.Index(text, `,"`); end >= 0 { // of the text, behind the input
				text = text[:end]
			}
			if !strings.HasPrefix(text, `{"text":"`+q.Text+`"}`) {
				continue
			}
			if asked = true; strings.HasSuffix(text, now+`"`) {
				return
			}
		}
	}
	if asked {
		r.Fail("consent", "%s of %s is called with %q, and says by now %q: people were shown something else", q.Tool, q.Server, q.Text, now)
	}
}
