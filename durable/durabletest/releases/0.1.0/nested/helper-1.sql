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
INSERT INTO chunk VALUES (1,0,7,'{"type":"start","messageId":"3iPwF4nvur8E4vDD","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"hello"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":7,"outputTokens":3}}}')
INSERT INTO message VALUES (1,'task-p1','user',0,0,'{"id":"task-p1","role":"user","parts":[{"type":"text","text":"hello"}]}')
INSERT INTO message VALUES (2,'3iPwF4nvur8E4vDD','assistant',0,0,'{"id":"3iPwF4nvur8E4vDD","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":7,"outputTokens":3}},"parts":[{"type":"step-start"},{"type":"text","text":"hello","state":"done"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-1.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":7,"outputTokens":3,"modelCalls":1}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('p1',1,1,'{"Run":"p1","Generation":1,"Prompt":"hello","Input":{"query":"hello"},"Depth":1}',1,'{"status":"completed","summary":"hello","usage":{"inputTokens":7,"outputTokens":3,"modelCalls":1}}','')
INSERT INTO turn VALUES (1,'run-p1','','completed','["task-p1"]','','3iPwF4nvur8E4vDD',0,2,0,0,0,0,2,1700000000000,1,0,'',1700000000000,1700000000000,1700000000000,0,0,'','','',0,0)
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
