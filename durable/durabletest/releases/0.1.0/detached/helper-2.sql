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
INSERT INTO await VALUES ('call-1-',0,-1,0,'step report progress',1,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-',1,-1,1,'step milestone found',2,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-',2,-1,2,'step milestone half',3,'','',X'6E756C6C')
INSERT INTO await VALUES ('call-1-',3,-1,3,'sleep',0,'','',NULL)
INSERT INTO chunk VALUES (1,0,2,'{"type":"start","messageId":"qCgBXjJnRyaUOViQ","messageMetadata":{"createdAt":1700000170000}}' || char(10) || '{"type":"start-step"}')
INSERT INTO message VALUES (1,'task-under-way','user',0,0,'{"id":"task-under-way","role":"user","parts":[{"type":"text","text":"progress=0.25 note=found reach=half sleep=1h note=late"}]}')
INSERT INTO milestone VALUES (1,0,2,'found',1700000170000,'"this is found chunks=1"')
INSERT INTO milestone VALUES (1,1,2,'half',1700000170000,'{"of":"half"}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('sleep','call-1-#3',1700003770000)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-2.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('woken','1700003770000')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('under-way',1,1,'{"Run":"under-way","Generation":1,"Prompt":"progress=0.25 note=found reach=half sleep=1h note=late","Input":{"query":"progress=0.25 note=found reach=half sleep=1h note=late"},"Depth":1,"Detached":true}',0,'','{"report":{"n":1,"progress":{"fraction":0.25,"at":1700000170000}},"due":1700000170000,"milestones":2}')
INSERT INTO turn VALUES (1,'run-under-way','','running','["task-under-way"]','','qCgBXjJnRyaUOViQ',0,2,0,0,0,0,0,0,0,0,'',1700000170000,1700000170000,0,0,0,'','','',0,0)
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
