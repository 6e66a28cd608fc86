package people

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// ClientCalls returns the open calls of tools in the browser that a tab shows.
func (p *People) ClientCalls(t *Tab) []*browser.Part {
	if !p.Mode.Questions && !p.Mode.Office && !p.Mode.Servers && p.Mode.Own == nil || t.Page == nil || !t.Page.Identified {
		return nil
	}
	var open []*browser.Part
	for _, part := range t.parts() {
		if part.State == "input-available" && p.runsInBrowser(toolName(part)) {
			open = append(open, part)
		}
	}
	return open
}

// parts returns the parts of the messages that a tab shows, and of its runs.
func (t *Tab) parts() (all []*browser.Part) {
	for _, m := range t.Page.Messages {
		all = append(all, m.Parts...)
	}
	for _, id := range slices.Sorted(maps.Keys(t.Page.Runs)) {
		for _, part := range t.Page.Runs[id].Parts {
			if toolName(part) == contract.AskTool {
				all = append(all, part)
			}
		}
	}
	return all
}

// Answered returns the questions that a tab shows as answered.
func (p *People) Answered(t *Tab) (calls []string) {
	if !p.Mode.Office || !t.Connected() {
		return nil
	}
	for _, part := range t.parts() {
		if toolName(part) == contract.AskTool && strings.HasPrefix(part.State, "output-") {
			calls = append(calls, part.ToolCallID)
		}
	}
	return calls
}

// misfit answers a question with what its form refuses.
func (p *People) misfit(t *Tab, call string) {
	if slices.ContainsFunc(p.ClientCalls(t), func(part *browser.Part) bool { return part.ToolCallID == call && toolName(part) == contract.AskTool }) {
		p.sendResult(t, call, contract.AskTool, "none of them")
	}
}

// answerLate answers a question that was answered.
func (p *People) answerLate(t *Tab, call string) {
	if slices.Contains(p.Answered(t), call) {
		p.sendResult(t, call, contract.AskTool, contract.Choices[0])
	}
}

// choice is what the person at a tab chooses in a question. The question whether an action has
// happened is answered truly.
func (p *People) choice(t *Tab, question *browser.Part) string {
	var asked struct {
		Title   string
		Choices []string
	}
	if err := json.Unmarshal(question.Input, &asked); err != nil {
		p.View.Fail("question", "a question is shown as %.200s", question.Input)
	}
	if slices.Contains(asked.Choices, contract.Happened) {
		return map[bool]string{true: contract.Happened, false: contract.DidNot}[p.Happened(asked.Title)]
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.Name + " " + question.ToolCallID))
	return contract.Choices[h.Sum32()%uint32(len(contract.Choices))]
}

// isOfServer says whether a server has asked a question.
func isOfServer(question *browser.Part) bool {
	var asked struct{ Server string }
	return json.Unmarshal(question.Input, &asked) == nil && asked.Server != ""
}

// runsInBrowser says whether a tool is one of the browser.
func (p *People) runsInBrowser(tool string) bool {
	if p.Mode.Own != nil {
		return p.Mode.IsClient(tool)
	}
	return tool == contract.AskTool || p.Mode.Questions && tool != contract.Permit && contract.AsksPerson(tool)
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
	return tool == contract.AskTool || contract.AsksPerson(tool)
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
		switch {
		case p.Mode.Own != nil:
			output = p.Output(name, call)
		case name == contract.AskTool:
			output = p.choice(t, open[at])
			if isOfServer(open[at]) {
				output = map[string]any{"choice": output}
			}
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
