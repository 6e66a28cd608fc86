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
INSERT INTO ask VALUES (1,'call_r6J_EZIP2THJzb3B','04TIEibPtjUPq459','','open',0,0)
INSERT INTO message VALUES (1,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"Research the moon","type":"text"}]}')
INSERT INTO message VALUES (2,'04TIEibPtjUPq459','assistant',0,0,'{"id":"04TIEibPtjUPq459","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":9,"outputTokens":7}},"parts":[{"type":"step-start"},{"type":"tool-research","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"research","state":"approval-requested","input":{"query":"the moon"},"approval":{"id":"call_r6J_EZIP2THJzb3B"}}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('shown','{"at":1700000000000,"witness":"04TIEibPtjUPq459"}')
INSERT INTO setting VALUES ('used','{"inputTokens":9,"outputTokens":7,"modelCalls":1}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO turn VALUES (1,'R1','a','completed','["u1"]','','04TIEibPtjUPq459',0,2,0,0,0,0,2,1700000000000,1,0,'',1700000000000,1700000000000,1700000000000,0,0,'','','',0,0)
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
