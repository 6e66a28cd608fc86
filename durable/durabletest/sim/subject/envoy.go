package subject

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
)

// servers are the servers that a root and its envoys use with the tokens of the author.
func servers() []agent.MCPServer {
	var list []agent.MCPServer
	for _, name := range contract.Servers {
		if name == contract.Vault {
			continue
		}
		list = append(list, agent.MCPServer{
			Name: name, URL: contract.ServerURL(name), Header: []durable.Header{{Name: "Authorization", Value: contract.ServerToken(name)}},
		})
	}
	return list
}

// connected returns an agent with servers, which programs use.
func connected(a agent.Agent, approve func(agent.MCPTool, json.RawMessage) bool, tellCode bool) agent.Agent {
	list := append(servers(), agent.MCPServer{Name: contract.Vault, URL: contract.ServerURL(contract.Vault)})
	a.MCP = &agent.MCP{Servers: list, Approve: approve, Tell: map[bool]agent.MCPTell{true: agent.TellCode}[tellCode]}
	a.Tools = append(a.Tools, forPrograms()...)
	a.Tools = append(a.Tools,
		agent.AgentTool[query](envoy, contract.SendEnvoy, "Has an envoy ask servers."),
		agent.AgentTool[query](delegate, contract.SendDelegate, "Has a delegate ask the servers of the root."),
		agent.AgentTool[query](attache, contract.SendAttache, "Has an attache look something up at the servers of the root."))
	a.Expose = &agent.Expose{Tools: contract.ProgramTools, Resources: true}
	return a
}

// envoy is a helper whose program calls servers.
var envoy = agent.Agent{Name: contract.EnvoyClass, Helper: true, Program: agent.NewProgram(visit), MCP: &agent.MCP{Servers: servers()}}

type visited struct {
	Text string `json:"text"`
}

// visit calls two servers side by side, and then the one that makes tasks. It says what came of that.
func visit(c *agent.Context, in query) (string, error) {
	other := flow.Go(c, "other", func() (string, error) { return called(c, contract.Archive, contract.NoteDown, in), nil })
	said := called(c, contract.Library, contract.Look, in)
	noted, err := other.Wait()
	return in.Query + ": " + said + ", " + noted + ", " + called(c, contract.Bazaar, contract.Slow, in), err
}

func called(c *agent.Context, server, tool string, in query) string {
	r, err := c.MCP(server).Call(tool, visited{in.Query})
	if err != nil {
		return err.Error()
	}
	return r.Text
}

// forPrograms returns the tools that programs call.
func forPrograms() []agent.Tool {
	return []agent.Tool{
		agent.NewTool(contract.Choose, "Asks a person, and stamps something.", choose),
		agent.NewTool(contract.Etch, "Stamps something after a while.", func(c *agent.Context, in query) (string, error) {
			if err := flow.Sleep(c, 3*time.Second); err != nil {
				return "", err
			}
			return stamp(c, in)
		}),
		agent.NewTool(contract.Grant, "Stamps what a person approves.", stamp).NeedsApproval(nil),
		agent.NewTool(contract.Quick, "Answers at once.", func(_ *agent.Context, in query) (string, error) { return contract.Hasted(in.Query), nil }),
	}
}

func choose(c *agent.Context, in query) (string, error) {
	a, err := agent.Ask[string](c, agent.Question{Title: "Which one?", Text: in.Query, Choices: contract.Choices})
	switch {
	case err != nil:
		return "", err
	case a.Denied:
		return "nothing is chosen for " + in.Query, nil
	}
	return stamp(c, in)
}
