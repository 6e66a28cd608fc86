package protocol

import "encoding/json"

// MilestoneChunk returns the chunk that shows a milestone, whose fields data has, as
// compact JSON on one line. It takes no number; clients know it by its own.
func MilestoneChunk(data json.RawMessage) []byte {
	return []byte(encode(struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}{"data-agent-milestone", data}))
}
