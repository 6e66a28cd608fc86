package chat

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about browsers' calls that wait for a turn. Who is owed an answer is a row,
// so that it is given whatever dies in between; with its connection the row goes, because
// the client has given the call up by then, and the turn goes on.

// maxCallers is how many calls can wait, maxCallersOf how many of them from one connection.
const (
	maxCallers   = 256
	maxCallersOf = 32
)

var errCallers = errors.New("too many calls wait for turns already")

// caller is a call that waits for the end of a turn.
type caller struct {
	conn durable.ConnID
	id   string
}

// owed is the result of a method whose call is answered later.
type owed struct{}

// RunTurn is [Conversation.RunTurn] for a method, in every mode. What it returns is for the
// method to return: where the mode waits, the caller is answered with the [Submission] when
// the turn is final, and with Stream is sent its chunks before.
func (c *Call) RunTurn(r TurnRequest) (any, error) {
	if r.Mode != Wait && r.Mode != Stream {
		return c.Conversation.RunTurn(r)
	}
	h, tx := c.host, c.tx
	if err := (caller{c.conn, c.id}).crowded(tx); err != nil {
		return nil, err
	}
	t, joined, err := h.submit(tx, r)
	switch {
	case err != nil:
		return nil, err
	case t.Status.Final():
		s := h.inspect(tx, t)
		s.Joined = joined
		return s, nil
	}
	c.owed = true
	h.forgiveCall(tx, caller{c.conn, c.id}) // a client that uses an id twice hears of the second
	tx.SQL(`INSERT INTO caller (conn, call, turn, streamed) VALUES (?, ?, ?, ?)`, string(c.conn), c.id, t.Seq, r.Mode == Stream)
	if l := h.live; r.Mode == Stream && l != nil && l.turn.Seq == t.Seq {
		h.catchUp(tx, caller{c.conn, c.id})
	}
	return owed{}, nil
}

// crowded says why a call cannot wait, or is nil: so many do already, of all connections or of
// its own. A client that uses an id twice has one call.
func (c caller) crowded(tx *durable.Tx) error {
	switch {
	case tx.SQL(`SELECT COUNT(*) FROM caller`)[0].Int(0) >= maxCallers:
		return errCallers
	case tx.SQL(`SELECT COUNT(*) FROM caller WHERE conn = ? AND call != ?`, string(c.conn), c.id)[0].Int(0) >= maxCallersOf:
		return fmt.Errorf("%d calls of this connection wait for turns already", maxCallersOf)
	}
	return nil
}

// catchUp sends a caller what the live turn has said before, and has it sent the rest.
func (h *Host) catchUp(tx *durable.Tx, c caller) {
	l := h.live
	for from, more := l.turn.First, true; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, l.stream(), from, 1<<20)
		for _, chunk := range chunks {
			from = chunk.Index + 1
			send(tx, protocol.CallResult(c.id, chunk.Body, false), c.conn)
		}
	}
	l.callers = append(l.callers, c)
}

// tellCallers sends chunks to those whose calls stream the live turn.
func (h *Host) tellCallers(tx *durable.Tx, bodies [][]byte) {
	for _, c := range h.live.callers {
		for _, body := range bodies {
			send(tx, protocol.CallResult(c.id, body, false), c.conn)
		}
	}
}

// callersOf returns who streams a turn.
func callersOf(tx *durable.Tx, t turn.Turn) []caller {
	if t.Submission == "" {
		return nil
	}
	return callers(tx.SQL(`SELECT conn, call FROM caller WHERE turn = ? AND streamed = 1 ORDER BY conn, call`, t.Seq))
}

func callers(rows []durable.Row) []caller {
	var all []caller
	for _, row := range rows {
		all = append(all, caller{durable.ConnID(row.Text(0)), row.Text(1)})
	}
	return all
}

// answerCallers gives those who wait for a turn what has come of it.
func (h *Host) answerCallers(tx *durable.Tx, t turn.Turn) {
	if t.Submission == "" {
		return
	}
	for _, c := range callers(tx.SQL(`SELECT conn, call FROM caller WHERE turn = ? ORDER BY conn, call`, t.Seq)) {
		send(tx, protocol.CallResult(c.id, encode(h.inspect(tx, t)), true), c.conn)
	}
	tx.SQL(`DELETE FROM caller WHERE turn = ?`, t.Seq)
}

// forgiveCall forgets a call that was answered otherwise.
func (h *Host) forgiveCall(tx *durable.Tx, c caller) {
	tx.SQL(`DELETE FROM caller WHERE conn = ? AND call = ?`, string(c.conn), c.id)
	if h.live != nil {
		h.live.callers = slices.DeleteFunc(h.live.callers, func(have caller) bool { return have == c })
	}
}

// forgive forgets the calls of a connection that is gone.
func (h *Host) forgive(tx *durable.Tx, conn durable.ConnID) {
	for _, c := range callers(tx.SQL(`SELECT conn, call FROM caller WHERE conn = ?`, string(conn))) {
		h.forgiveCall(tx, c)
	}
}

// forgiveAbsent forgets the calls of every connection that was lost unnoticed.
func (h *Host) forgiveAbsent(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT DISTINCT conn FROM caller`) {
		if conn := durable.ConnID(row.Text(0)); !h.roster.has(conn) {
			h.forgive(tx, conn)
		}
	}
}
