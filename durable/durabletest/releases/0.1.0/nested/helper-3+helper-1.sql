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
INSERT INTO await VALUES ('call-1-call_gg-7hl1q-BFsbQR7',0,-1,0,'sleep',0,'','',NULL)
INSERT INTO chunk VALUES (1,0,4,'{"type":"start","messageId":"8HsMH2tsaMqwvl8F","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_gg-7hl1q-BFsbQR7","toolName":"web_search"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_gg-7hl1q-BFsbQR7","toolName":"web_search","input":{"query":"the moon"}}')
INSERT INTO message VALUES (1,'task-call_a-A7dbQEyWTSjQRQ','user',0,0,'{"id":"task-call_a-A7dbQEyWTSjQRQ","role":"user","parts":[{"type":"text","text":"the moon"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('sleep','call-1-call_gg-7hl1q-BFsbQR7#0',1700000120804)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-3.0/helper-1.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('woken','1700000120804')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO step VALUES (1,0,'','tool-calls',5,8,1700000000804,'')
INSERT INTO task VALUES ('call_a-A7dbQEyWTSjQRQ',1,1,'{"Run":"call_a-A7dbQEyWTSjQRQ","Generation":1,"Prompt":"the moon","Input":{"query":"the moon"},"Depth":2}',0,'','')
INSERT INTO tool_call VALUES (1,0,0,'call_gg-7hl1q-BFsbQR7','web_search','{"query":"the moon"}',0,'','')
INSERT INTO turn VALUES (1,'run-call_a-A7dbQEyWTSjQRQ','','running','["task-call_a-A7dbQEyWTSjQRQ"]','','8HsMH2tsaMqwvl8F',0,2,0,0,0,0,2,1700000000804,1,0,'',1700000000804,1700000000804,0,0,0,'','','',0,0)
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
