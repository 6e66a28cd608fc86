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
INSERT INTO chunk VALUES (-3,0,7,'{"type":"start","messageId":"zxtRnYqivEQIvEF0","messageMetadata":{"createdAt":1700000180000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"done"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":0,"outputTokens":0}}}')
INSERT INTO chunk VALUES (-2,0,2,'{"type":"start","messageId":"qCgBXjJnRyaUOViQ","messageMetadata":{"createdAt":1700000170000}}' || char(10) || '{"type":"start-step"}')
INSERT INTO chunk VALUES (-1,0,7,'{"type":"start","messageId":"3iPwF4nvur8E4vDD","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"done"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":0,"outputTokens":0}}}')
INSERT INTO letter VALUES ('dead','flaky','dead',5,'out of order',0)
INSERT INTO letter VALUES ('retried','flaky','waits',2,'out of order',0)
INSERT INTO message VALUES (1,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"tool=research class=Reporter id=dead detached=flaky","type":"text"}]}')
INSERT INTO message VALUES (2,'04TIEibPtjUPq459','assistant',0,0,'{"id":"04TIEibPtjUPq459","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":65,"outputTokens":42}},"parts":[{"type":"step-start"},{"type":"tool-research","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"research","state":"output-available","input":{"query":"class=Reporter id=dead detached=flaky"},"output":[{"run":"dead","status":"starting"}]},{"type":"step-start"},{"type":"text","text":"Here is what came back:\n\n- **research**: dead; starting\n\nI am the demo model, so I pass this on as it is.","state":"done"}]}')
INSERT INTO message VALUES (3,'u2','user',0,0,'{"id":"u2","role":"user","parts":[{"text":"tool=research class=Reporter id=under-way detached=tell narrate=found progress=0.25 note=found reach=half sleep=1h note=late","type":"text"}]}')
INSERT INTO message VALUES (4,'sVKHOBT5huM6sPft','assistant',0,0,'{"id":"sVKHOBT5huM6sPft","role":"assistant","metadata":{"createdAt":1700000170000,"usage":{"inputTokens":249,"outputTokens":61}},"parts":[{"type":"step-start"},{"type":"tool-research","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"research","state":"output-available","input":{"query":"class=Reporter id=under-way detached=tell narrate=found progress=0.25 note=found reach=half sleep=1h note=late"},"output":[{"run":"under-way","status":"starting"}]},{"type":"step-start"},{"type":"text","text":"Here is what came back:\n\n- **research**: under-way; starting\n\nI am the demo model, so I pass this on as it is.","state":"done"}]}')
INSERT INTO message VALUES (5,'3EmXzYCmjyXWLjr_','assistant',0,0,'{"id":"3EmXzYCmjyXWLjr_","role":"assistant","metadata":{"createdAt":1700000170024,"usage":{"inputTokens":0,"outputTokens":0}},"parts":[{"type":"step-start"},{"type":"text","text":"this is found chunks=1","state":"done"}]}')
INSERT INTO message VALUES (6,'u3','user',0,0,'{"id":"u3","role":"user","parts":[{"text":"tool=research class=Reporter id=retried detached=flaky","type":"text"}]}')
INSERT INTO message VALUES (7,'a-A7dbQEyWTSjQRQ','assistant',0,0,'{"id":"a-A7dbQEyWTSjQRQ","role":"assistant","metadata":{"createdAt":1700000180000,"usage":{"inputTokens":413,"outputTokens":42}},"parts":[{"type":"step-start"},{"type":"tool-research","toolCallId":"call_8HsMH2tsaMqwvl8F","toolName":"research","state":"output-available","input":{"query":"class=Reporter id=retried detached=flaky"},"output":[{"run":"retried","status":"starting"}]},{"type":"step-start"},{"type":"text","text":"Here is what came back:\n\n- **research**: retried; starting\n\nI am the demo model, so I pass this on as it is.","state":"done"}]}')
INSERT INTO milestone VALUES (-2,0,2,'found',1700000170000,'"this is found chunks=1"')
INSERT INTO milestone VALUES (-2,1,2,'half',1700000170000,'{"of":"half"}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO run VALUES (1,'dead','Reporter',0,'',0,'{"query":""}','','','{"query":"class=Reporter id=dead detached=flaky"}','','',86400000,'flaky',1700000000000,1700086400000,0,'completed','[]',1,1,7,'done','','','',0,0,0,0,0,0,'',1700000000000,1700000000000,3600000,0,'',1)
INSERT INTO run VALUES (2,'under-way','Reporter',0,'',0,'{"query":"progress=0.25 note=found reach=half sleep=1h note=late"}','progress=0.25 note=found reach=half sleep=1h note=late','','{"query":"class=Reporter id=under-way detached=tell narrate=found progress=0.25 note=found reach=half sleep=1h note=late"}','','',86400000,'tell',1700000170000,1700086570000,0,'running','[]',2,1,0,'','','','',0,0,0,0,2,1,'{"fraction":0.25,"at":1700000170000}',1700000170000,0,3600000,0,'{"narrate":["found"]}',1)
INSERT INTO run VALUES (3,'retried','Reporter',0,'',0,'{"query":""}','','','{"query":"class=Reporter id=retried detached=flaky"}','','',86400000,'flaky',1700000180000,1700086580000,0,'completed','[]',3,1,7,'done','','','',0,0,0,0,0,0,'',1700000180000,1700000180000,3600000,0,'',1)
INSERT INTO schedule VALUES ('follow','under-way',1700003770000)
INSERT INTO schedule VALUES ('letter','retried',1700000200000)
INSERT INTO schedule VALUES ('silence','under-way',1700003770000)
INSERT INTO schedule VALUES ('timeout','under-way',1700086570000)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','7')
INSERT INTO setting VALUES ('shown','{"at":1700000180000,"witness":"a-A7dbQEyWTSjQRQ"}')
INSERT INTO setting VALUES ('state','{"fraction":0.25,"at":1700000170000}')
INSERT INTO setting VALUES ('used','{"inputTokens":727,"outputTokens":145,"modelCalls":6}')
INSERT INTO slot VALUES (1,'dead',1,0)
INSERT INTO slot VALUES (2,'under-way',1,0)
INSERT INTO slot VALUES (3,'retried',1,0)
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO turn VALUES (1,'R1','a','completed','["u1"]','','04TIEibPtjUPq459',0,2,0,0,0,0,7,1700000000000,2,0,'',1700000000000,1700000000000,1700000000024,0,0,'','','',0,0)
INSERT INTO turn VALUES (2,'R2','a','completed','["u2"]','','sVKHOBT5huM6sPft',0,4,0,0,0,0,7,1700000170000,2,0,'',1700000170000,1700000170000,1700000170024,0,0,'','','',0,0)
INSERT INTO turn VALUES (3,'narration-u0i8TNR-Dyya3O6z','','completed','[]','','3EmXzYCmjyXWLjr_',0,5,0,0,0,0,0,0,0,0,'',1700000170000,1700000170024,1700000170024,0,0,'','','',0,0)
INSERT INTO turn VALUES (4,'R3','a','completed','["u3"]','','a-A7dbQEyWTSjQRQ',0,7,0,0,0,0,7,1700000180000,2,0,'',1700000180000,1700000180000,1700000180024,0,0,'','','',0,0)
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
INSERT INTO sqlite_sequence VALUES ('run',3)
