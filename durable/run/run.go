package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Schema is the tables of runs and of the slots that their helpers live in. A
// slot's row stays when it is free, so that it can be used again: the platform
// gives out a limited number of facet names in an object's whole life.
var Schema = durable.Schema{Room: "run", Steps: []string{
	`CREATE TABLE run (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE, class TEXT NOT NULL, tool_call TEXT NOT NULL, place INTEGER NOT NULL,
		input TEXT NOT NULL, prompt TEXT NOT NULL, preview TEXT NOT NULL, display TEXT NOT NULL,
		waiter TEXT NOT NULL, waiter_position INTEGER NOT NULL,
		status TEXT NOT NULL, waits_for TEXT NOT NULL DEFAULT '[]', slot INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0,
		summary TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
		cancel_due INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
		model_calls INTEGER NOT NULL DEFAULT 0,
		begun_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0)`,
	`CREATE INDEX run_status ON run (status)`,
	`CREATE INDEX run_tool_call ON run (tool_call)`,
	`CREATE TABLE slot (n INTEGER PRIMARY KEY, run TEXT)`,
}}

// Run is one execution of a helper.
type Run struct {
	// Seq numbers the runs of a parent in the order of their beginning.
	Seq int64
	// ID names the run for ever. It comes from the tool call, so that a call which
	// is made again finds its run.
	ID    string
	Class string
	// ToolCall is the call in the parent's message that the run is shown under, or
	// "" for a run of its own.
	ToolCall string
	// Order is the run's place among those of its tool call.
	Order int
	// Input is what the helper is asked, JSON; Prompt is the same in words.
	Input  json.RawMessage
	Prompt string
	// Preview and Display are what browsers are shown of it, JSON or nil. They are
	// public.
	Preview, Display json.RawMessage
	// Waiter is the routine that awaits the result, and the position in it.
	Waiter         string
	WaiterPosition int

	Status Status
	// WaitsFor are the calls in the helper that a waiting run needs answers to.
	WaitsFor []string
	// Slot is where the helper lives, 0 while the run waits for one.
	Slot int
	// Next is the index of the next chunk that the parent expects.
	Next int64
	Result
	// CancelDue says that the helper has still to be told that the run is
	// cancelled.
	CancelDue bool
}

// Result is what came of a run.
type Result struct {
	// Summary is the text of the helper's last message, Output its validated output,
	// JSON or nil.
	Summary string
	Output  json.RawMessage
	// Failure says in words why there is no result; Reason is for programs.
	Failure string
	Reason  string
	Usage
}

// Usage is what a run has cost, with everything below it.
type Usage struct {
	InputTokens, OutputTokens, ModelCalls int64
}

const columns = `seq, id, class, tool_call, place, input, preview, display, waiter, waiter_position, status, slot, next,
	summary, output, failure, reason, cancel_due, input_tokens, output_tokens, model_calls, prompt, waits_for`

func scan(row durable.Row) Run {
	return Run{
		Seq: row.Int(0), ID: row.Text(1), Class: row.Text(2), ToolCall: row.Text(3), Order: int(row.Int(4)),
		Input: row.JSON(5), Preview: row.JSON(6), Display: row.JSON(7),
		Waiter: row.Text(8), WaiterPosition: int(row.Int(9)),
		Status: Status(row.Text(10)), Slot: int(row.Int(11)), Next: row.Int(12),
		Result: Result{
			Summary: row.Text(13), Output: row.JSON(14), Failure: row.Text(15), Reason: row.Text(16),
			Usage: Usage{InputTokens: row.Int(18), OutputTokens: row.Int(19), ModelCalls: row.Int(20)},
		},
		CancelDue: row.Bool(17), Prompt: row.Text(21), WaitsFor: list(row.Text(22)),
	}
}

func list(s string) []string {
	var items []string
	if json.Unmarshal([]byte(s), &items) != nil {
		return nil
	}
	return items
}

func all(rows []durable.Row) []Run {
	var runs []Run
	for _, row := range rows {
		runs = append(runs, scan(row))
	}
	return runs
}

// Find returns a run by its id.
func Find(tx *durable.Tx, id string) (Run, bool) {
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE id = ?`, id) {
		return scan(row), true
	}
	return Run{}, false
}

// List returns the runs that are kept, the newest limit of them, oldest first.
func List(tx *durable.Tx, limit int) []Run {
	return all(tx.SQL(`SELECT `+columns+` FROM (SELECT * FROM run ORDER BY seq DESC LIMIT ?) ORDER BY seq`, limit))
}

// Active returns the runs that hold a slot and are not final, oldest first: what a
// parent goes on with in a new life.
func Active(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT `+columns+` FROM run WHERE slot > 0 AND status IN (?, ?, ?, ?) ORDER BY seq`,
		string(Starting), string(Running), string(Waiting), string(Interrupted)))
}

// AwaitedBy returns the runs that a routine awaits: those that wait for a slot
// first, so that stopping one lets none of the others in.
func AwaitedBy(tx *durable.Tx, routine string) []Run {
	return all(tx.SQL(`SELECT `+columns+` FROM run WHERE waiter = ? AND ended_at = 0 ORDER BY slot > 0, seq`, routine))
}

// ToCancel returns the runs whose helpers have still to be told that they are
// cancelled, oldest first.
func ToCancel(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + columns + ` FROM run WHERE cancel_due = 1 ORDER BY seq`))
}
