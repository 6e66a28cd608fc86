package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
)

// callReturned passes the answer to a call between objects, or its failure, to its handler.
func (o *Object) callReturned(tx *durable.Tx, call string, data []byte, failure string) {
	kind, id, _ := strings.Cut(call, "/")
	switch kind + "/" {
	case facet.CallFrame:
		o.drill.FrameAcknowledged(tx, durable.ConnID(id), data, failure)
		return
	case facet.CallMessages:
		if list, err := facet.ListMessages.Result(data); err == nil && failure == "" {
			respondMessages(tx, id, list.Body)
			return
		}
		respondText(tx, id, 503, "the helper did not answer")
		return
	}
	o.runs.CallReturned(tx, kind+"/", id, data, failure)
}
