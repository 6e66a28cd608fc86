package model

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// garble makes the input of one call in four something else than a JSON object, on seeds whose server does that. The
// call has to fail with the text, but for a text that holds the object and nothing else.
func (a *Answer) garble(d dice.Dice, c *ToolCall) {
	if !a.garbles || !d.Chance(4) {
		return
	}
	half, quoted := c.Input[:len(c.Input)/2], quote(c.Input)
	kinds := []struct {
		sent  string
		holds bool
	}{
		{half, false},
		{c.Input + c.Input, false},
		{"[" + c.Input + "]", false},
		{"about " + d.Word(), false},
		{"17", false},
		{quote(half), false},
		{c.Input[:len(c.Input)-1] + ",}", false},
		{quoted, true},
		{quote(quoted), true},
		{"{}" + c.Input, true},
		{" " + c.Input + "\n", true},
	}
	kind := kinds[d.Under(len(kinds))]
	c.sent, c.Garbled = kind.sent, !kind.holds
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("model: " + err.Error())
	}
	return string(quoted)
}
