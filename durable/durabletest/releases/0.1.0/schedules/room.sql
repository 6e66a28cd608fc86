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
INSERT INTO callback VALUES (1,'daily','note','{"n":1}','{"type":"cron","cron":"30 8 * * *","zone":"Europe/Berlin"}',5,'waiting',1700033400000,1700033400000,0,'',1700000000000)
INSERT INTO callback VALUES (2,'hourly','note','','{"type":"interval","every":3600000}',5,'waiting',1700003600000,1700003600000,0,'',1700000000000)
INSERT INTO callback VALUES (3,'once','tell','"ring chunks=1"','{"type":"scheduled","at":1700003000000}',5,'waiting',1700003000000,1700003000000,0,'',1700000000000)
INSERT INTO callback VALUES (4,'failed','flaky','','{"type":"delayed","after":1000}',2,'failed',1700000001000,1700000002817,2,'out of order',1700000000000)
INSERT INTO callback VALUES (5,'r1','run','{"query":"sleep=2m progress=1"}','{"type":"delayed","after":1800000}',5,'waiting',1700002400000,1700002400000,0,'',1700000600000)
INSERT INTO callback VALUES (6,'retried','flaky','','{"type":"delayed","after":1000}',9,'waiting',1700000601000,1700000650978,5,'out of order',1700000600000)
INSERT INTO chunk VALUES (-1,0,12,'{"type":"start","messageId":"dbQEyWTSjQRQ8HsM","messageMetadata":{"createdAt":1700000600000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_H2tsaMqwvl8FzxtR","toolName":"remind"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_H2tsaMqwvl8FzxtR","toolName":"remind","input":{}}' || char(10) || '{"type":"tool-output-available","toolCallId":"call_H2tsaMqwvl8FzxtR","output":"nYqivEQIvEF0gg-7"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"c0 xxxxxxxxxxxxx"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":36,"outputTokens":6}}}')
INSERT INTO message VALUES (1,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"tool=research class=Minder id=minder >tool=remind >chunks=1 >pchunks=1 chunks=1","type":"text"}]}')
INSERT INTO message VALUES (2,'TNR-Dyya3O6z3EmX','assistant',0,0,'{"id":"TNR-Dyya3O6z3EmX","role":"assistant","metadata":{"createdAt":1700000600000,"usage":{"inputTokens":134,"outputTokens":43}},"parts":[{"type":"step-start"},{"type":"tool-research","toolCallId":"call_zYCmjyXWLjr_a-A7","toolName":"research","state":"output-available","input":{"query":"class=Minder id=minder \u003etool=remind \u003echunks=1 \u003epchunks=1 chunks=1"},"output":[{"run":"minder","status":"completed","summary":"c0 xxxxxxxxxxxxx"}]},{"type":"step-start"},{"type":"text","text":"c0 xxxxxxxxxxxxxc1 xxxxxxxxxxxxxc2 xxxxxxxxxxxxx","state":"done"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO run VALUES (1,'minder','Minder',1,'call_zYCmjyXWLjr_a-A7',0,'{"query":"tool=remind chunks=1 pchunks=1 chunks=1"}','tool=remind chunks=1 pchunks=1 chunks=1','','{"query":"class=Minder id=minder \u003etool=remind \u003echunks=1 \u003epchunks=1 chunks=1"}','','',0,'',0,0,0,'completed','[]',1,1,12,'c0 xxxxxxxxxxxxx','','','',0,36,6,2,0,0,'',1700000600000,1700000600000,0,0,'',1)
INSERT INTO schedule VALUES ('callback','',1700000650978)
INSERT INTO schedule VALUES ('waken','minder',1700001200000)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":98,"outputTokens":37,"modelCalls":2}')
INSERT INTO slot VALUES (1,'minder',1,0)
INSERT INTO spent VALUES (0,36,6,2)
INSERT INTO turn VALUES (1,'R1','a','completed','["u1"]','','TNR-Dyya3O6z3EmX',0,2,0,0,0,0,7,1700000600000,2,0,'',1700000600000,1700000600000,1700000600000,0,0,'','','',0,0)
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
INSERT INTO sqlite_sequence VALUES ('callback',6)
INSERT INTO sqlite_sequence VALUES ('turn',1)
INSERT INTO sqlite_sequence VALUES ('run',1)
