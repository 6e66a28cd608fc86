package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about a stored message that calls of code change. Such a message may be long, and code
// makes many calls in a row. So an event reads and stores the message once, and while code goes on, the
// message is shown a few times a second.

// showsEvery is how long a changed message may wait to be shown while code goes on, in milliseconds.
const showsEvery = 250

// change is a message that calls of code change in this event: whether it is stored, and changed.
type change struct {
	id           string
	fold         *protocol.Fold
	stored, made bool
}

// changing returns a stored message, with the changes of this event.
func (o *Object) changing(tx *durable.Tx, id string) *protocol.Fold {
	if o.change.fold == nil || o.change.id != id {
		o.storeChange(tx)
		m, ok := message.Load(tx, id)
		o.change = change{id: id, fold: protocol.Continue(m), stored: ok}
	}
	return o.change.fold
}

// storeChange stores the message that was changed, if any. Whatever reads or changes a stored message in
// the event of code calls it before.
func (o *Object) storeChange(tx *durable.Tx) {
	c := o.change
	o.change = change{}
	if !c.made {
		return
	}
	m := message.Amend(tx, c.fold.Message())
	if o.unshown.ID != m.ID {
		o.showChange(tx)
	}
	o.unshown = m
}

// showChange shows the message that was stored last, unless it was shown.
func (o *Object) showChange(tx *durable.Tx) {
	if m := o.unshown; m.ID != "" {
		o.unshown = protocol.Message{}
		o.showStored(tx, m)
	}
}

// showStored shows everybody a stored message that has changed.
func (o *Object) showStored(tx *durable.Tx, m protocol.Message) {
	if o.unshown.ID != m.ID {
		o.showChange(tx)
	}
	o.unshown, o.shownAt = protocol.Message{}, tx.Now
	o.audience.ShowMessage(tx, m.ID, func() string { return protocol.MessageUpdated(m) }, o.audience.All()...)
}

// endChange stores and shows at the end of an event what code has changed. Where code goes on at once,
// its next event may show it.
func (o *Object) endChange(tx *durable.Tx) {
	o.storeChange(tx)
	if !o.loop.WaitsForSlice() || tx.Now-o.shownAt >= showsEvery {
		o.showChange(tx)
	}
}
