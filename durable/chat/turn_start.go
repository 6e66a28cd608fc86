package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// startTurn starts a turn. Its stream begins at once, before the model answers: from here on, a tab
// that connects finds a stream to attach to. Connections that may have missed something are sent
// the transcript first, because a client puts an answer behind the messages that it knows when the
// answer begins.
func (o *Object) startTurn(tx *durable.Tx, t turn.Turn, lost ...durable.ConnID) {
	if _, ok := message.Load(tx, t.Reply); t.Continues && !ok { // an earlier turn has cut off the message that this one continues
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
		o.startNext(tx)
		return
	}
	if t.Log != 0 { // the turn begins at the end of the log, since an earlier turn may have run a call of the run
		t.First = stream.Next(tx, stream.ID(t.Log))
	}
	o.dequeue(tx, &t, turn.Running)
	setting.Delete(tx, settingTerminal) // the conversation no longer ends with the earlier failure
	if o.applyCut(tx, t) && len(lost) == 0 {
		lost = o.audience.All(t.Conn)
	}
	o.audience.SendTranscript(tx, lost...)
	o.offerToWaiting(tx, t)
	o.viewers = viewersOf(tx, t)
	o.audience.NoteAnswer(tx, o.loop.Begin(tx, t))
	stuck := loop.RetriesSpent(t) // either this turn crashes the instance or the next one, which then begins in another event
	o.quarantined = o.quarantined || stuck
	if text, ok := o.narrationOf(tx, t); ok {
		o.loop.Narrate(tx, text)
		return
	}
	if stuck {
		o.loop.Fail(tx, turn.ErrRetries.Error())
		return
	}
	o.loop.Proceed(tx)
}
