package chat

import (
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the cost of a turn, including its helpers and theirs.

// taskUsage is the cost of a run so far.
func (o *Object) taskUsage(k task.Task) run.Usage {
	return k.Outcome.Usage.Add(o.loop.SpentOf(k.Turn))
}
