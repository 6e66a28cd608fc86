package chattest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
)

// librarian uses a server of the Model Context Protocol.
var librarian = agent.Agent{
	Name: "Librarian", Model: Calling{},
	MCP: &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Editable: true},
}

// Calling is a model that calls the tool and the input behind "call " in the question, and says the output. It
// tells which tools it was told of.
type Calling struct{}

func (Calling) Name() string { return "remote" }

func (Calling) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return &called{id: id, request: r}, nil
}

type called struct {
	id      string
	request model.Request
}

func (a *called) Cancel(tx *durable.Tx) { tx.Do(durable.StopTimer{Timer: a.id}) }

func (a *called) Take(tx *durable.Tx, event durable.Event) ([]model.Delta, error) {
	if _, fired := event.(durable.TimerFired); !fired {
		return nil, nil
	}
	switch c := a.request.Messages[len(a.request.Messages)-1].Content[0].(type) {
	case model.ToolResult:
		return []model.Delta{model.TextDelta{Text: "it is " + string(c.Output)}, model.Finished{Reason: model.Stop}}, nil
	case model.Text:
		if words := strings.SplitN(c.Text, " ", 3); words[0] == "call" {
			call := model.ToolCall{ID: "call_" + tx.NewID(), Name: words[1], Input: json.RawMessage(words[2])}
			return []model.Delta{model.ToolCallStarted{ID: call.ID, Name: call.Name}, call, model.Finished{Reason: model.ToolCalls}}, nil
		}
	}
	var names []string
	for _, t := range a.request.Tools {
		names = append(names, t.Name)
	}
	return []model.Delta{model.TextDelta{Text: fmt.Sprintf("tools %v%s", names, a.request.System)}, model.Finished{Reason: model.Stop}}, nil
}
