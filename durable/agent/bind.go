package agent

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

func init() {
	author.Bind = author.Binding{
		Conversation: func(o author.Object, tx *durable.Tx) any { return &Conversation{object: o, tx: tx} },
		Call: func(o author.Object, tx *durable.Tx, call *author.Call) any {
			return &Call{Conversation{object: o, tx: tx}, call}
		},
		Context: func(o author.Object, c *flow.Context, code author.Code) any {
			return contextOf(author.NewContext(o, c, code))
		},
		Endpoint:     endpointOf,
		CheckExposed: checkExposed,
		Claims:       func(text string) any { return claimsOf(text) },
		Digest:       func(tool any) string { return tool.(Tool).digest },
		Answered:     func(o author.Outcome) (any, error) { return answered(o) },
		RunInfo:      func(r run.Run) any { return infoOf(r) },
		Servers:      func(option any, o author.Object) author.Servers { return option.(MCPOption).servers(o) },
		Submission:   func(o author.Object, tx *durable.Tx, t turn.Turn) any { return whole(o, tx, t) },
	}
}
