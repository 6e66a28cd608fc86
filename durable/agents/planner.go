package agents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
)

// Planner works out the steps to a goal. It pays and has reports written too: the key of a payment
// is kept for the whole conversation, and a report outlives the planner who has asked for it.
var Planner = agent.Agent{
	Name: "Planner", Helper: true, Title: "Plan", Icon: "plan",
	Instructions: "You work out plans. Look at what there is before you plan, and answer with a short numbered list.",
	Tools: []agent.Tool{
		agent.NewTool("inspect_file", "Reads a file of the project. This one is simulated: there are no files.", inspectFile).
			NeedsApproval(hidden),
		Pay, commissioned,
	},
	Handlers: map[string]agent.RunHook{"notify": agent.Notify},
}

type file struct {
	Path string `json:"path" jsonschema:"the file's path"`
}

// hidden says whether a file may hold secrets. A person has to approve that it is read.
func hidden(input json.RawMessage) bool {
	var in file
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	return strings.HasPrefix(in.Path, ".") || strings.Contains(in.Path, "/.")
}

func inspectFile(_ *agent.Context, in file) (map[string]string, error) {
	return map[string]string{"path": in.Path, "text": fmt.Sprintf("%s is a simulated file of a simulated project.", in.Path)}, nil
}
