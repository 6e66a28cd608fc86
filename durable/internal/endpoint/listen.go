package endpoint

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// maxListeners is how many streams an object has on which clients are told of changes.
const maxListeners = 32

// listener is a stream on which a client is told of changes.
type listener struct {
	from
	filter mcp.Filter
}

// listen begins a stream of notifications, which lasts until its client leaves or the object's memory is
// lost. The lists of an agent change with a deployment only, which ends the stream.
func (p *Endpoint) listen(tx *durable.Tx, f from, c mcp.Listen) (mcp.Result, *mcp.Error) {
	if len(p.listeners) >= maxListeners {
		return nil, &mcp.Error{Code: mcp.CodeInternal, Message: "too many streams are open"}
	}
	l := &listener{from: f, filter: mcp.Filter{Tasks: p.ownTasks(tx, f, c.Filter.Tasks)}}
	if p.config.Read != nil {
		l.filter.URIs = c.Filter.URIs
	}
	p.beginStream(tx, f.request)
	l.tell(tx, mcp.Acknowledged{Filter: l.filter})
	p.listeners = append(p.listeners, l)
	return nil, nil
}

// ownTasks returns those tasks of a list that are the client's.
func (p *Endpoint) ownTasks(tx *durable.Tx, f from, ids []string) (own []string) {
	for _, id := range ids[:min(len(ids), MaxCalls)] {
		if c, ok := find(tx, id); ok && c.kind == ofTask && p.config.Subject(c.claims) == p.config.Subject(f.claims) {
			own = append(own, id)
		}
	}
	return own
}

func (l *listener) tell(tx *durable.Tx, note mcp.Note) {
	tx.Do(durable.Emit{Stream: l.request, Data: mcp.AppendEvent(nil, "", mcp.EncodeNote(note, l.id))})
}

// Changed implements [author.Endpoint].
func (p *Endpoint) Changed(tx *durable.Tx, uri string) {
	for _, l := range p.listeners {
		if slices.Contains(l.filter.URIs, uri) {
			l.tell(tx, mcp.Updated{URI: uri})
		}
	}
}

// taskChanged tells what has become of a task.
func (p *Endpoint) taskChanged(tx *durable.Tx, c row) {
	for _, l := range p.listeners {
		if slices.Contains(l.filter.Tasks, c.id) {
			l.tell(tx, mcp.TaskChanged{Task: c.task()})
		}
	}
}
