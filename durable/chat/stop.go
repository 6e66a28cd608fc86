package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// cancel stops the turn of a request. The text that the turn has produced is kept.
func (o *Object) cancel(tx *durable.Tx, conn durable.ConnID, request string) {
	t, ok := turn.Find(tx, request)
	switch {
	case !ok:
		if conn != "" {
			audience.Send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Aborted}.Encode(), conn)
		}
	case !t.Status.Final():
		o.abort(tx, t)
	case conn != "":
		o.audience.RefuseWithTranscript(tx, conn) // the client stopped listening before the end came, perhaps before the first word
	}
}

// abort stops a turn, whether it is queued or active. If it was queued, the turns behind it go on
// when the event is over.
func (o *Object) abort(tx *durable.Tx, t turn.Turn) {
	switch t.Status {
	case turn.Queued:
		o.dequeue(tx, &t, turn.Aborted)
		gone := admission.CloseGap(tx, o.agent.DuringTurn, t)
		if takeBackMessage(tx, t) || !o.loop.IsActive() || len(gone) > 0 { // the message of the turn may not have been shown yet
			o.audience.SendTranscript(tx, o.audience.All()...)
		}
		o.finishTask(tx, loop.Ended{Turn: t, Draft: reply.New(protocol.Message{ID: t.Reply}, t.First)})
		o.sendEnd(tx, t, o.audience.All()...)
		o.skipTurns(tx, gone)
		o.agenda.next = true
	case turn.Running:
		o.loop.Stop(tx)
	}
}

const clearedText = "the conversation was cleared"

// sendEnd sends the end of a turn to the given connections, and answers the calls that wait for it.
func (o *Object) sendEnd(tx *durable.Tx, t turn.Turn, to ...durable.ConnID) {
	if len(to) > 0 {
		end := endFrame(t)
		end.Replay = false
		audience.Send(tx, end.Encode(), to...)
	}
	o.answerCalls(tx, t)
}

// forgetLogs deletes every stream except the logs of runs that this object was handed. Their parent
// may not have read them to the end, and deletes them when it wipes the helper.
func forgetLogs(tx *durable.Tx) { stream.DeleteExcept(tx, task.Logs(tx)) }

// isClear says whether the conversation is as clear leaves it.
func (o *Object) isClear(tx *durable.Tx) bool {
	return !o.busy(tx) && !message.Any(tx) && !approval.Any(tx) && len(task.Open(tx)) == 0 &&
		len(run.Shown(tx, run.Newest, 1)) == 0 && len(run.Unfinished(tx)) == 0 && setting.Text(tx, settingTerminal) == "" &&
		(o.mcpServer == nil || !o.mcpServer.Has(tx))
}

// clear empties the conversation for everyone. The active turn is stopped and stores nothing.
// Queued turns are skipped. If there is nothing to clear, nothing happens.
func (o *Object) clear(tx *durable.Tx, conn durable.ConnID) {
	if o.isClear(tx) {
		return
	}
	everyone := o.audience.All()
	if !o.loop.IsActive() {
		o.releaseWaiting(tx)
	}
	o.clearing = true
	defer func() { o.clearing = false }()
	o.abortTasks(tx, clearedText)
	if o.mcpServer != nil {
		o.mcpServer.Clear(tx, clearedText)
	}
	if o.loop.IsActive() {
		t := o.loop.Discard(tx)
		run.ForgetSpent(tx, t.Seq)
		o.sendEnd(tx, t, everyone...)
	}
	for t, ok := turn.Next(tx); ok; t, ok = turn.Next(tx) {
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, everyone...)
	}
	o.runs.Clear(tx, clearedText)
	o.audience.Release(tx)
	message.DeleteAll(tx)
	o.forgetBegun(tx)
	approval.DeleteAll(tx)
	tx.SQL(`DELETE FROM heard`)
	closeCallIDs(tx)
	forgetLogs(tx)
	admission.Clear(tx)
	setting.Delete(tx, settingTerminal)
	prompt.DeleteWindow(tx)
	audience.Send(tx, protocol.Cleared, o.audience.All(conn)...)
	audience.Send(tx, protocol.Transcript(nil, false), conn) // the client cleared its list first, and may have received old messages after that
	o.audience.NoteTranscript(tx, everyone...)
}
