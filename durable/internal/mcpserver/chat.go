package mcpserver

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Converse puts a message into the conversation, and waits for the turn that answers it. It returns the
// submission as JSON.
func (p *Server) Converse(c *flow.Context, claims, text string) (json.RawMessage, error) {
	data, err := c.Await(flow.Op{
		Name: "turn",
		Begin: func(tx *durable.Tx, key flow.Key) {
			id := submissionOf + key.Routine + "/" + strconv.Itoa(key.Position)
			if _, _, err := p.config.Object.Submit(tx, author.TurnRequest{Text: text, ID: id, Claims: claims}); err != nil {
				flow.Complete(tx, key, nil, err.Error())
			}
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) {
			if t, ok := turn.Submitted(tx, submissionOf+key.Routine+"/"+strconv.Itoa(key.Position)); ok && !t.Status.Final() {
				p.config.Object.Cancel(tx, t)
			}
		},
	}).Wait()
	return data, err
}

// Ended implements [author.MCPServer].
func (p *Server) Ended(tx *durable.Tx, submission string, answer func() []byte) (ours bool) {
	key, ours := strings.CutPrefix(submission, submissionOf)
	routine, place, _ := strings.Cut(key, "/")
	position, err := strconv.Atoi(place)
	return ours && err == nil && flow.Complete(tx, flow.Key{Routine: routine, Position: position}, answer(), "") && p.Completed(routine)
}
