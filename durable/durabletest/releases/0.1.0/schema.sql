answer: CREATE TABLE answer (seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, call TEXT NOT NULL, approved INTEGER NOT NULL, conn TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (run, call))
ask: CREATE TABLE ask (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, message TEXT NOT NULL, run TEXT NOT NULL, state TEXT NOT NULL, goes_on INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0)
ask_message: CREATE INDEX ask_message ON ask (message)
authorized: CREATE TABLE authorized (conn TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID
await: CREATE TABLE await ( routine TEXT NOT NULL, position INTEGER NOT NULL, branch INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', result BLOB, PRIMARY KEY (routine, position)) WITHOUT ROWID
await_ended: CREATE INDEX await_ended ON await (routine, ended) WHERE ended > 0
call_id: CREATE TABLE call_id (id TEXT PRIMARY KEY) WITHOUT ROWID
callback: CREATE TABLE callback ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, payload TEXT NOT NULL, timing TEXT NOT NULL, tries INTEGER NOT NULL, state TEXT NOT NULL, planned INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, failure TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL)
callback_due: CREATE INDEX callback_due ON callback (state, due)
caller: CREATE TABLE caller (conn TEXT NOT NULL, call TEXT NOT NULL, turn INTEGER NOT NULL, streamed INTEGER NOT NULL, PRIMARY KEY (conn, call)) WITHOUT ROWID
caller_turn: CREATE INDEX caller_turn ON caller (turn)
chunk: CREATE TABLE chunk ( stream INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (stream, first)) WITHOUT ROWID
damage: CREATE TABLE damage (n INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL)
drill: CREATE TABLE drill (conn TEXT PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, asked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
early: CREATE TABLE early (conn TEXT PRIMARY KEY, request TEXT NOT NULL, behind INTEGER NOT NULL) WITHOUT ROWID
heard: CREATE TABLE heard (call TEXT PRIMARY KEY, approved INTEGER NOT NULL) WITHOUT ROWID
letter: CREATE TABLE letter (run TEXT PRIMARY KEY, handler TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, failure TEXT NOT NULL DEFAULT '', last INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
message: CREATE TABLE "message" (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, pictures INTEGER NOT NULL DEFAULT 0, picture_bytes INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL)
message_pictures: CREATE INDEX message_pictures ON message (place, pictures, picture_bytes) WHERE pictures > 0
milestone: CREATE TABLE milestone ( stream INTEGER NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (stream, n)) WITHOUT ROWID
milestone_waiter: CREATE TABLE milestone_waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID
milestone_waiter_run: CREATE INDEX milestone_waiter_run ON milestone_waiter (run)
narration: CREATE TABLE narration (turn INTEGER PRIMARY KEY, text TEXT NOT NULL)
offer: CREATE TABLE offer (conn TEXT PRIMARY KEY, request TEXT NOT NULL, unprobed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
room_version: CREATE TABLE room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID
run: CREATE TABLE run ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, class TEXT NOT NULL, turn INTEGER NOT NULL, tool_call TEXT NOT NULL, place INTEGER NOT NULL, input TEXT NOT NULL, prompt TEXT NOT NULL, schema TEXT NOT NULL, preview TEXT NOT NULL, display TEXT NOT NULL, delivery TEXT NOT NULL, timeout INTEGER NOT NULL, handler TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0, deadline INTEGER NOT NULL DEFAULT 0, time_left INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL, waits_for TEXT NOT NULL DEFAULT '[]', slot INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0, summary TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', cancel_due INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0, milestones INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0, progress TEXT NOT NULL DEFAULT '', begun_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0, silence INTEGER NOT NULL DEFAULT 3600000, stops_with INTEGER NOT NULL DEFAULT 0, tells TEXT NOT NULL DEFAULT '', generation INTEGER NOT NULL DEFAULT 0)
run_cancel_due: CREATE INDEX run_cancel_due ON run (seq) WHERE cancel_due = 1
run_status: CREATE INDEX run_status ON run (status)
run_stops_with: CREATE INDEX run_stops_with ON run (stops_with) WHERE stops_with > 0
run_turn: CREATE INDEX run_turn ON run (turn)
run_unfinished: CREATE INDEX run_unfinished ON run (seq) WHERE ended_at = 0
schedule: CREATE TABLE schedule (kind TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID
setting: CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
slot: CREATE TABLE slot (n INTEGER PRIMARY KEY, run TEXT, generation INTEGER NOT NULL DEFAULT 0, unwiped INTEGER NOT NULL DEFAULT 0)
spent: CREATE TABLE spent ( turn INTEGER PRIMARY KEY, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0)
step: CREATE TABLE step ( turn INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, at INTEGER NOT NULL, thoughts TEXT NOT NULL DEFAULT '', PRIMARY KEY (turn, n)) WITHOUT ROWID
task: CREATE TABLE task (run TEXT PRIMARY KEY, turn INTEGER NOT NULL, log INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '', ended INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '') WITHOUT ROWID
task_turn: CREATE INDEX task_turn ON task (turn)
tool_call: CREATE TABLE tool_call ( turn INTEGER NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0, output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', PRIMARY KEY (turn, step, n)) WITHOUT ROWID
turn: CREATE TABLE turn ( seq INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL, conn TEXT NOT NULL, status TEXT NOT NULL, origin TEXT NOT NULL, cut TEXT NOT NULL, reply TEXT NOT NULL, continues INTEGER NOT NULL, place INTEGER NOT NULL, log INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, stuck INTEGER NOT NULL DEFAULT 0, mark INTEGER NOT NULL DEFAULT 0, progress_at INTEGER NOT NULL DEFAULT 0, work INTEGER NOT NULL DEFAULT 0, memory_deaths INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', accepted_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0, ended_at INTEGER NOT NULL DEFAULT 0, plain INTEGER NOT NULL DEFAULT 0, quiet_until INTEGER NOT NULL DEFAULT 0, submission TEXT NOT NULL DEFAULT '', key TEXT NOT NULL DEFAULT '', asked TEXT NOT NULL DEFAULT '', final INTEGER NOT NULL DEFAULT 0, silence INTEGER NOT NULL DEFAULT 0)
turn_final: CREATE INDEX turn_final ON turn (final) WHERE final > 0
turn_key: CREATE INDEX turn_key ON turn (key) WHERE key != ''
turn_passing: CREATE INDEX turn_passing ON turn (seq) WHERE submission = '' AND ended_at > 0
turn_request: CREATE INDEX turn_request ON turn (request)
turn_status: CREATE INDEX turn_status ON turn (status)
turn_submission: CREATE INDEX turn_submission ON turn (submission) WHERE submission != ''
untold: CREATE TABLE untold (n INTEGER PRIMARY KEY, react INTEGER NOT NULL, text TEXT NOT NULL)
unwoken: CREATE TABLE unwoken (run TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID
waiter: CREATE TABLE waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID
waiter_run: CREATE INDEX waiter_run ON waiter (run)
