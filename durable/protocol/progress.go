package protocol

import "encoding/json"

// Progress is the content of the chunk that shows a run's progress. Every field may be missing.
type Progress struct {
	Fraction float64         `json:"fraction,omitempty"`
	Message  string          `json:"message,omitempty"`
	Phase    string          `json:"phase,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

// Encode returns the chunk as compact JSON on one line. The chunk is in no log and takes no index.
// Clients identify it by its id, and drop one that they have seen.
func (p Progress) Encode(id string) []byte {
	return []byte(encode(struct {
		Type      string   `json:"type"`
		ID        string   `json:"id"`
		Transient bool     `json:"transient"`
		Data      Progress `json:"data"`
	}{"data-agent-progress", id, true, p}))
}
