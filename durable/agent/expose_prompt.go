package agent

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// PromptTemplate is a template of messages for the model of another program, see [Expose].
type PromptTemplate struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Messages makes the messages. It is code like that of a tool, and may wait and ask.
	Messages func(c *Context, arguments map[string]string) ([]PromptMessage, error)
	// Complete returns what an argument could be, by what has been typed of it and by the other
	// arguments. It may be nil.
	Complete func(argument, begun string, others map[string]string) []string
}

// PromptArgument is a text that a [PromptTemplate] takes.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// PromptMessage is one message of a [PromptTemplate]. Role is user or assistant.
type PromptMessage struct {
	Role    string `json:"role"`
	Content Block  `json:"content"`
}

// prompts returns the prompts in the form of the protocol.
func (s *server) prompts() []mcpserver.Prompt {
	var list []mcpserver.Prompt
	for _, p := range s.Prompts {
		made := mcpserver.Prompt{
			Prompt: mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}, Complete: p.Complete,
			Run: func(c *flow.Context, code author.Code, input json.RawMessage) (json.RawMessage, error) {
				var arguments map[string]string
				if err := json.Unmarshal(input, &arguments); err != nil {
					return nil, err
				}
				messages, err := p.Messages(s.context(c, code), arguments)
				if err != nil {
					return nil, err
				}
				return limit.Marshal(map[string]any{"messages": append([]PromptMessage{}, messages...)})
			},
		}
		for _, a := range p.Arguments {
			made.Arguments = append(made.Arguments, mcp.Argument{Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required})
		}
		list = append(list, made)
	}
	return list
}
