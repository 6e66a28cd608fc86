package durabletest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Costs counts what the objects of an engine have used, by name, since each came into memory. It
// counts as the platform's host does, except for rows: see [SQLite.Used].
type Costs map[string]*count

// count is what an object has sent and received, and what its storage counts.
type count struct {
	durable.Cost
	storage *SQLite
	// before is what storage had counted when the object came into memory.
	before durable.Cost
	// begun are the requests whose responses are streamed.
	begun map[string]bool
	// asked is what storage had counted when the running event asked for costs, or nil.
	asked *durable.Cost
}

// Arrived counts an event that is about to be delivered. Its object comes into memory with it,
// unless it is there.
func (c Costs) Arrived(object string, storage *SQLite, at int64, event durable.Event) {
	of := c[object]
	if of == nil {
		of = &count{Cost: durable.Cost{Since: at}, storage: storage, before: storage.Used(), begun: map[string]bool{}}
		c[object] = of
	}
	of.resume() // the last event may have trapped
	switch e := event.(type) {
	case durable.SocketMessage:
		of.Up += int64(len(e.Text) + len(e.Data))
	case durable.RequestReceived:
		of.Up += int64(len(e.Body))
	}
}

// Evicted forgets a root that has left the memory, and the objects below it. The counts of a facet
// stay as long as its root is in memory.
func (c Costs) Evicted(object string) {
	if strings.Contains(object, "/") {
		return
	}
	maps.DeleteFunc(c, func(name string, _ *count) bool { return name == object || strings.HasPrefix(name, object+"/") })
}

// Performed counts the commands of an event that was committed.
func (c Costs) Performed(object string, commands []durable.Command) {
	of := c[object]
	before := of.Down
	for _, command := range commands {
		switch command := command.(type) {
		case durable.Send:
			of.Down += int64(len(command.To) * len(command.Text))
		case durable.Respond:
			of.Down += int64(len(command.Body))
		case durable.Begin:
			of.begun[command.Request] = true
		case durable.Emit:
			if of.begun[command.Stream] {
				of.Down += int64(len(command.Data))
			}
		case durable.EndStream:
			delete(of.begun, command.Stream)
		}
	}
	if of.asked != nil {
		of.Down = before
		of.resume()
	}
}

// resume leaves out what storage has counted since the event asked for costs.
func (c *count) resume() {
	if c.asked == nil {
		return
	}
	used := c.storage.Used()
	c.before.Statements += used.Statements - c.asked.Statements
	c.before.RowsRead += used.RowsRead - c.asked.RowsRead
	c.before.RowsWritten += used.RowsWritten - c.asked.RowsWritten
	c.asked = nil
}

// Meter returns the storage of an object, which answers what it and those below it have used.
func (c Costs) Meter(object string, storage *SQLite) durable.Storage {
	return meter{storage, c, object}
}

type meter struct {
	durable.Storage
	costs  Costs
	object string
}

// Costs implements [durable.Meter].
func (m meter) Costs() []durable.Cost {
	var costs []durable.Cost
	for name, of := range m.costs {
		if name != m.object && !strings.HasPrefix(name, m.object+"/") {
			continue
		}
		cost, used := of.Cost, of.storage.Used()
		if name == m.object {
			of.asked = &used
		}
		cost.Path = strings.TrimPrefix(strings.TrimPrefix(name, m.object), "/")
		cost.Statements = used.Statements - of.before.Statements
		cost.RowsRead = used.RowsRead - of.before.RowsRead
		cost.RowsWritten = used.RowsWritten - of.before.RowsWritten
		costs = append(costs, cost)
	}
	slices.SortFunc(costs, func(a, b durable.Cost) int { return cmp.Compare(a.Path, b.Path) })
	return costs
}
