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
INSERT INTO await VALUES ('call-2-call_u0i8TNR-Dyya3O6z',0,-1,0,'run Middle m1',0,'','',NULL)
INSERT INTO chunk VALUES (-3,0,4,'{"type":"start","messageId":"3EmXzYCmjyXWLjr_","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_a-A7dbQEyWTSjQRQ","toolName":"compare"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_a-A7dbQEyWTSjQRQ","toolName":"compare","input":{"a":"class=Sleeper the moon","b":"class=Parrot venus"}}')
INSERT INTO chunk VALUES (-2,0,77,'{"type":"start","messageId":"sVKHOBT5huM6sPft","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"web_search"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"web_search","input":{"query":"the moon"}}' || char(10) || '{"type":"tool-output-available","toolCallId":"call_EjSWxJjLrKBOlaNv","output":"something"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"### "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"moon\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"I "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"am "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"demo "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"model "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"in "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"researcher''s "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"place, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"so "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"this "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"has "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"shape "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"of "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"finding "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"rather "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"than "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"its "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"substance.\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**Asked:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"moon\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**The "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"search "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"gave:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"something\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**What "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"real "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"model "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"would "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"do "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"now:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"weigh "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"sources "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"against "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"each "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"other, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"ask "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"again "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"where "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"they "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"disagree, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"and "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"say "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"how "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"sure "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"it "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"is.\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"That "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"is "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"all "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"I "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"can "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"say "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"about "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"it."}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":23,"outputTokens":93}}}')
INSERT INTO chunk VALUES (-1,0,7,'{"type":"start","messageId":"3iPwF4nvur8E4vDD","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"hello"}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":7,"outputTokens":3}}}')
INSERT INTO chunk VALUES (2,0,4,'{"type":"start","messageId":"qCgBXjJnRyaUOViQ","messageMetadata":{"createdAt":1700000000804}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_u0i8TNR-Dyya3O6z","toolName":"research"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_u0i8TNR-Dyya3O6z","toolName":"research","input":{"query":"class=Middle id=m1 \u003etool=compare \u003eclass=Sleeper the moon \u003eand \u003eclass=Parrot venus"}}')
INSERT INTO message VALUES (1,'u0','user',0,0,'{"id":"u0","role":"user","parts":[{"text":"tool=compare class=Parrot id=p1 hello and class=Searcher id=p2 the moon","type":"text"}]}')
INSERT INTO message VALUES (2,'04TIEibPtjUPq459','assistant',0,0,'{"id":"04TIEibPtjUPq459","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":210,"outputTokens":164}},"parts":[{"type":"step-start"},{"type":"tool-compare","toolCallId":"call_r6J_EZIP2THJzb3B","toolName":"compare","state":"output-available","input":{"a":"class=Parrot id=p1 hello","b":"class=Searcher id=p2 the moon"},"output":[{"run":"p1","status":"completed","summary":"hello"},{"run":"p2","status":"completed","summary":"### the moon\n\nI am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.\n\n- **Asked:** the moon\n- **The search gave:** something\n- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.\n\nThat is all I can say about it."}]},{"type":"step-start"},{"type":"text","text":"Here is what came back:\n\n- **compare**: hello; the moon: I am the demo model in a researcher''s place, so this has the shape of a finding rather…\n\nI am the demo model, so I pass this on as it is.","state":"done"}]}')
INSERT INTO message VALUES (3,'u1','user',0,0,'{"id":"u1","role":"user","parts":[{"text":"tool=research class=Middle id=m1 >tool=compare >class=Sleeper the moon >and >class=Parrot venus","type":"text"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO run VALUES (1,'p1','Parrot',1,'call_r6J_EZIP2THJzb3B',0,'{"query":"hello"}','hello','','{"a":"class=Parrot id=p1 hello","b":"class=Searcher id=p2 the moon"}','','',0,'',0,0,0,'completed','[]',1,1,7,'hello','','','',0,7,3,1,0,0,'',1700000000000,1700000000000,0,0,'',1)
INSERT INTO run VALUES (2,'p2','Searcher',1,'call_r6J_EZIP2THJzb3B',1,'{"query":"the moon"}','the moon','','{"a":"class=Parrot id=p1 hello","b":"class=Searcher id=p2 the moon"}','','',0,'',0,0,0,'completed','[]',2,1,77,'### the moon' || char(10) || '' || char(10) || 'I am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.' || char(10) || '' || char(10) || '- **Asked:** the moon' || char(10) || '- **The search gave:** something' || char(10) || '- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.' || char(10) || '' || char(10) || 'That is all I can say about it.','','','',0,23,93,2,0,0,'',1700000000000,1700000000780,0,0,'',1)
INSERT INTO run VALUES (3,'m1','Middle',2,'call_u0i8TNR-Dyya3O6z',0,'{"query":"tool=compare class=Sleeper the moon and class=Parrot venus"}','tool=compare class=Sleeper the moon and class=Parrot venus','','{"query":"class=Middle id=m1 \u003etool=compare \u003eclass=Sleeper the moon \u003eand \u003eclass=Parrot venus"}','','',0,'',0,0,0,'running','[]',3,1,0,'','','','',0,32,27,3,0,0,'',1700000000804,0,0,0,'',1)
INSERT INTO schedule VALUES ('follow','m1',1700000120804)
INSERT INTO setting VALUES ('name','room')
INSERT INTO setting VALUES ('place','4')
INSERT INTO setting VALUES ('shown','{"at":1700000000804,"witness":"qCgBXjJnRyaUOViQ"}')
INSERT INTO setting VALUES ('used','{"inputTokens":180,"outputTokens":68,"modelCalls":2}')
INSERT INTO slot VALUES (1,'p1',1,0)
INSERT INTO slot VALUES (2,'p2',1,0)
INSERT INTO slot VALUES (3,'m1',1,0)
INSERT INTO spent VALUES (0,62,123,6)
INSERT INTO spent VALUES (2,32,27,3)
INSERT INTO step VALUES (2,0,'','tool-calls',229,31,1700000000804,'')
INSERT INTO tool_call VALUES (2,0,0,'call_u0i8TNR-Dyya3O6z','research','{"query":"class=Middle id=m1 \u003etool=compare \u003eclass=Sleeper the moon \u003eand \u003eclass=Parrot venus"}',0,'','')
INSERT INTO turn VALUES (1,'R0','a','completed','["u0"]','','04TIEibPtjUPq459',0,2,0,0,0,0,7,1700000000780,2,0,'',1700000000000,1700000000000,1700000000804,0,0,'','','',0,0)
INSERT INTO turn VALUES (2,'R1','a','running','["u1"]','','qCgBXjJnRyaUOViQ',0,4,0,0,0,0,2,1700000000804,1,0,'',1700000000804,1700000000804,0,0,0,'','','',0,0)
INSERT INTO waiter VALUES ('call-2-call_u0i8TNR-Dyya3O6z',0,'m1')
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
INSERT INTO sqlite_sequence VALUES ('run',3)
