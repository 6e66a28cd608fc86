package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about detached runs. They belong to the root and not to a turn. Their end goes to a
// handler of the agent, through the outbox.

// detached says whether the active turn of a helper works on a detached run.
func (o *Object) detached(tx *durable.Tx) bool {
	if !o.agent.Helper {
		return false
	}
	k, _ := task.OfTurn(tx, o.loop.Turn().Seq)
	return k.Request.Detached
}

// DeadLetter is the end of a detached run whose handler has failed at every attempt.
type DeadLetter struct {
	Run      RunInfo `json:"run"`
	Handler  string  `json:"handler"`
	Attempts int     `json:"attempts"`
	Failure  string  `json:"error"`
}

// DeadLetters lists the dead letters.
func (c *Conversation) DeadLetters() []DeadLetter {
	list := []DeadLetter{} // never null
	for _, d := range run.Deliveries(c.tx, run.Dead) {
		if r, ok := run.Find(c.tx, d.Run); ok {
			list = append(list, DeadLetter{infoOf(r), d.Handler, d.Attempts, d.Failure})
		}
	}
	return list
}

// RetryDeadLetter delivers a dead letter again, as if the run had just ended.
func (c *Conversation) RetryDeadLetter(id string) error {
	if !c.object.runs.RetryDelivery(c.tx, id) {
		return fmt.Errorf("run %.80q has no dead letter", id)
	}
	return nil
}
