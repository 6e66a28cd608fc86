package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// keepBrowserTools stores the tools that a browser offers with a request.
func keepBrowserTools(tx *durable.Tx, tools []protocol.ClientTool) {
	if len(tools) == 0 {
		return
	}
	data := limit.MustMarshal(tools)
	if setting.Text(tx, settingTools) != string(data) {
		setting.Set(tx, settingTools, string(data))
	}
}

// browserTools are the stored tools that run in the browser.
func browserTools(tx *durable.Tx) []agent.Tool {
	var offered []protocol.ClientTool
	if !setting.Read(tx, settingTools, &offered) {
		return nil
	}
	var tools []agent.Tool
	for _, t := range offered {
		tools = append(tools, agent.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters, Client: true})
	}
	return tools
}
