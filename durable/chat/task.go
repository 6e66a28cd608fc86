package chat

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

const taskColumns = `run, turn, ended, outcome`

func findTask(tx *durable.Tx, run string) (task, bool) {
	for _, row := range tx.SQL(`SELECT `+taskColumns+` FROM task WHERE run = ?`, run) {
		return scanTask(row), true
	}
	return task{}, false
}

func scanTask(row durable.Row) task {
	k := task{run: row.Text(0), turn: row.Int(1), ended: row.Bool(2)}
	if k.ended {
		if err := json.Unmarshal([]byte(row.Text(3)), &k.outcome); err != nil {
			panic("chat: a stored outcome: " + err.Error())
		}
	}
	return k
}

// endTask writes what came of a run. It is final.
func endTask(tx *durable.Tx, k task, o outcome) {
	data, err := json.Marshal(o)
	if err != nil {
		panic("chat: " + err.Error())
	}
	tx.SQL(`UPDATE task SET ended = 1, outcome = ? WHERE run = ? AND ended = 0`, string(data), k.run)
}

// sorted yields a map's keys in order, for the same commands in every run.
func sorted[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}
