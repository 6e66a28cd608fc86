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
			sleeps, continues := o.unread(tx)
			a.Result.Idle, a.Result.GoesOn = o.idle(tx), continues
			if !sleeps { // the parent wakes it as it was told
				a.Result.Waken = o.tails.AnnounceWake(tx)
			}
		}
		tx.Do(durable.Answer{Call: a.Call, Data: facet.TellHosted.Answer(a.Result)})
	}
}

// unread says what the run of this helper does, which its parent does not read: whether it sleeps until
// a time that the parent knows, and whether the parent has to read it again. The parent may not have
// read the end of a run that has ended, or a question.
func (o *Object) unread(tx *durable.Tx) (sleeps, continues bool) {
	open := task.Open(tx)
	continues = len(open) == 0 || o.tails.HasNewQuestions()
	for _, run := range open {
		k, _ := task.Find(tx, run)
		p, rests := o.pauseOf(tx, k)
		known := rests && p.IdleUntil > 0 && o.tails.WokenBy(p.IdleUntil)
		sleeps, continues = sleeps || known, continues || !rests || p.IdleUntil > 0 && !known
	}
	return sleeps, continues
}
