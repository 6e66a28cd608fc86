package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Signal is a message to the code of a run.
type Signal struct {
	// N numbers the signals to a run, from 1 on, in the order in which the owner has taken them.
	N int64
	// ID identifies the signal in its run, so that a sender can send it again. Name is what the code
	// receives it by.
	ID, Name string
	// Payload is JSON.
	Payload json.RawMessage
	// At is when the owner has taken it, in milliseconds since 1970.
	At int64
	// From is the subject of the claims that it came with, or "".
	From string
}

// SignalState is what has become of a signal.
type SignalState string

// The states of a signal.
const (
	// SignalDelivered: the run's code has received it. Only a sender that waits for the helper's answer
	// is told so.
	SignalDelivered SignalState = "delivered"
	// SignalKept: it is kept until the run's code receives it.
	SignalKept SignalState = "kept"
	// SignalDuplicate: a signal with this id was taken before. Nothing has changed.
	SignalDuplicate SignalState = "duplicate"
	// SignalOver: the run is over.
	SignalOver SignalState = "over"
	// SignalUnknown: there is no such run.
	SignalUnknown SignalState = "unknown"
	// SignalFull: too many signals are kept for the run.
	SignalFull SignalState = "full"
)

// Received is how many signals the code of a run has received, and the size of their payloads. Both
// only grow.
type Received struct {
	Signals int64 `json:"signals"`
	Bytes   int64 `json:"bytes"`
}

// KeepSignalIDs is of how many signals to a run the ids are remembered, those of the newest. The ids of
// older ones are forgotten with every trimSignalIDs-th signal.
const KeepSignalIDs, trimSignalIDs = 10_000, 256

// KeepSignal writes the row of a signal and numbers it, unless its id was seen before, the run is
// over or too many signals wait already, of all or of the sender. by are the claims of the sender. Only an id of
// the sender's can be seen again: named says that the id is one.
func KeepSignal(tx *durable.Tx, r Run, s *Signal, named bool, by string) SignalState {
	if named && len(tx.SQL(`SELECT 1 FROM signal_id WHERE run = ? AND id = ?`, r.ID, s.ID)) > 0 {
		return SignalDuplicate
	}
	if r.Status.Final() {
		return SignalOver
	}
	c := signalsOf(tx, r.ID)
	waiting, size, person := c.waiting(), int64(len(s.Payload)), claims.Person(by)
	if waiting.Signals >= limit.Signals || waiting.Bytes+size > limit.SignalBytes || c.senders.hasShare(person, waiting.Signals, size) {
		return SignalFull
	}
	s.N, s.At = c.sent.Signals+1, tx.Now
	if named {
		tx.SQL(`INSERT INTO signal_id (run, id, n) VALUES (?, ?, ?)`, r.ID, s.ID, s.N)
	}
	if s.N%trimSignalIDs == 0 && s.N > KeepSignalIDs {
		tx.SQL(`DELETE FROM signal_id WHERE run = ? AND n <= ?`, r.ID, s.N-KeepSignalIDs)
	}
	tx.SQL(`INSERT INTO signal (run, n, id, name, at, sender, payload) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		r.ID, s.N, s.ID, s.Name, s.At, s.From, string(s.Payload))
	tx.SQL(`INSERT INTO signal_count (run, sent, sent_bytes, senders) VALUES (?, 1, ?, ?)
		ON CONFLICT (run) DO UPDATE SET sent = sent + 1, sent_bytes = sent_bytes + excluded.sent_bytes, senders = excluded.senders`,
		r.ID, size, c.senders.with(person, waiting.Signals, size).text())
	return SignalKept
}

// signalCount is how many signals were sent to a run, how many of them its code is known to have
// received, and who has sent the newest.
type signalCount struct {
	sent, received Received
	senders        senders
}

func signalsOf(tx *durable.Tx, run string) (c signalCount) {
	for _, row := range tx.SQL(`SELECT sent, sent_bytes, received, received_bytes, senders FROM signal_count WHERE run = ?`, run) {
		c.sent, c.received = Received{row.Int(0), row.Int(1)}, Received{row.Int(2), row.Int(3)}
		c.senders = readSenders(row.Text(4))
	}
	return c
}

// waiting returns how many signals its code has not received.
func (c signalCount) waiting() Received {
	return Received{c.sent.Signals - c.received.Signals, c.sent.Bytes - c.received.Bytes}
}

// HasReceived returns how many signals a run's code is known to have received.
func HasReceived(tx *durable.Tx, run string) Received { return signalsOf(tx, run).received }

// The largest batch of signals that one call carries.
const (
	batchSignals = 100
	batchBytes   = 256 << 10
)

// UnacknowledgedSignals returns the first signals to a run that its helper has not acknowledged,
// oldest first. It returns one at least, if there is one.
func UnacknowledgedSignals(tx *durable.Tx, run string) (batch []Signal) {
	bytes := 0
	for _, row := range tx.SQL(`SELECT n, id, name, at, sender, payload FROM signal WHERE run = ? ORDER BY seq LIMIT ?`, run, batchSignals) {
		s := Signal{N: row.Int(0), ID: row.Text(1), Name: row.Text(2), At: row.Int(3), From: row.Text(4), Payload: row.JSON(5)}
		if bytes += len(s.Payload); bytes > batchBytes && len(batch) > 0 {
			break
		}
		batch = append(batch, s)
	}
	return batch
}

// Signalled returns the active runs whose helpers have signals left to acknowledge, oldest first.
func Signalled(tx *durable.Tx) []Run {
	if !tx.Made("signal") {
		return nil
	}
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE slot > 0 AND ended_at = 0 AND EXISTS (SELECT 1 FROM signal WHERE signal.run = run.id) ORDER BY seq`))
}

// AcknowledgeSignals deletes the signals that a helper has stored, up to a number. Failed attempts
// to reach the helper no longer count.
func AcknowledgeSignals(tx *durable.Tx, run string, last int64) {
	tx.SQL(`DELETE FROM signal WHERE run = ? AND n <= ?`, run, last)
	tx.SQL(`UPDATE signal_count SET attempts = 0 WHERE run = ? AND attempts > 0`, run)
}

// SignalsFailed counts a failed attempt to bring a run its signals, and returns the number of these
// attempts.
func SignalsFailed(tx *durable.Tx, run string) (attempts int) {
	for _, row := range tx.SQL(`UPDATE signal_count SET attempts = attempts + 1 WHERE run = ? RETURNING attempts`, run) {
		attempts = int(row.Int(0))
	}
	return attempts
}

// NoteReceived stores how many signals the code of a run has received by now, and says whether they
// have become more. An old report changes nothing. A report about a run that is over corrects the
// number of signals that were dropped.
func NoteReceived(tx *durable.Tx, r *Run, by Received) bool {
	rows := tx.SQL(`UPDATE signal_count SET received = ?, received_bytes = ? WHERE run = ? AND received < ? AND sent >= ? RETURNING sent - received`,
		by.Signals, by.Bytes, r.ID, by.Signals, by.Signals)
	if len(rows) == 0 {
		return false
	}
	if r.Status.Final() {
		r.DroppedSignals = rows[0].Int(0)
		change(tx, `UPDATE run SET dropped_signals = ? WHERE seq = ?`, r.DroppedSignals, r.Seq)
	}
	return true
}

// dropSignals deletes the signals that a run which ends will not receive, and returns how many its
// code has not received. The ids stay, so that a signal that is sent again is known.
func dropSignals(tx *durable.Tx, run string) int64 {
	tx.SQL(`DELETE FROM signal WHERE run = ?`, run)
	c := signalsOf(tx, run)
	return c.sent.Signals - c.received.Signals
}

// forgetSignals deletes everything about the signals to a run.
func forgetSignals(tx *durable.Tx, run string) {
	tx.SQL(`DELETE FROM signal WHERE run = ?`, run)
	tx.SQL(`DELETE FROM signal_id WHERE run = ?`, run)
	tx.SQL(`DELETE FROM signal_count WHERE run = ?`, run)
}
