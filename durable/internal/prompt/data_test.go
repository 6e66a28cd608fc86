package prompt

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestDataPartsAreNotTold checks that a model is told nothing of data parts.
func TestDataPartsAreNotTold(t *testing.T) {
	m := protocol.Message{ID: "A1", Role: protocol.RoleAssistant, Parts: []json.RawMessage{
		json.RawMessage(`{"type":"data-step","id":"0","data":{"name":"secret"}}`),
		json.RawMessage(`{"type":"text","text":"said","state":"done"}`),
	}}
	var told []string
	for _, u := range (Builder{}).unitsOf(1, m) {
		told = append(told, string(limit.MustMarshal(u.messages)))
	}
	if all := strings.Join(told, ""); !strings.Contains(all, "said") || strings.Contains(all, "secret") {
		t.Errorf("it is told %s", all)
	}
}
