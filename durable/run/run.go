package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Schema is the tables of runs, of their waiters, of the slots that helpers live in, of usage, of
// unacknowledged answers, and of signals. A free slot keeps its row, so that it can be used again:
// the platform gives an object only a limited number of facet names in its whole life. Turn 0 of
// spent is the sum of all turns.
var Schema = durable.Schema{Component: "run", Steps: []string{
	`CREATE TABLE run (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE, class TEXT NOT NULL, turn INTEGER NOT NULL, tool_call TEXT NOT NULL, place INTEGER NOT NULL,
		input TEXT NOT NULL, prompt TEXT NOT NULL, schema TEXT NOT NULL,
		preview TEXT NOT NULL, display TEXT NOT NULL, delivery TEXT NOT NULL,
		timeout INTEGER NOT NULL, handler TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0, deadline INTEGER NOT NULL DEFAULT 0, time_left INTEGER NOT NULL DEFAULT 0,
		status TEXT NOT NULL, waits_for TEXT NOT NULL DEFAULT '[]', slot INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0,
		summary TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
		cancel_due INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
		model_calls INTEGER NOT NULL DEFAULT 0, milestones INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0, progress TEXT NOT NULL DEFAULT '',
		begun_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0)`,
	`CREATE INDEX run_status ON run (status)`,
	`CREATE INDEX run_turn ON run (turn)`,
	`CREATE TABLE waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID`,
	`CREATE INDEX waiter_run ON waiter (run)`,
	`CREATE TABLE milestone_waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, name TEXT NOT NULL,
		PRIMARY KEY (routine, position)) WITHOUT ROWID`,
	`CREATE INDEX milestone_waiter_run ON milestone_waiter (run)`,
	`CREATE TABLE letter (run TEXT PRIMARY KEY, handler TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
		failure TEXT NOT NULL DEFAULT '', last INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
	`CREATE TABLE slot (n INTEGER PRIMARY KEY, run TEXT)`,
	`CREATE TABLE spent (
		turn INTEGER PRIMARY KEY, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
		model_calls INTEGER NOT NULL DEFAULT 0)`,
	`INSERT INTO spent (turn) VALUES (0)`,
	`ALTER TABLE run ADD COLUMN silence INTEGER NOT NULL DEFAULT 3600000`,
	`ALTER TABLE run ADD COLUMN stops_with INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE run ADD COLUMN tells TEXT NOT NULL DEFAULT ''`,
	`CREATE INDEX run_stops_with ON run (stops_with) WHERE stops_with > 0`,
	`CREATE INDEX run_unfinished ON run (seq) WHERE ended_at = 0`,
	`CREATE INDEX run_cancel_due ON run (seq) WHERE cancel_due = 1`,
	`CREATE TABLE answer (seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, call TEXT NOT NULL, approved INTEGER NOT NULL,
		conn TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (run, call))`,
	`ALTER TABLE run ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE slot ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE slot ADD COLUMN unwiped INTEGER NOT NULL DEFAULT 0`,
	`CREATE INDEX slot_free ON slot (n) WHERE run IS NULL`,
	// Few runs are unfinished at a time, and an index has them. Those by status and by turn were two rows
	// more for each run that is written, and one for each change of its status.
	`DROP INDEX run_status`,
	`DROP INDEX run_turn`,
	`ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN hosted TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN version TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN pause TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN labels TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN restart TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE answer ADD COLUMN output TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE answer ADD COLUMN reason TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE answer ADD COLUMN answered_by TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN dropped_signals INTEGER NOT NULL DEFAULT 0`,
	// A signal has a row until its helper has acknowledged it. Its id is remembered as long as the run
	// is kept.
	`CREATE TABLE signal (seq INTEGER PRIMARY KEY, run TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
		at INTEGER NOT NULL, sender TEXT NOT NULL, payload TEXT NOT NULL)`,
	`CREATE INDEX signal_run ON signal (run)`,
	`CREATE TABLE signal_id (run TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID`,
	`CREATE TABLE signal_count (run TEXT PRIMARY KEY, sent INTEGER NOT NULL, sent_bytes INTEGER NOT NULL,
		received INTEGER NOT NULL DEFAULT 0, received_bytes INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
	`ALTER TABLE run ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE run ADD COLUMN pending TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE answer ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE letter ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE signal_id ADD COLUMN n INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE signal_count ADD COLUMN senders TEXT NOT NULL DEFAULT ''`,
}, Parts: []string{
	`CREATE TABLE run (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE, class TEXT NOT NULL, turn INTEGER NOT NULL, tool_call TEXT NOT NULL, place INTEGER NOT NULL,
		input TEXT NOT NULL, prompt TEXT NOT NULL, schema TEXT NOT NULL,
		preview TEXT NOT NULL, display TEXT NOT NULL, delivery TEXT NOT NULL,
		timeout INTEGER NOT NULL, handler TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0, deadline INTEGER NOT NULL DEFAULT 0, time_left INTEGER NOT NULL DEFAULT 0,
		status TEXT NOT NULL, waits_for TEXT NOT NULL DEFAULT '[]', slot INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0,
		summary TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
		cancel_due INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
		model_calls INTEGER NOT NULL DEFAULT 0, milestones INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0, progress TEXT NOT NULL DEFAULT '',
		begun_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0,
		silence INTEGER NOT NULL DEFAULT 3600000, stops_with INTEGER NOT NULL DEFAULT 0, tells TEXT NOT NULL DEFAULT '',
		generation INTEGER NOT NULL DEFAULT 0, origin TEXT NOT NULL DEFAULT '', hosted TEXT NOT NULL DEFAULT '',
		version TEXT NOT NULL DEFAULT '', pause TEXT NOT NULL DEFAULT '', labels TEXT NOT NULL DEFAULT '', restart TEXT NOT NULL DEFAULT '',
		dropped_signals INTEGER NOT NULL DEFAULT 0,
		claims TEXT NOT NULL DEFAULT '', pending TEXT NOT NULL DEFAULT '');
	CREATE INDEX run_stops_with ON run (stops_with) WHERE stops_with > 0;
	CREATE INDEX run_unfinished ON run (seq) WHERE ended_at = 0;
	CREATE INDEX run_cancel_due ON run (seq) WHERE cancel_due = 1;
	CREATE TABLE letter (run TEXT PRIMARY KEY, handler TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
		failure TEXT NOT NULL DEFAULT '', last INTEGER NOT NULL DEFAULT 0, claims TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
	CREATE TABLE slot (n INTEGER PRIMARY KEY, run TEXT, generation INTEGER NOT NULL DEFAULT 0, unwiped INTEGER NOT NULL DEFAULT 0);
	CREATE INDEX slot_free ON slot (n) WHERE run IS NULL`,
	`CREATE TABLE spent (
		turn INTEGER PRIMARY KEY, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
		model_calls INTEGER NOT NULL DEFAULT 0)`,
	`CREATE TABLE waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID;
	CREATE INDEX waiter_run ON waiter (run)`,
	`CREATE TABLE milestone_waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, name TEXT NOT NULL,
		PRIMARY KEY (routine, position)) WITHOUT ROWID;
	CREATE INDEX milestone_waiter_run ON milestone_waiter (run)`,
	`CREATE TABLE answer (seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, call TEXT NOT NULL, approved INTEGER NOT NULL,
		conn TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, output TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
		answered_by TEXT NOT NULL DEFAULT '', claims TEXT NOT NULL DEFAULT '', UNIQUE (run, call))`,
	`CREATE TABLE signal (seq INTEGER PRIMARY KEY, run TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
		at INTEGER NOT NULL, sender TEXT NOT NULL, payload TEXT NOT NULL);
	CREATE INDEX signal_run ON signal (run);
	CREATE TABLE signal_count (run TEXT PRIMARY KEY, sent INTEGER NOT NULL, sent_bytes INTEGER NOT NULL,
		received INTEGER NOT NULL DEFAULT 0, received_bytes INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
		senders TEXT NOT NULL DEFAULT '') WITHOUT ROWID`,
	`CREATE TABLE signal_id (run TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, id)) WITHOUT ROWID`,
}}

// Run is one execution of a helper.
type Run struct {
	// Seq numbers the runs of a parent in the order in which they began.
	Seq int64
	// ID identifies the run permanently. It comes from the tool call, so that a call that is made
	// again finds its run.
	ID    string
	Class string
	// Turn is the parent's turn that the run belongs to, and ends with. It is 0 for a detached run.
	Turn int64
	// Handler names the handler of a detached run's end. It is "" for other runs.
	Handler string
	// IdleTimeout is how long a detached run may go without activity of its helper, in
	// milliseconds.
	IdleTimeout int64
	// StopsWith is the turn whose stop by a person also stops this detached run, or 0.
	StopsWith int64
	// Announce names the milestones of a detached run that are announced in its parent's
	// conversation.
	Announce Announce
	// ToolCall is the call in the parent's message that the run is shown under, or "" if it is
	// shown alone.
	ToolCall string
	// Order is the run's place among those of its tool call.
	Order int
	// Input is the helper's input, JSON. Prompt is the same as text.
	Input  json.RawMessage
	Prompt string
	// Schema is the JSON Schema that the helper's answer must fit, or nil if any text will do.
	Schema json.RawMessage
	// Preview and Display are what browsers see of the input, JSON or nil. They are public.
	Preview, Display json.RawMessage
	// Visibility says which of its events browsers get.
	Visibility Visibility
	// Timeout is how long the run may take, in milliseconds, or 0 for no limit. Time in the queue
	// counts; time spent waiting for a person does not. Deadline is when the timeout expires, in
	// milliseconds since 1970. Deadline is 0 while the clock is stopped, and TimeLeft is the rest.
	Timeout, Deadline, TimeLeft int64

	// Claims are those of the turn that has begun the run: JSON, or "" if everything is granted.
	Claims string

	Status Status
	// WaitsFor are the calls in the helper whose answers a waiting run needs.
	WaitsFor []string
	// Slot is where the helper lives. It is 0 while the run waits for a slot, or if it never got
	// one.
	Slot int
	// Generation counts the uses of that slot, this one included.
	Generation int64
	// Version is the helper's version when the run began. It is "" if there is none, and for a run that
	// repeats another one: its code begins under the version that the helper has by then.
	Version string
	// Attempt counts the parent's attempts to reach the helper: to dispatch the run, and to tell
	// the helper that the run is cancelled.
	Attempt int
	// Next is the index of the next chunk that the parent expects. Until the run is final, the log
	// says it and not the row, so that no chunk writes to the row.
	Next int64
	Result
	Usage
	// Milestones is the number of the next milestone of the run.
	Milestones int64
	// Reports counts the helper's progress reports. Progress is the last one, or nil.
	Reports  int64
	Progress *Progress
	// DroppedSignals is how many of the signals to a run that is over its code has not received.
	DroppedSignals int64
	// Pause is what is known of pauses of the run.
	Pause Pause
	// Labels are what the run can be found by. They are shown to people, and not told to models.
	Labels map[string]string
	// Restart says which run this one repeats, and which run repeats it.
	Restart Restart
	// CancelDue says that the helper has not acknowledged the cancellation of the run.
	CancelDue bool
	// LastActivity is when the last chunk, progress report or milestone of the run came. A chunk is
	// noted for a detached run alone, and at most once in [activityGrain].
	LastActivity int64
	// BegunAt and EndedAt are in milliseconds since 1970; EndedAt is 0 until the
	// run is final.
	BegunAt, EndedAt int64
	// Origin says which helper has begun a run that this object hosts for it. It is nil for the runs
	// that this object has begun itself.
	Origin *Origin
	// Hosted is set for a run that this helper has begun, and that the root hosts. The row then only
	// repeats what the root has told.
	Hosted *Hosted
}

// Result is the result of a run.
type Result struct {
	// Summary is the text of the helper's last message. Output is its validated output, JSON or
	// nil.
	Summary string
	Output  json.RawMessage
	// Failure says in words why there is no result. Reason says it for programs.
	Failure string
	Reason  Reason
}

// Visibility says which events of a run browsers get. It does not change which chunks the parent
// keeps, nor their numbers.
type Visibility string

// The visibilities.
const (
	// All delivers all events. It is the default, and "" means the same.
	All Visibility = "all"
	// Terminal delivers how the run began and ended, and no chunks.
	Terminal Visibility = "terminal"
)

var columns = `seq, id, class, turn, tool_call, place, input, prompt, schema, preview, display, delivery, timeout,
	status, slot, attempt, CASE WHEN ended_at > 0 THEN next ELSE ` + nextOfLog + ` END, summary, output, failure, reason, cancel_due, input_tokens, output_tokens, model_calls, begun_at, ended_at,
	waits_for, deadline, time_left, reports, progress, milestones, handler, heard_at, silence, stops_with, tells, generation,
	dropped_signals, version, pause, labels, restart, claims, origin, hosted`

// nextOfLog is the SQL expression for the index behind the last chunk of a run that was kept.
var nextOfLog = stream.NextExpression("-run.seq")

// Log is the stream in which the parent keeps the run's chunks. Its number is negative; turns have
// the positive numbers.
func (r Run) Log() stream.ID { return stream.ID(-r.Seq) }

func scan(row durable.Row) Run {
	return Run{
		Seq: row.Int(0), ID: row.Text(1), Class: row.Text(2), Turn: row.Int(3), ToolCall: row.Text(4), Order: int(row.Int(5)),
		Input: row.JSON(6), Prompt: row.Text(7), Schema: row.JSON(8),
		Preview: row.JSON(9), Display: row.JSON(10), Visibility: Visibility(row.Text(11)), Timeout: row.Int(12),
		Status: statusOf(row.Text(13)), Slot: int(row.Int(14)), Attempt: int(row.Int(15)), Next: row.Int(16),
		Result:    Result{Summary: row.Text(17), Output: row.JSON(18), Failure: row.Text(19), Reason: Reason(row.Text(20))},
		CancelDue: row.Bool(21),
		Usage:     Usage{InputTokens: row.Int(22), OutputTokens: row.Int(23), ModelCalls: row.Int(24)},
		BegunAt:   row.Int(25), EndedAt: row.Int(26),
		WaitsFor: list(row.Text(27)), Deadline: row.Int(28), TimeLeft: row.Int(29),
		Reports: row.Int(30), Progress: progress(row.JSON(31)), Milestones: row.Int(32), Handler: row.Text(33), LastActivity: row.Int(34),
		IdleTimeout: row.Int(35), StopsWith: row.Int(36), Announce: readAnnounce(row.JSON(37)), Generation: row.Int(38),
		DroppedSignals: row.Int(39), Version: row.Text(40),
		Pause: readPause(row.JSON(41)), Labels: readLabels(row.JSON(42)), Restart: readRestart(row.JSON(43)), Claims: row.Text(44),
		Origin: readStored[Origin](row.JSON(45)), Hosted: readStored[Hosted](row.JSON(46)),
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
