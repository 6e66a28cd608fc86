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
INSERT INTO chunk VALUES (1,0,7,'{"type":"start","messageId":"zxtRnYqivEQIvEF0","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"venus"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":7,"outputTokens":3}}}')
INSERT INTO message VALUES (1,'task-call_a-A7dbQEyWTSjQRQ-1','user',0,0,'{"id":"task-call_a-A7dbQEyWTSjQRQ-1","role":"user","parts":[{"type":"text","text":"venus"}]}')
INSERT INTO message VALUES (2,'zxtRnYqivEQIvEF0','assistant',0,0,'{"id":"zxtRnYqivEQIvEF0","role":"assistant","metadata":{"createdAt":1700000000804,"usage":{"inputTokens":7,"outputTokens":3}},"parts":[{"type":"step-start"},{"type":"text","text":"venus","state":"done"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-3.0/helper-2.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":7,"outputTokens":3,"modelCalls":1}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('call_a-A7dbQEyWTSjQRQ-1',1,1,'{"Run":"call_a-A7dbQEyWTSjQRQ-1","Generation":1,"Prompt":"venus","Input":{"query":"venus"},"Depth":2}',1,'{"status":"completed","summary":"venus","usage":{"inputTokens":7,"outputTokens":3,"modelCalls":1}}','')
INSERT INTO turn VALUES (1,'run-call_a-A7dbQEyWTSjQRQ-1','','completed','["task-call_a-A7dbQEyWTSjQRQ-1"]','','zxtRnYqivEQIvEF0',0,2,0,0,0,0,2,1700000000804,1,0,'',1700000000804,1700000000804,1700000000804,0,0,'','','',0,0)
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
