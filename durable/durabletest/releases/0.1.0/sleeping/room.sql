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
INSERT INTO await VALUES ('call-1-call_r6J_EZIP2THJzb3B',0,-1,0,'step look up',1,'','',X'223369507746346E76757238453476444422')
INSERT INTO await VALUES ('call-1-call_r6J_EZIP2THJzb3B',1,-1,1,'sleep',0,'','',NULL)
INSERT INTO chunk VALUES (1,0,4,'{"type":"start","messageId":"04TIEibPtjUPq459","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"research"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"research","input":{"query":"otters"}}')
INSERT INTO message VALUES (1,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"Research otters","type":"text"}]}')
INSERT INTO message VALUES (3,'u2','user',0,0,'{"id":"u2","role":"user","parts":[{"text":"What is next? chunks=1","type":"text"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('sleep','call-1-call_r6J_EZIP2THJzb3B#1',1700003600000)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','4')
INSERT INTO setting VALUES ('shown','{"at":1700000600000}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO step VALUES (1,0,'','tool-calls',9,7,1700000000000,'')
INSERT INTO tool_call VALUES (1,0,0,'call_r6J_EZIP2THJzb3B','research','{"query":"otters"}',0,'','')
INSERT INTO turn VALUES (1,'R1','a','running','["u1"]','','04TIEibPtjUPq459',0,2,0,0,0,0,2,1700000000000,1,0,'',1700000000000,1700000000000,0,0,0,'','','',0,0)
INSERT INTO turn VALUES (2,'R2','a','queued','["u2"]','','sVKHOBT5huM6sPft',0,4,0,0,0,0,0,0,0,0,'',1700000600000,0,0,0,0,'','','',0,0)
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
INSERT INTO sqlite_sequence VALUES ('turn',2)
