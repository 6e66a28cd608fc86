package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// schema holds the tables of a conversation: its messages in the order of place, the streams that
// connections were offered and those that they were replayed early, the time until which
// connections are authorized, the runs that a parent has handed over, the text of turns that ask no
// model, the text of such turns that wait for room, single settings, the helpers that could not be
// woken, what is repeated until a helper acknowledges it, the answers that a helper has received from its parent, the ids that providers have
// given to tool calls, who has answered which question, and the questions of code to a person.
var schema = durable.Schema{Component: "chat", Steps: []string{
	`CREATE TABLE message (id TEXT PRIMARY KEY, place INTEGER NOT NULL, role TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID`,
	`CREATE UNIQUE INDEX message_place ON message (place)`,
	`CREATE TABLE offer (conn TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE task (run TEXT PRIMARY KEY, turn INTEGER NOT NULL, log INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '',
		ended INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '') WITHOUT ROWID`,
	`CREATE INDEX task_turn ON task (turn)`,
	`CREATE TABLE ask (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, message TEXT NOT NULL, run TEXT NOT NULL,
		state TEXT NOT NULL, goes_on INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0)`,
	`CREATE INDEX ask_message ON ask (message)`,
	`CREATE TABLE drill (conn TEXT PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, asked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
	`CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE caller (conn TEXT NOT NULL, call TEXT NOT NULL, turn INTEGER NOT NULL, streamed INTEGER NOT NULL,
		PRIMARY KEY (conn, call)) WITHOUT ROWID`,
	`CREATE INDEX caller_turn ON caller (turn)`,
	`CREATE TABLE unwoken (run TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE narration (turn INTEGER PRIMARY KEY, text TEXT NOT NULL)`,
	`CREATE TABLE untold (n INTEGER PRIMARY KEY, react INTEGER NOT NULL, text TEXT NOT NULL)`,
	`ALTER TABLE message ADD COLUMN pictures INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE message ADD COLUMN picture_bytes INTEGER NOT NULL DEFAULT 0`,
	`CREATE INDEX message_pictures ON message (place, pictures, picture_bytes) WHERE pictures > 0`,
	`CREATE TABLE heard (call TEXT PRIMARY KEY, approved INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE authorized (conn TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE early (conn TEXT PRIMARY KEY, request TEXT NOT NULL, behind INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE call_id (id TEXT PRIMARY KEY) WITHOUT ROWID`,
	`INSERT INTO call_id (id) SELECT id FROM run UNION SELECT call FROM ask`,
	`ALTER TABLE offer ADD COLUMN unprobed INTEGER NOT NULL DEFAULT 0`,
	// Messages are looked up by id in an index of their own. SQLite reads the whole of a key that it
	// compares, and in a table without rowids the key is the row: a look-up beside a message of a
	// megabyte read that megabyte.
	`CREATE TABLE message_at (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
		pictures INTEGER NOT NULL DEFAULT 0, picture_bytes INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL)`,
	`INSERT INTO message_at (place, id, role, pictures, picture_bytes, body) SELECT place, id, role, pictures, picture_bytes, body FROM message`,
	`DROP TABLE message`,
	`ALTER TABLE message_at RENAME TO message`,
	`CREATE INDEX message_pictures ON message (place, pictures, picture_bytes) WHERE pictures > 0`,
	// A helper has one run, and seldom a second row for one that was cancelled before it came.
	`DROP INDEX task_turn`,
	`ALTER TABLE ask ADD COLUMN asked INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE ask ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE untold ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`CREATE TABLE answered (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, approved INTEGER NOT NULL,
		person TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL)`,
	`ALTER TABLE ask ADD COLUMN routine TEXT NOT NULL DEFAULT ''`,
	`CREATE TABLE question (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, routine TEXT NOT NULL, position INTEGER NOT NULL,
		message TEXT NOT NULL, form INTEGER NOT NULL, schema TEXT NOT NULL, over_at INTEGER NOT NULL DEFAULT 0,
		answered_by TEXT NOT NULL DEFAULT '', sent INTEGER NOT NULL DEFAULT 0, scopes TEXT NOT NULL DEFAULT '')`,
	`ALTER TABLE message ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE ask ADD COLUMN told TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE authorized ADD COLUMN person TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE question ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
	`CREATE TABLE owed (kind TEXT NOT NULL, id TEXT NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
}, ByNeed: 29, Parts: []string{
	`CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE message (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
		pictures INTEGER NOT NULL DEFAULT 0, picture_bytes INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, claims TEXT NOT NULL DEFAULT '')`,
	`CREATE INDEX message_pictures ON message (place, pictures, picture_bytes) WHERE pictures > 0`,
	`CREATE TABLE offer (conn TEXT PRIMARY KEY, request TEXT NOT NULL, unprobed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
	`CREATE TABLE task (run TEXT PRIMARY KEY, turn INTEGER NOT NULL, log INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '',
		ended INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '') WITHOUT ROWID`,
	`CREATE TABLE ask (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, message TEXT NOT NULL, run TEXT NOT NULL,
		state TEXT NOT NULL, goes_on INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0,
		asked INTEGER NOT NULL DEFAULT 0, claims TEXT NOT NULL DEFAULT '', routine TEXT NOT NULL DEFAULT '', told TEXT NOT NULL DEFAULT '');
	CREATE INDEX ask_message ON ask (message)`,
	`CREATE TABLE caller (conn TEXT NOT NULL, call TEXT NOT NULL, turn INTEGER NOT NULL, streamed INTEGER NOT NULL,
		PRIMARY KEY (conn, call)) WITHOUT ROWID;
	CREATE INDEX caller_turn ON caller (turn)`,
	`CREATE TABLE drill (conn TEXT PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, asked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
	`CREATE TABLE unwoken (run TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE owed (kind TEXT NOT NULL, id TEXT NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
	`CREATE TABLE narration (turn INTEGER PRIMARY KEY, text TEXT NOT NULL)`,
	`CREATE TABLE untold (n INTEGER PRIMARY KEY, react INTEGER NOT NULL, text TEXT NOT NULL, claims TEXT NOT NULL DEFAULT '')`,
	`CREATE TABLE heard (call TEXT PRIMARY KEY, approved INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE authorized (conn TEXT PRIMARY KEY, until INTEGER NOT NULL, person TEXT NOT NULL DEFAULT '') WITHOUT ROWID`,
	`CREATE TABLE early (conn TEXT PRIMARY KEY, request TEXT NOT NULL, behind INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE call_id (id TEXT PRIMARY KEY) WITHOUT ROWID`,
	`CREATE TABLE answered (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, approved INTEGER NOT NULL,
		person TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL)`,
	`CREATE TABLE question (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, routine TEXT NOT NULL, position INTEGER NOT NULL,
		message TEXT NOT NULL, form INTEGER NOT NULL, schema TEXT NOT NULL, over_at INTEGER NOT NULL DEFAULT 0,
		answered_by TEXT NOT NULL DEFAULT '', sent INTEGER NOT NULL DEFAULT 0, scopes TEXT NOT NULL DEFAULT '', claims TEXT NOT NULL DEFAULT '')`,
}}

// schemas are the tables of a conversation. The steps of the chat come last, because one of them
// reads runs.
var schemas = []durable.Schema{
	durable.ScheduleSchema, durable.DamageSchema, stream.Schema, turn.Schema, flow.Schema, run.Schema, schedule.Schema, action.Schema, mcpclient.Schema, mcpserver.Schema, schema,
}

// layout is where all conversations find their tables.
var layout = durable.NewLayout(schemas...)
