package people

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// ClientCalls returns the open calls of tools in the browser that a tab shows.
func (p *People) ClientCalls(t *Tab) []*browser.Part {
	if !p.Mode.Questions && p.Mode.Own == nil || t.Page == nil || !t.Page.Identified {
		return nil
	}
	var open []*browser.Part
	for _, m := range t.Page.Messages {
		for _, part := range m.Parts {
			name := toolName(part)
			if part.State == "input-available" && p.runsInBrowser(name) {
				open = append(open, part)
			}
		}
	}
	return open
}

// runsInBrowser says whether a tool is one of the browser.
func (p *People) runsInBrowser(tool string) bool {
	if p.Mode.Own != nil {
		return p.Mode.IsClient(tool)
	}
	return tool != contract.Permit && contract.AsksPerson(tool)
}

// ServerCalls returns the open calls of tools of the server that a tab shows: those that run, and
// those that wait for approval.
func (p *People) ServerCalls(t *Tab) []string {
	if !t.Connected() || !t.Page.Identified {
		return nil
	}
	var open []string
	for _, m := range t.Page.Messages {
		for _, part := range m.Parts {
			if part.State == "approval-requested" || part.State == "input-available" && !p.asksPerson(toolName(part)) {
				open = append(open, part.ToolCallID)
			}
		}
	}
	return open
}

// asksPerson says whether a call of a tool waits for a person, whatever its input is.
func (p *People) asksPerson(tool string) bool {
	if p.Mode.Own != nil {
		return p.Mode.IsClient(tool)
	}
	return contract.AsksPerson(tool)
}

func toolName(part *browser.Part) string {
	return cmp.Or(part.ToolName, strings.TrimPrefix(part.Type, "tool-"))
}

// giveResult sends the result of a tool in the browser, which is its input. The page learns the
// result from the server, as other tabs do.
func (p *People) giveResult(t *Tab, call string) {
	open := p.ClientCalls(t)
	at := slices.IndexFunc(open, func(part *browser.Part) bool { return part.ToolCallID == call })
	if at >= 0 {
		name := toolName(open[at])
		output := any(open[at].Input)
		if p.Mode.Own != nil {
			output = p.Output(name, call)
		}
		p.sendResult(t, call, name, output)
	}
}

// meddle sends a result for a call of a tool of the server, which the server refuses.
func (p *People) meddle(t *Tab, call string) {
	if slices.Contains(p.ServerCalls(t), call) {
		p.sendResult(t, call, "meddle", "made up in a tab")
	}
}

func (p *People) sendResult(t *Tab, call, tool string, output any) {
	p.sendJSON(t, map[string]any{
		"type": "cf_agent_tool_result", "toolCallId": call, "toolName": tool, "output": output, "autoContinue": true,
	})
}

func (p *People) sendJSON(t *Tab, v any) {
	frame, err := json.Marshal(v)
	if err != nil {
		panic("people: " + err.Error())
	}
	p.send(t, string(frame))
}
