package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// promptOf returns what the requests of a turn are built from.
func (o *Object) promptOf(tx *durable.Tx, t turn.Turn) prompt.Builder {
	b := prompt.Builder{Instructions: o.agent.Instructions, Output: schemaOf(tx, t), History: o.agent.History}
	b.Tools = o.toolsOffered(tx)
	if hook := o.agent.Hooks.Compact; hook != nil {
		b.Compact = func(left prompt.LeftOut) ([]model.Message, error) {
			return hook(o.conversation(tx), agent.LeftOut{TurnInfo: o.turnInfo(tx), Messages: left.Messages, Tokens: left.Tokens, Earlier: left.Earlier})
		}
	}
	if o.agent.Hooks.Repair != nil {
		b.Repair = func(c turn.Call) json.RawMessage { return o.repaired(tx, c) }
	}
	return b
}
