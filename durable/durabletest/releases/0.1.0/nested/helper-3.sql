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
INSERT INTO await VALUES ('call-1-call_a-A7dbQEyWTSjQRQ',0,-1,0,'run Sleeper call_a-A7dbQEyWTSjQRQ',0,'','',NULL)
INSERT INTO await VALUES ('call-1-call_a-A7dbQEyWTSjQRQ',1,-1,1,'run Parrot call_a-A7dbQEyWTSjQRQ-1',1,'','',X'7B2272756E223A2263616C6C5F612D413764625145795754536A5152512D31222C22737461747573223A22636F6D706C65746564222C2273756D6D617279223A2276656E7573227D')
INSERT INTO chunk VALUES (-2,0,7,'{"type":"start","messageId":"zxtRnYqivEQIvEF0","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"venus"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":7,"outputTokens":3}}}')
INSERT INTO chunk VALUES (-1,0,4,'{"type":"start","messageId":"8HsMH2tsaMqwvl8F","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_gg-7hl1q-BFsbQR7","toolName":"web_search"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_gg-7hl1q-BFsbQR7","toolName":"web_search","input":{"query":"the moon"}}')
INSERT INTO chunk VALUES (1,0,4,'{"type":"start","messageId":"3EmXzYCmjyXWLjr_","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_a-A7dbQEyWTSjQRQ","toolName":"compare"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_a-A7dbQEyWTSjQRQ","toolName":"compare","input":{"a":"class=Sleeper the moon","b":"class=Parrot venus"}}')
INSERT INTO message VALUES (1,'task-m1','user',0,0,'{"id":"task-m1","role":"user","parts":[{"type":"text","text":"tool=compare class=Sleeper the moon and class=Parrot venus"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO run VALUES (1,'call_a-A7dbQEyWTSjQRQ','Sleeper',1,'call_a-A7dbQEyWTSjQRQ',0,'{"query":"the moon"}','the moon','','{"a":"class=Sleeper the moon","b":"class=Parrot venus"}','','',0,'',0,0,0,'running','[]',1,1,0,'','','','',0,5,8,1,0,0,'',1700000000804,0,0,0,'',1)
INSERT INTO run VALUES (2,'call_a-A7dbQEyWTSjQRQ-1','Parrot',1,'call_a-A7dbQEyWTSjQRQ',1,'{"query":"venus"}','venus','','{"a":"class=Sleeper the moon","b":"class=Parrot venus"}','','',0,'',0,0,0,'completed','[]',2,1,7,'venus','','','',0,7,3,1,0,0,'',1700000000804,1700000000804,0,0,'',1)
INSERT INTO schedule VALUES ('follow','call_a-A7dbQEyWTSjQRQ',1700000120804)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-3.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('woken','1700000120804')
INSERT INTO slot VALUES (1,'call_a-A7dbQEyWTSjQRQ',1,0)
INSERT INTO slot VALUES (2,'call_a-A7dbQEyWTSjQRQ-1',1,0)
INSERT INTO spent VALUES (0,12,11,2)
INSERT INTO spent VALUES (1,12,11,2)
INSERT INTO step VALUES (1,0,'','tool-calls',20,16,1700000000804,'')
INSERT INTO task VALUES ('m1',1,1,'{"Run":"m1","Generation":1,"Prompt":"tool=compare class=Sleeper the moon and class=Parrot venus","Input":{"query":"tool=compare class=Sleeper the moon and class=Parrot venus"},"Depth":1}',0,'','')
INSERT INTO tool_call VALUES (1,0,0,'call_a-A7dbQEyWTSjQRQ','compare','{"a":"class=Sleeper the moon","b":"class=Parrot venus"}',0,'','')
INSERT INTO turn VALUES (1,'run-m1','','running','["task-m1"]','','3EmXzYCmjyXWLjr_',0,2,0,0,0,0,2,1700000000804,1,0,'',1700000000804,1700000000804,0,0,0,'','','',0,0)
INSERT INTO waiter VALUES ('call-1-call_a-A7dbQEyWTSjQRQ',0,'call_a-A7dbQEyWTSjQRQ')
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
INSERT INTO sqlite_sequence VALUES ('run',2)
