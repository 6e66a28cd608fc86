package run

import "encoding/json"

// Tells are the milestones of a run that the conversation of its parent tells of, by name.
type Tells struct {
	// Narrate are those that are said there, React those that the model is asked to react
	// to.
	Narrate []string `json:"narrate,omitempty"`
	React   []string `json:"react,omitempty"`
}

// Names are all of them.
func (t Tells) Names() []string { return append(t.Narrate[:len(t.Narrate):len(t.Narrate)], t.React...) }

func (t Tells) stored() string {
	if len(t.Names()) == 0 {
		return ""
	}
	data, err := json.Marshal(t)
	if err != nil {
		panic("run: " + err.Error())
	}
	return string(data)
}

// tells reads what is stored. What is damaged tells of nothing.
func tells(stored json.RawMessage) Tells {
	var t Tells
	if stored == nil || json.Unmarshal(stored, &t) != nil {
		return Tells{}
	}
	return t
}
