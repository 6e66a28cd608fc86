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
INSERT INTO chunk VALUES (2,0,13,'{"type":"start","messageId":"sVKHOBT5huM6sPft","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c0 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c1 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c2 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c3 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c4 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c5 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c6 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c7 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c8 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c9 xxxxxxxxxxxxx"}')
INSERT INTO message VALUES (1,'notice-r6J_EZIP2THJzb3B','user',0,0,'{"id":"notice-r6J_EZIP2THJzb3B","role":"user","parts":[{"type":"text","text":"zero chunks=1"}]}')
INSERT INTO message VALUES (2,'3iPwF4nvur8E4vDD','assistant',0,0,'{"id":"3iPwF4nvur8E4vDD","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":25,"outputTokens":4}},"parts":[{"type":"step-start"},{"type":"text","text":"c0 xxxxxxxxxxxxx","state":"done"}]}')
INSERT INTO message VALUES (3,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"one chunks=20 delay=100","type":"text"}]}')
INSERT INTO message VALUES (5,'notice-qCgBXjJnRyaUOViQ','user',0,0,'{"id":"notice-qCgBXjJnRyaUOViQ","role":"user","parts":[{"type":"text","text":"two chunks=1"}]}')
INSERT INTO message VALUES (7,'u3','user',0,0,'{"id":"u3","role":"user","parts":[{"text":"three chunks=1","type":"text"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO schedule VALUES ('watch','2',1700000030000)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','8')
INSERT INTO setting VALUES ('shown','{"at":1700000000900}')
INSERT INTO setting VALUES ('used','{"inputTokens":25,"outputTokens":4,"modelCalls":1}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO turn VALUES (1,'submission-s0','','completed','["notice-r6J_EZIP2THJzb3B"]','','3iPwF4nvur8E4vDD',0,2,0,0,0,0,2,1700000000000,1,0,'',1700000000000,1700000000000,1700000000000,0,0,'s0','k0','zero chunks=1',1,0)
INSERT INTO turn VALUES (2,'R1','a','running','["u1"]','','sVKHOBT5huM6sPft',0,4,0,0,0,0,2,1700000000000,1,0,'',1700000000000,1700000000000,0,0,0,'','','',0,0)
INSERT INTO turn VALUES (3,'submission-s2','','queued','["notice-qCgBXjJnRyaUOViQ"]','','u0i8TNR-Dyya3O6z',0,6,0,0,0,0,0,0,0,0,'',1700000000900,0,0,0,0,'s2','k2','two chunks=1',0,0)
INSERT INTO turn VALUES (4,'R3','a','queued','["u3"]','','3EmXzYCmjyXWLjr_',0,8,0,0,0,0,0,0,0,0,'',1700000000900,0,0,0,0,'','','',0,0)
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
INSERT INTO sqlite_sequence VALUES ('turn',4)
