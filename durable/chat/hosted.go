package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about the detached runs that helpers begin, and that the root hosts.

// hosted takes what the root tells of such a run. The call is answered at the end of an event.
func (c helperCall) hosted(n facet.HostedNews) (facet.HostedResult, error) {
	if !c.object.agent.Helper || task.IsStale(c.tx, n.Generation) {
		return facet.HostedResult{}, facet.ErrStale
	}
	c.object.runs.News(c.tx, c.call, &n)
	return facet.HostedResult{}, wire.ErrLater
}

// answerNews answers the calls of [facet.TellHosted] that can be answered.
func (o *Object) answerNews(tx *durable.Tx) {
	for _, a := range o.runs.TakeAnswers() {
		if a.Error != "" {
			tx.Do(durable.Answer{Call: a.Call, Error: a.Error})
			continue
		}
		a.Result.Waken = facet.WakeUnstated
		if !o.tails.HasReader() { // the end of the followed run reports it, or has done so
			a.Result.Waken, a.Result.Idle = o.tails.AnnounceWake(tx), o.idle(tx)
		}
		tx.Do(durable.Answer{Call: a.Call, Data: facet.TellHosted.Answer(a.Result)})
	}
}
