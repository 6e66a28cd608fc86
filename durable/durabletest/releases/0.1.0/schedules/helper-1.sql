MAKE answer
MAKE ask
MAKE authorized
MAKE await
MAKE call_id
MAKE callback
MAKE caller
MAKE chunk
MAKE damage
MAKE drill
MAKE early
MAKE heard
MAKE letter
MAKE message
MAKE milestone
MAKE milestone_waiter
MAKE narration
MAKE offer
MAKE room_version
MAKE run
MAKE schedule
MAKE setting
MAKE slot
MAKE spent
MAKE step
MAKE task
MAKE tool_call
MAKE turn
MAKE untold
MAKE unwoken
MAKE waiter
INSERT INTO callback VALUES (1,'nYqivEQIvEF0gg-7','tell','"ring chunks=1"','{"type":"delayed","after":600000}',5,'waiting',1700001200000,1700001200000,0,'',1700000600000)
INSERT INTO chunk VALUES (1,0,12,'{"type":"start","messageId":"dbQEyWTSjQRQ8HsM","messageMetadata":{"createdAt":1700000600000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_H2tsaMqwvl8FzxtR","toolName":"remind"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_H2tsaMqwvl8FzxtR","toolName":"remind","input":{}}' || char(10) || '{"type":"tool-output-available","toolCallId":"call_H2tsaMqwvl8FzxtR","output":"nYqivEQIvEF0gg-7"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c0 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":36,"outputTokens":6}}}')
INSERT INTO message VALUES (1,'task-minder','user',0,0,'{"id":"task-minder","role":"user","parts":[{"type":"text","text":"tool=remind chunks=1 pchunks=1 chunks=1"}]}')
INSERT INTO message VALUES (2,'dbQEyWTSjQRQ8HsM','assistant',0,0,'{"id":"dbQEyWTSjQRQ8HsM","role":"assistant","metadata":{"createdAt":1700000600000,"usage":{"inputTokens":36,"outputTokens":6}},"parts":[{"type":"step-start"},{"type":"tool-remind","toolCallId":"call_H2tsaMqwvl8FzxtR","toolName":"remind","state":"output-available","input":{},"output":"nYqivEQIvEF0gg-7"},{"type":"step-start"},{"type":"text","text":"c0 xxxxxxxxxxxxx","state":"done"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('callback','',1700001200000)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-1.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":36,"outputTokens":6,"modelCalls":2}')
INSERT INTO setting VALUES ('woken','1700001200000')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('minder',1,1,'{"Run":"minder","Generation":1,"Prompt":"tool=remind chunks=1 pchunks=1 chunks=1","Input":{"query":"tool=remind chunks=1 pchunks=1 chunks=1"},"Depth":1}',1,'{"status":"completed","summary":"c0 xxxxxxxxxxxxx","usage":{"inputTokens":36,"outputTokens":6,"modelCalls":2}}','')
INSERT INTO turn VALUES (1,'run-minder','','completed','["task-minder"]','','dbQEyWTSjQRQ8HsM',0,2,0,0,0,0,7,1700000600000,2,0,'',1700000600000,1700000600000,1700000600000,0,0,'','','',0,0)
MAKE ask_message
MAKE await_ended
MAKE callback_due
MAKE caller_turn
MAKE message_pictures
MAKE milestone_waiter_run
MAKE run_cancel_due
MAKE run_status
MAKE run_stops_with
MAKE run_turn
MAKE run_unfinished
MAKE task_turn
MAKE turn_final
MAKE turn_key
MAKE turn_passing
MAKE turn_request
MAKE turn_status
MAKE turn_submission
MAKE waiter_run
DELETE FROM sqlite_sequence
INSERT INTO sqlite_sequence VALUES ('turn',1)
INSERT INTO sqlite_sequence VALUES ('callback',1)
