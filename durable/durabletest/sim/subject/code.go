package subject

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
	_ "github.com/tributary-agents/tributary/wasm/quickjs" // runs the code of models
)

// coding returns the tool that runs code over all tools of the root, and what is there for code alone.
func coding() []agent.Tool {
	tools := []agent.Tool{
		agent.NewTool(contract.Stamp, "Stamps something.", stamp),
		agent.NewTool(contract.Permit, "Does what somebody has to permit.", permit).NeedsApproval(func(json.RawMessage) bool { return true }),
		agent.Code().Limits(agent.CodeLimits{
			Calls: contract.CodeCalls, Parallel: contract.CodeParallel, Time: 30 * time.Minute,
			Work: contract.CodeWork, Stretch: contract.CodeStretch, Memory: contract.CodeMemory, Answer: contract.CodeAnswer,
		}),
	}
	for i, t := range tools {
		tools[i] = t.When(func(vars map[string]string) bool { return vars[contract.CodeVar] != "" })
	}
	return tools
}

// ownTools returns tools without the one that runs code over some of them.
func ownTools(tools []agent.Tool) []agent.Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t agent.Tool) bool { return t.Name == agent.CodeTool })
}

// stamp makes a request that must not be repeated.
func stamp(c *agent.Context, in query) (string, error) {
	r, err := flow.Fetch(c, flow.Request{Method: http.MethodPost, URL: contract.StampServer, Body: []byte(in.Query)})
	switch {
	case err != nil:
		return "", err
	case r.Status != http.StatusOK:
		return "", fmt.Errorf("nothing is stamped: the status is %d", r.Status)
	}
	return string(r.Body), nil
}

func permit(_ *agent.Context, in query) (string, error) { return contract.Permitted(in.Query), nil }
