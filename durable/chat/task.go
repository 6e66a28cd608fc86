package chat

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

const taskColumns = `run, turn, log, ended, asked, outcome, reported`

func findTask(tx *durable.Tx, run string) (task, bool) {
	return oneTask(tx.SQL(`SELECT `+taskColumns+` FROM task WHERE run = ?`, run))
}

// taskOf returns the run that a turn works on.
func taskOf(tx *durable.Tx, turn int64) (task, bool) {
	return oneTask(tx.SQL(`SELECT `+taskColumns+` FROM task WHERE turn = ?`, turn))
}

func oneTask(rows []durable.Row) (task, bool) {
	if len(rows) == 0 {
		return task{}, false
	}
	row := rows[0]
	k := task{run: row.Text(0), turn: row.Int(1), log: row.Int(2), ended: row.Bool(3)}
	if !decode(row.Text(4), &k.asked) || !decode(row.Text(5), &k.outcome) {
		k.outcome = outcome{Status: string(turn.Failed), Failure: "what came of the run was damaged"}
	}
	if !decode(row.Text(6), &k.reported) {
		k.reported = reported{}
	}
	return k, true
}

// decode reads a value of ours from JSON, where there is one, and says whether it is
// whole.
func decode(stored string, v any) bool {
	return stored == "" || json.Unmarshal([]byte(stored), v) == nil
}

// keepTask writes what has come of a run. With ended, it is final.
func keepTask(tx *durable.Tx, k task, ended bool) {
	tx.SQL(`UPDATE task SET ended = ?, outcome = ? WHERE run = ? AND ended = 0`, ended, string(encode(k.outcome)), k.run)
}

// abortTask stops a run, whether it is at work or waits for somebody.
func (h *Host) abortTask(tx *durable.Tx, k task, reason string) {
	if t, ok := turn.Numbered(tx, k.turn); ok && !t.Status.Final() {
		h.cancel(tx, "", t.Request)
		k, _ = findTask(tx, k.run)
	}
	for _, a := range asks(tx, `run = ?`, k.run) {
		h.endOwed(tx, a, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: a.call, ErrorText: reason})
	}
	k.outcome.Status, k.outcome.Failure, k.outcome.Reason = string(turn.Aborted), reason, run.Cancelled
	keepTask(tx, k, true)
	h.pumpAll(tx)
}

// abortTasks stops every run that is not over.
func (h *Host) abortTasks(tx *durable.Tx, reason string) {
	for _, row := range tx.SQL(`SELECT run FROM task WHERE ended = 0 ORDER BY log`) {
		if k, ok := findTask(tx, row.Text(0)); ok {
			h.abortTask(tx, k, reason)
		}
	}
}

// continueTask queues the turn that goes on with a run, on the run's own log.
func (h *Host) continueTask(tx *durable.Tx, run string, t turn.Turn) {
	k, ok := findTask(tx, run)
	if !ok || k.ended {
		return
	}
	t.Log, t.First = k.log, stream.Next(tx, stream.ID(k.log))
	t = h.admit(tx, t)
	tx.SQL(`UPDATE task SET turn = ? WHERE run = ?`, t.Seq, run)
}

// logForRun puts a chunk about a call of an earlier message into the log of the run
// that had asked.
func (h *Host) logForRun(tx *durable.Tx, run string, c protocol.Chunk) {
	k, ok := findTask(tx, run)
	switch {
	case !ok:
		return
	case h.live != nil && h.live.turn.Seq == k.turn:
		stream.Append(tx, h.live.stream(), h.live.next, c.Encode())
		h.live.track(c)
	default:
		stream.Append(tx, stream.ID(k.log), stream.Next(tx, stream.ID(k.log)), c.Encode())
	}
	h.pumpAll(tx)
}

// waitsFor returns the calls that a run waits for somebody to answer.
func waitsFor(tx *durable.Tx, k task) []string {
	var calls []string
	for _, a := range asks(tx, `run = ? AND run != '' AND state = ?`, k.run, askOpen) {
		calls = append(calls, a.call)
	}
	return calls
}

// sorted yields a map's keys in order, for the same commands in every run.
func sorted[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}
