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
INSERT INTO await VALUES ('call-1-call_vlXZSN9bZ3OHQMLV',0,-1,0,'step report progress',1,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-call_vlXZSN9bZ3OHQMLV',1,-1,1,'sleep',2,'','',X'')
INSERT INTO await VALUES ('call-1-call_vlXZSN9bZ3OHQMLV',2,-1,2,'step milestone searched',3,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-call_vlXZSN9bZ3OHQMLV',3,-1,3,'step report progress',4,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-call_vlXZSN9bZ3OHQMLV',4,-1,4,'sleep',0,'','',NULL)
INSERT INTO chunk VALUES (1,0,4,'{"type":"start","messageId":"oL1aqxArZK6aYpIK","messageMetadata":{"createdAt":1700000000972}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_vlXZSN9bZ3OHQMLV","toolName":"web_search"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_vlXZSN9bZ3OHQMLV","toolName":"web_search","input":{"query":"the tides"}}')
INSERT INTO message VALUES (1,'task-call_V7rUF0fUhRACXF5k','user',0,0,'{"id":"task-call_V7rUF0fUhRACXF5k","role":"user","parts":[{"type":"text","text":"the tides"}]}')
INSERT INTO milestone VALUES (1,0,4,'searched',1700000002972,'"Found two sources on the tides."')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('sleep','call-1-call_vlXZSN9bZ3OHQMLV#4',1700000004972)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-3.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO step VALUES (1,0,'','tool-calls',79,8,1700000000972,'')
INSERT INTO task VALUES ('call_V7rUF0fUhRACXF5k',1,1,'{"Run":"call_V7rUF0fUhRACXF5k","Generation":1,"Prompt":"the tides","Input":{"query":"the tides"},"Depth":1,"Detached":true}',0,'','{"report":{"n":2,"progress":{"fraction":0.6666666666666666,"phase":"reading","message":"Reading two sources","at":1700000002972,"milestones":1}},"due":1700000002972,"milestones":1}')
INSERT INTO tool_call VALUES (1,0,0,'call_vlXZSN9bZ3OHQMLV','web_search','{"query":"the tides"}',0,'','')
INSERT INTO turn VALUES (1,'run-call_V7rUF0fUhRACXF5k','','running','["task-call_V7rUF0fUhRACXF5k"]','','oL1aqxArZK6aYpIK',0,2,0,0,0,0,2,1700000000972,1,0,'',1700000000972,1700000000972,0,0,0,'','','',0,0)
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
