package protocol

import "encoding/json"

// MilestoneChunk returns the chunk that shows a milestone, as compact JSON on one line. data holds
// the milestone's fields. The chunk takes no index in the stream; clients identify it by the
// milestone's own number.
func MilestoneChunk(data json.RawMessage) []byte {
	return []byte(encode(struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}{"data-agent-milestone", data}))
}
