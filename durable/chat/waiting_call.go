package chat

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about method calls of browsers that wait for a turn. Each call is a row, so that it
// is answered even after a loss of memory. The row is deleted with its connection, because the
// client has then given up the call. The turn goes on.

// maxWaitingCallsOfConn is how many calls of one connection can wait.
const maxWaitingCallsOfConn = 32

// waitingCall is a call that waits for the end of a turn.
type waitingCall struct {
	conn durable.ConnID
	id   string
}

// waitForTurn stores a call that is answered when a turn is final. If streamed, the call is sent the
// turn's chunks before.
func (o *Object) waitForTurn(tx *durable.Tx, c waitingCall, t turn.Turn, streamed bool) {
	o.dropCall(tx, c) // if a client uses an id twice, only its second call is answered
	tx.SQL(`INSERT INTO caller (conn, call, turn, streamed) VALUES (?, ?, ?, ?)`, string(c.conn), c.id, t.Seq, streamed)
	if streamed && o.loop.Has(t.Seq) {
		o.streamToCall(tx, c)
	}
}

// checkWait says why a call of a client with some claims cannot wait, or returns nil. The number of
// waiting calls is limited, in all, for each person and for each connection. If a client uses an id
// twice, that counts as one call.
func (o *Object) checkWait(tx *durable.Tx, c waitingCall, claims string) error {
	var held share.Held
	for _, row := range tx.SQL(`SELECT conn, COUNT(*) FROM caller GROUP BY conn`) {
		held.AddOf(o.personOf(durable.ConnID(row.Text(0))), int(row.Int(1)))
	}
	if err := share.WaitingCalls.Refusal(claims, held); err != nil {
		return err
	}
	if tx.Number(`SELECT COUNT(*) FROM caller WHERE conn = ? AND call != ?`, string(c.conn), c.id) >= maxWaitingCallsOfConn {
		return fmt.Errorf("%d calls of this connection wait for turns already", maxWaitingCallsOfConn)
	}
	return nil
}

// streamToCall sends a waiting call what the active turn has said so far, and subscribes it to the
// rest.
func (o *Object) streamToCall(tx *durable.Tx, c waitingCall) {
	t := o.loop.Turn()
	o.loop.Store(tx)
	for chunk := range stream.All(tx, loop.StreamOf(t), t.First) {
		audience.Send(tx, protocol.CallResult(c.id, chunk.Body, false), c.conn)
	}
	o.viewers.streamedCalls = append(o.viewers.streamedCalls, c)
}

// streamToCalls sends chunks to the calls that stream the active turn.
func (o *Object) streamToCalls(tx *durable.Tx, bodies [][]byte) {
	for _, c := range o.viewers.streamedCalls {
		for _, body := range bodies {
			audience.Send(tx, protocol.CallResult(c.id, body, false), c.conn)
		}
	}
}

// streamedCallsOf returns the calls that stream a turn.
func streamedCallsOf(tx *durable.Tx, t turn.Turn) []waitingCall {
	if t.Submission == "" {
		return nil
	}
	return waitingCalls(tx.SQL(`SELECT conn, call FROM caller WHERE turn = ? AND streamed = 1 ORDER BY conn, call`, t.Seq))
}

func waitingCalls(rows []durable.Row) []waitingCall {
	var all []waitingCall
	for _, row := range rows {
		all = append(all, waitingCall{durable.ConnID(row.Text(0)), row.Text(1)})
	}
	return all
}

// answerCalls answers the calls that wait for a turn.
func (o *Object) answerCalls(tx *durable.Tx, t turn.Turn) {
	if t.Submission == "" {
		return
	}
	if o.mcpServer != nil && o.mcpServer.Ended(tx, t.Submission, func() []byte { return limit.MustMarshal(author.Bind.Submission(host{o}, tx, t)) }) {
		o.agenda.resume = true
	}
	callers := waitingCalls(tx.SQL(`SELECT conn, call FROM caller WHERE turn = ? ORDER BY conn, call`, t.Seq))
	if len(callers) == 0 {
		return
	}
	answer := limit.MustMarshal(author.Bind.Submission(host{o}, tx, t))
	for _, c := range callers {
		audience.Send(tx, protocol.CallResult(c.id, answer, true), c.conn)
	}
	tx.SQL(`DELETE FROM caller WHERE turn = ?`, t.Seq)
}

// dropCall forgets a waiting call. It sends no answer.
func (o *Object) dropCall(tx *durable.Tx, c waitingCall) {
	tx.SQL(`DELETE FROM caller WHERE conn = ? AND call = ?`, string(c.conn), c.id)
	if o.loop.IsActive() {
		o.viewers.streamedCalls = slices.DeleteFunc(o.viewers.streamedCalls, func(have waitingCall) bool { return have == c })
	}
}

// dropCalls forgets the calls of a connection that is gone.
func (o *Object) dropCalls(tx *durable.Tx, conn durable.ConnID) {
	for _, c := range waitingCalls(tx.SQL(`SELECT conn, call FROM caller WHERE conn = ?`, string(conn))) {
		o.dropCall(tx, c)
	}
}

// dropCallsOfLostConnections forgets the calls of connections that were closed while the object was
// not in memory.
func (o *Object) dropCallsOfLostConnections(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT DISTINCT conn FROM caller`) {
		if conn := durable.ConnID(row.Text(0)); !o.audience.Has(conn) {
			o.dropCalls(tx, conn)
		}
	}
}
