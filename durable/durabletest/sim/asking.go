package sim

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// This file is about a model that asks several things of people in one answer: calls that a
// person has to allow, and tools that run in the browser.

// clientTools are what a tab offers where the model likes to ask.
var clientTools = json.RawMessage(`[` +
	`{"name":"locate","description":"Asks the browser where it is.","parameters":{"type":"object","properties":{"place":{"type":"string"}}}},` +
	`{"name":"pick","description":"Asks the person to pick one.","parameters":{"type":"object","properties":{"choice":{"type":"string"}}}}]`)

// asksPeople are the names of tools that wait for a person. "permit" is a subject's own: it
// needs approval always.
var asksPeople = []string{"locate", "pick", "permit"}

// asks says whether a tool waits for people, whatever its input is.
func (t tool) asks() bool { return slices.Contains(asksPeople, t.Function.Name) }

// forPeople returns the tools with which a model can ask people something, if it likes to.
func (s *Sim) forPeople(tools []tool) []tool {
	if !s.asking {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t tool) bool {
		_, file := t.Function.Parameters.Properties["path"]
		return !t.asks() && !file
	})
}

// askPeople asks two or three things of people, and now and then has something else done beside
// that.
func (a *answer) askPeople(d dice, people, others []tool) {
	for range 2 + d.under(2) {
		a.askFor(d, people[d.under(len(people))], 1)
	}
	if len(others) > 0 && d.chance(3) {
		a.askFor(d, others[d.under(len(others))], 2)
	}
}

// clientCalls returns the calls of tools in the browser that a tab shows to be open.
func (s *Sim) clientCalls(t *tab) []*browser.Part {
	if !s.asking || t.page == nil || !t.page.Identified {
		return nil
	}
	var open []*browser.Part
	for _, m := range t.page.Messages {
		for _, p := range m.Parts {
			name := toolName(p)
			if p.State == "input-available" && name != "permit" && slices.Contains(asksPeople, name) {
				open = append(open, p)
			}
		}
	}
	return open
}

// toolName is the tool that a part is a call of.
func toolName(p *browser.Part) string { return cmp.Or(p.ToolName, strings.TrimPrefix(p.Type, "tool-")) }

// giveResult sends what a tool in the browser has returned: what it was given. The page learns
// of it from the server, as other tabs do.
func (s *Sim) giveResult(t *tab, call string) {
	open := s.clientCalls(t)
	at := slices.IndexFunc(open, func(p *browser.Part) bool { return p.ToolCallID == call })
	if at < 0 {
		return
	}
	frame, err := json.Marshal(map[string]any{
		"type": "cf_agent_tool_result", "toolCallId": call, "toolName": toolName(open[at]), "output": open[at].Input, "autoContinue": true,
	})
	if err != nil {
		panic("sim: " + err.Error())
	}
	s.post(t, string(frame))
}
