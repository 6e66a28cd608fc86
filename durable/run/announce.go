package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Announce names the milestones of a run that are announced in its parent's conversation.
type Announce struct {
	// Narrate are the milestones that are narrated there. React are the milestones that the model
	// is asked to react to.
	Narrate []string `json:"narrate,omitempty"`
	React   []string `json:"react,omitempty"`
}

// Names returns all of these milestones.
func (a Announce) Names() []string {
	return append(a.Narrate[:len(a.Narrate):len(a.Narrate)], a.React...)
}

func (a Announce) stored() string {
	if len(a.Names()) == 0 {
		return ""
	}
	return string(limit.MustMarshal(a))
}

// readAnnounce reads the stored form. A damaged list announces nothing.
func readAnnounce(stored json.RawMessage) Announce {
	var a Announce
	if stored == nil || json.Unmarshal(stored, &a) != nil {
		return Announce{}
	}
	return a
}
