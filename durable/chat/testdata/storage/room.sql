CREATE TABLE alarm (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);
CREATE TABLE ask (seq INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE, message TEXT NOT NULL, run TEXT NOT NULL, state TEXT NOT NULL, goes_on INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0);
CREATE TABLE await ( routine TEXT NOT NULL, position INTEGER NOT NULL, branch INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', result BLOB, PRIMARY KEY (routine, position)) WITHOUT ROWID;
CREATE TABLE callback ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, payload TEXT NOT NULL, timing TEXT NOT NULL, tries INTEGER NOT NULL, state TEXT NOT NULL, planned INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, failure TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL);
CREATE TABLE caller (conn TEXT NOT NULL, call TEXT NOT NULL, turn INTEGER NOT NULL, streamed INTEGER NOT NULL, PRIMARY KEY (conn, call)) WITHOUT ROWID;
CREATE TABLE chunk ( stream INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (stream, first)) WITHOUT ROWID;
CREATE TABLE damage (n INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE drill (conn TEXT PRIMARY KEY, run TEXT NOT NULL, path TEXT NOT NULL, asked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE letter (run TEXT PRIMARY KEY, handler TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, failure TEXT NOT NULL DEFAULT '', last INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE message (id TEXT PRIMARY KEY, place INTEGER NOT NULL, role TEXT NOT NULL, body TEXT NOT NULL, pictures INTEGER NOT NULL DEFAULT 0, picture_bytes INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE milestone ( stream INTEGER NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (stream, n)) WITHOUT ROWID;
CREATE TABLE milestone_waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID;
CREATE TABLE narration (turn INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE offer (conn TEXT PRIMARY KEY, request TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE run ( seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, class TEXT NOT NULL, turn INTEGER NOT NULL, tool_call TEXT NOT NULL, place INTEGER NOT NULL, input TEXT NOT NULL, prompt TEXT NOT NULL, schema TEXT NOT NULL, preview TEXT NOT NULL, display TEXT NOT NULL, delivery TEXT NOT NULL, timeout INTEGER NOT NULL, handler TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0, deadline INTEGER NOT NULL DEFAULT 0, time_left INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL, waits_for TEXT NOT NULL DEFAULT '[]', slot INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, next INTEGER NOT NULL DEFAULT 0, summary TEXT NOT NULL DEFAULT '', output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', cancel_due INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0, milestones INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0, progress TEXT NOT NULL DEFAULT '', begun_at INTEGER NOT NULL, ended_at INTEGER NOT NULL DEFAULT 0, silence INTEGER NOT NULL DEFAULT 3600000, stops_with INTEGER NOT NULL DEFAULT 0, tells TEXT NOT NULL DEFAULT '');
CREATE TABLE schedule (kind TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE slot (n INTEGER PRIMARY KEY, run TEXT);
CREATE TABLE spent ( turn INTEGER PRIMARY KEY, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0);
CREATE TABLE step ( turn INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, at INTEGER NOT NULL, thoughts TEXT NOT NULL DEFAULT '', PRIMARY KEY (turn, n)) WITHOUT ROWID;
CREATE TABLE task (run TEXT PRIMARY KEY, turn INTEGER NOT NULL, log INTEGER NOT NULL, asked TEXT NOT NULL DEFAULT '', ended INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', reported TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE tool_call ( turn INTEGER NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0, output TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', PRIMARY KEY (turn, step, n)) WITHOUT ROWID;
CREATE TABLE turn ( seq INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL, conn TEXT NOT NULL, status TEXT NOT NULL, origin TEXT NOT NULL, cut TEXT NOT NULL, reply TEXT NOT NULL, continues INTEGER NOT NULL, place INTEGER NOT NULL, log INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, stuck INTEGER NOT NULL DEFAULT 0, mark INTEGER NOT NULL DEFAULT 0, progress_at INTEGER NOT NULL DEFAULT 0, work INTEGER NOT NULL DEFAULT 0, memory_deaths INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', accepted_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0, ended_at INTEGER NOT NULL DEFAULT 0, plain INTEGER NOT NULL DEFAULT 0, quiet_until INTEGER NOT NULL DEFAULT 0, submission TEXT NOT NULL DEFAULT '', key TEXT NOT NULL DEFAULT '', asked TEXT NOT NULL DEFAULT '', final INTEGER NOT NULL DEFAULT 0);
CREATE TABLE untold (n INTEGER PRIMARY KEY, react INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE unwoken (run TEXT PRIMARY KEY, failures INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE waiter (routine TEXT NOT NULL, position INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (routine, position)) WITHOUT ROWID;
CREATE INDEX ask_message ON ask (message);
CREATE INDEX await_ended ON await (routine, ended) WHERE ended > 0;
CREATE INDEX callback_due ON callback (state, due);
CREATE INDEX caller_turn ON caller (turn);
CREATE INDEX message_pictures ON message (place, pictures, picture_bytes) WHERE pictures > 0;
CREATE UNIQUE INDEX message_place ON message (place);
CREATE INDEX milestone_waiter_run ON milestone_waiter (run);
CREATE INDEX run_cancel_due ON run (seq) WHERE cancel_due = 1;
CREATE INDEX run_status ON run (status);
CREATE INDEX run_stops_with ON run (stops_with) WHERE stops_with > 0;
CREATE INDEX run_turn ON run (turn);
CREATE INDEX run_unfinished ON run (seq) WHERE ended_at = 0;
CREATE INDEX schedule_due ON schedule (due);
CREATE INDEX task_turn ON task (turn);
CREATE INDEX turn_final ON turn (final) WHERE final > 0;
CREATE INDEX turn_key ON turn (key) WHERE key != '';
CREATE INDEX turn_passing ON turn (seq) WHERE submission = '' AND ended_at > 0;
CREATE INDEX turn_request ON turn (request);
CREATE INDEX turn_status ON turn (status);
CREATE INDEX turn_submission ON turn (submission) WHERE submission != '';
CREATE INDEX waiter_run ON waiter (run);
INSERT INTO "await" VALUES ('call-2-call_3EmXzYCmjyXWLjr_',0,-1,0,'run Careful call_3EmXzYCmjyXWLjr_',0,'','',NULL);
INSERT INTO "chunk" VALUES (-2,0,2,'{"type":"start","messageId":"a-A7dbQEyWTSjQRQ","messageMetadata":{"createdAt":1700000001780}}
{"type":"start-step"}');
INSERT INTO "chunk" VALUES (-2,2,2,'{"type":"tool-input-start","toolCallId":"call_8HsMH2tsaMqwvl8F","toolName":"web_search"}
{"type":"tool-input-available","toolCallId":"call_8HsMH2tsaMqwvl8F","toolName":"web_search","input":{"query":"otters"}}');
INSERT INTO "chunk" VALUES (-2,4,3,'{"type":"tool-approval-request","toolCallId":"call_8HsMH2tsaMqwvl8F","approvalId":"call_8HsMH2tsaMqwvl8F"}
{"type":"finish-step"}
{"type":"finish","finishReason":"tool-calls","messageMetadata":{"usage":{"inputTokens":4,"outputTokens":7}}}');
INSERT INTO "chunk" VALUES (-1,0,2,'{"type":"start","messageId":"3iPwF4nvur8E4vDD","messageMetadata":{"createdAt":1700000000000}}
{"type":"start-step"}');
INSERT INTO "chunk" VALUES (-1,2,2,'{"type":"tool-input-start","toolCallId":"call_sVKHOBT5huM6sPft","toolName":"web_search"}
{"type":"tool-input-available","toolCallId":"call_sVKHOBT5huM6sPft","toolName":"web_search","input":{"query":"otters"}}');
INSERT INTO "chunk" VALUES (-1,4,3,'{"type":"tool-approval-request","toolCallId":"call_sVKHOBT5huM6sPft","approvalId":"call_sVKHOBT5huM6sPft"}
{"type":"finish-step"}
{"type":"finish","finishReason":"tool-calls","messageMetadata":{"usage":{"inputTokens":4,"outputTokens":7}}}');
INSERT INTO "chunk" VALUES (-1,7,3,'{"type":"tool-approval-response","toolCallId":"call_sVKHOBT5huM6sPft","approvalId":"call_sVKHOBT5huM6sPft","approved":true}
{"type":"start","messageId":"qCgBXjJnRyaUOViQ","messageMetadata":{"createdAt":1700000000000}}
{"type":"start-step"}');
INSERT INTO "chunk" VALUES (-1,10,1,'{"type":"tool-output-available","toolCallId":"call_sVKHOBT5huM6sPft","output":{"query":"otters"}}');
INSERT INTO "chunk" VALUES (-1,11,2,'{"type":"text-start","id":"p1"}
{"type":"text-delta","id":"p1","delta":"### "}');
INSERT INTO "chunk" VALUES (-1,13,1,'{"type":"text-delta","id":"p1","delta":"otters\n\n"}');
INSERT INTO "chunk" VALUES (-1,14,1,'{"type":"text-delta","id":"p1","delta":"I "}');
INSERT INTO "chunk" VALUES (-1,15,1,'{"type":"text-delta","id":"p1","delta":"am "}');
INSERT INTO "chunk" VALUES (-1,16,1,'{"type":"text-delta","id":"p1","delta":"the "}');
INSERT INTO "chunk" VALUES (-1,17,1,'{"type":"text-delta","id":"p1","delta":"demo "}');
INSERT INTO "chunk" VALUES (-1,18,1,'{"type":"text-delta","id":"p1","delta":"model "}');
INSERT INTO "chunk" VALUES (-1,19,1,'{"type":"text-delta","id":"p1","delta":"in "}');
INSERT INTO "chunk" VALUES (-1,20,1,'{"type":"text-delta","id":"p1","delta":"a "}');
INSERT INTO "chunk" VALUES (-1,21,1,'{"type":"text-delta","id":"p1","delta":"researcher''s "}');
INSERT INTO "chunk" VALUES (-1,22,1,'{"type":"text-delta","id":"p1","delta":"place, "}');
INSERT INTO "chunk" VALUES (-1,23,1,'{"type":"text-delta","id":"p1","delta":"so "}');
INSERT INTO "chunk" VALUES (-1,24,1,'{"type":"text-delta","id":"p1","delta":"this "}');
INSERT INTO "chunk" VALUES (-1,25,1,'{"type":"text-delta","id":"p1","delta":"has "}');
INSERT INTO "chunk" VALUES (-1,26,1,'{"type":"text-delta","id":"p1","delta":"the "}');
INSERT INTO "chunk" VALUES (-1,27,1,'{"type":"text-delta","id":"p1","delta":"shape "}');
INSERT INTO "chunk" VALUES (-1,28,1,'{"type":"text-delta","id":"p1","delta":"of "}');
INSERT INTO "chunk" VALUES (-1,29,1,'{"type":"text-delta","id":"p1","delta":"a "}');
INSERT INTO "chunk" VALUES (-1,30,1,'{"type":"text-delta","id":"p1","delta":"finding "}');
INSERT INTO "chunk" VALUES (-1,31,1,'{"type":"text-delta","id":"p1","delta":"rather "}');
INSERT INTO "chunk" VALUES (-1,32,1,'{"type":"text-delta","id":"p1","delta":"than "}');
INSERT INTO "chunk" VALUES (-1,33,1,'{"type":"text-delta","id":"p1","delta":"its "}');
INSERT INTO "chunk" VALUES (-1,34,1,'{"type":"text-delta","id":"p1","delta":"substance.\n\n"}');
INSERT INTO "chunk" VALUES (-1,35,1,'{"type":"text-delta","id":"p1","delta":"- "}');
INSERT INTO "chunk" VALUES (-1,36,1,'{"type":"text-delta","id":"p1","delta":"**Asked:** "}');
INSERT INTO "chunk" VALUES (-1,37,1,'{"type":"text-delta","id":"p1","delta":"otters\n"}');
INSERT INTO "chunk" VALUES (-1,38,1,'{"type":"text-delta","id":"p1","delta":"- "}');
INSERT INTO "chunk" VALUES (-1,39,1,'{"type":"text-delta","id":"p1","delta":"**The "}');
INSERT INTO "chunk" VALUES (-1,40,1,'{"type":"text-delta","id":"p1","delta":"search "}');
INSERT INTO "chunk" VALUES (-1,41,1,'{"type":"text-delta","id":"p1","delta":"gave:** "}');
INSERT INTO "chunk" VALUES (-1,42,1,'{"type":"text-delta","id":"p1","delta":"otters\n"}');
INSERT INTO "chunk" VALUES (-1,43,1,'{"type":"text-delta","id":"p1","delta":"- "}');
INSERT INTO "chunk" VALUES (-1,44,1,'{"type":"text-delta","id":"p1","delta":"**What "}');
INSERT INTO "chunk" VALUES (-1,45,1,'{"type":"text-delta","id":"p1","delta":"a "}');
INSERT INTO "chunk" VALUES (-1,46,1,'{"type":"text-delta","id":"p1","delta":"real "}');
INSERT INTO "chunk" VALUES (-1,47,1,'{"type":"text-delta","id":"p1","delta":"model "}');
INSERT INTO "chunk" VALUES (-1,48,1,'{"type":"text-delta","id":"p1","delta":"would "}');
INSERT INTO "chunk" VALUES (-1,49,1,'{"type":"text-delta","id":"p1","delta":"do "}');
INSERT INTO "chunk" VALUES (-1,50,1,'{"type":"text-delta","id":"p1","delta":"now:** "}');
INSERT INTO "chunk" VALUES (-1,51,1,'{"type":"text-delta","id":"p1","delta":"weigh "}');
INSERT INTO "chunk" VALUES (-1,52,1,'{"type":"text-delta","id":"p1","delta":"the "}');
INSERT INTO "chunk" VALUES (-1,53,1,'{"type":"text-delta","id":"p1","delta":"sources "}');
INSERT INTO "chunk" VALUES (-1,54,1,'{"type":"text-delta","id":"p1","delta":"against "}');
INSERT INTO "chunk" VALUES (-1,55,1,'{"type":"text-delta","id":"p1","delta":"each "}');
INSERT INTO "chunk" VALUES (-1,56,1,'{"type":"text-delta","id":"p1","delta":"other, "}');
INSERT INTO "chunk" VALUES (-1,57,1,'{"type":"text-delta","id":"p1","delta":"ask "}');
INSERT INTO "chunk" VALUES (-1,58,1,'{"type":"text-delta","id":"p1","delta":"again "}');
INSERT INTO "chunk" VALUES (-1,59,1,'{"type":"text-delta","id":"p1","delta":"where "}');
INSERT INTO "chunk" VALUES (-1,60,1,'{"type":"text-delta","id":"p1","delta":"they "}');
INSERT INTO "chunk" VALUES (-1,61,1,'{"type":"text-delta","id":"p1","delta":"disagree, "}');
INSERT INTO "chunk" VALUES (-1,62,1,'{"type":"text-delta","id":"p1","delta":"and "}');
INSERT INTO "chunk" VALUES (-1,63,1,'{"type":"text-delta","id":"p1","delta":"say "}');
INSERT INTO "chunk" VALUES (-1,64,1,'{"type":"text-delta","id":"p1","delta":"how "}');
INSERT INTO "chunk" VALUES (-1,65,1,'{"type":"text-delta","id":"p1","delta":"sure "}');
INSERT INTO "chunk" VALUES (-1,66,1,'{"type":"text-delta","id":"p1","delta":"it "}');
INSERT INTO "chunk" VALUES (-1,67,1,'{"type":"text-delta","id":"p1","delta":"is.\n\n"}');
INSERT INTO "chunk" VALUES (-1,68,1,'{"type":"text-delta","id":"p1","delta":"That "}');
INSERT INTO "chunk" VALUES (-1,69,1,'{"type":"text-delta","id":"p1","delta":"is "}');
INSERT INTO "chunk" VALUES (-1,70,1,'{"type":"text-delta","id":"p1","delta":"all "}');
INSERT INTO "chunk" VALUES (-1,71,1,'{"type":"text-delta","id":"p1","delta":"I "}');
INSERT INTO "chunk" VALUES (-1,72,1,'{"type":"text-delta","id":"p1","delta":"can "}');
INSERT INTO "chunk" VALUES (-1,73,1,'{"type":"text-delta","id":"p1","delta":"say "}');
INSERT INTO "chunk" VALUES (-1,74,1,'{"type":"text-delta","id":"p1","delta":"about "}');
INSERT INTO "chunk" VALUES (-1,75,2,'{"type":"text-delta","id":"p1","delta":"it."}
{"type":"text-end","id":"p1"}');
INSERT INTO "chunk" VALUES (-1,77,2,'{"type":"finish-step"}
{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":18,"outputTokens":84}}}');
INSERT INTO "chunk" VALUES (2,0,2,'{"type":"start","messageId":"u0i8TNR-Dyya3O6z","messageMetadata":{"createdAt":1700000001780}}
{"type":"start-step"}');
INSERT INTO "chunk" VALUES (2,2,2,'{"type":"tool-input-start","toolCallId":"call_3EmXzYCmjyXWLjr_","toolName":"compare"}
{"type":"tool-input-available","toolCallId":"call_3EmXzYCmjyXWLjr_","toolName":"compare","input":{"a":"otters","b":"seals"}}');
INSERT INTO "message" VALUES ('04TIEibPtjUPq459',2,'assistant','{"id":"04TIEibPtjUPq459","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":156,"outputTokens":151}},"parts":[{"type":"step-start"},{"type":"tool-compare","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"compare","state":"output-available","input":{"a":"otters","b":"seals"},"output":[{"run":"call_r6J_EZIP2THJzb3B","status":"completed","summary":"### otters\n\nI am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.\n\n- **Asked:** otters\n- **The search gave:** otters\n- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.\n\nThat is all I can say about it."}]},{"type":"step-start"},{"type":"text","text":"Here is what came back:\n\n- **compare**: otters: I am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.\n\nI am the demo model, so I pass this on as it is.","state":"done"}]}',0,0);
INSERT INTO "message" VALUES ('u1',1,'user','{"id":"u1","role":"user","parts":[{"text":"Compare otters and seals","type":"text"}]}',0,0);
INSERT INTO "message" VALUES ('u2',3,'user','{"id":"u2","role":"user","parts":[{"text":"Compare otters and seals","type":"text"}]}',0,0);
INSERT INTO "message" VALUES ('u3',5,'user','{"id":"u3","role":"user","parts":[{"text":"And now?","type":"text"}]}',0,0);
INSERT INTO "room_version" VALUES ('callback',2);
INSERT INTO "room_version" VALUES ('chat',17);
INSERT INTO "room_version" VALUES ('damage',1);
INSERT INTO "room_version" VALUES ('flow',2);
INSERT INTO "room_version" VALUES ('run',17);
INSERT INTO "room_version" VALUES ('schedule',3);
INSERT INTO "room_version" VALUES ('stream',2);
INSERT INTO "room_version" VALUES ('turn',17);
INSERT INTO "run" VALUES (1,'call_r6J_EZIP2THJzb3B','Careful',1,'call_r6J_EZIP2THJzb3B',0,'{"a":"otters","b":"seals"}','otters','','{"a":"otters","b":"seals"}','','',0,'',1700000001756,0,0,'completed','["call_sVKHOBT5huM6sPft"]',1,1,79,'### otters

I am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.

- **Asked:** otters
- **The search gave:** otters
- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.

That is all I can say about it.','','','',0,22,91,2,0,0,'',1700000000000,1700000001756,0,0,'');
INSERT INTO "run" VALUES (2,'call_3EmXzYCmjyXWLjr_','Careful',2,'call_3EmXzYCmjyXWLjr_',0,'{"a":"otters","b":"seals"}','otters','','{"a":"otters","b":"seals"}','','',0,'',1700000001780,0,0,'waiting','["call_8HsMH2tsaMqwvl8F"]',2,1,7,'','','','',0,4,7,1,0,0,'',1700000001780,0,0,0,'');
INSERT INTO "setting" VALUES ('input_tokens','314.0');
INSERT INTO "setting" VALUES ('model_calls','3.0');
INSERT INTO "setting" VALUES ('name','room');
INSERT INTO "setting" VALUES ('output_tokens','69.0');
INSERT INTO "setting" VALUES ('place','6');
INSERT INTO "slot" VALUES (1,'call_r6J_EZIP2THJzb3B');
INSERT INTO "slot" VALUES (2,'call_3EmXzYCmjyXWLjr_');
INSERT INTO "spent" VALUES (0,26,98,3);
INSERT INTO "spent" VALUES (2,4,7,1);
INSERT INTO "sqlite_sequence" VALUES ('turn',3);
INSERT INTO "sqlite_sequence" VALUES ('run',2);
INSERT INTO "step" VALUES (2,0,'','tool-calls',180,9,1700000001780,'');
INSERT INTO "tool_call" VALUES (2,0,0,'call_3EmXzYCmjyXWLjr_','compare','{"a":"otters","b":"seals"}',0,'','');
INSERT INTO "turn" VALUES (1,'R1','a','completed','["u1"]','','04TIEibPtjUPq459',0,2,0,0,0,0,7,1700000001756,2,0,'',1700000000000,1700000000000,1700000001780,0,0,'','','',0);
INSERT INTO "turn" VALUES (2,'R2','a','running','["u2"]','','u0i8TNR-Dyya3O6z',0,4,0,0,0,0,2,1700000001780,1,0,'',1700000001780,1700000001780,0,0,0,'','','',0);
INSERT INTO "turn" VALUES (3,'R3','a','queued','["u3"]','','zxtRnYqivEQIvEF0',0,6,0,0,0,0,0,0,0,0,'',1700000001780,0,0,0,0,'','','',0);
INSERT INTO "waiter" VALUES ('call-2-call_3EmXzYCmjyXWLjr_',0,'call_3EmXzYCmjyXWLjr_');
