package chat

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

const (
	taskColumns = `run, turn, log, ended, asked, outcome, reported`
	// briefTask are the columns without the parent's request, which can be large.
	briefTask = `run, turn, log, ended, '', outcome, reported`
)

func findTask(tx *durable.Tx, run string) (task, bool) {
	return oneTask(tx.SQL(`SELECT `+taskColumns+` FROM task WHERE run = ?`, run))
}

// findBriefTask is [findTask] without the parent's request. It is for work that is done with every
// chunk.
func findBriefTask(tx *durable.Tx, run string) (task, bool) {
	return oneTask(tx.SQL(`SELECT `+briefTask+` FROM task WHERE run = ?`, run))
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
	if !decode(row.Text(4), &k.request) || !decode(row.Text(5), &k.outcome) {
		k.outcome = facet.Outcome{Status: string(turn.Failed), Failure: "what came of the run was damaged"}
	}
	if !decode(row.Text(6), &k.reported) {
		k.reported = reported{}
	}
	return k, true
}

// decode reads one of the core's own values from JSON, and says whether it is undamaged. An empty
// string leaves the value as it is.
func decode(stored string, v any) bool {
	return stored == "" || json.Unmarshal([]byte(stored), v) == nil
}

// keepTask stores the outcome of a run. ended makes it final.
func keepTask(tx *durable.Tx, k task, ended bool) {
	tx.SQL(`UPDATE task SET ended = ?, outcome = ? WHERE run = ? AND ended = 0`, ended, string(limit.MustMarshal(k.outcome)), k.run)
}

// abortTask stops a run, whether it is active or waits for a person.
func (o *Object) abortTask(tx *durable.Tx, k task, reason string) {
	if t, ok := turn.BySeq(tx, k.turn); ok && !t.Status.Final() {
		o.cancel(tx, "", t.Request)
		k, _ = findTask(tx, k.run)
	}
	for _, p := range approval.OfRun(tx, k.run) {
		o.endApprovedCall(tx, p, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: p.ID, ErrorText: reason})
	}
	k.outcome.Status, k.outcome.Failure, k.outcome.Reason = string(turn.Aborted), reason, run.Cancelled
	keepTask(tx, k, true)
	o.flushTails(tx)
}

// abortTasks stops every run that has not ended.
func (o *Object) abortTasks(tx *durable.Tx, reason string) {
	for _, row := range tx.SQL(`SELECT run FROM task WHERE ended = 0 ORDER BY log`) {
		if k, ok := findTask(tx, row.Text(0)); ok {
			o.abortTask(tx, k, reason)
		}
	}
}

// continueTask queues a turn that continues a run, on the run's own log.
func (o *Object) continueTask(tx *durable.Tx, run string, t turn.Turn) {
	k, ok := findTask(tx, run)
	if !ok || k.ended {
		return
	}
	t.Log = k.log
	t = enqueue(tx, t)
	tx.SQL(`UPDATE task SET turn = ? WHERE run = ?`, t.Seq, run)
}

// appendToTaskLog appends a chunk about a call of an earlier message to the log of the run that
// made the call.
func (o *Object) appendToTaskLog(tx *durable.Tx, run string, c protocol.Chunk) {
	k, ok := findTask(tx, run)
	switch {
	case !ok:
		return
	case o.active != nil && o.active.turn.Seq == k.turn:
		stream.Append(tx, o.active.stream(), o.active.draft.Next, c.Encode())
		o.active.draft.Track(c)
	default:
		stream.Append(tx, stream.ID(k.log), stream.Next(tx, stream.ID(k.log)), c.Encode())
	}
	o.flushTails(tx)
}

// waitsFor returns the calls of a run that a person or a browser has to answer.
func waitsFor(tx *durable.Tx, k task) []string {
	var calls []string
	for _, p := range approval.OpenOfRun(tx, k.run) {
		calls = append(calls, p.ID)
	}
	return calls
}

// sorted yields a map's keys in order, so that every execution produces the same commands.
func sorted[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}

// schemaOf is the JSON Schema that a run sets for the turn's answer, or nil.
func schemaOf(tx *durable.Tx, t turn.Turn) json.RawMessage {
	k, _ := taskOf(tx, t.Seq)
	return k.request.Output
}

// depth is how far below the root this object lives.
func (o *Object) depth(tx *durable.Tx) int {
	if !o.agent.Helper {
		return 0
	}
	k, _ := oneTask(tx.SQL(`SELECT ` + taskColumns + ` FROM task WHERE asked != '' LIMIT 1`))
	return k.request.Depth
}
