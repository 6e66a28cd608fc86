package contract

import (
	"encoding/json"
	"slices"
)

// ClientTools are the tools that run in the browser. A tab offers them on seeds whose model likes
// to ask people.
var ClientTools = json.RawMessage(`[` +
	`{"name":"locate","description":"Asks the browser where it is.","parameters":{"type":"object","properties":{"place":{"type":"string"}}}},` +
	`{"name":"pick","description":"Asks the person to pick one.","parameters":{"type":"object","properties":{"choice":{"type":"string"}}}}]`)

// Permit is a tool of the agent that always needs approval.
const Permit = "permit"

// AsksPerson says whether a tool waits for a person, whatever its input is.
func AsksPerson(tool string) bool { return slices.Contains([]string{"locate", "pick", Permit}, tool) }
