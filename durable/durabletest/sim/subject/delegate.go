package subject

import (
	"encoding/hex"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
)

// The helpers that call the servers of their root, through the root.
var (
	aide     = agent.Agent{Name: contract.AideClass, Helper: true, Program: agent.NewProgram(consult), MCP: agent.ParentMCP}
	delegate = agent.Agent{Name: contract.DelegateClass, Helper: true, Program: agent.NewProgram(represent), MCP: agent.ParentMCP}
	attache  = attacheOf(agents.Researcher)
)

// attacheOf returns a researcher whose model may call servers.
func attacheOf(a agent.Agent) agent.Agent {
	a.Name, a.MCP = contract.AttacheClass, agent.ParentMCP
	return a
}

// visits are the calls that a helper chooses from.
var visits = []contract.ServerCall{
	{Server: contract.Library, Tool: contract.NoteDown},
	{Server: contract.Archive, Tool: contract.NoteDown},
	{Server: contract.Bazaar, Tool: contract.NoteDown},
	{Server: contract.Library, Tool: contract.Look},
	{Server: contract.Archive, Tool: contract.Keep},
	{Server: contract.Library, Tool: contract.Reserve},
	{Server: contract.Bazaar, Tool: contract.Slow},
	{Server: contract.Archive, Tool: contract.Slow},
	{Server: contract.Archive, Tool: contract.Reserve},
	{Server: contract.Vault, Tool: contract.Look},
	{Server: contract.Vault, Tool: contract.NoteDown},
}

// consult makes two calls side by side, and then a third. It chooses them at random. The text of each is
// used nowhere else, also if the run is begun again.
func consult(c *agent.Context, in query) ([]contract.ServerCall, error) {
	chosen := flow.Random(c, 8)
	call := func(n int) func() (contract.ServerCall, error) {
		v := visits[int(chosen[n])%len(visits)]
		v.Text = in.Query + " " + hex.EncodeToString(chosen) + string(rune('a'+n))
		return func() (contract.ServerCall, error) { return consulted(c, v), nil }
	}
	other := flow.Go(c, "other", call(0))
	first, err := call(1)()
	if err != nil {
		return nil, err
	}
	second, err := other.Wait()
	if err != nil {
		return nil, err
	}
	third, err := call(2)()
	return []contract.ServerCall{first, second, third}, err
}

// consulted makes a call. Its failure is what the call was told.
func consulted(c *agent.Context, v contract.ServerCall) contract.ServerCall {
	r, err := c.MCP(v.Server).Call(v.Tool, visited{v.Text})
	if err != nil {
		v.Failed = err.Error()
	}
	v.Said = r.Text
	return v
}

// represent does what an aide does, or sends one.
func represent(c *agent.Context, in query) ([]contract.ServerCall, error) {
	if flow.Random(c, 1)[0]%3 > 0 {
		return consult(c, in)
	}
	return agent.RunAgentAs[[]contract.ServerCall](c, aide, in)
}
