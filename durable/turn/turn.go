// Package turn is the queue of turns and the journal of each turn. Every turn is a row from the
// moment that it is accepted, and every model call that it finished is a row as well. So no part of
// a turn lives only in memory.
package turn

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Schema is the tables of turns and steps, beside [durable.DamageSchema]. final numbers the final
// submissions in the order of their ends, and is 0 for any other turn. progress_at is when time
// without progress was last charged.
var Schema = durable.Schema{Component: "turn", Steps: []string{
	`CREATE TABLE turn (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		request TEXT NOT NULL, conn TEXT NOT NULL, status TEXT NOT NULL,
		origin TEXT NOT NULL, cut TEXT NOT NULL, reply TEXT NOT NULL, continues INTEGER NOT NULL, place INTEGER NOT NULL,
		log INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0,
		attempt INTEGER NOT NULL DEFAULT 0, stuck INTEGER NOT NULL DEFAULT 0, mark INTEGER NOT NULL DEFAULT 0,
		progress_at INTEGER NOT NULL DEFAULT 0, work INTEGER NOT NULL DEFAULT 0, memory_deaths INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
		accepted_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0, ended_at INTEGER NOT NULL DEFAULT 0)`,
	`CREATE INDEX turn_status ON turn (status)`,
	`CREATE INDEX turn_request ON turn (request)`,
	`CREATE TABLE step (
		turn INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL,
		input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, at INTEGER NOT NULL,
		PRIMARY KEY (turn, n)) WITHOUT ROWID`,
	`CREATE TABLE tool_call (
		turn INTEGER NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL,
		id TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
		done INTEGER NOT NULL DEFAULT 0, output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '',
		PRIMARY KEY (turn, step, n)) WITHOUT ROWID`,
	`ALTER TABLE turn ADD COLUMN plain INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE turn ADD COLUMN quiet_until INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE turn ADD COLUMN submission TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE turn ADD COLUMN key TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE turn ADD COLUMN asked TEXT NOT NULL DEFAULT ''`,
	`CREATE INDEX turn_submission ON turn (submission) WHERE submission != ''`,
	`CREATE INDEX turn_key ON turn (key) WHERE key != ''`,
	`ALTER TABLE step ADD COLUMN thoughts TEXT NOT NULL DEFAULT ''`,
	`CREATE INDEX turn_passing ON turn (seq) WHERE submission = '' AND ended_at > 0`,
	`ALTER TABLE turn ADD COLUMN final INTEGER NOT NULL DEFAULT 0`,
	`UPDATE turn SET final = n FROM (SELECT seq AS numbered, ROW_NUMBER() OVER (ORDER BY seq) AS n
		FROM turn INDEXED BY turn_submission WHERE submission != '' AND submission > '' AND ended_at > 0) WHERE seq = numbered`,
	`CREATE INDEX turn_final ON turn (final) WHERE final > 0`,
	`ALTER TABLE turn ADD COLUMN silence INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE turn ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE turn ADD COLUMN told TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE turn ADD COLUMN edit TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE turn ADD COLUMN ends TEXT NOT NULL DEFAULT ''`,
}, Parts: []string{
	`CREATE TABLE turn (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		request TEXT NOT NULL, conn TEXT NOT NULL, status TEXT NOT NULL,
		origin TEXT NOT NULL, cut TEXT NOT NULL, reply TEXT NOT NULL, continues INTEGER NOT NULL, place INTEGER NOT NULL,
		log INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0,
		attempt INTEGER NOT NULL DEFAULT 0, stuck INTEGER NOT NULL DEFAULT 0, mark INTEGER NOT NULL DEFAULT 0,
		progress_at INTEGER NOT NULL DEFAULT 0, work INTEGER NOT NULL DEFAULT 0, memory_deaths INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
		accepted_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0, ended_at INTEGER NOT NULL DEFAULT 0,
		plain INTEGER NOT NULL DEFAULT 0, quiet_until INTEGER NOT NULL DEFAULT 0,
		submission TEXT NOT NULL DEFAULT '', key TEXT NOT NULL DEFAULT '', asked TEXT NOT NULL DEFAULT '',
		final INTEGER NOT NULL DEFAULT 0, silence INTEGER NOT NULL DEFAULT 0, claims TEXT NOT NULL DEFAULT '',
		told TEXT NOT NULL DEFAULT '', edit TEXT NOT NULL DEFAULT '', ends TEXT NOT NULL DEFAULT '')`,
	// The indexes of more turns than one page holds.
	`CREATE INDEX turn_status ON turn (status);
	CREATE INDEX turn_request ON turn (request)`,
	// The indexes of submissions. Three find them, and one finds what is not a submission. Without
	// submissions they would be empty, or hold every turn that ended.
	`CREATE INDEX turn_submission ON turn (submission) WHERE submission != '';
	CREATE INDEX turn_key ON turn (key) WHERE key != '';
	CREATE INDEX turn_final ON turn (final) WHERE final > 0;
	CREATE INDEX turn_passing ON turn (seq) WHERE submission = '' AND ended_at > 0`,
	`CREATE TABLE step (
		turn INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL,
		input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, at INTEGER NOT NULL, thoughts TEXT NOT NULL DEFAULT '',
		PRIMARY KEY (turn, n)) WITHOUT ROWID`,
	`CREATE TABLE tool_call (
		turn INTEGER NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL,
		id TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
		done INTEGER NOT NULL DEFAULT 0, output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '',
		PRIMARY KEY (turn, step, n)) WITHOUT ROWID`,
}}

// Status is the status of a turn.
type Status string

// The statuses. Completed, Aborted, Skipped and Failed are final.
const (
	// Queued turns have not begun.
	Queued Status = "queued"
	// Running is the status of the active turn. At most one turn has it.
	Running Status = "running"
	// Completed turns have finished their answer.
	Completed Status = "completed"
	// Aborted turns were stopped. If they had begun, the beginning of their answer is kept.
	Aborted Status = "aborted"
	// Skipped turns never began: a later turn answers in their place, or their messages were removed.
	Skipped Status = "skipped"
	// Failed turns ended in an error.
	Failed Status = "error"
)

// Final says whether a turn of this status has ended for good.
func (s Status) Final() bool {
	switch s {
	case Completed, Aborted, Skipped, Failed:
		return true
	}
	return false
}

// follows lists the statuses that each status can change to.
var follows = map[Status][]Status{
	Queued:  {Running, Aborted, Skipped},
	Running: {Completed, Aborted, Failed},
}

// Turn is one turn's row.
type Turn struct {
	// Seq is the turn's number in its conversation, in order of acceptance.
	Seq int64
	// Request is the id that the turn has on the wire. A client made it, so it need not be unique
	// over time.
	Request string
	// Conn is the connection that asked, or "".
	Conn   durable.ConnID
	Status Status
	// Origin are the ids of the user messages that the turn answers.
	Origin []string
	// Cut is the message behind which the conversation is truncated when the turn starts, or "".
	Cut string
	// Reply is the id of the message that holds the answer.
	Reply string
	// Continues says that the message Reply exists already and is extended.
	Continues bool
	// Place is the reply's place in the conversation. The model sees the messages before it.
	Place int64
	// Log is the number of the turn whose log this turn appends to, or 0 if it has its own. First
	// is the index of this turn's first chunk there, which is known once the turn has begun.
	Log, First int64
	// Attempt counts how often the current model call was begun again.
	Attempt int
	// Spent is what the turn has used up of its budget.
	Spent Spent
	// Reason says why the turn failed, in words for the person who asked.
	Reason string
	// Plain turns answer a message that a person has just typed. Plain turns that arrive while
	// another turn is running may give way to each other. All other turns keep their place in the
	// queue.
	Plain bool
	// QuietUntil is the time before which the turn does not begin, or 0.
	QuietUntil int64
	// Submission is the id that the turn was submitted under, or "". Key is the submitter's own
	// key, or "". SubmittedText is the text; lists of turns leave it out.
	Submission, Key, SubmittedText string
	// Claims are those of the person or the work that the turn acts for: JSON, or "" if everything is
	// granted. They are those of the turn's beginning.
	Claims string
	// History limits what the model is told, if the turn goes on after answers.
	History History
	// Edits says that an edit of a message is kept for the turn's beginning, see [KeepEdit].
	Edits bool
	// AcceptedAt, StartedAt and EndedAt are in milliseconds since 1970, or 0 before it happened.
	AcceptedAt, StartedAt, EndedAt int64
}

const columns = `seq, request, conn, status, origin, cut, reply, continues, place, attempt, reason, log, first,
	stuck, mark, progress_at, work, memory_deaths, plain, quiet_until, submission, key, accepted_at, started_at, ended_at, silence, claims, told,
	octet_length(edit) > 0, ends`

func scan(row durable.Row) Turn {
	t := Turn{
		Seq: row.Int(0), Request: row.Text(1), Conn: durable.ConnID(row.Text(2)), Status: Status(row.Text(3)),
		Cut: row.Text(5), Reply: row.Text(6), Continues: row.Bool(7), Place: row.Int(8), Attempt: int(row.Int(9)), Reason: row.Text(10),
		Log: row.Int(11), First: row.Int(12),
		Spent: Spent{Retries: int(row.Int(13)), Mark: row.Int(14), ChargedAt: row.Int(15), ModelCalls: int(row.Int(16)), MemoryDeaths: int(row.Int(17)), NoProgress: row.Int(25), Ends: row.Text(29)},
		Plain: row.Bool(18), QuietUntil: row.Int(19), Submission: row.Text(20), Key: row.Text(21),
		AcceptedAt: row.Int(22), StartedAt: row.Int(23), EndedAt: row.Int(24), Claims: row.Text(26),
		History: History(row.Text(27)), Edits: row.Bool(28),
	}
	if json.Unmarshal([]byte(row.Text(4)), &t.Origin) != nil {
		t.Origin = nil // damaged: only the client's end frame names these messages
	}
	return t
}

func one(rows []durable.Row) (Turn, bool) {
	if len(rows) == 0 {
		return Turn{}, false
	}
	return scan(rows[0]), true
}

func every(rows []durable.Row) []Turn {
	turns := make([]Turn, len(rows))
	for i, row := range rows {
		turns[i] = scan(row)
	}
	return turns
}
